//! `TribunGame`, `Tile` and `Unit`.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use sandtable::core::learn::{FactoredPolicy as _, Symmetric as _};
use sandtable::core::{Observe as _, Player, PolicyIndexed as _, Position as _};
use sandtable::tribun as rules;
use sandtable::tribun::{Direction, Height, TileColor, Tribun};

use crate::game::{Extents, Game, as_kind, create, extents, player};
use crate::{Int, value_error};

/// A tile, by name or by cid: `(x + 5) * 11 + (y + 5)`.
///
/// >>> from sandtable import Tile
/// >>> centre = Tile(60)
/// >>> centre.name, centre.x, centre.y, centre.color, Tile("f6") == centre
/// ('f6', 0, 0, 'gray', True)
/// >>> Tile.from_coords(1, 1).cid, centre.neighbor(0), centre.is_adjacent(Tile(72))
/// (72, Tile('g7'), True)
#[pyclass(frozen, eq, hash, ord, module = "sandtable")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Tile(rules::Tile);

impl Tile {
    /// Converts a `Tile`, a name or a cid.
    fn of(tile: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(tile) = tile.cast::<Self>() {
            return Ok(*tile.get());
        }
        if let Ok(name) = tile.cast::<PyString>() {
            return name.to_str()?.parse().map(Self).map_err(value_error);
        }
        let Int(cid) = tile.extract().map_err(|_| {
            PyTypeError::new_err("tile must be a Tile, a name such as 'f6' or a cid such as 60")
        })?;
        let cid = u8::try_from(cid).map_err(|_| value_error(format!("cid {cid} is off the board")))?;
        rules::Tile::from_cid(cid).map(Self).map_err(value_error)
    }
}

#[pymethods]
impl Tile {
    #[new]
    fn new(tile: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::of(tile)
    }

    /// The tile at (x, y), where |x|, |y| and |x - y| are at most 5.
    #[staticmethod]
    fn from_coords(x: Int, y: Int) -> PyResult<Self> {
        let coordinate = |Int(value)| {
            i8::try_from(value).map_err(|_| value_error(format!("coordinate {value} is off the board")))
        };
        rules::Tile::new(coordinate(x)?, coordinate(y)?).map(Self).map_err(value_error)
    }

    /// All 91 tiles by cid.
    #[staticmethod]
    fn all() -> Vec<Self> {
        rules::Tile::all().map(Self).collect()
    }

    /// The cid: 0 to 120 with gaps.
    #[getter]
    fn cid(&self) -> u8 {
        self.0.cid()
    }

    /// The x coordinate, -5 to 5, increasing to the upper left.
    #[getter]
    fn x(&self) -> i8 {
        self.0.x()
    }

    /// The y coordinate, -5 to 5, increasing to the upper right.
    #[getter]
    fn y(&self) -> i8 {
        self.0.y()
    }

    /// The name: letter a to k for x and number 1 to 11 for y.
    #[getter]
    fn name(&self) -> String {
        self.0.to_string()
    }

    /// The colour of the tile: 'gray', 'black' or 'white'.
    #[getter]
    fn color(&self) -> &'static str {
        match self.0.color() {
            TileColor::Gray => "gray",
            TileColor::Black => "black",
            TileColor::White => "white",
        }
    }

    /// The adjacent tile in a direction, or None at the edge. Directions 0 to 5 are up, left-up, right-up, down,
    /// right-down, left-down.
    fn neighbor(&self, direction: Int) -> PyResult<Option<Self>> {
        let Int(number) = direction;
        let direction = u8::try_from(number).ok().and_then(Direction::new);
        let direction =
            direction.ok_or_else(|| value_error(format!("unknown direction {number}: expected 0 to 5")))?;
        Ok(self.0.neighbor(direction).map(Self))
    }

    /// Returns whether two tiles are adjacent.
    fn is_adjacent(&self, other: &Self) -> bool {
        self.0.is_adjacent(other.0)
    }

    fn __str__(&self) -> String {
        self.name()
    }

    fn __repr__(&self) -> String {
        format!("Tile('{}')", self.0)
    }

    fn __int__(&self) -> u8 {
        self.cid()
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.name(),)
    }
}

/// A unit, by its byte: an owner and a height, possibly a tribun, possibly with a slave of the other colour.
///
/// >>> from sandtable import Unit
/// >>> unit = Unit(0x42)
/// >>> unit, unit.owner, unit.height, unit.slave, unit.is_tribun
/// (Unit('w2'), 1, 2, None, False)
#[pyclass(frozen, eq, hash, module = "sandtable")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Unit(rules::Unit);

#[pymethods]
impl Unit {
    #[new]
    fn new(byte: Int) -> PyResult<Self> {
        let byte = u8::try_from(byte.0)
            .map_err(|_| value_error(format!("byte must be 0 to 255, not {}", byte.0)))?;
        let unit = rules::Unit::from_byte(byte).map_err(value_error)?;
        unit.map(Self).ok_or_else(|| PyValueError::new_err("byte 0 is an empty tile"))
    }

    fn __getnewargs__(&self) -> (u8,) {
        (self.byte(),)
    }

    /// The owner: 0 is Black, 1 is White.
    #[getter]
    fn owner(&self) -> usize {
        self.0.owner().index()
    }

    /// The height: 1, 2, 3, 4, 6 or 8.
    #[getter]
    fn height(&self) -> u8 {
        self.0.primary().value()
    }

    /// The height of the slave; None if there is none.
    #[getter]
    fn slave(&self) -> Option<u8> {
        self.0.slave().map(Height::value)
    }

    /// Whether the unit is its owner's tribun.
    #[getter]
    fn is_tribun(&self) -> bool {
        self.0.is_tribun()
    }

    /// The byte that encodes the unit on the wire.
    #[getter]
    fn byte(&self) -> u8 {
        self.0.byte()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let color = if self.0.owner() == Player::First { 'b' } else { 'w' };
        format!("Unit('{color}{}')", self.0)
    }
}

/// A game of Tribun.
///
/// >>> import sandtable
/// >>> game = sandtable.TribunGame()
/// >>> game.unit_at("b2"), game.tribun(0), len(game.units())
/// (Unit('b3'), Tile('a1'), 42)
#[pyclass(extends = Game, module = "sandtable")]
pub(crate) struct TribunGame;

#[pymethods]
impl TribunGame {
    /// The name of the game.
    #[classattr]
    const NAME: &str = Tribun::NAME;
    /// The number of actions: the size of the policy.
    #[classattr]
    const POLICY_SIZE: usize = Tribun::POLICY_SIZE;
    /// The shape of an observation: (rows, columns, planes).
    #[classattr]
    const OBSERVATION_SHAPE: Extents = extents(Tribun::SHAPE);
    /// The shape of the head of the factored policy: (rows, columns, planes).
    #[classattr]
    const HEAD_SHAPE: Extents = extents(Tribun::HEAD);
    /// The name and version of the head of the factored policy.
    #[classattr]
    const HEAD_ID: &str = Tribun::HEAD_ID;
    /// The largest number of factors of an action.
    #[classattr]
    const MAX_FACTORS: usize = Tribun::MAX_FACTORS;
    /// The number of symmetries, the identity included.
    #[classattr]
    const SYMMETRIES: usize = Tribun::SYMMETRIES;

    #[new]
    #[pyo3(signature = (text=None, rules=None))]
    fn new(text: Option<&str>, rules: Option<&str>) -> PyResult<PyClassInitializer<Self>> {
        Ok(PyClassInitializer::from(Game { game: create(Tribun::NAME, rules, text)? }).add_subclass(Self))
    }

    /// The unit on a tile, given as a `Tile`, a name or a cid; None if it is empty.
    fn unit_at(slf: PyRef<'_, Self>, tile: &Bound<'_, PyAny>) -> PyResult<Option<Unit>> {
        let tile = Tile::of(tile)?;
        Ok(as_kind::<Tribun>(&*slf.as_super().game).position().board().unit(tile.0).map(Unit))
    }

    /// All units by tile.
    fn units(slf: PyRef<'_, Self>) -> PyResult<Bound<'_, PyDict>> {
        let units = PyDict::new(slf.py());
        let game = slf.as_super();
        let board = as_kind::<Tribun>(&*game.game).position().board();
        for (tile, unit) in Player::ALL.into_iter().flat_map(|player| board.units(player)) {
            units.set_item(Tile(tile), Unit(unit))?;
        }
        Ok(units)
    }

    /// The tile of a player's tribun.
    fn tribun(slf: PyRef<'_, Self>, player: Int) -> PyResult<Tile> {
        let owner = self::player(player.0)?;
        Ok(Tile(as_kind::<Tribun>(&*slf.as_super().game).position().board().tribun(owner)))
    }

    /// The action word of a legal action: its 32-bit wire form.
    fn action_word(slf: PyRef<'_, Self>, action: Int) -> PyResult<u32> {
        let game = slf.as_super();
        let text = game.game.move_text_at(game.index(action)?).map_err(value_error)?;
        game.game.action_word(&text).ok_or_else(|| value_error(format!("{text} has no action word")))
    }

    /// The legal action for an action word.
    fn action_from_word(slf: PyRef<'_, Self>, word: Int) -> PyResult<u32> {
        let word = u32::try_from(word.0)
            .map_err(|_| value_error(format!("word must be 0 to {}, not {}", u32::MAX, word.0)))?;
        slf.as_super().game.index_of(&word.to_string()).map(|index| index.0).map_err(value_error)
    }

    /// The wire form of the board: the unit bytes of all 121 cids.
    fn board_bytes(slf: PyRef<'_, Self>) -> Vec<u8> {
        as_kind::<Tribun>(&*slf.as_super().game).position().board().to_bytes().to_vec()
    }
}
