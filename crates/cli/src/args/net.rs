//! The arguments of `net`.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use sandtable::search::elo::Sprt;

use super::Series;
use crate::evaluation::EvaluationArg;
use crate::positions::Kind;

#[derive(Parser, Debug)]
#[command(after_help = "\
Examples:
  sandtable net data tribun games/tribun --games 20000 --threads 2
  sandtable net train tribun games/tribun --out tribun.net
  sandtable net check tribun --net tribun.net --jobs 2")]
pub(crate) struct Net {
    #[command(subcommand)]
    pub(crate) command: NetCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum NetCommand {
    /// Play games of the engine against itself, to train on
    Data(NetData),
    /// Train a network on self-play games
    Train(NetTrain),
    /// Fit the curve from scores to expected scores to self-play games
    Scale(NetScale),
    /// Test whether a network is stronger than the current one
    Check(NetCheck),
}

#[derive(Parser, Debug)]
#[command(after_help = "\
The folder holds eight files to which whole games are appended. Run the same command again to continue after an
interruption, or with more --games to add some: a game that was cut off is played again, and no game twice. Other
settings, another evaluation or another version of the engine need another folder.

Examples:
  sandtable net data tribun games/tribun --games 20000 --threads 2
  sandtable net data chess games/chess --rules claims --nodes 2000")]
pub(crate) struct NetData {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The folder of the games; created if missing
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The number of games in the folder when the command ends
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,
    /// The number of nodes searched for each move
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// The smallest number of random moves of an opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(crate) plies: u16,
    /// An opening has up to this many more random moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(crate) spread: u16,
    /// The share of random moves after the opening, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=50))]
    pub(crate) random_moves: u8,
    /// The largest score of either side after the opening, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 150, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) balance: u16,
    /// The maximum number of moves after the opening; longer games are draws
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) max_plies: u16,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of games played in parallel, at most 8
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=8))]
    pub(crate) threads: u16,
    /// The evaluation of the engine: `default` for the network of the game, `hand`, or a network file
    #[arg(long, value_name = "FILE|hand", default_value = "default")]
    pub(crate) eval: EvaluationArg,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
One game in twenty is kept for validation. After each epoch the state goes to FILE.checkpoint and the learning curve to
FILE.svg; the same command continues after an interruption. The network is written when all epochs are done.

Examples:
  sandtable net train tribun games/tribun --out tribun.net
  sandtable net train chess games/first games/second --out chess.net --hidden 128 --epochs 40")]
pub(crate) struct NetTrain {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The folders of the games, from `net data`
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// The network to write
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// The number of hidden neurons for each player: a multiple of 16
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = parse_hidden)]
    pub(crate) hidden: usize,
    /// How often all positions are trained on
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) epochs: u32,
    /// The learning rate at the beginning; it falls to a hundredth
    #[arg(long, value_name = "RATE", default_value_t = 0.001)]
    pub(crate) rate: f32,
    /// The number of positions between two steps
    #[arg(long, value_name = "N", default_value_t = 8192, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batch: u32,
    /// The weight decay
    #[arg(long, value_name = "DECAY", default_value_t = 0.01)]
    pub(crate) decay: f32,
    /// Train a network that corrects the hand-made evaluation instead of replacing it
    #[arg(long)]
    pub(crate) correct: bool,
    /// The score, in centipawns, at which the expected result is e to 1; by default the one that fits the results best
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(10..=10_000))]
    pub(crate) scale: Option<u16>,
    /// The share of a game's result in the expected result of a position; the rest is the score of the search
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = parse_share)]
    pub(crate) result_share: f32,
    /// The seed of the first weights and of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
The expected score of a position with score s is 1 / (1 + e^(-s / scale)). The scale is the one that predicts the results
of the games best, a draw as half a win, to the nearest 10 centipawns. Games that were cut off do not count.

Examples:
  sandtable net scale tribun games/tribun")]
pub(crate) struct NetScale {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The folders of the games, from `net data`
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
A match that ends as soon as the SPRT has a verdict; --sprt has the two hypotheses. The network file replaces the current
one in crates/engine/nets if it is accepted.

Exit codes: 0 accepted; 1 rejected, or no verdict after --games; 2 wrong usage or a file error; 130 interrupted.

Examples:
  sandtable net check tribun --net tribun.net --jobs 2
  sandtable net check chess --net chess.net --against hand --budget time:100ms --sprt 0,20")]
pub(crate) struct NetCheck {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The network file to test
    #[arg(long, value_name = "FILE")]
    pub(crate) net: String,
    /// The evaluation to test against: `default` for the network of the game, `hand`, or a network file
    #[arg(long, value_name = "FILE|hand", default_value = "default")]
    pub(crate) against: String,
    /// The limit of each move: nodes:N, depth:N or time:TIME
    #[arg(long, value_name = "LIMIT", default_value = "nodes:20000")]
    pub(crate) budget: String,
    /// The hypotheses of the SPRT: the network is stronger by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10", allow_hyphen_values = true)]
    pub(crate) sprt: Sprt,
    /// The maximum number of games
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) games: u32,
    #[command(flatten)]
    pub(crate) series: Series,
    /// Append the records of the games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

fn parse_hidden(text: &str) -> Result<usize, String> {
    let hidden = text.parse().map_err(|_| "expected a number")?;
    let valid = (16..=128).contains(&hidden) && hidden % 16 == 0;
    if valid { Ok(hidden) } else { Err("expected a multiple of 16 from 16 to 128".to_owned()) }
}

fn parse_share(text: &str) -> Result<f32, String> {
    let share: f32 = text.parse().map_err(|_| "expected a number")?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err("expected a number from 0 to 1".to_owned()) }
}
