//! A file of self-play games.
//!
//! A header line names the settings. Each game follows as its length and its checksum, four bytes each with the lowest
//! first, and its bytes. Games are only appended, so an interruption damages at most the last one.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// An open file of games.
pub(super) struct Shard {
    path: PathBuf,
    file: File,
    /// The number of games.
    pub(super) games: u64,
}

/// The bytes before each game.
const PREFIX: usize = 8;

impl Shard {
    /// Opens a file of games to append to, or creates it. A last game that was cut off is removed.
    pub(super) fn open(path: &Path, header: &str) -> Result<Self, String> {
        let fail = |what: &str, e: &io::Error| format!("cannot {what} {}: {e}", path.display());
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .map_err(|e| fail("open", &e))?;
        let length = file.metadata().map_err(|e| fail("read", &e))?.len();
        if length < header.len() as u64 {
            // New, or interrupted while the header was written.
            file.set_len(0)
                .and_then(|()| file.write_all(header.as_bytes()))
                .map_err(|e| fail("write", &e))?;
            return Ok(Self { path: path.to_owned(), file, games: 0 });
        }
        let mut games = 0;
        let (found, end) = read_games(path, &mut file, |_| {
            games += 1;
            Ok(())
        })?;
        if found != header {
            return Err(format!(
                "{} has games with other settings: it begins with `{}`, not with `{}`",
                path.display(),
                found.trim_end(),
                header.trim_end()
            ));
        }
        file.set_len(end).map_err(|e| fail("write", &e))?;
        Ok(Self { path: path.to_owned(), file, games })
    }

    /// Appends a game.
    pub(super) fn append(&mut self, game: &[u8]) -> Result<(), String> {
        let mut bytes = Vec::with_capacity(PREFIX + game.len());
        bytes.extend_from_slice(&(game.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&crc32fast::hash(game).to_le_bytes());
        bytes.extend_from_slice(game);
        self.file.write_all(&bytes).map_err(|e| format!("cannot write {}: {e}", self.path.display()))?;
        self.games += 1;
        Ok(())
    }
}

/// Reads a file of games and calls `f` with each. Returns the header and the end of the last whole game; the rest of the file is a game
/// that was cut off.
pub(super) fn read_games(
    path: &Path,
    file: &mut File,
    mut f: impl FnMut(&[u8]) -> Result<(), String>,
) -> Result<(String, u64), String> {
    let fail = |e: io::Error| format!("cannot read {}: {e}", path.display());
    let length = file.metadata().map_err(fail)?.len();
    file.seek(SeekFrom::Start(0)).map_err(fail)?;
    let mut reader = BufReader::new(file);
    let mut found = String::new();
    reader.read_line(&mut found).map_err(fail)?;
    if !found.starts_with("sandtable-games 1 ") {
        return Err(format!("{} is not a file of self-play games", path.display()));
    }
    let mut end = found.len() as u64;
    let mut game = Vec::new();
    while end + PREFIX as u64 <= length {
        let mut prefix = [0; PREFIX];
        reader.read_exact(&mut prefix).map_err(fail)?;
        let [size, checksum] =
            [0, 4].map(|i| u32::from_le_bytes([prefix[i], prefix[i + 1], prefix[i + 2], prefix[i + 3]]));
        let next = end + PREFIX as u64 + u64::from(size);
        if next > length {
            break;
        }
        game.resize(size as usize, 0);
        reader.read_exact(&mut game).map_err(fail)?;
        if crc32fast::hash(&game) != checksum {
            if next == length {
                break;
            }
            return Err(format!(
                "{} is damaged at byte {end}: the checksum of a game is wrong",
                path.display()
            ));
        }
        f(&game)?;
        end = next;
    }
    Ok((found, end))
}

/// The value of a setting in the header of a file.
pub(super) fn header_value<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    header
        .split_whitespace()
        .filter_map(|word| word.split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}
