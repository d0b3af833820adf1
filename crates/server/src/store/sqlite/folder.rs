//! The data folder: its files, the lock that makes it belong to one server, and whether the open files are still in it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::store::{Result, StoreError};

/// The database in the data folder.
pub(super) const DATABASE: &str = "games.sqlite";
/// The database while it is created.
const NEW_DATABASE: &str = "games.sqlite.new";
/// The file that a server keeps locked. The operating system releases the lock when the process ends.
const LOCK: &str = "games.lock";

/// A data folder that this process has locked.
pub(super) struct DataFolder {
    path: PathBuf,
    lock: File,
}

impl DataFolder {
    /// Locks a folder.
    pub(super) fn lock(folder: &Path) -> Result<Self> {
        // A relative path would depend on the working directory.
        let path = fs::canonicalize(folder)?;
        let lock = File::create(path.join(LOCK))?;
        lock.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => StoreError::InUse,
            TryLockError::Error(e) => StoreError::Io(e),
        })?;
        Ok(Self { path, lock })
    }

    /// Releases the lock.
    pub(super) fn unlock(&self) -> io::Result<()> {
        self.lock.unlock()
    }

    /// A file in the folder.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The database.
    pub(super) fn database(&self) -> PathBuf {
        self.file(DATABASE)
    }

    /// Creates the database with `create` if there is none. It appears complete or not at all, so an empty file is always
    /// a lost database.
    pub(super) fn ensure_database(&self, create: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let database = self.database();
        match fs::metadata(&database) {
            Ok(found) if found.len() == 0 => Err(StoreError::Empty),
            Ok(_) => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                // `SQLite` would apply the old WAL to the new database.
                if fs::metadata(wal_of(&database)).is_ok_and(|wal| wal.len() > 0) {
                    return Err(StoreError::OnlyWal);
                }
                let new = self.file(NEW_DATABASE);
                remove_if_present(&new)?;
                create(&new)?;
                Ok(fs::rename(new, database)?)
            }
            Err(e) => Err(e.into()),
        }
    }
}

/// The write-ahead log of a database.
pub(super) fn wal_of(database: &Path) -> PathBuf {
    with_suffix(database, "-wal")
}

/// The index of the write-ahead log, which processes share.
pub(super) fn shm_of(database: &Path) -> PathBuf {
    with_suffix(database, "-shm")
}

/// A path with more at the end of its name.
pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Deletes a file if it exists.
pub(super) fn remove_if_present(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// The files of an open database, to notice when one is deleted or replaced: writes would go to a file that nobody finds
/// again. The files are not opened: closing one would release `SQLite`'s locks on it.
pub(super) struct OpenFiles([(PathBuf, FileId); 3]);

impl OpenFiles {
    /// The files of a database that has just been opened.
    pub(super) fn of(database: &Path) -> Result<Self> {
        let identify = |path: PathBuf| -> Result<_> {
            let id = FileId::of(&path)?;
            Ok((path, id))
        };
        Ok(Self([identify(database.to_owned())?, identify(wal_of(database))?, identify(shm_of(database))?]))
    }

    /// Fails with the first file that is no longer in its place.
    pub(super) fn check(&self) -> std::result::Result<(), &Path> {
        let moved = |(path, id): &&(PathBuf, FileId)| !FileId::of(path).is_ok_and(|found| found == *id);
        self.0.iter().find(moved).map_or(Ok(()), |(path, _)| Err(path))
    }
}

/// What identifies a file: its device and inode. An inode is not used again while a process has the file open.
#[cfg(unix)]
#[derive(PartialEq, Eq)]
struct FileId(u64, u64);

#[cfg(unix)]
impl FileId {
    fn of(path: &Path) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = fs::metadata(path)?;
        Ok(Self(metadata.dev(), metadata.ino()))
    }
}

/// Whether a file exists: other systems do not let anyone delete or replace an open file.
#[cfg(not(unix))]
#[derive(PartialEq, Eq)]
struct FileId;

#[cfg(not(unix))]
impl FileId {
    fn of(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|_| Self)
    }
}
