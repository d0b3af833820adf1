//! Several instances on one store: games in memory follow the changes of other instances, and the jobs of instances that
//! ended are taken over.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use sandtable_contract::{
    Access, ApiError, Both, DeletedReason, ErrorCode, GameMessage, Session, Side, Timestamps,
};
use tokio::task::JoinSet;

use super::live_game::{LiveGame, LiveState, Update, Validity};
use super::{RETRY_AFTER, Registry, damaged, parse_log, restore, store_error};
use crate::blocking::run_blocking;
use crate::error::ServerError;
use crate::seat_error::SeatError;
use crate::store::{
    Job, JobOwner, JobState, ListedGame, RemoteChange, SeatUpdate, Shared, SharedGame, StoreError, StoredGame,
};

/// How many games are brought up to date at the same time.
const CONCURRENCY: usize = 8;
/// How often a change is tried again after other instances have changed the game.
pub(super) const ATTEMPTS: usize = 4;

/// The delay of a write, in milliseconds, from which a clock is set to start after it.
const MAX_DELAY: u64 = 25;

/// Which part of a game's job this instance has. A store that is not shared leaves everything to its only instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Duty {
    /// Whether this instance carries the job out: it ends the game when the time runs out, and runs the engine.
    pub(super) is_mine: bool,
    /// When the clock started, as stored.
    clock_started: Option<u64>,
}

impl Duty {
    /// The duty of the instance that has written a change with this job.
    pub(super) fn of_writer(job: Option<Job>) -> Self {
        Self { is_mine: true, clock_started: job.and_then(|job| job.clock_started) }
    }

    fn of_stored(job: Option<JobState>) -> Self {
        Self {
            is_mine: job.is_some_and(|job| matches!(job.owner, JobOwner::This { .. })),
            clock_started: job.and_then(|job| job.clock_started),
        }
    }
}

impl Registry {
    /// The job of a game after a change, if other instances must know it.
    pub(super) fn job(&self, session: &Session, now: u64) -> Option<Job> {
        self.store.shared()?;
        match session.time_to_flag_from(now) {
            Some(left) => Some(Job { clock_started: Some(now), due: now + left }),
            None => session.engine_task(now).map(|_| Job { clock_started: None, due: now }),
        }
    }

    /// Starts the clock after a change was written. All instances must agree on the moment, so it is the one that was
    /// written, unless the store was slow: storage delay is charged to neither player.
    pub(super) async fn start_clock(&self, game: &LiveGame, session: &mut Session, job: Option<Job>) -> Duty {
        let now = self.now();
        let Some((shared, written)) = self.store.shared().zip(job.and_then(|job| job.clock_started)) else {
            session.start_clock(now);
            return Duty::of_writer(job);
        };
        let mut started = written;
        if now.saturating_sub(written) > MAX_DELAY {
            match shared.restart_clock(&game.id, now).await {
                Ok(()) => started = now,
                Err(error) => tracing::warn!(%error, game = game.id, "cannot store when a clock started"),
            }
        }
        session.start_clock(started);
        Duty { is_mine: true, clock_started: Some(started) }
    }

    /// Follows the changes of other instances, if the store is shared.
    pub(crate) fn follow(self: &Arc<Self>) {
        let Some(mut changes) = self.store.shared().and_then(Shared::take_changes) else { return };
        let registry = Arc::downgrade(self);
        tokio::spawn(async move {
            let mut running = JoinSet::new();
            while let Some(change) = changes.recv().await {
                let Some(registry) = registry.upgrade() else { return };
                limit(&mut running).await;
                running.spawn(async move {
                    if let Err(error) = registry.apply_remote(&change).await {
                        tracing::warn!(?change, error = error.message(), "cannot follow another instance");
                    }
                });
            }
        });
    }

    async fn apply_remote(self: &Arc<Self>, change: &RemoteChange) -> Result<(), ApiError> {
        match change {
            RemoteChange::Version { id, version } => {
                if let Some(game) = self.cached(id).filter(|game| game.version() < *version) {
                    self.update(&game).await?;
                }
            }
            RemoteChange::Seats { id } | RemoteChange::Job { id } => {
                if let Some(game) = self.cached(id) {
                    self.update(&game).await?;
                }
            }
            RemoteChange::Deleted { id } => {
                if let Some(game) = self.cached(id) {
                    let mut state = game.state.lock().await;
                    if matches!(state.validity, Validity::Current) {
                        self.forget_deleted(&game, &mut state);
                    }
                }
            }
            RemoteChange::Claimed { id } => {
                tracing::info!(game = id, "took over a game of an instance that ended");
                let game = self.live_game(id).await?;
                self.update(&game).await?;
            }
            RemoteChange::Reconnected => self.update_all().await?,
            RemoteChange::Chat { id, number } => {
                if let Some(game) = self.cached(id).filter(|game| game.updates.receiver_count() > 0) {
                    let messages = self.chat_messages(id).await?;
                    if let Some(message) = messages.into_iter().find(|message| message.number == *number) {
                        game.notify(&GameMessage::Chat { message });
                    }
                }
            }
            RemoteChange::Presence { id } => {
                if let Some(game) = self.cached(id) {
                    self.update_presence(&game).await?;
                }
            }
        }
        Ok(())
    }

    /// A game that is in memory.
    fn cached(&self, id: &str) -> Option<Arc<LiveGame>> {
        self.cache().get(id)?.get().cloned()
    }

    /// Brings all games in memory up to date, and loads those whose job this instance has.
    async fn update_all(self: &Arc<Self>) -> Result<(), ApiError> {
        let Some(shared) = self.store.shared() else { return Ok(()) };
        let jobs = shared.own_jobs().await.map_err(|e| store_error("cannot read the jobs", &e))?;
        let cached: Vec<_> = self.cache().values().filter_map(|slot| slot.get().cloned()).collect();
        let mut running = JoinSet::new();
        for game in cached {
            let registry = Arc::clone(self);
            limit(&mut running).await;
            running.spawn(async move {
                // Others may have taken the players of an instance without a lease for gone.
                *game.announced.lock().await = Both::default();
                registry.announce_presence(&game);
                let updated = async {
                    registry.update_presence(&game).await?;
                    registry.update(&game).await
                };
                if let Err(error) = updated.await {
                    tracing::debug!(game = game.id(), error = error.message(), "cannot update a game");
                }
            });
        }
        for id in jobs {
            let registry = Arc::clone(self);
            limit(&mut running).await;
            running.spawn(async move {
                if let Err(error) = registry.live_game(&id).await {
                    tracing::warn!(game = id, error = error.message(), "cannot resume a game");
                }
            });
        }
        running.join_all().await;
        Ok(())
    }

    async fn update(self: &Arc<Self>, game: &Arc<LiveGame>) -> Result<(), ApiError> {
        let mut state = game.state.lock().await;
        match state.validity {
            Validity::Current => self.catch_up(game, &mut state).await,
            Validity::Deleted | Validity::Outdated => Ok(()),
        }
    }

    /// Catches up if another instance has changed the game: a client that has seen a change on one instance sees it on all.
    pub(super) async fn catch_up_if_behind(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        state: &mut LiveState,
    ) -> Result<(), ApiError> {
        let Some(shared) = self.store.shared() else { return Ok(()) };
        game.check_valid(state)?;
        let found = shared.versions(vec![game.id.clone()]).await;
        let found = found.map_err(|e| store_error("cannot read a version", &e))?;
        match found.first() {
            Some((_, version)) if *version == state.session.version() => Ok(()),
            _ => self.catch_up(game, state).await,
        }
    }

    /// Brings a game in memory to the state in the store, and tells its subscribers what is new.
    pub(super) async fn catch_up(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        state: &mut LiveState,
    ) -> Result<(), ApiError> {
        let Some(shared) = self.store.shared() else { return Ok(()) };
        let version = state.session.version();
        let Some(found) = self.read_shared(shared, &game.id, version).await? else {
            self.forget_deleted(game, state);
            return Err(ApiError::game_not_found(&game.id));
        };
        let (before, duty) = (state.duty, Duty::of_stored(found.job));
        state.duty = duty;
        let is_seated = found.game.seats.map(|seat| seat.holder) != state.holders();
        state.seats = found.game.seats;
        let is_changed = found.game.version != version || before.clock_started != duty.clock_started;
        if is_changed {
            state.timestamps = Timestamps { updated: found.game.updated, ..state.timestamps };
            let id = game.id.clone();
            let mut next = if found.game.version > version {
                let session = Session::clone(&state.session);
                run_blocking(move || replay(&id, session, &found.game)).await?
            } else {
                // The clock of a session cannot be set back.
                let all = self.read_shared(shared, &game.id, 0).await?;
                let all = all.ok_or_else(|| ApiError::game_not_found(&game.id))?;
                run_blocking(move || restore(&id, &all.game)).await?
            };
            next.start_clock(duty.clock_started.unwrap_or_else(|| self.now()));
            (state.session, state.json) = (Arc::new(next), None);
            game.version.store(state.session.version(), Ordering::Release);
            if state.session.is_over() {
                state.permit = None;
            }
        }
        if is_seated && game.presence.set_players(state.session.seats(), state.holders(), self.now()) {
            self.notify_presence(game);
        }
        if (is_changed || is_seated) && game.updates.receiver_count() > 0 {
            let snapshot = self.snapshot(game, state).await?;
            game.updates.send_replace(Update::Game(snapshot));
        }
        if is_changed || duty.is_mine != before.is_mine {
            self.schedule(game, state);
        }
        Ok(())
    }

    /// Reads a game from a shared store; takes over its job if nobody carries it out.
    async fn read_shared(
        &self,
        shared: &dyn Shared,
        id: &str,
        since: u64,
    ) -> Result<Option<SharedGame>, ApiError> {
        let read = async || {
            let found = shared.shared_game(id, since).await?;
            let is_orphan = |job: JobState| job.owner == JobOwner::Other { is_expired: true };
            if !found.as_ref().and_then(|found| found.job).is_some_and(is_orphan) {
                return Ok(found);
            }
            shared.claim(id).await?;
            shared.shared_game(id, since).await
        };
        read().await.map_err(|e: StoreError| store_error("cannot read a game", &e))
    }

    /// Loads a game from a shared store.
    pub(super) async fn load_shared(
        self: &Arc<Self>,
        shared: &dyn Shared,
        id: &str,
    ) -> Result<Arc<LiveGame>, ApiError> {
        let found = self.read_shared(shared, id, 0).await?.ok_or_else(|| ApiError::game_not_found(id))?;
        let timestamps = Timestamps { created: found.game.created, updated: found.game.updated };
        let (duty, seats) = (Duty::of_stored(found.job), found.game.seats);
        let owned_id = id.to_owned();
        let mut session = run_blocking(move || restore(&owned_id, &found.game)).await?;
        session.start_clock(duty.clock_started.unwrap_or_else(|| self.now()));
        let game = LiveGame::new(id.to_owned(), session, timestamps, seats, duty, self.now(), &self.metrics);
        let game = Arc::new(game);
        self.update_presence(&game).await?;
        self.schedule(&game, &mut *game.state.lock().await);
        Ok(game)
    }

    /// After a write that was stale: catches up, so that the change can be tried again. The lease of this instance may have
    /// run out, which is over in a moment.
    pub(super) async fn catch_up_after_stale(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        state: &mut LiveState,
        seat: Option<SeatUpdate>,
    ) -> Result<(), ApiError> {
        let before = (state.session.version(), state.duty);
        self.catch_up(game, state).await?;
        if let Some(SeatUpdate { side, link: link @ Some(_), .. }) = seat
            && state.seats.side(side).link != link
        {
            return Err(ApiError::forbidden(&SeatError::InvalidLink));
        }
        if (state.session.version(), state.duty) == before && state.duty.is_mine {
            let busy = ApiError::new(ErrorCode::Busy, &ServerError::DatabaseUnavailable);
            return Err(busy.with_retry_after(RETRY_AFTER));
        }
        Ok(())
    }

    /// Another instance has deleted the game. A game with two players can only be aborted.
    fn forget_deleted(&self, game: &LiveGame, state: &mut LiveState) {
        let Both { first, second } = state.holders();
        let has_two_players = first.is_some() && second.is_some() && first != second;
        let reason = if has_two_players { DeletedReason::Aborted } else { DeletedReason::Deleted };
        self.evict(game, state, Update::Deleted(reason));
    }

    /// Tells other instances which players have a connection to this one.
    pub(super) fn announce_presence(self: &Arc<Self>, game: &Arc<LiveGame>) {
        if self.store.shared().is_none() || self.access == Access::Open {
            return;
        }
        let (registry, game) = (Arc::clone(self), Arc::clone(game));
        tokio::spawn(async move {
            // One at a time, and each with the state of its moment: the last one has the last state.
            let mut announced = game.announced.lock().await;
            let Some(shared) = registry.store.shared() else { return };
            let connected = game.presence.connected_here();
            for side in [Side::First, Side::Second] {
                let is_connected = *connected.side(side);
                if *announced.side(side) == is_connected {
                    continue;
                }
                match shared.set_connected(&game.id, side, is_connected).await {
                    Ok(()) => *announced.side_mut(side) = is_connected,
                    Err(error) => tracing::warn!(%error, game = game.id, "cannot announce a player"),
                }
            }
        });
    }

    /// Updates which players have a connection to another instance.
    pub(super) async fn update_presence(self: &Arc<Self>, game: &Arc<LiveGame>) -> Result<(), ApiError> {
        let Some(shared) = self.store.shared().filter(|_| self.access == Access::Seats) else {
            return Ok(());
        };
        let elsewhere =
            shared.presence(&game.id).await.map_err(|e| store_error("cannot read who is present", &e))?;
        if game.presence.set_elsewhere(elsewhere, self.now()) {
            self.notify_presence(game);
        }
        Ok(())
    }

    /// The seats of games whose holders are connected to any instance.
    pub(super) async fn connected_elsewhere(
        &self,
        games: &[ListedGame],
    ) -> Result<Vec<(String, Side)>, ApiError> {
        let Some(shared) = self.store.shared() else { return Ok(Vec::new()) };
        let ids = games.iter().map(|game| game.id.clone()).collect();
        shared.connected(ids).await.map_err(|e| store_error("cannot read who is present", &e))
    }
}

/// Applies the entries of a log that a session does not have yet.
fn replay(id: &str, mut session: Session, stored: &StoredGame) -> Result<Session, ApiError> {
    session.replay(&parse_log(id, stored)?).map_err(|e| damaged(id, &e))?;
    Ok(session)
}

/// Waits until another task may start.
async fn limit(running: &mut JoinSet<()>) {
    while running.len() >= CONCURRENCY {
        running.join_next().await;
    }
}
