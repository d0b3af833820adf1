//! The sparse inputs of an evaluation network.

use crate::{ByPlayer, Position};

/// A feature of a position: its index as each player sees it.
///
/// A player sees the board from its own side and its own pieces as the first ones, so a position and its mirror have the
/// same features with the players exchanged.
pub type Feature = ByPlayer<usize>;

/// A position with features for an evaluation network: facts such as "a knight of mine is on f3".
///
/// The features of a position are a sum: one may occur several times. By default there is one feature, which every position
/// has, so that a network evaluates all positions alike.
pub trait Features: Position {
    /// The number of features that one player can see.
    const FEATURES: usize = 1;
    /// The id and version of the features; any change of an index changes it.
    const FEATURE_SET: &'static str = "none-1";
    /// Features come in groups of this many: the same piece on each place of the board.
    const PLACES: usize = 1;
    /// The largest number of features of a position that a game can reach, those that occur several times included.
    const MAX_FEATURES: usize = 1;
    /// The number of stages of the game. A network may weigh its last layer differently in each.
    const STAGES: usize = 1;

    /// Calls `f` with every feature of the position.
    fn for_each_feature(&self, mut f: impl FnMut(Feature)) {
        f(Feature::default());
    }

    /// Calls `f` with the features that `before` has and this position has not, with `false`, and with those that only
    /// this position has, with `true`.
    ///
    /// Any two positions can be compared; it is fast for those that differ in few places. Defaults to all features of both.
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
