//! Monte-Carlo tree search of any kind of game, with a network that sees encoded positions and answers in numbers.

use sandtable_core::{Layout, PolicyIndex};
use sandtable_search::{Evaluator, Leaf, Limits, Mcts, RootVisit};

use crate::Error;
use crate::any_game::{BoxedGame, Playable, move_at};

/// Positions as a network takes them, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    /// How many positions there are.
    pub count: usize,
    /// Their observations, `[row][column][plane]` each.
    pub observations: Vec<f32>,
    /// Which indices of the policy are legal in each.
    pub masks: Vec<bool>,
}

/// What a network answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// For each position and each index of the policy how much the move deserves a look; only legal ones count, and
    /// they need not add up to anything.
    pub priors: Vec<f32>,
    /// For each position the expected result for the player to move, from −1 to 1.
    pub values: Vec<f32>,
}

/// Judges encoded positions.
pub trait Network: Sync {
    /// Judges a batch. `None` is no judgement: all moves deserve the same look, and nothing is expected.
    fn judge(&self, batch: Encoded) -> Option<Judged>;
}

/// A network as the search asks it.
struct Asked<'a>(&'a dyn Network);

impl<P: Playable> Evaluator<P> for Asked<'_> {
    fn evaluate(&self, leaf: &mut Leaf<P>) {
        self.evaluate_batch(std::slice::from_mut(leaf));
    }

    fn evaluate_batch(&self, leaves: &mut [Leaf<P>]) {
        if leaves.is_empty() {
            return;
        }
        let mut observations = vec![0.0; leaves.len() * P::SHAPE.len()];
        let mut masks = vec![false; leaves.len() * P::POLICY_SIZE];
        let boards = observations.chunks_exact_mut(P::SHAPE.len());
        for ((leaf, board), mask) in leaves.iter().zip(boards).zip(masks.chunks_exact_mut(P::POLICY_SIZE)) {
            let written = leaf.position.write_observation(leaf.occurrences, Layout::Hwc, board);
            written.expect("a share has the length of an observation");
            for &m in &leaf.moves {
                mask[leaf.position.policy_index(m).index()] = true;
            }
        }
        let Some(judged) = self.0.judge(Encoded { count: leaves.len(), observations, masks }) else { return };
        assert_eq!(judged.priors.len(), leaves.len() * P::POLICY_SIZE, "a prior for each index");
        assert_eq!(judged.values.len(), leaves.len(), "a value for each position");
        let answers = judged.priors.chunks_exact(P::POLICY_SIZE).zip(&judged.values);
        for (leaf, (priors, &value)) in leaves.iter_mut().zip(answers) {
            leaf.value = value;
            for (prior, &m) in leaf.priors.iter_mut().zip(&leaf.moves) {
                *prior = priors[leaf.position.policy_index(m).index()];
            }
        }
    }
}

/// A search tree of a game whose kind is known only at run time. Moves are indices of the policy.
pub trait Tree: Send + Sync {
    /// Grows the tree: see [`Mcts::search`].
    fn search(&mut self, network: &dyn Network, limits: &Limits<'_>);
    /// Mixes noise into the first moves: see [`Mcts::add_noise`].
    fn add_noise(&mut self, network: &dyn Network, alpha: f64, fraction: f32);
    /// What is known of the first moves; nothing before the first search or if the game is over.
    fn root(&self) -> Vec<RootVisit<PolicyIndex>>;
    /// The line that was visited most, in the form that programs exchange.
    fn line(&self) -> Vec<String>;
    /// A first move by its visits: see [`Mcts::choose`].
    fn choose(&mut self, temperature: f32) -> Option<PolicyIndex>;
    /// Plays a move and keeps what is known below it.
    fn advance(&mut self, index: PolicyIndex) -> Result<(), Error>;
    /// How many nodes the tree has.
    fn size(&self) -> usize;
    /// How many times the current position was passed through.
    fn visits(&self) -> u32;
    /// A copy of the game that the tree belongs to.
    fn game(&self) -> BoxedGame;
}

impl<P: Playable> Tree for Mcts<P> {
    fn search(&mut self, network: &dyn Network, limits: &Limits<'_>) {
        Self::search(self, &Asked(network), limits);
    }

    fn add_noise(&mut self, network: &dyn Network, alpha: f64, fraction: f32) {
        Self::add_noise(self, &Asked(network), alpha, fraction);
    }

    fn root(&self) -> Vec<RootVisit<PolicyIndex>> {
        let position = Self::game(self).position();
        let visits = self.root_moves().into_iter();
        visits
            .map(|RootVisit { m, visits, prior, value }| RootVisit {
                m: position.policy_index(m),
                visits,
                prior,
                value,
            })
            .collect()
    }

    fn line(&self) -> Vec<String> {
        let mut position = Self::game(self).position().clone();
        let text = |m| {
            let text = position.move_text(m);
            position.play_unchecked(m);
            text
        };
        Self::line(self).into_iter().map(text).collect()
    }

    fn choose(&mut self, temperature: f32) -> Option<PolicyIndex> {
        let m = Self::choose(self, temperature)?;
        Some(Self::game(self).position().policy_index(m))
    }

    fn advance(&mut self, index: PolicyIndex) -> Result<(), Error> {
        let m = move_at(Self::game(self), index)?;
        Self::advance(self, m)?;
        Ok(())
    }

    fn size(&self) -> usize {
        Self::size(self)
    }

    fn visits(&self) -> u32 {
        Self::visits(self)
    }

    fn game(&self) -> BoxedGame {
        Box::new(Self::game(self).clone())
    }
}
