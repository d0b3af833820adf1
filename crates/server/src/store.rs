//! The games on disk: one `SQLite` file, written by one thread.
//!
//! What has happened in a game is a row that is never changed. A write is answered when its transaction is on disk
//! (`synchronous=FULL`: the log is flushed before a commit returns), so neither a killed process nor a lost machine loses
//! what was answered. Writes that wait together share one transaction, and so one flush.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};
use tokio::sync::{mpsc, oneshot};

/// How many writes may wait.
const QUEUE: usize = 1_024;
/// How many writes share a transaction.
const BATCH: usize = 256;

/// The version of the tables, kept in the file.
const SCHEMA: i32 = 1;
const TABLES: &str = "
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        beginning TEXT NOT NULL,
        summary TEXT NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX games_by_date ON games (updated DESC, id);
    CREATE TABLE entries (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        entry TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
";

/// Why the games cannot be read or written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says why.
    #[error("the games cannot be read or written: {0}")]
    Database(Arc<rusqlite::Error>),
    /// The file was made by a later version of this program.
    #[error("the games were written by a later version of this program (tables {found}, here {SCHEMA})")]
    Later {
        /// The version in the file.
        found: i32,
    },
    /// The writer has stopped.
    #[error("the server is stopping")]
    Stopped,
}

impl From<rusqlite::Error> for StoreError {
    fn from(e: rusqlite::Error) -> Self {
        Self::Database(Arc::new(e))
    }
}

type Result<T> = std::result::Result<T, StoreError>;

/// Something to write.
#[derive(Debug)]
pub(crate) enum Write {
    /// A game begins.
    Begin { id: String, beginning: String, summary: String, at: u64 },
    /// Something happens in it.
    Append { id: String, number: u64, entry: String, summary: String, at: u64 },
    /// It is forgotten.
    Delete { id: String },
}

/// A game as it lies on disk.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) beginning: String,
    pub(crate) entries: Vec<String>,
    pub(crate) created: u64,
    pub(crate) updated: u64,
}

type Job = (Write, oneshot::Sender<Result<()>>);

/// The games on disk.
pub(crate) struct Store {
    jobs: mpsc::Sender<Job>,
    reader: Arc<Mutex<Connection>>,
    writer: Option<JoinHandle<()>>,
}

impl Store {
    /// Opens the file, making it if it is not there.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        let found: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        match found {
            0 => connection.execute_batch(&format!(
                "BEGIN IMMEDIATE; {TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;"
            ))?,
            SCHEMA => {}
            found => return Err(StoreError::Later { found }),
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(path, flags)?;
        reader.busy_timeout(std::time::Duration::from_secs(5))?;
        let (jobs, waiting) = mpsc::channel(QUEUE);
        let writer = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || write_all(connection, waiting))
            .expect("a thread can be started");
        Ok(Self { jobs, reader: Arc::new(Mutex::new(reader)), writer: Some(writer) })
    }

    /// Writes, and waits until it is on disk.
    pub(crate) async fn write(&self, write: Write) -> Result<()> {
        let (answer, answered) = oneshot::channel();
        self.jobs.send((write, answer)).await.map_err(|_| StoreError::Stopped)?;
        answered.await.map_err(|_| StoreError::Stopped)?
    }

    /// A game; none if there is none of that id.
    pub(crate) async fn game(&self, id: String) -> Result<Option<Kept>> {
        self.read(move |connection| {
            let mut game =
                connection.prepare_cached("SELECT beginning, created, updated FROM games WHERE id = ?1")?;
            let row = game.query_row([&id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
            let Some((beginning, created, updated)): Option<(_, i64, i64)> = row else { return Ok(None) };
            let (created, updated) = (created.cast_unsigned(), updated.cast_unsigned());
            let mut entries =
                connection.prepare_cached("SELECT entry FROM entries WHERE game = ?1 ORDER BY number")?;
            let entries = entries.query_map([&id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            Ok(Some(Kept { beginning, entries, created, updated }))
        })
        .await
    }

    /// The summaries of games, the one changed last first.
    pub(crate) async fn list(&self, limit: u32, before: Option<u64>) -> Result<Vec<String>> {
        self.read(move |connection| {
            let mut list = connection.prepare_cached(
                "SELECT summary FROM games WHERE updated < ?1 ORDER BY updated DESC, id LIMIT ?2",
            )?;
            let before = before.and_then(|at| i64::try_from(at).ok()).unwrap_or(i64::MAX);
            let summaries = list.query_map(params![before, limit], |row| row.get(0))?;
            Ok(summaries.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let reader = Arc::clone(&self.reader);
        tokio::task::spawn_blocking(move || read(&reader.lock().unwrap_or_else(PoisonError::into_inner)))
            .await
            .unwrap_or(Err(StoreError::Stopped))
    }

    /// Writes what still waits and closes the file.
    pub(crate) fn close(mut self) {
        let (nothing, _) = mpsc::channel(1);
        self.jobs = nothing;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

/// Writes what comes until nobody is left to send anything.
fn write_all(mut connection: Connection, mut waiting: mpsc::Receiver<Job>) {
    let mut batch = Vec::with_capacity(BATCH);
    while waiting.blocking_recv_many(&mut batch, BATCH) > 0 {
        let answers = write_batch(&mut connection, &batch);
        for ((_, answer), result) in batch.drain(..).zip(answers) {
            // Whoever asked may have gone away.
            let _ = answer.send(result);
        }
    }
}

/// Writes a batch in one transaction. A write that fails by itself does not hinder the others.
fn write_batch(connection: &mut Connection, batch: &[Job]) -> Vec<Result<()>> {
    let mut written = || -> rusqlite::Result<Vec<Result<()>>> {
        let transaction = connection.transaction()?;
        let results = batch.iter().map(|(write, _)| execute(&transaction, write).map_err(StoreError::from));
        let results = results.collect();
        transaction.commit()?;
        Ok(results)
    };
    written().unwrap_or_else(|e| {
        let e = StoreError::from(e);
        batch.iter().map(|_| Err(e.clone())).collect()
    })
}

fn execute(connection: &Connection, write: &Write) -> rusqlite::Result<()> {
    match write {
        Write::Begin { id, beginning, summary, at } => {
            let mut begin = connection.prepare_cached(
                "INSERT INTO games (id, beginning, summary, created, updated) VALUES (?1, ?2, ?3, ?4, ?4)",
            )?;
            begin.execute(params![id, beginning, summary, at.cast_signed()])?;
        }
        Write::Append { id, number, entry, summary, at } => {
            let mut append = connection
                .prepare_cached("INSERT INTO entries (game, number, at, entry) VALUES (?1, ?2, ?3, ?4)")?;
            append.execute(params![id, number.cast_signed(), at.cast_signed(), entry])?;
            let mut update =
                connection.prepare_cached("UPDATE games SET summary = ?2, updated = ?3 WHERE id = ?1")?;
            update.execute(params![id, summary, at.cast_signed()])?;
        }
        Write::Delete { id } => {
            connection.prepare_cached("DELETE FROM games WHERE id = ?1")?.execute([id])?;
        }
    }
    Ok(())
}
