//! Pieces, and the stacks they stand in.

use std::fmt;
use std::num::NonZeroU16;

use sandtable_core::Player;

use crate::{Kind, KindSet};

/// One piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub owner: Player,
    /// What it is.
    pub kind: Kind,
    /// Is it heroic?
    pub heroic: bool,
}

/// The pieces on one square: one, or up to three of different kinds that one of them carries.
///
/// A stack is always one of the valid sets. Which piece carries follows from the set, so a stack is no more than
/// a set of kinds, the heroes among them, and an owner; it fits in 16 bits.
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

/// Why some pieces are not a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StackError {
    /// There is no piece.
    #[error("a stack has at least one piece")]
    Empty,
    /// A kind occurs twice.
    #[error("a stack has no two pieces of one kind, and here are two {}", .0.letter())]
    Twice(Kind),
    /// The pieces belong to both players.
    #[error("a stack belongs to one player")]
    MixedOwners,
    /// The kinds do not go together.
    #[error("{0:?} do not make a stack")]
    InvalidSet(KindSet),
    /// A hero is named that is not in the stack.
    #[error("the heroes {0:?} are not in the stack")]
    HeroesMissing(KindSet),
}

impl Stack {
    /// Bits 0–10 hold the kinds, 11–13 the heroism of the pieces in stack order, 14 the owner.
    const HEROES: u32 = 11;
    const OWNER: u32 = 14;

    /// The stack of these kinds, of which those in `heroes` are heroic.
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

    /// The stack of these pieces, in any order.
    pub fn of(pieces: &[Piece]) -> Result<Self, StackError> {
        let first = pieces.first().ok_or(StackError::Empty)?;
        let (mut kinds, mut heroes) = (KindSet::EMPTY, KindSet::EMPTY);
        for piece in pieces {
            if piece.owner != first.owner {
                return Err(StackError::MixedOwners);
            }
            if kinds.contains(piece.kind) {
                return Err(StackError::Twice(piece.kind));
            }
            kinds = kinds.with(piece.kind.only());
            if piece.heroic {
                heroes = heroes.with(piece.kind.only());
            }
        }
        Self::new(first.owner, kinds, heroes)
    }

    /// The stack of kinds that are known to be a valid set, with heroes that are known to be among them.
    #[inline]
    pub(crate) fn pack(owner: Player, kinds: KindSet, heroes: KindSet) -> Self {
        debug_assert!(kinds.is_valid_stack() && kinds.contains_all(heroes));
        let slots = heroes.iter().fold(0, |slots, kind| slots | 1 << kinds.slot(kind));
        let bits = kinds.to_bits() | slots << Self::HEROES | (owner.index() as u16) << Self::OWNER;
        Self(NonZeroU16::new(bits).expect("a valid set is not empty"))
    }

    /// Whose stack it is.
    #[must_use]
    #[inline]
    pub const fn owner(self) -> Player {
        if self.0.get() >> Self::OWNER & 1 == 0 { Player::First } else { Player::Second }
    }

    /// The kinds in it.
    #[must_use]
    #[inline]
    pub const fn kinds(self) -> KindSet {
        KindSet::from_bits(self.0.get())
    }

    /// The kinds of the heroic pieces in it.
    #[must_use]
    #[inline]
    pub fn heroes(self) -> KindSet {
        if self.hero_slots() == 0 {
            KindSet::EMPTY
        } else {
            self.kinds().iter().filter(|&k| self.is_heroic(k)).collect()
        }
    }

    /// Is the piece of that kind in it and heroic?
    #[must_use]
    #[inline]
    pub const fn is_heroic(self, kind: Kind) -> bool {
        self.kinds().contains(kind) && self.hero_slots() >> self.kinds().slot(kind) & 1 != 0
    }

    /// The piece that carries the others, or the only one.
    #[must_use]
    #[inline]
    pub const fn carrier(self) -> Kind {
        Kind::ALL[self.0.trailing_zeros() as usize]
    }

    /// Is the carrier heroic?
    #[must_use]
    #[inline]
    pub const fn is_carrier_heroic(self) -> bool {
        self.hero_slots() & 1 != 0
    }

    /// How many pieces are in it.
    #[must_use]
    #[inline]
    pub const fn size(self) -> usize {
        self.kinds().len()
    }

    /// Does it hold more than one piece?
    #[must_use]
    pub const fn is_stack(self) -> bool {
        self.size() > 1
    }

    /// The pieces, carrier first.
    pub fn flatten(self) -> impl Iterator<Item = Piece> + Clone {
        let piece = move |kind| Piece { owner: self.owner(), kind, heroic: self.is_heroic(kind) };
        self.kinds().iter().map(piece)
    }

    /// The same stack with these pieces of it heroic, and no others.
    #[inline]
    pub(crate) fn with_heroes(self, heroes: KindSet) -> Self {
        Self::pack(self.owner(), self.kinds(), heroes)
    }

    /// The pieces of these kinds, which are in the stack, each with its heroism; none if no kind is named.
    #[inline]
    pub(crate) fn only(self, kinds: KindSet) -> Option<Self> {
        debug_assert!(self.kinds().contains_all(kinds));
        if kinds.is_empty() {
            None
        } else {
            Some(Self::pack(self.owner(), kinds, self.heroes().common(kinds)))
        }
    }

    /// The same pieces with the other owner.
    pub(crate) fn swapped(self) -> Self {
        Self::pack(!self.owner(), self.kinds(), self.heroes())
    }

    /// The heroism of the pieces, bit 0 the carrier's.
    pub(crate) const fn hero_slots(self) -> u16 {
        self.0.get() >> Self::HEROES & 0b111
    }

    /// The same stack with this heroism of its pieces, bit 0 the carrier's.
    pub(crate) fn with_hero_slots(self, slots: u16) -> Self {
        let kinds = self.kinds();
        self.with_heroes(kinds.iter().filter(|&kind| slots >> kinds.slot(kind) & 1 != 0).collect())
    }
}

/// As in a FEN: `T`, `+t`, `(FTI)`.
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
