//! The commands, one file each.

pub(crate) mod analyze;
pub(crate) mod archive;
pub(crate) mod bench;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod generate;
pub(crate) mod ladder;
pub(crate) mod moves;
pub(crate) mod net;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod puzzles;
pub(crate) mod review;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod tournament;
pub(crate) mod uci;

use std::env;
use std::fmt::Display;
use std::fs;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sandtable::AnyGame;
use sandtable::core::Outcome;
use sandtable::games::describe_outcome;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// The temporary file being written, removed if the program is interrupted.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is written atomically: to a temporary file in the same directory, renamed when complete.
struct AtomicFile {
    file: NamedTempFile,
    /// The final path, with symbolic links resolved.
    target: PathBuf,
}

impl AtomicFile {
    fn create(path: &Path) -> Result<Self, Failure> {
        let fail =
            |reason: &dyn Display| Failure::Usage(format!("cannot write {}: {reason}", path.display()));
        let old = fs::metadata(path).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Err(fail(&"not a regular file"));
        }
        let target =
            if old.is_some() { fs::canonicalize(path).map_err(|e| fail(&e))? } else { path.to_owned() };
        let directory = match target.parent() {
            Some(directory) if directory != Path::new("") => directory,
            _ => Path::new("."),
        };
        if !directory.is_dir() {
            return Err(fail(&format_args!("no directory {}", directory.display())));
        }
        // Remove the file on Ctrl-C. If the handler cannot be set, at worst a temporary file stays behind.
        let _ = ctrlc::set_handler(|| {
            if let Some(path) = unfinished().take() {
                let _ = fs::remove_file(path);
            }
            std::process::exit(130);
        });
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The error's own text names the temporary file, which the user did not ask for.
        let file = builder.tempfile_in(directory).map_err(|e| fail(&e.kind()))?;
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions()).map_err(|e| fail(&e))?;
        }
        *unfinished() = Some(file.path().to_owned());
        Ok(Self { file, target })
    }

    /// Renames the complete file to its final path.
    fn commit(self) -> Result<(), Failure> {
        let persisted = self.file.persist(&self.target);
        *unfinished() = None;
        persisted.map_err(|e| Failure::file("write", &self.target, &e.error))?;
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Writes a file atomically. Pipes and devices are written to directly.
fn write_file(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    if fs::metadata(path).is_ok_and(|old| !old.is_file() && !old.is_dir()) {
        return fs::write(path, contents).map_err(|e| Failure::file("write", path, &e));
    }
    let mut file = AtomicFile::create(path)?;
    file.write_all(contents).map_err(|e| Failure::file("write", path, &e))?;
    file.commit()
}

/// The state directory: `sandtable` in `$XDG_STATE_HOME`, `%LOCALAPPDATA%` or `~/.local/state`.
pub(crate) fn state_directory() -> Option<PathBuf> {
    let var = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = var("XDG_STATE_HOME")
        .or_else(|| var("LOCALAPPDATA"))
        .or_else(|| var("HOME").map(|home| home.join(".local").join("state")))?;
    Some(state.join("sandtable"))
}

/// The data directory of the server: the given one, or `server` in the state directory.
fn data_directory(given: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    given
        .cloned()
        .or_else(|| Some(state_directory()?.join("server")))
        .ok_or_else(|| Failure::Usage("no data directory: set one with --data DIR".to_owned()))
}

/// The status of a game: the side to move, or the outcome.
fn status(game: &dyn AnyGame) -> String {
    let outcome = game.outcome();
    if outcome.is_over() {
        return describe_outcome(&outcome, game.players());
    }
    let check = if game.in_check() == Some(true) { ", in check" } else { "" };
    format!("{} to move{check}", game.players()[game.turn()])
}

/// The fields of every JSON answer about a position.
fn summary(game: &dyn AnyGame) -> Value {
    let outcome = match game.outcome() {
        Outcome::Ongoing => Value::Null,
        Outcome::Draw { reason } => json!({ "winner": null, "reason": reason }),
        Outcome::Win { winner, reason } => json!({ "winner": game.players()[winner], "reason": reason }),
    };
    json!({
        "game": game.name(),
        "rules": game.rules(),
        "fen": game.position_text(),
        "turn": game.players()[game.turn()],
        "check": game.in_check(),
        "outcome": outcome,
        "hash": format!("{:016x}", game.hash64()),
    })
}
