//! Tiles: the 91 hexagons of the board, with their coordinates, cids, names and neighbours.

use std::fmt;
use std::str::FromStr;

use sandtable_core::Describe;

/// The radius of the board: the greatest distance of a tile from the centre.
pub const RADIUS: i8 = 5;

/// Returns whether `(x, y)` is a tile of the board.
#[must_use]
pub const fn on_board(x: i8, y: i8) -> bool {
    // Checked first, so that `x - y` cannot overflow.
    if x < -RADIUS || x > RADIUS || y < -RADIUS || y > RADIUS {
        return false;
    }
    let z = x - y;
    -RADIUS <= z && z <= RADIUS
}

/// A tile of the board.
///
/// The cid of a tile is `(x + 5) · 11 + (y + 5)`: 0 to 120, with gaps where the 11 × 11 grid extends beyond the hexagon.
/// The name of a tile is a letter for `x` (`a` is −5) and a number for `y` (1 is −5): the centre is `f6`.
///
/// ```
/// use sandtable_tribun::Tile;
///
/// let centre: Tile = "f6".parse()?;
/// assert_eq!((centre.x(), centre.y(), centre.cid()), (0, 0, 60));
/// assert_eq!(Tile::from_cid(60), Ok(centre));
/// # Ok::<(), sandtable_tribun::TileTextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

/// An invalid cid or pair of coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_tile")]
#[non_exhaustive]
pub enum TileError {
    /// A cid from 121 to 127.
    #[error("cid {0} is reserved: tiles have cids 0 to 120")]
    Reserved(#[param(name = "cid")] u8),
    /// A cid above 127.
    #[error("cid {0} does not fit in 7 bits: tiles have cids 0 to 120")]
    TooLarge(#[param(name = "cid")] u8),
    /// Coordinates outside the hexagon.
    #[error("({x},{y}) is off the board: |x|, |y| and |x - y| are at most 5")]
    OffBoard {
        /// The x coordinate.
        x: i8,
        /// The y coordinate.
        y: i8,
    },
}

/// A text that is not a tile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_tile")]
#[non_exhaustive]
pub enum TileTextError {
    /// Neither a name nor a pair of coordinates.
    #[error(
        "invalid tile `{0}`: expected a letter a to k and a number 1 to 11, such as f6, or coordinates, such as (0,0)"
    )]
    Form(#[param(name = "text")] String),
    /// Coordinates outside the hexagon.
    #[error("invalid tile `{text}`: {error}")]
    Tile {
        /// The text.
        text: String,
        /// The error in the coordinates.
        #[param(message)]
        error: TileError,
    },
}

impl Tile {
    /// The number of cids, including the gaps: the length of a table indexed by cid.
    pub const CIDS: usize = 121;
    /// The number of tiles.
    pub const NUM: usize = 91;

    /// The tile at (0, 0).
    pub const CENTER: Self = Self(60);

    /// Returns the tile at `(x, y)`.
    pub const fn new(x: i8, y: i8) -> Result<Self, TileError> {
        if on_board(x, y) {
            Ok(Self(((x + RADIUS) * 11 + y + RADIUS).cast_unsigned()))
        } else {
            Err(TileError::OffBoard { x, y })
        }
    }

    /// Returns the tile with this cid.
    pub const fn from_cid(cid: u8) -> Result<Self, TileError> {
        match cid {
            0..=120 => Self::new((cid / 11).cast_signed() - RADIUS, (cid % 11).cast_signed() - RADIUS),
            121..=127 => Err(TileError::Reserved(cid)),
            128..=255 => Err(TileError::TooLarge(cid)),
        }
    }

    /// The tile of a cid known to be on the board.
    #[inline]
    pub(crate) const fn from_bit(bit: u32) -> Self {
        Self(bit as u8)
    }

    /// The bit of the tile in a [`TileSet`](crate::TileSet).
    #[inline]
    pub(crate) const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// The cid of the tile.
    #[must_use]
    pub const fn cid(self) -> u8 {
        self.0
    }

    /// The name, such as `f6`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// The cid as an index into a table of [`Tile::CIDS`] entries.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The x coordinate, which increases towards the upper left.
    #[must_use]
    pub const fn x(self) -> i8 {
        (self.0 / 11).cast_signed() - RADIUS
    }

    /// The y coordinate, which increases towards the upper right.
    #[must_use]
    pub const fn y(self) -> i8 {
        (self.0 % 11).cast_signed() - RADIUS
    }

    /// All tiles, by ascending cid.
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..Self::CIDS as u8).filter_map(|cid| Self::from_cid(cid).ok())
    }

    /// The tile at `(x + dx, y + dy)`, if it is on the board.
    #[must_use]
    pub const fn offset(self, dx: i8, dy: i8) -> Option<Self> {
        match Self::new(self.x().saturating_add(dx), self.y().saturating_add(dy)) {
            Ok(tile) => Some(tile),
            Err(_) => None,
        }
    }

    /// The adjacent tile in a direction, if it is on the board.
    #[must_use]
    pub const fn neighbor(self, direction: Direction) -> Option<Self> {
        let (dx, dy) = direction.vector();
        self.offset(dx, dy)
    }

    /// The direction of `other`, if it is adjacent.
    #[must_use]
    pub fn direction_to(self, other: Self) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.neighbor(direction) == Some(other))
    }

    /// Returns whether `other` is adjacent.
    #[must_use]
    pub fn is_adjacent(self, other: Self) -> bool {
        self.direction_to(other).is_some()
    }

    /// The tile with both coordinates negated.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self(Self::CIDS as u8 - 1 - self.0)
    }

    /// The tile with the coordinates exchanged: the board reflected left to right.
    #[must_use]
    pub const fn reflected(self) -> Self {
        Self(Self::reflected_cid(self.0 as usize) as u8)
    }

    /// The cid with the coordinates exchanged, also for cids without a tile.
    pub(crate) const fn reflected_cid(cid: usize) -> usize {
        cid % 11 * 11 + cid / 11
    }

    /// The colour of the tile.
    #[must_use]
    pub const fn color(self) -> TileColor {
        match (2 * self.x() - self.y()).rem_euclid(3) {
            0 => TileColor::Gray,
            1 => TileColor::Black,
            _ => TileColor::White,
        }
    }
}

/// The cid of the adjacent tile in a direction: `neighborCid` in the definition of the board.
pub fn neighbor_cid(cid: u8, direction: Direction) -> Result<Option<u8>, TileError> {
    Ok(Tile::from_cid(cid)?.neighbor(direction).map(Tile::cid))
}

/// Returns whether two cids are adjacent tiles: `areAdjacent` in the definition of the board.
pub fn are_adjacent(a: u8, b: u8) -> Result<bool, TileError> {
    Ok(Tile::from_cid(a)?.is_adjacent(Tile::from_cid(b)?))
}

macro_rules! names {
    ($($letter:literal)*) => {
        [$(
            concat!($letter, "1"), concat!($letter, "2"), concat!($letter, "3"), concat!($letter, "4"),
            concat!($letter, "5"), concat!($letter, "6"), concat!($letter, "7"), concat!($letter, "8"),
            concat!($letter, "9"), concat!($letter, "10"), concat!($letter, "11"),
        )*]
    };
}

/// The names by cid, with names for cids without a tile: a table is much faster than formatting.
const NAMES: [&str; 121] = names!("a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k");

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Parses a name (`f6`) or coordinates (`(0,0)`).
impl FromStr for Tile {
    type Err = TileTextError;

    fn from_str(text: &str) -> Result<Self, TileTextError> {
        match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            None => Self::from_name(text),
            Some(pair) => Self::from_parsed(text, parse_coordinates(pair)),
        }
    }
}

impl Tile {
    /// Parses a name (`f6`); coordinates are an error.
    pub(crate) fn from_name(text: &str) -> Result<Self, TileTextError> {
        Self::from_parsed(text, parse_name(text))
    }

    fn from_parsed(text: &str, coordinates: Option<(i8, i8)>) -> Result<Self, TileTextError> {
        let (x, y) = coordinates.ok_or_else(|| TileTextError::Form(text.to_owned()))?;
        Self::new(x, y).map_err(|error| TileTextError::Tile { text: text.to_owned(), error })
    }
}

fn parse_coordinates(pair: &str) -> Option<(i8, i8)> {
    let (x, y) = pair.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

fn parse_name(text: &str) -> Option<(i8, i8)> {
    let (letter, number) = text.split_at_checked(1)?;
    let x = ('a'..='k').zip(-RADIUS..).find(|(name, _)| letter.starts_with(*name))?.1;
    // Not `parse`, which accepts "+6" and "06": a tile has one name.
    let y = (1..=11).zip(-RADIUS..).find(|(name, _): &(u8, i8)| name.to_string() == number)?.1;
    Some((x, y))
}

/// A direction to an adjacent tile, named as seen with Black at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// `(+1, +1)`
    Up,
    /// `(+1, 0)`
    LeftUp,
    /// `(0, +1)`
    RightUp,
    /// `(-1, -1)`
    Down,
    /// `(-1, 0)`
    RightDown,
    /// `(0, -1)`
    LeftDown,
}

impl Direction {
    /// The number of directions.
    pub const NUM: usize = 6;
    /// All directions, by ascending number.
    pub const ALL: [Self; Self::NUM] =
        [Self::Up, Self::LeftUp, Self::RightUp, Self::Down, Self::RightDown, Self::LeftDown];

    /// Returns the direction with this number.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < Self::NUM { Some(Self::ALL[number as usize]) } else { None }
    }

    /// The number of the direction, 0 to 5.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The step `(dx, dy)` to the adjacent tile.
    #[must_use]
    pub const fn vector(self) -> (i8, i8) {
        [(1, 1), (1, 0), (0, 1), (-1, -1), (-1, 0), (0, -1)][self as usize]
    }

    /// The direction with the negated vector.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 3) % Self::NUM]
    }

    /// The direction with the coordinates of its vector exchanged: left and right swap.
    #[must_use]
    pub const fn reflected(self) -> Self {
        match self {
            Self::Up => Self::Up,
            Self::LeftUp => Self::RightUp,
            Self::RightUp => Self::LeftUp,
            Self::Down => Self::Down,
            Self::RightDown => Self::LeftDown,
            Self::LeftDown => Self::RightDown,
        }
    }

    /// The name of the direction.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["up", "left-up", "right-up", "down", "right-down", "left-down"][self as usize]
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The colour of a tile, for renderers; the rules do not use it. Adjacent tiles differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileColor {
    /// The colour of the centre.
    Gray,
    /// The colour of the tile above the centre.
    Black,
    /// The colour of the tile below the centre.
    White,
}
