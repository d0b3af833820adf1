//! The engine levels.

use pyo3::prelude::*;
use sandtable::search::Limits;
use sandtable::{Level, LevelPlayer};

use crate::game::{Game, kind};
use crate::search::Watch;
use crate::{Int, value_error, within};

/// The strongest level whose effort is limited by nodes: the next one takes all the time that it is given.
const STRONGEST: u32 = Level::STRONGEST.number() as u32 - 1;

/// The transposition table of level 9, which this module does not offer; the others have their own size.
const UNUSED_HASH_MIB: usize = 1;

/// The move of an engine level from 0 (random) to 8 as an action; None if the game is over.
///
/// The move depends only on the level, the seed, the position and the number of moves played. Ctrl-C stops the search
/// with `KeyboardInterrupt`. Releases the global interpreter lock.
///
/// >>> import sandtable
/// >>> game = sandtable.ChessGame("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
/// >>> game.action_to_string(sandtable.level_move(game, 8))
/// 'd1d8'
#[pyfunction]
#[pyo3(signature = (game, level, seed=0))]
pub(crate) fn level_move(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    level: Int,
    #[pyo3(from_py_with = seed_of)] seed: u64,
) -> PyResult<Option<u32>> {
    let level = parse(level)?;
    let game = game.try_borrow()?.game.clone_box();
    let kind = kind(game.name())?;
    let watch = Watch::new(None);
    let chosen = py.detach(|| {
        let stop = || watch.should_stop();
        LevelPlayer::new(kind, level, seed, UNUSED_HASH_MIB).choose(&*game, &Limits::until(&stop))
    });
    watch.finish()?;
    chosen.map(|text| game.index_of(&text).map(|index| index.0).map_err(value_error)).transpose()
}

/// The estimated Elo of an engine level from 0 to 8.
///
/// On the scale of the levels of that game; `docs/engine.md` says how it was measured.
///
/// >>> import sandtable
/// >>> sandtable.level_elo("tribun", 0), sandtable.level_elo("tribun", 1)
/// (610, 1000)
#[pyfunction]
pub(crate) fn level_elo(game: &str, level: Int) -> PyResult<Option<i32>> {
    Ok(parse(level)?.elo(kind(game)?.name))
}

fn parse(Int(level): Int) -> PyResult<Level> {
    within("level", level, 0, STRONGEST)?.to_string().parse().map_err(value_error)
}

/// Extracts the argument `seed` as a plain number, so that the signature shows its default.
fn seed_of(object: &Bound<'_, PyAny>) -> PyResult<u64> {
    crate::seed(object, std::convert::identity)
}
