//! Self-play in a game of any kind.

use sandtable_core::Position;
use sandtable_search::self_play::SelfPlay;

/// How games of the engine against itself are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlaySettings {
    /// The name of the rules.
    pub rules: String,
    /// The number of random moves before the engine takes over.
    pub opening_plies: usize,
    /// The number of nodes searched for each move.
    pub nodes: u64,
    /// The maximum number of moves after the opening.
    pub max_plies: usize,
    /// The seed of the openings.
    pub seed: u64,
}

impl SelfPlaySettings {
    pub(crate) fn with_rules<P: Position>(&self, rules: P::Rules) -> SelfPlay<P> {
        let Self { opening_plies, nodes, max_plies, seed, .. } = *self;
        SelfPlay { rules, opening_plies, nodes, max_plies, seed }
    }
}
