//! The engine as an opponent: the move of a level, and the answer to a draw offer.

use std::ops::ControlFlow;

use sandtable::core::{Player, Rng};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Line, Report, Score};
use sandtable::{AnyGame, Evaluation, Level, Strength, engine_for};
use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::events::DrawCommand;
use crate::json::Side;
use crate::position_request::PositionRequest;
use crate::request_error::RequestError;
use crate::session::find_level;

/// The size of the transposition table, in MiB.
const HASH_MIB: usize = 16;
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

/// Carries out a task; `None` if `stop` returned true or there is nothing to decide.
///
/// `now` reads a monotonic clock, in milliseconds; `seed` is that of the game.
pub fn decide(
    game: &dyn AnyGame,
    task: EngineTask,
    seed: u64,
    now: &(dyn Fn() -> u64 + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<EngineDecision>, ApiError> {
    match task {
        EngineTask::Move { level, time_left } => {
            let level = find_level(level).ok_or_else(|| unknown_level(level))?;
            let text = choose_move(game, level, time_left, seed, now, stop);
            Ok(text.map(|text| EngineDecision::Move { text }))
        }
        EngineTask::AnswerDraw { player } => {
            let accepts = accepts_draw(game, player.into(), stop);
            let action = if accepts { DrawCommand::Accept } else { DrawCommand::Decline };
            Ok(if stop() { None } else { Some(EngineDecision::Draw { player, action }) })
        }
    }
}

pub(crate) fn unknown_level(level: u8) -> ApiError {
    ApiError::bad_request(&RequestError::UnknownLevel { level })
}

/// The move that a level plays; `None` if the search was stopped or the game is over.
fn choose_move(
    game: &dyn AnyGame,
    level: Level,
    time_left: Option<u64>,
    seed: u64,
    now: &(dyn Fn() -> u64 + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<String> {
    // Each move of a game has its own numbers.
    let mut rng = Rng::new(seed ^ (game.ply() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    if level.strength() == Strength::Random {
        return game.random_move(&mut rng);
    }
    let nodes = level_nodes(level).map(|nodes| u64::from(nodes) + 2 * game.count_legal());
    // A node limit alone bounds neither the time on a slow machine nor in a position whose nodes are slow.
    let time = match (nodes, time_left) {
        (_, Some(left)) => MAX_MOVE_TIME.min(left / TIME_DIVISOR),
        (None, None) => MAX_MOVE_TIME,
        (Some(_), None) => MAX_NODES_TIME,
    };
    let deadline = now() + time;
    let should_end = || stop() || now() >= deadline;
    let mut limits = Limits::until(&should_end);
    let mut engine = new_engine(game);
    if let Some(nodes) = nodes {
        limits.nodes = Some(nodes);
        engine.settings = engine.settings.with_lines(VARIED_LINES);
    }
    let text = choose_line(search(game, &mut engine, &limits).lines, &mut rng);
    if stop() { None } else { text }
}

/// How many nodes a level searches for a move, besides two for each legal move; `None` if it has no such limit. Twice those of
/// a search for the best move alone: several lines need more nodes for the same depth.
pub(crate) fn level_nodes(level: Level) -> Option<u32> {
    match level.strength() {
        Strength::Nodes(nodes) => u32::try_from(2 * nodes).ok(),
        Strength::Random | Strength::Full => None,
    }
}

/// From how many of the best moves levels 1 to 8 choose.
const VARIED_LINES: usize = 4;
/// How much worse than the best move a chosen one may be, in centipawns: too little to be called a mistake.
const VARIED_LOSS: i32 = 25;

/// The first move of one of the lines that are about as good as the first one.
fn choose_line(lines: Vec<Line<String>>, rng: &mut Rng) -> Option<String> {
    let best = lines.first()?.score;
    // A win is played, and in a lost position the longest defence.
    let is_good = |line: &Line<String>| match (best, line.score) {
        (Score::Centipawns(best), Score::Centipawns(value)) => best - value <= VARIED_LOSS,
        _ => false,
    };
    let good = lines.iter().filter(|line| is_good(line)).count();
    let chosen = if good > 1 { rng.below(good) } else { 0 };
    lines.into_iter().nth(chosen)?.moves.into_iter().next()
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
    let mut engine = new_engine(game);
    let line = first_line(search(game, &mut engine, &Limits::until(stop).with_nodes(nodes)))?;
    Some(if game.turn() == player { line.score } else { negated(line.score) })
}

const fn negated(score: Score) -> Score {
    match score {
        Score::Centipawns(value) => Score::Centipawns(-value),
        Score::Win(turns) => Score::Loss(turns),
        Score::Loss(turns) => Score::Win(turns),
    }
}

fn first_line(report: Report<String>) -> Option<Line<String>> {
    report.lines.into_iter().next()
}

fn new_engine(game: &dyn AnyGame) -> AlphaBeta {
    engine_for(game.name(), HASH_MIB, AlphaBetaSettings::default(), &Evaluation::Default)
        .expect("there is memory for a small table")
}

fn search(game: &dyn AnyGame, engine: &mut AlphaBeta, limits: &Limits<'_>) -> Report<String> {
    game.search(engine, limits, &mut |_| ControlFlow::Continue(()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use sandtable::GAMES;

    use super::*;

    #[test]
    fn every_level_has_a_deadline() {
        for kind in GAMES {
            let game = kind.start((kind.rules)()[0]).expect("the start position");
            for level in 1..=9 {
                // A machine so slow that a second passes each time the search looks at the clock.
                let seconds = AtomicU64::new(0);
                let now = || 1_000 * seconds.fetch_add(1, Ordering::Relaxed);
                let task = EngineTask::Move { level, time_left: None };
                let decision = decide(&*game, task, 0, &now, &|| false).expect("a known level");
                assert!(matches!(decision, Some(EngineDecision::Move { .. })), "{} {level}", kind.name);
                let seconds = seconds.into_inner();
                assert!((1..=12).contains(&seconds), "{} {level}: {seconds} s", kind.name);
            }
        }
    }
}
