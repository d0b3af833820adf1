//! Vector environments: many games of one kind, stepped together, for self-play.
//!
//! A game that ends is restarted within the same step (*same-step* autoreset): every environment always has a legal
//! action, no step is spent on a finished game, and the final observation goes into a separate array.
//!
//! Threads live for one step. A persistent pool would save a few microseconds per step, but a forked process has no pool
//! threads, and its next step would wait forever.

use std::ops::ControlFlow;

use sandtable_core::{Describe, Game, Layout, Player, PolicyIndex, Rng, WrongLength, play_opening};

use crate::any_game::{BoxedGame, Playable};
use crate::registry::GameKind;

/// The settings of a vector environment.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct VectorSettings {
    /// The number of environments.
    pub envs: usize,
    /// The number of threads that share a step; at least one. Results do not depend on it.
    pub threads: usize,
    /// The number of moves after which a game is truncated; `None` uses the limit of the game.
    pub max_plies: Option<usize>,
    /// The number of random moves at the start of every game, fewer if they would end it.
    pub opening_plies: usize,
    /// The memory order of observations.
    pub layout: Layout,
}

impl VectorSettings {
    /// Settings for `envs` environments on one thread, without random openings.
    #[must_use]
    pub const fn new(envs: usize) -> Self {
        Self { envs, threads: 1, max_plies: None, opening_plies: 0, layout: Layout::Hwc }
    }

    /// Sets the number of threads.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the number of moves after which a game is truncated.
    #[must_use]
    pub const fn with_max_plies(mut self, max_plies: Option<usize>) -> Self {
        self.max_plies = max_plies;
        self
    }

    /// Sets the number of random moves at the start of every game.
    #[must_use]
    pub const fn with_opening_plies(mut self, opening_plies: usize) -> Self {
        self.opening_plies = opening_plies;
        self
    }

    /// Sets the memory order of observations.
    #[must_use]
    pub const fn with_layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }
}

/// The caller's arrays, with one row per environment.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// The observation of the side to move.
    pub observations: &'a mut [f32],
    /// The mask of legal actions. Only changes are written, because masks are much longer than lists of legal moves: the
    /// caller passes zeroed memory to the first call and leaves it unchanged between calls.
    pub masks: &'a mut [bool],
    /// The side to move: 0 or 1.
    pub players: &'a mut [i8],
    /// The result of the finished game for each player; 0 if the step did not end the game.
    pub rewards: &'a mut [f32],
    /// Whether the step ended the game by the rules.
    pub terminated: &'a mut [bool],
    /// Whether the step truncated the game.
    pub truncated: &'a mut [bool],
    /// The last observation of the finished game; unchanged if the step did not end the game.
    pub final_observations: &'a mut [f32],
}

/// Owned memory for [`Arrays`].
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of `Arrays`")]
pub struct ArrayBuffers {
    pub observations: Vec<f32>,
    pub masks: Vec<bool>,
    pub players: Vec<i8>,
    pub rewards: Vec<f32>,
    pub terminated: Vec<bool>,
    pub truncated: Vec<bool>,
    pub final_observations: Vec<f32>,
}

impl ArrayBuffers {
    /// Zeroed buffers for `envs` environments of a game.
    #[must_use]
    pub fn new(kind: &GameKind, envs: usize) -> Self {
        Self {
            observations: vec![0.0; envs * kind.shape.len()],
            masks: vec![false; envs * kind.policy_size],
            players: vec![0; envs],
            rewards: vec![0.0; envs * Player::ALL.len()],
            terminated: vec![false; envs],
            truncated: vec![false; envs],
            final_observations: vec![0.0; envs * kind.shape.len()],
        }
    }

    /// The buffers as arguments of [`VectorEnv::reset`] and [`VectorEnv::step`].
    pub fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            observations: &mut self.observations,
            masks: &mut self.masks,
            players: &mut self.players,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            final_observations: &mut self.final_observations,
        }
    }
}

/// Why a step failed. No environment has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("vector_step")]
#[non_exhaustive]
pub enum StepError {
    /// An array has the wrong length.
    #[error(transparent)]
    WrongLength(#[from] WrongLength),
    /// An action is not legal in its environment.
    #[error("action {action} is not legal in environment {env}")]
    Illegal {
        /// The index of the environment.
        env: usize,
        /// The action.
        action: i64,
    },
}

/// A vector environment of a game whose kind is known only at run time.
pub type BoxedEnv = Box<dyn VectorEnv>;

/// Games of one kind that are stepped together.
///
/// The same seeds and actions give the same games, whatever the number of threads.
pub trait VectorEnv: Send + Sync {
    /// The number of environments.
    fn len(&self) -> usize;

    /// Whether there are no environments.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Seeds the random number generator of each environment, in order.
    fn seed(&mut self, seeds: &[u64]) -> Result<(), WrongLength>;

    /// Restarts every game.
    fn reset(&mut self, arrays: Arrays<'_>) -> Result<(), WrongLength>;

    /// Plays an action in every environment.
    fn step(&mut self, actions: &[i64], arrays: Arrays<'_>) -> Result<(), StepError>;

    /// Samples a legal action for each environment, uniformly.
    fn sample(&mut self, actions: &mut [i64]) -> Result<(), WrongLength>;

    /// A copy of the game of one environment; `None` if the index is out of range.
    fn game(&self, index: usize) -> Option<BoxedGame>;
}

/// Environments of one position type.
pub(crate) struct Envs<P: Playable> {
    slots: Vec<Slot<P>>,
    threads: usize,
    settings: GameSettings<P>,
}

/// The settings that every game shares.
struct GameSettings<P> {
    start: P,
    max_plies: usize,
    opening_plies: usize,
    layout: Layout,
}

/// One environment.
struct Slot<P: Playable> {
    game: Game<P>,
    rng: Rng,
    /// The legal moves with their indices, generated once for the mask and reused by the next step.
    legal: Vec<(PolicyIndex, P::Move)>,
}

/// The rows of one environment.
struct Row<'a> {
    observation: &'a mut [f32],
    mask: &'a mut [bool],
    player: &'a mut i8,
    rewards: &'a mut [f32],
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    final_observation: &'a mut [f32],
}

impl<'a> Arrays<'a> {
    fn check<P: Playable>(&self, envs: usize) -> Result<(), WrongLength> {
        WrongLength::check(envs * P::SHAPE.len(), self.observations.len())?;
        WrongLength::check(envs * P::POLICY_SIZE, self.masks.len())?;
        WrongLength::check(envs, self.players.len())?;
        WrongLength::check(envs * Player::ALL.len(), self.rewards.len())?;
        WrongLength::check(envs, self.terminated.len())?;
        WrongLength::check(envs, self.truncated.len())?;
        WrongLength::check(envs * P::SHAPE.len(), self.final_observations.len())
    }

    /// Splits the arrays after the first `envs` environments.
    fn split<P: Playable>(self, envs: usize) -> (Self, Self) {
        let (observations, more_observations) = self.observations.split_at_mut(envs * P::SHAPE.len());
        let (masks, more_masks) = self.masks.split_at_mut(envs * P::POLICY_SIZE);
        let (players, more_players) = self.players.split_at_mut(envs);
        let (rewards, more_rewards) = self.rewards.split_at_mut(envs * Player::ALL.len());
        let (terminated, more_terminated) = self.terminated.split_at_mut(envs);
        let (truncated, more_truncated) = self.truncated.split_at_mut(envs);
        let (final_observations, more_final) = self.final_observations.split_at_mut(envs * P::SHAPE.len());
        (
            Self { observations, masks, players, rewards, terminated, truncated, final_observations },
            Self {
                observations: more_observations,
                masks: more_masks,
                players: more_players,
                rewards: more_rewards,
                terminated: more_terminated,
                truncated: more_truncated,
                final_observations: more_final,
            },
        )
    }

    fn rows<P: Playable>(self) -> impl Iterator<Item = Row<'a>> {
        let boards = self.observations.chunks_exact_mut(P::SHAPE.len());
        let final_boards = self.final_observations.chunks_exact_mut(P::SHAPE.len());
        let masks = self.masks.chunks_exact_mut(P::POLICY_SIZE);
        let rewards = self.rewards.chunks_exact_mut(Player::ALL.len());
        let ends = self.terminated.iter_mut().zip(self.truncated);
        let shown = boards.zip(masks).zip(self.players);
        shown.zip(rewards).zip(ends).zip(final_boards).map(
            |(((((observation, mask), player), rewards), (terminated, truncated)), final_observation)| Row {
                observation,
                mask,
                player,
                rewards,
                terminated,
                truncated,
                final_observation,
            },
        )
    }
}

impl<P: Playable> Slot<P> {
    /// Starts a game with its random opening.
    fn start(&mut self, settings: &GameSettings<P>) {
        self.game.restart(settings.start.clone());
        play_opening(&mut self.game, &mut self.rng, settings.opening_plies);
    }

    fn random_move(&mut self) -> Option<(PolicyIndex, P::Move)> {
        if self.legal.is_empty() { None } else { Some(self.legal[self.rng.below(self.legal.len())]) }
    }

    /// Generates the legal moves.
    fn list_legal(&mut self) {
        self.legal.clear();
        let position = self.game.position();
        let _ = position.for_each_legal::<()>(|m| {
            self.legal.push((position.policy_index(m), m));
            ControlFlow::Continue(())
        });
    }

    /// Sets the entries of the legal moves in a mask.
    fn mark(&self, mask: &mut [bool], legal: bool) {
        for (index, _) in &self.legal {
            mask[index.index()] = legal;
        }
    }

    fn find(&self, action: i64) -> Option<P::Move> {
        let index = PolicyIndex(u32::try_from(action).ok()?);
        self.legal.iter().find(|(legal, _)| *legal == index).map(|(_, m)| *m)
    }

    fn observe(&self, settings: &GameSettings<P>, out: &mut [f32]) {
        let written = self.game.write_observation(settings.layout, out);
        written.expect("a row has the length of an observation");
    }

    fn write_row(&mut self, settings: &GameSettings<P>, row: &mut Row<'_>) {
        self.observe(settings, row.observation);
        self.list_legal();
        self.mark(row.mask, true);
        *row.player = self.game.turn().index() as i8;
    }

    fn reset(&mut self, settings: &GameSettings<P>, row: &mut Row<'_>) {
        self.mark(row.mask, false);
        row.rewards.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        self.start(settings);
        self.write_row(settings, row);
    }

    fn step(&mut self, m: P::Move, settings: &GameSettings<P>, row: &mut Row<'_>) {
        self.mark(row.mask, false);
        self.game.play_unchecked(m);
        let outcome = self.game.outcome();
        *row.terminated = outcome.is_over();
        *row.truncated = !outcome.is_over() && self.game.ply() >= settings.max_plies;
        for (reward, player) in row.rewards.iter_mut().zip(Player::ALL) {
            *reward = outcome.value_for(player).unwrap_or(0.0);
        }
        if *row.terminated || *row.truncated {
            self.observe(settings, row.final_observation);
            self.start(settings);
        }
        self.write_row(settings, row);
    }
}

impl<P: Playable> Envs<P> {
    pub(crate) fn new(rules: P::Rules, vector: &VectorSettings) -> Self {
        let settings = GameSettings {
            start: P::start(rules),
            max_plies: vector.max_plies.unwrap_or(P::PLY_LIMIT),
            opening_plies: vector.opening_plies,
            layout: vector.layout,
        };
        let slots = (0..vector.envs).map(|number| {
            let game = Game::from_position(settings.start.clone());
            let mut slot = Slot { game, rng: Rng::new(number as u64), legal: Vec::new() };
            slot.start(&settings);
            slot.list_legal();
            slot
        });
        Self { slots: slots.collect(), threads: vector.threads, settings }
    }

    /// Calls `f` with the index, the environment and the rows of each environment; each thread gets a contiguous range.
    fn for_each(
        &mut self,
        arrays: Arrays<'_>,
        f: impl Fn(usize, &mut Slot<P>, &GameSettings<P>, &mut Row<'_>) + Sync,
    ) {
        let share = self.slots.len().div_ceil(self.threads.max(1)).max(1);
        let settings = &self.settings;
        let work = |first: usize, slots: &mut [Slot<P>], arrays: Arrays<'_>| {
            for (number, (slot, mut row)) in slots.iter_mut().zip(arrays.rows::<P>()).enumerate() {
                f(first + number, slot, settings, &mut row);
            }
        };
        if share >= self.slots.len() {
            // A scope allocates even if it spawns nothing.
            return work(0, &mut self.slots, arrays);
        }
        std::thread::scope(|scope| {
            let (mut first, mut slots, mut arrays) = (0, &mut self.slots[..], arrays);
            while slots.len() > share {
                let (own, more) = slots.split_at_mut(share);
                let (own_arrays, more_arrays) = arrays.split::<P>(share);
                let work = &work;
                scope.spawn(move || work(first, own, own_arrays));
                (first, slots, arrays) = (first + share, more, more_arrays);
            }
            work(first, slots, arrays);
        });
    }
}

impl<P: Playable> VectorEnv for Envs<P> {
    fn len(&self) -> usize {
        self.slots.len()
    }

    fn seed(&mut self, seeds: &[u64]) -> Result<(), WrongLength> {
        WrongLength::check(self.slots.len(), seeds.len())?;
        for (slot, &seed) in self.slots.iter_mut().zip(seeds) {
            slot.rng = Rng::new(seed);
        }
        Ok(())
    }

    fn reset(&mut self, arrays: Arrays<'_>) -> Result<(), WrongLength> {
        arrays.check::<P>(self.slots.len())?;
        self.for_each(arrays, |_, slot, settings, row| slot.reset(settings, row));
        Ok(())
    }

    fn step(&mut self, actions: &[i64], arrays: Arrays<'_>) -> Result<(), StepError> {
        arrays.check::<P>(self.slots.len())?;
        WrongLength::check(self.slots.len(), actions.len())?;
        let mut pairs = self.slots.iter().zip(actions);
        if let Some(env) = pairs.position(|(slot, &action)| slot.find(action).is_none()) {
            return Err(StepError::Illegal { env, action: actions[env] });
        }
        self.for_each(arrays, |number, slot, settings, row| {
            let m = slot.find(actions[number]).expect("every action was checked");
            slot.step(m, settings, row);
        });
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) -> Result<(), WrongLength> {
        WrongLength::check(self.slots.len(), actions.len())?;
        for (slot, action) in self.slots.iter_mut().zip(actions) {
            let (index, _) = slot.random_move().expect("an ongoing game has a legal move");
            *action = index.0.into();
        }
        Ok(())
    }

    fn game(&self, index: usize) -> Option<BoxedGame> {
        Some(Box::new(self.slots.get(index)?.game.clone()))
    }
}
