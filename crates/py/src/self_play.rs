//! `engine_game`: games of the engine against itself.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use sandtable::engine::{Evaluation, engine_for};
use sandtable::search::AlphaBetaSettings;
use sandtable::search::self_play::SelfPlay;
use sandtable::training::self_play;

use crate::game::{kind, rules_or_default};
use crate::{at_least, int, seed, value_error, within};

/// The transposition table, in MiB: small, because it is new for each game.
const HASH_MB: usize = 4;

/// A game of the engine against itself.
#[pyclass(frozen, get_all, eq, module = "sandtable")]
#[derive(PartialEq)]
pub(crate) struct EngineGame {
    /// The actions, those of the opening included.
    actions: Vec<u32>,
    /// The expected result of each action for its player, from -1 (loss) to 1 (win); None for a random move.
    values: Vec<Option<f64>>,
    /// The winner: 0, 1, or None after a draw or in a game that was cut off.
    winner: Option<usize>,
    /// Whether the game was cut off, so that its result is unknown.
    truncated: bool,
}

#[pymethods]
impl EngineGame {
    #[new]
    const fn new(
        actions: Vec<u32>,
        values: Vec<Option<f64>>,
        winner: Option<usize>,
        truncated: bool,
    ) -> Self {
        Self { actions, values, winner, truncated }
    }

    fn __getnewargs__(&self) -> (Vec<u32>, Vec<Option<f64>>, Option<usize>, bool) {
        (self.actions.clone(), self.values.clone(), self.winner, self.truncated)
    }

    fn __repr__(&self) -> String {
        let result = match self.winner {
            Some(winner) => format!("player {winner} wins"),
            None if self.truncated => "truncated".to_owned(),
            None => "draw".to_owned(),
        };
        format!("EngineGame({} moves, {result})", self.actions.len())
    }
}

/// A game of the engine against itself, as `sandtable net data` plays it.
///
/// It begins with `opening_plies` random moves, or up to `opening_spread` more; openings in which a side is ahead by more
/// than `balance` centipawns are not played. Later, `random_moves` per cent of the moves are random, and the others are searched with `nodes`
/// nodes. The game ends when the score of one side stays beyond 15 pawns for eight moves, and is cut off after `max_plies`
/// moves. It depends on these arguments, the seed and its number alone. Releases the global interpreter lock.
///
/// >>> import sandtable
/// >>> game = sandtable.engine_game("tribun", 7, nodes=20, max_plies=10)
/// >>> game, game.values[:4]
/// (EngineGame(14 moves, truncated), [None, None, None, None])
#[pyfunction]
#[pyo3(signature = (
    game, number, *, rules=None, seed=1, nodes=1000, opening_plies=4, opening_spread=0, random_moves=0, balance=150,
    max_plies=400
))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
pub(crate) fn engine_game(
    py: Python<'_>,
    game: &str,
    #[pyo3(from_py_with = int)] number: i128,
    rules: Option<&str>,
    #[pyo3(from_py_with = seed)] seed: u64,
    #[pyo3(from_py_with = int)] nodes: i128,
    #[pyo3(from_py_with = int)] opening_plies: i128,
    #[pyo3(from_py_with = int)] opening_spread: i128,
    #[pyo3(from_py_with = int)] random_moves: i128,
    #[pyo3(from_py_with = int)] balance: i128,
    #[pyo3(from_py_with = int)] max_plies: i128,
) -> PyResult<EngineGame> {
    let kind = kind(game)?;
    let number = at_least("number", number, 0)? as u64;
    let rules = rules_or_default(kind, rules);
    let settings = SelfPlay {
        opening_plies: within("opening_plies", opening_plies, 0, 1000)? as usize,
        opening_spread: within("opening_spread", opening_spread, 0, 1000)? as usize,
        random_moves: within("random_moves", random_moves, 0, 100)? as u8,
        balance: within("balance", balance, 0, i32::MAX.cast_unsigned())?.cast_signed(),
        nodes: at_least("nodes", nodes, 1)? as u64,
        max_plies: at_least("max_plies", max_plies, 1)?,
        seed,
    };
    let played = py.detach(|| {
        let mut engine = engine_for(kind.name, HASH_MB, AlphaBetaSettings::default(), &Evaluation::Default)
            .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        self_play(kind, &rules, &settings, &mut engine, number).map_err(value_error)
    })?;
    let curve = kind.start(&rules).map_err(value_error)?.win_curve();
    let value = |score: i16| curve.value(score.into());
    let opening = played.opening.iter().map(|index| (index.0, None));
    let moves = played.moves.iter().map(|scored| (scored.index.0, scored.searched_score().map(value)));
    let (actions, values) = opening.chain(moves).unzip();
    Ok(EngineGame {
        actions,
        values,
        winner: played.winner.map(sandtable::core::Player::index),
        truncated: played.is_cut_off,
    })
}
