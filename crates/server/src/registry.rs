//! The game registry: all games, in memory while they are used and always on disk.
//!
//! A change is applied to a copy of the session, written to disk, and only then published, so no client sees a change that
//! is not on disk. The registry then starts the engine and the flag timer if the new state needs them.

mod instances;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::extract::ws::Utf8Bytes;
use sandtable_contract::{
    ApiError, Both, Change, ErrorCode, GameSettings, GameSummary, GameView, LogEntry, Record, Session,
    Timestamps, to_json,
};
use tokio::sync::{OnceCell, watch};
use tracing::Instrument as _;

use self::instances::Duty;
use crate::blocking::run_blocking;
use crate::clients::GamePermit;
use crate::engine_jobs::{self, EngineWorkers};
use crate::error::{ServerError, internal};
use crate::flag_timer::FlagTimer;
use crate::metrics::{Counted, Metrics};
use crate::raw_game::RawGame;
use crate::store::{Flags, ListQuery, ListedGame, Scope, Shared, Store, StoreError, StoredGame, Write};

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
    /// The origin of the monotonic clock.
    epoch: Instant,
    /// The time of the last change.
    last_timestamp: Mutex<u64>,
}

/// The cache entry of a game, which may still be loading.
type Slot = OnceCell<Arc<LiveGame>>;

/// A game in memory.
pub(crate) struct LiveGame {
    id: String,
    state: tokio::sync::Mutex<LiveState>,
    updates: watch::Sender<Update>,
    /// A copy of the session's version, readable without the lock on `state`.
    version: AtomicU64,
    _counted: Counted,
}

struct LiveState {
    session: Session,
    timestamps: Timestamps,
    validity: Validity,
    duty: Duty,
    /// Set while the clock runs.
    flag_timer: Option<FlagTimer>,
    /// Counts the game for its creator until it is over.
    permit: Option<GamePermit>,
}

/// Whether a [`LiveGame`] is up to date. Tasks may hold one that has left the cache.
#[derive(Clone, Copy)]
enum Validity {
    Current,
    Deleted,
    /// A write failed or its result is unknown: the next request reloads the game from disk.
    Outdated,
}

impl LiveGame {
    fn new(id: String, session: Session, timestamps: Timestamps, duty: Duty, metrics: &Metrics) -> Self {
        let version = AtomicU64::new(session.version());
        let state = LiveState {
            session,
            timestamps,
            validity: Validity::Current,
            duty,
            flag_timer: None,
            permit: None,
        };
        // Nobody receives this initial value: subscribers mark it as seen.
        let (updates, _) = watch::channel(Update::Deleted);
        Self { id, state: tokio::sync::Mutex::new(state), updates, version, _counted: metrics.game() }
    }

    /// The id of the game.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The version of the session; `u64::MAX` once the game has left memory.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Whether a request, an engine, a subscriber or a running clock needs the game in memory.
    fn is_in_use(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) > 1
            || self.updates.receiver_count() > 0
            || self.state.try_lock().map_or(true, |state| state.flag_timer.is_some())
    }

    fn check_valid(&self, state: &LiveState) -> Result<(), ApiError> {
        match state.validity {
            Validity::Current => Ok(()),
            Validity::Deleted => Err(ApiError::game_not_found(&self.id)),
            Validity::Outdated => Err(ApiError::new(ErrorCode::Busy, &ServerError::Reloading)),
        }
    }
}

/// What subscribers of a game receive.
#[derive(Clone, Debug)]
pub(crate) enum Update {
    /// The message with the new state of the game.
    Game(Utf8Bytes),
    /// The game was deleted.
    Deleted,
}

/// The JSON of a game at a version.
pub(crate) struct Snapshot {
    pub(crate) version: u64,
    pub(crate) json: String,
}

impl Snapshot {
    /// The WebSocket message with the game.
    pub(crate) fn message(&self) -> Utf8Bytes {
        format!(r#"{{"type":"game","game":{}}}"#, self.json).into()
    }
}

impl Registry {
    pub(crate) fn new(store: Arc<dyn Store>, engine_workers: usize, metrics: Arc<Metrics>) -> Arc<Self> {
        let registry = Arc::new(Self {
            cache: Mutex::default(),
            engines: EngineWorkers::new(engine_workers, &metrics),
            metrics,
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
                    self.evict(&game, &mut state, Validity::Outdated);
                }
            }
        }
    }

    /// Creates a game. It keeps `permit` until it is over or leaves memory.
    pub(crate) async fn create(
        self: &Arc<Self>,
        settings: GameSettings,
        permit: GamePermit,
    ) -> Result<Snapshot, ApiError> {
        let registry = Arc::clone(self);
        // Nothing is written yet: this ends with its client.
        let session = run_blocking(move || Session::new(settings)).await?;
        run_to_completion(async move {
            let (id, created) = (new_id()?, registry.next_timestamp());
            let timestamps = Timestamps { created, updated: created };
            let job = registry.job(&session, registry.now());
            let write = Write::Create {
                id: id.clone(),
                settings: to_json(session.settings()),
                summary: to_json(&GameSummary::of(&session, &id, timestamps)),
                seats: Both::default(),
                flags: Flags::default(),
                at: created,
                job,
            };
            registry.store.write(write).await.map_err(|e| store_error("cannot write a game", &e))?;
            let slot = registry.slot(&id);
            let new = LiveGame::new(id, session, timestamps, Duty::of_writer(job), &registry.metrics);
            let game = slot.get_or_init(|| async move { Arc::new(new) }).await;
            let mut state = game.state.lock().await;
            state.permit = (!state.session.game().is_over()).then_some(permit);
            registry.schedule(game, &mut state);
            registry.snapshot(game, &state)
        })
        .await
    }

    /// The current state of a game.
    pub(crate) async fn game(self: &Arc<Self>, id: &str) -> Result<Snapshot, ApiError> {
        let game = self.live_game(id).await?;
        let mut state = game.state.lock().await;
        self.catch_up_if_behind(&game, &mut state).await?;
        self.snapshot(&game, &state)
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
    pub(crate) async fn list(&self, limit: u32, before: Option<u64>) -> Result<Vec<String>, ApiError> {
        let games = self.store.list(ListQuery { scope: Scope::All, limit, before }).await;
        let games = games.map_err(|e| store_error("cannot list the games", &e))?;
        Ok(games.into_iter().map(ListedGame::into_json).collect())
    }

    /// The current state of a game and a subscription to all later ones.
    pub(crate) async fn subscribe(
        self: &Arc<Self>,
        id: &str,
    ) -> Result<(Snapshot, watch::Receiver<Update>), ApiError> {
        let game = self.live_game(id).await?;
        let mut state = game.state.lock().await;
        self.catch_up_if_behind(&game, &mut state).await?;
        let mut updates = game.updates.subscribe();
        updates.borrow_and_update();
        Ok((self.snapshot(&game, &state)?, updates))
    }

    /// Changes a game. With `expected_version`, a game at another version is left unchanged.
    pub(crate) async fn change(
        self: &Arc<Self>,
        id: &str,
        expected_version: Option<u64>,
        change: Change,
    ) -> Result<Snapshot, ApiError> {
        let (registry, id) = (Arc::clone(self), id.to_owned());
        run_to_completion(async move {
            let game = registry.live_game(&id).await?;
            registry.change_live(&game, expected_version, &change).await
        })
        .await
    }

    /// Changes a game in memory.
    pub(crate) async fn change_live(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        expected_version: Option<u64>,
        change: &Change,
    ) -> Result<Snapshot, ApiError> {
        let mut state = game.state.lock().await;
        game.check_valid(&state)?;
        if expected_version.is_some_and(|expected| expected != state.session.version()) {
            self.catch_up_if_behind(game, &mut state).await?;
        }
        let mut attempts = 0;
        let (mut next, timestamps, job) = loop {
            state.session.check_version(expected_version)?;
            let now = self.now();
            let version = state.session.version();
            let mut next = state.session.clone();
            let entries = match next.change(change, now) {
                Ok(entries) => entries,
                Err(error) => {
                    // It may be right for the state that another instance has written.
                    self.catch_up_if_behind(game, &mut state).await?;
                    if state.session.version() == version {
                        return Err(error);
                    }
                    continue;
                }
            };
            let timestamps = Timestamps { updated: self.next_timestamp(), ..state.timestamps };
            let job = self.job(&next, now);
            let write = Write::Append {
                id: game.id.clone(),
                first_number: version + 1,
                entries: entries.iter().map(to_json).collect(),
                summary: to_json(&GameSummary::of(&next, &game.id, timestamps)),
                seat: None,
                flags: Flags::default(),
                at: timestamps.updated,
                job,
            };
            match self.store.write(write).await {
                Ok(()) => break (next, timestamps, job),
                Err(StoreError::Stale) if self.store.shared().is_some() && attempts < instances::ATTEMPTS => {
                    attempts += 1;
                    self.catch_up_after_stale(game, &mut state).await?;
                }
                Err(error) => return Err(self.failed_write(game, &mut state, &error)),
            }
        };
        let duty = self.start_clock(game, &mut next, job).await;
        (state.session, state.timestamps, state.duty) = (next, timestamps, duty);
        if state.session.game().is_over() {
            state.permit = None;
        }
        game.version.store(state.session.version(), Ordering::Release);
        let snapshot = self.snapshot(game, &state)?;
        if game.updates.receiver_count() > 0 {
            game.updates.send_replace(Update::Game(snapshot.message()));
        }
        self.schedule(game, &mut state);
        Ok(snapshot)
    }

    /// After a failed write, memory and disk may differ, so the game leaves memory.
    fn failed_write(&self, game: &LiveGame, state: &mut LiveState, error: &StoreError) -> ApiError {
        self.evict(game, state, Validity::Outdated);
        store_error("cannot write a game", error)
    }

    /// Removes a game from memory and tells its current holders why.
    fn evict(&self, game: &LiveGame, state: &mut LiveState, validity: Validity) {
        state.validity = validity;
        state.flag_timer = None;
        state.permit = None;
        // No session has this version, so running searches stop.
        game.version.store(u64::MAX, Ordering::Release);
        self.cache().remove(&game.id);
    }

    /// Deletes a game.
    pub(crate) async fn delete(self: &Arc<Self>, id: &str) -> Result<(), ApiError> {
        let (registry, id) = (Arc::clone(self), id.to_owned());
        run_to_completion(async move {
            let game = match registry.live_game(&id).await {
                Err(error) if error.code() == ErrorCode::Internal => {
                    return registry.delete_damaged(&id).await;
                }
                game => game?,
            };
            let mut state = game.state.lock().await;
            game.check_valid(&state)?;
            let deleted = registry.store.write(Write::Delete { id }).await;
            deleted.map_err(|error| registry.failed_write(&game, &mut state, &error))?;
            registry.evict(&game, &mut state, Validity::Deleted);
            game.updates.send_replace(Update::Deleted);
            Ok(())
        })
        .await
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
    async fn delete_damaged(&self, id: &str) -> Result<(), ApiError> {
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

    fn snapshot(&self, game: &LiveGame, state: &LiveState) -> Result<Snapshot, ApiError> {
        game.check_valid(state)?;
        let view = GameView::of(&state.session, &game.id, state.timestamps, self.wall_time(), self.now());
        Ok(Snapshot { version: state.session.version(), json: to_json(&view) })
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
        let mut session = {
            let id = id.to_owned();
            run_blocking(move || restore(&id, &stored)).await?
        };
        session.start_clock(self.now());
        let game =
            Arc::new(LiveGame::new(id.to_owned(), session, timestamps, Duty::of_writer(None), &self.metrics));
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
        let session = &state.session;
        let time_left = session.time_to_flag(self.now()).map(Duration::from_millis);
        state.flag_timer = time_left.map(|left| FlagTimer::start(left, self, game, session.version()));
        engine_jobs::run(self, game, session);
    }
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
        (Registry::new(store, 1, Arc::new(Metrics::new())), folder)
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
