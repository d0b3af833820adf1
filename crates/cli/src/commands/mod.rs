//! One file a command.

pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
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

use sandtable::core::Outcome;
use sandtable::{AnyGame, in_words};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// The file that is being written under another name, to be removed if the program is stopped.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that appears under its name only when it is complete. Until then it lies beside its place.
struct NewFile {
    file: NamedTempFile,
    /// Where it will be: behind the links, if its name is one.
    place: PathBuf,
}

impl NewFile {
    fn create(path: &Path) -> Result<Self, Failure> {
        let cannot = |why: &dyn Display| Failure::Usage(format!("cannot write {}: {why}", path.display()));
        let old = fs::metadata(path).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Err(cannot(&"it is not a regular file"));
        }
        let place =
            if old.is_some() { fs::canonicalize(path).map_err(|e| cannot(&e))? } else { path.to_owned() };
        let folder = match place.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            return Err(cannot(&format_args!("there is no folder {}", folder.display())));
        }
        // Stopping the program removes the file. Where that cannot be arranged, a stray file is the worst.
        let _ = ctrlc::set_handler(|| {
            if let Some(path) = unfinished().take() {
                let _ = fs::remove_file(path);
            }
            std::process::exit(130);
        });
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // The name that the error would tell is not the one that was asked for.
        let file = builder.tempfile_in(folder).map_err(|e| cannot(&e.kind()))?;
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions()).map_err(|e| cannot(&e))?;
        }
        *unfinished() = Some(file.path().to_owned());
        Ok(Self { file, place })
    }

    /// Puts the complete file in its place.
    fn keep(self) -> Result<(), Failure> {
        let kept = self.file.persist(&self.place);
        *unfinished() = None;
        kept.map_err(|e| Failure::file("write", &self.place, &e.error))?;
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Writes a whole file, or leaves the one that was there. What is no regular file (a pipe, a device) is written to.
fn write_file(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    if fs::metadata(path).is_ok_and(|old| !old.is_file() && !old.is_dir()) {
        return fs::write(path, contents).map_err(|e| Failure::file("write", path, &e));
    }
    let mut new = NewFile::create(path)?;
    new.write_all(contents).map_err(|e| Failure::file("write", path, &e))?;
    new.keep()
}

/// The folder for what programs keep between runs: `$XDG_STATE_HOME`, or its usual place.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .or_else(|| set("HOME").map(|home| home.join(".local").join("state")))?;
    Some(state.join("sandtable"))
}

/// Who is to move, or how the game ended, in one clause.
fn standing(game: &dyn AnyGame) -> String {
    let outcome = game.outcome();
    if outcome.is_over() {
        return in_words(&outcome, game.players());
    }
    let check = if game.check() == Some(true) { ", in check" } else { "" };
    format!("{} to move{check}", game.players()[game.turn()])
}

/// What every JSON answer about a position begins with.
fn summary(game: &dyn AnyGame) -> Value {
    let outcome = match game.outcome() {
        Outcome::Ongoing => Value::Null,
        Outcome::Draw { reason } => json!({ "winner": null, "reason": reason }),
        Outcome::Win { winner, reason } => json!({ "winner": game.players()[winner], "reason": reason }),
    };
    json!({
        "game": game.name(),
        "rules": game.rules(),
        "fen": game.position(),
        "turn": game.players()[game.turn()],
        "check": game.check(),
        "outcome": outcome,
        "hash": format!("{:016x}", game.hash64()),
    })
}
