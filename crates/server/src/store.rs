//! The games on disk: one `SQLite` file, written by one thread.
//!
//! What has happened in a game is a row that is never changed. A write is answered when its transaction is on disk
//! (`synchronous=FULL`: the log is flushed before a commit returns), so neither a killed process nor a lost machine loses
//! what was answered. Writes that wait together share one transaction, and so one flush.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, TransactionBehavior, params};
use tokio::sync::{mpsc, oneshot};

/// The games, in their folder.
const GAMES: &str = "games.sqlite";
/// What a server holds locked while it has the games open. The system lets go of it when the process ends, however it ends.
const LOCK: &str = "games.lock";
/// How long another program that looks into the file may keep it to itself.
const PATIENCE: Duration = Duration::from_secs(5);
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
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another server has them open.
    #[error("another server has them open")]
    Taken,
    /// The folder does not let itself be used.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The database says why.
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    /// The file was made by a later version of this program.
    #[error("they were written by a later version of this program (tables {found}, here {SCHEMA})")]
    Later {
        /// The version in the file.
        found: i32,
    },
    /// The games have been closed.
    #[error("the server is stopping")]
    Stopped,
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
    /// None once the games are closed.
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    reader: Arc<Mutex<Option<Connection>>>,
    writer: Mutex<Option<JoinHandle<()>>>,
    latest: u64,
    lock: File,
}

impl Store {
    /// Opens the games of a folder, making the file if it is not there.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let lock = File::create(folder.join(LOCK))?;
        lock.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => StoreError::Taken,
            TryLockError::Error(e) => StoreError::System(e),
        })?;
        let path = folder.join(GAMES);
        let mut connection = Connection::open(&path)?;
        let latest = prepare(&mut connection)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Connection::open_with_flags(&path, flags)?;
        reader.busy_timeout(PATIENCE)?;
        let (jobs, waiting) = mpsc::channel(QUEUE);
        let writer = std::thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || write_all(connection, waiting))?;
        Ok(Self {
            jobs: Mutex::new(Some(jobs)),
            reader: Arc::new(Mutex::new(Some(reader))),
            writer: Mutex::new(Some(writer)),
            latest,
            lock,
        })
    }

    /// The moment of the last change when the games were opened.
    pub(crate) const fn latest(&self) -> u64 {
        self.latest
    }

    /// Writes, and waits until it is on disk.
    pub(crate) async fn write(&self, write: Write) -> Result<()> {
        let jobs = locked(&self.jobs).clone().ok_or(StoreError::Stopped)?;
        let (answer, answered) = oneshot::channel();
        jobs.send((write, answer)).await.map_err(|_| StoreError::Stopped)?;
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

    /// The summaries of games, the one changed last first. No two have been changed at the same moment, so a list that is
    /// read piece by piece leaves out none.
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
        let read = move || locked(&reader).as_ref().map_or(Err(StoreError::Stopped), read);
        tokio::task::spawn_blocking(read).await.unwrap_or(Err(StoreError::Stopped))
    }

    /// Writes what still waits, closes the file, and leaves the folder to another server. Who still asks is told so.
    pub(crate) async fn close(&self) {
        drop(locked(&self.jobs).take());
        let (reader, writer) = (Arc::clone(&self.reader), locked(&self.writer).take());
        let closing = tokio::task::spawn_blocking(move || {
            // The one that writes is the last to go: it leaves everything in one file.
            drop(locked(&reader).take());
            writer.map_or(Ok(()), JoinHandle::join)
        });
        if !matches!(closing.await, Ok(Ok(()))) {
            tracing::error!("the games were not closed well");
        }
        if let Err(e) = self.lock.unlock() {
            tracing::error!(%e, "the folder of the games is still locked");
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the tables if there are none, and tells the moment of the last change.
fn prepare(connection: &mut Connection) -> Result<u64> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match transaction.pragma_query_value(None, "user_version", |row| row.get(0))? {
        0 => {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "user_version", SCHEMA)?;
        }
        SCHEMA => {}
        found => return Err(StoreError::Later { found }),
    }
    let latest = "SELECT coalesce(max(updated), 0) FROM games";
    let latest: i64 = transaction.query_row(latest, [], |row| row.get(0))?;
    transaction.commit()?;
    Ok(latest.cast_unsigned())
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

/// Writes a batch with one flush if it can be; else one by one, so that a write that fails takes no other with it.
fn write_batch(connection: &mut Connection, batch: &[Job]) -> Vec<Result<()>> {
    if write_together(connection, batch).is_ok() {
        return batch.iter().map(|_| Ok(())).collect();
    }
    batch.chunks(1).map(|alone| Ok(write_together(connection, alone)?)).collect()
}

/// Writes all or nothing.
fn write_together(connection: &mut Connection, batch: &[Job]) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (write, _) in batch {
        execute(&transaction, write)?;
    }
    transaction.commit()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(id: &str, at: u64) -> Write {
        let text = |text: &str| text.to_owned();
        Write::Begin { id: text(id), beginning: text("{}"), summary: text(id), at }
    }

    fn append(id: &str, summary: &str) -> Write {
        Write::Append {
            id: id.to_owned(),
            number: 2,
            entry: "{}".to_owned(),
            summary: summary.to_owned(),
            at: 9,
        }
    }

    /// Writes a batch into a database in which some writes fail; says which succeeded.
    fn written(connection: &mut Connection, writes: Vec<Write>) -> Vec<bool> {
        let batch: Vec<Job> = writes.into_iter().map(|write| (write, oneshot::channel().0)).collect();
        write_batch(connection, &batch).iter().map(Result::is_ok).collect()
    }

    fn texts(connection: &Connection, query: &str) -> Vec<String> {
        let mut query = connection.prepare(query).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap()
    }

    #[test]
    fn a_write_that_fails_takes_no_other_with_it_and_leaves_no_half_behind() {
        let mut connection = Connection::open_in_memory().unwrap();
        prepare(&mut connection).unwrap();
        let failing = "
            CREATE TRIGGER all_is_undone BEFORE INSERT ON games WHEN new.id = 'undone'
                BEGIN SELECT RAISE(ROLLBACK, 'no'); END;
            CREATE TRIGGER half_is_done BEFORE UPDATE ON games WHEN new.summary = 'half'
                BEGIN SELECT RAISE(FAIL, 'no'); END;
        ";
        connection.execute_batch(failing).unwrap();
        let writes = vec![
            begin("a", 1),
            append("a", "half"),
            begin("undone", 2),
            append("nobody", "late"),
            begin("b", 3),
            begin("a", 4),
            append("b", "b moved"),
        ];
        assert_eq!(written(&mut connection, writes), [true, false, false, false, true, false, true]);
        assert_eq!(texts(&connection, "SELECT summary FROM games ORDER BY id"), ["a", "b moved"]);
        assert_eq!(texts(&connection, "SELECT game FROM entries"), ["b"]);
    }

    #[tokio::test]
    async fn a_folder_is_one_servers_until_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let first = Store::open(folder.path()).unwrap();
        first.write(begin("a", 7)).await.unwrap();
        assert!(matches!(Store::open(folder.path()), Err(StoreError::Taken)));
        first.close().await;
        assert!(matches!(first.write(begin("b", 8)).await, Err(StoreError::Stopped)));
        assert!(matches!(first.list(9, None).await, Err(StoreError::Stopped)));
        let second = Store::open(folder.path()).unwrap();
        assert_eq!((second.latest(), second.list(9, None).await.unwrap()), (7, vec!["a".to_owned()]));
    }

    #[test]
    fn games_of_a_later_version_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let connection = Connection::open(folder.path().join(GAMES)).unwrap();
        connection.pragma_update(None, "user_version", SCHEMA + 1).unwrap();
        let found = Store::open(folder.path()).err().map(|e| e.to_string());
        assert!(found.is_some_and(|text| text.contains("later version")));
    }
}
