//! The thread that writes.

use std::path::Path;
use std::slice;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use rusqlite::{Connection, TransactionBehavior};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot};

use super::folder::{DataFolder, remove_if_present};
use super::readers::Readers;
use super::{Database, archive, statements};
use crate::store::{Result, StoreError, Write};

/// The most writes in the queue.
pub(super) const QUEUE: usize = 1_024;
/// The most writes in one transaction.
const BATCH: usize = 256;
/// How often to look for a backup to restore while there is nothing to write.
const REQUEST_INTERVAL: Duration = Duration::from_secs(1);

/// A queued write and where its result goes.
pub(super) struct Job {
    /// `None` only checks that the database can be written.
    pub(super) write: Option<Write>,
    pub(super) queued: Instant,
    pub(super) reply: oneshot::Sender<Result<()>>,
}

/// The writer of a database.
pub(super) struct Writer {
    /// `None` if the database could not be opened again after a backup was restored.
    database: Option<Database>,
    folder: Arc<DataFolder>,
    readers: Arc<Readers>,
    queue: mpsc::Receiver<Job>,
    timeout: Duration,
    restored: Arc<OnceLock<Callback>>,
    runtime: Runtime,
}

/// What a store calls after it has restored a backup.
pub(super) type Callback = Box<dyn Fn() + Send + Sync>;

impl Writer {
    /// A writer. A write waits at most `timeout`, counted from when it was queued, for another program that locks the
    /// database.
    pub(super) fn new(
        database: Database,
        folder: Arc<DataFolder>,
        readers: Arc<Readers>,
        queue: mpsc::Receiver<Job>,
        timeout: Duration,
        restored: Arc<OnceLock<Callback>>,
    ) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        Ok(Self { database: Some(database), folder, readers, queue, timeout, restored, runtime })
    }

    /// Writes the queue until all senders are gone, then closes the database.
    pub(super) fn run(mut self) {
        let mut batch = Vec::with_capacity(BATCH);
        let mut health = Health::default();
        while self.receive(&mut batch) {
            let request = self.folder.file(archive::REQUEST);
            if request.exists() {
                self.answer_request(&request, &mut batch);
            }
            if batch.is_empty() {
                continue;
            }
            let results = self.write(&batch);
            health.update(&results);
            for (job, result) in batch.drain(..).zip(results) {
                // The receiver is gone if the request was cancelled.
                let _ = job.reply.send(result);
            }
        }
        self.close();
    }

    /// Waits for writes, or until it is time to look for a backup to restore. Returns false at the end of the queue.
    fn receive(&mut self, batch: &mut Vec<Job>) -> bool {
        let Self { runtime, queue, .. } = self;
        let received = runtime
            .block_on(async { tokio::time::timeout(REQUEST_INTERVAL, queue.recv_many(batch, BATCH)).await });
        received != Ok(0)
    }

    /// Writes a batch. A write has succeeded only if the database is still in its place after the commit.
    fn write(&mut self, batch: &[Job]) -> Vec<Result<()>> {
        let Some(Database { connection, files }) = &mut self.database else {
            return batch.iter().map(|_| Err(StoreError::Missing { file: self.folder.database() })).collect();
        };
        let fail_all = |file: &Path| {
            let missing = |_| Err(StoreError::Missing { file: file.to_owned() });
            batch.iter().map(missing).collect()
        };
        if let Err(file) = files.check() {
            return fail_all(file);
        }
        let results = write_batch(connection, batch, self.timeout);
        match files.check() {
            Ok(()) => results,
            Err(file) => fail_all(file),
        }
    }

    /// Restores a backup. The waiting writes are for games that are about to be replaced, so they fail.
    fn answer_request(&mut self, request: &Path, batch: &mut Vec<Job>) {
        let result = self.restore(request);
        match &result {
            Ok(()) => {
                while let Ok(job) = self.queue.try_recv() {
                    batch.push(job);
                }
                for job in batch.drain(..) {
                    let _ = job.reply.send(Err(StoreError::Restored));
                }
                if let Some(restored) = self.restored.get() {
                    restored();
                }
                tracing::info!("a backup was restored");
            }
            Err(error) => tracing::error!(%error, "a backup cannot be restored"),
        }
        let answered = remove_if_present(request)
            .and_then(|()| archive::answer(&self.folder, result.as_ref().map(|&()| ())));
        if let Err(error) = answered {
            tracing::error!(%error, "cannot report the result of a restore");
        }
    }

    fn restore(&mut self, request: &Path) -> Result<()> {
        archive::check_request(request)?;
        let path = self.folder.database();
        // Reads wait until the end of this function.
        let _suspended = self.runtime.block_on(self.readers.suspend());
        if let Some(Err(error)) = self.database.take().map(Database::close) {
            tracing::warn!(%error, "the replaced database was not closed cleanly");
        }
        let replaced = archive::replace_database(&self.folder, request);
        // The new database, or the old one if it could not be replaced.
        self.database = Some(Database::open(&path, self.timeout)?);
        self.readers.reopen(&path)?;
        Ok(replaced?)
    }

    /// Merges the WAL into the database file and closes it.
    fn close(self) {
        // A reader would keep the WAL.
        self.runtime.block_on(self.readers.close());
        if let Some(Err(error)) = self.database.map(Database::close) {
            tracing::warn!(%error, "the WAL is merged into the database at the next start");
        }
    }
}

/// Whether the last batch could be written. Changes are logged, not every failure.
#[derive(Default)]
struct Health {
    failing: bool,
}

impl Health {
    fn update(&mut self, results: &[Result<()>]) {
        let failure = results.iter().filter_map(|result| result.as_ref().err()).find(|e| e.is_outage());
        match failure {
            Some(error) if !self.failing => tracing::error!(%error, "games cannot be saved"),
            None if self.failing => tracing::info!("games can be saved again"),
            _ => {}
        }
        self.failing = failure.is_some();
    }
}

/// Writes a batch in one transaction. If that fails as a whole, writes each change alone, so that only the faulty ones
/// fail. A locked database fails the whole batch at one deadline.
pub(super) fn write_batch(connection: &mut Connection, batch: &[Job], timeout: Duration) -> Vec<Result<()>> {
    let Some(first) = batch.first() else { return Vec::new() };
    let deadline = first.queued + timeout;
    let failed = match write_together(connection, batch, deadline) {
        Ok(results) => return results,
        Err(error) => error,
    };
    if let [_] = batch {
        return vec![Err(failed)];
    }
    let mut locked = matches!(failed, StoreError::Locked);
    let write_alone = |job| {
        if locked {
            return Err(StoreError::Locked);
        }
        let result = write_together(connection, slice::from_ref(job), deadline);
        locked = matches!(result, Err(StoreError::Locked));
        result?.pop().unwrap_or(Ok(()))
    };
    batch.iter().map(write_alone).collect()
}

/// Writes a batch in one transaction and returns the result of each write. After an error, nothing is written.
fn write_together(connection: &mut Connection, batch: &[Job], deadline: Instant) -> Result<Vec<Result<()>>> {
    connection.busy_timeout(deadline.saturating_duration_since(Instant::now()))?;
    let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(batch.len());
    for write in batch.iter().map(|job| job.write.as_ref()) {
        let Some(write) = write else {
            results.push(Ok(()));
            continue;
        };
        let savepoint = transaction.savepoint()?;
        match statements::execute(&savepoint, write) {
            Ok(()) => {
                savepoint.commit()?;
                results.push(Ok(()));
            }
            Err(error) => {
                // Some errors end the whole transaction, such as a full disk.
                if savepoint.is_autocommit() {
                    return Err(error);
                }
                savepoint.finish()?;
                results.push(Err(error));
            }
        }
    }
    transaction.commit()?;
    Ok(results)
}
