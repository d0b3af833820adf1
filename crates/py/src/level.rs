//! `LevelPlayer`: the engine at a level.

use std::ops::ControlFlow;
use std::sync::Mutex;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use sandtable::engine::{Level, LevelPlayer as Player};
use sandtable::search::Limits;

use crate::game::{Game, kind, shared};
use crate::search::{MAX_HASH_MB, Watch};
use crate::{Int, int, seed, value_error, within};

/// The engine at a level: 0 plays random moves, 9 is full strength.
///
/// `game` is the name of a game. Below level 9, a move depends only on the seed, the number of moves played and the position,
/// unless the `time` of `choose` ends the search first: pass a large one for results that do not depend on the machine.
/// Level 9 searches until a limit of `choose`, and has a transposition table of `hash_mb` MiB.
///
/// >>> import sandtable
/// >>> game = sandtable.ChessGame("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
/// >>> player = sandtable.LevelPlayer("chess", 8, seed=1)
/// >>> game.action_to_string(player.choose(game))
/// 'd1d8'
#[pyclass(frozen, module = "sandtable")]
pub(crate) struct LevelPlayer {
    player: Mutex<Player>,
    level: u8,
    game: &'static str,
}

#[pymethods]
impl LevelPlayer {
    #[new]
    #[pyo3(signature = (game, level, *, seed=0, hash_mb=16))]
    fn new(
        game: &str,
        level: Int,
        #[pyo3(from_py_with = seed)] seed: u64,
        #[pyo3(from_py_with = int)] hash_mb: i128,
    ) -> PyResult<Self> {
        let kind = kind(game)?;
        let level: Level = level.0.to_string().parse().map_err(value_error)?;
        let hash_mb = within("hash_mb", hash_mb, 1, MAX_HASH_MB)? as usize;
        let player = Player::try_new(kind, level, seed, hash_mb)
            .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        Ok(Self { player: Mutex::new(player), level: level.number(), game: kind.name })
    }

    /// The level: 0 to 9.
    #[getter]
    fn level(&self) -> u8 {
        self.level
    }

    /// The action that the engine plays; None if the game is over.
    ///
    /// `time` is the most seconds to think. Level 9 uses all of them; the others also have limits of their own. Ctrl-C stops
    /// the search with `KeyboardInterrupt`. Releases the global interpreter lock.
    #[pyo3(signature = (game, time=1.0))]
    fn choose(&self, game: &Bound<'_, Game>, time: f64) -> PyResult<Option<u32>> {
        let py = game.py();
        let mut player =
            self.player.try_lock().map_err(|_| crate::in_use("player", "create one for each thread"))?;
        let game = shared(game)?.game.clone_box();
        if game.name() != self.game {
            return Err(value_error(format!("the player plays {}, not {}", self.game, game.name())));
        }
        let watch = Watch::new(Some(crate::search::seconds(time)?));
        let player = &mut *player;
        let chosen = py.detach(|| {
            let stop = || watch.should_stop();
            let found = player.search(&*game, &Limits::until(&stop), &mut |_| ControlFlow::Continue(()));
            found.lines.into_iter().next().and_then(|line| line.moves.into_iter().next())
        });
        watch.finish()?;
        chosen.map(|text| game.index_of(&text).map(|index| index.0)).transpose().map_err(value_error)
    }

    fn __repr__(&self) -> String {
        format!("LevelPlayer('{}', {})", self.game, self.level)
    }
}

/// The estimated Elo of an engine level from 0 to 9; None in a game without an estimate.
///
/// On the scale of the levels of that game: `docs/engine.md` says how it was measured.
///
/// >>> import sandtable
/// >>> sandtable.level_elo("tribun", 0), sandtable.level_elo("tribun", 1)
/// (610, 1000)
#[pyfunction]
pub(crate) fn level_elo(game: &str, level: Int) -> PyResult<Option<i32>> {
    let level: Level = level.0.to_string().parse().map_err(value_error)?;
    Ok(level.elo(kind(game)?.name))
}
