//! The reasons why a game ends.

use sandtable_core::rules::EndRule;

/// The reason why a game of Tribun ended.
pub type Reason = sandtable_core::rules::Reason<Ending>;

/// A rule that ends a game of Tribun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A tribun was attacked: a win for the attacker.
    TribunAttacked,
    /// The player to move has no legal action: a loss.
    NoAction,
}

impl EndRule for Ending {
    const TEXTS: &'static [(Self, &'static str)] =
        &[(Self::TribunAttacked, "tribun attacked"), (Self::NoAction, "no action")];
}
