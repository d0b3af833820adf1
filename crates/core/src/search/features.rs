//! The sparse inputs of an evaluation network.

use crate::{ByPlayer, Position};

/// A feature of a position: its index as each player sees it.
///
/// A player sees the board from its own side and tells its own pieces from enemy pieces, so a position and its mirror
/// have the same features with the players exchanged.
pub type Feature = ByPlayer<usize>;

/// A position with features for an evaluation network: facts such as "a knight of mine is on f3".
///
/// A feature may occur several times in a position, and counts each time. By default there is one feature, which every
/// position has, so that a network evaluates all positions alike.
pub trait Features: Position {
    /// The number of features that one player can see.
    const FEATURES: usize = 1;
    /// The id and version of the features; any change of an index changes it.
    const FEATURE_SET: &'static str = "none-1";
    /// The size of a group of features: the same piece on each place of the board.
    const PLACES: usize = 1;
    /// The largest number of features of a position that a game can reach. A feature that occurs several times counts
    /// each time.
    const MAX_FEATURES: usize = 1;
    /// The number of stages of the game. The weights of a network's last layer may differ from stage to stage.
    const STAGES: usize = 1;

    /// Calls `f` with every feature of the position.
    fn for_each_feature(&self, mut f: impl FnMut(Feature)) {
        f(Feature::default());
    }

    /// Calls `f` with the features that only `before` has and `false`, and with the features that only this position
    /// has and `true`.
    ///
    /// Any two positions can be compared; the comparison is fast if they differ in few places. Defaults to all features
    /// of both positions.
    fn for_each_change(&self, before: &Self, mut f: impl FnMut(Feature, bool)) {
        before.for_each_feature(|feature| f(feature, false));
        self.for_each_feature(|feature| f(feature, true));
    }

    /// The same feature on the board reflected left to right, for training: a position and its reflection have the same
    /// score. Defaults to the feature itself, in games whose rules a reflection changes.
    #[must_use]
    fn reflected(feature: usize) -> usize {
        feature
    }

    /// The stage of the game, below [`STAGES`](Self::STAGES).
    #[must_use]
    fn stage(&self) -> usize {
        0
    }
}
