//! The arguments of `review`.

use std::path::PathBuf;

use clap::Parser;
use sandtable::GameKind;
use sandtable::engine::review::ReviewSettings;

use crate::evaluation::EvaluationArg;
use crate::positions::{game_help, parse_game};

#[derive(Parser, Debug)]
#[command(after_help = "\
The engine judges every turn of the first game of the file: what it loses of the expected score, whether it is an
inaccuracy (5 %), a mistake (10 %) or a blunder (20 %), and which turn is better. The same settings give the same result,
for any number of threads. --out writes the record with evaluations, glyphs and better lines, which other programs read.

Exit codes: 0 success; 1 invalid record; 2 wrong usage or a file error; 130 interrupted.

Examples:
  sandtable review game.pgn
  sandtable review game.ctl --nodes 100000 --out reviewed.ctl
  sandtable review --game tribun --json - < game.tribun")]
pub(crate) struct Review {
    /// The record of the game; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[arg(help = format!("{}; by default that of the extension of FILE", game_help()), long, value_name = "NAME", value_parser = parse_game)]
    pub(crate) game: Option<&'static GameKind>,
    /// The rules, if the record does not name them
    #[arg(long, value_name = "NAME")]
    pub(crate) rules: Option<String>,
    /// The number of nodes searched for each position
    #[arg(long, value_name = "N", default_value_t = ReviewSettings::DEFAULT_NODES, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// The number of positions searched at the same time; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Write the record with the review to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The evaluation: `default` for the network of the game, `hand`, or a network file
    #[arg(long, value_name = "FILE|hand", default_value = "default")]
    pub(crate) eval: EvaluationArg,
}
