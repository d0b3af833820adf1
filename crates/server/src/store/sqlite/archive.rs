//! Backups of a database, made and restored while a server runs.
//!
//! A backup needs no server: it reads the database file. To restore one, a program that finds the data folder in use leaves
//! the backup beside the database; the server replaces its database and leaves the result. Both copy page by page
//! with `SQLite`'s online backup.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};
use serde::{Deserialize, Serialize};

use super::check::quick_check;
use super::folder::{DATABASE, DataFolder, remove_if_present, shm_of, wal_of, with_suffix};
use super::migrate;
use crate::store::StoreError;
use crate::store::migrations::{SCHEMA_VERSION, schema_version};

/// The backup that a server is asked to restore.
pub(super) const REQUEST: &str = "restore.sqlite";
/// The server's answer.
const RESULT: &str = "restore.result";
/// The replaced database.
const KEPT: &str = "games.sqlite.before-restore";
/// The pages of one step of a copy: 16 MiB.
const STEP: i32 = 4_096;
/// How long a copy waits for a program that locks the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a server may take to restore a backup, and how often the result is looked for.
const RESTORE_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A backup that was written or restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Archived {
    /// How many games it has.
    pub games: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// Why a backup cannot be written or restored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The data folder has no database.
    #[error("no games in {}: {DATABASE} not found", folder.display())]
    NoGames {
        /// The data folder.
        folder: PathBuf,
    },
    /// The file exists.
    #[error("{} exists: use --force to replace it", file.display())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// The file is the database of the data folder.
    #[error("{} is the database of the server: choose another file", file.display())]
    OwnDatabase {
        /// The file.
        file: PathBuf,
    },
    /// The file has no games.
    #[error("{} is not a backup: {reason}", file.display())]
    NotABackup {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error("cannot {action} {}: {error}", file.display())]
    File {
        /// What was done with the file.
        action: &'static str,
        /// The file.
        file: PathBuf,
        /// The cause.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The running server rejects the backup.
    #[error("the server cannot restore the backup: {reason}")]
    Rejected {
        /// The server's reason.
        reason: String,
    },
    /// The running server does not answer.
    #[error(
        "the server that uses {} has not restored the backup within {} seconds: stop it and try again",
        folder.display(),
        RESTORE_TIMEOUT.as_secs()
    )]
    NoAnswer {
        /// The data folder.
        folder: PathBuf,
    },
}

type Result<T> = std::result::Result<T, ArchiveError>;

/// Returns a function that turns the cause of a failure into an error about a file.
fn failed<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
    action: &'static str,
    file: &Path,
) -> impl FnOnce(E) -> ArchiveError {
    let file = file.to_owned();
    move |error| ArchiveError::File { action, file, error: error.into() }
}

/// Writes a copy of all games of a data folder to `file`, whether or not a server is using the folder. The file appears
/// complete or not at all. `progress` is called with the pages copied and their total.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let error = sandtable_server::backup(folder.path(), "monday.sqlite".as_ref(), false, |_, _| {}).unwrap_err();
/// assert!(error.to_string().ends_with("games.sqlite not found"));
/// # Ok(())
/// # }
/// ```
pub fn backup(
    data_dir: &Path,
    file: &Path,
    replace: bool,
    progress: impl FnMut(u64, u64),
) -> Result<Archived> {
    let database = data_dir.join(DATABASE);
    if !database.exists() {
        return Err(ArchiveError::NoGames { folder: data_dir.to_owned() });
    }
    if file.exists() {
        if same_file(file, &database) {
            return Err(ArchiveError::OwnDatabase { file: file.to_owned() });
        }
        if !replace {
            return Err(ArchiveError::Exists { file: file.to_owned() });
        }
    }
    let partial = Partial::new(with_suffix(file, ".partial"))?;
    let archived = copy(&database, &partial.0, progress)?;
    partial.persist(file)?;
    Ok(archived)
}

/// Replaces the games of a data folder by those of a backup. If a server is using the folder, it does so itself, and its
/// clients load their games again. The replaced database stays in the folder as `games.sqlite.before-restore`.
pub fn restore(data_dir: &Path, file: &Path, progress: impl FnMut(u64, u64)) -> Result<Archived> {
    fs::create_dir_all(data_dir).map_err(failed("create", data_dir))?;
    if same_file(file, &data_dir.join(DATABASE)) {
        return Err(ArchiveError::OwnDatabase { file: file.to_owned() });
    }
    let staged = Partial::new(data_dir.join(format!("{REQUEST}.{}", std::process::id())))?;
    let archived = copy(file, &staged.0, progress)?;
    let migrated =
        Connection::open(&staged.0).map_err(StoreError::from).and_then(|mut copy| migrate(&mut copy));
    migrated.map_err(failed("migrate", file))?;

    let lock = || match DataFolder::lock(data_dir) {
        Ok(folder) => Ok(Some(folder)),
        Err(StoreError::InUse) => Ok(None),
        Err(error) => Err(failed("lock", data_dir)(error)),
    };
    if let Some(folder) = lock()? {
        replace_database(&folder, &staged.0).map_err(failed("replace", &folder.database()))?;
        return Ok(archived);
    }
    let (request, result) = (data_dir.join(REQUEST), data_dir.join(RESULT));
    remove_if_present(&result).map_err(failed("delete", &result))?;
    staged.persist(&request)?;
    let deadline = Instant::now() + RESTORE_TIMEOUT;
    while Instant::now() < deadline {
        thread::sleep(POLL_INTERVAL);
        if let Ok(answer) = fs::read(&result) {
            remove_if_present(&result).map_err(failed("delete", &result))?;
            let answer = serde_json::from_slice(&answer).map_err(failed("read", &result))?;
            return match answer {
                Answer { error: None } => Ok(archived),
                Answer { error: Some(reason) } => Err(ArchiveError::Rejected { reason }),
            };
        }
        // The server may have stopped before it has seen the request.
        if request.exists()
            && let Some(folder) = lock()?
        {
            replace_database(&folder, &request).map_err(failed("replace", &folder.database()))?;
            return Ok(archived);
        }
    }
    remove_if_present(&request).map_err(failed("delete", &request))?;
    Err(ArchiveError::NoAnswer { folder: data_dir.to_owned() })
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// A file that is not complete yet, deleted unless it is renamed.
struct Partial(PathBuf);

impl Partial {
    fn new(path: PathBuf) -> Result<Self> {
        remove_if_present(&path).map_err(failed("write", &path))?;
        Ok(Self(path))
    }

    fn persist(&self, target: &Path) -> Result<()> {
        let sync = || File::open(&self.0)?.sync_all();
        sync().and_then(|()| fs::rename(&self.0, target)).map_err(failed("write", target))?;
        sync_folder(target).map_err(failed("write", target))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_file(with_suffix(&self.0, "-journal"));
    }
}

/// Flushes the entry of a file in its folder.
fn sync_folder(file: &Path) -> io::Result<()> {
    match file.parent() {
        #[cfg(unix)]
        Some(folder) => File::open(if folder == Path::new("") { Path::new(".") } else { folder })?.sync_all(),
        _ => Ok(()),
    }
}

/// Copies a database, as it is at this moment, to a new file and checks the copy.
fn copy(source: &Path, target: &Path, mut progress: impl FnMut(u64, u64)) -> Result<Archived> {
    let not_a_backup = |reason: String| ArchiveError::NotABackup { file: source.to_owned(), reason };
    match fs::metadata(source) {
        Err(error) => return Err(failed("read", source)(error)),
        Ok(found) if !found.is_file() => return Err(not_a_backup("not a file".to_owned())),
        Ok(found) if found.len() == 0 => return Err(not_a_backup("the file is empty".to_owned())),
        Ok(_) => {}
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let from = Connection::open_with_flags(source, flags).map_err(failed("read", source))?;
    // With a transaction, the copy does not start again when the server writes.
    let begin = || {
        from.busy_timeout(BUSY_TIMEOUT)?;
        from.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")
    };
    begin().map_err(|e| not_a_backup(e.to_string()))?;
    let schema = schema_version(&from).map_err(failed("read", source))?;
    if schema == 0 {
        return Err(not_a_backup("it has no games of Sandtable".to_owned()));
    }
    if schema > SCHEMA_VERSION {
        return Err(not_a_backup(
            StoreError::NewerSchema { found: schema, supported: SCHEMA_VERSION }.to_string(),
        ));
    }
    let mut to = Connection::open(target).map_err(failed("write", target))?;
    let mut copy_pages = || -> rusqlite::Result<()> {
        let backup = Backup::new(&from, &mut to)?;
        while backup.step(STEP)? != StepResult::Done {
            let steps = backup.progress();
            let (total, left) =
                (u64::from(steps.pagecount.unsigned_abs()), u64::from(steps.remaining.unsigned_abs()));
            progress(total.saturating_sub(left), total);
        }
        Ok(())
    };
    copy_pages().map_err(failed("write", target))?;
    let check = || -> std::result::Result<_, StoreError> {
        // One file without a WAL.
        to.pragma_update(None, "journal_mode", "DELETE")?;
        let games: i64 = to.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
        Ok((quick_check(&to)?, games.cast_unsigned()))
    };
    let (findings, games) = check().map_err(|e| not_a_backup(e.to_string()))?;
    if let Some(finding) = findings.first() {
        return Err(not_a_backup(format!("it is damaged ({finding})")));
    }
    to.close().map_err(|(_, e)| e).map_err(failed("write", target))?;
    let bytes = fs::metadata(target).map_err(failed("write", target))?.len();
    Ok(Archived { games, bytes })
}

/// The server's answer to a request.
#[derive(Serialize, Deserialize)]
struct Answer {
    error: Option<String>,
}

/// Writes the server's answer.
pub(super) fn answer(folder: &DataFolder, result: std::result::Result<(), &StoreError>) -> io::Result<()> {
    let answer = Answer { error: result.err().map(ToString::to_string) };
    let (file, partial) = (folder.file(RESULT), folder.file("restore.result.partial"));
    fs::write(&partial, sandtable_contract::to_json(&answer))?;
    fs::rename(partial, file)
}

/// Fails unless a requested backup can be opened.
pub(super) fn check_request(file: &Path) -> crate::store::Result<()> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    if let Some(finding) = quick_check(&connection)?.first() {
        return Err(StoreError::damaged(finding));
    }
    match schema_version(&connection)? {
        SCHEMA_VERSION => Ok(()),
        found => Err(StoreError::NewerSchema { found, supported: SCHEMA_VERSION }),
    }
}

/// Replaces the database, which nobody has open, and keeps the old one.
pub(super) fn replace_database(folder: &DataFolder, new: &Path) -> io::Result<()> {
    let (database, kept) = (folder.database(), folder.file(KEPT));
    for file in [&kept, &wal_of(&kept)] {
        remove_if_present(file)?;
    }
    if database.exists() {
        fs::hard_link(&database, &kept).or_else(|_| fs::copy(&database, &kept).map(drop))?;
    }
    // A WAL that is still there belongs to the old database: `SQLite` would apply it to the new one.
    match fs::rename(wal_of(&database), wal_of(&kept)) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    remove_if_present(&shm_of(&database))?;
    fs::rename(new, &database)?;
    sync_folder(&database)
}
