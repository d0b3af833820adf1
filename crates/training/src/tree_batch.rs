//! Search trees of many games, whose leaves are evaluated together.
//!
//! A network is fastest on large batches, and self-play has many games to fill them: every tree contributes a few leaves to
//! each batch. The caller pulls the batches, so that any server, queue or device can evaluate them.

use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _};
use rayon::slice::ParallelSliceMut as _;
use sandtable_core::learn::{Layout, PolicyIndex};
use sandtable_core::rules::{Context, Rng};
use sandtable_core::{Game, Player};
use sandtable_games::{AnyGame, BoxedGame, GameKind, GameVisitor, Playable, UnknownName, named_rules};
use sandtable_search::{Mcts, MctsSettings, RestoreError, softmax};

use crate::pool::Pool;

/// The largest error beyond ±1 that a value may have by rounding.
const VALUE_TOLERANCE: f32 = 1e-3;

/// A value of a network, from −1 to 1; `None` if it is further outside than rounding explains, or not a number.
#[must_use]
pub fn checked_value(value: f32) -> Option<f32> {
    (value.abs() <= 1.0 + VALUE_TOLERANCE).then(|| value.clamp(-1.0, 1.0))
}

/// The settings of a batch of trees.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TreeBatchSettings {
    /// The number of trees.
    pub trees: usize,
    /// The number of threads that share the work; at least one. Results do not depend on it.
    pub threads: usize,
    /// The number of random moves at the start of every game, fewer if they would end it.
    pub opening_plies: usize,
    /// The seed, from which every tree derives its own.
    pub seed: u64,
    /// The settings of every tree. `batch_size` is the number of leaves that a tree contributes to a batch.
    pub search: MctsSettings,
}

impl TreeBatchSettings {
    /// Settings for `trees` trees on one thread, without random openings.
    #[must_use]
    pub fn new(trees: usize) -> Self {
        Self { trees, threads: 1, opening_plies: 0, seed: 0, search: MctsSettings::default() }
    }

    /// Sets the number of threads.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the number of random moves at the start of every game.
    #[must_use]
    pub const fn with_opening_plies(mut self, opening_plies: usize) -> Self {
        self.opening_plies = opening_plies;
        self
    }

    /// Sets the seed.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the settings of every tree.
    #[must_use]
    pub const fn with_search(mut self, search: MctsSettings) -> Self {
        self.search = search;
        self
    }
}

/// Why a call failed. Nothing has changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeBatchError {
    /// An array has the wrong length.
    #[error("{name} must have {expected} numbers, not {found}")]
    WrongLength {
        /// The name of the array.
        name: &'static str,
        /// The length that it should have.
        expected: usize,
        /// The length that it has.
        found: usize,
    },
    /// The selected leaves have not been expanded.
    #[error("the selected batch is not expanded yet: call expand or cancel first")]
    Selected,
    /// No leaves have been selected.
    #[error("there is no batch to expand: call select first")]
    NotSelected,
    /// A number of the policy is not a prior or logit.
    #[error("{name} must be {expected}, not {found} (for action {action} of leaf {leaf})")]
    Policy {
        /// What the numbers are.
        name: &'static str,
        /// What they should be.
        expected: &'static str,
        /// The number.
        found: f32,
        /// The action.
        action: u32,
        /// The leaf.
        leaf: usize,
    },
    /// A value is not an expected result.
    #[error("values must be -1 to 1, not {found} (of leaf {leaf})")]
    Value {
        /// The value.
        found: f32,
        /// The leaf.
        leaf: usize,
    },
    /// A game is over, so that no move can be played.
    #[error("the game of tree {tree} is over: use -1, or reset the tree")]
    Over {
        /// The tree.
        tree: usize,
    },
    /// An action is not legal in its game.
    #[error("action {action} is not legal in the game of tree {tree}")]
    Illegal {
        /// The tree.
        tree: usize,
        /// The action.
        action: i64,
    },
    /// A tree has no root moves to choose from.
    #[error("tree {tree} has not been searched")]
    NotSearched {
        /// The tree.
        tree: usize,
    },
    /// There is no such tree.
    #[error("unknown tree {tree}: expected 0 to {last}")]
    UnknownTree {
        /// The tree.
        tree: usize,
        /// The last tree.
        last: usize,
    },
    /// The game is of another kind.
    #[error("expected a game of {expected}, not of {found}")]
    OtherGame {
        /// The kind of the trees.
        expected: &'static str,
        /// The kind of the game.
        found: &'static str,
    },
    /// A saved tree cannot be restored, or a tree cannot be saved.
    #[error(transparent)]
    Restore(#[from] RestoreError),
}

impl TreeBatchError {
    fn check(name: &'static str, expected: usize, found: usize) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self::WrongLength { name, expected, found }) }
    }
}

/// The size of a selected batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The number of leaves.
    pub leaves: usize,
    /// The number of legal actions of all leaves.
    pub actions: usize,
    /// Whether all trees have their visits. There may be no leaves although visits remain: then select again.
    pub is_done: bool,
}

/// The caller's arrays for the leaves of a batch.
#[derive(Debug)]
pub struct LeafArrays<'a> {
    /// The observations, `[row][column][plane]` each.
    pub observations: &'a mut [f32],
    /// The legal actions of all leaves, one leaf after the other.
    pub actions: &'a mut [i32],
    /// Leaf `i` has `actions[offsets[i]..offsets[i + 1]]`; the last offset is the number of all actions.
    pub offsets: &'a mut [i64],
    /// The tree of each leaf.
    pub trees: &'a mut [i32],
}

/// The caller's arrays for the root moves of all trees.
#[derive(Debug)]
pub struct RootArrays<'a> {
    /// Tree `i` has the entries `offsets[i]..offsets[i + 1]` of the other arrays; the last offset is the number of all
    /// moves.
    pub offsets: &'a mut [i64],
    /// The actions.
    pub actions: &'a mut [i32],
    /// The visits.
    pub visits: &'a mut [i32],
    /// The priors, noise included.
    pub priors: &'a mut [f32],
    /// The mean results for the side to move; 0 without visits.
    pub values: &'a mut [f32],
    /// The policy that the search found: see [`Mcts::write_policy`].
    pub policy: &'a mut [f32],
}

/// The state of a game in a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameStatus {
    /// Whether the game is over by the rules, or by agreement or resignation.
    pub over: bool,
    /// Whether the game is not over but has reached the limit of moves.
    pub truncated: bool,
    /// The side to move.
    pub turn: Player,
    /// The number of moves played.
    pub ply: usize,
    /// The result of each player; 0 unless the game is over.
    pub returns: [f32; 2],
}

/// What the policy of a network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyForm {
    /// Priors: at least 0, not necessarily normalised.
    Priors,
    /// Logits, whose softmax over the legal actions is the policy.
    Logits,
}

/// Search trees of many games of one kind.
///
/// The same seed, settings, network outputs and calls give the same games, whatever the number of threads. A call that
/// fails changes nothing.
pub trait TreeBatch: Send + Sync {
    /// The number of trees.
    fn len(&self) -> usize;

    /// Whether there are no trees.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Starts a search: the number of new visits of each tree, and whether its root gets noise.
    fn begin(&mut self, visits: &[u32], noise: &[bool]) -> Result<(), TreeBatchError>;

    /// Selects the leaves of the next batch.
    fn select(&mut self) -> Result<Selection, TreeBatchError>;

    /// The number of selected leaves and of their actions; 0 if nothing is selected.
    fn selected(&self) -> (usize, usize);

    /// Writes the selected leaves.
    fn write_leaves(&mut self, arrays: LeafArrays<'_>) -> Result<(), TreeBatchError>;

    /// Expands the selected leaves with a prior or logit for each legal action and a value for each leaf.
    fn expand(&mut self, policy: &[f32], values: &[f32], form: PolicyForm) -> Result<(), TreeBatchError>;

    /// Gives up the selected leaves. Their visits remain to be made.
    fn cancel(&mut self);

    /// Gives up the rest of the search.
    fn stop(&mut self);

    /// The number of root moves of all trees.
    fn count_root_moves(&self) -> usize;

    /// Writes the root moves of all trees. A tree that has not been searched has none.
    fn write_roots(&self, arrays: RootArrays<'_>) -> Result<(), TreeBatchError>;

    /// Writes the value of each root for the side to move, or the result of a finished game.
    fn write_root_values(&self, values: &mut [f32]) -> Result<(), TreeBatchError>;

    /// Chooses an action for each tree: see [`Mcts::choose`]; −1 where the game is finished.
    fn choose(&mut self, temperatures: &[f32], actions: &mut [i64]) -> Result<(), TreeBatchError>;

    /// Plays an action in each game and keeps its subtree; −1 leaves a game as it is.
    fn advance(&mut self, actions: &[i64]) -> Result<(), TreeBatchError>;

    /// Restarts the games with a true entry.
    fn reset(&mut self, mask: &[bool]) -> Result<(), TreeBatchError>;

    /// Replaces a game.
    fn set_game(&mut self, tree: usize, game: &dyn AnyGame) -> Result<(), TreeBatchError>;

    /// A copy of a game.
    fn game(&self, tree: usize) -> Result<BoxedGame, TreeBatchError>;

    /// The state of a game.
    ///
    /// # Panics
    ///
    /// If `tree` is out of range.
    fn status(&self, tree: usize) -> GameStatus;

    /// The number of nodes of all trees.
    fn size(&self) -> usize;

    /// The trees with their random state as bytes, without the games.
    fn save(&self) -> Result<Vec<u8>, TreeBatchError>;

    /// Restores saved trees with their games.
    fn restore(&mut self, games: &[&dyn AnyGame], bytes: &[u8]) -> Result<(), TreeBatchError>;
}

/// A batch of trees of a game whose kind is known only at run time.
pub type BoxedTreeBatch = Box<dyn TreeBatch>;

/// Search trees of new games.
pub fn tree_batch(
    kind: &GameKind,
    rules: &str,
    settings: &TreeBatchSettings,
) -> Result<BoxedTreeBatch, UnknownName> {
    struct NewTrees<'a>(&'a str, &'a TreeBatchSettings);
    impl GameVisitor for NewTrees<'_> {
        type Out = Result<BoxedTreeBatch, UnknownName>;

        fn visit<P: Playable>(self) -> Self::Out {
            Ok(Box::new(Trees::<P>::new(named_rules::<P>(self.0)?, self.1)))
        }
    }
    kind.visit(NewTrees(rules, settings))
}

/// Trees of one position type.
struct Trees<P: Playable> {
    slots: Vec<Slot<P>>,
    pool: Pool,
    settings: TreeBatchSettings,
    start: P,
    /// Whether leaves have been selected and not expanded.
    is_selected: bool,
}

/// One tree with its share of the batch.
struct Slot<P: Playable> {
    number: usize,
    tree: Mcts<P>,
    leaves: Vec<Selected<P>>,
    /// The legal actions of the leaves.
    actions: Vec<i32>,
    /// The first leaf and the first action in the batch.
    first_leaf: usize,
    first_action: usize,
    /// The move of the current [`advance`](TreeBatch::advance).
    next: Option<P::Move>,
}

/// A selected leaf.
struct Selected<P> {
    position: P,
    context: Context,
    /// The end of the leaf's actions in the actions of the slot.
    end: usize,
}

impl<P: Playable> Slot<P> {
    fn select(&mut self, max: usize) {
        self.leaves.clear();
        self.actions.clear();
        let (leaves, actions) = (&mut self.leaves, &mut self.actions);
        self.tree.select(max, |position, context, moves| {
            actions.extend(moves.iter().map(|&m| position.policy_index(m).0.cast_signed()));
            leaves.push(Selected { position, context, end: actions.len() });
        });
    }

    /// The range of a leaf's actions in the slot.
    fn range(&self, leaf: usize) -> std::ops::Range<usize> {
        let start = if leaf == 0 { 0 } else { self.leaves[leaf - 1].end };
        start..self.leaves[leaf].end
    }

    fn expand(&mut self, policy: &[f32], values: &[f32], form: PolicyForm) {
        let policy = &policy[self.first_action..][..self.actions.len()];
        let values = &values[self.first_leaf..][..self.leaves.len()];
        let leaves = &self.leaves;
        self.tree.expand(|leaf, priors| {
            let start = if leaf == 0 { 0 } else { leaves[leaf - 1].end };
            priors.copy_from_slice(&policy[start..leaves[leaf].end]);
            if form == PolicyForm::Logits {
                softmax(priors);
            }
            values[leaf].clamp(-1.0, 1.0)
        });
        self.leaves.clear();
    }

    /// The legal move with this action; `None` for −1.
    fn find(&self, action: i64) -> Result<Option<P::Move>, TreeBatchError> {
        if action == -1 {
            return Ok(None);
        }
        if self.tree.is_finished() {
            return Err(TreeBatchError::Over { tree: self.number });
        }
        let illegal = TreeBatchError::Illegal { tree: self.number, action };
        let index =
            u32::try_from(action).map(PolicyIndex).ok().filter(|index| index.index() < P::POLICY_SIZE);
        let Some(index) = index else { return Err(illegal) };
        let position = self.tree.game().position();
        let mut listed = self.tree.root_legal().iter().copied();
        let found = match listed.find(|&m| position.policy_index(m) == index) {
            None if self.tree.root_len() == 0 => position.move_at(index),
            found => found,
        };
        found.map(Some).ok_or(illegal)
    }
}

impl<P: Playable> Trees<P> {
    fn new(rules: P::Rules, settings: &TreeBatchSettings) -> Self {
        let mut rng = Rng::new(settings.seed);
        let start = P::start(rules);
        let slots = (0..settings.trees).map(|number| {
            let game = Game::from_position(start.clone());
            let mut tree = Mcts::new(game, settings.search, rng.next_u64());
            tree.restart(start.clone(), settings.opening_plies);
            Slot {
                number,
                tree,
                leaves: Vec::new(),
                actions: Vec::new(),
                first_leaf: 0,
                first_action: 0,
                next: None,
            }
        });
        let slots = slots.collect();
        Self { slots, pool: Pool::new(settings.threads), settings: *settings, start, is_selected: false }
    }

    fn check_idle(&self) -> Result<(), TreeBatchError> {
        if self.is_selected { Err(TreeBatchError::Selected) } else { Ok(()) }
    }

    fn slot(&self, tree: usize) -> Result<&Slot<P>, TreeBatchError> {
        let last = self.slots.len().saturating_sub(1);
        self.slots.get(tree).ok_or(TreeBatchError::UnknownTree { tree, last })
    }

    /// The number of leaves and actions of the batch.
    fn batch_size(&self) -> (usize, usize) {
        self.slots.last().map_or((0, 0), |slot| {
            (slot.first_leaf + slot.leaves.len(), slot.first_action + slot.actions.len())
        })
    }

    /// Checks the output of a network.
    fn check_output(&self, policy: &[f32], values: &[f32], form: PolicyForm) -> Result<(), TreeBatchError> {
        if !self.is_selected {
            return Err(TreeBatchError::NotSelected);
        }
        let (leaves, actions) = self.batch_size();
        TreeBatchError::check("policy", actions, policy.len())?;
        TreeBatchError::check("values", leaves, values.len())?;
        if let Some(leaf) = values.iter().position(|value| checked_value(*value).is_none()) {
            return Err(TreeBatchError::Value { found: values[leaf], leaf });
        }
        let (name, expected, is_valid): (_, _, fn(f32) -> bool) = match form {
            PolicyForm::Priors => {
                ("priors", "finite and at least 0", |prior| prior.is_finite() && prior >= 0.0)
            }
            PolicyForm::Logits => ("logits", "finite", f32::is_finite),
        };
        let Some(at) = policy.iter().position(|number| !is_valid(*number)) else { return Ok(()) };
        let slot = self.slots.iter().rfind(|slot| slot.first_action <= at && !slot.actions.is_empty());
        let slot = slot.expect("every action belongs to a leaf");
        let within = at - slot.first_action;
        let leaf = slot.leaves.partition_point(|leaf| leaf.end <= within);
        let action = slot.actions[within].cast_unsigned();
        Err(TreeBatchError::Policy {
            name,
            expected,
            found: policy[at],
            action,
            leaf: slot.first_leaf + leaf,
        })
    }
}

impl<P: Playable> TreeBatch for Trees<P> {
    fn len(&self) -> usize {
        self.slots.len()
    }

    fn begin(&mut self, visits: &[u32], noise: &[bool]) -> Result<(), TreeBatchError> {
        self.check_idle()?;
        TreeBatchError::check("visits", self.slots.len(), visits.len())?;
        TreeBatchError::check("noise", self.slots.len(), noise.len())?;
        self.pool.for_each(self.slots.par_iter_mut(), |slot| {
            slot.tree.begin(visits[slot.number], noise[slot.number]);
        });
        Ok(())
    }

    fn select(&mut self) -> Result<Selection, TreeBatchError> {
        self.check_idle()?;
        let max = self.settings.search.batch_size.max(1);
        self.pool.for_each(self.slots.par_iter_mut(), |slot| slot.select(max));
        let (mut leaves, mut actions) = (0, 0);
        for slot in &mut self.slots {
            (slot.first_leaf, slot.first_action) = (leaves, actions);
            leaves += slot.leaves.len();
            actions += slot.actions.len();
        }
        self.is_selected = leaves > 0;
        let is_done = leaves == 0 && self.slots.iter().all(|slot| slot.tree.remaining() == 0);
        Ok(Selection { leaves, actions, is_done })
    }

    fn selected(&self) -> (usize, usize) {
        if self.is_selected { self.batch_size() } else { (0, 0) }
    }

    fn write_leaves(&mut self, arrays: LeafArrays<'_>) -> Result<(), TreeBatchError> {
        if !self.is_selected {
            return Err(TreeBatchError::NotSelected);
        }
        let (leaves, actions) = self.batch_size();
        TreeBatchError::check("observations", leaves * P::SHAPE.len(), arrays.observations.len())?;
        TreeBatchError::check("actions", actions, arrays.actions.len())?;
        TreeBatchError::check("offsets", leaves + 1, arrays.offsets.len())?;
        TreeBatchError::check("trees", leaves, arrays.trees.len())?;
        arrays.offsets[leaves] = actions.cast_signed() as i64;
        for slot in &self.slots {
            arrays.actions[slot.first_action..][..slot.actions.len()].copy_from_slice(&slot.actions);
            let rows = slot.first_leaf..slot.first_leaf + slot.leaves.len();
            arrays.trees[rows.clone()].fill((slot.number as u32).cast_signed());
            for (leaf, offset) in arrays.offsets[rows].iter_mut().enumerate() {
                *offset = (slot.first_action + slot.range(leaf).start).cast_signed() as i64;
            }
        }
        let slots = &self.slots;
        let boards = arrays.observations.par_chunks_exact_mut(P::SHAPE.len()).enumerate();
        self.pool.for_each(boards, |(row, board)| {
            // The last tree that begins here or before: those without leaves begin where the next one does.
            let slot = &slots[slots.partition_point(|slot| slot.first_leaf <= row) - 1];
            let leaf = &slot.leaves[row - slot.first_leaf];
            let written = leaf.position.write_observation(leaf.context, Layout::Hwc, board);
            written.expect("a row has the length of an observation");
        });
        Ok(())
    }

    fn expand(&mut self, policy: &[f32], values: &[f32], form: PolicyForm) -> Result<(), TreeBatchError> {
        self.check_output(policy, values, form)?;
        self.pool.for_each(self.slots.par_iter_mut(), |slot| slot.expand(policy, values, form));
        self.is_selected = false;
        Ok(())
    }

    fn cancel(&mut self) {
        for slot in &mut self.slots {
            slot.tree.cancel();
            slot.leaves.clear();
        }
        self.is_selected = false;
    }

    fn stop(&mut self) {
        self.cancel();
        for slot in &mut self.slots {
            slot.tree.stop();
        }
    }

    fn count_root_moves(&self) -> usize {
        self.slots.iter().map(|slot| slot.tree.root_len()).sum()
    }

    fn write_roots(&self, arrays: RootArrays<'_>) -> Result<(), TreeBatchError> {
        let moves = self.count_root_moves();
        TreeBatchError::check("offsets", self.slots.len() + 1, arrays.offsets.len())?;
        TreeBatchError::check("actions", moves, arrays.actions.len())?;
        TreeBatchError::check("visits", moves, arrays.visits.len())?;
        TreeBatchError::check("priors", moves, arrays.priors.len())?;
        TreeBatchError::check("values", moves, arrays.values.len())?;
        TreeBatchError::check("policy", moves, arrays.policy.len())?;
        let mut first = 0_usize;
        for (slot, offset) in self.slots.iter().zip(&mut *arrays.offsets) {
            *offset = first.cast_signed() as i64;
            let row = first..first + slot.tree.root_len();
            first = row.end;
            let position = slot.tree.game().position();
            for (action, &m) in arrays.actions[row.clone()].iter_mut().zip(slot.tree.root_legal()) {
                *action = position.policy_index(m).0.cast_signed();
            }
            let (visits, values) = (&mut arrays.visits[row.clone()], &mut arrays.values[row.clone()]);
            visits.fill(0);
            values.fill(0.0);
            slot.tree.for_each_visited(|edge, visit| {
                visits[edge] = visit.visits.cast_signed();
                values[edge] = visit.value;
            });
            slot.tree.write_priors(&mut arrays.priors[row.clone()]);
            slot.tree.write_policy(&mut arrays.policy[row]);
        }
        arrays.offsets[self.slots.len()] = first.cast_signed() as i64;
        Ok(())
    }

    fn write_root_values(&self, values: &mut [f32]) -> Result<(), TreeBatchError> {
        TreeBatchError::check("values", self.slots.len(), values.len())?;
        for (slot, value) in self.slots.iter().zip(values) {
            let game = slot.tree.game();
            *value = game.outcome().value_for(game.turn()).unwrap_or_else(|| slot.tree.root_value());
        }
        Ok(())
    }

    fn choose(&mut self, temperatures: &[f32], actions: &mut [i64]) -> Result<(), TreeBatchError> {
        TreeBatchError::check("temperature", self.slots.len(), temperatures.len())?;
        TreeBatchError::check("actions", self.slots.len(), actions.len())?;
        let is_ready = |slot: &Slot<P>| slot.tree.root_len() > 0 || slot.tree.is_finished();
        if let Some(tree) = self.slots.iter().position(|slot| !is_ready(slot)) {
            return Err(TreeBatchError::NotSearched { tree });
        }
        for ((slot, &temperature), action) in self.slots.iter_mut().zip(temperatures).zip(actions) {
            let chosen = if slot.tree.is_finished() { None } else { slot.tree.choose(temperature) };
            let position = slot.tree.game().position();
            *action = chosen.map_or(-1, |m| position.policy_index(m).0.into());
        }
        Ok(())
    }

    fn advance(&mut self, actions: &[i64]) -> Result<(), TreeBatchError> {
        self.check_idle()?;
        TreeBatchError::check("actions", self.slots.len(), actions.len())?;
        for (slot, &action) in self.slots.iter_mut().zip(actions) {
            slot.next = slot.find(action)?;
        }
        self.pool.for_each(self.slots.par_iter_mut(), |slot| {
            if let Some(m) = slot.next {
                slot.tree.advance(m).expect("every move was checked");
            }
        });
        Ok(())
    }

    fn reset(&mut self, mask: &[bool]) -> Result<(), TreeBatchError> {
        self.check_idle()?;
        TreeBatchError::check("mask", self.slots.len(), mask.len())?;
        for (slot, _) in self.slots.iter_mut().zip(mask).filter(|(_, reset)| **reset) {
            slot.tree.restart(self.start.clone(), self.settings.opening_plies);
        }
        Ok(())
    }

    fn set_game(&mut self, tree: usize, game: &dyn AnyGame) -> Result<(), TreeBatchError> {
        self.check_idle()?;
        self.slot(tree)?;
        let game = same_kind::<P>(game)?.clone();
        self.slots[tree].tree.set_game(game);
        Ok(())
    }

    fn game(&self, tree: usize) -> Result<BoxedGame, TreeBatchError> {
        Ok(Box::new(self.slot(tree)?.tree.game().clone()))
    }

    fn status(&self, tree: usize) -> GameStatus {
        let game = self.slots[tree].tree.game();
        let outcome = game.outcome();
        GameStatus {
            over: outcome.is_over(),
            truncated: !outcome.is_over() && game.ply() >= self.settings.search.max_plies,
            turn: game.turn(),
            ply: game.ply(),
            returns: Player::ALL.map(|player| outcome.value_for(player).unwrap_or(0.0)),
        }
    }

    fn size(&self) -> usize {
        self.slots.iter().map(|slot| slot.tree.size()).sum()
    }

    fn save(&self) -> Result<Vec<u8>, TreeBatchError> {
        self.check_idle()?;
        let mut bytes = Vec::new();
        for slot in &self.slots {
            slot.tree.save(&mut bytes)?;
        }
        Ok(bytes)
    }

    fn restore(&mut self, games: &[&dyn AnyGame], bytes: &[u8]) -> Result<(), TreeBatchError> {
        self.check_idle()?;
        TreeBatchError::check("games", self.slots.len(), games.len())?;
        let mut rest = bytes;
        let trees = games
            .iter()
            .map(|&game| Ok(Mcts::restore(same_kind::<P>(game)?.clone(), self.settings.search, &mut rest)?));
        let trees = trees.collect::<Result<Vec<_>, TreeBatchError>>()?;
        if !rest.is_empty() {
            return Err(RestoreError::Invalid.into());
        }
        for (slot, tree) in self.slots.iter_mut().zip(trees) {
            slot.tree = tree;
        }
        Ok(())
    }
}

fn same_kind<P: Playable>(game: &dyn AnyGame) -> Result<&Game<P>, TreeBatchError> {
    let found = game.name();
    let any: &dyn std::any::Any = game;
    any.downcast_ref().ok_or(TreeBatchError::OtherGame { expected: P::NAME, found })
}
