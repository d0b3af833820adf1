//! Play and analysis with a network that has a policy: tree search guided by its priors and values.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use sandtable_core::Game;
use sandtable_core::learn::{Layout, Shape};
use sandtable_games::{AnyGame, Playable, TypedGameVisitor, UnknownName, find, line_text, with_typed_game};
use sandtable_search::{Evaluator, Leaf, Limits, Mcts, MctsSettings, TreeReport, softmax};

/// The number of leaves that a search evaluates at once.
const BATCH_SIZE: usize = 8;
/// The memory of a node or an edge of a tree, in bytes, as a bound for all games.
const BYTES_PER_EDGE: usize = 16;
/// The default bound of the memory of a tree, in MiB.
const DEFAULT_MEBIBYTES: usize = 256;

/// The output of a network for a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyOutput {
    /// The head of each position, `[row][column][plane]`: the logits of the factors.
    pub head: Vec<f32>,
    /// The logits of a win, a draw and a loss of the side to move in each position.
    pub wdl: Vec<[f32; 3]>,
}

impl PolicyOutput {
    /// The output, if it is one for this many positions and a head of this shape.
    fn checked(self, positions: usize, head: Shape) -> Result<Self, WrongOutput> {
        WrongOutput::check("head", positions, head.len(), self.head.len())?;
        WrongOutput::check("chances", positions, 3, 3 * self.wdl.len())?;
        Ok(self)
    }
}

/// A network with a factored policy and a value.
pub trait PolicyNetwork: Send + Sync {
    /// The name of its game.
    fn game(&self) -> &str;
    /// The name of the rules that it was trained for.
    fn rules(&self) -> &str;
    /// Evaluates positions of the game, whose observations are `[row][column][plane]` each.
    fn evaluate(&self, observations: &[f32]) -> Result<PolicyOutput, PolicyError>;
}

/// The error for a network that returns too many or too few numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the network returns {found} numbers as {name} for {positions} positions: expected {expected}")]
#[non_exhaustive]
pub struct WrongOutput {
    /// What the numbers are.
    pub name: &'static str,
    /// The number of positions.
    pub positions: usize,
    /// How many there should be.
    pub expected: usize,
    /// How many there are.
    pub found: usize,
}

impl WrongOutput {
    /// Checks that there are `each` numbers for every position.
    pub const fn check(name: &'static str, positions: usize, each: usize, found: usize) -> Result<(), Self> {
        let expected = positions * each;
        if expected == found { Ok(()) } else { Err(Self { name, positions, expected, found }) }
    }
}

/// Why a network cannot search a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The network is for another game.
    #[error("the network is for {expected}, not for {found}")]
    OtherGame {
        /// The game of the network.
        expected: String,
        /// The other game.
        found: &'static str,
    },
    /// The network is for other rules.
    #[error("the network is for the rules `{expected}`, not for {}", rules_text(*found))]
    OtherRules {
        /// The rules of the network.
        expected: String,
        /// The other rules, if they are a preset.
        found: Option<&'static str>,
    },
    /// The game is not one of [`GAMES`](sandtable_games::GAMES).
    #[error(transparent)]
    UnknownGame(#[from] UnknownName),
    /// The inference failed.
    #[error("the network cannot be evaluated: {0}")]
    Inference(String),
    /// The network returns too many or too few numbers.
    #[error(transparent)]
    WrongOutput(#[from] WrongOutput),
    /// The network returns infinite numbers or not a number.
    #[error("the network returns numbers that are not finite")]
    NotFinite,
}

fn rules_text(name: Option<&str>) -> String {
    name.map_or_else(|| "a variation of rules without a name".to_owned(), |name| format!("`{name}`"))
}

/// Adapts a network to the evaluator of a search.
pub struct PolicyEvaluator<'a> {
    network: &'a dyn PolicyNetwork,
    failure: Mutex<Option<PolicyError>>,
}

impl<'a> PolicyEvaluator<'a> {
    /// An evaluator with this network.
    #[must_use]
    pub const fn new(network: &'a dyn PolicyNetwork) -> Self {
        Self { network, failure: Mutex::new(None) }
    }

    /// Why the last evaluation had no result.
    #[must_use]
    pub fn failure(self) -> Option<PolicyError> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn try_evaluate<P: Playable>(&self, leaves: &mut [Leaf<P>]) -> Result<(), PolicyError> {
        let mut observations = vec![0.0; leaves.len() * P::SHAPE.len()];
        for (leaf, board) in leaves.iter().zip(observations.chunks_exact_mut(P::SHAPE.len())) {
            let written = leaf.position.write_observation(leaf.context, Layout::Hwc, board);
            written.expect("a chunk has the length of an observation");
        }
        let output = self.network.evaluate(&observations)?.checked(leaves.len(), P::HEAD)?;
        let rows = output.head.chunks_exact(P::HEAD.len()).zip(&output.wdl);
        for (leaf, (head, wdl)) in leaves.iter_mut().zip(rows) {
            let [win, _, loss] = probabilities(*wdl)?;
            leaf.value = win - loss;
            for (prior, &m) in leaf.priors.iter_mut().zip(&leaf.moves) {
                *prior = 0.0;
                P::for_each_factor(leaf.position.policy_index(m), |factor| {
                    *prior += head[factor.offset(P::HEAD)];
                });
            }
            if !leaf.priors.iter().all(|logit| logit.is_finite()) {
                return Err(PolicyError::NotFinite);
            }
            softmax(&mut leaf.priors);
        }
        Ok(())
    }
}

impl<P: Playable> Evaluator<P> for PolicyEvaluator<'_> {
    fn evaluate(&self, leaf: &mut Leaf<P>) {
        let _ = self.evaluate_batch(std::slice::from_mut(leaf));
    }

    fn evaluate_batch(&self, leaves: &mut [Leaf<P>]) -> ControlFlow<()> {
        match self.try_evaluate(leaves) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// The probabilities of a win, a draw and a loss.
fn probabilities(logits: [f32; 3]) -> Result<[f32; 3], PolicyError> {
    if !logits.iter().all(|logit| logit.is_finite()) {
        return Err(PolicyError::NotFinite);
    }
    let mut shares = logits;
    softmax(&mut shares);
    let sum: f32 = shares.iter().sum();
    Ok(shares.map(|share| share / sum))
}

/// An engine that searches a tree with a network. It has no noise: the same limit of visits gives the same result.
#[derive(Clone)]
pub struct PolicyEngine {
    /// The number of lines to report; at least one.
    pub lines: usize,
    /// The number of threads that evaluate positions; they do not change the result.
    pub threads: usize,
    network: Arc<dyn PolicyNetwork>,
    max_nodes: u32,
}

impl PolicyEngine {
    /// Creates an engine that reports one line.
    #[must_use]
    pub fn new(network: Arc<dyn PolicyNetwork>) -> Self {
        Self { lines: 1, threads: 1, network, max_nodes: 0 }.with_memory(DEFAULT_MEBIBYTES)
    }

    /// Sets the number of lines.
    #[must_use]
    pub const fn with_lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    /// Sets the number of threads.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Bounds the tree to about this many MiB; a search ends when its tree is full.
    #[must_use]
    pub fn with_memory(mut self, mebibytes: usize) -> Self {
        let nodes = mebibytes.saturating_mul((1 << 20) / BYTES_PER_EDGE);
        self.max_nodes = u32::try_from(nodes).unwrap_or(MctsSettings::MAX_NODES);
        self
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &dyn PolicyNetwork {
        &*self.network
    }

    /// Whether the network is for the game with this name and the rules with this name.
    #[must_use]
    pub fn is_for(&self, game: &str, rules: Option<&str>) -> bool {
        self.network.game() == game && rules == Some(self.network.rules())
    }

    /// Checks that the network is for the game and its rules.
    pub fn check(&self, game: &dyn AnyGame) -> Result<(), PolicyError> {
        let (name, rules) = (game.name(), game.rules());
        if self.is_for(name, rules) {
            return Ok(());
        }
        Err(if self.network.game() == name {
            PolicyError::OtherRules { expected: self.network.rules().to_owned(), found: rules }
        } else {
            PolicyError::OtherGame { expected: self.network.game().to_owned(), found: name }
        })
    }

    /// The probabilities of a win, a draw and a loss of the side to move by the network alone, without search.
    pub fn wdl(&self, game: &dyn AnyGame) -> Result<[f32; 3], PolicyError> {
        self.check(game)?;
        let mut observation = vec![0.0; game.shape().len()];
        game.write_observation(Layout::Hwc, &mut observation).expect("the observation has this length");
        let head = find(game.name())?.head.shape;
        let output = self.network.evaluate(&observation)?.checked(1, head)?;
        probabilities(output.wdl[0])
    }

    /// Searches the position and calls `on_report` from time to time, the more rarely the longer the search takes. Nodes are
    /// visits, and the depth is the length of the best line. The search ends at the first limit, when the result is proven or
    /// when the tree is full.
    ///
    /// Even if it is stopped at once, the search evaluates the root, and reports the move with the highest prior.
    pub fn search(
        &self,
        game: &dyn AnyGame,
        limits: &Limits<'_>,
        on_report: &mut dyn FnMut(&TreeReport<String>) -> ControlFlow<()>,
    ) -> Result<TreeReport<String>, PolicyError> {
        self.check(game)?;
        with_typed_game(game, TreeSearch { engine: self, limits, on_report })?
    }
}

/// The search of a [`PolicyEngine`].
struct TreeSearch<'a, 'b> {
    engine: &'a PolicyEngine,
    limits: &'a Limits<'b>,
    on_report: &'a mut dyn FnMut(&TreeReport<String>) -> ControlFlow<()>,
}

impl TypedGameVisitor for TreeSearch<'_, '_> {
    type Out = Result<TreeReport<String>, PolicyError>;

    fn visit<P: Playable>(self, game: &Game<P>) -> Self::Out {
        let Self { engine, limits, on_report } = self;
        let settings = MctsSettings::default()
            .with_batch_size(BATCH_SIZE)
            .with_threads(engine.threads)
            .with_max_nodes(engine.max_nodes);
        let mut tree = Mcts::new(game.clone(), settings, 0);
        let total = limits.nodes.unwrap_or(u64::MAX);
        loop {
            let visits = u64::from(tree.visits());
            let step = (visits / 8).max(BATCH_SIZE as u64).min(total - visits);
            let evaluator = PolicyEvaluator::new(&*engine.network);
            tree.search(&evaluator, &limits.with_nodes(step));
            if let Some(error) = evaluator.failure() {
                return Err(error);
            }
            let report = tree.report(engine.lines).map_lines(|moves| line_text(game.position(), moves));
            let is_stopped = report.report.nodes < visits + step;
            let is_deep = limits.depth.is_some_and(|depth| report.report.depth >= depth);
            let is_done = is_stopped || is_deep || report.report.nodes >= total || tree.is_proven();
            if report.root.is_empty() || on_report(&report).is_break() || is_done {
                return Ok(report);
            }
        }
    }
}

impl fmt::Debug for PolicyEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyEngine")
            .field("game", &self.network.game())
            .field("lines", &self.lines)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use sandtable_chess::Chess;
    use sandtable_core::learn::{FactoredPolicy as _, PolicyIndex};
    use sandtable_games::BoxedGame;
    use sandtable_search::Score;

    use super::*;

    /// A network of chess with the same logits everywhere, except for one action.
    struct Constant {
        /// The action that it prefers.
        action: Option<PolicyIndex>,
        wdl: [f32; 3],
    }

    impl PolicyNetwork for Constant {
        fn game(&self) -> &'static str {
            "chess"
        }

        fn rules(&self) -> &'static str {
            "standard"
        }

        fn evaluate(&self, observations: &[f32]) -> Result<PolicyOutput, PolicyError> {
            let kind = find("chess").unwrap();
            let count = observations.len() / kind.shape.len();
            let mut head = vec![0.0; kind.head.shape.len()];
            if let Some(action) = self.action {
                let mut factors = vec![0; kind.head.max_factors];
                Chess::write_factors(action, &mut factors).unwrap();
                for factor in factors.iter().filter_map(|factor| usize::try_from(*factor).ok()) {
                    head[factor] = 3.0;
                }
            }
            Ok(PolicyOutput { head: head.repeat(count), wdl: vec![self.wdl; count] })
        }
    }

    fn engine(network: Constant) -> PolicyEngine {
        PolicyEngine::new(Arc::new(network))
    }

    const EVEN: Constant = Constant { action: None, wdl: [0.0; 3] };

    fn chess(position: &str) -> BoxedGame {
        find("chess").unwrap().parse(position, "standard").unwrap()
    }

    fn start() -> BoxedGame {
        find("chess").unwrap().start("standard").unwrap()
    }

    fn search(engine: &PolicyEngine, game: &BoxedGame, limits: &Limits<'_>) -> TreeReport<String> {
        engine.search(&**game, limits, &mut |_| ControlFlow::Continue(())).unwrap()
    }

    #[test]
    fn reports_grow_to_the_limit() {
        let mut visits = Vec::new();
        let found = engine(EVEN).search(&*start(), &Limits::nodes(203), &mut |found| {
            visits.push(found.report.nodes);
            ControlFlow::Continue(())
        });
        assert_eq!(found.unwrap().report.nodes, 203);
        assert_eq!((visits[0], visits.last()), (BATCH_SIZE as u64, Some(&203)));
        assert!(visits.is_sorted_by(|a, b| a < b), "{visits:?}");
    }

    #[test]
    fn a_callback_or_the_depth_ends_the_search() {
        let broken = engine(EVEN).search(&*start(), &Limits::nodes(203), &mut |_| ControlFlow::Break(()));
        assert_eq!(broken.unwrap().report.nodes, BATCH_SIZE as u64);
        let found = search(&engine(EVEN), &start(), &Limits::depth(2));
        assert!(found.report.depth >= 2 && found.report.seldepth >= found.report.depth);
    }

    #[test]
    fn the_logit_of_a_move_is_the_sum_of_its_factors() {
        let game = start();
        let action = game.index_of("g1f3").unwrap();
        let network = Constant { action: Some(action), wdl: [1.0, 0.0, -1.0] };
        let found = search(&engine(network), &game, &Limits::nodes(1));
        let knight = &found.root[0];
        assert_eq!((knight.root_move.as_str(), knight.visits), ("g1f3", 1));
        // Other moves share one of the two or three factors at most: they are e³ or more behind.
        assert!(knight.prior > 0.5, "{knight:?}");
    }

    #[test]
    fn values_become_chances_and_scores_of_the_mover() {
        let engine = engine(Constant { action: None, wdl: [2.0, 1.0, 0.0] });
        let wdl = engine.wdl(&*start()).unwrap();
        let sum = 1.0 + 1_f32.exp() + 2_f32.exp();
        for (found, expected) in wdl.into_iter().zip([2_f32.exp(), 1_f32.exp(), 1.0]) {
            assert!((found - expected / sum).abs() < 1e-6, "{wdl:?}");
        }
        // After the first move the opponent has the better chances.
        let found = search(&engine, &start(), &Limits::nodes(1));
        assert!((found.root[0].value - (wdl[2] - wdl[0])).abs() < 1e-6, "{found:?}");
        assert!(found.report.score() < Some(Score::Centipawns(0)));
    }

    #[test]
    fn proven_results_have_their_length_in_turns() {
        let limits = Limits::nodes(20_000);
        let won = search(&engine(EVEN), &chess("7k/5K2/6Q1/8/8/8/8/8 w - - 0 1"), &limits);
        assert_eq!(won.report.score(), Some(Score::Win(1)));
        assert!(won.report.nodes < 1_000, "{won:?}");
        let lost = search(&engine(EVEN), &chess("7k/5K2/8/8/8/8/8/6Q1 b - - 0 1"), &limits);
        assert_eq!((lost.report.score(), lost.report.lines[0].moves.len()), (Some(Score::Loss(2)), 2));
    }

    #[test]
    fn a_stopped_search_has_a_move() {
        let found = search(&engine(EVEN), &start(), &Limits::until(&|| true));
        assert_eq!((found.report.nodes, found.report.lines.len()), (0, 1));
    }

    #[test]
    fn only_the_chosen_root_moves_are_searched() {
        let game = start();
        let legal = game.legal_moves();
        let limits = Limits::nodes(40).with_root_moves(&[3, 11]);
        let found = search(&engine(EVEN).with_lines(5), &game, &limits);
        let mut moves: Vec<_> = found.root.iter().map(|visit| visit.root_move.as_str()).collect();
        moves.sort_unstable();
        let mut expected = [legal[3].text.as_str(), legal[11].text.as_str()];
        expected.sort_unstable();
        assert_eq!(moves, expected);
    }

    #[test]
    fn a_full_tree_ends_the_search() {
        let found = search(&engine(EVEN).with_memory(1), &start(), &Limits::default());
        assert!((1_000..66_000).contains(&found.report.nodes), "{}", found.report.nodes);
        assert!(found.report.hashfull >= 1000);
    }

    /// A network that returns a number of rows whatever it is asked.
    struct Rows(usize);

    impl PolicyNetwork for Rows {
        fn game(&self) -> &'static str {
            "chess"
        }

        fn rules(&self) -> &'static str {
            "standard"
        }

        fn evaluate(&self, _: &[f32]) -> Result<PolicyOutput, PolicyError> {
            let head = find("chess").unwrap().head.shape.len();
            Ok(PolicyOutput { head: vec![0.0; self.0 * head], wdl: vec![[0.0; 3]; self.0] })
        }
    }

    #[test]
    fn outputs_of_the_wrong_length_are_errors() {
        let head = find("chess").unwrap().head.shape.len();
        for rows in [0, 2] {
            let engine = PolicyEngine::new(Arc::new(Rows(rows)));
            let error = WrongOutput { name: "head", positions: 1, expected: head, found: rows * head };
            assert_eq!(engine.wdl(&*start()), Err(error.into()));
            let found = engine.search(&*start(), &Limits::nodes(5), &mut |_| ControlFlow::Continue(()));
            assert_eq!(found, Err(error.into()));
        }
    }

    #[test]
    fn infinite_numbers_and_other_games_are_errors() {
        let broken = engine(Constant { action: None, wdl: [f32::NAN, 0.0, 0.0] });
        let found = broken.search(&*start(), &Limits::nodes(5), &mut |_| ControlFlow::Continue(()));
        assert_eq!(found, Err(PolicyError::NotFinite));
        let other = find("tribun").unwrap().start("standard").unwrap();
        let found = engine(EVEN).search(&*other, &Limits::nodes(5), &mut |_| ControlFlow::Continue(()));
        let error = PolicyError::OtherGame { expected: "chess".to_owned(), found: "tribun" };
        assert_eq!(found, Err(error));
        let over = chess("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
        assert_eq!(search(&engine(EVEN), &over, &Limits::nodes(5)).report.lines, []);
    }
}
