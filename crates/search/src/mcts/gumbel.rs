//! Gumbel root: a few moves, sampled without replacement, compete by sequential halving.
//!
//! The method of Danihelka et al., *Policy improvement by planning with Gumbel* (ICLR 2022): with few visits for many
//! moves it improves the policy, which visit counts of PUCT do not guarantee.

use sandtable_core::rules::Rng;
use serde::{Deserialize, Serialize};

use super::store::{Node, Proof, ROOT, Store};

/// The visits that are added to those of the most visited move when values are weighted against logits.
const VISIT_OFFSET: f32 = 50.0;

/// A root move in the competition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Candidate {
    pub(super) edge: u32,
    /// The visits in this search, pending ones included.
    pub(super) visits: u32,
    /// The logit of the prior plus Gumbel noise.
    pub(super) logit: f32,
}

/// The state of the competition.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Gumbel {
    /// The candidates; those that are still in the competition come first.
    pub(super) candidates: Vec<Candidate>,
    pub(super) active: usize,
    /// The number of visits that every active candidate gets before the next halving.
    pub(super) quota: u32,
    /// The number of visits of the whole search.
    pub(super) budget: u32,
    /// The number of halvings among which the visits are divided.
    pub(super) rounds: u32,
}

/// The next root move of the competition.
pub(super) enum Turn {
    /// Visit this edge.
    Visit(u32),
    /// The results of the batch decide about the next halving.
    Wait,
}

impl Gumbel {
    pub(super) fn clear(&mut self) {
        self.candidates.clear();
        self.active = 0;
    }

    /// Chooses the `count` moves that compete for `budget` visits.
    pub(super) fn start<M: Copy>(
        &mut self,
        store: &Store<M>,
        count: usize,
        budget: u32,
        noise: Option<&mut Rng>,
    ) {
        self.clear();
        let priors = &store.priors[store.node(ROOT).edge_range()];
        let mut noise = noise;
        self.candidates.extend(priors.iter().enumerate().map(|(edge, prior)| {
            let noise = noise.as_mut().map_or(0.0, |rng| gumbel(rng));
            Candidate { edge: edge as u32, visits: 0, logit: logit(*prior) + noise }
        }));
        self.candidates.sort_unstable_by(|a, b| b.logit.total_cmp(&a.logit).then(a.edge.cmp(&b.edge)));
        self.candidates.truncate(count.min(budget.max(1) as usize));
        self.active = self.candidates.len();
        self.budget = budget;
        self.rounds = Self::rounds(self.active);
        self.quota = self.visits_per_round();
    }

    /// The number of halvings that a competition of `candidates` moves has.
    pub(super) fn rounds(candidates: usize) -> u32 {
        candidates.next_power_of_two().trailing_zeros().max(1)
    }

    fn visits_per_round(&self) -> u32 {
        (self.budget / (self.rounds * self.active.max(1) as u32)).max(1)
    }

    /// The next move to visit. `in_flight` says whether results are pending.
    pub(super) fn next<M: Copy>(&mut self, store: &Store<M>, in_flight: bool) -> Turn {
        loop {
            let active = &mut self.candidates[..self.active];
            let fewest = active.iter_mut().min_by_key(|candidate| candidate.visits);
            if let Some(candidate) = fewest.filter(|candidate| candidate.visits < self.quota) {
                candidate.visits += 1;
                return Turn::Visit(candidate.edge);
            }
            if in_flight {
                return Turn::Wait;
            }
            self.halve(store);
        }
    }

    /// Keeps the better half of the candidates, but at least two.
    fn halve<M: Copy>(&mut self, store: &Store<M>) {
        let most = most_visits(store);
        let active = &mut self.candidates[..self.active];
        active.sort_by(|a, b| score(store, b, most).total_cmp(&score(store, a, most)));
        self.active = (self.active / 2).max(2).min(self.active);
        self.quota += self.visits_per_round();
    }

    /// Takes back a visit that did not happen.
    pub(super) fn take_back(&mut self, edge: u32) {
        if let Some(candidate) = self.candidates.iter_mut().find(|candidate| candidate.edge == edge) {
            candidate.visits = candidate.visits.saturating_sub(1);
        }
    }

    /// The winner of the competition: the best of the candidates that are left and not proven to lose.
    pub(super) fn best<M: Copy>(&self, store: &Store<M>) -> Option<u32> {
        let most = most_visits(store);
        let open = self.candidates[..self.active].iter().filter(|candidate| !loses(store, candidate.edge));
        open.max_by(|a, b| score(store, a, most).total_cmp(&score(store, b, most)))
            .map(|candidate| candidate.edge)
    }
}

fn loses<M: Copy>(store: &Store<M>, edge: u32) -> bool {
    store.child_at(ROOT, edge).is_some_and(|child| store.node(child).proof_for_parent() == Proof::Loss)
}

fn score<M: Copy>(store: &Store<M>, candidate: &Candidate, most: u32) -> f32 {
    let child = store.child_at(ROOT, candidate.edge).map(|child| store.node(child));
    let value = child.filter(|child| child.visits > 0).map_or_else(|| mixed_value(store), value_for_root);
    candidate.logit + weighted(value, most)
}

fn value_for_root(child: &Node) -> f32 {
    child.for_parent(child.mean())
}

/// The visits of the most visited root move.
fn most_visits<M: Copy>(store: &Store<M>) -> u32 {
    store.children(ROOT).map(|(_, child)| child.visits).max().unwrap_or(0)
}

/// A value as a difference of logits.
#[expect(clippy::cast_precision_loss, reason = "visit counts need no exact f32")]
fn weighted(value: f32, most_visits: u32) -> f32 {
    (VISIT_OFFSET + most_visits as f32) * f32::midpoint(value, 1.0)
}

/// The value of moves without visits: the evaluation of the root, mixed with the values of the visited moves.
#[expect(clippy::cast_precision_loss, reason = "visit counts need no exact f32")]
fn mixed_value<M: Copy>(store: &Store<M>) -> f32 {
    let root = store.node(ROOT);
    let (mut visits, mut prior_sum, mut value_sum) = (0, 0.0, 0.0);
    for (_, child) in store.children(ROOT).filter(|(_, child)| child.visits > 0) {
        let prior = store.prior(root, child.edge);
        visits += child.visits;
        prior_sum += prior;
        value_sum += prior * value_for_root(child);
    }
    if prior_sum > 0.0 {
        (root.value + visits as f32 * value_sum / prior_sum) / (1 + visits) as f32
    } else {
        root.value
    }
}

/// Writes the improved policy: the priors, corrected by the values of the moves. Its sum is not normalised.
pub(super) fn improved_policy<M: Copy>(store: &Store<M>, out: &mut [f32]) {
    let most = most_visits(store);
    let unvisited = weighted(mixed_value(store), most);
    let root = store.node(ROOT);
    for (out, prior) in out.iter_mut().zip(&store.priors[root.edge_range()]) {
        *out = logit(*prior) + unvisited;
    }
    for (_, child) in store.children(ROOT).filter(|(_, child)| child.visits > 0) {
        out[child.edge as usize] =
            logit(store.prior(root, child.edge)) + weighted(value_for_root(child), most);
    }
    softmax(out);
}

/// Replaces logits by numbers in proportion to their exponentials, the largest of which is 1.
pub fn softmax(logits: &mut [f32]) {
    let best = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for logit in logits {
        *logit = (*logit - best).exp();
    }
}

/// The logarithm of a prior, ignoring its sign bit. The logarithm of 0 is replaced by a finite number.
fn logit(prior: f32) -> f32 {
    prior.abs().max(f32::MIN_POSITIVE).ln()
}

/// Samples the standard Gumbel distribution.
fn gumbel(rng: &mut Rng) -> f32 {
    (-(-(1.0 - rng.unit()).ln()).max(f64::MIN_POSITIVE).ln()) as f32
}
