//! The arguments of the command line.

mod ladder;
mod net;
mod puzzles;
mod review;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{ArgGroup, Parser, Subcommand, ValueEnum};
use sandtable::core::Player;
use sandtable::core::learn::Layout;
use sandtable::engine::Level;
use sandtable::search::elo::Sprt;
use sandtable_server::{Network, PublicUrl};

pub(crate) use self::ladder::{Anchor, Ladder};
pub(crate) use self::net::{Net, NetCheck, NetCommand, NetData, NetScale, NetTrain};
pub(crate) use self::puzzles::{Puzzles, PuzzlesCommand, PuzzlesMine, PuzzlesSolve};
pub(crate) use self::review::Review;
use crate::budget::parse_time;
use crate::evaluation::EvaluationArg;
use crate::opponent::Spec;
use crate::positions::{Kind, Positions};

/// Three boards, one core: exact and fast rules, notations and encodings of war games.
#[derive(Parser, Debug)]
#[command(
    name = "sandtable",
    version,
    arg_required_else_help = true,
    after_help = "\
Examples:
  sandtable play chess --level 3
  sandtable analyze chess --time 10s
  sandtable review game.pgn --out reviewed.pgn
  sandtable show chess --svg start.svg
  sandtable moves chess \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"
  sandtable perft chess 5 --divide
  sandtable encode chess --moves \"e2e4 e7e5\" --out after.npy

Exit codes: 0 success; 1 invalid input (a position, a move, an observation); 2 wrong usage or a file error."
)]
pub(crate) struct Args {
    /// Print JSON, one object per line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The choice of colours.
#[derive(clap::Args, Debug)]
pub(crate) struct Color {
    #[arg(
        help = "When to use colours; auto respects NO_COLOR and pipes",
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
    /// Applies the choice to all output.
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
    /// Show the board
    Show(Show),
    /// List the legal moves, or all complete turns
    Moves(Moves),
    /// Count legal move sequences (perft)
    Perft(Perft),
    /// Encode positions as tensors for neural networks
    Encode(Encode),
    /// Decode observations from an .npy file
    Decode(Decode),
    /// Play in the terminal, two players or against the engine
    Play(Play),
    /// Analyze a position with the engine
    #[command(alias = "analyse")]
    Analyze(Analyze),
    /// Judge every turn of a recorded game with the engine
    Review(Review),
    /// Run as a UCI engine
    #[command(after_help = UCI_HELP)]
    Uci,
    /// Play a match between two engines
    Match(Match),
    /// Place the engine levels on one Elo scale
    Ladder(Ladder),
    /// Make evaluation networks: self-play games, training, matches
    Net(Net),
    /// Solve puzzles, positions with one winning turn, or mine new ones
    Puzzles(Puzzles),
    /// Benchmark encoding, perft and search
    Bench(Bench),
    /// Serve the web app: play and analyze in a browser
    Serve(Serve),
    /// Copy the games of a server to a file, while it runs or not
    Backup(Backup),
    /// Replace the games of a server by those of a backup, while it runs or not
    Restore(Restore),
    /// Generate the man pages or the shell completions
    #[command(hide = true)]
    Generate(Generate),
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
    /// Label the cells with their indices in the board model
    #[arg(long)]
    pub(crate) indices: bool,
    /// Write the board to an SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The width of the SVG in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 480, value_parser = clap::value_parser!(u32).range(16..=10_000))]
    pub(crate) width: u32,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
Each line shows a move as programs exchange it, its SAN and its policy index.

Examples:
  sandtable moves chess
  sandtable moves chess --json - < positions.txt")]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) kind: Kind,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// List complete turns, one for each position they can reach
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
    /// The length of the sequences, in moves
    pub(crate) depth: u32,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// Show the count of each first move
    #[arg(long)]
    pub(crate) divide: bool,
    /// The number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
}

#[derive(Parser, Debug)]
#[command(
    group(ArgGroup::new("where").args(["out", "planes"]).required(true).multiple(true)),
    after_help = "\
One position gives an array of the observation's shape, (8, 8, 18) for chess; N positions from standard input give
(N, 8, 8, 18). Load it with numpy.load(\"after.npy\").

Examples:
  sandtable encode chess --planes
  sandtable encode chess --moves \"e2e4 e7e5\" --out after.npy
  sandtable encode chess --layout chw --out all.npy - < positions.txt")]
pub(crate) struct Encode {
    #[command(flatten)]
    pub(crate) kind: Kind,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// Play these moves first; they count for repetition
    #[arg(long, value_name = "MOVES", default_value = "")]
    pub(crate) moves: String,
    /// The layout of the array: hwc is [row][column][plane], chw is [plane][row][column]
    #[arg(long, default_value = "hwc")]
    pub(crate) layout: LayoutArg,
    /// The .npy file to write
    #[arg(long, value_name = "FILE.npy")]
    pub(crate) out: Option<PathBuf>,
    /// Print the planes
    #[arg(long)]
    pub(crate) planes: bool,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
An observation does not contain the side to move: set it with --turn.

Examples:
  sandtable decode chess after.npy --turn second
  sandtable decode chess all.npy --layout chw --row 17")]
pub(crate) struct Decode {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The .npy file to read
    #[arg(value_name = "FILE.npy")]
    pub(crate) file: PathBuf,
    /// The layout of the array
    #[arg(long, default_value = "hwc")]
    pub(crate) layout: LayoutArg,
    /// Decode only this row, counted from 0
    #[arg(long, value_name = "N")]
    pub(crate) row: Option<usize>,
    /// The side to move
    #[arg(long, default_value = "first")]
    pub(crate) turn: TurnArg,
}

#[derive(Parser, Debug)]
#[command(group(ArgGroup::new("opponent").args(["level", "net"])), after_help = "\
Every move is saved at once in $XDG_STATE_HOME/sandtable, so no game is lost if the program is killed; --resume
continues the latest unfinished game. Type `help` while playing.

Examples:
  sandtable play chess
  sandtable play chess --level 3
  sandtable play chess --level 9 --time 5s --side second
  sandtable play tribun --net tribun.onnx --visits 400
  sandtable play chess --resume
  sandtable play chess \"8/8/8/4k3/8/4K3/4P3/8 w - - 0 1\"")]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) kind: Kind,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// Play against the engine: 0 plays random moves, 9 is full strength
    #[arg(long, value_name = "0..9")]
    pub(crate) level: Option<Level>,
    /// Play against a network with a policy, an ONNX file of `python -m sandtable.train export`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["level", "eval"])]
    pub(crate) net: Option<PathBuf>,
    /// The number of visits per move of the network, instead of a time
    #[arg(long, value_name = "N", requires = "net", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) visits: Option<u64>,
    /// The side you play
    #[arg(long, default_value = "first", requires = "opponent")]
    pub(crate) side: TurnArg,
    /// The time per move at full strength or of the network
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_time)]
    pub(crate) time: Duration,
    /// The evaluation of the engine: `default` for the network of the game, `hand`, or an evaluation network of `net train`
    #[arg(long, value_name = "FILE|hand", default_value = "default")]
    pub(crate) eval: EvaluationArg,
    /// Continue the latest unfinished game
    #[arg(long, conflicts_with = "words")]
    pub(crate) resume: bool,
}

const UCI_HELP: &str = "\
Options: Hash, Threads, MultiPV, EvalFile (an evaluation network of `net train`, or `hand`), NetFile (a network with a
policy, an ONNX file: tree search instead of alpha-beta, nodes are visits), Move Overhead, UCI_ShowWDL,
UCI_LimitStrength, UCI_Elo, UCI_Variant (the game), Rules. Extensions: d, eval, go perft N.

Examples:
  sandtable uci
  printf 'position startpos moves e2e4\\ngo depth 8\\n' | sandtable uci
  printf 'setoption name NetFile value chess.onnx\\nposition startpos\\ngo nodes 400\\n' | sandtable uci";

#[derive(Parser, Debug)]
#[command(after_help = "\
Examples:
  sandtable analyze chess
  sandtable analyze chess --time 10s --multipv 3
  sandtable analyze tribun --net tribun.onnx --visits 2000 --multipv 3
  sandtable analyze chess --depth 12 --json \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"")]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) kind: Kind,
    #[command(flatten)]
    pub(crate) positions: Positions,
    /// Search to this depth
    #[arg(long, value_name = "PLIES", conflicts_with = "nodes", value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(crate) depth: Option<u32>,
    /// Search this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: Option<u64>,
    /// Search a tree with a network that has a policy, an ONNX file of `python -m sandtable.train export`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "nodes", "eval"])]
    pub(crate) net: Option<PathBuf>,
    /// With --net, search this many visits
    #[arg(long, value_name = "N", requires = "net", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) visits: Option<u64>,
    /// Search for this time, such as 500ms or 10s
    #[arg(long, value_name = "TIME", default_value = "5s", conflicts_with_all = ["depth", "nodes"], value_parser = parse_time)]
    pub(crate) time: Duration,
    /// The number of lines to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) multipv: u16,
    /// The number of search threads; with --net they evaluate positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,
    /// The size of the transposition table, or the bound of the tree with --net, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    pub(crate) hash: usize,
    /// The evaluation: `default` for the network of the game, `hand`, or an evaluation network of `net train`
    #[arg(long, value_name = "FILE|hand", default_value = "default")]
    pub(crate) eval: EvaluationArg,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
A player is random, level:0 to level:9, depth:N, nodes:N, time:TIME, net:FILE;visits=N or net:FILE;time=TIME for a
network with a policy (an ONNX file, by default 200 visits a move), or uci:COMMAND;Option=value;time=TIME for an external
UCI engine. COMMAND is a program and its arguments, separated by spaces; double quotes keep spaces and
semicolons together. An engine that does not answer is ended: timeout=TIME sets how long to wait for each answer, by
default 10 s to get ready, and the time of a move plus 5 s, or 60 s if its limit is not a time.

Level 9 takes 2 seconds a move, or the time of `level:9;time=TIME`. After a level or limit, `;eval=FILE` uses an
evaluation network from `sandtable net train`, and `;eval=hand` the hand-made evaluation. Openings are balanced positions
after random moves; each is played twice, with colours swapped. A game that reaches --max-plies is a draw. Records are
appended to --out as games end.

Examples:
  sandtable match chess --a level:5 --b level:3 --games 40
  sandtable match chess --a time:100ms --b \"uci:stockfish;UCI_LimitStrength=true;UCI_Elo=1800;time=100ms\" --games 100
  sandtable match tribun --a \"net:tribun.onnx;visits=200\" --b level:3 --games 100
  sandtable match tribun --a time:100ms --b \"uci:./old/sandtable uci;time=100ms\" --games 100
  sandtable match chess --a nodes:20000 --b nodes:10000 --games 1000 --sprt 0,40 --stop-early --out games.pgn")]
pub(crate) struct Match {
    #[command(flatten)]
    pub(crate) kind: Kind,
    /// The first player
    #[arg(long, value_name = "PLAYER")]
    pub(crate) a: NamedSpec,
    /// The second player
    #[arg(long, value_name = "PLAYER")]
    pub(crate) b: NamedSpec,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) games: u32,
    #[command(flatten)]
    pub(crate) series: Series,
    /// The hypotheses of the SPRT: A is stronger by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20", allow_hyphen_values = true)]
    pub(crate) sprt: Sprt,
    /// Stop as soon as the SPRT has a verdict
    #[arg(long)]
    pub(crate) stop_early: bool,
    /// Append the records of the games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// How the games of a match are played.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct Series {
    /// The number of games played in parallel
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,
    /// The number of random moves of an opening
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    pub(crate) plies: u16,
    /// The maximum number of moves after the opening; longer games are draws
    #[arg(long, value_name = "N", default_value_t = 600)]
    pub(crate) max_plies: usize,
    /// The seed of the random openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// A player and the text that specified it.
#[derive(Clone, Debug)]
pub(crate) struct NamedSpec {
    pub(crate) text: String,
    pub(crate) spec: Spec,
}

impl FromStr for NamedSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self { text: text.to_owned(), spec: text.parse()? })
    }
}

#[derive(Parser, Debug)]
#[command(after_help = "\
Each benchmark alternates with its baseline in the same run; the ratio is the median over the rounds. A perft without
another implementation to compare with has no baseline.

Examples:
  sandtable bench
  sandtable bench chess --json")]
pub(crate) struct Bench {
    /// Only this game
    #[arg(value_name = "GAME")]
    pub(crate) game: Option<String>,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
By default the server listens only on this machine, and everyone on it may do everything. As soon as others can reach it
(--listen, --public-url or --trust-proxy), or with --seats, a game has two seats: only the holder of a seat plays its
side, and an invitation link gives the other seat away. There are no accounts: a cookie identifies a guest.

TLS is the task of a reverse proxy: docs/operations.md has examples.

Ctrl-C finishes pending requests and takes at most 5 seconds; a second one stops the server at once (exit code 130).

Examples:
  sandtable serve --open
  sandtable serve --port 9000 --data games
  sandtable serve --store postgres://sandtable:PASSWORD@db.example/sandtable
  sandtable serve --net chess.onnx --net tribun.onnx
  sandtable serve --seats
  sandtable serve --listen 0.0.0.0 --allow-host table.example
  sandtable serve --public-url https://table.example --trust-proxy 127.0.0.1")]
pub(crate) struct Serve {
    /// The port to listen on; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = sandtable_server::Config::DEFAULT_PORT)]
    pub(crate) port: u16,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) listen: IpAddr,
    /// Give every game two seats, as for other people, although only this machine can reach the server
    #[arg(long)]
    pub(crate) seats: bool,
    /// The URL under which browsers reach the server behind a reverse proxy, such as `https://table.example`
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<PublicUrl>,
    /// A proxy whose forwarding headers are believed: an address, or a network such as 10.0.0.0/8; repeatable
    #[arg(long, value_name = "ADDRESS|CIDR")]
    pub(crate) trust_proxy: Vec<Network>,
    /// A host name the server accepts besides localhost, IP addresses and the public URL; repeatable
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// The address and port of Prometheus metrics (`GET /metrics`), such as 127.0.0.1:9464; keep it private
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// How long a player must be gone before the opponent can claim the win
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) abandon_after: u16,
    /// The shortest time between a move and the reply of an engine
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 500, value_parser = clap::value_parser!(u16).range(..=10_000))]
    pub(crate) reply_delay: u16,
    /// The longest analysis of a position, and the longest review of a game
    #[arg(long, value_name = "TIME", default_value = "120s", value_parser = parse_time)]
    pub(crate) analysis_time: Duration,
    /// The number of threads of an engine opponent at level 9
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) engine_threads: u16,
    /// Offer a network with a policy for analyses, an ONNX file of `python -m sandtable.train export`; one for each game
    #[arg(long, value_name = "FILE")]
    pub(crate) net: Vec<PathBuf>,
    /// The data directory; by default beside the games of `play`
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    // Text and not a URL: an error of the parser would repeat the password.
    #[arg(
        help = "A PostgreSQL database for the games instead of the data directory, which several servers may share; also \
                the environment variable SANDTABLE_STORE, which keeps the password out of the list of processes",
        long,
        value_name = "URL"
    )]
    pub(crate) store: Option<String>,
    /// Open the page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The log level: error, warn, info, debug, or a filter such as `info,sandtable_server::request_log=debug`
    #[arg(long, value_name = "FILTER", default_value = "info")]
    pub(crate) log: String,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
The copy is one state of all games, however long it takes; the server goes on meanwhile. The file appears complete and
checked, or not at all.

Examples:
  sandtable backup monday.sqlite
  sandtable backup --force latest.sqlite --data games
  sandtable --json backup monday.sqlite")]
pub(crate) struct Backup {
    /// The file to write
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The data directory of the server; by default that of `serve`
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Parser, Debug)]
#[command(after_help = "\
The backup is checked first. A running server replaces its games within seconds, and its pages load them again. All
changes since the backup are gone from the server; the replaced database stays in the data directory as
games.sqlite.before-restore.

Examples:
  sandtable restore monday.sqlite
  sandtable restore monday.sqlite --data games")]
pub(crate) struct Restore {
    /// A file that `backup` wrote
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The data directory of the server; by default that of `serve`
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Parser, Debug)]
pub(crate) struct Generate {
    /// What to generate
    pub(crate) what: GenerateArg,
    /// The directory to write to; created if missing
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

/// What `generate` writes.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum GenerateArg {
    /// A man page for the program and one for each command
    Man,
    /// Completions for bash, elvish, fish, PowerShell and zsh
    Completions,
}

/// The layout of an array.
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

/// A side: the first or the second player.
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
