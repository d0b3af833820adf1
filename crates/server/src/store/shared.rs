//! What a store that several instances of the server share offers besides [`Store`].

use sandtable_contract::{Both, Side};
use tokio::sync::mpsc;

use super::{Reply, Store, StoredGame};

/// What a game waits for besides requests: a clock that runs out, or an engine. The instance that writes it carries it out;
/// if that instance ends, another one takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    /// When the clock of the side to move started, on the store's clock; `None` if no clock runs.
    pub(crate) clock_started: Option<u64>,
    /// When there is something to do: the moment the time runs out, or now for an engine.
    pub(crate) due: u64,
}

/// The job of a game as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JobState {
    pub(crate) clock_started: Option<u64>,
    pub(crate) owner: JobOwner,
}

/// The instance that carries a job out. Its lease may have run out: nobody carries the job out then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobOwner {
    This { is_expired: bool },
    Other { is_expired: bool },
}

/// A game as all instances see it at one moment.
#[derive(Clone, Debug)]
pub(crate) struct SharedGame {
    /// Its log has only the entries after the version that was asked for.
    pub(crate) game: StoredGame,
    pub(crate) job: Option<JobState>,
}

/// Whether the holder of a seat has a game socket on another instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredPresence {
    pub(crate) is_connected: bool,
    /// Since when there is none; `None` if there is one, or never was.
    pub(crate) gone_since: Option<u64>,
}

/// News from the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RemoteChange {
    /// Another instance has changed a game.
    Version { id: String, version: u64 },
    /// Another instance has changed the holder or the link of a seat.
    Seats { id: String },
    /// The clock of a game was shifted, because nobody carried its job out for a while, or the job has a new owner.
    Job { id: String },
    /// Another instance has added a chat message.
    Chat { id: String, number: u64 },
    /// A player came or left on another instance.
    Presence { id: String },
    /// Another instance has deleted a game.
    Deleted { id: String },
    /// This instance has taken over the job of a game.
    Claimed { id: String },
    /// News may have been missed: every game in memory may be out of date.
    Reconnected,
}

/// A store that several instances share.
pub(crate) trait Shared: Store {
    /// News from the store, for one receiver: later calls return `None`.
    fn take_changes(&self) -> Option<mpsc::UnboundedReceiver<RemoteChange>>;

    /// The time on the clock that all instances share, in milliseconds since 1970.
    fn now(&self) -> u64;

    /// The versions of those games that exist.
    fn versions(&self, ids: Vec<String>) -> Reply<'_, Vec<(String, u64)>>;

    /// Reads a game, with the log entries after a version; `None` if the id is unknown.
    fn shared_game<'a>(&'a self, id: &'a str, since: u64) -> Reply<'a, Option<SharedGame>>;

    /// Takes over the job of a game if nobody carries it out. The time since then is charged to neither player.
    fn claim<'a>(&'a self, id: &'a str) -> Reply<'a, ()>;

    /// Changes when the clock of a game started, if this instance still has its job.
    fn restart_clock<'a>(&'a self, id: &'a str, started: u64) -> Reply<'a, ()>;

    /// The games whose job this instance carries out.
    fn own_jobs(&self) -> Reply<'_, Vec<String>>;

    /// Sets whether the holder of a seat has a game socket on this instance.
    fn set_connected<'a>(&'a self, id: &'a str, side: Side, is_connected: bool) -> Reply<'a, ()>;

    /// The seats of games whose holders have a game socket on any instance.
    fn connected(&self, ids: Vec<String>) -> Reply<'_, Vec<(String, Side)>>;

    /// Who has a game socket on another instance.
    fn presence<'a>(&'a self, id: &'a str) -> Reply<'a, Both<StoredPresence>>;
}
