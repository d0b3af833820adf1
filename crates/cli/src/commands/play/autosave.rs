//! Where a game is kept while it is played, so that nothing is lost however the program ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use sandtable::{GameKind, Loaded};

use crate::commands::{state_folder, write_file};
use crate::failure::Failure;

/// A file that holds the latest state of one game. It is there from the first move on.
pub(super) struct Autosave {
    path: Option<PathBuf>,
    written: bool,
}

impl Autosave {
    /// A new file for a new game, named after the game and the time.
    pub(super) fn new(kind: &GameKind) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let name = format!("{}-{now:014}-{}.{}", kind.name, process::id(), kind.record_extension);
        Self { path: state_folder().map(|folder| folder.join(name)), written: false }
    }

    /// The file of a game that goes on.
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path: Some(path), written: true }
    }

    /// The file, if there is one by now.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| self.written)
    }

    /// Keeps the record. If that fails, says so once, and the game goes on.
    pub(super) fn write(&mut self, record: &str) {
        let Some(path) = &self.path else { return };
        let created = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = created.map_err(|e| Failure::file("write", path, &e));
        match written.and_then(|()| write_file(path, record.as_bytes())) {
            Ok(()) => self.written = true,
            Err(failure) => {
                anstream::eprintln!("This game cannot be kept as it is played; use `save FILE`. {failure}");
                self.path = None;
            }
        }
    }
}

/// A kept game that can go on.
pub(super) struct Resumed {
    pub(super) path: PathBuf,
    pub(super) loaded: Loaded,
}

/// The latest kept game of a kind that is not over. Files that cannot be read are passed over.
pub(super) fn latest_unfinished(kind: &GameKind, rules: &str) -> Option<Resumed> {
    let prefix = format!("{}-", kind.name);
    let entries = fs::read_dir(state_folder()?).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let named =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let mut paths: Vec<_> = entries.filter(named).collect();
    // Names hold the time in a fixed width, so that the order of names is the order of games.
    paths.sort();
    paths.into_iter().rev().find_map(|path| {
        let loaded = kind.load_record(&fs::read_to_string(&path).ok()?, rules).ok()?;
        (!loaded.0.outcome().is_over()).then_some(Resumed { path, loaded })
    })
}
