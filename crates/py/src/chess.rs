//! `ChessGame` and `Move`.

use numpy::PyArrayDyn;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString, PyTuple};
use sandtable::chess::notation::uci::Uci;
use sandtable::chess::{Chess, Piece, Square};
use sandtable::core::learn::{FactoredPolicy as _, Symmetric as _};
use sandtable::core::{Observe as _, Outcome, PolicyIndexed as _, Position as _};

use crate::game::{Extents, Game, as_kind, as_kind_mut, create, exclusive, extents, shared};
use crate::{Int, value_error};

/// A chess move: origin, destination and promotion.
///
/// A move is equal to the same `chess.Move` of python-chess and has its hash, so that either finds the other in lists, sets
/// and dictionaries. It is also equal to its UCI text, but hashes differ: a list of moves contains "e2e4", a set does not.
///
/// >>> import sandtable
/// >>> move = sandtable.Move("e7e8q")
/// >>> move.from_square, move.to_square, move.promotion, move == "e7e8q"
/// (52, 60, 'q', True)
#[pyclass(frozen, module = "sandtable")]
pub(crate) struct Move(Uci);

/// The fields of a `chess.Move`, by which python-chess compares and hashes moves.
const MOVE_FIELDS: [&str; 4] = ["from_square", "to_square", "promotion", "drop"];

impl Move {
    /// The values of [`MOVE_FIELDS`]. Promotion pieces are numbered from the pawn, 1; nothing is ever dropped.
    fn fields(&self) -> (usize, usize, Option<usize>, Option<usize>) {
        (self.origin(), self.target(), self.0.promotion.map(|piece| piece.role() as usize + 1), None)
    }
}

#[pymethods]
impl Move {
    #[new]
    fn new(uci: &Bound<'_, PyAny>) -> PyResult<Self> {
        text_of(uci)?.parse().map(Self).map_err(value_error)
    }

    /// The move in UCI notation.
    fn uci(&self) -> String {
        self.0.to_string()
    }

    /// The origin square: a1 is 0, b1 is 1, h8 is 63.
    #[getter(from_square)]
    fn origin(&self) -> usize {
        self.0.from.index()
    }

    /// The destination square; for castling that of the king.
    #[getter(to_square)]
    fn target(&self) -> usize {
        self.0.to.index()
    }

    /// The promotion piece: 'q', 'r', 'b', 'n' or None.
    #[getter]
    fn promotion(&self) -> Option<char> {
        self.0.promotion.map(|promotion| promotion.role().letter().to_ascii_lowercase())
    }

    fn __str__(&self) -> String {
        self.uci()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    /// `chess.Move.__eq__` does not know other classes and leaves the comparison to this one.
    fn __eq__<'py>(&self, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = other.py();
        let answer = |is_equal: bool| Ok(PyBool::new(py, is_equal).to_owned().into_any());
        if let Ok(other) = other.cast::<Self>() {
            return answer(self.0 == other.get().0);
        }
        if let Ok(text) = other.cast::<PyString>() {
            return answer(text.to_str().is_ok_and(|text| text == self.uci()));
        }
        let mut fields = Vec::with_capacity(MOVE_FIELDS.len());
        for name in MOVE_FIELDS {
            match other.getattr_opt(name)? {
                Some(value) => fields.push(value),
                None => return Ok(py.NotImplemented().into_bound(py)),
            }
        }
        answer(self.fields().into_pyobject(py)?.eq(PyTuple::new(py, fields)?)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.fields().into_pyobject(py)?.hash()
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.uci(),)
    }
}

/// A game of chess, with an interface for neural networks.
///
/// Moves are strings (UCI or SAN), `Move`s, or `chess.Move`s of python-chess.
///
/// >>> import sandtable
/// >>> game = sandtable.ChessGame()
/// >>> game.make_move("e2e4")
/// >>> game.make_move("e5")
/// >>> game.get_canonical_board().shape
/// (8, 8, 18)
/// >>> game
///  8  r  n  b  q  k  b  n  r
///  7  p  p  p  p  .  p  p  p
///  6  .  .  .  .  .  .  .  .
///  5  .  .  .  .  p  .  .  .
///  4  .  .  .  .  P  .  .  .
///  3  .  .  .  .  .  .  .  .
///  2  P  P  P  P  .  P  P  P
///  1  R  N  B  Q  K  B  N  R
///     a  b  c  d  e  f  g  h
/// White to move
#[pyclass(extends = Game, module = "sandtable")]
pub(crate) struct ChessGame;

/// The text of a move: a string, or an object with a method `uci()`.
pub(crate) fn text_of(m: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = m.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    if let Ok(m) = m.cast::<Move>() {
        return Ok(m.get().uci());
    }
    match m.getattr_opt("uci")? {
        Some(uci) => uci.call0()?.extract(),
        None => Err(PyTypeError::new_err(format!(
            "move must be a string, a sandtable.Move or a chess.Move, not {}",
            m.get_type()
        ))),
    }
}

/// Converts a square given by name or index.
fn square(square: &Bound<'_, PyAny>) -> PyResult<Square> {
    if let Ok(name) = square.cast::<PyString>() {
        return name.to_str()?.parse().map_err(value_error);
    }
    let Int(index) = square
        .extract()
        .map_err(|_| PyTypeError::new_err("square must be a name such as 'e4' or an index from 0 to 63"))?;
    let found = u8::try_from(index).ok().and_then(Square::new);
    found.ok_or_else(|| value_error(format!("unknown square {index}: expected 0 (a1) to 63 (h8)")))
}

impl ChessGame {
    fn outcome(slf: &PyRef<'_, Self>) -> Outcome<String> {
        slf.as_super().game.outcome()
    }
}

#[pymethods]
impl ChessGame {
    /// The name of the game.
    #[classattr]
    const NAME: &str = Chess::NAME;
    /// The number of actions: the size of the policy.
    #[classattr]
    const POLICY_SIZE: usize = Chess::POLICY_SIZE;
    /// The shape of an observation: (rows, columns, planes).
    #[classattr]
    const OBSERVATION_SHAPE: Extents = extents(Chess::SHAPE);
    /// The shape of the head of the factored policy: (rows, columns, planes).
    #[classattr]
    const HEAD_SHAPE: Extents = extents(Chess::HEAD);
    /// The name and version of the head of the factored policy.
    #[classattr]
    const HEAD_ID: &str = Chess::HEAD_ID;
    /// The largest number of factors of an action.
    #[classattr]
    const MAX_FACTORS: usize = Chess::MAX_FACTORS;
    /// The number of symmetries, the identity included.
    #[classattr]
    const SYMMETRIES: usize = Chess::SYMMETRIES;

    #[new]
    #[pyo3(signature = (fen=None, rules=None))]
    fn new(fen: Option<&str>, rules: Option<&str>) -> PyResult<PyClassInitializer<Self>> {
        Ok(PyClassInitializer::from(Game { game: create(Chess::NAME, rules, fen)? }).add_subclass(Self))
    }

    /// The canonical board from the mover's perspective: float32, `board[rank_index, file_index, plane]`.
    ///
    /// >>> import sandtable
    /// >>> board = sandtable.ChessGame().get_canonical_board()
    /// >>> board.shape, board.dtype.name, float(board[7, 4, 5])
    /// ((8, 8, 18), 'float32', 1.0)
    #[pyo3(signature = (out=None))]
    fn get_canonical_board<'py>(
        slf: PyRef<'py, Self>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        slf.as_super().write_observation(slf.py(), out, "hwc")
    }

    /// The FEN: `ChessGame(game.get_state())` is at the same position, without the history.
    fn get_state(slf: PyRef<'_, Self>) -> String {
        slf.as_super().game.position_text()
    }

    /// The legal moves. Empty once the game is over.
    ///
    /// >>> import sandtable
    /// >>> "e2e4" in sandtable.ChessGame().get_legal_moves()
    /// True
    fn get_legal_moves(slf: PyRef<'_, Self>) -> Vec<Move> {
        let moves = as_kind::<Chess>(&*slf.as_super().game).legal_moves();
        moves.into_iter().map(|m| Move(m.into())).collect()
    }

    /// The mask of the 4,672 policy indices: true for legal moves, all false once the game is over.
    #[pyo3(signature = (out=None))]
    fn get_legal_moves_mask<'py>(
        slf: PyRef<'py, Self>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<bool>>> {
        slf.as_super().mask(slf.py(), out)
    }

    /// Plays a move. `ValueError` if it is illegal; the game is then unchanged.
    ///
    /// >>> import sandtable
    /// >>> sandtable.ChessGame().make_move("e2e5")
    /// Traceback (most recent call last):
    /// ValueError: illegal move `e2e5`: a pawn cannot move from e2 to e5 here
    #[pyo3(signature = (r#move))]
    fn make_move(slf: &Bound<'_, Self>, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let text = text_of(r#move)?;
        exclusive(slf.as_super())?.game.play(&text).map(drop).map_err(value_error)
    }

    /// Takes back the last move. `IndexError` if there is none.
    fn undo_move(slf: &Bound<'_, Self>) -> PyResult<()> {
        exclusive(slf.as_super())?.take_back()
    }

    /// Returns whether the game is over.
    fn is_game_over(slf: PyRef<'_, Self>) -> bool {
        slf.as_super().game.is_over()
    }

    /// The result for the side to move: 1.0 for a win, -1.0 for a loss, 0.0 for a draw, None for a game in progress.
    fn get_result(slf: PyRef<'_, Self>) -> Option<f32> {
        Self::outcome(&slf).value_for(slf.as_super().game.turn())
    }

    /// Returns whether the game ended in a draw.
    fn is_draw(slf: PyRef<'_, Self>) -> bool {
        matches!(Self::outcome(&slf), Outcome::Draw { .. })
    }

    /// The policy index of a legal move.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.ChessGame()
    /// >>> game.get_move_from_index(game.get_move_index("g1f3"))
    /// Move('g1f3')
    #[pyo3(signature = (r#move))]
    fn get_move_index(slf: &Bound<'_, Self>, r#move: &Bound<'_, PyAny>) -> PyResult<u32> {
        let text = text_of(r#move)?;
        shared(slf.as_super())?.game.index_of(&text).map(|index| index.0).map_err(value_error)
    }

    /// The legal move at a policy index. `ValueError` if there is none.
    #[pyo3(signature = (index, /))]
    fn get_move_from_index(slf: PyRef<'_, Self>, index: Int) -> PyResult<Move> {
        let index = slf.as_super().index(index)?;
        let game = &slf.as_super().game;
        // The facade reports why an index is illegal; the position has the move as a value.
        game.move_text_at(index).map_err(value_error)?;
        let m = as_kind::<Chess>(&**game).position().move_at(index);
        Ok(Move(m.expect("the facade found it legal").into()))
    }

    /// The FEN of the current position.
    #[getter]
    fn fen(slf: PyRef<'_, Self>) -> String {
        slf.as_super().game.position_text()
    }

    /// The letter of the piece on a square, as in FEN, or None. Squares are names or indices: a1 is 0, h8 is 63.
    ///
    /// >>> import sandtable
    /// >>> game = sandtable.ChessGame()
    /// >>> game.piece_at("e1"), game.piece_at(60), game.piece_at("e4")
    /// ('K', 'k', None)
    fn piece_at(slf: PyRef<'_, Self>, square: &Bound<'_, PyAny>) -> PyResult<Option<char>> {
        let square = self::square(square)?;
        let position = as_kind::<Chess>(&*slf.as_super().game).position();
        Ok(position.piece_on(square).map(Piece::letter))
    }

    /// The reason why the side to move may claim a draw; None if it may not.
    fn can_claim_draw(slf: PyRef<'_, Self>) -> Option<String> {
        let reason = as_kind::<Chess>(&*slf.as_super().game).claimable_draw();
        reason.map(|reason| reason.to_string())
    }

    /// Claims a draw and returns the reason. `ValueError` if there is none to claim.
    fn claim_draw(slf: &Bound<'_, Self>) -> PyResult<String> {
        let reason = as_kind_mut::<Chess>(&mut *exclusive(slf.as_super())?.game).claim_draw();
        reason.map(|reason| reason.to_string()).ok_or_else(|| PyValueError::new_err("no draw to claim"))
    }
}
