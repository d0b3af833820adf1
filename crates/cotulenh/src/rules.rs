//! The rules that players can choose.

use sandtable_core::Rules as Presets;

/// The restriction of heavy pieces by the river, when they move by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum River {
    /// A heavy piece never enters the other zone by its own movement.
    #[default]
    Sealed,
    /// A heavy piece crosses vertically on files f and h, and anywhere by a capture.
    Bridged,
}

/// The pieces of a stack that can be heroic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Heroism {
    /// Only the carrier: a piece that becomes a passenger loses its heroism, and passengers are not promoted.
    #[default]
    CarrierOnly,
    /// Every piece, passengers included.
    Everyone,
}

/// The rule options, independent of each other.
///
/// ```
/// use sandtable_cotulenh::{Heroism, Rules};
///
/// let mut rules = Rules::STANDARD;
/// rules.heroism = Heroism::Everyone;
/// assert_ne!(rules, Rules::CLUB);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Rules {
    /// The restriction of heavy pieces by the river.
    pub river: River,
    /// The pieces of a stack that can be heroic.
    pub heroism: Heroism,
    /// Whether a Navy may carry a Tank and a soldier together.
    pub navy_tank_soldier: bool,
}

impl Rules {
    /// The standard rules (the default).
    pub const STANDARD: Self =
        Self { river: River::Sealed, heroism: Heroism::CarrierOnly, navy_tank_soldier: true };
    /// The rules of the public site; see `docs/cotulenh-differences.md`.
    pub const CLUB: Self =
        Self { river: River::Bridged, heroism: Heroism::Everyone, navy_tank_soldier: false };

    /// Whether these kinds form a stack under these rules.
    #[must_use]
    pub const fn allow_stack(self, kinds: crate::KindSet) -> bool {
        kinds.is_valid_stack() && (self.navy_tank_soldier || !kinds.is_navy_tank_soldier())
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl Presets for Rules {
    const PRESETS: &'static [(&'static str, Self)] = &[("standard", Self::STANDARD), ("club", Self::CLUB)];
}
