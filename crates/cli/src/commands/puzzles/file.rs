//! A file of puzzles: a line of settings and a line for each puzzle, all JSON.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use rust_embed::RustEmbed;
use sandtable::engine::{MineSettings, Puzzle};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// The id of the format.
pub(super) const FORMAT: &str = "sandtable-puzzles-1";

/// The puzzles that are part of the program: a file `GAME.jsonl` for each game that has some.
#[derive(RustEmbed)]
#[folder = "puzzles"]
struct Shipped;

/// The puzzles of a game that are part of the program.
pub(super) fn shipped(game: &str) -> Option<Cow<'static, str>> {
    let file = Shipped::get(&format!("{game}.jsonl"))?;
    Some(match file.data {
        Cow::Borrowed(bytes) => Cow::Borrowed(str::from_utf8(bytes).expect("puzzles are UTF-8")),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8(bytes).expect("puzzles are UTF-8")),
    })
}

/// The first line: everything that the puzzles depend on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) game: String,
    pub(super) rules: String,
    /// The version of the engine.
    pub(super) engine: String,
    /// The checksum of its network.
    pub(super) eval: String,
    pub(super) play_nodes: u64,
    pub(super) random_moves: u8,
    pub(super) candidate_nodes: u64,
    pub(super) proof_nodes: u64,
    pub(super) winning: i32,
    pub(super) others: i32,
    pub(super) min_nodes: u64,
    pub(super) seed: u64,
}

impl Header {
    pub(super) fn settings(&self) -> MineSettings {
        MineSettings {
            rules: self.rules.clone(),
            play_nodes: self.play_nodes,
            random_moves: self.random_moves,
            candidate_nodes: self.candidate_nodes,
            proof_nodes: self.proof_nodes,
            winning: self.winning,
            others: self.others,
            min_nodes: self.min_nodes,
            seed: self.seed,
        }
    }
}

/// Reads the whole lines of a file of puzzles.
pub(super) fn read(text: &str) -> Result<(Header, Vec<Puzzle>), String> {
    let mut lines = text.lines().enumerate();
    let (_, first) = lines.next().ok_or("the file is empty")?;
    let header: Header =
        serde_json::from_str(first).map_err(|e| format!("line 1 has no settings of puzzles: {e}"))?;
    if header.format != FORMAT {
        return Err(format!("unknown format `{}`: expected {FORMAT}", header.format));
    }
    let puzzle = |(index, line)| {
        serde_json::from_str(line).map_err(|e| format!("line {} is not a puzzle: {e}", index + 1))
    };
    Ok((header, lines.map(puzzle).collect::<Result<_, _>>()?))
}

/// A file that puzzles are appended to.
#[derive(Debug)]
pub(super) struct PuzzleFile {
    path: PathBuf,
    file: File,
}

impl PuzzleFile {
    /// Opens a file of puzzles or begins it. A last line that was cut off is removed.
    pub(super) fn open(path: &Path, header: &Header) -> Result<(Self, Vec<Puzzle>), Failure> {
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(|e| Failure::file("open", path, &e))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|e| Failure::file("read", path, &e))?;
        let line = serde_json::to_string(header).expect("a header is JSON") + "\n";
        let complete = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        if complete.is_empty() && !line.starts_with(&text) {
            return Err(Failure::Usage(format!("{} is not a file of puzzles", path.display())));
        }
        let mut puzzles = Vec::new();
        if !complete.is_empty() {
            let fail = |e: String| Failure::Usage(format!("{}: {e}", path.display()));
            let (found, read) = read(complete).map_err(fail)?;
            if found != *header {
                let first = complete.lines().next().unwrap_or_default();
                return Err(fail(format!(
                    "it has puzzles with other settings, `{first}`: choose another file"
                )));
            }
            puzzles = read;
        }
        let end = complete.len() as u64;
        let cut = file.set_len(end).and_then(|()| file.seek(SeekFrom::Start(end)));
        cut.map_err(|e| Failure::file("write", path, &e))?;
        let mut file = Self { path: path.to_owned(), file };
        if complete.is_empty() {
            file.write(&line).map_err(Failure::Usage)?;
        }
        Ok((file, puzzles))
    }

    /// Appends a puzzle.
    pub(super) fn append(&mut self, puzzle: &Puzzle) -> Result<(), String> {
        self.write(&(serde_json::to_string(puzzle).expect("a puzzle is JSON") + "\n"))
    }

    fn write(&mut self, line: &str) -> Result<(), String> {
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|e| format!("cannot write {}: {e}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use sandtable::engine::{Evaluation, all_themes, check_puzzle, engine_for};
    use sandtable::search::AlphaBetaSettings;
    use sandtable::{GAMES, GameKind, find};

    use super::*;

    fn puzzles(game: &str) -> (&'static GameKind, Header, Vec<Puzzle>) {
        let (header, puzzles) = read(&shipped(game).expect("a file")).expect("a valid file");
        assert_eq!(header.game, game);
        (find(game).expect("a game"), header, puzzles)
    }

    /// Proves every `step`th puzzle again. The bounds are wider than those of the miner: other searches see other things.
    fn prove_again(game: &str, step: usize, nodes: u64) {
        let (kind, header, puzzles) = puzzles(game);
        let mut settings = header.settings();
        settings.proof_nodes = nodes;
        settings.winning -= 100;
        settings.others += 100;
        let mut engine =
            engine_for(kind.name, 4, AlphaBetaSettings::default(), &Evaluation::Default).unwrap();
        let check = |puzzle: &Puzzle| check_puzzle(kind, puzzle, &settings, &mut engine).err();
        let errors: Vec<_> =
            puzzles.iter().step_by(step).filter_map(check).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }

    #[test]
    fn the_shipped_puzzles_are_legal_and_different() {
        for game in ["cotulenh", "tribun"] {
            let (kind, header, puzzles) = puzzles(game);
            assert!(puzzles.len() >= 100, "{game}: {}", puzzles.len());
            let ids: HashSet<_> = puzzles.iter().map(|puzzle| &puzzle.id).collect();
            assert_eq!(ids.len(), puzzles.len());
            for puzzle in &puzzles {
                let mut game = kind.parse(&puzzle.position, &header.rules).expect("a valid position");
                assert_eq!(puzzle.id, format!("{:016x}", game.hash64()));
                assert_eq!(puzzle.turns.len() % 2, 1, "{puzzle:?}");
                for turn in &puzzle.turns {
                    let player = game.turn();
                    for text in turn.split(' ') {
                        assert!(!game.is_over() && game.turn() == player, "{puzzle:?}");
                        game.play(text).expect("a legal move");
                    }
                    assert!(game.is_over() || game.turn() != player, "{puzzle:?}");
                }
                assert!(
                    !puzzle.themes.is_empty() && puzzle.themes.iter().all(|t| all_themes().contains(&&**t))
                );
                assert_eq!(puzzle.mate.is_some(), puzzle.score.is_none(), "{puzzle:?}");
                assert!(puzzle.mate.is_none() || puzzle.themes[0] == "mate");
            }
        }
        assert_eq!(GAMES.iter().filter(|kind| shipped(kind.name).is_some()).count(), 2);
    }

    #[test]
    fn a_sample_of_the_shipped_puzzles_is_proved_again() {
        for game in ["cotulenh", "tribun"] {
            prove_again(game, 40, 30_000);
        }
    }

    #[test]
    #[ignore = "searches millions of nodes"]
    fn all_shipped_puzzles_are_proved_again() {
        for game in ["cotulenh", "tribun"] {
            prove_again(game, 1, 100_000);
        }
    }

    #[test]
    fn other_files_are_not_read() {
        for (text, part) in [
            ("", "empty"),
            ("hello\n", "line 1"),
            (&shipped("tribun").unwrap().replacen("puzzles-1", "puzzles-9", 1), "sandtable-puzzles-9"),
            (&shipped("tribun").unwrap().replacen("\"id\"", "\"ID\"", 1), "line 2"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }
}
