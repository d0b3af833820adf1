//! `CoTuLenhGame`, `Square`, `Piece` and `Stack`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use sandtable::core::learn::{FactoredPolicy as _, Symmetric as _};
use sandtable::core::{Observe as _, Player, PolicyIndexed as _, Position as _};
use sandtable::cotulenh as rules;
use sandtable::cotulenh::{CoTuLenh, Terrain, Zone};

use crate::game::{Extents, Game, as_kind, create, extents, player};
use crate::{Int, value_error};

/// A square, by name or by its index in the 16 × 16 mailbox: `rank_index * 16 + file`, rank 12 first.
///
/// >>> from sandtable import Square
/// >>> e6 = Square("e6")
/// >>> e6.index, e6.file, e6.rank, e6.terrain, Square(100) == e6
/// (100, 4, 6, 'mixed', True)
#[pyclass(frozen, eq, hash, ord, module = "sandtable")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Square(rules::Square);

impl Square {
    /// Converts a `Square`, a name or an index.
    fn of(square: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(square) = square.cast::<Self>() {
            return Ok(*square.get());
        }
        if let Ok(name) = square.cast::<PyString>() {
            let name = name.to_str()?;
            return name
                .parse()
                .map(Self)
                .map_err(|error| value_error(format!("invalid square `{name}`: {error}")));
        }
        let Int(index) = square.extract().map_err(|_| {
            PyTypeError::new_err(
                "square must be a Square, a name such as 'e6' or a mailbox index such as 100",
            )
        })?;
        let found = u8::try_from(index).ok().and_then(rules::Square::new);
        found.map(Self).ok_or_else(|| value_error(format!("mailbox index {index} is off the board")))
    }
}

#[pymethods]
impl Square {
    #[new]
    fn new(square: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(square)
    }

    /// All 132 squares by index: a12 first, k1 last.
    #[staticmethod]
    fn all() -> Vec<Self> {
        rules::Square::all().map(Self).collect()
    }

    /// The index in the 16 × 16 mailbox.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    /// The name: file a to k and rank 1 to 12.
    #[getter]
    fn name(&self) -> String {
        self.0.to_string()
    }

    /// The file: 0 is a, 10 is k.
    #[getter]
    fn file(&self) -> u8 {
        self.0.file()
    }

    /// The rank: 1 to 12.
    #[getter]
    fn rank(&self) -> u8 {
        self.0.rank()
    }

    /// The index of the rank in the mailbox: 0 is rank 12, 11 is rank 1.
    #[getter]
    fn rank_index(&self) -> u8 {
        self.0.rank_index()
    }

    /// The terrain: 'water' for the Navy only, 'land' for all but the Navy, 'mixed' for all.
    #[getter]
    fn terrain(&self) -> &'static str {
        match self.0.terrain() {
            Terrain::Water => "water",
            Terrain::Mixed => "mixed",
            Terrain::Land => "land",
        }
    }

    /// The half of the board: 'upper' (ranks 7 to 12) or 'lower' (ranks 1 to 6).
    #[getter]
    fn zone(&self) -> &'static str {
        match self.0.zone() {
            Zone::Upper => "upper",
            Zone::Lower => "lower",
        }
    }

    fn __str__(&self) -> String {
        self.name()
    }

    fn __repr__(&self) -> String {
        format!("Square('{}')", self.0)
    }

    fn __int__(&self) -> usize {
        self.index()
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.name(),)
    }
}

/// A piece: `color` is 'r' or 'b', `type` is one of the letters c, i, t, m, e, a, g, s, f, n, h.
#[pyclass(frozen, eq, hash, module = "sandtable")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Piece(rules::Piece);

#[pymethods]
impl Piece {
    #[new]
    #[pyo3(signature = (color, r#type, heroic=false))]
    fn new(color: char, r#type: char, heroic: bool) -> PyResult<Self> {
        let owner = match color {
            'r' => Player::First,
            'b' => Player::Second,
            _ => return Err(value_error(format!("unknown color '{color}': expected 'r' or 'b'"))),
        };
        let kind = rules::Kind::from_letter(r#type).ok_or_else(|| {
            value_error(format!("unknown type '{type}': expected one of c, i, t, m, e, a, g, s, f, n, h"))
        })?;
        Ok(Self(rules::Piece { owner, kind, heroic }))
    }

    fn __getnewargs__(&self) -> (char, char, bool) {
        (self.color(), self.r#type(), self.heroic())
    }

    /// The owner: 0 is Red, 1 is Blue.
    #[getter]
    fn owner(&self) -> usize {
        self.0.owner.index()
    }

    /// The owner as a color: 'r' or 'b'.
    #[getter]
    fn color(&self) -> char {
        if self.0.owner == Player::First { 'r' } else { 'b' }
    }

    /// The letter of the kind, in lower case.
    #[getter]
    fn r#type(&self) -> char {
        self.0.kind.letter().to_ascii_lowercase()
    }

    /// Whether the piece is heroic.
    #[getter]
    fn heroic(&self) -> bool {
        self.0.heroic
    }

    fn __repr__(&self) -> String {
        let heroic = if self.0.heroic { "True" } else { "False" };
        format!("Piece(color='{}', type='{}', heroic={heroic})", self.color(), self.r#type())
    }
}

/// The pieces on a square: a carrier and the pieces it carries, if any.
///
/// >>> import sandtable
/// >>> game = sandtable.CoTuLenhGame("6c4/11/11/11/11/11/11/11/4(+TI)6/11/11/6C4 r - - 0 1")
/// >>> stack = game.stack_at("e4")
/// >>> str(stack), len(stack), stack.carrier, [piece.type for piece in stack.carrying]
/// ('(+TI)', 2, Piece(color='r', type='t', heroic=True), ['i'])
#[pyclass(frozen, eq, hash, module = "sandtable")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Stack(rules::Stack);

#[pymethods]
impl Stack {
    #[new]
    fn new(pieces: Vec<PyRef<'_, Piece>>) -> PyResult<Self> {
        let pieces: Vec<_> = pieces.iter().map(|piece| piece.0).collect();
        rules::Stack::of(&pieces).map(Self).map_err(value_error)
    }

    fn __getnewargs__(&self) -> (Vec<Piece>,) {
        (self.pieces(),)
    }

    /// The owner: 0 is Red, 1 is Blue.
    #[getter]
    fn owner(&self) -> usize {
        self.0.owner().index()
    }

    /// The pieces, the carrier first.
    #[getter]
    fn pieces(&self) -> Vec<Piece> {
        self.0.flatten().map(Piece).collect()
    }

    /// The carrier, or the only piece.
    #[getter]
    fn carrier(&self) -> Piece {
        Piece(self.0.flatten().next().expect("a stack has at least one piece"))
    }

    /// The carried pieces.
    #[getter]
    fn carrying(&self) -> Vec<Piece> {
        self.0.flatten().skip(1).map(Piece).collect()
    }

    fn __len__(&self) -> usize {
        self.0.size()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Stack('{}')", self.0)
    }
}

/// A game of Cờ Tư Lệnh. A turn may take several moves: a stack deploys piece by piece.
///
/// >>> import sandtable
/// >>> game = sandtable.CoTuLenhGame(rules="club")
/// >>> game.play("Ic5c6"), game.current_player()
/// ('Ic6', 1)
#[pyclass(extends = Game, module = "sandtable")]
pub(crate) struct CoTuLenhGame;

#[pymethods]
impl CoTuLenhGame {
    /// The name of the game.
    #[classattr]
    const NAME: &str = CoTuLenh::NAME;
    /// The number of actions: the size of the policy.
    #[classattr]
    const POLICY_SIZE: usize = CoTuLenh::POLICY_SIZE;
    /// The shape of an observation: (rows, columns, planes).
    #[classattr]
    const OBSERVATION_SHAPE: Extents = extents(CoTuLenh::SHAPE);
    /// The shape of the head of the factored policy: (rows, columns, planes).
    #[classattr]
    const HEAD_SHAPE: Extents = extents(CoTuLenh::HEAD);
    /// The name and version of the head of the factored policy.
    #[classattr]
    const HEAD_ID: &str = CoTuLenh::HEAD_ID;
    /// The largest number of factors of an action.
    #[classattr]
    const MAX_FACTORS: usize = CoTuLenh::MAX_FACTORS;
    /// The number of symmetries, the identity included.
    #[classattr]
    const SYMMETRIES: usize = CoTuLenh::SYMMETRIES;

    #[new]
    #[pyo3(signature = (text=None, rules=None))]
    fn new(text: Option<&str>, rules: Option<&str>) -> PyResult<PyClassInitializer<Self>> {
        Ok(PyClassInitializer::from(Game { game: create(CoTuLenh::NAME, rules, text)? }).add_subclass(Self))
    }

    /// The stack on a square, given as a `Square`, a name or a mailbox index; None if it is empty.
    fn stack_at(slf: PyRef<'_, Self>, square: &Bound<'_, PyAny>) -> PyResult<Option<Stack>> {
        let square = Square::of(square)?;
        let position = as_kind::<CoTuLenh>(&*slf.as_super().game).position();
        Ok(position.board().get(square.0).map(Stack))
    }

    /// All stacks by square.
    fn stacks(slf: PyRef<'_, Self>) -> PyResult<Bound<'_, PyDict>> {
        let stacks = PyDict::new(slf.py());
        let game = slf.as_super();
        for (square, stack) in as_kind::<CoTuLenh>(&*game.game).position().board().all_pieces() {
            stacks.set_item(Square(square), Stack(stack))?;
        }
        Ok(stacks)
    }

    /// The square of a player's commander; None once it is captured.
    fn commander(slf: PyRef<'_, Self>, player: Int) -> PyResult<Option<Square>> {
        let owner = self::player(player.0)?;
        Ok(as_kind::<CoTuLenh>(&*slf.as_super().game).position().board().commander(owner).map(Square))
    }

    /// The origin of the deployment in progress; None if there is none.
    fn deployment(slf: PyRef<'_, Self>) -> Option<Square> {
        let game = slf.as_super();
        as_kind::<CoTuLenh>(&*game.game).position().deployment().map(|deployment| Square(deployment.origin()))
    }
}
