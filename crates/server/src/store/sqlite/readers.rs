//! The connections that read.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::locked;
use crate::store::{Result, StoreError};

/// How many reads run at the same time; others wait without a thread.
const READERS: u32 = 4;
/// The page cache of a reader, in KiB.
const CACHE_KIB: i32 = 2_048;
/// The longest wait for a lock. Readers wait for nobody but a program that recovers or truncates the WAL.
const BUSY_TIMEOUT: Duration = Duration::from_secs(1);

/// A pool of read-only connections.
pub(super) struct Readers {
    permits: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    /// Opens the connections.
    pub(super) fn open(database: &Path) -> Result<Self> {
        let idle = Mutex::new(connect(database)?);
        Ok(Self { permits: Arc::new(Semaphore::new(READERS as usize)), idle })
    }

    /// Runs a read on the blocking thread pool.
    pub(super) async fn read<T: Send + 'static>(
        self: Arc<Self>,
        read: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permits = Arc::clone(&self.permits);
        let permit = permits.acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let read = move || {
            let _permit = permit;
            let connection = locked(&self.idle).pop().ok_or(StoreError::Closed)?;
            let result = read(&connection);
            locked(&self.idle).push(connection);
            result
        };
        tokio::task::spawn_blocking(read).await.unwrap_or(Err(StoreError::Closed))
    }

    /// Waits for the running reads and closes all connections. Further reads wait until the result is dropped, which
    /// should be after [`reopen`](Self::reopen).
    pub(super) async fn suspend(&self) -> Option<OwnedSemaphorePermit> {
        let all = Arc::clone(&self.permits).acquire_many_owned(READERS).await.ok();
        locked(&self.idle).clear();
        all
    }

    /// Opens the connections of a suspended pool.
    pub(super) fn reopen(&self, database: &Path) -> Result<()> {
        *locked(&self.idle) = connect(database)?;
        Ok(())
    }

    /// Waits for the running reads and closes all connections. Later reads fail.
    pub(super) async fn close(&self) {
        let _all = self.suspend().await;
        self.permits.close();
    }
}

fn connect(database: &Path) -> Result<Vec<Connection>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = |_| {
        let connection = Connection::open_with_flags(database, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        Ok(connection)
    };
    (0..READERS).map(open).collect()
}
