//! The rules that players may choose.

use sandtable_core::Rules as Presets;

/// What the river is to a heavy piece that moves by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum River {
    /// It never stands in the other zone by its own movement.
    #[default]
    Sealed,
    /// It crosses vertically on the f and h files, and anywhere by a capture.
    Bridged,
}

/// Who can be heroic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Heroism {
    /// Carriers and single pieces: who becomes a passenger loses it, and no passenger is promoted.
    #[default]
    CarrierOnly,
    /// Each piece, wherever it stands.
    Everyone,
}

/// The switches of the rules, each independent of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The river for heavy pieces.
    pub river: River,
    /// Who can be heroic.
    pub heroism: Heroism,
    /// May a Navy carry a Tank and a soldier together?
    pub navy_tank_soldier: bool,
}

impl Rules {
    /// The rules of the board model's documents; the default.
    pub const STANDARD: Self =
        Self { river: River::Sealed, heroism: Heroism::CarrierOnly, navy_tank_soldier: true };
    /// The rules as the public site plays.
    pub const CLUB: Self =
        Self { river: River::Bridged, heroism: Heroism::Everyone, navy_tank_soldier: false };

    /// May these kinds stand together?
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
