//! `cargo xtask`: everything that a person or CI runs on Sandtable.

mod bench;
mod clients;
mod python;
mod run;
mod test;
mod tidy;
mod tools;
mod web;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  run           build the page and the server, start it on this machine and open it; takes the options of
                `sandtable serve`
  test          format, lints, tidiness, tests, doctests, docs, the Python package, the page in a browser, licences,
                a little fuzzing
  test --deep   the same, with the tools it needs installed, and the slow rest: deep perft, long fuzzing
  python        the Python package alone: built, checked and tested in an environment of its own
  wheel         the Python package as an sdist and a wheel in target/wheels, proved to install in an empty environment
  bench         benchmarks: times (criterion) and instruction counts (gungraun)
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["run", ref options @ ..] => run::run(options),
        ["test"] => test::run(test::Depth::Everyday),
        ["test", "--deep"] => test::run(test::Depth::Deep),
        ["python"] => python::run(),
        ["wheel"] => python::wheel(),
        ["bench"] => bench::run(),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}
