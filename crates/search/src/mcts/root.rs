//! The root of a tree: noise, statistics, the policy that a network learns from, and the choice of a move.

use sandtable_core::Position;

use super::gumbel;
use super::store::{Kind, Proof, ROOT};
use super::{Mcts, RootVisit};
use crate::dirichlet::dirichlet;

impl<P: Position> Mcts<P> {
    /// Returns the number of root moves; 0 before the root has been evaluated.
    #[must_use]
    pub fn root_len(&self) -> usize {
        self.root_range().len()
    }

    /// Returns the root moves, in the order of the legal moves. Empty before the root has been evaluated.
    #[must_use]
    pub fn root_legal(&self) -> &[P::Move] {
        &self.store.moves[self.root_range()]
    }

    fn root_range(&self) -> std::ops::Range<usize> {
        let root = self.store.node(ROOT);
        if root.kind == Kind::Expanded { root.edge_range() } else { 0..0 }
    }

    /// Calls `f` with the index and the statistics of each root move that has been visited.
    pub fn for_each_visited(&self, mut f: impl FnMut(usize, RootVisit<P::Move>)) {
        let moves = self.root_legal();
        let root = self.store.node(ROOT);
        for (_, child) in self.store.children(ROOT).filter(|(_, child)| child.visits > 0) {
            let edge = child.edge as usize;
            let (visits, prior) = (child.visits, self.store.prior(root, child.edge));
            f(
                edge,
                RootVisit { root_move: moves[edge], visits, prior, value: child.for_parent(child.mean()) },
            );
        }
    }

    /// Writes the priors of the root moves, noise included.
    ///
    /// # Panics
    ///
    /// If `out` is not as long as [`root_len`](Self::root_len).
    pub fn write_priors(&self, out: &mut [f32]) {
        out.copy_from_slice(&self.store.priors[self.root_range()]);
        for prior in out {
            *prior = prior.abs();
        }
    }

    /// Returns the statistics of the root moves, in the order of the legal moves. Empty before the first search or if the
    /// game is over.
    #[must_use]
    pub fn root_moves(&self) -> Vec<RootVisit<P::Move>> {
        let priors = &self.store.priors[self.root_range()];
        let moves = self.root_legal().iter().zip(priors);
        let mut root: Vec<_> = moves
            .map(|(&root_move, prior)| RootVisit { root_move, visits: 0, prior: prior.abs(), value: 0.0 })
            .collect();
        self.for_each_visited(|edge, visit| root[edge] = visit);
        root
    }

    /// Returns the value of the root for the side to move: the mean of its own evaluation and all results. 0 before the
    /// first search.
    #[must_use]
    pub fn root_value(&self) -> f32 {
        self.store.node(ROOT).mean()
    }

    /// Writes the policy that the search found, the training target of a network; it adds up to 1.
    ///
    /// This is the share of visits or, with [`gumbel_moves`](super::MctsSettings::gumbel_moves), the improved policy: the
    /// priors corrected by the values of the moves. Where a move is proven to win, such moves share the policy equally;
    /// a move that is proven to lose has no share, unless all lose. Without visits these are the priors.
    ///
    /// # Panics
    ///
    /// If `out` is not as long as [`root_len`](Self::root_len).
    pub fn write_policy(&self, out: &mut [f32]) {
        assert_eq!(out.len(), self.root_len(), "a policy has a number for each root move");
        if out.is_empty() {
            return;
        }
        let root = self.store.node(ROOT);
        if self.settings.gumbel_moves > 0 {
            gumbel::improved_policy(&self.store, out);
        } else if root.visits_below() == 0 {
            self.write_priors(out);
        } else {
            out.fill(0.0);
            #[expect(clippy::cast_precision_loss, reason = "shares are approximate")]
            self.for_each_visited(|edge, visit| out[edge] = visit.visits as f32);
        }
        match root.proof {
            Proof::Win => {
                out.fill(0.0);
                self.for_each_proven(Proof::Win, |edge| out[edge] = 1.0);
            }
            Proof::Open => {
                self.for_each_proven(Proof::Loss, |edge| out[edge] = 0.0);
                if root.lost > 0 && out.iter().all(|share| *share <= 0.0) {
                    // All visits went to losing moves, so only the priors tell the other moves apart.
                    self.write_priors(out);
                    self.for_each_proven(Proof::Loss, |edge| out[edge] = 0.0);
                }
                if root.lost > 0 && out.iter().all(|share| *share <= 0.0) {
                    // The priors of the other moves are all 0.
                    out.fill(1.0);
                    self.for_each_proven(Proof::Loss, |edge| out[edge] = 0.0);
                }
            }
            Proof::Loss => {}
        }
        normalise(out);
    }

    /// Calls `f` with the index of each root move that is proven to win or to lose.
    fn for_each_proven(&self, proof: Proof, mut f: impl FnMut(usize)) {
        for (_, child) in self.store.children(ROOT).filter(|(_, child)| child.proof_for_parent() == proof) {
            f(child.edge as usize);
        }
    }

    /// Samples a root move in proportion to `policy^(1 / temperature)`, where the policy is that of
    /// [`write_policy`](Self::write_policy). Temperature 0 picks the best move: one that is proven to win, the winner of
    /// the sequential halving, or the first of those with the largest share. Returns `None` before the first search or if
    /// the game is over.
    pub fn choose(&mut self, temperature: f32) -> Option<P::Move> {
        let mut policy = std::mem::take(&mut self.policy);
        policy.clear();
        policy.resize(self.root_len(), 0.0);
        self.write_policy(&mut policy);
        let chosen = self.choose_from(&policy, temperature);
        self.policy = policy;
        chosen.map(|edge| self.root_legal()[edge])
    }

    fn choose_from(&mut self, policy: &[f32], temperature: f32) -> Option<usize> {
        let most = policy.iter().copied().fold(0.0, f32::max);
        let best = policy.iter().position(|share| *share >= most)?;
        if temperature <= 0.0 {
            let winner =
                if self.store.node(ROOT).proof == Proof::Win { None } else { self.gumbel.best(&self.store) };
            return Some(winner.map_or(best, |edge| edge as usize));
        }
        // Relative to the largest share, so that no power overflows.
        let weight = |share: f32| f64::from(share / most).powf(1.0 / f64::from(temperature));
        let sum: f64 = policy.iter().copied().map(weight).sum();
        let mut remaining = self.rng.unit() * sum;
        for (edge, share) in policy.iter().enumerate() {
            remaining -= weight(*share);
            if remaining < 0.0 {
                return Some(edge);
            }
        }
        Some(best)
    }

    /// Mixes Dirichlet noise into the priors of the evaluated root, replacing earlier noise.
    pub(super) fn mix_noise(&mut self, alpha: f64, fraction: f32) {
        self.remove_noise();
        self.raw_priors.extend_from_slice(&self.store.priors[self.root_range()]);
        self.noise.clear();
        self.noise.resize(self.raw_priors.len(), 0.0);
        dirichlet(&mut self.rng, alpha, &mut self.noise);
        let noise = &self.noise;
        self.store.set_priors(ROOT, |edge, prior| prior + fraction * (noise[edge] as f32 - prior));
    }

    /// Restores the priors of the root.
    pub(super) fn remove_noise(&mut self) {
        if !self.raw_priors.is_empty() {
            let raw = &self.raw_priors;
            self.store.set_priors(ROOT, |edge, _| raw[edge].abs());
            self.raw_priors.clear();
        }
    }
}

/// Divides numbers by their sum; equal numbers if the sum is 0.
#[expect(clippy::cast_precision_loss, reason = "no position has millions of moves")]
pub(super) fn normalise(shares: &mut [f32]) {
    // Each number fits into an f32, but their sum may not.
    let sum: f64 = shares.iter().copied().map(f64::from).sum();
    if sum > 0.0 {
        let scale = 1.0 / sum;
        for share in shares {
            *share = (f64::from(*share) * scale) as f32;
        }
    } else {
        let uniform = 1.0 / shares.len() as f32;
        shares.fill(uniform);
    }
}
