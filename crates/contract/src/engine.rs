//! The engine as an opponent: the move of a level, and the answer to a draw offer.

use std::ops::ControlFlow;

use sandtable::core::{Player, Rng};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Report, Score};
use sandtable::{AnyGame, Level, Strength};
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
/// The node limit for the answer to a draw offer.
const DRAW_NODES: u64 = 20_000;

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
/// `now` reads a monotonic clock, in milliseconds; `seed` is for level 0, which plays at random.
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
    let nodes = match level.strength() {
        Strength::Random => return game.random_move(&mut Rng::new(seed)),
        Strength::Nodes(nodes) => Some(nodes + game.count_legal()),
        Strength::Full => None,
    };
    // A node limit alone bounds neither the time on a slow machine nor in a position whose nodes are slow.
    let time = match (nodes, time_left) {
        (_, Some(left)) => MAX_MOVE_TIME.min(left / TIME_DIVISOR),
        (None, None) => MAX_MOVE_TIME,
        (Some(_), None) => MAX_NODES_TIME,
    };
    let deadline = now() + time;
    let should_end = || stop() || now() >= deadline;
    let mut limits = Limits::until(&should_end);
    limits.nodes = nodes;
    let report = search(game, &limits);
    let best = report.lines.first().and_then(|line| line.moves.first()).cloned();
    if stop() { None } else { best }
}

/// Whether `player` accepts a draw: its score is not positive.
fn accepts_draw(game: &dyn AnyGame, player: Player, stop: &(dyn Fn() -> bool + Sync)) -> bool {
    let report = search(game, &Limits::until(stop).with_nodes(DRAW_NODES));
    let to_move = game.turn() == player;
    report.lines.first().is_some_and(|line| match line.score {
        Score::Centipawns(value) if to_move => value <= 0,
        Score::Centipawns(value) => value >= 0,
        Score::Loss(_) => to_move,
        Score::Win(_) => !to_move,
    })
}

fn search(game: &dyn AnyGame, limits: &Limits<'_>) -> Report<String> {
    let mut engine = AlphaBeta::new(HASH_MIB, AlphaBetaSettings::default());
    game.search(&mut engine, limits, &mut |_| ControlFlow::Continue(()))
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
