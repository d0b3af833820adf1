//! The 64 squares.

use std::fmt;
use std::str::FromStr;

sandtable_core::index_type! {
    /// A square of the board, numbered a1 = 0, b1 = 1, … h8 = 63.
    ///
    /// ```
    /// use sandtable_chess::Square;
    ///
    /// let e4: Square = "e4".parse()?;
    /// assert_eq!(e4.index(), 28);
    /// assert_eq!(Square::from_coords(4, 3), Some(e4));
    /// # Ok::<(), sandtable_chess::SquareError>(())
    /// ```
    pub struct Square(u8) < 64;
}

impl Square {
    /// Returns the square on a file (0 = a) and rank (0 = rank 1), or `None` off the board.
    #[must_use]
    pub const fn from_coords(file: usize, rank: usize) -> Option<Self> {
        if file < 8 && rank < 8 { Self::new((rank * 8 + file) as u8) } else { None }
    }

    /// The file: 0 is the a-file, 7 the h-file.
    #[must_use]
    pub const fn file(self) -> usize {
        self.index() & 7
    }

    /// The rank: 0 is rank 1, 7 is rank 8.
    #[must_use]
    pub const fn rank(self) -> usize {
        self.index() >> 3
    }

    /// Returns whether the square is on rank 1 or 8, where pawns promote and never stand.
    #[must_use]
    pub const fn is_on_end_rank(self) -> bool {
        matches!(self.rank(), 0 | 7)
    }

    /// The square mirrored vertically: a1 and a8 swap, the file stays.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self(self.0 ^ 0x38)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", file_letter(self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

use sandtable_core::Describe;

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
                Self::from_coords(usize::from(file - b'a'), usize::from(rank - b'1'))
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
        assert_eq!("a1".parse::<Square>().map(Square::index), Ok(0));
        assert_eq!("h8".parse::<Square>().map(Square::index), Ok(63));
        assert_eq!("b8".parse::<Square>().map(Square::flipped), "b1".parse());
        assert_eq!([Square::from_coords(8, 0), Square::from_coords(0, 8)], [None, None]);
    }

    #[test]
    fn rejects_invalid_names() {
        for text in ["", "e", "e9", "e0", "i4", "E4", "e44", "4e", "é4"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError(text.to_owned())));
        }
    }
}
