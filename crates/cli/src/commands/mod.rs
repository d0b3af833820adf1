//! One file a command.

pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod show;
pub(crate) mod tournament;
pub(crate) mod uci;

use std::io::Write as _;
use std::path::Path;

use sandtable::core::Outcome;
use sandtable::{AnyGame, in_words};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A file that appears under its name only when it is complete.
///
/// It is written beside its place under another name, which is removed if the program is stopped.
fn temporary_beside(path: &Path) -> Result<NamedTempFile, Failure> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let file = NamedTempFile::new_in(folder).map_err(|e| Failure::file("write", path, &e))?;
    let name = file.path().to_owned();
    // Only the first file of a process can be guarded, and no command writes two large ones.
    let _ = ctrlc::set_handler(move || {
        let _ = std::fs::remove_file(&name);
        std::process::exit(130);
    });
    Ok(file)
}

/// Writes a whole file, or leaves the one that was there.
fn write_file(path: &Path, contents: &[u8]) -> Result<(), Failure> {
    let mut file = temporary_beside(path)?;
    file.write_all(contents).map_err(|e| Failure::file("write", path, &e))?;
    keep(file, path)
}

/// Puts a complete file in its place, readable as files usually are.
fn keep(file: NamedTempFile, path: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let readable = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(readable).map_err(|e| Failure::file("write", path, &e))?;
    }
    file.persist(path).map_err(|e| Failure::file("write", path, &e.error))?;
    Ok(())
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
