//! The stored games.
//!
//! [`Store`] is all that the rest of the server knows of its database. A game is stored as its settings, an append-only log
//! and the holders of its seats. Its version is the length of the log plus one, so the first entry has number 2.

mod listed;
mod measured;
mod migrations;
mod postgres;
mod shared;
mod sqlite;
#[cfg(test)]
pub(crate) mod suite;

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;

use sandtable_contract::{Both, Side};

pub(crate) use self::measured::MeasuredStore;
pub(crate) use self::postgres::PostgresStore;
pub(crate) use self::shared::{Job, JobOwner, JobState, RemoteChange, Shared, SharedGame, StoredPresence};
pub(crate) use self::sqlite::{SqliteStore, archive};

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("another server is using this folder")]
    InUse,
    #[error("created by a newer version of Sandtable: schema {found}, at most {supported} supported")]
    NewerSchema { found: i32, supported: i32 },
    /// The game does not exist or is at another version than the write expects, or the link of a seat is another one.
    #[error("the stored game is at another version")]
    Stale,
    #[error(
        "the database file is empty (0 bytes): restore a backup with `sandtable restore FILE`, or delete the file to start without games"
    )]
    Empty,
    #[error(
        "the database is missing, but its -wal file is there: move the database back, or restore a backup with `sandtable restore FILE`"
    )]
    OnlyWal,
    #[error("the database is damaged ({finding}): restore a backup with `sandtable restore FILE`")]
    Damaged { finding: String },
    /// Writes would be lost. Only a restart of the server helps, unless the file is moved back.
    #[error("{} was deleted, moved or replaced while the server was running", file.display())]
    Missing { file: PathBuf },
    #[error("another program has locked the database")]
    Locked,
    #[error("the disk is full")]
    Full,
    #[error("the database is read-only")]
    ReadOnly,
    /// The disk cannot be read or written.
    #[error("input or output error: {0}")]
    Device(Box<dyn Error + Send + Sync>),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Database(Box<dyn Error + Send + Sync>),
    /// The database cannot be reached, or does not answer in time. Whether a write was executed is unknown.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The write was for a game that has been replaced by an older state.
    #[error("a backup was restored")]
    Restored,
    #[error("the server is shutting down")]
    Closed,
}

impl StoreError {
    fn damaged(finding: &dyn fmt::Display) -> Self {
        Self::Damaged { finding: finding.to_string() }
    }

    /// Whether the store as a whole has failed, not only one write.
    pub(crate) const fn is_outage(&self) -> bool {
        matches!(
            self,
            Self::Missing { .. } | Self::Locked | Self::Full | Self::ReadOnly | Self::Device(_) | Self::Io(_)
        )
    }
}

pub(crate) type Result<T> = std::result::Result<T, StoreError>;

/// What the methods of a [`Store`] return: a boxed future, so that the trait is object-safe.
pub(crate) type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// The SHA-256 of a secret token: of a guest's, which identifies the guest, or of a link's.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TokenHash(pub(crate) [u8; 32]);

impl fmt::Debug for TokenHash {
    /// The first four bytes, which suffice to tell guests apart in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..4].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A seat as stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredSeat {
    /// The guest who holds the seat.
    pub(crate) holder: Option<TokenHash>,
    /// The token that takes the seat: an invitation while nobody holds the seat, a transfer afterwards.
    pub(crate) link: Option<TokenHash>,
}

/// Where a game is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// Listed as a game to watch.
    pub(crate) public: bool,
    /// Listed in the lobby: a seat is open, and anyone may take it.
    pub(crate) lobby: bool,
}

/// A seat taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeatUpdate {
    pub(crate) side: Side,
    pub(crate) holder: TokenHash,
    /// The link that was used. Another link by now makes the write [`Stale`](StoreError::Stale), so a link works once.
    pub(crate) link: Option<TokenHash>,
}

/// A change of the stored games.
#[derive(Clone, Debug)]
pub(crate) enum Write {
    /// Creates a game, at version 1.
    Create {
        id: String,
        settings: String,
        summary: String,
        seats: Both<StoredSeat>,
        flags: Flags,
        at: u64,
        /// Only for a store that is [`Shared`].
        job: Option<Job>,
    },
    /// Appends entries to the log of a game, numbered from `first_number`, the expected version plus one. If the game is at
    /// another version, the write is [`Stale`](StoreError::Stale). A taken seat loses its link.
    Append {
        id: String,
        first_number: u64,
        entries: Vec<String>,
        summary: String,
        seat: Option<SeatUpdate>,
        flags: Flags,
        at: u64,
        /// Only for a store that is [`Shared`].
        job: Option<Job>,
    },
    /// Replaces the link of a seat.
    Link { id: String, side: Side, hash: Option<TokenHash> },
    /// Adds a chat message, and removes the oldest one beyond [`MAX_CHAT`].
    Chat { id: String, side: Side, text: String, at: u64 },
    /// Deletes a game with everything that belongs to it.
    Delete { id: String },
}

impl Write {
    /// The game that the write changes.
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Create { id, .. }
            | Self::Append { id, .. }
            | Self::Link { id, .. }
            | Self::Chat { id, .. }
            | Self::Delete { id } => id,
        }
    }
}

/// The most chat messages kept of a game.
pub(crate) const MAX_CHAT: u32 = 100;

/// A game as stored: its settings and log as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredGame {
    /// The length of the log plus one, unless entries were lost.
    pub(crate) version: u64,
    pub(crate) settings: String,
    pub(crate) log: Vec<String>,
    pub(crate) seats: Both<StoredSeat>,
    pub(crate) flags: Flags,
    pub(crate) created: u64,
    pub(crate) updated: u64,
}

/// Which games a list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    All,
    /// The games in which a guest holds a seat.
    Holder(TokenHash),
    Public,
    Lobby,
}

/// A page of a list of games, most recently changed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListQuery {
    pub(crate) scope: Scope,
    pub(crate) limit: u32,
    /// Only games whose last change was before this time. Timestamps are unique, so paging skips no game.
    pub(crate) before: Option<u64>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedGame {
    pub(crate) id: String,
    pub(crate) summary: String,
    pub(crate) holders: Both<Option<TokenHash>>,
    pub(crate) created: u64,
    pub(crate) updated: u64,
}

/// A chat message, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChatMessage {
    pub(crate) number: u64,
    pub(crate) side: Side,
    pub(crate) text: String,
    pub(crate) at: u64,
}

/// A database with games.
pub(crate) trait Store: Send + Sync {
    /// The time of the last change before the store was opened.
    fn last_timestamp(&self) -> u64;

    /// Writes a change, and returns when it is on disk.
    fn write(&self, write: Write) -> Reply<'_, ()>;

    /// Reads a game; `None` if the id is unknown.
    fn game<'a>(&'a self, id: &'a str) -> Reply<'a, Option<StoredGame>>;

    /// A page of games.
    fn list(&self, query: ListQuery) -> Reply<'_, Vec<ListedGame>>;

    /// The chat messages of a game.
    fn chat<'a>(&'a self, id: &'a str) -> Reply<'a, Vec<ChatMessage>>;

    /// Whether the store can read and write.
    fn ready(&self) -> Reply<'_, ()>;

    /// Sets what to call after a backup was restored: every game in memory is outdated. Stores that others restore need
    /// not call it.
    fn on_restore(&self, _callback: Box<dyn Fn() + Send + Sync>) {}

    /// Finishes the queued writes and closes the database. Later calls fail with [`StoreError::Closed`].
    fn close(&self) -> Reply<'_, ()>;

    /// What the store offers if several instances share it.
    fn shared(&self) -> Option<&dyn Shared>;
}
