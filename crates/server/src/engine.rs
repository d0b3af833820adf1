//! The engine as an opponent: the move of a level, and the answer to a draw offer.

use std::ops::ControlFlow;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sandtable::core::{Player, Rng};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Report, Score};
use sandtable::{AnyGame, Level, Strength};

/// The size of the transposition table, in MiB.
const HASH_MIB: usize = 16;
/// The most time full strength spends on a move.
const MAX_MOVE_TIME: Duration = Duration::from_secs(2);
/// A move may take at most the time left divided by this.
const TIME_DIVISOR: u32 = 30;
/// The node limit for the answer to a draw offer.
const DRAW_NODES: u64 = 20_000;

/// The move that a level plays; `None` if the search was stopped or the game is over.
pub(crate) fn choose_move(
    game: &dyn AnyGame,
    level: Level,
    time_left: Option<Duration>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<String> {
    let nodes = match level.strength() {
        Strength::Random => {
            let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
            return game.random_move(&mut Rng::new(seed as u64));
        }
        Strength::Nodes(nodes) => Some(nodes + game.count_legal()),
        Strength::Full => None,
    };
    // A node limit alone does not keep a slow machine from losing on time.
    let time = match (nodes, time_left) {
        (_, Some(left)) => Some(MAX_MOVE_TIME.min(left / TIME_DIVISOR)),
        (None, None) => Some(MAX_MOVE_TIME),
        (Some(_), None) => None,
    };
    let deadline = time.map(|time| Instant::now() + time);
    let should_end = || stop() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let mut limits = Limits::until(&should_end);
    limits.nodes = nodes;
    let report = search(game, &limits);
    let best = report.lines.first().and_then(|line| line.moves.first()).cloned();
    if stop() { None } else { best }
}

/// Whether `player` accepts a draw: its score is not positive.
pub(crate) fn accepts_draw(game: &dyn AnyGame, player: Player, stop: &(dyn Fn() -> bool + Sync)) -> bool {
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
