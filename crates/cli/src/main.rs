//! The `sandtable` command line: parse, resolve, run.

mod arena;
mod args;
mod budget;
mod commands;
mod evaluation;
mod failure;
mod input;
mod opponent;
mod output;
mod policy;
mod positions;
mod rating;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};
use crate::output::Output;

fn main() -> ExitCode {
    let args = Args::parse();
    args.color.write_global();
    let mut out = Output::new(args.json);
    let result = match &args.command {
        Command::Show(show) => commands::show::run(show, &mut out),
        Command::Moves(moves) => commands::moves::run(moves, &mut out),
        Command::Perft(perft) => commands::perft::run(perft, &mut out),
        Command::Encode(encode) => commands::encode::run(encode, &mut out),
        Command::Decode(decode) => commands::decode::run(decode, &mut out),
        Command::Play(play) => commands::play::run(play, &mut out),
        Command::Analyze(analyze) => commands::analyze::run(analyze, &mut out),
        Command::Review(review) => commands::review::run(review, &mut out),
        Command::Uci => commands::uci::run(&mut out),
        Command::Match(args) => commands::tournament::run(args, &mut out),
        Command::Ladder(args) => commands::ladder::run(args, &mut out),
        Command::Net(net) => commands::net::run(net, &mut out),
        Command::Puzzles(puzzles) => commands::puzzles::run(puzzles, &mut out),
        Command::Bench(bench) => commands::bench::run(bench, &mut out),
        Command::Serve(serve) => commands::serve::run(serve, &mut out),
        Command::Backup(backup) => commands::archive::backup(backup, &mut out),
        Command::Restore(restore) => commands::archive::restore(restore, &mut out),
        Command::Generate(generate) => commands::generate::run(generate, &mut out),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&mut out),
    }
}
