//! Rule sets.

/// A rule set: the optional actions of a game.
///
/// Rules restrict actions, not boards: a position may contain slaves or units of height 8 under any rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Rules {
    /// Whether units can be enslaved.
    pub enslaving: bool,
    /// Whether three or six units around a tile can combine.
    pub symmetric_combination: bool,
    /// Whether a unit of height 8 can be made.
    pub height_eight: bool,
}

impl Rules {
    /// The complete game.
    pub const STANDARD: Self = Self { enslaving: true, symmetric_combination: true, height_eight: true };
    /// The rule set for beginners.
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
