//! Monte Carlo tree search in a game of any kind, with a network that evaluates encoded positions.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use sandtable_core::Game;
use sandtable_core::learn::{Layout, PolicyIndex};
use sandtable_engine::{PolicyError, PolicyEvaluator, PolicyNetwork, WrongOutput};
use sandtable_games::{
    AnyGame, BoxedGame, Error, Playable, TypedGameVisitor, UnknownName, line_text, move_at, with_typed_game,
};
use sandtable_search::{Evaluator, Leaf, Limits, Mcts, MctsSettings, RestoreError, RootVisit, TreeReport};

/// A batch of encoded positions, the input of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct EncodedBatch {
    /// The number of positions.
    pub count: usize,
    /// The observations, `[row][column][plane]` each.
    pub observations: Vec<f32>,
    /// The masks of legal policy indices.
    pub masks: Vec<bool>,
    /// The same as lists: the legal policy indices of each position.
    pub legal: Vec<Vec<PolicyIndex>>,
}

/// The output of a network for a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkOutput {
    /// A prior for each position and policy index. Only legal indices count; the priors need not be normalised.
    pub priors: Vec<f32>,
    /// The expected result for the side to move in each position, from −1 to 1.
    pub values: Vec<f32>,
}

/// A policy and value network.
pub trait Network: Sync {
    /// Evaluates a batch. `None` means that there is no result: the search gives up the batch and ends.
    fn evaluate(&self, batch: EncodedBatch) -> Option<NetworkOutput>;
}

/// Adapts a network to the search's evaluator interface.
struct NetworkEvaluator<'a> {
    network: &'a dyn Network,
    failure: Mutex<Option<WrongOutput>>,
}

impl<'a> NetworkEvaluator<'a> {
    const fn new(network: &'a dyn Network) -> Self {
        Self { network, failure: Mutex::new(None) }
    }

    /// An error if an output had the wrong length.
    fn finish(self) -> Result<(), WrongOutput> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn check<P: Playable>(&self, output: &NetworkOutput, positions: usize) -> ControlFlow<()> {
        let checked = WrongOutput::check("priors", positions, P::POLICY_SIZE, output.priors.len())
            .and_then(|()| WrongOutput::check("values", positions, 1, output.values.len()));
        let Err(error) = checked else { return ControlFlow::Continue(()) };
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        ControlFlow::Break(())
    }
}

impl<P: Playable> Evaluator<P> for NetworkEvaluator<'_> {
    fn evaluate(&self, leaf: &mut Leaf<P>) {
        let _ = self.evaluate_batch(std::slice::from_mut(leaf));
    }

    fn evaluate_batch(&self, leaves: &mut [Leaf<P>]) -> ControlFlow<()> {
        let mut observations = vec![0.0; leaves.len() * P::SHAPE.len()];
        let mut masks = vec![false; leaves.len() * P::POLICY_SIZE];
        let boards = observations.chunks_exact_mut(P::SHAPE.len());
        let mut legal = Vec::with_capacity(leaves.len());
        for ((leaf, board), mask) in leaves.iter().zip(boards).zip(masks.chunks_exact_mut(P::POLICY_SIZE)) {
            let written = leaf.position.write_observation(leaf.context, Layout::Hwc, board);
            written.expect("a chunk has the length of an observation");
            let indices: Vec<_> = leaf.moves.iter().map(|&m| leaf.position.policy_index(m)).collect();
            for index in &indices {
                mask[index.index()] = true;
            }
            legal.push(indices);
        }
        let batch = EncodedBatch { count: leaves.len(), observations, masks, legal };
        let Some(output) = self.network.evaluate(batch) else { return ControlFlow::Break(()) };
        self.check::<P>(&output, leaves.len())?;
        let rows = output.priors.chunks_exact(P::POLICY_SIZE).zip(&output.values);
        for (leaf, (priors, &value)) in leaves.iter_mut().zip(rows) {
            leaf.value = value;
            for (prior, &m) in leaf.priors.iter_mut().zip(&leaf.moves) {
                *prior = priors[leaf.position.policy_index(m).index()];
            }
        }
        ControlFlow::Continue(())
    }
}

/// An empty search tree rooted at the current position of a game. An error if the game is not one of
/// [`GAMES`](sandtable_games::GAMES).
pub fn search_tree(
    game: &dyn AnyGame,
    settings: MctsSettings,
    seed: u64,
) -> Result<Box<dyn Tree>, UnknownName> {
    struct NewTree(MctsSettings, u64);
    impl TypedGameVisitor for NewTree {
        type Out = Box<dyn Tree>;

        fn visit<P: Playable>(self, game: &Game<P>) -> Self::Out {
            Box::new(Mcts::new(game.clone(), self.0, self.1))
        }
    }
    with_typed_game(game, NewTree(settings, seed))
}

/// A search tree of a game whose kind is known only at run time. Moves are policy indices.
pub trait Tree: Send + Sync {
    /// Grows the tree: see [`Mcts::search`]. An output of the wrong length ends the search.
    fn search(&mut self, network: &dyn Network, limits: &Limits<'_>) -> Result<(), WrongOutput>;
    /// [`search`](Self::search) with a network whose policy is factored.
    fn search_policy(&mut self, network: &dyn PolicyNetwork, limits: &Limits<'_>) -> Result<(), PolicyError>;
    /// The best lines: see [`Mcts::report`]. Moves are in the form that programs exchange.
    fn report(&self, lines: usize) -> TreeReport<String>;
    /// Whether the root is proven to be won or lost.
    fn is_proven(&self) -> bool;
    /// Mixes Dirichlet noise into the priors of the root: see [`Mcts::add_noise`].
    fn add_noise(&mut self, network: &dyn Network, alpha: f64, fraction: f32) -> Result<(), WrongOutput>;
    /// The statistics of the root moves; empty before the first search or if the game is over.
    fn root(&self) -> Vec<RootVisit<PolicyIndex>>;
    /// The most visited line, in the form that programs exchange.
    fn line(&self) -> Vec<String>;
    /// Chooses a root move by its visits: see [`Mcts::choose`].
    fn choose(&mut self, temperature: f32) -> Option<PolicyIndex>;
    /// Plays a move and keeps its subtree.
    fn advance(&mut self, index: PolicyIndex) -> Result<(), Error>;
    /// The number of nodes of the tree.
    fn size(&self) -> usize;
    /// The number of visits of the root.
    fn visits(&self) -> u32;
    /// A copy of the game at the root.
    fn game(&self) -> BoxedGame;
    /// The tree and its random state as bytes, without the game: see [`Mcts::save`].
    fn save(&self) -> Result<Vec<u8>, RestoreError>;
    /// Restores a saved tree of the same game.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError>;
    /// Writes the policy that the search found, in the order of [`root`](Self::root): see [`Mcts::write_policy`].
    fn policy(&self) -> Vec<f32>;
}

impl<P: Playable> Tree for Mcts<P> {
    fn search(&mut self, network: &dyn Network, limits: &Limits<'_>) -> Result<(), WrongOutput> {
        let evaluator = NetworkEvaluator::new(network);
        Self::search(self, &evaluator, limits);
        evaluator.finish()
    }

    fn search_policy(&mut self, network: &dyn PolicyNetwork, limits: &Limits<'_>) -> Result<(), PolicyError> {
        let evaluator = PolicyEvaluator::new(network);
        Self::search(self, &evaluator, limits);
        evaluator.failure().map_or(Ok(()), Err)
    }

    fn report(&self, lines: usize) -> TreeReport<String> {
        let position = Self::game(self).position();
        let found = Self::report(self, lines);
        found.map_lines(|moves| line_text(position, moves))
    }

    fn is_proven(&self) -> bool {
        Self::is_proven(self)
    }

    fn add_noise(&mut self, network: &dyn Network, alpha: f64, fraction: f32) -> Result<(), WrongOutput> {
        let evaluator = NetworkEvaluator::new(network);
        Self::add_noise(self, &evaluator, alpha, fraction);
        evaluator.finish()
    }

    fn root(&self) -> Vec<RootVisit<PolicyIndex>> {
        let position = Self::game(self).position();
        let visits = self.root_moves().into_iter();
        visits
            .map(|RootVisit { root_move, visits, prior, value }| RootVisit {
                root_move: position.policy_index(root_move),
                visits,
                prior,
                value,
            })
            .collect()
    }

    fn line(&self) -> Vec<String> {
        line_text(Self::game(self).position(), &Self::line(self))
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

    fn save(&self) -> Result<Vec<u8>, RestoreError> {
        let mut bytes = Vec::new();
        Self::save(self, &mut bytes)?;
        Ok(bytes)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let mut rest = bytes;
        let tree = Self::restore(Self::game(self).clone(), *self.settings(), &mut rest)?;
        if !rest.is_empty() {
            return Err(RestoreError::Invalid);
        }
        *self = tree;
        Ok(())
    }

    fn policy(&self) -> Vec<f32> {
        let mut policy = vec![0.0; self.root_len()];
        self.write_policy(&mut policy);
        policy
    }
}
