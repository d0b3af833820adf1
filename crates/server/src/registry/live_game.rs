//! A game in memory, and what its followers receive.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use axum::extract::ws::Utf8Bytes;
use sandtable_contract::{
    Access, ApiError, Both, DeletedReason, ErrorCode, GameJson, GameMessage, LiveView, Role, Session,
    Timestamps, to_json,
};
use tokio::sync::{broadcast, watch};

use super::Registry;
use super::chat::ChatRate;
use super::instances::Duty;
use super::presence::{PresenceBoard, RoundTrip};
use crate::clients::GamePermit;
use crate::engine_jobs::EngineJob;
use crate::error::ServerError;
use crate::flag_timer::FlagTimer;
use crate::metrics::{Counted, Metrics};
use crate::store::{StoredSeat, TokenHash};

/// The most notices that a slow client may miss before its socket is closed.
const NOTICES: usize = 32;

/// A game in memory.
pub(crate) struct LiveGame {
    pub(super) id: String,
    pub(super) state: tokio::sync::Mutex<LiveState>,
    pub(super) updates: watch::Sender<Update>,
    pub(super) notices: broadcast::Sender<Notice>,
    pub(super) presence: PresenceBoard,
    /// What other instances know of the players' connections to this one.
    pub(super) announced: tokio::sync::Mutex<Both<bool>>,
    pub(super) chat_rate: Mutex<Both<ChatRate>>,
    /// A copy of the session's version, readable without the lock on `state`.
    pub(super) version: AtomicU64,
    /// Whose turn it is in the queue of engines when this game's engine has a move to make.
    pub(super) queue_name: OnceLock<Arc<str>>,
    engine_job: EngineJob,
    _counted: Counted,
}

pub(super) struct LiveState {
    pub(super) session: Arc<Session>,
    pub(super) timestamps: Timestamps,
    pub(super) seats: Both<StoredSeat>,
    /// The JSON of this version, once somebody needs it.
    pub(super) json: Option<Arc<GameJson>>,
    pub(super) validity: Validity,
    pub(super) duty: Duty,
    /// Set while the clock runs.
    pub(super) flag_timer: Option<FlagTimer>,
    /// Counts the game for its creator until it is over.
    pub(super) permit: Option<GamePermit>,
}

impl LiveState {
    /// The guests who hold the seats.
    pub(super) fn holders(&self) -> Both<Option<TokenHash>> {
        self.seats.map(|seat| seat.holder)
    }

    /// The role of a guest.
    pub(super) fn role(&self, access: Access, guest: Option<TokenHash>) -> Role {
        role(access, &self.session, self.holders(), guest)
    }
}

fn role(
    access: Access,
    session: &Session,
    holders: Both<Option<TokenHash>>,
    guest: Option<TokenHash>,
) -> Role {
    Role::of(access, session.seats(), holders.map(|holder| holder.is_some() && holder == guest))
}

/// Whether a [`LiveGame`] is up to date. Tasks may hold one that has left the cache.
#[derive(Clone, Copy)]
pub(super) enum Validity {
    Current,
    Deleted,
    /// A write failed or its result is unknown: the next request reloads the game from disk.
    Outdated,
}

/// What subscribers of a game receive. A slow subscriber misses all but the last one.
#[derive(Clone)]
pub(crate) enum Update {
    /// The new state of the game.
    Game(Snapshot),
    /// The game was deleted.
    Deleted(DeletedReason),
    /// The game has left memory: subscribers reconnect.
    Outdated,
}

/// A message to subscribers that does not change the game.
#[derive(Clone)]
pub(crate) struct Notice {
    pub(crate) message: Utf8Bytes,
    /// Whether only the players receive it.
    pub(crate) is_private: bool,
}

impl Notice {
    pub(super) fn new(message: &GameMessage) -> Self {
        Self { message: to_json(message).into(), is_private: matches!(message, GameMessage::Chat { .. }) }
    }
}

/// The state of a game at a version, to be shown to anyone.
#[derive(Clone)]
pub(crate) struct Snapshot {
    session: Arc<Session>,
    json: Arc<GameJson>,
    holders: Both<Option<TokenHash>>,
}

impl Snapshot {
    pub(crate) fn version(&self) -> u64 {
        self.session.version()
    }

    /// The role of a guest.
    pub(crate) fn role(&self, access: Access, guest: Option<TokenHash>) -> Role {
        role(access, &self.session, self.holders, guest)
    }

    /// The number of moves that the client of an earlier snapshot keeps.
    pub(crate) fn kept_since(&self, earlier: &Self) -> usize {
        self.json.common_moves(&earlier.json)
    }
}

impl LiveGame {
    pub(super) fn new(
        id: String,
        session: Session,
        timestamps: Timestamps,
        seats: Both<StoredSeat>,
        duty: Duty,
        now: u64,
        metrics: &Metrics,
    ) -> Self {
        let version = AtomicU64::new(session.version());
        let presence = PresenceBoard::new(session.seats(), seats.map(|seat| seat.holder), now);
        let state = LiveState {
            session: Arc::new(session),
            timestamps,
            seats,
            json: None,
            validity: Validity::Current,
            duty,
            flag_timer: None,
            permit: None,
        };
        // Nobody receives this initial value: subscribers mark it as seen.
        let (updates, _) = watch::channel(Update::Outdated);
        Self {
            id,
            state: tokio::sync::Mutex::new(state),
            updates,
            notices: broadcast::channel(NOTICES).0,
            presence,
            announced: tokio::sync::Mutex::default(),
            chat_rate: Mutex::default(),
            version,
            queue_name: OnceLock::new(),
            engine_job: EngineJob::default(),
            _counted: metrics.game(),
        }
    }

    /// The id of the game.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// The client that the engine's searches count for: the creator. Games that were loaded from the store share one name.
    pub(crate) fn queue_name(&self) -> Arc<str> {
        self.queue_name.get().cloned().unwrap_or_default()
    }

    /// The version of the session; `u64::MAX` once the game has left memory.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// The job of the engine to move or to answer a draw offer.
    pub(crate) const fn engine_job(&self) -> &EngineJob {
        &self.engine_job
    }

    /// Whether a request, an engine, a subscriber or a running clock needs the game in memory.
    pub(super) fn is_in_use(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) > 1
            || self.updates.receiver_count() > 0
            || self.state.try_lock().map_or(true, |state| state.flag_timer.is_some())
    }

    pub(super) fn check_valid(&self, state: &LiveState) -> Result<(), ApiError> {
        match state.validity {
            Validity::Current => Ok(()),
            Validity::Deleted => Err(ApiError::game_not_found(&self.id)),
            Validity::Outdated => Err(ApiError::new(ErrorCode::Busy, &ServerError::Reloading)),
        }
    }

    /// Sends a notice to all subscribers.
    pub(super) fn notify(&self, message: &GameMessage) {
        // An error means that there are none.
        let _ = self.notices.send(Notice::new(message));
    }
}

/// A client that follows a game. The game knows it as long as this value exists.
pub(crate) struct Subscription {
    registry: Arc<Registry>,
    game: Arc<LiveGame>,
    guest: Option<TokenHash>,
    number: u64,
    pub(crate) snapshot: Snapshot,
    pub(crate) updates: watch::Receiver<Update>,
    pub(crate) notices: broadcast::Receiver<Notice>,
}

impl Subscription {
    pub(super) fn new(
        registry: &Arc<Registry>,
        game: &Arc<LiveGame>,
        guest: Option<TokenHash>,
        round_trip: RoundTrip,
        snapshot: Snapshot,
    ) -> Self {
        let mut updates = game.updates.subscribe();
        updates.borrow_and_update();
        let notices = game.notices.subscribe();
        let (number, came) = game.presence.join(guest, round_trip, registry.now());
        if came {
            registry.notify_presence(game);
        }
        let (registry, game) = (Arc::clone(registry), Arc::clone(game));
        Self { registry, game, guest, number, snapshot, updates, notices }
    }

    /// The whole game for this client.
    pub(crate) fn game(&self) -> String {
        format!(
            r#"{{"type":"game","game":{}}}"#,
            self.registry.render(&self.game, &self.snapshot, self.guest, 0)
        )
    }

    /// What has changed since the last state that this client has.
    pub(crate) fn change_to(&mut self, next: Snapshot) -> String {
        let kept = next.kept_since(&self.snapshot);
        self.snapshot = next;
        let game = self.registry.render(&self.game, &self.snapshot, self.guest, kept);
        format!(r#"{{"type":"change","kept":{kept},"game":{game}}}"#)
    }

    /// Who follows the game, where guests hold seats.
    pub(crate) fn presence(&self) -> Option<Utf8Bytes> {
        let presence = || to_json(&GameMessage::Presence(self.registry.presence(&self.game))).into();
        (self.registry.access() == Access::Seats).then(presence)
    }

    /// Whether the client plays in the game.
    pub(crate) fn is_player(&self) -> bool {
        !matches!(self.snapshot.role(self.registry.access(), self.guest), Role::Spectator)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if self.game.presence.leave(self.number, self.registry.now()) {
            self.registry.notify_presence(&self.game);
        }
    }
}

impl Registry {
    /// The state of a game. Its JSON is built once per version, off the threads that serve requests.
    pub(super) async fn snapshot(
        &self,
        game: &Arc<LiveGame>,
        state: &mut LiveState,
    ) -> Result<Snapshot, ApiError> {
        game.check_valid(state)?;
        let json = if let Some(json) = &state.json {
            Arc::clone(json)
        } else {
            let json = build_json(Arc::clone(&state.session), game.id.clone(), state.timestamps).await?;
            Arc::clone(state.json.insert(json))
        };
        Ok(Snapshot { session: Arc::clone(&state.session), json, holders: state.holders() })
    }

    /// The JSON of a game for a guest, with the moves from index `kept` on.
    pub(super) fn render(
        &self,
        game: &LiveGame,
        snapshot: &Snapshot,
        guest: Option<TokenHash>,
        kept: usize,
    ) -> String {
        let role = snapshot.role(self.access(), guest);
        let (wall_time, now) = (self.wall_time(), self.now());
        let live = LiveView::of(&snapshot.session, self.access(), role, self.presence(game), wall_time, now);
        snapshot.json.with(&live, kept)
    }
}

/// Builds the JSON of a game that all requesters share.
pub(super) async fn build_json(
    session: Arc<Session>,
    id: String,
    timestamps: Timestamps,
) -> Result<Arc<GameJson>, ApiError> {
    crate::blocking::run_blocking(move || Ok(Arc::new(GameJson::of(&session, &id, timestamps)))).await
}
