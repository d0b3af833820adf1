//! Autosave: the game is saved after every move, so that it survives a crash.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use sandtable::GameKind;
use sandtable::games::LoadedRecord;

use crate::commands::{state_directory, write_file};
use crate::failure::Failure;

/// The file of the current game, created with the first move.
pub(super) struct Autosave {
    path: Option<PathBuf>,
    written: bool,
}

impl Autosave {
    /// Returns the file of a new game, named after the game and the time.
    pub(super) fn new(kind: &GameKind) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let name = format!("{}-{now:014}-{}.{}", kind.name, process::id(), kind.record_extension);
        Self { path: state_directory().map(|directory| directory.join(name)), written: false }
    }

    /// Returns the existing file of a resumed game.
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path: Some(path), written: true }
    }

    /// Returns the path if the game has been saved.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| self.written)
    }

    /// Saves the record. A failure is reported once and disables autosave.
    pub(super) fn write(&mut self, record: &str) {
        let Some(path) = &self.path else { return };
        let created = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = created.map_err(|e| Failure::file("write", path, &e));
        match written.and_then(|()| write_file(path, record.as_bytes())) {
            Ok(()) => self.written = true,
            Err(failure) => {
                anstream::eprintln!("autosave is off, use `save FILE` instead: {failure}");
                self.path = None;
            }
        }
    }
}

/// A resumed game.
pub(super) struct Resumed {
    pub(super) path: PathBuf,
    pub(super) loaded: LoadedRecord,
}

/// Returns the latest saved game of a kind that is not over. Unreadable files are skipped.
pub(super) fn latest_unfinished(kind: &GameKind, rules: &str) -> Option<Resumed> {
    let prefix = format!("{}-", kind.name);
    let entries = fs::read_dir(state_directory()?).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let named =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let mut paths: Vec<_> = entries.filter(named).collect();
    // Names contain the time in a fixed width, so they sort by time.
    paths.sort();
    paths.into_iter().rev().find_map(|path| {
        let loaded = kind.load_record(&fs::read_to_string(&path).ok()?, rules).ok()?;
        (!loaded.game.outcome().is_over()).then_some(Resumed { path, loaded })
    })
}
