//! What can be asked.

use std::path::PathBuf;

use clap::{ArgGroup, Parser, Subcommand, ValueEnum};
use sandtable::core::{Layout, Player};

use crate::positions::{Kind, Positions};

/// Three boards, one core: exact and fast rules, notations and encodings of war games.
#[derive(Parser, Debug)]
#[command(
    name = "sandtable",
    version,
    arg_required_else_help = true,
    after_help = "\
Examples:
  sandtable play chess
  sandtable show chess --svg start.svg
  sandtable moves chess \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"
  sandtable perft chess 5 --divide
  sandtable encode chess --moves \"e2e4 e7e5\" --out after.npy

Exit codes: 0 done; 1 the answer is no (not a position, not a legal move); 2 wrong use."
)]
pub(crate) struct Args {
    /// Answer with JSON, one object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Whether to use colours.
#[derive(clap::Args, Debug)]
pub(crate) struct Color {
    #[arg(
        help = "When to use colours; auto heeds NO_COLOR and pipes",
        long = "color",
        value_name = "WHEN",
        global = true,
        default_value = "auto"
    )]
    choice: ColorChoice,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColorChoice {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes the choice known to everything that prints.
    pub(crate) fn write_global(&self) {
        match self.choice {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Draw the board
    Show(Show),
    /// List the legal moves, or all complete turns
    Moves(Moves),
    /// Count the sequences of legal moves
    Perft(Perft),
    /// Write positions as a neural network sees them
    Encode(Encode),
    /// Look at observations in an .npy file
    Decode(Decode),
    /// Play at one terminal
    Play(Play),
    /// Measure encoding and move generation against their baselines
    Bench(Bench),
}

#[derive(Parser, Debug)]
#[command(after_help = "\
Examples:
  sandtable show chess
  sandtable show chess --indices
  sandtable show chess --svg board.svg \"8/8/8/4k3/8/4K3/8/R7 w - - 0 1\"
  sandtable show chess - < positions.txt")]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) kind: Kind,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// Write the numbers of the board model on the squares
    #[arg(long)]
    pub(crate) indices: bool,
    /// Draw the board into an SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The width of the SVG in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 480, value_parser = clap::value_parser!(u32).range(16..=10_000))]
    pub(crate) width: u32,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
Each line has the move as programs write it, as people write it, and its index in the policy.

Examples:
  sandtable moves chess
  sandtable moves chess --json - < positions.txt")]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) kind: Kind,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// List complete turns, one for each different position they lead to
    #[arg(long)]
    pub(crate) turns: bool,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
Examples:
  sandtable perft chess 5
  sandtable perft chess 6 --threads 2
  sandtable perft chess 3 --divide \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"")]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The length of the sequences
    #[arg(value_parser = clap::value_parser!(u32).range(0..=99))]
    pub(crate) depth: u32,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// Tell the count of each first move
    #[arg(long)]
    pub(crate) divide: bool,
    /// How many threads count
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
}

#[derive(Parser, Debug)]
#[command(
    group(ArgGroup::new("where").args(["out", "planes"]).required(true).multiple(true)),
    after_help = "\
One position makes an array of the observation's own shape, (8, 8, 18) for chess; positions from standard input
make an (N, 8, 8, 18) one. NumPy loads both: numpy.load(\"after.npy\").

Examples:
  sandtable encode chess --planes
  sandtable encode chess --moves \"e2e4 e7e5\" --out after.npy
  sandtable encode chess --layout chw --out all.npy - < positions.txt")]
pub(crate) struct Encode {
    #[command(flatten)]
    pub(crate) kind: Kind,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// Play these moves first; repetition counts them
    #[arg(long, value_name = "MOVES", default_value = "")]
    pub(crate) moves: String,
    /// The order of the values: hwc is [row][column][plane], chw is [plane][row][column]
    #[arg(long, default_value = "hwc")]
    pub(crate) layout: LayoutArg,
    /// The .npy file to write
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) out: Option<PathBuf>,
    /// Show the planes here
    #[arg(long)]
    pub(crate) planes: bool,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
An observation does not say who is to move: it is read as the first player's view unless told otherwise.

Examples:
  sandtable decode chess after.npy --turn second
  sandtable decode chess all.npy --layout chw --row 17")]
pub(crate) struct Decode {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The .npy file to read
    #[arg(value_name = "FILE.npy")]
    pub(crate) file: PathBuf,
    /// The order of the values in the file
    #[arg(long, default_value = "hwc")]
    pub(crate) layout: LayoutArg,
    /// Only this observation of the file, counted from 0
    #[arg(long, value_name = "N")]
    pub(crate) row: Option<usize>,
    /// Who is taken to be to move
    #[arg(long, default_value = "first")]
    pub(crate) turn: TurnArg,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
Every move is saved at once in the state folder ($XDG_STATE_HOME/sandtable), so that nothing is lost
however the program ends; --resume goes on with the latest game. Type `help` while playing.

Examples:
  sandtable play chess
  sandtable play chess --resume
  sandtable play chess \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"")]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) kind: Kind,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// Go on with the latest unfinished game
    #[arg(long, conflicts_with = "words")]
    pub(crate) resume: bool,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
Every figure is measured in turns with its baseline, in this very run; the ratio is the median over the rounds. The
perft of a game that nobody else generates moves for has none.

Examples:
  sandtable bench
  sandtable bench chess --json")]
pub(crate) struct Bench {
    /// Only this game
    #[arg(value_name = "GAME")]
    pub(crate) game: Option<String>,
}

/// The order of the values in memory.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LayoutArg {
    Hwc,
    Chw,
}

impl From<LayoutArg> for Layout {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            LayoutArg::Hwc => Self::Hwc,
            LayoutArg::Chw => Self::Chw,
        }
    }
}

/// Who is to move.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TurnArg {
    First,
    Second,
}

impl From<TurnArg> for Player {
    fn from(turn: TurnArg) -> Self {
        match turn {
            TurnArg::First => Self::First,
            TurnArg::Second => Self::Second,
        }
    }
}
