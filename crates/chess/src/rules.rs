//! The draw rules: when a draw may be claimed, and when the game ends without a claim.

use sandtable_core::Rules;

/// The half-move clock from which a draw may be claimed: 50 moves by each player.
pub const FIFTY_MOVE_CLOCK: u16 = 100;
/// The half-move clock at which the game is drawn: 75 moves by each player.
pub const SEVENTY_FIVE_MOVE_CLOCK: u16 = 150;
/// The number of occurrences of a position from which a draw may be claimed.
pub const THREEFOLD: u32 = 3;
/// The number of occurrences of a position at which the game is drawn.
pub const FIVEFOLD: u32 = 5;

/// Selects which claimable draws end the game without a claim.
///
/// Stalemate, insufficient material, fivefold repetition and the 75-move rule always end it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DrawRules {
    /// Whether threefold repetition ends the game.
    pub threefold_ends: bool,
    /// Whether the 50-move rule ends the game.
    pub fifty_moves_end: bool,
}

impl DrawRules {
    /// A draw by threefold repetition or the 50-move rule must be claimed. The default.
    pub const STANDARD: Self = Self { threefold_ends: false, fifty_moves_end: false };
    /// Threefold repetition and the 50-move rule end the game, as if every draw were claimed.
    pub const CLAIMS: Self = Self { threefold_ends: true, fifty_moves_end: true };
}

impl Rules for DrawRules {
    const PRESETS: &'static [(&'static str, Self)] =
        &[("standard", Self::STANDARD), ("claims", Self::CLAIMS)];
}
