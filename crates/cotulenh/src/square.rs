//! Squares of the 11 × 12 board, numbered in a 16 × 16 mailbox.

use std::fmt;
use std::str::FromStr;

use sandtable_core::Describe;

/// A square of the board, stored as its mailbox index.
///
/// The mailbox index is `rank_index * 16 + file`, where rank 12 has rank index 0. 132 of the 256 indices are squares.
/// Because of the gaps, this type does not use [`sandtable_core::index_type!`].
///
/// ```
/// use sandtable_cotulenh::Square;
///
/// assert_eq!(Square::E6.index(), 100);
/// assert_eq!(Square::new(0x0B), None);
/// assert_eq!(Square::from_coords(4, 6), Some(Square::E6));
/// assert_eq!("k12".parse(), Ok(Square::K12));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// Defines a constant for every square, one line per rank, from rank 12 down.
macro_rules! name_squares {
    ($($($name:ident)+;)+) => {
        /// The dense index of each square, 0 to 131 in the order of the names; not its mailbox index.
        #[repr(u8)]
        enum Dense { $($($name),+),+ }

        #[expect(missing_docs, reason = "the names are self-explanatory")]
        impl Square {
            $($(pub const $name: Self = {
                let dense = Dense::$name as u8;
                Self(dense / Square::FILES * 16 + dense % Square::FILES)
            };)+)+
        }
    };
}

name_squares! {
    A12 B12 C12 D12 E12 F12 G12 H12 I12 J12 K12;
    A11 B11 C11 D11 E11 F11 G11 H11 I11 J11 K11;
    A10 B10 C10 D10 E10 F10 G10 H10 I10 J10 K10;
    A9 B9 C9 D9 E9 F9 G9 H9 I9 J9 K9;
    A8 B8 C8 D8 E8 F8 G8 H8 I8 J8 K8;
    A7 B7 C7 D7 E7 F7 G7 H7 I7 J7 K7;
    A6 B6 C6 D6 E6 F6 G6 H6 I6 J6 K6;
    A5 B5 C5 D5 E5 F5 G5 H5 I5 J5 K5;
    A4 B4 C4 D4 E4 F4 G4 H4 I4 J4 K4;
    A3 B3 C3 D3 E3 F3 G3 H3 I3 J3 K3;
    A2 B2 C2 D2 E2 F2 G2 H2 I2 J2 K2;
    A1 B1 C1 D1 E1 F1 G1 H1 I1 J1 K1;
}

impl Square {
    /// The number of squares.
    pub const NUM: usize = Self::FILES as usize * Self::RANKS as usize;
    /// The number of files: a to k.
    pub const FILES: u8 = 11;
    /// The number of ranks: 1 to 12.
    pub const RANKS: u8 = 12;
    /// The length of a table indexed by [`index`](Self::index): twelve mailbox rows, gaps included.
    pub(crate) const TABLE: usize = Self::RANKS as usize * 16;

    /// The square with a mailbox index, or `None` if the index is off the board.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index & 0x0F < Self::FILES && index >> 4 < Self::RANKS { Some(Self(index)) } else { None }
    }

    /// The square of a mailbox index known to be on the board.
    #[inline]
    pub(crate) const fn from_bit(index: u32) -> Self {
        debug_assert!(Self::new(index as u8).is_some());
        Self(index as u8)
    }

    /// The bit of the square in a [`SquareSet`](crate::SquareSet).
    #[inline]
    pub(crate) const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// The square on a file (0 is file a) and a rank (1 to 12, from Red's side), or `None` off the board.
    #[must_use]
    pub const fn from_coords(file: u8, rank: u8) -> Option<Self> {
        if file < Self::FILES && rank >= 1 && rank <= Self::RANKS {
            Some(Self((Self::RANKS - rank) << 4 | file))
        } else {
            None
        }
    }

    /// The mailbox index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The dense index: 0 (a12) to 131 (k1), rank by rank without gaps.
    pub(crate) const fn dense(self) -> usize {
        self.rank_index() as usize * Self::FILES as usize + self.file() as usize
    }

    /// The square with a dense index.
    ///
    /// # Panics
    ///
    /// If the index is 132 or more.
    pub(crate) const fn from_dense(dense: usize) -> Self {
        assert!(dense < Self::NUM, "dense indices end at 131");
        let files = Self::FILES as usize;
        Self((dense / files * 16 + dense % files) as u8)
    }

    /// The file, 0 (a) to 10 (k).
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 0x0F
    }

    /// The rank index, 0 (rank 12) to 11 (rank 1).
    #[must_use]
    pub const fn rank_index(self) -> u8 {
        self.0 >> 4
    }

    /// The rank as written, 1 to 12.
    #[must_use]
    pub const fn rank(self) -> u8 {
        Self::RANKS - self.rank_index()
    }

    /// All squares in the order of their mailbox indices: a12 first, k1 last.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::TABLE as u8).filter_map(Self::new)
    }

    /// The adjacent square in a direction, or `None` at the edge of the board.
    ///
    /// A single step off the board always lands on an invalid mailbox index, so no other check is needed.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Option<Self> {
        Self::new(self.0.wrapping_add_signed(direction.offset()))
    }

    /// The square mirrored between the two sides: same file, ranks counted from the other end.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self((Self::RANKS - 1 - self.rank_index()) << 4 | self.file())
    }

    /// The direction and distance to `other`, or `None` if the squares are equal or not on one line.
    #[must_use]
    #[inline]
    pub const fn line_to(self, other: Self) -> Option<(Direction, u8)> {
        let files = (other.file() + Self::FILES - 1 - self.file()) as usize;
        let ranks = (other.rank_index() + Self::RANKS - 1 - self.rank_index()) as usize;
        LINES[ranks][files]
    }
}

/// The direction and distance of every offset between two squares, by ranks + 11 and files + 10.
static LINES: [[Option<(Direction, u8)>; 2 * Square::FILES as usize - 1]; 2 * Square::RANKS as usize - 1] = {
    let mut lines = [[None; 2 * Square::FILES as usize - 1]; 2 * Square::RANKS as usize - 1];
    let mut ranks = 1 - Square::RANKS.cast_signed();
    while ranks < Square::RANKS.cast_signed() {
        let mut files = 1 - Square::FILES.cast_signed();
        while files < Square::FILES.cast_signed() {
            let row = (ranks + Square::RANKS.cast_signed() - 1).cast_unsigned() as usize;
            let column = (files + Square::FILES.cast_signed() - 1).cast_unsigned() as usize;
            lines[row][column] = line(files, ranks);
            files += 1;
        }
        ranks += 1;
    }
    lines
};

/// The direction and distance of an offset; `None` if it is zero or not on one line.
const fn line(files: i8, ranks: i8) -> Option<(Direction, u8)> {
    let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    if !straight || (files == 0 && ranks == 0) {
        return None;
    }
    let direction = match (files.signum(), ranks.signum()) {
        (0, -1) => Direction::North,
        (0, _) => Direction::South,
        (1, 0) => Direction::East,
        (-1, 0) => Direction::West,
        (1, -1) => Direction::NorthEast,
        (-1, -1) => Direction::NorthWest,
        (1, _) => Direction::SouthEast,
        (_, _) => Direction::SouthWest,
    };
    Some((direction, if files == 0 { ranks.unsigned_abs() } else { files.unsigned_abs() }))
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The reason why a text is not a square name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_square")]
#[non_exhaustive]
pub enum SquareError {
    /// The text is empty.
    #[error("expected a square such as e6, found nothing")]
    Missing,
    /// The first character is not a file.
    #[error("unknown file `{0}`: expected a to k")]
    File(#[param(name = "file")] char),
    /// Nothing follows the file.
    #[error("missing rank: expected 1 to 12 after the file")]
    RankMissing,
    /// The text after the file is not a number, or has leading zeros.
    #[error("malformed rank: expected a number from 1 to 12")]
    RankNotNumber,
    /// The number after the file is not a rank.
    #[error("unknown rank {0}: expected 1 to 12")]
    Rank(#[param(name = "rank")] u32),
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let mut chars = text.chars();
        let letter = chars.next().ok_or(SquareError::Missing)?;
        let file = match letter {
            'a'..='k' => letter as u8 - b'a',
            _ => return Err(SquareError::File(letter)),
        };
        let digits = chars.as_str();
        if digits.is_empty() {
            return Err(SquareError::RankMissing);
        }
        let is_number = digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_digit());
        if !is_number || (digits.len() > 1 && digits.starts_with('0')) {
            return Err(SquareError::RankNotNumber);
        }
        let rank: u32 = digits.parse().map_err(|_| SquareError::RankNotNumber)?;
        match rank {
            1..=12 => Ok(Self((12 - rank as u8) << 4 | file)),
            _ => Err(SquareError::Rank(rank)),
        }
    }
}

/// One of the eight directions; north is towards rank 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards rank 12.
    North,
    /// Towards rank 1.
    South,
    /// Towards file k.
    East,
    /// Towards file a.
    West,
    /// Towards rank 12 and file k.
    NorthEast,
    /// Towards rank 12 and file a.
    NorthWest,
    /// Towards rank 1 and file k.
    SouthEast,
    /// Towards rank 1 and file a.
    SouthWest,
}

impl Direction {
    /// All directions: the four orthogonal ones, then the four diagonals.
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::South,
        Self::East,
        Self::West,
        Self::NorthEast,
        Self::NorthWest,
        Self::SouthEast,
        Self::SouthWest,
    ];

    /// The change of the mailbox index in one step.
    #[must_use]
    pub const fn offset(self) -> i8 {
        match self {
            Self::North => -16,
            Self::South => 16,
            Self::East => 1,
            Self::West => -1,
            Self::NorthEast => -15,
            Self::NorthWest => -17,
            Self::SouthEast => 17,
            Self::SouthWest => 15,
        }
    }

    /// The opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::South => Self::North,
            Self::East => Self::West,
            Self::West => Self::East,
            Self::NorthEast => Self::SouthWest,
            Self::SouthWest => Self::NorthEast,
            Self::NorthWest => Self::SouthEast,
            Self::SouthEast => Self::NorthWest,
        }
    }

    /// The direction mirrored between the two sides: north and south swap.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::South => Self::North,
            Self::East => Self::East,
            Self::West => Self::West,
            Self::NorthEast => Self::SouthEast,
            Self::SouthEast => Self::NorthEast,
            Self::NorthWest => Self::SouthWest,
            Self::SouthWest => Self::NorthWest,
        }
    }

    /// Whether the direction is diagonal.
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// The index in [`ALL`](Self::ALL), 0 to 7.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}
