//! Vector environments: many games of one kind, stepped together, for self-play.
//!
//! A game that ends is restarted within the same step (*same-step* autoreset): every environment always has a legal
//! action, no step is spent on a finished game, and the final observation goes into a separate array.
//!
//! Masks are optional: those of 1,024 games of Tribun have 424 MB. Lists of legal actions have less than one.

use std::any::Any;
use std::ops::ControlFlow;

use either::Either;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator as _, IntoParallelRefMutIterator as _,
    ParallelIterator as _,
};
use rayon::slice::ParallelSliceMut as _;
use sandtable_core::learn::{Layout, ObservedSlice, PolicyIndex, WrongLength};
use sandtable_core::rules::{CompactGame, Rng, play_opening};
use sandtable_core::{Describe, Game, Player};
use sandtable_games::{AnyGame, BoxedGame, GameKind, GameVisitor, Playable, UnknownName, named_rules};

use crate::pool::Pool;

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
    /// The observation of the side to move. A step writes only changes: the caller passes the same memory to every call and
    /// leaves it unchanged between calls.
    pub observations: &'a mut [f32],
    /// The mask of legal actions, if the caller wants masks. Only changes are written, as to observations: the caller passes
    /// zeroed memory to the first call.
    pub masks: Option<&'a mut [bool]>,
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

    /// The same buffers without masks.
    #[must_use]
    pub fn without_masks(mut self) -> Self {
        self.masks = Vec::new();
        self
    }

    /// The buffers as arguments of [`VectorEnv::reset`] and [`VectorEnv::step`].
    pub fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            observations: &mut self.observations,
            masks: if self.masks.is_empty() { None } else { Some(&mut self.masks) },
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

/// Why a game could not be set. No environment has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetGameError {
    /// An array has the wrong length.
    #[error(transparent)]
    WrongLength(#[from] WrongLength),
    /// There is no such environment.
    #[error("unknown environment {env}: expected 0 to {last}")]
    UnknownEnv {
        /// The index.
        env: usize,
        /// The last environment.
        last: usize,
    },
    /// The game is of another kind.
    #[error("expected a game of {expected}, not of {found}")]
    OtherGame {
        /// The kind of the environments.
        expected: &'static str,
        /// The kind of the game.
        found: &'static str,
    },
    /// The game is over: an environment always has a legal action.
    #[error("the game is over: an environment needs a game in progress")]
    Over,
}

/// A vector environment of a game whose kind is known only at run time.
pub type BoxedEnv = Box<dyn VectorEnv>;

/// A vector environment of new games.
pub fn vector_env(kind: &GameKind, rules: &str, settings: &VectorSettings) -> Result<BoxedEnv, UnknownName> {
    struct NewEnvs<'a>(&'a str, &'a VectorSettings);
    impl GameVisitor for NewEnvs<'_> {
        type Out = Result<BoxedEnv, UnknownName>;

        fn visit<P: Playable>(self) -> Self::Out {
            Ok(Box::new(Envs::<P>::new(named_rules::<P>(self.0)?, self.1)))
        }
    }
    kind.visit(NewEnvs(rules, settings))
}

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

    /// The state of the random number generator of each environment: a seed that continues its sequence.
    fn random_states(&self) -> Vec<u64>;

    /// Restarts every game, or the games with a true entry. The rows of other games are not written.
    fn reset(&mut self, which: Option<&[bool]>, arrays: Arrays<'_>) -> Result<(), WrongLength>;

    /// Replaces the game of one environment.
    fn set_game(&mut self, env: usize, game: &dyn AnyGame, arrays: Arrays<'_>) -> Result<(), SetGameError>;

    /// The number of legal actions of all environments.
    fn count_legal(&self) -> usize;

    /// Writes the legal actions of all environments, concatenated: environment `i` has `actions[offsets[i]..offsets[i +
    /// 1]]`.
    fn write_legal(&mut self, actions: &mut [i32], offsets: &mut [i64]) -> Result<(), WrongLength>;

    /// Plays an action in every environment.
    fn step(&mut self, actions: &[i64], arrays: Arrays<'_>) -> Result<(), StepError>;

    /// Samples a legal action for each environment, uniformly.
    fn sample(&mut self, actions: &mut [i64]) -> Result<(), WrongLength>;

    /// A copy of the game of one environment; `None` if the index is out of range.
    fn game(&self, index: usize) -> Option<BoxedGame>;
}

/// Environments of one position type.
struct Envs<P: Playable> {
    slots: Vec<Slot<P>>,
    pool: Pool,
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
    game: CompactGame<P>,
    rng: Rng,
    /// The indices of the legal moves, generated once per step.
    legal: Vec<i32>,
    /// The move of the current step.
    chosen: Option<P::Move>,
    /// The contents of the observation's row.
    observed: ObservedSlice<P>,
}

/// The rows of one environment.
struct Row<'a> {
    observation: &'a mut [f32],
    mask: Option<&'a mut [bool]>,
    player: &'a mut i8,
    rewards: &'a mut [f32],
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    final_observation: &'a mut [f32],
}

impl<'a> Arrays<'a> {
    fn check<P: Playable>(&self, envs: usize) -> Result<(), WrongLength> {
        WrongLength::check(envs * P::SHAPE.len(), self.observations.len())?;
        if let Some(masks) = &self.masks {
            WrongLength::check(envs * P::POLICY_SIZE, masks.len())?;
        }
        WrongLength::check(envs, self.players.len())?;
        WrongLength::check(envs * Player::ALL.len(), self.rewards.len())?;
        WrongLength::check(envs, self.terminated.len())?;
        WrongLength::check(envs, self.truncated.len())?;
        WrongLength::check(envs * P::SHAPE.len(), self.final_observations.len())
    }

    /// The rows of the environments.
    fn rows<P: Playable>(self) -> impl IndexedParallelIterator<Item = Row<'a>> {
        let envs = self.players.len();
        let masks = match self.masks {
            Some(masks) => Either::Left(masks.par_chunks_exact_mut(P::POLICY_SIZE).map(Some)),
            None => Either::Right((0..envs).into_par_iter().map(|_| None)),
        };
        let columns = (
            self.observations.par_chunks_exact_mut(P::SHAPE.len()),
            masks,
            self.players.par_iter_mut(),
            self.rewards.par_chunks_exact_mut(Player::ALL.len()),
            self.terminated.par_iter_mut(),
            self.truncated.par_iter_mut(),
            self.final_observations.par_chunks_exact_mut(P::SHAPE.len()),
        );
        columns.into_par_iter().map(
            |(observation, mask, player, rewards, terminated, truncated, final_observation)| Row {
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

    /// The row of one environment.
    fn row<P: Playable>(self, env: usize) -> Row<'a> {
        let board = env * P::SHAPE.len()..(env + 1) * P::SHAPE.len();
        Row {
            observation: &mut self.observations[board.clone()],
            mask: self.masks.map(|masks| &mut masks[env * P::POLICY_SIZE..][..P::POLICY_SIZE]),
            player: &mut self.players[env],
            rewards: &mut self.rewards[env * Player::ALL.len()..][..Player::ALL.len()],
            terminated: &mut self.terminated[env],
            truncated: &mut self.truncated[env],
            final_observation: &mut self.final_observations[board],
        }
    }
}

impl<P: Playable> Slot<P> {
    fn new(number: u64, settings: &GameSettings<P>) -> Self {
        let mut slot = Self {
            game: CompactGame::new(Game::from_position(settings.start.clone())),
            rng: Rng::new(number),
            legal: Vec::new(),
            chosen: None,
            observed: ObservedSlice::new(settings.layout),
        };
        slot.start(settings);
        slot
    }

    /// Starts a game with its random opening, and lists its legal moves.
    fn start(&mut self, settings: &GameSettings<P>) {
        let rng = &mut self.rng;
        self.game.restart(settings.start.clone(), |game| play_opening(game, rng, settings.opening_plies));
        self.list_legal();
    }

    /// Lists the indices of the legal moves.
    fn list_legal(&mut self) {
        self.legal.clear();
        let position = self.game.position();
        let _ = position.for_each_legal::<()>(|m| {
            self.legal.push(position.policy_index(m).0.cast_signed());
            ControlFlow::Continue(())
        });
    }

    /// Sets the entries of the legal moves in a mask.
    fn mark(&self, mask: &mut Option<&mut [bool]>, is_legal: bool) {
        let Some(mask) = mask else { return };
        for &index in &self.legal {
            mask[index.cast_unsigned() as usize] = is_legal;
        }
    }

    /// Chooses the move of an action; none if it is not legal.
    fn choose(&mut self, action: i64) {
        let index = u32::try_from(action).ok().map(PolicyIndex);
        self.chosen = index.and_then(|index| self.game.position().move_at(index));
    }

    /// Writes the row of the current position, whose legal moves are listed.
    fn write_row(&mut self, row: &mut Row<'_>) {
        let updated = self.observed.update(self.game.position(), self.game.context(), row.observation);
        updated.expect("a row has the length of an observation");
        self.mark(&mut row.mask, true);
        *row.player = self.game.turn().index() as i8;
    }

    /// Replaces the game, clears the results and writes the whole row.
    fn replace(&mut self, row: &mut Row<'_>, replace: impl FnOnce(&mut Self)) {
        self.mark(&mut row.mask, false);
        row.rewards.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        replace(self);
        self.observed.forget();
        self.write_row(row);
    }

    /// Plays the chosen move.
    fn step(&mut self, settings: &GameSettings<P>, row: &mut Row<'_>) {
        self.mark(&mut row.mask, false);
        self.game.play_unchecked(self.chosen.take().expect("every action was checked"));
        self.list_legal();
        // The rules look for a legal move only if none is known.
        let outcome = self.game.outcome(!self.legal.is_empty());
        *row.terminated = outcome.is_over();
        *row.truncated = !outcome.is_over() && self.game.ply() >= settings.max_plies;
        for (reward, player) in row.rewards.iter_mut().zip(Player::ALL) {
            *reward = outcome.value_for(player).unwrap_or(0.0);
        }
        if *row.terminated || *row.truncated {
            let (position, context) = (self.game.position(), self.game.context());
            let written = position.write_observation(context, settings.layout, row.final_observation);
            written.expect("a row has the length of an observation");
            self.start(settings);
        }
        self.write_row(row);
    }
}

impl<P: Playable> Envs<P> {
    fn new(rules: P::Rules, vector: &VectorSettings) -> Self {
        let settings = GameSettings {
            start: P::start(rules),
            max_plies: vector.max_plies.unwrap_or(P::PLY_LIMIT),
            opening_plies: vector.opening_plies,
            layout: vector.layout,
        };
        let slots = (0..vector.envs).map(|number| Slot::new(number as u64, &settings));
        Self { slots: slots.collect(), pool: Pool::new(vector.threads), settings }
    }

    /// Calls `f` with the index, the environment and the rows of each environment.
    fn for_each_row(
        &mut self,
        arrays: Arrays<'_>,
        f: impl Fn(usize, &mut Slot<P>, &GameSettings<P>, &mut Row<'_>) + Sync,
    ) {
        let settings = &self.settings;
        let rows = self.slots.par_iter_mut().zip(arrays.rows::<P>()).enumerate();
        self.pool.for_each(rows, |(number, (slot, mut row))| f(number, slot, settings, &mut row));
    }

    /// Chooses the move of every environment, or returns the first environment whose action is not legal.
    fn choose(&mut self, actions: &[i64]) -> Result<(), StepError> {
        let choices = self.slots.par_iter_mut().zip(actions);
        self.pool.for_each(choices, |(slot, &action)| slot.choose(action));
        match self.slots.iter().position(|slot| slot.chosen.is_none()) {
            Some(env) => Err(StepError::Illegal { env, action: actions[env] }),
            None => Ok(()),
        }
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

    fn random_states(&self) -> Vec<u64> {
        self.slots.iter().map(|slot| slot.rng.state()).collect()
    }

    fn reset(&mut self, which: Option<&[bool]>, arrays: Arrays<'_>) -> Result<(), WrongLength> {
        arrays.check::<P>(self.slots.len())?;
        if let Some(which) = which {
            WrongLength::check(self.slots.len(), which.len())?;
        }
        self.for_each_row(arrays, |number, slot, settings, row| {
            if which.is_none_or(|which| which[number]) {
                slot.replace(row, |slot| slot.start(settings));
            }
        });
        Ok(())
    }

    fn set_game(&mut self, env: usize, game: &dyn AnyGame, arrays: Arrays<'_>) -> Result<(), SetGameError> {
        arrays.check::<P>(self.slots.len())?;
        let (found, last) = (game.name(), self.slots.len().saturating_sub(1));
        let game: &dyn Any = game;
        let game: &Game<P> =
            game.downcast_ref().ok_or(SetGameError::OtherGame { expected: P::NAME, found })?;
        let slot = self.slots.get_mut(env).ok_or(SetGameError::UnknownEnv { env, last })?;
        if game.is_over() || game.ply() >= self.settings.max_plies {
            return Err(SetGameError::Over);
        }
        slot.replace(&mut arrays.row::<P>(env), |slot| {
            slot.game = CompactGame::new(game.clone());
            slot.list_legal();
        });
        Ok(())
    }

    fn count_legal(&self) -> usize {
        self.slots.iter().map(|slot| slot.legal.len()).sum()
    }

    fn write_legal(&mut self, actions: &mut [i32], offsets: &mut [i64]) -> Result<(), WrongLength> {
        WrongLength::check(self.count_legal(), actions.len())?;
        WrongLength::check(self.slots.len() + 1, offsets.len())?;
        let mut first = 0_usize;
        for (slot, offset) in self.slots.iter().zip(&mut *offsets) {
            *offset = first.cast_signed() as i64;
            actions[first..first + slot.legal.len()].copy_from_slice(&slot.legal);
            first += slot.legal.len();
        }
        offsets[self.slots.len()] = first.cast_signed() as i64;
        Ok(())
    }

    fn step(&mut self, actions: &[i64], arrays: Arrays<'_>) -> Result<(), StepError> {
        arrays.check::<P>(self.slots.len())?;
        WrongLength::check(self.slots.len(), actions.len())?;
        self.choose(actions)?;
        self.for_each_row(arrays, |_, slot, settings, row| slot.step(settings, row));
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) -> Result<(), WrongLength> {
        WrongLength::check(self.slots.len(), actions.len())?;
        let samples = self.slots.par_iter_mut().zip(actions);
        self.pool.for_each(samples, |(slot, action)| {
            *action = slot.legal[slot.rng.below(slot.legal.len())].into();
        });
        Ok(())
    }

    fn game(&self, index: usize) -> Option<BoxedGame> {
        Some(Box::new(self.slots.get(index)?.game.to_game()))
    }
}
