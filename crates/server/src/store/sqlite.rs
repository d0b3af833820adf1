//! The games in one `SQLite` file, written by one thread.
//!
//! A write returns when its transaction is on disk (`synchronous=FULL`: the WAL is flushed before a commit returns), so
//! neither a killed process nor a power failure loses an acknowledged change. Writes that arrive together share one
//! transaction, and so one flush.

pub(crate) mod archive;
mod check;
#[cfg(test)]
mod faults;
mod folder;
mod readers;
mod statements;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};
use tokio::sync::{mpsc, oneshot};

use self::folder::{DataFolder, OpenFiles, remove_if_present};
use self::readers::Readers;
use self::writer::{Callback, Job, Writer};
use super::{
    ChatMessage, ListQuery, ListedGame, Reply, Result, Shared, Store, StoreError, StoredGame, Write,
    migrations,
};

/// The page cache of the writer, in KiB.
const CACHE_KIB: i32 = 8_192;
/// The largest WAL that is kept after its contents have been merged into the database, in bytes.
const WAL_LIMIT: i32 = 16 << 20;

/// How often closing a database tries to merge the WAL, and how long each time.
const CLOSE_ATTEMPTS: u32 = 4;
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            Some(ErrorCode::SystemIoFailure) => Self::Device(error.into()),
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::damaged(&error),
            _ => Self::Database(error.into()),
        }
    }
}

/// The games in a `SQLite` file.
pub(crate) struct SqliteStore {
    /// `None` once the store is closed.
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    readers: Arc<Readers>,
    writer: Mutex<Option<JoinHandle<()>>>,
    last_timestamp: u64,
    folder: Arc<DataFolder>,
    restored: Arc<OnceLock<Callback>>,
}

impl SqliteStore {
    /// Opens the database of a folder; creates or migrates it if necessary. A write waits at most `timeout` for another
    /// program that locks the database.
    pub(crate) fn open(folder: &Path, timeout: Duration) -> Result<Self> {
        let folder = Arc::new(DataFolder::lock(folder)?);
        // The command that left it was told that it was not restored, or has stopped waiting.
        remove_if_present(&folder.file(archive::REQUEST))?;
        folder.ensure_database(create)?;
        let path = folder.database();
        let database = Database::open(&path, timeout)?;
        let last = "SELECT coalesce(max(updated), 0) FROM games";
        let last: i64 = database.connection.query_row(last, [], |row| row.get(0))?;
        let readers = Arc::new(Readers::open(&path)?);
        let (jobs, queue) = mpsc::channel(writer::QUEUE);
        let restored = Arc::default();
        let writer = Writer::new(
            database,
            Arc::clone(&folder),
            Arc::clone(&readers),
            queue,
            timeout,
            Arc::clone(&restored),
        )?;
        let writer = std::thread::Builder::new().name("store".to_owned()).spawn(move || writer.run())?;
        Ok(Self {
            jobs: Mutex::new(Some(jobs)),
            readers,
            writer: Mutex::new(Some(writer)),
            last_timestamp: last.cast_unsigned(),
            folder,
            restored,
        })
    }

    fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Reply<'_, T> {
        Box::pin(Arc::clone(&self.readers).read(read))
    }

    /// Queues a write, and returns when it is on disk.
    async fn queue(&self, write: Option<Write>) -> Result<()> {
        let jobs = locked(&self.jobs).clone().ok_or(StoreError::Closed)?;
        let (reply, result) = oneshot::channel();
        let job = Job { write, queued: Instant::now(), reply };
        jobs.send(job).await.map_err(|_| StoreError::Closed)?;
        result.await.map_err(|_| StoreError::Closed)?
    }
}

impl Store for SqliteStore {
    fn last_timestamp(&self) -> u64 {
        self.last_timestamp
    }

    fn write(&self, write: Write) -> Reply<'_, ()> {
        Box::pin(self.queue(Some(write)))
    }

    fn game<'a>(&'a self, id: &'a str) -> Reply<'a, Option<StoredGame>> {
        let id = id.to_owned();
        self.read(move |connection| statements::game(connection, &id))
    }

    fn list(&self, query: ListQuery) -> Reply<'_, Vec<ListedGame>> {
        self.read(move |connection| statements::list(connection, &query))
    }

    fn chat<'a>(&'a self, id: &'a str) -> Reply<'a, Vec<ChatMessage>> {
        let id = id.to_owned();
        self.read(move |connection| statements::chat(connection, &id))
    }

    fn ready(&self) -> Reply<'_, ()> {
        Box::pin(async {
            self.queue(None).await?;
            self.read(|connection| Ok(connection.query_row("SELECT 1 FROM sqlite_schema", [], |_| Ok(()))?))
                .await
        })
    }

    fn on_restore(&self, callback: Callback) {
        // There is one registry for a store.
        let _ = self.restored.set(callback);
    }

    fn close(&self) -> Reply<'_, ()> {
        drop(locked(&self.jobs).take());
        let writer = locked(&self.writer).take();
        Box::pin(async {
            let closing = tokio::task::spawn_blocking(|| writer.map_or(Ok(()), JoinHandle::join));
            if !matches!(closing.await, Ok(Ok(()))) {
                tracing::error!("the database was not closed cleanly");
            }
            Ok(self.folder.unlock()?)
        })
    }

    fn shared(&self) -> Option<&dyn Shared> {
        None
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An open database with its one writing connection.
struct Database {
    connection: Connection,
    files: OpenFiles,
}

impl Database {
    /// Opens an existing database, checks it and migrates it if necessary.
    fn open(path: &Path, timeout: Duration) -> Result<Self> {
        let mut connection = connect(path, OpenFlags::empty())?;
        connection.busy_timeout(timeout)?;
        check::check(&connection)?;
        migrate(&mut connection)?;
        let files = OpenFiles::of(path)?;
        Ok(Self { connection, files })
    }

    /// Merges the WAL into the database file and closes it. Another program that reads may delay it.
    fn close(self) -> Result<()> {
        let Self { connection, .. } = self;
        let checkpoint = || connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
        let mut merged = Err(StoreError::Locked);
        for _ in 0..CLOSE_ATTEMPTS {
            connection.busy_timeout(CLOSE_TIMEOUT)?;
            let busy: i64 = checkpoint()?;
            if busy == 0 {
                merged = Ok(());
                break;
            }
        }
        connection.close().map_err(|(_, e)| e)?;
        merged
    }
}

/// Creates a database without games.
fn create(path: &Path) -> Result<()> {
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_CREATE)?;
    migrate(&mut connection)?;
    Ok(connection.close().map_err(|(_, e)| e)?)
}

/// Opens a database for writing.
fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "journal_size_limit", WAL_LIMIT)?;
    Ok(connection)
}

/// Brings the schema up to date.
fn migrate(connection: &mut Connection) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    migrations::migrate(&transaction)?;
    Ok(transaction.commit()?)
}

#[cfg(test)]
mod tests {
    use sandtable_contract::Both;
    use tempfile::TempDir;

    use super::*;
    use crate::store::suite::{self, Fixture, all_games, append};

    struct Folder(TempDir);

    impl Fixture for Folder {
        async fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        async fn open(&self) -> Arc<dyn Store> {
            Arc::new(open(self.0.path()).unwrap())
        }
    }

    suite::store_suite!(Folder);

    fn open(folder: &Path) -> Result<SqliteStore> {
        SqliteStore::open(folder, Duration::from_secs(5))
    }

    /// Writes a batch and returns which writes succeeded.
    fn write_all(connection: &mut Connection, writes: Vec<Write>) -> Vec<bool> {
        let (reply, queued) = (|| oneshot::channel().0, Instant::now());
        let batch: Vec<_> =
            writes.into_iter().map(|write| Job { write: Some(write), queued, reply: reply() }).collect();
        writer::write_batch(connection, &batch, Duration::from_secs(5)).iter().map(Result::is_ok).collect()
    }

    fn texts(connection: &Connection, query: &str) -> Vec<String> {
        let mut query = connection.prepare(query).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap()
    }

    #[test]
    fn a_failed_write_is_rolled_back_and_fails_no_other_write() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        let failing = "
            CREATE TRIGGER roll_back BEFORE INSERT ON games WHEN new.id = 'rolled back'
                BEGIN SELECT RAISE(ROLLBACK, 'no'); END;
            CREATE TRIGGER fail_halfway BEFORE INSERT ON entries WHEN new.entry = 'halfway'
                BEGIN SELECT RAISE(FAIL, 'no'); END;
        ";
        connection.execute_batch(failing).unwrap();
        let writes = vec![
            suite::create("a", 1),
            append("a", 2, &["half", "halfway"], 2),
            suite::create("rolled back", 2),
            append("unknown", 2, &["late"], 3),
            suite::create("b", 3),
            suite::create("a", 4),
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
        let first = open(folder.path()).unwrap();
        first.write(suite::create("a", 7)).await.unwrap();
        assert!(matches!(open(folder.path()), Err(StoreError::InUse)));
        first.close().await.unwrap();
        let second = open(folder.path()).unwrap();
        assert_eq!(second.list(all_games()).await.unwrap().len(), 1);
    }

    #[test]
    fn rejects_a_newer_schema() {
        let folder = tempfile::tempdir().unwrap();
        create(&folder.path().join("games.sqlite")).unwrap();
        let connection = Connection::open(folder.path().join("games.sqlite")).unwrap();
        let newer = migrations::SCHEMA_VERSION + 1;
        connection.pragma_update(None, "user_version", newer).unwrap();
        let error = open(folder.path()).err();
        assert!(matches!(error, Some(StoreError::NewerSchema { found, .. }) if found == newer), "{error:?}");
    }

    #[tokio::test]
    async fn an_old_game_has_no_holders() {
        let folder = tempfile::tempdir().unwrap();
        let connection = Connection::open(folder.path().join("games.sqlite")).unwrap();
        connection.execute_batch(include_str!("../../tests/schema-1.sql")).unwrap();
        drop(connection);
        let store = open(folder.path()).unwrap();
        assert_eq!(store.game("oldgame").await.unwrap().unwrap().seats, Both::default());
        store.write(append("oldgame", 8, &["{}"], 13)).await.unwrap();
    }
}
