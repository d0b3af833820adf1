//! `puzzles mine`: puzzles from games of the engine against itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sandtable::GameKind;
use sandtable::engine::{
    BoardSketch, Evaluation, MineSettings, Puzzle, all_themes, engine_for, mine_puzzles,
};
use sandtable::search::AlphaBetaSettings;
use serde_json::{Value, json};

use super::file::{FORMAT, Header, PuzzleFile};
use crate::args::PuzzlesMine;
use crate::failure::Failure;
use crate::output::{Output, progress};

/// The transposition table, in MiB: small, because it is cleared for each search.
const HASH_MIB: usize = 4;

pub(crate) fn run(args: &PuzzlesMine, out: &mut Output) -> Result<(), Failure> {
    if i32::from(args.others) >= i32::from(args.winning) {
        return Err(Failure::Usage(format!(
            "--others {} must be lower than --winning {}",
            args.others, args.winning
        )));
    }
    let header = header(args)?;
    let (file, puzzles) = PuzzleFile::open(&args.file, &header)?;
    let before = puzzles.len() as u64;
    let collection = Collection::new(args, file, puzzles)?;
    let bar = progress(args.count, "puzzles");
    bar.set_position(before);
    let mine = Mine {
        kind: args.kind.game,
        settings: header.settings(),
        next: AtomicU64::new(collection.next),
        end: args.games.unwrap_or(u64::MAX),
        stop: AtomicBool::new(collection.is_full()),
        collection: Mutex::new(collection),
        bar: &bar,
    };
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.threads).map(|_| scope.spawn(|| mine.work())).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panicked")).collect()
    });
    bar.finish_and_clear();
    results.into_iter().collect::<Result<(), String>>().map_err(Failure::Usage)?;
    let collection = mine.collection.into_inner().expect("no worker panicked");
    let (count, new) = (collection.puzzles.len() as u64, collection.puzzles.len() as u64 - before);
    if out.json {
        let themes: Value = themes(&collection.puzzles)
            .map(|(theme, count)| (theme.to_owned(), count.into()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        return out
            .object(&json!({ "puzzles": count, "new": new, "games": collection.next, "themes": themes }));
    }
    let mut text = format!(
        "{count} puzzles in {}, {new} of them new, from {} games\n",
        args.file.display(),
        collection.next
    );
    for (theme, count) in themes(&collection.puzzles) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{count:>5}  {theme}");
    }
    out.text(text)
}

/// The themes that occur, with the number of their puzzles.
fn themes(puzzles: &[Puzzle]) -> impl Iterator<Item = (&'static str, usize)> {
    let count = |theme: &'static str| {
        (theme, puzzles.iter().filter(|puzzle| puzzle.themes.iter().any(|own| own == theme)).count())
    };
    all_themes().into_iter().map(count).filter(|(_, count)| *count > 0)
}

fn header(args: &PuzzlesMine) -> Result<Header, Failure> {
    let game = args.kind.game.name;
    let network = Evaluation::Default.network(game);
    Ok(Header {
        format: FORMAT.to_owned(),
        game: game.to_owned(),
        rules: args.kind.rules()?.to_owned(),
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        eval: network.map_or_else(|| "hand".to_owned(), |network| format!("{:016x}", network.id())),
        play_nodes: args.play_nodes,
        random_moves: args.random_moves,
        candidate_nodes: args.candidate_nodes,
        proof_nodes: args.nodes,
        winning: args.winning.into(),
        others: args.others.into(),
        min_nodes: args.min_nodes,
        seed: args.seed,
    })
}

/// The puzzles so far. The puzzles of a game are added after those of all earlier games, so that neither threads nor
/// interruptions change the file.
struct Collection<'a> {
    args: &'a PuzzlesMine,
    file: PuzzleFile,
    puzzles: Vec<Puzzle>,
    boards: Vec<BoardSketch>,
    /// The number of the next game to add.
    next: u64,
    /// The puzzles of later games.
    waiting: BTreeMap<u64, Vec<Puzzle>>,
}

impl<'a> Collection<'a> {
    fn new(args: &'a PuzzlesMine, file: PuzzleFile, puzzles: Vec<Puzzle>) -> Result<Self, Failure> {
        let board = |puzzle: &Puzzle| {
            let path = args.file.display();
            board(args, puzzle).map_err(|e| Failure::Usage(format!("{path}: puzzle {}: {e}", puzzle.id)))
        };
        let boards = puzzles.iter().map(board).collect::<Result<_, _>>()?;
        // The last game is mined again, because it may have more puzzles than were written. Written puzzles are not
        // added twice.
        let next = puzzles.last().map_or(0, |puzzle| puzzle.source);
        Ok(Self { args, file, puzzles, boards, next, waiting: BTreeMap::new() })
    }

    fn is_full(&self) -> bool {
        self.puzzles.len() as u64 >= self.args.count
    }

    /// Adds the puzzles of a game.
    fn add(&mut self, number: u64, found: Vec<Puzzle>) -> Result<(), String> {
        self.waiting.insert(number, found);
        while let Some(found) = self.waiting.remove(&self.next) {
            for puzzle in found {
                let board = board(self.args, &puzzle)?;
                if !self.is_full() && !self.boards.iter().any(|known| known.is_near(&board)) {
                    self.file.append(&puzzle)?;
                    self.puzzles.push(puzzle);
                    self.boards.push(board);
                }
            }
            self.next += 1;
        }
        Ok(())
    }
}

fn board(args: &PuzzlesMine, puzzle: &Puzzle) -> Result<BoardSketch, String> {
    let rules = args.kind.rules().map_err(|e| e.to_string())?;
    let game = args.kind.game.parse(&puzzle.position, rules).map_err(|e| e.to_string())?;
    Ok(BoardSketch::of(&game))
}

/// State shared by the threads.
struct Mine<'a> {
    kind: &'static GameKind,
    settings: MineSettings,
    /// The number of the next game to play.
    next: AtomicU64,
    /// The number of the game before which to stop.
    end: u64,
    stop: AtomicBool,
    collection: Mutex<Collection<'a>>,
    bar: &'a indicatif::ProgressBar,
}

impl Mine<'_> {
    /// Plays games until there are enough puzzles.
    fn work(&self) -> Result<(), String> {
        let mut engine =
            engine_for(self.kind.name, HASH_MIB, AlphaBetaSettings::default(), &Evaluation::Default)
                .map_err(|e| e.to_string())?;
        while !self.stop.load(Ordering::Relaxed) {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.end {
                break;
            }
            let found =
                mine_puzzles(self.kind, &self.settings, &mut engine, number).map_err(|e| e.to_string())?;
            let mut collection = self.collection.lock().expect("no worker panicked");
            let added = collection.add(number, found);
            self.bar.set_position(collection.puzzles.len() as u64);
            if added.is_err() || collection.is_full() {
                self.stop.store(true, Ordering::Relaxed);
            }
            added?;
        }
        Ok(())
    }
}
