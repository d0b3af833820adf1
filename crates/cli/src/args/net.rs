//! The arguments of `net`.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::positions::Kind;

#[derive(Parser, Debug)]
#[command(after_help = "\
Examples:
  sandtable net data tribun games/tribun --games 20000 --threads 2
  sandtable net train tribun games/tribun --out tribun.net
  sandtable net check tribun tribun.net")]
pub(crate) struct Net {
    #[command(subcommand)]
    pub(crate) command: NetCommand,
}

#[derive(Subcommand, Debug)]
pub(crate) enum NetCommand {
    /// Play games of the engine against itself, to train on
    Data(NetData),
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
