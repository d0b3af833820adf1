//! The board: 91 hexagonal tiles, their coordinates, numbers, names and neighbours.

use std::fmt;
use std::str::FromStr;

/// How far the board reaches from its centre.
pub const RADIUS: i8 = 5;

/// Is there a tile at `(x, y)`? The one rule of the board's shape.
#[must_use]
pub const fn on_board(x: i8, y: i8) -> bool {
    // Coordinates this far out are off the board, and `x - y` cannot overflow once they are gone.
    if x < -RADIUS || x > RADIUS || y < -RADIUS || y > RADIUS {
        return false;
    }
    let z = x - y;
    -RADIUS <= z && z <= RADIUS
}

/// A tile of the board.
///
/// Its number is the `cid` of the board's definition, `(x + 5) · 11 + (y + 5)`: 0 to 120, with gaps where the
/// 11 × 11 grid sticks out of the hexagon. Its name is a letter for `x` (`a` is −5) and a number for `y` (1 is −5):
/// the centre is `f6`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

/// Why a number or a pair of coordinates is no tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileError {
    /// A cid of seven bits that stands for nothing.
    #[error("cid {0} is reserved: tiles have cids 0 to 120")]
    Reserved(u8),
    /// More than seven bits.
    #[error("cid {0} does not fit in 7 bits")]
    TooLarge(u8),
    /// A point of the plane outside the hexagon.
    #[error("({x},{y}) is off the board: |x|, |y| and |x - y| are at most 5")]
    OffBoard {
        /// The x coordinate.
        x: i8,
        /// The y coordinate.
        y: i8,
    },
}

/// Why a text is no tile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileTextError {
    /// It is neither a name nor a pair of coordinates.
    #[error(
        "`{0}` is not a tile: write a letter a to k and a number 1 to 11, as in f6, or coordinates, as in (0,0)"
    )]
    Form(String),
    /// It names a point without a tile.
    #[error("`{text}` is not a tile: {error}")]
    Tile {
        /// The text.
        text: String,
        /// What is wrong with the point.
        error: TileError,
    },
}

impl Tile {
    /// The number of cids, those off the board included: the length of a table by cid.
    pub const CIDS: usize = 121;
    /// The number of tiles.
    pub const NUM: usize = 91;

    /// The tile at `(x, y)`.
    pub const fn new(x: i8, y: i8) -> Result<Self, TileError> {
        if on_board(x, y) {
            Ok(Self(((x + RADIUS) * 11 + y + RADIUS).cast_unsigned()))
        } else {
            Err(TileError::OffBoard { x, y })
        }
    }

    /// The tile with that cid.
    pub const fn from_cid(cid: u8) -> Result<Self, TileError> {
        match cid {
            0..=120 => Self::new((cid / 11).cast_signed() - RADIUS, (cid % 11).cast_signed() - RADIUS),
            121..=127 => Err(TileError::Reserved(cid)),
            128..=255 => Err(TileError::TooLarge(cid)),
        }
    }

    /// The tile of a bit that is known to be on the board.
    pub(crate) const fn from_bit(bit: u32) -> Self {
        Self(bit as u8)
    }

    /// The tile's cid.
    #[must_use]
    pub const fn cid(self) -> u8 {
        self.0
    }

    /// The cid as a place in a table of [`Tile::CIDS`] entries.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The x coordinate: it grows to the upper left.
    #[must_use]
    pub const fn x(self) -> i8 {
        (self.0 / 11).cast_signed() - RADIUS
    }

    /// The y coordinate: it grows to the upper right.
    #[must_use]
    pub const fn y(self) -> i8 {
        (self.0 % 11).cast_signed() - RADIUS
    }

    /// All tiles, in the order of their cids.
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..Self::CIDS as u8).filter_map(|cid| Self::from_cid(cid).ok())
    }

    /// The tile `(dx, dy)` away, if it is on the board.
    #[must_use]
    pub const fn offset(self, dx: i8, dy: i8) -> Option<Self> {
        match Self::new(self.x().saturating_add(dx), self.y().saturating_add(dy)) {
            Ok(tile) => Some(tile),
            Err(_) => None,
        }
    }

    /// The next tile in a direction, if the board goes on there.
    #[must_use]
    pub const fn neighbour(self, direction: Direction) -> Option<Self> {
        let (dx, dy) = direction.vector();
        self.offset(dx, dy)
    }

    /// The direction in which `other` is a neighbour, if it is one.
    #[must_use]
    pub fn direction_to(self, other: Self) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| self.neighbour(direction) == Some(other))
    }

    /// Do the two touch?
    #[must_use]
    pub fn is_adjacent(self, other: Self) -> bool {
        self.direction_to(other).is_some()
    }

    /// The tile on the other side of the centre: both coordinates negated.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self(Self::CIDS as u8 - 1 - self.0)
    }

    /// The colour that the tile is painted in.
    #[must_use]
    pub const fn colour(self) -> TileColour {
        match (2 * self.x() - self.y()).rem_euclid(3) {
            0 => TileColour::Gray,
            1 => TileColour::Black,
            _ => TileColour::White,
        }
    }
}

/// The neighbour of a tile in a direction, both by number: what the board's definition calls `neighborCid`.
pub fn neighbour_cid(cid: u8, direction: Direction) -> Result<Option<u8>, TileError> {
    Ok(Tile::from_cid(cid)?.neighbour(direction).map(Tile::cid))
}

/// Do two tiles, given by number, touch? What the board's definition calls `areAdjacent`.
pub fn are_adjacent(a: u8, b: u8) -> Result<bool, TileError> {
    Ok(Tile::from_cid(a)?.is_adjacent(Tile::from_cid(b)?))
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.0 / 11), self.0 % 11 + 1)
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads a name (`f6`) or coordinates (`(0,0)`).
impl FromStr for Tile {
    type Err = TileTextError;

    fn from_str(text: &str) -> Result<Self, TileTextError> {
        match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            None => Self::named(text),
            Some(pair) => Self::of_text(text, read_coordinates(pair)),
        }
    }
}

impl Tile {
    /// The tile of a name; coordinates are no name.
    pub(crate) fn named(text: &str) -> Result<Self, TileTextError> {
        Self::of_text(text, read_name(text))
    }

    /// The tile that `text` turned out to be about.
    fn of_text(text: &str, found: Option<(i8, i8)>) -> Result<Self, TileTextError> {
        let (x, y) = found.ok_or_else(|| TileTextError::Form(text.to_owned()))?;
        Self::new(x, y).map_err(|error| TileTextError::Tile { text: text.to_owned(), error })
    }
}

fn read_coordinates(pair: &str) -> Option<(i8, i8)> {
    let (x, y) = pair.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

fn read_name(text: &str) -> Option<(i8, i8)> {
    let (letter, number) = text.split_at_checked(1)?;
    let x = ('a'..='k').zip(-RADIUS..).find(|(name, _)| letter.starts_with(*name))?.1;
    // `parse` would take "+6" and "06" as well; a tile has one name.
    let y = (1..=11).zip(-RADIUS..).find(|(name, _): &(u8, i8)| name.to_string() == number)?.1;
    Some((x, y))
}

/// One of the six directions to a neighbour, seen with Black at the bottom.
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
    /// All directions, in the order of their numbers.
    pub const ALL: [Self; Self::NUM] =
        [Self::Up, Self::LeftUp, Self::RightUp, Self::Down, Self::RightDown, Self::LeftDown];

    /// The direction with that number.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < Self::NUM { Some(Self::ALL[number as usize]) } else { None }
    }

    /// Its number, 0 to 5.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The step `(dx, dy)` it stands for.
    #[must_use]
    pub const fn vector(self) -> (i8, i8) {
        [(1, 1), (1, 0), (0, 1), (-1, -1), (-1, 0), (0, -1)][self as usize]
    }

    /// The direction with the negated vector.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 3) % Self::NUM]
    }

    /// Its name.
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

/// What a tile looks like. It means nothing to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TileColour {
    /// As the centre.
    Gray,
    /// As the tile above the centre.
    Black,
    /// As the tile below the centre.
    White,
}
