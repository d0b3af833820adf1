//! `cargo xtask`: the build, test and release commands of Sandtable.

mod background;
mod bench;
mod debian;
mod dist;
mod fuzz;
mod mutants;
mod npm;
mod postgres;
mod python;
mod report;
mod run;
mod site;
mod test;
mod tidy;
mod tools;
mod uci_client;
mod wasm;
mod web;

use std::process::ExitCode;

use crate::report::Report;

const HELP: &str = "\
cargo xtask COMMAND

  run           build the page and the server, start it on this machine and open it;
                takes the options of `sandtable serve`
  site          build the page that needs no server, as static files in web/dist-site
  test          format, lints, tidiness, tests, doctests, docs, the Python package,
                the page in a browser, with and without a server, the npm package, licences;
                lists the steps that it skips because a program is not installed
    --deep      also the slow tests: deep perft, games against Stockfish, fuzzing, mutation
                testing; installs the cargo tools that it needs
    --strict    fail if anything was skipped
  npm           build, test and pack the npm package in target/npm: all WebAssembly modules
  wasm          build the WebAssembly module of all games in target/wasm/all
  prepare       install PostgreSQL and Chromium and build WebAssembly, which `test` does in the background
  python        build, check and test the Python package in its own environment
  wheel         build the sdist and the wheel in target/wheels, and install the wheel
                into an empty environment
  dist          build and check what a release publishes, in target/dist: crates, sdist
                and wheel, and an archive of the program
  fuzz TARGET [SECONDS]
                run one fuzz target (needs nightly and cargo-fuzz); 60 seconds by default
  bench         benchmarks: times (criterion) and instruction counts (gungraun)
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut report = Report::new();
    let done = match args[..] {
        ["run", ref options @ ..] => run::run(&mut report, options),
        ["test", ref options @ ..] => match test::Options::parse(options) {
            Ok(options) => test::run(&mut report, options),
            Err(option) => {
                eprintln!("unknown option `{option}` of test: expected --deep or --strict");
                return ExitCode::from(2);
            }
        },
        ["site"] => site::run(&mut report),
        ["npm"] => npm::run(&mut report),
        [background::COMMAND] => background::run(&mut report),
        ["wasm"] => wasm::build(&mut report, wasm::Profile::Release).map(drop),
        ["python"] => python::run(&mut report),
        ["wheel"] => python::wheel(&mut report).map(drop),
        ["dist"] => dist::run(&mut report),
        ["fuzz", target] => fuzz::run(&mut report, target, "60"),
        ["fuzz", target, seconds] => fuzz::run(&mut report, target, seconds),
        ["bench"] => bench::run(&mut report),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    print!("\n{}", report.table());
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error}");
            ExitCode::FAILURE
        }
    }
}
