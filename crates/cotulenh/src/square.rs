//! Squares of the 11 × 12 board, numbered in a 16 × 16 mailbox.

use std::fmt;
use std::str::FromStr;

/// A square of the board; its number is its place in the 16 × 16 mailbox.
///
/// `number = rank index × 16 + file`, where rank 12 has index 0. Of the 256 numbers 132 are squares:
///
/// ```
/// use sandtable_cotulenh::Square;
///
/// assert_eq!(Square::E6.index(), 100);
/// assert_eq!(Square::new(0x0B), None);
/// assert_eq!("k12".parse(), Ok(Square::K12));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// Names every square, a line for each rank, from rank 12 down.
macro_rules! name_squares {
    ($($($name:ident)+;)+) => {
        /// The square's mailbox number, counted along the lines above.
        #[repr(u8)]
        enum Dense { $($($name),+),+ }

        #[expect(missing_docs, reason = "a square's name says all")]
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
    /// How many squares the board has.
    pub const NUM: usize = Self::FILES as usize * Self::RANKS as usize;
    /// How many files: a to k.
    pub const FILES: u8 = 11;
    /// How many ranks: 1 to 12.
    pub const RANKS: u8 = 12;
    /// One more than the greatest number of a square, rounded up to whole mailbox rows: the length of a table that
    /// is looked up by number.
    pub(crate) const TABLE: usize = Self::RANKS as usize * 16;

    /// The square with that mailbox number, if there is one.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number & 0x0F < Self::FILES && number >> 4 < Self::RANKS { Some(Self(number)) } else { None }
    }

    /// The square on a file (0 is a) and a rank index (0 is rank 12).
    #[must_use]
    pub const fn at(file: u8, rank_index: u8) -> Option<Self> {
        if file < Self::FILES && rank_index < Self::RANKS { Some(Self(rank_index << 4 | file)) } else { None }
    }

    /// The mailbox number, as a place in a table.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The place of the square when the board is read rank by rank from a12 on, without gaps: 0 to 131.
    pub(crate) const fn dense(self) -> usize {
        self.rank_index() as usize * Self::FILES as usize + self.file() as usize
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

    /// The rank as it is written, 1 to 12.
    #[must_use]
    pub const fn rank(self) -> u8 {
        Self::RANKS - self.rank_index()
    }

    /// All squares in the order of their numbers: a12 first, k1 last.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::TABLE as u8).filter_map(Self::new)
    }

    /// The next square in a direction, if the board goes on there.
    ///
    /// A single step off the board always lands on a number that is no square, so no other check is needed.
    #[must_use]
    pub const fn step(self, direction: Direction) -> Option<Self> {
        Self::new(self.0.wrapping_add_signed(direction.offset()))
    }

    /// The square seen from the other side of the board: same file, ranks counted from the other end.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self((Self::RANKS - 1 - self.rank_index()) << 4 | self.file())
    }

    /// The direction and the number of steps that lead to `other` in a straight line, if any do.
    #[must_use]
    pub const fn line_to(self, other: Self) -> Option<(Direction, u8)> {
        let files = other.file().cast_signed() - self.file().cast_signed();
        let ranks = other.rank_index().cast_signed() - self.rank_index().cast_signed();
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
        let steps = if files == 0 { ranks.unsigned_abs() } else { files.unsigned_abs() };
        Some((direction, steps))
    }
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

/// Why a text is not the name of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SquareError {
    /// There is no text.
    #[error("a square's name is missing")]
    Missing,
    /// It does not begin with a file.
    #[error("'{0}' is no file: files are a to k")]
    File(char),
    /// Nothing follows the file.
    #[error("the rank is missing after the file: ranks are 1 to 12")]
    RankMissing,
    /// What follows the file is not a number without leading zeros.
    #[error("a rank is a number from 1 to 12, and nothing follows it")]
    RankNotNumber,
    /// The number after the file is no rank.
    #[error("there is no rank {0}: ranks are 1 to 12")]
    Rank(u32),
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

/// One of the eight directions; north leads to higher ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To higher ranks.
    North,
    /// To lower ranks.
    South,
    /// To the k file.
    East,
    /// To the a file.
    West,
    /// Diagonally to higher ranks and the k file.
    NorthEast,
    /// Diagonally to higher ranks and the a file.
    NorthWest,
    /// Diagonally to lower ranks and the k file.
    SouthEast,
    /// Diagonally to lower ranks and the a file.
    SouthWest,
}

impl Direction {
    /// All directions: the four along ranks and files, then the four diagonals.
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

    /// What one step adds to a square's number.
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

    /// The way back.
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

    /// The direction seen from the other side of the board: north and south change places.
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

    /// Does it lead diagonally?
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// 0 to 7, in the order of [`ALL`](Self::ALL).
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}
