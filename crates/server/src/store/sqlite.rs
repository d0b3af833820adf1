//! The games in one `SQLite` file, written by one thread.
//!
//! A write returns when its transaction is on disk (`synchronous=FULL`: the WAL is flushed before a commit returns), so
//! neither a killed process nor a power failure loses an acknowledged change. Writes that arrive together share one
//! transaction, and so one flush.

mod statements;

use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use super::{
    ChatMessage, ListQuery, ListedGame, Reply, Result, Shared, Store, StoreError, StoredGame, Write,
    migrations,
};

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

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.into())
    }
}

/// A queued write and where its result goes.
type Job = (Write, oneshot::Sender<Result<()>>);

/// The games in a `SQLite` file.
pub(crate) struct SqliteStore {
    /// `None` once the store is closed.
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    reader: Arc<Mutex<Option<Connection>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    last_timestamp: u64,
    lock: File,
}

impl SqliteStore {
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

    fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Reply<'_, T> {
        let reader = Arc::clone(&self.reader);
        let read = move || locked(&reader).as_ref().map_or(Err(StoreError::Closed), read);
        Box::pin(async { tokio::task::spawn_blocking(read).await.unwrap_or(Err(StoreError::Closed)) })
    }
}

impl Store for SqliteStore {
    fn last_timestamp(&self) -> u64 {
        self.last_timestamp
    }

    fn write(&self, write: Write) -> Reply<'_, ()> {
        Box::pin(async {
            let jobs = locked(&self.jobs).clone().ok_or(StoreError::Closed)?;
            let (sender, result) = oneshot::channel();
            jobs.send((write, sender)).await.map_err(|_| StoreError::Closed)?;
            result.await.map_err(|_| StoreError::Closed)?
        })
    }

    fn game<'a>(&'a self, id: &'a str) -> Reply<'a, Option<StoredGame>> {
        let id = id.to_owned();
        self.read(move |connection| statements::game(connection, &id))
    }

    fn entries_since<'a>(&'a self, id: &'a str, version: u64) -> Reply<'a, Option<Vec<String>>> {
        let id = id.to_owned();
        self.read(move |connection| statements::entries_since(connection, &id, version))
    }

    fn list(&self, query: ListQuery) -> Reply<'_, Vec<ListedGame>> {
        self.read(move |connection| statements::list(connection, &query))
    }

    fn chat<'a>(&'a self, id: &'a str) -> Reply<'a, Vec<ChatMessage>> {
        let id = id.to_owned();
        self.read(move |connection| statements::chat(connection, &id))
    }

    fn ready(&self) -> Reply<'_, ()> {
        self.read(|connection| Ok(connection.query_row("SELECT 1 FROM sqlite_schema", [], |_| Ok(()))?))
    }

    fn close(&self) -> Reply<'_, ()> {
        drop(locked(&self.jobs).take());
        let (reader, writer) = (Arc::clone(&self.reader), locked(&self.writer).take());
        Box::pin(async {
            let closing = tokio::task::spawn_blocking(move || {
                // The writer's connection must be the last one: closing it merges the WAL into the database file.
                drop(locked(&reader).take());
                writer.map_or(Ok(()), JoinHandle::join)
            });
            if !matches!(closing.await, Ok(Ok(()))) {
                tracing::error!("the database was not closed cleanly");
            }
            Ok(self.lock.unlock()?)
        })
    }

    fn shared(&self) -> Option<&dyn Shared> {
        None
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
    batch.chunks(1).map(|alone| write_together(connection, alone)).collect()
}

/// Writes all changes or none.
fn write_together(connection: &mut Connection, batch: &[Job]) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (write, _) in batch {
        statements::execute(&transaction, write)?;
    }
    Ok(transaction.commit()?)
}

#[cfg(test)]
mod tests {
    use rusqlite::params;
    use sandtable_contract::Both;
    use tempfile::TempDir;

    use super::*;
    use crate::store::suite::{self, Fixture, all_games, append, create};

    struct Folder(TempDir);

    impl Fixture for Folder {
        async fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        async fn open(&self) -> Arc<dyn Store> {
            Arc::new(SqliteStore::open(self.0.path()).unwrap())
        }
    }

    suite::store_suite!(Folder);

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
            CREATE TRIGGER fail_halfway BEFORE INSERT ON entries WHEN new.entry = 'halfway'
                BEGIN SELECT RAISE(FAIL, 'no'); END;
        ";
        connection.execute_batch(failing).unwrap();
        let writes = vec![
            create("a", 1),
            append("a", 2, &["half", "halfway"], 2),
            create("rolled back", 2),
            append("unknown", 2, &["late"], 3),
            create("b", 3),
            create("a", 4),
            append("b", 2, &["first", "second"], 9),
        ];
        assert_eq!(write_all(&mut connection, writes), [true, false, false, false, true, false, true]);
        assert_eq!(
            texts(&connection, "SELECT id || version || updated FROM games ORDER BY id"),
            ["a11", "b39"]
        );
        assert_eq!(
            texts(&connection, "SELECT game || number || entry FROM entries ORDER BY number"),
            ["b2first", "b3second"]
        );
    }

    #[tokio::test]
    async fn a_folder_belongs_to_one_store_until_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let first = SqliteStore::open(folder.path()).unwrap();
        first.write(create("a", 7)).await.unwrap();
        assert!(matches!(SqliteStore::open(folder.path()), Err(StoreError::InUse)));
        first.close().await.unwrap();
        let second = SqliteStore::open(folder.path()).unwrap();
        assert_eq!(second.list(all_games()).await.unwrap().len(), 1);
    }

    #[test]
    fn rejects_a_newer_schema() {
        let folder = tempfile::tempdir().unwrap();
        drop(SqliteStore::open(folder.path()).unwrap());
        let connection = Connection::open(folder.path().join(DATABASE)).unwrap();
        let newer = migrations::SCHEMA_VERSION + 1;
        connection.pragma_update(None, "user_version", newer).unwrap();
        let error = SqliteStore::open(folder.path()).err();
        assert!(matches!(error, Some(StoreError::NewerSchema { found, .. }) if found == newer), "{error:?}");
    }

    #[tokio::test]
    async fn an_old_game_has_no_holders() {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(folder.path().join(DATABASE)).unwrap();
        connection.execute_batch(include_str!("../../tests/schema-1.sql")).unwrap();
        connection.execute("UPDATE games SET updated = ?1", params![12]).unwrap();
        drop(connection);
        let store = SqliteStore::open(folder.path()).unwrap();
        assert_eq!(store.game("oldgame").await.unwrap().unwrap().seats, Both::default());
        store.write(append("oldgame", 8, &["{}"], 13)).await.unwrap();
    }
}
