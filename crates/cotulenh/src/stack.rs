//! Pieces and stacks.

use std::fmt;
use std::num::NonZeroU16;

use sandtable_core::{Describe, Player};

use crate::{Kind, KindSet};

/// A piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The owner.
    pub owner: Player,
    /// The kind.
    pub kind: Kind,
    /// Whether it is heroic.
    pub heroic: bool,
}

/// The pieces on one square: a single piece, or a carrier with one or two passengers of different kinds.
///
/// A stack always holds one of the valid sets of kinds. The set determines the carrier, so a stack is a set of kinds,
/// the subset that is heroic, and an owner; it fits in 16 bits.
///
/// ```
/// use sandtable_core::Player;
/// use sandtable_cotulenh::{Kind, KindSet, Stack};
///
/// let kinds = KindSet::of(&[Kind::Infantry, Kind::Tank]);
/// let stack = Stack::new(Player::First, kinds, Kind::Tank.only()).unwrap();
/// assert_eq!(stack.carrier(), Kind::Tank);
/// assert_eq!(stack.to_string(), "(+TI)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stack(NonZeroU16);

/// The reason why some pieces do not form a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_stack")]
#[non_exhaustive]
pub enum StackError {
    /// There is no piece.
    #[error("empty stack: expected at least one piece")]
    Empty,
    /// A kind occurs twice.
    #[error("duplicate {} in a stack: each kind may occur once", .0.letter())]
    Duplicate(#[param(name = "piece", value = _0.letter())] Kind),
    /// The pieces belong to both players.
    #[error("mixed colours in a stack: all its pieces belong to one player")]
    MixedOwners,
    /// The kinds do not form a valid stack.
    #[error("invalid stack {0}: these kinds cannot stand together")]
    InvalidSet(#[param(name = "pieces")] KindSet),
    /// A heroic kind is not in the stack.
    #[error("heroic {0} is not in the stack")]
    HeroesMissing(#[param(name = "pieces")] KindSet),
}

impl Stack {
    /// Bits 0–10 hold the kinds, bits 11–13 the heroism of the pieces in stack order, bit 14 the owner.
    const HEROES: u32 = 11;
    const OWNER: u32 = 14;

    /// The stack of the given kinds, of which those in `heroes` are heroic.
    pub fn new(owner: Player, kinds: KindSet, heroes: KindSet) -> Result<Self, StackError> {
        if kinds.is_empty() {
            return Err(StackError::Empty);
        }
        if !kinds.is_valid_stack() {
            return Err(StackError::InvalidSet(kinds));
        }
        if !kinds.contains_all(heroes) {
            return Err(StackError::HeroesMissing(heroes.without(kinds)));
        }
        Ok(Self::pack(owner, kinds, heroes))
    }

    /// The stack of the given pieces, in any order.
    pub fn of(pieces: &[Piece]) -> Result<Self, StackError> {
        let first = pieces.first().ok_or(StackError::Empty)?;
        let (mut kinds, mut heroes) = (KindSet::EMPTY, KindSet::EMPTY);
        for piece in pieces {
            if piece.owner != first.owner {
                return Err(StackError::MixedOwners);
            }
            if kinds.contains(piece.kind) {
                return Err(StackError::Duplicate(piece.kind));
            }
            kinds = kinds.with(piece.kind);
            if piece.heroic {
                heroes = heroes.with(piece.kind);
            }
        }
        Self::new(first.owner, kinds, heroes)
    }

    /// The stack of a set of kinds known to be valid, with heroes known to be in the set.
    #[inline]
    pub(crate) fn pack(owner: Player, kinds: KindSet, heroes: KindSet) -> Self {
        debug_assert!(kinds.is_valid_stack() && kinds.contains_all(heroes));
        let slots = heroes.iter().fold(0, |slots, kind| slots | 1 << kinds.slot(kind));
        let bits = kinds.to_bits() | slots << Self::HEROES | (owner.index() as u16) << Self::OWNER;
        Self(NonZeroU16::new(bits).expect("a valid set is not empty"))
    }

    /// The owner of the stack.
    #[must_use]
    #[inline]
    pub const fn owner(self) -> Player {
        if self.0.get() >> Self::OWNER & 1 == 0 { Player::First } else { Player::Second }
    }

    /// The kinds in the stack.
    #[must_use]
    #[inline]
    pub const fn kinds(self) -> KindSet {
        KindSet::from_bits(self.0.get())
    }

    /// The kinds of the heroic pieces.
    #[must_use]
    #[inline]
    pub fn heroes(self) -> KindSet {
        if self.hero_slots() == 0 {
            KindSet::EMPTY
        } else {
            self.kinds().iter().filter(|&k| self.is_heroic(k)).collect()
        }
    }

    /// Whether the stack has a heroic piece of this kind.
    #[must_use]
    #[inline]
    pub const fn is_heroic(self, kind: Kind) -> bool {
        // Most stacks have no hero, and finding the slot is slow.
        self.hero_slots() != 0
            && self.kinds().contains(kind)
            && self.hero_slots() >> self.kinds().slot(kind) & 1 != 0
    }

    /// The carrier: the piece that carries the others, or the only piece.
    #[must_use]
    #[inline]
    pub const fn carrier(self) -> Kind {
        Kind::ALL[self.0.trailing_zeros() as usize]
    }

    /// Whether the carrier is heroic.
    #[must_use]
    #[inline]
    pub const fn is_carrier_heroic(self) -> bool {
        self.hero_slots() & 1 != 0
    }

    /// The number of pieces.
    #[must_use]
    #[inline]
    pub const fn size(self) -> usize {
        if self.is_stack() { self.kinds().len() } else { 1 }
    }

    /// Whether there is more than one piece.
    #[must_use]
    pub const fn is_stack(self) -> bool {
        let kinds = self.kinds().to_bits();
        kinds & (kinds - 1) != 0
    }

    /// The pieces, carrier first.
    pub fn flatten(self) -> impl Iterator<Item = Piece> + Clone {
        let piece = move |kind| Piece { owner: self.owner(), kind, heroic: self.is_heroic(kind) };
        self.kinds().iter().map(piece)
    }

    /// The same pieces, of which exactly `heroes` are heroic.
    #[inline]
    pub(crate) fn with_heroes(self, heroes: KindSet) -> Self {
        Self::pack(self.owner(), self.kinds(), heroes)
    }

    /// The part of the stack with these kinds, heroism included; `None` if `kinds` is empty.
    #[inline]
    pub(crate) fn only(self, kinds: KindSet) -> Option<Self> {
        debug_assert!(self.kinds().contains_all(kinds));
        if kinds.is_empty() {
            None
        } else {
            Some(Self::pack(self.owner(), kinds, self.heroes().intersection(kinds)))
        }
    }

    /// The same pieces with the other owner.
    pub(crate) fn swapped(self) -> Self {
        Self::pack(!self.owner(), self.kinds(), self.heroes())
    }

    /// The stack as a number that is not 0.
    #[inline]
    pub(crate) const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The heroism of the pieces in stack order; bit 0 is the carrier's.
    pub(crate) const fn hero_slots(self) -> u16 {
        self.0.get() >> Self::HEROES & 0b111
    }

    /// The same pieces with the given heroism, in the form of [`hero_slots`](Self::hero_slots).
    pub(crate) fn with_hero_slots(self, slots: u16) -> Self {
        let kinds = self.kinds();
        self.with_heroes(kinds.iter().filter(|&kind| slots >> kinds.slot(kind) & 1 != 0).collect())
    }
}

/// The text in a FEN: `T`, `+t`, `(FTI)`.
impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.is_stack() { ("(", ")") } else { ("", "") };
        f.write_str(open)?;
        for piece in self.flatten() {
            let letter = piece.kind.letter();
            let letter = if piece.owner == Player::First { letter } else { letter.to_ascii_lowercase() };
            write!(f, "{}{letter}", if piece.heroic { "+" } else { "" })?;
        }
        f.write_str(close)
    }
}

impl fmt::Debug for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
