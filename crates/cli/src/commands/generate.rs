//! `generate`: man pages and shell completions, from the definition of the command line.

use std::fs;
use std::path::PathBuf;

use clap::{CommandFactory as _, ValueEnum as _};
use clap_complete::Shell;
use serde_json::json;

use crate::args::{Args, Generate, GenerateArg};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Generate, out: &mut Output) -> Result<(), Failure> {
    let directory = &args.directory;
    let fail = |e| Failure::file("write", directory, &e);
    fs::create_dir_all(directory).map_err(fail)?;
    let written: Vec<PathBuf> = match args.what {
        GenerateArg::Man => {
            clap_mangen::generate_to(Args::command(), directory).map_err(fail)?;
            let entries = fs::read_dir(directory).map_err(fail)?;
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(fail)?
        }
        GenerateArg::Completions => Shell::value_variants()
            .iter()
            .map(|&shell| clap_complete::generate_to(shell, &mut Args::command(), "sandtable", directory))
            .collect::<Result<_, _>>()
            .map_err(fail)?,
    };
    if out.json {
        return out.object(&json!({ "written": written }));
    }
    let lines: Vec<_> = written.iter().map(|path| format!("{}\n", path.display())).collect();
    out.text(lines.concat())
}
