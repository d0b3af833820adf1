//! The engine as an opponent: which move a level plays, and whether it takes a draw.

use std::ops::ControlFlow;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sandtable::core::{Player, Rng};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Report, Score};
use sandtable::{AnyGame, Level, Strength};

/// The table of an opponent, in MiB.
const TABLE: usize = 16;
/// What full strength takes for a move at most.
const FULL_TIME: Duration = Duration::from_secs(2);
/// What part of the time that is left a move may take.
const SHARE: u32 = 30;
/// How long an opponent thinks about a draw, in nodes.
const DRAW_NODES: u64 = 20_000;

/// The move that a level plays; none if it was stopped or the game is over.
pub(crate) fn choose(
    game: &dyn AnyGame,
    level: Level,
    left: Option<Duration>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<String> {
    let time = left.map_or(FULL_TIME, |left| FULL_TIME.min(left / SHARE));
    let nodes = match level.strength() {
        Strength::Random => {
            let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
            return game.random_move(&mut Rng::new(seed as u64));
        }
        Strength::Nodes(nodes) => Some(nodes),
        Strength::Full => None,
    };
    // With a clock, no level thinks itself to death.
    let deadline = if nodes.is_none() || left.is_some() { Some(Instant::now() + time) } else { None };
    let over = || stop() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let found = search(game, &Limits { nodes, ..Limits::until(&over) });
    let best = found.lines.first().and_then(|line| line.moves.first()).cloned();
    if stop() { None } else { best }
}

/// Would `player` rather have a draw than go on?
pub(crate) fn takes_draw(game: &dyn AnyGame, player: Player, stop: &(dyn Fn() -> bool + Sync)) -> bool {
    let found = search(game, &Limits { nodes: Some(DRAW_NODES), ..Limits::until(stop) });
    let own = game.turn() == player;
    found.lines.first().is_some_and(|line| match line.score {
        Score::Centipawns(value) if own => value <= 0,
        Score::Centipawns(value) => value >= 0,
        Score::Loss(_) => own,
        Score::Win(_) => !own,
    })
}

fn search(game: &dyn AnyGame, limits: &Limits<'_>) -> Report<String> {
    let mut engine = AlphaBeta::new(TABLE, AlphaBetaSettings::default());
    game.search(&mut engine, limits, &mut |_| ControlFlow::Continue(()))
}
