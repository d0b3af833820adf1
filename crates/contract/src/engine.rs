//! The engine as an opponent: the move of a level, and the answer to a draw offer.

use std::ops::ControlFlow;

use sandtable::core::Player;
use sandtable::engine::{Level, LevelPlayer, Strength};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Score};
use sandtable::{AnyGame, GameKind, find};
use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::events::DrawCommand;
use crate::json::Side;
use crate::position_request::PositionRequest;
use crate::request_error::RequestError;
use crate::session::find_level;

/// The size of the transposition table at full strength, in MiB.
const HASH_MIB: usize = 16;
/// The size of the transposition table for an answer to a draw offer, in MiB.
const DRAW_HASH_MIB: usize = 1;
/// The most time full strength spends on a move, in milliseconds.
const MAX_MOVE_TIME: u64 = 2_000;
/// The most time a level with a node limit spends on a move, in milliseconds: far more than it needs in usual positions.
const MAX_NODES_TIME: u64 = 10_000;
/// A move may take at most the time left divided by this.
const TIME_DIVISOR: u64 = 30;
/// The shortest time between a move and the engine's reply, in milliseconds: the player sees the own move land first.
const REPLY_DELAY: u64 = 500;

/// What an engine must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum EngineTask {
    /// Choose a move.
    Move {
        /// The level, 0 to 9.
        level: u8,
        /// The time left on the clock, in milliseconds.
        time_left: Option<u64>,
    },
    /// Accept or decline the opponent's draw offer.
    AnswerDraw {
        /// The player who answers.
        player: Side,
    },
}

/// A task and the game it is about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineJob {
    /// The game.
    pub position: PositionRequest,
    /// The task.
    pub task: EngineTask,
    /// The seed of the game: see [`game_seed`].
    pub seed: u64,
    /// The earliest time for the decision: see [`EngineTask::reply_delay`].
    pub delay: u64,
}

impl EngineTask {
    /// How long after the last change of the game the decision may be applied at the earliest, in milliseconds. At most the
    /// time that a move may take, so that no engine loses on time by waiting.
    #[must_use]
    pub fn reply_delay(self) -> u64 {
        match self {
            Self::Move { time_left: Some(left), .. } => REPLY_DELAY.min(left / TIME_DIVISOR),
            Self::Move { time_left: None, .. } | Self::AnswerDraw { .. } => REPLY_DELAY,
        }
    }
}

/// The seed of a game: engines of levels 0 to 8 play the same replies to the same moves in games with the same identifier,
/// and mostly different ones in others.
#[must_use]
pub fn game_seed(id: &str) -> u64 {
    // FNV-1a, which is the same on every machine.
    id.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// What an engine decides to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum EngineDecision {
    /// A move.
    Move {
        /// The text of the move.
        text: String,
    },
    /// An answer to a draw offer.
    Draw {
        /// The player who answers.
        player: Side,
        /// The answer.
        action: DrawCommand,
    },
}

/// The engine of a running game. Level 9 keeps its transposition table from move to move. The other levels start each move
/// afresh, so that their moves do not depend on who kept which engine.
#[derive(Debug)]
pub struct Engine {
    threads: usize,
    kept: Option<LevelPlayer>,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new(1)
    }
}

impl Engine {
    /// An engine that uses this many threads at level 9.
    #[must_use]
    pub const fn new(threads: usize) -> Self {
        Self { threads, kept: None }
    }

    /// Whether the engine remembers anything of its game.
    #[must_use]
    pub const fn has_memory(&self) -> bool {
        self.kept.is_some()
    }

    /// Carries out a task; `None` if `stop` returned true or there is nothing to decide.
    ///
    /// `now` reads a monotonic clock, in milliseconds; `seed` is that of the game.
    pub fn decide(
        &mut self,
        game: &dyn AnyGame,
        task: EngineTask,
        seed: u64,
        now: &(dyn Fn() -> u64 + Sync),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<EngineDecision>, ApiError> {
        let kind = find(game.name()).map_err(|e| ApiError::bad_request(&e))?;
        match task {
            EngineTask::Move { level, time_left } => {
                let level = find_level(level).ok_or_else(|| unknown_level(level))?;
                let deadline = now() + move_time(level, kind, time_left);
                let should_end = || stop() || now() >= deadline;
                let text = self.choose(kind, level, seed, game, &Limits::until(&should_end));
                Ok(text.filter(|_| !stop()).map(|text| EngineDecision::Move { text }))
            }
            EngineTask::AnswerDraw { player } => {
                let accepts = accepts_draw(game, player.into(), stop);
                let action = if accepts { DrawCommand::Accept } else { DrawCommand::Decline };
                Ok(if stop() { None } else { Some(EngineDecision::Draw { player, action }) })
            }
        }
    }

    /// The move that a level plays; `None` if the game is over.
    fn choose(
        &mut self,
        kind: &GameKind,
        level: Level,
        seed: u64,
        game: &dyn AnyGame,
        limits: &Limits<'_>,
    ) -> Option<String> {
        let new_player = || LevelPlayer::new(kind, level, seed, HASH_MIB).with_threads(self.threads);
        match level.strength(kind.name) {
            Strength::Full => self.kept.get_or_insert_with(new_player).choose(game, limits),
            Strength::Random | Strength::Limited(_) => new_player().choose(game, limits),
        }
    }
}

pub(crate) fn unknown_level(level: u8) -> ApiError {
    ApiError::bad_request(&RequestError::UnknownLevel { level })
}

/// The most time for a move, in milliseconds. Levels with a node limit have one too: the limit alone bounds neither the time
/// on a slow machine nor in a position whose nodes are slow.
fn move_time(level: Level, kind: &GameKind, time_left: Option<u64>) -> u64 {
    match (time_left, level.strength(kind.name)) {
        (Some(left), _) => MAX_MOVE_TIME.min(left / TIME_DIVISOR),
        (None, Strength::Full) => MAX_MOVE_TIME,
        (None, Strength::Random | Strength::Limited(_)) => MAX_NODES_TIME,
    }
}

/// How many nodes a level searches for a move, about; `None` if it has no such limit.
pub(crate) fn level_nodes(level: Level, game: &str) -> Option<u32> {
    match level.strength(game) {
        Strength::Limited(skill) => u32::try_from(skill.nodes).ok(),
        Strength::Random | Strength::Full => None,
    }
}

/// The node limit of the search that decides about a draw offer.
const DRAW_NODES: u64 = 20_000;
/// The node limit of the search of each earlier position.
const EARLIER_NODES: u64 = 5_000;
/// A side with a score up to this is not better off, in centipawns.
const EVEN: i32 = 30;
/// A side with a score below the negative of this is losing.
const LOSING: i32 = 400;
/// For how many turns, the current one included, an engine must not have been better off.
const EVEN_TURNS: usize = 6;

/// Whether `player` accepts a draw: it is losing, or it has not been better off for several turns. The score of one
/// position alone says little: the first move is worth a pawn in Tribun.
fn accepts_draw(game: &dyn AnyGame, player: Player, stop: &(dyn Fn() -> bool + Sync)) -> bool {
    match score_of(game, player, DRAW_NODES, stop) {
        None | Some(Score::Win(_)) => false,
        Some(Score::Loss(_)) => true,
        Some(Score::Centipawns(value)) if value < -LOSING => true,
        Some(Score::Centipawns(value)) => value <= EVEN && was_not_better(game, player, stop),
    }
}

/// Whether `player` was not better off before any of its last turns.
fn was_not_better(game: &dyn AnyGame, player: Player, stop: &(dyn Fn() -> bool + Sync)) -> bool {
    let mut earlier = game.clone_box();
    let mut turns = 1;
    while turns < EVEN_TURNS {
        let later = earlier.turn();
        if earlier.undo().is_none() {
            return false;
        }
        // A turn may take several moves: its first position is the one after a move of the opponent.
        if earlier.turn() != player || later == player {
            continue;
        }
        match score_of(&*earlier, player, EARLIER_NODES, stop) {
            Some(Score::Centipawns(value)) if value <= EVEN => turns += 1,
            Some(Score::Loss(_)) => turns += 1,
            _ => return false,
        }
    }
    true
}

/// The score of a position for `player`; `None` if the search was stopped.
fn score_of(
    game: &dyn AnyGame,
    player: Player,
    nodes: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Score> {
    let limits = Limits::until(stop).with_nodes(nodes);
    // With the hand-made evaluation, whose scores are comparable between all networks and without one.
    let mut engine = AlphaBeta::new(DRAW_HASH_MIB, AlphaBetaSettings::default());
    let report = game.search(&mut engine, &limits, &mut |_| ControlFlow::Continue(()));
    let score = report.lines.first()?.score;
    Some(if game.turn() == player { score } else { negated(score) })
}

const fn negated(score: Score) -> Score {
    match score {
        Score::Centipawns(value) => Score::Centipawns(-value),
        Score::Win(turns) => Score::Loss(turns),
        Score::Loss(turns) => Score::Win(turns),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use sandtable::GAMES;

    use super::*;

    #[test]
    fn every_level_has_a_deadline() {
        for kind in GAMES {
            let game = kind.start(kind.rules[0]).expect("the start position");
            for level in 1..=9 {
                // A machine so slow that a second passes each time the search looks at the clock.
                let seconds = AtomicU64::new(0);
                let now = || 1_000 * seconds.fetch_add(1, Ordering::Relaxed);
                let task = EngineTask::Move { level, time_left: None };
                let decision =
                    Engine::default().decide(&*game, task, 0, &now, &|| false).expect("a known level");
                assert!(matches!(decision, Some(EngineDecision::Move { .. })), "{} {level}", kind.name);
                let seconds = seconds.into_inner();
                assert!((1..=12).contains(&seconds), "{} {level}: {seconds} s", kind.name);
            }
        }
    }

    /// A game after three moves of a human and the replies of a level, and the engine that has played them.
    fn played(level: u8) -> (sandtable::BoxedGame, Engine) {
        let mut game = GAMES[0].start("standard").expect("the start position");
        let mut engine = Engine::default();
        for text in ["e4", "d4", "Nc3"] {
            game.play(text).expect("a legal move");
            let EngineDecision::Move { text } = reply(&mut engine, &*game, level) else { panic!("no move") };
            game.play(&text).expect("a legal move");
        }
        (game, engine)
    }

    fn reply(engine: &mut Engine, game: &dyn AnyGame, level: u8) -> EngineDecision {
        let task = EngineTask::Move { level, time_left: None };
        // Level 9 stops when it has looked at the clock a hundred times; the others have reached their limits before.
        let looks = AtomicU64::new(0);
        let now = || looks.fetch_add(MAX_MOVE_TIME / 100, Ordering::Relaxed);
        engine.decide(game, task, 3, &now, &|| false).expect("a known level").expect("the game is not over")
    }

    #[test]
    fn levels_below_9_play_as_new_engines_do() {
        for level in 0..=6 {
            let (mut game, mut engine) = played(level);
            game.play("h4").expect("a legal move");
            let new = reply(&mut Engine::default(), &*game, level);
            assert_eq!(reply(&mut engine, &*game, level), new, "level {level}");
            assert!(!engine.has_memory());
        }
    }

    #[test]
    fn level_9_keeps_its_engine() {
        assert!(played(9).1.has_memory());
    }
}
