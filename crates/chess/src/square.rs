//! The 64 squares.

use std::fmt;
use std::str::FromStr;

use sandtable_core::Describe;

sandtable_core::index_type! {
    /// A square of the board, numbered a1 = 0, b1 = 1, … h8 = 63.
    ///
    /// ```
    /// use sandtable_chess::Square;
    ///
    /// assert_eq!(Square::E4.index(), 28);
    /// assert_eq!(Square::from_coords(4, 4), Some(Square::E4));
    /// assert_eq!("e4".parse(), Ok(Square::E4));
    /// ```
    pub struct Square(u8) < 64;
}

/// Defines a constant for every square, one line per rank, from rank 1 up.
macro_rules! name_squares {
    ($($name:ident)+) => {
        #[repr(u8)]
        enum Index { $($name),+ }

        #[expect(missing_docs, reason = "the names are self-explanatory")]
        impl Square {
            $(pub const $name: Self = Self(Index::$name as u8);)+
        }
    };
}

name_squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// The bit of the square in a [`SquareSet`](crate::SquareSet).
    #[inline]
    pub(crate) const fn bit(self) -> u32 {
        self.0 as u32
    }

    /// The inverse of [`bit`](Self::bit).
    #[inline]
    pub(crate) const fn from_bit(bit: u32) -> Self {
        Self(bit as u8)
    }

    /// Returns the square on a file (0 is the a-file) and a rank (1 to 8), or `None` off the board.
    #[must_use]
    pub const fn from_coords(file: usize, rank: usize) -> Option<Self> {
        if file < 8 && rank >= 1 && rank <= 8 { Self::new(((rank - 1) * 8 + file) as u8) } else { None }
    }

    /// The file: 0 is the a-file, 7 the h-file.
    #[must_use]
    pub const fn file(self) -> usize {
        self.index() & 7
    }

    /// The rank as written, 1 to 8.
    #[must_use]
    pub const fn rank(self) -> usize {
        (self.index() >> 3) + 1
    }

    /// Returns whether the square is on rank 1 or 8, where pawns promote and never stand.
    #[must_use]
    pub const fn is_on_end_rank(self) -> bool {
        matches!(self.rank(), 1 | 8)
    }

    /// The square mirrored vertically: a1 and a8 swap, the file stays.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self(self.0 ^ 0x38)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", file_letter(self.file()), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The letter of a file: 0 is `a`.
pub(crate) const fn file_letter(file: usize) -> char {
    (b'a' + file as u8) as char
}

/// A text that does not name a square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_square")]
#[error("invalid square `{0}`: expected a file a–h and a rank 1–8, as in e4")]
pub struct SquareError(#[param(name = "text")] pub String);

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let square = match text.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Self::from_coords(usize::from(file - b'a'), usize::from(rank - b'0'))
            }
            _ => None,
        };
        square.ok_or_else(|| SquareError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_coordinates_round_trip() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::from_coords(square.file(), square.rank()), Some(square));
            assert_eq!(square.flipped().flipped(), square);
            assert_eq!(square.flipped().file(), square.file());
        }
        assert_eq!((Square::A1.index(), Square::H8.index()), (0, 63));
        assert_eq!(("e4".parse(), Square::E4.rank()), (Ok(Square::E4), 4));
        assert_eq!(Square::B8.flipped(), Square::B1);
        for (file, rank) in [(8, 1), (0, 0), (0, 9), (0, usize::MAX)] {
            assert_eq!(Square::from_coords(file, rank), None);
        }
    }

    #[test]
    fn rejects_invalid_names() {
        for text in ["", "e", "e9", "e0", "i4", "E4", "e44", "4e", "é4"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError(text.to_owned())));
        }
    }
}
