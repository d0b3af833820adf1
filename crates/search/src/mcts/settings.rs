//! Settings of a tree search.

/// Settings of a tree search.
///
/// ```
/// use sandtable_search::MctsSettings;
///
/// let settings = MctsSettings::default().with_batch_size(16).with_exploration(2.0);
/// assert_eq!(settings.batch_size, 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MctsSettings {
    /// The exploration constant of PUCT (`c_puct`): the weight of priors against values.
    pub exploration: f32,
    /// First-play urgency below the root: an unvisited move is valued at its parent's value minus this times the square
    /// root of the sum of the priors of the visited moves.
    pub fpu_reduction: f32,
    /// The same at the root. The default is 0: at the root every move that the priors suggest should be tried, and in a
    /// position with hundreds of moves any reduction exceeds the exploration term of a single move.
    pub root_fpu_reduction: f32,
    /// The number of leaves that a tree evaluates at once; 0 counts as 1. A batch of more than one changes which leaves are
    /// selected.
    pub batch_size: usize,
    /// The number of threads that evaluate a batch; 0 counts as 1. It does not change the result.
    pub threads: usize,
    /// The concentration of Dirichlet noise at the root: each of *n* moves has `alpha = noise_alpha / n`.
    pub noise_alpha: f32,
    /// The share of the noise in the priors of the root.
    pub noise_fraction: f32,
    /// The number of moves that compete at the root by sequential halving, sampled by Gumbel noise; 0 selects root moves by
    /// PUCT.
    pub gumbel_moves: usize,
    /// The number of nodes and edges at which a tree stops growing.
    pub max_nodes: u32,
    /// The number of moves after which a game counts as drawn.
    pub max_plies: usize,
}

impl MctsSettings {
    /// The largest [`max_nodes`](Self::max_nodes).
    pub const MAX_NODES: u32 = 1 << 31;

    /// Sets the exploration constant.
    #[must_use]
    pub const fn with_exploration(mut self, exploration: f32) -> Self {
        self.exploration = exploration;
        self
    }

    /// Sets the first-play urgency reduction below the root.
    #[must_use]
    pub const fn with_fpu_reduction(mut self, fpu_reduction: f32) -> Self {
        self.fpu_reduction = fpu_reduction;
        self
    }

    /// Sets the first-play urgency reduction at the root.
    #[must_use]
    pub const fn with_root_fpu_reduction(mut self, root_fpu_reduction: f32) -> Self {
        self.root_fpu_reduction = root_fpu_reduction;
        self
    }

    /// Sets the number of leaves evaluated at once.
    #[must_use]
    pub const fn with_batch_size(mut self, batch_size: usize) -> Self {
        self.batch_size = batch_size;
        self
    }

    /// Sets the number of threads that evaluate a batch.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the Dirichlet noise of [`Mcts::begin`](crate::Mcts::begin).
    #[must_use]
    pub const fn with_noise(mut self, alpha: f32, fraction: f32) -> Self {
        (self.noise_alpha, self.noise_fraction) = (alpha, fraction);
        self
    }

    /// Sets the number of root moves that compete by sequential halving; 0 selects by PUCT.
    #[must_use]
    pub const fn with_gumbel_moves(mut self, gumbel_moves: usize) -> Self {
        self.gumbel_moves = gumbel_moves;
        self
    }

    /// Sets the number of nodes and edges at which a tree stops growing, at most [`MAX_NODES`](Self::MAX_NODES).
    #[must_use]
    pub const fn with_max_nodes(mut self, max_nodes: u32) -> Self {
        self.max_nodes = if max_nodes < Self::MAX_NODES { max_nodes } else { Self::MAX_NODES };
        self
    }

    /// Sets the number of moves after which a game counts as drawn.
    #[must_use]
    pub const fn with_max_plies(mut self, max_plies: usize) -> Self {
        self.max_plies = max_plies;
        self
    }
}

impl Default for MctsSettings {
    fn default() -> Self {
        Self {
            exploration: 1.6,
            fpu_reduction: 0.25,
            root_fpu_reduction: 0.0,
            batch_size: 1,
            threads: 1,
            noise_alpha: 10.0,
            noise_fraction: 0.25,
            gumbel_moves: 0,
            max_nodes: 1 << 26,
            max_plies: usize::MAX,
        }
    }
}
