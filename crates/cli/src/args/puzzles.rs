//! The arguments of `puzzles`.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use sandtable::GameKind;
use sandtable::engine::Puzzle;

use crate::commands::puzzles::solve::parse_theme;
use crate::positions::{Kind, parse_game};

#[derive(Parser, Debug)]
#[command(after_help = "\
Examples:
  sandtable puzzles solve cotulenh
  sandtable puzzles solve tribun --theme fork --difficulty 2
  sandtable puzzles mine tribun tribun.jsonl --count 100 --threads 2")]
pub(crate) struct Puzzles {
    #[command(subcommand)]
    pub(crate) command: PuzzlesCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum PuzzlesCommand {
    /// Find and prove positions with one winning turn in games of the engine against itself
    Mine(PuzzlesMine),
    /// Solve puzzles in the terminal
    Solve(PuzzlesSolve),
}

#[derive(Parser, Debug)]
#[command(after_help = "\
A puzzle is a position in which one turn scores at least --winning, or wins by force, and every other turn at most
--others; searches of --nodes nodes prove both. The file has a line of settings and a line for each puzzle, all JSON. Run
the same command again to continue after an interruption, or with a higher --count to add puzzles; the result does not
depend on interruptions or --threads. Other settings need another file.

Examples:
  sandtable puzzles mine tribun tribun.jsonl --count 100 --threads 2
  sandtable puzzles mine cotulenh hard.jsonl --min-nodes 2500 --nodes 100000")]
pub(crate) struct PuzzlesMine {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The file of the puzzles; created if missing
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The number of puzzles in the file when the command ends
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) count: u64,
    /// Stop after this many games, even with fewer puzzles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: Option<u64>,
    /// The number of nodes of each search of a proof
    #[arg(long, value_name = "N", default_value_t = 60_000, value_parser = clap::value_parser!(u64).range(100..))]
    pub(crate) nodes: u64,
    /// The number of nodes of the search that decides whether a position is worth a proof
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) candidate_nodes: u64,
    /// The number of nodes for each move of the games: few, so that the players blunder
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) play_nodes: u64,
    /// The share of random moves in the games, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=50))]
    pub(crate) random_moves: u8,
    /// The lowest score of a solution, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 450, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) winning: u16,
    /// The highest score of any other turn, in centipawns; lower than --winning
    #[arg(long, value_name = "CP", default_value_t = 150, allow_hyphen_values = true, value_parser = clap::value_parser!(i16).range(-10_000..=10_000))]
    pub(crate) others: i16,
    /// Leave out puzzles that the engine solves with fewer nodes
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) min_nodes: u64,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of games examined in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
Shows a position in which one turn wins, and takes your turns; the replies are those of the proof. Type `help` while
solving. The end of the input or Ctrl-C ends the command.

Examples:
  sandtable puzzles solve cotulenh
  sandtable puzzles solve tribun --theme fork --difficulty 2
  sandtable puzzles solve --file hard.jsonl --seed 7
  echo solution | sandtable puzzles solve tribun --seed 1")]
pub(crate) struct PuzzlesSolve {
    /// Only puzzles of this game
    #[arg(value_name = "GAME", value_parser = parse_game)]
    pub(crate) game: Option<&'static GameKind>,
    /// Only puzzles with this theme
    #[arg(long, value_name = "THEME", value_parser = parse_theme)]
    pub(crate) theme: Option<String>,
    /// Only puzzles of this difficulty
    #[arg(long, visible_alias = "level", value_name = "1..5", value_parser = clap::value_parser!(u8).range(1..=i64::from(Puzzle::HARDEST)))]
    pub(crate) difficulty: Option<u8>,
    /// Only the puzzle with this identifier
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Puzzles from this file of `puzzles mine`, not those of the program
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The seed of the order; by default another one each time
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}
