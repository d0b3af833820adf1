//! The rules that a game of Tribun is played by.

/// What players may do beyond the actions that every game has.
///
/// Rules restrict actions, not boards: a board with slaves or a unit of height 8 may be set up in any game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// May a unit be enslaved?
    pub enslaving: bool,
    /// May three or six units around a tile combine?
    pub symmetric_combination: bool,
    /// May a unit of height 8 be made?
    pub height_eight: bool,
}

impl Rules {
    /// The whole game.
    pub const STANDARD: Self = Self { enslaving: true, symmetric_combination: true, height_eight: true };
    /// The beginners' set.
    pub const NINETY: Self = Self { enslaving: false, symmetric_combination: false, height_eight: false };
}

impl Default for Rules {
    fn default() -> Self {
        Self::STANDARD
    }
}

impl sandtable_core::Rules for Rules {
    const PRESETS: &'static [(&'static str, Self)] =
        &[("standard", Self::STANDARD), ("ninety", Self::NINETY)];
}
