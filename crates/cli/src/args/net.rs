//! The arguments of `net`.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::positions::Kind;

#[derive(Parser, Debug)]
#[command(after_help = "\
Examples:
  sandtable net data tribun games/tribun --games 20000 --threads 2
  sandtable net train tribun games/tribun --out tribun.net
  sandtable match tribun --a \"time:100ms;eval=tribun.net\" --b time:100ms --games 400 --stop-early")]
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
}

#[derive(Parser, Debug)]
#[command(after_help = "\
The folder holds eight files to which whole games are appended. Run the same command again to continue after an
interruption, or with more --games to add some: a game that was cut off is played again, and no game twice. Other
settings need another folder.

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
    /// The number of random moves of an opening; every other game has one more
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(crate) plies: u16,
    /// The maximum number of moves after the opening; longer games are draws
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) max_plies: u16,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of games played in parallel, at most 8
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=8))]
    pub(crate) threads: u16,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
One game in twenty is kept for validation. After each epoch the state goes to FILE.checkpoint and the learning curve to
FILE.svg; the same command continues after an interruption. The network is written when all epochs are done.

Examples:
  sandtable net train tribun games/tribun --out tribun.net
  sandtable net train chess games/chess --out chess.net --hidden 128 --epochs 40")]
pub(crate) struct NetTrain {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The folder of the games, from `net data`
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
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
    /// The share of a game's result in the expected result of a position; the rest is the score of the search
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = parse_share)]
    pub(crate) result_share: f32,
    /// The seed of the first weights and of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
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
