//! The games on disk: one `SQLite` file, written by one thread.
//!
//! The log of a game is append-only. A write returns when its transaction is on disk (`synchronous=FULL`: the WAL is flushed
//! before a commit returns), so neither a killed process nor a power failure loses an acknowledged change. Writes that
//! arrive together share one transaction, and so one flush.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, TransactionBehavior, params};
use tokio::sync::{mpsc, oneshot};

use crate::migrations::{self, SCHEMA_VERSION};

/// The database file in the data folder.
const DATABASE: &str = "games.sqlite";
/// The file that a server keeps locked. The operating system releases the lock when the process ends.
const LOCK: &str = "games.lock";
/// How long to wait for another program that locks the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The most writes in the queue.
const QUEUE: usize = 1_024;
/// The most writes in one transaction.
const BATCH: usize = 256;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    #[error("another server is using this folder")]
    InUse,
    #[error("created by a newer version of Sandtable: schema {found}, at most {SCHEMA_VERSION} supported")]
    NewerSchema { found: i32 },
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    #[error("the server is shutting down")]
    Closed,
}

type Result<T> = std::result::Result<T, StoreError>;

/// A change of the database.
#[derive(Debug)]
pub(crate) enum Write {
    /// Creates a game.
    Create { id: String, settings: String, summary: String, at: u64 },
    /// Appends entries to the log of a game, numbered from `first_number`.
    Append { id: String, first_number: u64, entries: Vec<String>, summary: String, at: u64 },
    /// Deletes a game with its log.
    Delete { id: String },
}

/// A game as stored: its settings and log as JSON.
#[derive(Debug)]
pub(crate) struct StoredGame {
    pub(crate) settings: String,
    pub(crate) log: Vec<String>,
    pub(crate) created: u64,
    pub(crate) updated: u64,
}

/// A queued write and where its result goes.
type Job = (Write, oneshot::Sender<Result<()>>);

/// The games on disk.
pub(crate) struct Store {
    /// `None` once the store is closed.
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    reader: Arc<Mutex<Option<Connection>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    last_timestamp: u64,
    lock: File,
}

impl Store {
    /// Opens the database of a folder; creates or migrates it if necessary.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let lock = File::create(folder.join(LOCK))?;
        lock.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => StoreError::InUse,
            TryLockError::Error(e) => StoreError::Io(e),
        })?;
        let path = folder.join(DATABASE);
        let mut connection = Connection::open(&path)?;
        let last_timestamp = prepare(&mut connection)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(&path, flags)?;
        reader.busy_timeout(BUSY_TIMEOUT)?;
        let (jobs, queue) = mpsc::channel(QUEUE);
        let writer = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || run_writer(connection, queue))?;
        Ok(Self {
            jobs: Mutex::new(Some(jobs)),
            reader: Arc::new(Mutex::new(Some(reader))),
            writer: Mutex::new(Some(writer)),
            last_timestamp,
            lock,
        })
    }

    /// The time of the last change before the store was opened.
    pub(crate) const fn last_timestamp(&self) -> u64 {
        self.last_timestamp
    }

    /// Writes a change, and returns when it is on disk.
    pub(crate) async fn write(&self, write: Write) -> Result<()> {
        let jobs = locked(&self.jobs).clone().ok_or(StoreError::Closed)?;
        let (sender, result) = oneshot::channel();
        jobs.send((write, sender)).await.map_err(|_| StoreError::Closed)?;
        result.await.map_err(|_| StoreError::Closed)?
    }

    /// Reads a game; `None` if the id is unknown.
    pub(crate) async fn game(&self, id: String) -> Result<Option<StoredGame>> {
        self.read(move |connection| {
            let mut game =
                connection.prepare_cached("SELECT settings, created, updated FROM games WHERE id = ?1")?;
            let row = game.query_row([&id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
            let Some((settings, created, updated)): Option<(_, i64, i64)> = row else { return Ok(None) };
            let (created, updated) = (created.cast_unsigned(), updated.cast_unsigned());
            let mut log =
                connection.prepare_cached("SELECT entry FROM entries WHERE game = ?1 ORDER BY number")?;
            let log = log.query_map([&id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            Ok(Some(StoredGame { settings, log, created, updated }))
        })
        .await
    }

    /// The summaries of games, most recently changed first. Timestamps are unique, so paging by `before` skips no game.
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
        let read = move || locked(&reader).as_ref().map_or(Err(StoreError::Closed), read);
        tokio::task::spawn_blocking(read).await.unwrap_or(Err(StoreError::Closed))
    }

    /// Finishes the queued writes, closes the database and releases the folder. Later calls fail with
    /// [`StoreError::Closed`].
    pub(crate) async fn close(&self) {
        drop(locked(&self.jobs).take());
        let (reader, writer) = (Arc::clone(&self.reader), locked(&self.writer).take());
        let closing = tokio::task::spawn_blocking(move || {
            // The writer's connection must be the last one: closing it merges the WAL into the database file.
            drop(locked(&reader).take());
            writer.map_or(Ok(()), JoinHandle::join)
        });
        if !matches!(closing.await, Ok(Ok(()))) {
            tracing::error!("the database was not closed cleanly");
        }
        if let Err(e) = self.lock.unlock() {
            tracing::error!(%e, "cannot unlock the data folder");
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Configures the connection, brings the schema up to date and returns the time of the last change.
fn prepare(connection: &mut Connection) -> Result<u64> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrations::migrate(&transaction)?;
    let last = "SELECT coalesce(max(updated), 0) FROM games";
    let last: i64 = transaction.query_row(last, [], |row| row.get(0))?;
    transaction.commit()?;
    Ok(last.cast_unsigned())
}

/// The writer thread: writes the queue until all senders are gone.
fn run_writer(mut connection: Connection, mut queue: mpsc::Receiver<Job>) {
    let mut batch = Vec::with_capacity(BATCH);
    while queue.blocking_recv_many(&mut batch, BATCH) > 0 {
        let results = write_batch(&mut connection, &batch);
        for ((_, sender), result) in batch.drain(..).zip(results) {
            // The receiver is gone if the request was cancelled.
            let _ = sender.send(result);
        }
    }
}

/// Writes a batch in one transaction. If that fails, writes each change alone, so that only the faulty ones fail.
fn write_batch(connection: &mut Connection, batch: &[Job]) -> Vec<Result<()>> {
    if write_together(connection, batch).is_ok() {
        return batch.iter().map(|_| Ok(())).collect();
    }
    batch.chunks(1).map(|alone| Ok(write_together(connection, alone)?)).collect()
}

/// Writes all changes or none.
fn write_together(connection: &mut Connection, batch: &[Job]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (write, _) in batch {
        execute(&transaction, write)?;
    }
    transaction.commit()
}

fn execute(connection: &Connection, write: &Write) -> rusqlite::Result<()> {
    match write {
        Write::Create { id, settings, summary, at } => {
            let mut create = connection.prepare_cached(
                "INSERT INTO games (id, settings, summary, created, updated) VALUES (?1, ?2, ?3, ?4, ?4)",
            )?;
            create.execute(params![id, settings, summary, at.cast_signed()])?;
        }
        Write::Append { id, first_number, entries, summary, at } => {
            let mut append = connection
                .prepare_cached("INSERT INTO entries (game, number, at, entry) VALUES (?1, ?2, ?3, ?4)")?;
            for (number, entry) in (*first_number..).zip(entries) {
                append.execute(params![id, number.cast_signed(), at.cast_signed(), entry])?;
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn create(id: &str, at: u64) -> Write {
        let text = |text: &str| text.to_owned();
        Write::Create { id: text(id), settings: text("{}"), summary: text(id), at }
    }

    fn append(id: &str, summary: &str) -> Write {
        Write::Append {
            id: id.to_owned(),
            first_number: 2,
            entries: vec!["first".to_owned(), "second".to_owned()],
            summary: summary.to_owned(),
            at: 9,
        }
    }

    /// Writes a batch and returns which writes succeeded.
    fn write_all(connection: &mut Connection, writes: Vec<Write>) -> Vec<bool> {
        let batch: Vec<Job> = writes.into_iter().map(|write| (write, oneshot::channel().0)).collect();
        write_batch(connection, &batch).iter().map(Result::is_ok).collect()
    }

    fn texts(connection: &Connection, query: &str) -> Vec<String> {
        let mut query = connection.prepare(query).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap()
    }

    #[test]
    fn a_failed_write_is_rolled_back_and_fails_no_other_write() {
        let mut connection = Connection::open_in_memory().unwrap();
        prepare(&mut connection).unwrap();
        let failing = "
            CREATE TRIGGER roll_back BEFORE INSERT ON games WHEN new.id = 'rolled back'
                BEGIN SELECT RAISE(ROLLBACK, 'no'); END;
            CREATE TRIGGER fail_halfway BEFORE UPDATE ON games WHEN new.summary = 'halfway'
                BEGIN SELECT RAISE(FAIL, 'no'); END;
        ";
        connection.execute_batch(failing).unwrap();
        let writes = vec![
            create("a", 1),
            append("a", "halfway"),
            create("rolled back", 2),
            append("unknown", "late"),
            create("b", 3),
            create("a", 4),
            append("b", "b moved"),
        ];
        assert_eq!(write_all(&mut connection, writes), [true, false, false, false, true, false, true]);
        assert_eq!(texts(&connection, "SELECT summary FROM games ORDER BY id"), ["a", "b moved"]);
        assert_eq!(
            texts(&connection, "SELECT game || number || entry FROM entries ORDER BY number"),
            ["b2first", "b3second"]
        );
    }

    #[tokio::test]
    async fn a_folder_belongs_to_one_store_until_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let first = Store::open(folder.path()).unwrap();
        first.write(create("a", 7)).await.unwrap();
        assert!(matches!(Store::open(folder.path()), Err(StoreError::InUse)));
        first.close().await;
        assert!(matches!(first.write(create("b", 8)).await, Err(StoreError::Closed)));
        assert!(matches!(first.list(9, None).await, Err(StoreError::Closed)));
        let second = Store::open(folder.path()).unwrap();
        assert_eq!((second.last_timestamp(), second.list(9, None).await.unwrap()), (7, vec!["a".to_owned()]));
    }

    #[test]
    fn rejects_a_newer_schema() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let connection = Connection::open(folder.path().join(DATABASE)).unwrap();
        connection.pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
        let error = Store::open(folder.path()).err();
        assert!(
            matches!(error, Some(StoreError::NewerSchema { found }) if found == SCHEMA_VERSION + 1),
            "{error:?}"
        );
    }
}
