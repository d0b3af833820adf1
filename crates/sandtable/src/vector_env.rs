//! Many games of one kind, stepped together: what a learner plays against itself with.
//!
//! A game that ends begins anew within the same step (*same-step* autoreset): every environment always has a legal
//! action, no step is spent on a game that is over, and what the last position looked like goes into an array of its
//! own.
//!
//! Threads live for one step. A pool that stays would save a few microseconds of some hundreds, and would be gone,
//! with the step waiting for it, in a process that was forked.

use std::ops::ControlFlow;

use sandtable_core::{Game, Layout, Player, PolicyIndex, Rng, WrongLength};

use crate::any_game::{BoxedGame, Playable};

/// How environments are set up.
#[derive(Clone, Copy, Debug)]
pub struct VectorSettings {
    /// How many there are.
    pub envs: usize,
    /// How many threads share a step; at least one. It changes nothing but the time.
    pub threads: usize,
    /// A game that goes on after this many moves is cut off; without it, at the game's own limit.
    pub max_plies: Option<usize>,
    /// Every game begins with so many random moves, or with as many as do not end it.
    pub opening_plies: usize,
    /// The order of an observation's values.
    pub layout: Layout,
}

/// The caller's arrays, with one row for each environment.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// What the player to move sees.
    pub observations: &'a mut [f32],
    /// Which actions the player to move has: all false before the first call, and left alone between calls. A mask
    /// may be a hundred times as long as the list of what is legal, so only what changes is written.
    pub masks: &'a mut [bool],
    /// Who is to move: 0 or 1.
    pub players: &'a mut [i8],
    /// For each player the result of the game that the step ended, 0 where it ended none.
    pub rewards: &'a mut [f32],
    /// Did the step end the game by the rules?
    pub terminated: &'a mut [bool],
    /// Did the step cut the game off?
    pub truncated: &'a mut [bool],
    /// What the player to move saw at the end of the game that the step ended; elsewhere as it was.
    pub final_observations: &'a mut [f32],
}

/// Why a step was not made. No environment has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// An array does not have the length that the number of environments asks for.
    #[error(transparent)]
    WrongLength(#[from] WrongLength),
    /// An action is none of those that its environment has.
    #[error("action {action} is not legal in environment {env}: its mask says which are")]
    Illegal {
        /// The number of the environment.
        env: usize,
        /// The action.
        action: i64,
    },
}

/// Many games whose kind is known only at run time.
pub type BoxedEnv = Box<dyn VectorEnv>;

/// Games of one kind that are stepped together.
///
/// The same seeds and actions give the same games, whatever the number of threads.
pub trait VectorEnv: Send + Sync {
    /// How many environments there are.
    fn len(&self) -> usize;

    /// Is there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Gives every environment its own generator of random numbers, in order.
    fn seed(&mut self, seeds: &[u64]) -> Result<(), WrongLength>;

    /// Begins every game anew.
    fn reset(&mut self, arrays: Arrays<'_>) -> Result<(), WrongLength>;

    /// Plays an action in every environment.
    fn step(&mut self, actions: &[i64], arrays: Arrays<'_>) -> Result<(), StepError>;

    /// Chooses a legal action for every environment, each equally likely.
    fn sample(&mut self, actions: &mut [i64]) -> Result<(), WrongLength>;

    /// A copy of one game, to look at; none if there are not that many.
    fn game(&self, number: usize) -> Option<BoxedGame>;
}

/// Environments of one position type.
pub(crate) struct Envs<P: Playable> {
    slots: Vec<Slot<P>>,
    threads: usize,
    course: Course<P>,
}

/// How every game of the environments runs.
struct Course<P> {
    start: P,
    max_plies: usize,
    opening_plies: usize,
    layout: Layout,
}

/// One environment.
struct Slot<P: Playable> {
    game: Game<P>,
    rng: Rng,
    /// The legal moves with their indices: listed once for the mask, and looked up by the next step.
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

    /// The arrays of the first `envs` environments, and those of the rest.
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
    /// Begins a game, with its random moves.
    fn begin(&mut self, course: &Course<P>) {
        self.game.restart(course.start.clone());
        for _ in 0..course.opening_plies {
            self.list_legal();
            let Some(m) = self.random_move() else { break };
            self.game.play_unchecked(m.1);
            if self.game.outcome().is_over() {
                self.game.undo();
                break;
            }
        }
    }

    fn random_move(&mut self) -> Option<(PolicyIndex, P::Move)> {
        if self.legal.is_empty() { None } else { Some(self.legal[self.rng.below(self.legal.len())]) }
    }

    /// Lists the legal moves.
    fn list_legal(&mut self) {
        self.legal.clear();
        let position = self.game.position();
        let _ = position.for_each_legal::<()>(|m| {
            self.legal.push((position.policy_index(m), m));
            ControlFlow::Continue(())
        });
    }

    /// Marks the legal moves in a mask, or takes the marks away.
    fn mark(&self, mask: &mut [bool], legal: bool) {
        for (index, _) in &self.legal {
            mask[index.index()] = legal;
        }
    }

    fn find(&self, action: i64) -> Option<P::Move> {
        let index = PolicyIndex(u32::try_from(action).ok()?);
        self.legal.iter().find(|(legal, _)| *legal == index).map(|(_, m)| *m)
    }

    fn observe(&self, course: &Course<P>, out: &mut [f32]) {
        let position = self.game.position();
        let written = position.write_observation(self.game.occurrences(), course.layout, out);
        written.expect("a row has the length of an observation");
    }

    fn show(&mut self, course: &Course<P>, row: &mut Row<'_>) {
        self.observe(course, row.observation);
        self.list_legal();
        self.mark(row.mask, true);
        *row.player = self.game.turn().index() as i8;
    }

    fn reset(&mut self, course: &Course<P>, row: &mut Row<'_>) {
        self.mark(row.mask, false);
        row.rewards.fill(0.0);
        (*row.terminated, *row.truncated) = (false, false);
        self.begin(course);
        self.show(course, row);
    }

    fn step(&mut self, m: P::Move, course: &Course<P>, row: &mut Row<'_>) {
        self.mark(row.mask, false);
        self.game.play_unchecked(m);
        let outcome = self.game.outcome();
        *row.terminated = outcome.is_over();
        *row.truncated = !outcome.is_over() && self.game.ply() >= course.max_plies;
        for (reward, player) in row.rewards.iter_mut().zip(Player::ALL) {
            *reward = outcome.value_for(player).unwrap_or(0.0);
        }
        if *row.terminated || *row.truncated {
            self.observe(course, row.final_observation);
            self.begin(course);
        }
        self.show(course, row);
    }
}

impl<P: Playable> Envs<P> {
    pub(crate) fn new(rules: P::Rules, settings: &VectorSettings) -> Self {
        let course = Course {
            start: P::start(rules),
            max_plies: settings.max_plies.unwrap_or(P::PLY_LIMIT),
            opening_plies: settings.opening_plies,
            layout: settings.layout,
        };
        let slots = (0..settings.envs).map(|number| {
            let game = Game::from_position(course.start.clone());
            let mut slot = Slot { game, rng: Rng::new(number as u64), legal: Vec::new() };
            slot.begin(&course);
            slot.list_legal();
            slot
        });
        Self { slots: slots.collect(), threads: settings.threads, course }
    }

    /// Calls `f` with every environment, its number and its rows; each thread has environments side by side.
    fn for_each(
        &mut self,
        arrays: Arrays<'_>,
        f: impl Fn(usize, &mut Slot<P>, &Course<P>, &mut Row<'_>) + Sync,
    ) {
        let share = self.slots.len().div_ceil(self.threads.max(1)).max(1);
        let course = &self.course;
        let work = |first: usize, slots: &mut [Slot<P>], arrays: Arrays<'_>| {
            for (number, (slot, mut row)) in slots.iter_mut().zip(arrays.rows::<P>()).enumerate() {
                f(first + number, slot, course, &mut row);
            }
        };
        if share >= self.slots.len() {
            // Without a scope, which would allocate even if nothing is spawned in it.
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
        self.for_each(arrays, |_, slot, course, row| slot.reset(course, row));
        Ok(())
    }

    fn step(&mut self, actions: &[i64], arrays: Arrays<'_>) -> Result<(), StepError> {
        arrays.check::<P>(self.slots.len())?;
        WrongLength::check(self.slots.len(), actions.len())?;
        let mut asked = self.slots.iter().zip(actions);
        if let Some(env) = asked.position(|(slot, &action)| slot.find(action).is_none()) {
            return Err(StepError::Illegal { env, action: actions[env] });
        }
        self.for_each(arrays, |number, slot, course, row| {
            let m = slot.find(actions[number]).expect("every action was found legal");
            slot.step(m, course, row);
        });
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) -> Result<(), WrongLength> {
        WrongLength::check(self.slots.len(), actions.len())?;
        for (slot, action) in self.slots.iter_mut().zip(actions) {
            let (index, _) = slot.random_move().expect("a game that goes on has a move");
            *action = index.0.into();
        }
        Ok(())
    }

    fn game(&self, number: usize) -> Option<BoxedGame> {
        Some(Box::new(self.slots.get(number)?.game.clone()))
    }
}
