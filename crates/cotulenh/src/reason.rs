//! The reasons why a game ends.

use sandtable_core::rules::EndRule;

/// The reason why a game of `CoTuLenh` ended.
pub type Reason = sandtable_core::rules::Reason<Ending>;

/// A rule that ends a game of `CoTuLenh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A commander was captured.
    CommanderCaptured,
    /// The side to move has no legal turn and its commander is attacked.
    Checkmate,
    /// The side to move has no legal turn and its commander is not attacked.
    Stalemate,
    /// The position occurred for the third time.
    Threefold,
    /// A hundred turns passed without a capture.
    HundredTurns,
}

impl EndRule for Ending {
    const TEXTS: &'static [(Self, &'static str)] = &[
        (Self::CommanderCaptured, "commander captured"),
        (Self::Checkmate, "checkmate"),
        (Self::Stalemate, "stalemate"),
        (Self::Threefold, "threefold repetition"),
        (Self::HundredTurns, "a hundred turns without a capture"),
    ];
}
