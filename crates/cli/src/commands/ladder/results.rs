//! The results of a ladder in a file: a line of settings and a line for each game, all JSON.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::args::Ladder;
use crate::failure::Failure;

/// The settings that decide the games. A file has games of the same settings only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Settings {
    game: String,
    pub(super) rules: String,
    seed: u64,
    plies: u16,
    max_plies: usize,
    /// The time per move of level 9, in milliseconds.
    time: u64,
}

impl Settings {
    pub(super) fn of(args: &Ladder) -> Result<Self, Failure> {
        Ok(Self {
            game: args.kind.game.name.to_owned(),
            rules: args.kind.rules()?.to_owned(),
            seed: args.series.seed,
            plies: args.series.plies,
            max_plies: args.series.max_plies,
            time: u64::try_from(args.time.as_millis()).unwrap_or(u64::MAX),
        })
    }
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct GameResult {
    pub(super) a: String,
    pub(super) b: String,
    /// The number among the games of both players, from 0. A moves first in games with an even number.
    pub(super) number: u32,
    /// The result for A: 1 for a win, 0 for a draw, −1 for a loss.
    pub(super) value: i32,
    /// The number of moves, those of the opening included.
    pub(super) plies: usize,
}

/// All results, in memory and in a file.
#[derive(Debug)]
pub(super) struct Results {
    games: Vec<GameResult>,
    played: HashSet<(String, String, u32)>,
    file: Option<(PathBuf, File)>,
}

impl Results {
    /// Reads the results of a file, or begins it. Without a path, the results are in memory only.
    pub(super) fn open(path: Option<&Path>, settings: &Settings) -> Result<Self, Failure> {
        let mut results = Self { games: Vec::new(), played: HashSet::new(), file: None };
        let Some(path) = path else { return Ok(results) };
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(|e| Failure::file("open", path, &e))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|e| Failure::file("read", path, &e))?;
        // A line that was cut off when the program was killed is not a result.
        let complete = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        for game in
            read(complete, settings).map_err(|e| Failure::Usage(format!("{}: {e}", path.display())))?
        {
            results.insert(game);
        }
        let end = complete.len() as u64;
        let cut = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
        cut.map_err(|e| Failure::file("write", path, &e))?;
        results.file = Some((path.to_owned(), file));
        if complete.is_empty() {
            results.append(settings).map_err(Failure::Usage)?;
        }
        Ok(results)
    }

    pub(super) fn games(&self) -> &[GameResult] {
        &self.games
    }

    /// Whether a game has been played.
    pub(super) fn has(&self, a: &str, b: &str, number: u32) -> bool {
        self.played.contains(&(a.to_owned(), b.to_owned(), number))
    }

    /// Adds the result of a game to the file and to the results in memory.
    pub(super) fn add(&mut self, game: GameResult) -> Result<(), String> {
        self.append(&game)?;
        self.insert(game);
        Ok(())
    }

    fn insert(&mut self, game: GameResult) {
        if self.played.insert((game.a.clone(), game.b.clone(), game.number)) {
            self.games.push(game);
        }
    }

    fn append(&mut self, value: &impl Serialize) -> Result<(), String> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let line = serde_json::to_string(value).map_err(|e| e.to_string())? + "\n";
        file.write_all(line.as_bytes()).map_err(|e| format!("cannot write {}: {e}", path.display()))
    }
}

/// The results in a text of whole lines.
fn read(text: &str, settings: &Settings) -> Result<Vec<GameResult>, String> {
    let mut lines = text.lines().enumerate();
    if let Some((_, first)) = lines.next() {
        let found: Settings =
            serde_json::from_str(first).map_err(|e| format!("line 1 has no settings of a ladder: {e}"))?;
        if found != *settings {
            return Err("the file is from a ladder with other settings: choose another --out".to_owned());
        }
    }
    let game = |(index, line)| {
        serde_json::from_str(line).map_err(|e| format!("line {} is no result: {e}", index + 1))
    };
    lines.map(game).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(seed: u64) -> Settings {
        let (game, rules) = ("chess".to_owned(), "standard".to_owned());
        Settings { game, rules, seed, plies: 8, max_plies: 600, time: 2_000 }
    }

    fn game(number: u32) -> GameResult {
        GameResult { a: "level:2".to_owned(), b: "level:1".to_owned(), number, value: 1, plies: 40 }
    }

    #[test]
    fn results_survive_a_line_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ladder");
        let mut results = Results::open(Some(&path), &settings(1)).unwrap();
        for number in 0..3 {
            results.add(game(number)).unwrap();
        }
        let whole = std::fs::read_to_string(&path).unwrap();
        assert_eq!(whole.lines().count(), 4);
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let mut results = Results::open(Some(&path), &settings(1)).unwrap();
        assert_eq!(results.games(), [game(0), game(1)]);
        assert!(results.has("level:2", "level:1", 1) && !results.has("level:2", "level:1", 2));
        assert!(!results.has("level:1", "level:2", 1));
        results.add(game(2)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    }

    #[test]
    fn other_settings_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ladder");
        drop(Results::open(Some(&path), &settings(1)).unwrap());
        let error = Results::open(Some(&path), &settings(2)).unwrap_err().to_string();
        assert!(error.contains("other settings"), "{error}");
        for (text, part) in [("hello\n", "line 1"), ("{}\n", "line 1")] {
            std::fs::write(&path, text).unwrap();
            let error = Results::open(Some(&path), &settings(1)).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn without_a_file_results_are_in_memory() {
        let mut results = Results::open(None, &settings(1)).unwrap();
        results.add(game(0)).unwrap();
        assert_eq!(results.games(), [game(0)]);
    }
}
