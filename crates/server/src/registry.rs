//! The game registry: all games, in memory while they are used and always on disk.
//!
//! A change is applied to a copy of the session, written to disk, and only then published, so no client sees a change that
//! is not on disk. The registry then starts the engine and the flag timer if the new state needs them.

mod chat;
#[cfg(test)]
mod delay_tests;
#[cfg(test)]
mod engine_tests;
mod engines;
mod instances;
mod live_game;
mod presence;
mod reviews;
mod seats;
#[cfg(test)]
mod view_tests;

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sandtable_contract::{
    Access, ApiError, Both, Change, Denied, ErrorCode, GameMessage, GameSettings, GameSummary, LogEntry,
    Presence, Record, Role, Session, Side, Timestamps, to_json,
};
use tokio::sync::OnceCell;
use tracing::Instrument as _;

use self::instances::Duty;
pub(crate) use self::live_game::{LiveGame, Subscription, Update};
use self::live_game::{LiveState, Validity, build_json};
pub(crate) use self::presence::RoundTrip;
pub(crate) use self::reviews::ReviewPlan;
use self::seats::creators_seats;
use crate::Limits;
use crate::blocking::run_blocking;
use crate::clients::GamePermit;
use crate::engine_jobs::EngineWorkers;
use crate::error::{ServerError, internal};
use crate::metrics::Metrics;
use crate::raw_game::RawGame;
use crate::store::{
    Flags, Job, ListQuery, ListedGame, Scope, SeatUpdate, Shared, Store, StoreError, StoredGame, StoredSeat,
    TokenHash, Write,
};

/// The most games that the lobby shows.
const LOBBY_SIZE: u32 = 200;
/// The number of games in memory above which unused ones are dropped.
const CACHE_SIZE: usize = 256;

/// How long the database may take to tell that it can be used.
const READY_TIMEOUT: Duration = Duration::from_secs(2);

/// When a client may try again after the store could not be used, in seconds.
const RETRY_AFTER: u64 = 1;

/// All games.
pub(crate) struct Registry {
    store: Arc<dyn Store>,
    cache: Mutex<HashMap<String, Arc<Slot>>>,
    engines: EngineWorkers,
    metrics: Arc<Metrics>,
    access: Access,
    /// A guest who has been gone for this long has abandoned the game.
    abandon_after: Duration,
    /// The most time that a move is credited for the lag of its connection.
    lag_credit: Duration,
    /// The origin of the monotonic clock.
    epoch: Instant,
    /// The time of the last change.
    last_timestamp: Mutex<u64>,
}

/// The cache entry of a game, which may still be loading.
type Slot = OnceCell<Arc<LiveGame>>;

/// Who changes a game.
#[derive(Clone, Copy)]
enum Actor {
    /// The server itself, for an engine or a clock.
    Server,
    Guest(Option<TokenHash>),
}

/// A change of a game.
struct Request {
    actor: Actor,
    /// A game at another version is left unchanged.
    expected_version: Option<u64>,
    change: Change,
    /// The seat that the change gives to a guest.
    seat: Option<SeatUpdate>,
    /// When the request arrived, on the monotonic clock.
    now: u64,
}

impl Request {
    const fn new(actor: Actor, expected_version: Option<u64>, change: Change, now: u64) -> Self {
        Self { actor, expected_version, change, seat: None, now }
    }
}

/// The state after a change, while it is written.
struct Written {
    next: Arc<Session>,
    timestamps: Timestamps,
    job: Option<Job>,
}

/// Which games a client lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    /// The games of the client; every game on a server without seats.
    Own,
    /// The games to watch.
    Public,
}

impl Registry {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        access: Access,
        limits: &Limits,
        metrics: Arc<Metrics>,
    ) -> Arc<Self> {
        let registry = Arc::new(Self {
            cache: Mutex::default(),
            engines: EngineWorkers::new(limits, &metrics),
            metrics,
            access,
            abandon_after: limits.abandon_after,
            lag_credit: limits.lag_credit,
            epoch: Instant::now(),
            last_timestamp: Mutex::new(store.last_timestamp()),
            store,
        });
        let (runtime, outdated) = (tokio::runtime::Handle::current(), Arc::downgrade(&registry));
        registry.store.on_restore(Box::new(move || {
            if let Some(registry) = outdated.upgrade() {
                runtime.spawn(async move { registry.evict_all().await });
            }
        }));
        registry
    }

    /// Removes all games from memory, because the store has another state of them. Subscribers must reconnect.
    async fn evict_all(self: &Arc<Self>) {
        let ids: Vec<_> = self.cache().keys().cloned().collect();
        for id in ids {
            // Also waits for games that are being loaded.
            if let Ok(game) = self.live_game(&id).await {
                let mut state = game.state.lock().await;
                if game.check_valid(&state).is_ok() {
                    self.evict(&game, &mut state, Update::Outdated);
                }
            }
        }
    }

    /// Who may do what.
    pub(crate) const fn access(&self) -> Access {
        self.access
    }

    /// Creates a game. Its creator holds every seat that is not open. It keeps `permit` until it is over or leaves memory.
    pub(crate) async fn create(
        self: &Arc<Self>,
        settings: GameSettings,
        creator: Option<TokenHash>,
        permit: GamePermit,
    ) -> Result<String, ApiError> {
        let registry = Arc::clone(self);
        let holders = creators_seats(settings.seats(), creator);
        // Nothing is written yet: this ends with its client.
        let session = run_blocking(move || Session::new(settings)).await?;
        run_to_completion(async move {
            let game = registry.create_game(session, holders).await?;
            // A game is created once, so nothing else has set its name.
            let _ = game.queue_name.set(permit.client_name());
            let mut state = game.state.lock().await;
            state.permit = (!state.session.is_over()).then_some(permit);
            let snapshot = registry.snapshot(&game, &mut state).await?;
            Ok(registry.render(&game, &snapshot, creator, 0))
        })
        .await
    }

    async fn create_game(
        self: &Arc<Self>,
        session: Session,
        holders: Both<Option<TokenHash>>,
    ) -> Result<Arc<LiveGame>, ApiError> {
        let (id, created) = (new_id()?, self.next_timestamp());
        let timestamps = Timestamps { created, updated: created };
        let seats = holders.map(|holder| StoredSeat { holder, link: None });
        let job = self.job(&session, self.now());
        let write = Write::Create {
            id: id.clone(),
            settings: to_json(session.settings()),
            summary: summary(&session, &id, timestamps),
            seats,
            flags: flags(&session),
            at: created,
            job,
        };
        self.store.write(write).await.map_err(|e| store_error("cannot write a game", &e))?;
        let slot = self.slot(&id);
        let duty = Duty::of_writer(job);
        let new = LiveGame::new(id, session, timestamps, seats, duty, self.now(), &self.metrics);
        let game = slot.get_or_init(|| async move { Arc::new(new) }).await;
        self.schedule(game, &mut *game.state.lock().await);
        Ok(Arc::clone(game))
    }

    /// The current state of a game, as JSON for a guest.
    pub(crate) async fn game(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
    ) -> Result<String, ApiError> {
        let game = self.live_game(id).await?;
        let mut state = game.state.lock().await;
        self.catch_up_if_behind(&game, &mut state).await?;
        let snapshot = self.snapshot(&game, &mut state).await?;
        drop(state);
        Ok(self.render(&game, &snapshot, guest, 0))
    }

    /// The record of a game.
    pub(crate) async fn record(self: &Arc<Self>, id: &str) -> Result<Record, ApiError> {
        let game = self.live_game(id).await?;
        let mut state = game.state.lock().await;
        self.catch_up_if_behind(&game, &mut state).await?;
        game.check_valid(&state)?;
        Ok(state.session.record())
    }

    /// The summaries of games as JSON, most recently changed first.
    pub(crate) async fn list(
        &self,
        listing: Listing,
        guest: Option<TokenHash>,
        limit: u32,
        before: Option<u64>,
    ) -> Result<Vec<String>, ApiError> {
        let scope = match (self.access, listing, guest) {
            (Access::Open, ..) => Scope::All,
            (Access::Seats, Listing::Public, _) => Scope::Public,
            (Access::Seats, Listing::Own, Some(guest)) => Scope::Holder(guest),
            // A client without a token has no games.
            (Access::Seats, Listing::Own, None) => return Ok(Vec::new()),
        };
        let games = self.store.list(ListQuery { scope, limit, before }).await;
        let games = games.map_err(|e| store_error("cannot list the games", &e))?;
        Ok(games.into_iter().map(|game| self.listed(game, guest)).collect())
    }

    /// The summaries of the open challenges whose creators are connected.
    pub(crate) async fn lobby(&self, guest: Option<TokenHash>) -> Result<Vec<String>, ApiError> {
        if self.access == Access::Open {
            return Ok(Vec::new());
        }
        let query = ListQuery { scope: Scope::Lobby, limit: LOBBY_SIZE, before: None };
        let games = self.store.list(query).await.map_err(|e| store_error("cannot list the lobby", &e))?;
        let elsewhere = self.connected_elsewhere(&games).await?;
        let is_connected = |game: &ListedGame| {
            let host = if game.holders.first.is_some() { Side::First } else { Side::Second };
            self.is_connected(&game.id, host)
                || elsewhere.iter().any(|(id, side)| *id == game.id && *side == host)
        };
        Ok(games.into_iter().filter(is_connected).map(|game| self.listed(game, guest)).collect())
    }

    /// A game of a list, with the sides that the guest plays.
    fn listed(&self, game: ListedGame, guest: Option<TokenHash>) -> String {
        let plays = |holder: Option<TokenHash>| holder.is_some() && holder == guest;
        let you = [(Side::First, game.holders.first), (Side::Second, game.holders.second)];
        let you: Vec<_> =
            you.into_iter().filter(|(_, holder)| plays(*holder)).map(|(side, _)| side).collect();
        game.into_json((self.access == Access::Seats).then_some(&you))
    }

    /// Whether the player of a side follows a game. A game that is not in memory has no followers.
    fn is_connected(&self, id: &str, side: Side) -> bool {
        let slot = self.cache().get(id).cloned();
        slot.and_then(|slot| slot.get().map(|game| game.presence.is_connected(side))).unwrap_or(false)
    }

    /// Who follows a game.
    fn presence(&self, game: &LiveGame) -> Presence {
        match self.access {
            Access::Open => Presence::ALL,
            Access::Seats => game.presence.view(self.abandon_after(), self.wall_time(), self.now()),
        }
    }

    /// Tells the followers of a game that a player came or left.
    fn notify_presence(self: &Arc<Self>, game: &Arc<LiveGame>) {
        if self.access == Access::Seats {
            game.notify(&GameMessage::Presence(self.presence(game)));
            self.announce_presence(game);
        }
    }

    /// Milliseconds after which an absent guest has abandoned the game.
    const fn abandon_after(&self) -> u64 {
        self.abandon_after.as_millis() as u64
    }

    /// The time that a move of a player is credited for the lag of the connection, in milliseconds.
    pub(crate) fn lag_credit(&self, game: &LiveGame, side: Side) -> u64 {
        let round_trip = match self.access {
            Access::Open => None,
            Access::Seats => game.presence.round_trip(side),
        };
        round_trip.unwrap_or(0).min(self.lag_credit.as_millis() as u64)
    }

    /// Follows a game.
    pub(crate) async fn subscribe(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
        round_trip: RoundTrip,
    ) -> Result<Subscription, ApiError> {
        let game = self.live_game(id).await?;
        let mut state = game.state.lock().await;
        self.catch_up_if_behind(&game, &mut state).await?;
        let snapshot = self.snapshot(&game, &mut state).await?;
        let subscription = Subscription::new(self, &game, guest, round_trip, snapshot);
        // Engines play each other only while somebody watches.
        if state.duty.is_mine {
            self.queue_engine(&game, &state);
        }
        Ok(subscription)
    }

    /// Changes a game for a guest. Returns the new state. With `expected_version`, a game at another version is left
    /// unchanged.
    pub(crate) async fn change(
        self: &Arc<Self>,
        id: &str,
        guest: Option<TokenHash>,
        expected_version: Option<u64>,
        change: Change,
    ) -> Result<String, ApiError> {
        let (registry, id) = (Arc::clone(self), id.to_owned());
        // Waiting for the game is not charged to the player.
        let request = Request::new(Actor::Guest(guest), expected_version, change, self.now());
        run_to_completion(async move {
            let game = registry.live_game(&id).await?;
            let mut state = game.state.lock().await;
            registry.apply(&game, &mut state, request).await?;
            let snapshot = registry.snapshot(&game, &mut state).await?;
            drop(state);
            Ok(registry.render(&game, &snapshot, guest, 0))
        })
        .await
    }

    /// Changes a game in memory, for an engine or a clock.
    pub(crate) async fn change_live(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        expected_version: u64,
        change: Change,
    ) -> Result<(), ApiError> {
        let request = Request::new(Actor::Server, Some(expected_version), change, self.now());
        let mut state = game.state.lock().await;
        self.apply(game, &mut state, request).await
    }

    async fn apply(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        state: &mut LiveState,
        request: Request,
    ) -> Result<(), ApiError> {
        game.check_valid(state)?;
        if request.expected_version.is_some_and(|expected| expected != state.session.version()) {
            self.catch_up_if_behind(game, state).await?;
        }
        let mut attempts = 0;
        let (written, json) = loop {
            let version = state.session.version();
            let (written, write) = match self.prepare(game, state, &request).await {
                Ok(prepared) => prepared,
                Err(error) => {
                    // The request may be right for the state that another instance has written.
                    self.catch_up_if_behind(game, state).await?;
                    if state.session.version() == version {
                        return Err(error);
                    }
                    continue;
                }
            };
            // A guest waits for the JSON, and followers do. It is built while the change is written.
            let is_shown = matches!(request.actor, Actor::Guest(_)) || game.updates.receiver_count() > 0;
            let json = async {
                if is_shown {
                    build_json(Arc::clone(&written.next), game.id.clone(), written.timestamps).await.map(Some)
                } else {
                    Ok(None)
                }
            };
            let (result, json) = tokio::join!(self.store.write(write), json);
            match result {
                Ok(()) => break (written, json?),
                Err(StoreError::Stale) if self.store.shared().is_some() && attempts < instances::ATTEMPTS => {
                    attempts += 1;
                    self.catch_up_after_stale(game, state, request.seat).await?;
                }
                Err(error) => return Err(self.failed_write(game, state, &error)),
            }
        };
        let Written { mut next, timestamps, job } = written;
        // The clock of the next player starts now: the time to write is charged to nobody. This copies nothing, because
        // nobody else has the session yet.
        let duty = self.start_clock(game, Arc::make_mut(&mut next), job).await;
        (state.session, state.timestamps, state.json, state.duty) = (next, timestamps, json, duty);
        game.version.store(state.session.version(), Ordering::Release);
        if state.session.is_over() {
            state.permit = None;
        }
        if let Some(seat) = request.seat {
            self.seat_taken(game, state, seat);
        }
        self.schedule(game, state);
        if game.updates.receiver_count() > 0 {
            let snapshot = self.snapshot(game, state).await?;
            game.updates.send_replace(Update::Game(snapshot));
        }
        Ok(())
    }

    /// Checks a request, and applies it to a copy of the session.
    async fn prepare(
        &self,
        game: &LiveGame,
        state: &LiveState,
        request: &Request,
    ) -> Result<(Written, Write), ApiError> {
        let role = match request.actor {
            Actor::Server => Role::Server,
            Actor::Guest(guest) => state.role(self.access, guest),
        };
        state.session.check_role(self.access, role, &request.change)?;
        state.session.check_version(request.expected_version)?;
        let now = match (request.actor, &request.change) {
            (Actor::Guest(_), Change::Move { .. }) => {
                request.now.saturating_sub(self.lag_credit(game, state.session.game().turn().into()))
            }
            _ => request.now,
        };
        let version = state.session.version();
        let timestamps = Timestamps { updated: self.next_timestamp(), ..state.timestamps };
        let (next, entries, summary) = {
            let (session, id, change) = (Arc::clone(&state.session), game.id.clone(), request.change.clone());
            run_blocking(move || {
                let mut next = (*session).clone();
                let entries: Vec<_> = next.change(&change, now)?.iter().map(to_json).collect();
                let summary = summary(&next, &id, timestamps);
                Ok((Arc::new(next), entries, summary))
            })
            .await?
        };
        let job = self.job(&next, self.now());
        let write = Write::Append {
            id: game.id.clone(),
            first_number: version + 1,
            entries,
            summary,
            seat: request.seat,
            flags: flags(&next),
            at: timestamps.updated,
            job,
        };
        Ok((Written { next, timestamps, job }, write))
    }

    /// Writes a change of a game. After a failure, memory and disk may differ, so the game leaves memory.
    async fn write(&self, game: &LiveGame, state: &mut LiveState, write: Write) -> Result<(), ApiError> {
        let result = self.store.write(write).await;
        result.map_err(|error| self.failed_write(game, state, &error))
    }

    fn failed_write(&self, game: &LiveGame, state: &mut LiveState, error: &StoreError) -> ApiError {
        self.evict(game, state, Update::Outdated);
        store_error("cannot write a game", error)
    }

    /// Removes a game from memory and tells its followers why.
    fn evict(&self, game: &LiveGame, state: &mut LiveState, update: Update) {
        self.engines.forget(&game.id);
        state.validity = match update {
            Update::Deleted(_) => Validity::Deleted,
            Update::Game(_) | Update::Outdated => Validity::Outdated,
        };
        state.flag_timer = None;
        state.permit = None;
        // No session has this version, so running searches stop.
        game.version.store(u64::MAX, Ordering::Release);
        self.cache().remove(&game.id);
        game.updates.send_replace(update);
    }

    /// Tests whether the database can be used. The details of a failure go to the log.
    pub(crate) async fn ready(&self) -> Result<(), ApiError> {
        let result = tokio::time::timeout(READY_TIMEOUT, self.store.ready()).await;
        let error = match result {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(e)) => {
                tracing::error!(error = %e, "the database is not ready");
                store_error("the database is not ready", &e)
            }
            Err(_) => internal("the database is not ready", &"it does not answer"),
        };
        let is_outage = error.code() == ErrorCode::Busy;
        Err(if is_outage { error } else { ApiError::new(ErrorCode::Busy, &ServerError::StorageFailed) })
    }

    /// Deletes a game that cannot be loaded.
    async fn delete_damaged(&self, id: &str, guest: Option<TokenHash>) -> Result<(), ApiError> {
        if self.access == Access::Seats {
            let holders = self.stored(id).await?.seats.map(|seat| seat.holder);
            if guest.is_none() || ![holders.first, holders.second].contains(&guest) {
                return Err(ApiError::forbidden(&Denied::Spectator));
            }
        }
        let deleted = self.store.write(Write::Delete { id: id.to_owned() }).await;
        deleted.map_err(|e| store_error("cannot delete a damaged game", &e))
    }

    /// A game as it is stored, also if it cannot be replayed.
    pub(crate) async fn raw(&self, id: &str) -> Result<RawGame, ApiError> {
        let stored = self.stored(id).await?;
        Ok(RawGame::new(id, stored))
    }

    async fn stored(&self, id: &str) -> Result<StoredGame, ApiError> {
        match self.store.game(id).await {
            Ok(Some(stored)) => Ok(stored),
            Ok(None) => Err(ApiError::game_not_found(id)),
            Err(error @ StoreError::Damaged { .. }) => Err(damaged(id, &error)),
            Err(error) => Err(store_error("cannot read a game", &error)),
        }
    }

    /// Stops all engine searches.
    pub(crate) fn begin_shutdown(&self) {
        self.engines.stop();
    }

    /// Closes the store. Later requests fail.
    pub(crate) async fn close(&self) {
        if let Err(error) = self.store.close().await {
            tracing::error!(%error, "cannot close the store");
        }
    }

    /// The workers of the engine opponents.
    pub(crate) const fn engines(&self) -> &EngineWorkers {
        &self.engines
    }

    /// The metrics of the server.
    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Milliseconds on the clock that the game clocks use: monotonic, and the same for all instances.
    pub(crate) fn now(&self) -> u64 {
        self.store.shared().map_or_else(|| self.epoch.elapsed().as_millis() as u64, Shared::now)
    }

    /// Milliseconds since 1970.
    fn wall_time(&self) -> u64 {
        self.store.shared().map_or_else(wall_time, Shared::now)
    }

    /// A timestamp for a change: the current time, but later than every earlier timestamp.
    fn next_timestamp(&self) -> u64 {
        let mut last = self.last_timestamp.lock().unwrap_or_else(PoisonError::into_inner);
        *last = self.wall_time().max(*last + 1);
        *last
    }

    /// The game from the cache, or else from disk.
    async fn live_game(self: &Arc<Self>, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        let slot = self.slot(id);
        let loaded = slot.get_or_try_init(|| self.load(id)).await.cloned();
        if loaded.is_err() {
            let mut cache = self.cache();
            drop(slot);
            // Keep the slot if another request is still loading the game.
            let is_abandoned = |slot: &Arc<Slot>| Arc::strong_count(slot) == 1 && slot.get().is_none();
            if cache.get(id).is_some_and(is_abandoned) {
                cache.remove(id);
            }
        }
        loaded
    }

    async fn load(self: &Arc<Self>, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        if let Some(shared) = self.store.shared() {
            return self.load_shared(shared, id).await;
        }
        let stored = self.stored(id).await?;
        let timestamps = Timestamps { created: stored.created, updated: stored.updated };
        let seats = stored.seats;
        let mut session = {
            let id = id.to_owned();
            run_blocking(move || restore(&id, &stored)).await?
        };
        session.start_clock(self.now());
        let duty = Duty::of_writer(None);
        let game = LiveGame::new(id.to_owned(), session, timestamps, seats, duty, self.now(), &self.metrics);
        let game = Arc::new(game);
        self.schedule(&game, &mut *game.state.lock().await);
        Ok(game)
    }

    /// The cache slot of a game. A new slot in a full cache drops the games that are not in use.
    fn slot(&self, id: &str) -> Arc<Slot> {
        let mut cache = self.cache();
        if let Some(slot) = cache.get(id) {
            return Arc::clone(slot);
        }
        if cache.len() >= CACHE_SIZE {
            cache
                .retain(|_, slot| Arc::strong_count(slot) > 1 || slot.get().is_some_and(LiveGame::is_in_use));
        }
        Arc::clone(cache.entry(id.to_owned()).or_default())
    }

    fn cache(&self) -> MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts what the state of a game requires: the flag timer, an engine's move or its answer to a draw offer.
    fn schedule(self: &Arc<Self>, game: &Arc<LiveGame>, state: &mut LiveState) {
        if !state.duty.is_mine {
            state.flag_timer = None;
            return;
        }
        self.hold_engine_clock(state);
        self.start_flag_timer(game, state);
        self.queue_engine(game, state);
    }
}

/// The JSON of a game in lists.
fn summary(session: &Session, id: &str, timestamps: Timestamps) -> String {
    to_json(&GameSummary::of(session, id, timestamps))
}

/// Where a game is listed.
fn flags(session: &Session) -> Flags {
    Flags { public: session.settings().is_public(), lobby: session.in_lobby() }
}

/// Restores a session from the store.
fn restore(id: &str, stored: &StoredGame) -> Result<Session, ApiError> {
    if stored.version != stored.log.len() as u64 + 1 {
        return Err(damaged(id, &"log entries are missing"));
    }
    let settings: GameSettings = serde_json::from_str(&stored.settings).map_err(|e| damaged(id, &e))?;
    let log = parse_log(id, stored)?;
    Session::restore(settings, &log).map_err(|e| damaged(id, &e))
}

/// A stored game cannot be read or replayed.
fn damaged(id: &str, error: &dyn std::fmt::Display) -> ApiError {
    tracing::error!(game = id, %error, "a stored game is damaged");
    ApiError::new(ErrorCode::Internal, &ServerError::GameDamaged { id: id.to_owned() })
}

/// Parses the log of a game from the store.
fn parse_log(id: &str, stored: &StoredGame) -> Result<Vec<LogEntry>, ApiError> {
    let log = stored.log.iter().map(|entry| serde_json::from_str(entry));
    log.collect::<Result<_, _>>().map_err(|e| damaged(id, &e))
}

/// Runs a task to its end even if the client disconnects, so that no change is left half done.
async fn run_to_completion<T: Send + 'static>(
    task: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::spawn(task.in_current_span()).await.unwrap_or_else(|e| Err(internal("a task failed", &e)))
}

fn store_error(context: &str, error: &StoreError) -> ApiError {
    let outage = match error {
        StoreError::Closed => ServerError::ShuttingDown,
        StoreError::Restored => ServerError::Reloading,
        StoreError::Missing { .. } => ServerError::StorageMissing,
        StoreError::Locked => ServerError::StorageLocked,
        StoreError::Full => ServerError::StorageFull,
        StoreError::ReadOnly => ServerError::StorageReadOnly,
        StoreError::Device(_) | StoreError::Io(_) => ServerError::StorageFailed,
        StoreError::Unavailable(_) => {
            tracing::warn!(%error, "{context}");
            ServerError::DatabaseUnavailable
        }
        _ => return internal(context, error),
    };
    ApiError::new(ErrorCode::Busy, &outage).with_retry_after(RETRY_AFTER)
}

/// An unguessable game id: 60 random bits in Crockford's base 32.
fn new_id() -> Result<String, ApiError> {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut bits = getrandom::u64().map_err(|e| internal("the system has no random numbers", &e))?;
    let mut id = String::with_capacity(12);
    for _ in 0..12 {
        id.push(char::from(DIGITS[(bits % 32) as usize]));
        bits /= 32;
    }
    Ok(id)
}

/// Milliseconds since 1970.
fn wall_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::SqliteStore;

    fn registry() -> (Arc<Registry>, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(SqliteStore::open(folder.path(), Duration::from_secs(5)).unwrap());
        (Registry::new(store, Access::Open, &Limits::default(), Arc::new(Metrics::new())), folder)
    }

    #[tokio::test]
    async fn a_slot_stays_while_a_request_holds_it() {
        let (registry, _folder) = registry();
        // Another request is about to load the game, which may exist by then.
        let held = registry.slot("a");
        assert!(registry.live_game("a").await.is_err());
        assert!(Arc::ptr_eq(&registry.slot("a"), &held), "the game would be in memory twice");
        drop(held);
        assert!(registry.live_game("a").await.is_err());
        assert!(registry.cache().is_empty());
    }

    #[tokio::test]
    async fn a_full_cache_drops_unused_slots() {
        let (registry, _folder) = registry();
        for number in 0..3 * CACHE_SIZE {
            registry.slot(&number.to_string());
        }
        assert!(registry.cache().len() <= CACHE_SIZE);
    }

    #[tokio::test]
    async fn timestamps_are_strictly_increasing() {
        let (registry, _folder) = registry();
        let timestamps: Vec<_> = (0..1_000).map(|_| registry.next_timestamp()).collect();
        assert!(timestamps.is_sorted_by(|a, b| a < b));
    }
}
