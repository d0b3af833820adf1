//! Piece kinds and sets of them.

use std::fmt;

/// A kind of piece, in stack order: the order in which the pieces of a stack are written, carriers first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Navy (N).
    Navy,
    /// Air Force (F).
    AirForce,
    /// Tank (T).
    Tank,
    /// Engineer (E).
    Engineer,
    /// Headquarters (H).
    Headquarters,
    /// Commander (C).
    Commander,
    /// Infantry (I).
    Infantry,
    /// Militia (M).
    Militia,
    /// Artillery (A).
    Artillery,
    /// Anti-Air (G).
    AntiAir,
    /// Missile (S).
    Missile,
}

impl Kind {
    /// The number of kinds.
    pub const NUM: usize = Self::ALL.len();

    /// All kinds, in stack order.
    pub const ALL: [Self; 11] = [
        Self::Navy,
        Self::AirForce,
        Self::Tank,
        Self::Engineer,
        Self::Headquarters,
        Self::Commander,
        Self::Infantry,
        Self::Militia,
        Self::Artillery,
        Self::AntiAir,
        Self::Missile,
    ];

    /// The index in [`ALL`](Self::ALL), 0 to 10.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The uppercase letter of the kind.
    #[must_use]
    pub const fn letter(self) -> char {
        b"NFTEHCIMAGS"[self.index()] as char
    }

    /// The English name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Navy => "navy",
            Self::AirForce => "air force",
            Self::Tank => "tank",
            Self::Engineer => "engineer",
            Self::Headquarters => "headquarter",
            Self::Commander => "commander",
            Self::Infantry => "infantry",
            Self::Militia => "militia",
            Self::Artillery => "artillery",
            Self::AntiAir => "anti-air",
            Self::Missile => "missile",
        }
    }

    /// The kind with a letter, in either case.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// The bit of the kind in a [`KindSet`].
    #[inline]
    const fn bit(self) -> u32 {
        self as u32
    }

    /// The inverse of [`bit`](Self::bit).
    #[inline]
    const fn from_bit(bit: u32) -> Self {
        Self::ALL[bit as usize]
    }

    /// The set that contains only this kind.
    #[must_use]
    pub const fn only(self) -> KindSet {
        KindSet::EMPTY.with(self)
    }
}

sandtable_core::set_type! {
    /// A set of kinds, in stack order.
    #[derive(PartialOrd, Ord)]
    pub struct KindSet(u16) of Kind, all = (1 << Kind::NUM) - 1, iterated by KindSetIter;
}

impl KindSet {
    /// The set as bits: bit `i` stands for the kind with index `i`.
    pub(crate) const fn to_bits(self) -> u16 {
        self.0
    }

    /// The inverse of [`to_bits`](Self::to_bits); other bits are ignored.
    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Whether every kind of `other` is in the set.
    #[must_use]
    pub const fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Whether the sets have a kind in common.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the set has exactly one kind.
    pub(crate) const fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// The number of kinds in the set that come before `kind` in stack order.
    pub(crate) const fn slot(self, kind: Kind) -> u32 {
        (self.0 & (kind.only().0 - 1)).count_ones()
    }

    /// The non-empty subsets, starting with the whole set.
    pub(crate) fn subsets(self) -> impl Iterator<Item = Self> + Clone {
        let mut next = self.0;
        std::iter::from_fn(move || {
            let subset = next;
            if subset == 0 {
                return None;
            }
            next = (subset - 1) & self.0;
            Some(Self(subset))
        })
    }

    /// Whether the kinds form a valid stack, a single piece included; see [`Rules::allow_stack`](crate::Rules::allow_stack)
    /// for the stacks that only some rules allow.
    ///
    /// Every non-empty subset of a valid set is valid.
    #[must_use]
    pub const fn is_valid_stack(self) -> bool {
        use Kind::{
            AirForce, AntiAir, Artillery, Commander, Engineer, Headquarters, Infantry, Militia, Missile,
            Navy, Tank,
        };
        /// The carriers of a stack, and the kinds of which it has exactly one more.
        const STACKS: [(u16, u16); 8] = {
            const fn row(carriers: &[Kind], one_of: &[Kind]) -> (u16, u16) {
                (KindSet::of(carriers).0, KindSet::of(one_of).0)
            }
            [
                row(&[Tank], &[Commander, Infantry, Militia]),
                row(&[Engineer], &[Artillery, AntiAir, Missile]),
                row(&[AirForce], &[Tank, Commander, Infantry, Militia]),
                row(&[AirForce, Tank], &[Commander, Infantry, Militia]),
                row(&[Navy], &[AirForce, Tank, Commander, Infantry, Militia]),
                row(&[Navy, AirForce], &[Tank, Commander, Infantry, Militia]),
                row(&[Navy, Tank], &[Commander, Infantry, Militia]),
                row(&[Headquarters], &[Commander]),
            ]
        };
        const VALID: [u64; 32] = {
            let mut valid = [0; 32];
            let mut bits = 1_u16;
            while bits < 1 << Kind::NUM {
                let mut is_valid = bits.is_power_of_two();
                let mut i = 0;
                while i < STACKS.len() {
                    let (carriers, one_of) = STACKS[i];
                    let added = bits & !carriers;
                    is_valid |=
                        bits & carriers == carriers && added & one_of == added && added.is_power_of_two();
                    i += 1;
                }
                if is_valid {
                    valid[bits as usize / 64] |= 1 << (bits % 64);
                }
                bits += 1;
            }
            valid
        };
        VALID[self.0 as usize / 64] >> (self.0 % 64) & 1 != 0
    }

    /// Whether the set holds a Navy, a Tank and a soldier: the stack that not all rules allow.
    #[must_use]
    pub const fn is_navy_tank_soldier(self) -> bool {
        use Kind::{Commander, Infantry, Militia, Navy, Tank};
        self.contains_all(Self::of(&[Navy, Tank])) && self.meets(Self::of(&[Commander, Infantry, Militia]))
    }
}

/// The letters of the kinds, in braces.
impl fmt::Display for KindSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String = self.iter().map(Kind::letter).collect();
        write!(f, "{{{letters}}}")
    }
}
