//! Sets of the values of an index type, one bit for each.

/// Defines a set type: one bit for each value of an element type, in an integer or in `[u64; 3]`.
///
/// The element type has two methods: `const fn bit(self) -> u32`, the number of its bit, and
/// `const fn from_bit(bit: u32) -> Self`. `all` are the bits of all elements. The last name is that of the iterator.
///
/// ```
/// sandtable_core::index_type! {
///     /// A day of the week, Monday first.
///     #[derive(Debug)]
///     pub struct Day(u8) < 7;
/// }
///
/// impl Day {
///     const fn bit(self) -> u32 {
///         self.0 as u32
///     }
///
///     const fn from_bit(bit: u32) -> Self {
///         Self(bit as u8)
///     }
/// }
///
/// sandtable_core::set_type! {
///     /// A set of days.
///     pub struct DaySet(u8) of Day, all = 0x7F, iterated by DaySetIter;
/// }
///
/// let weekend: DaySet = Day::all().skip(5).collect();
/// assert_eq!((weekend.len(), (!weekend).len()), (2, 5));
/// assert_eq!(weekend.iter().map(Day::index).collect::<Vec<_>>(), [5, 6]);
/// assert_eq!(DaySet::ALL - weekend, !weekend);
/// assert!((weekend & !weekend).is_empty());
/// ```
#[macro_export]
macro_rules! set_type {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Set:ident([u64; 3]) of $Element:ident, all = $all:expr, iterated by $Iter:ident;
    ) => {
        $crate::set_type! { @define $(#[$meta])* $vis $Set([u64; 3]) $Element $all, $Iter }

        impl $Set {
            /// The empty set.
            pub const EMPTY: Self = Self([0; 3]);

            /// Returns whether the element is in the set.
            #[must_use]
            #[inline]
            pub const fn contains(self, element: $Element) -> bool {
                self.0[(element.bit() >> 6) as usize] >> (element.bit() & 63) & 1 != 0
            }

            /// Adds an element.
            #[inline]
            pub const fn insert(&mut self, element: $Element) {
                self.0[(element.bit() >> 6) as usize] |= 1 << (element.bit() & 63);
            }

            /// Removes an element.
            #[inline]
            pub const fn remove(&mut self, element: $Element) {
                self.0[(element.bit() >> 6) as usize] &= !(1 << (element.bit() & 63));
            }

            /// The elements that are in at least one of the sets.
            #[must_use]
            #[inline]
            pub const fn union(self, other: Self) -> Self {
                Self([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
            }

            /// The elements that are in both sets.
            #[must_use]
            #[inline]
            pub const fn intersection(self, other: Self) -> Self {
                Self([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
            }

            /// The elements that are not in `other`.
            #[must_use]
            #[inline]
            pub const fn without(self, other: Self) -> Self {
                Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1], self.0[2] & !other.0[2]])
            }

            /// Returns whether the set is empty.
            #[must_use]
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0[0] | self.0[1] | self.0[2] == 0
            }

            /// The number of elements.
            #[must_use]
            #[inline]
            pub const fn len(self) -> usize {
                // A full adder leaves two words to count instead of three: counting is slow without a machine instruction.
                let [a, b, c] = self.0;
                let (sums, carries) = (a ^ b ^ c, a & b | c & (a ^ b));
                (sums.count_ones() + 2 * carries.count_ones()) as usize
            }

            const fn words(self) -> [u64; 3] {
                self.0
            }
        }

        impl ::core::iter::Iterator for $Iter {
            type Item = $Element;

            #[inline]
            fn next(&mut self) -> ::core::option::Option<$Element> {
                for (i, word) in self.0.0.iter_mut().enumerate() {
                    if *word != 0 {
                        let bit = i as u32 * 64 + word.trailing_zeros();
                        *word &= *word - 1;
                        return Some($Element::from_bit(bit));
                    }
                }
                None
            }

            $crate::set_type! { @fold $Element }
        }
    };

    (
        $(#[$meta:meta])*
        $vis:vis struct $Set:ident($int:ident) of $Element:ident, all = $all:expr, iterated by $Iter:ident;
    ) => {
        $crate::set_type! { @define $(#[$meta])* $vis $Set($int) $Element $all, $Iter }

        impl $Set {
            /// The empty set.
            pub const EMPTY: Self = Self(0);

            /// Returns whether the element is in the set.
            #[must_use]
            #[inline]
            pub const fn contains(self, element: $Element) -> bool {
                self.0 >> element.bit() & 1 != 0
            }

            /// Adds an element.
            #[inline]
            pub const fn insert(&mut self, element: $Element) {
                self.0 |= 1 << element.bit();
            }

            /// Removes an element.
            #[inline]
            pub const fn remove(&mut self, element: $Element) {
                self.0 &= !(1 << element.bit());
            }

            /// The elements that are in at least one of the sets.
            #[must_use]
            #[inline]
            pub const fn union(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// The elements that are in both sets.
            #[must_use]
            #[inline]
            pub const fn intersection(self, other: Self) -> Self {
                Self(self.0 & other.0)
            }

            /// The elements that are not in `other`.
            #[must_use]
            #[inline]
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// Returns whether the set is empty.
            #[must_use]
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The number of elements.
            #[must_use]
            #[inline]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// The first element.
            #[must_use]
            #[inline]
            pub const fn first(self) -> ::core::option::Option<$Element> {
                if self.0 == 0 { None } else { Some($Element::from_bit(self.0.trailing_zeros())) }
            }

            const fn words(self) -> [u64; ($int::BITS as usize).div_ceil(64)] {
                let mut words = [0; _];
                let mut i = 0;
                while i < words.len() {
                    words[i] = (self.0 >> (64 * i)) as u64;
                    i += 1;
                }
                words
            }
        }

        impl ::core::iter::Iterator for $Iter {
            type Item = $Element;

            #[inline]
            fn next(&mut self) -> ::core::option::Option<$Element> {
                let first = self.0.first()?;
                self.0.0 &= self.0.0 - 1;
                Some(first)
            }

            $crate::set_type! { @fold $Element }
        }
    };

    (@define $(#[$meta:meta])* $vis:vis $Set:ident($bits:ty) $Element:ident $all:expr, $Iter:ident) => {
        $(#[$meta])*
        // Only the bits of elements are ever set.
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
        $vis struct $Set($bits);

        impl $Set {
            /// All elements.
            pub const ALL: Self = Self($all);

            /// The set of these elements.
            #[must_use]
            pub const fn of(elements: &[$Element]) -> Self {
                let mut set = Self::EMPTY;
                let mut i = 0;
                while i < elements.len() {
                    set.insert(elements[i]);
                    i += 1;
                }
                set
            }

            /// The set with an element added.
            #[must_use]
            #[inline]
            pub const fn with(mut self, element: $Element) -> Self {
                self.insert(element);
                self
            }

            /// The elements, by ascending bit.
            #[must_use]
            #[inline]
            pub const fn iter(self) -> $Iter {
                $Iter(self)
            }
        }

        impl ::core::convert::From<$Element> for $Set {
            #[inline]
            fn from(element: $Element) -> Self {
                Self::EMPTY.with(element)
            }
        }

        /// Intersection.
        impl ::core::ops::BitAnd for $Set {
            type Output = Self;

            #[inline]
            fn bitand(self, other: Self) -> Self {
                self.intersection(other)
            }
        }

        impl ::core::ops::BitAndAssign for $Set {
            #[inline]
            fn bitand_assign(&mut self, other: Self) {
                *self = *self & other;
            }
        }

        /// Union.
        impl ::core::ops::BitOr for $Set {
            type Output = Self;

            #[inline]
            fn bitor(self, other: Self) -> Self {
                self.union(other)
            }
        }

        impl ::core::ops::BitOrAssign for $Set {
            #[inline]
            fn bitor_assign(&mut self, other: Self) {
                *self = *self | other;
            }
        }

        /// Difference.
        impl ::core::ops::Sub for $Set {
            type Output = Self;

            #[inline]
            fn sub(self, other: Self) -> Self {
                self.without(other)
            }
        }

        /// Complement.
        impl ::core::ops::Not for $Set {
            type Output = Self;

            #[inline]
            fn not(self) -> Self {
                Self::ALL.without(self)
            }
        }

        impl ::core::iter::Extend<$Element> for $Set {
            #[inline]
            fn extend<I: ::core::iter::IntoIterator<Item = $Element>>(&mut self, elements: I) {
                elements.into_iter().for_each(|element| self.insert(element));
            }
        }

        impl ::core::iter::FromIterator<$Element> for $Set {
            #[inline]
            fn from_iter<I: ::core::iter::IntoIterator<Item = $Element>>(elements: I) -> Self {
                elements.into_iter().fold(Self::EMPTY, Self::with)
            }
        }

        impl ::core::iter::IntoIterator for $Set {
            type Item = $Element;
            type IntoIter = $Iter;

            #[inline]
            fn into_iter(self) -> $Iter {
                self.iter()
            }
        }

        impl ::core::fmt::Debug for $Set {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_set().entries(self.iter()).finish()
            }
        }

        #[doc = concat!("The elements of a [`", stringify!($Set), "`], by ascending bit.")]
        #[derive(Clone, Debug)]
        $vis struct $Iter($Set);

        impl ::core::iter::ExactSizeIterator for $Iter {}
        impl ::core::iter::FusedIterator for $Iter {}
    };

    (@fold $Element:ident) => {
        #[inline]
        fn size_hint(&self) -> (usize, ::core::option::Option<usize>) {
            (self.0.len(), Some(self.0.len()))
        }

        // Word by word: sums, searches and collections use it, and it is faster than one element after the other.
        #[inline]
        fn fold<B, F: FnMut(B, $Element) -> B>(self, init: B, mut f: F) -> B {
            let mut folded = init;
            for (mut word, first) in self.0.words().into_iter().zip((0_u32..).step_by(64)) {
                while word != 0 {
                    folded = f(folded, $Element::from_bit(first + word.trailing_zeros()));
                    word &= word - 1;
                }
            }
            folded
        }
    };
}

#[cfg(test)]
#[expect(unreachable_pub, dead_code, reason = "these types are usually public")]
mod tests {
    use std::collections::BTreeSet;

    use crate::rules::Rng;

    crate::index_type! {
        #[derive(Debug)]
        struct Place(u8) < 150;
    }

    impl Place {
        const fn bit(self) -> u32 {
            self.0 as u32
        }

        const fn from_bit(bit: u32) -> Self {
            Self(bit as u8)
        }
    }

    crate::set_type! {
        struct Wide([u64; 3]) of Place, all = [u64::MAX, u64::MAX, (1 << 22) - 1], iterated by WideIter;
    }

    crate::index_type! {
        #[derive(Debug)]
        struct Small(u8) < 100;
    }

    impl Small {
        const fn bit(self) -> u32 {
            self.0 as u32
        }

        const fn from_bit(bit: u32) -> Self {
            Self(bit as u8)
        }
    }

    crate::set_type! {
        struct Narrow(u128) of Small, all = (1 << 100) - 1, iterated by NarrowIter;
    }

    /// Every operation equals that on a `BTreeSet`.
    macro_rules! operations_equal_those_of_a_btree_set {
        ($name:ident, $Set:ident, $Element:ident) => {
            #[test]
            fn $name() {
                let mut rng = Rng::new(1);
                for _ in 0..200 {
                    let mut random =
                        || $Element::all().filter(|_| rng.below(3) == 0).collect::<BTreeSet<_>>();
                    let (a, b) = (random(), random());
                    let set = |elements: &BTreeSet<$Element>| elements.iter().copied().collect::<$Set>();
                    assert_eq!(set(&a) & set(&b), set(&(&a & &b)));
                    assert_eq!(set(&a) | set(&b), set(&(&a | &b)));
                    assert_eq!(set(&a) - set(&b), set(&(&a - &b)));
                    assert_eq!(!set(&a), $Element::all().filter(|element| !a.contains(element)).collect());
                    assert_eq!((set(&a).len(), set(&a).is_empty()), (a.len(), a.is_empty()));
                    assert!($Element::all().all(|element| set(&a).contains(element) == a.contains(&element)));
                    assert!(set(&a).iter().eq(a.iter().copied()), "next");
                    let mut folded = Vec::new();
                    set(&a).iter().for_each(|element| folded.push(element));
                    assert!(folded.iter().eq(&a), "fold");
                    assert_eq!(set(&a).iter().len(), a.len());
                    assert_eq!($Set::of(&folded), set(&a));
                    let (mut with, mut without) = (set(&a), set(&a));
                    for &element in &b {
                        with.insert(element);
                        without.remove(element);
                    }
                    assert_eq!((with, without), (set(&a) | set(&b), set(&a).without(set(&b))));
                    assert_eq!(b.iter().fold(set(&a), |set, &element| set.with(element)), with);
                    assert_eq!(b.iter().fold(set(&a), |set, &element| set | element.into()), with);
                    let (mut extended, mut united, mut common) = (set(&a), set(&a), set(&a));
                    extended.extend(b.iter().copied());
                    united |= set(&b);
                    common &= set(&b);
                    assert_eq!((extended, united, common), (with, with, set(&(&a & &b))));
                }
                assert!($Set::ALL.iter().eq($Element::all()));
                assert_eq!((!$Set::ALL, $Set::EMPTY.len()), ($Set::EMPTY, 0));
            }
        };
    }

    operations_equal_those_of_a_btree_set!(wide_sets, Wide, Place);
    operations_equal_those_of_a_btree_set!(narrow_sets, Narrow, Small);

    #[test]
    fn debug_lists_the_elements() {
        let set = Narrow::of(&[Small(3), Small(99)]);
        assert_eq!(format!("{set:?}"), "{Small(3), Small(99)}");
        assert_eq!((set.first(), Narrow::EMPTY.first()), (Some(Small(3)), None));
    }
}
