//! Index types: small integers below a bound.

use crate::Describe;

/// The error for a number that is not below the bound of an index type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("out_of_range")]
#[error("{value} is out of range: expected a number below {limit}")]
pub struct OutOfRange {
    /// The number.
    pub value: usize,
    /// The bound.
    pub limit: usize,
}

/// Defines an index type: an integer below a bound, for tables of type `[T; Name::NUM]`.
///
/// ```
/// sandtable_core::index_type! {
///     /// A day of the week, Monday first.
///     #[derive(Debug)]
///     pub struct Day(u8) < 7;
/// }
/// assert_eq!(Day::NUM, 7);
/// assert_eq!(Day::new(6).map(Day::index), Some(6));
/// assert!(Day::new(7).is_none());
/// assert_eq!(Day::try_from(9).unwrap_err().to_string(), "9 is out of range: expected a number below 7");
/// assert_eq!(Day::all().count(), 7);
/// ```
#[macro_export]
macro_rules! index_type {
    ($(#[$meta:meta])* $vis:vis struct $Name:ident($int:ty) < $num:expr;) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $Name($int);

        impl $Name {
            /// The number of values.
            pub const NUM: usize = $num;

            /// Returns the value with this number, if it is below [`NUM`](Self::NUM).
            #[must_use]
            pub const fn new(number: $int) -> ::core::option::Option<Self> {
                if (number as usize) < Self::NUM { Some(Self(number)) } else { None }
            }

            /// The number as an index into a table.
            #[must_use]
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// All values in ascending order.
            pub fn all() -> impl ::core::iter::ExactSizeIterator<Item = Self> + ::core::iter::DoubleEndedIterator {
                (0..$num as $int).map(Self)
            }
        }

        impl ::core::convert::TryFrom<$int> for $Name {
            type Error = $crate::rules::OutOfRange;

            fn try_from(number: $int) -> ::core::result::Result<Self, $crate::rules::OutOfRange> {
                Self::new(number).ok_or($crate::rules::OutOfRange { value: number as usize, limit: Self::NUM })
            }
        }
    };
}
