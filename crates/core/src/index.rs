//! Small integers that are types.

/// Defines a number below a bound as a type of its own, so that a square is never mistaken for a file and a table
/// `[T; Name::NUM]` has an entry for each.
///
/// ```
/// sandtable_core::index_type! {
///     /// A day of the week, Monday first.
///     pub struct Day(u8) < 7;
/// }
/// assert_eq!(Day::NUM, 7);
/// assert_eq!(Day::new(6).map(Day::index), Some(6));
/// assert!(Day::new(7).is_none());
/// assert_eq!(Day::all().count(), 7);
/// ```
#[macro_export]
macro_rules! index_type {
    ($(#[$meta:meta])* $vis:vis struct $Name:ident($int:ty) < $num:literal;) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $Name($int);

        impl $Name {
            /// How many there are.
            pub const NUM: usize = $num;

            /// The one with that number, if there is one.
            #[must_use]
            pub const fn new(number: $int) -> ::core::option::Option<Self> {
                if (number as usize) < Self::NUM { Some(Self(number)) } else { None }
            }

            /// Its number, as a place in a table.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// All of them, in order.
            pub fn all() -> impl ::core::iter::ExactSizeIterator<Item = Self> + ::core::iter::DoubleEndedIterator {
                (0..$num).map(Self)
            }
        }
    };
}
