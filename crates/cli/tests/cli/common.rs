//! Helpers to run the command line.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// A `sandtable` command with its own working and state directory, apart from the user's.
pub(crate) fn sandtable(directory: &tempfile::TempDir, args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("sandtable");
    command
        .args(args)
        .env("XDG_STATE_HOME", directory.path())
        .env_remove("NO_COLOR")
        .current_dir(directory.path());
    command
}

/// The exit code and output of a run.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Finished {
    /// Parses the output of a run with `--json`, one object per line.
    pub(crate) fn objects(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).expect("every line is a JSON object"))
            .collect()
    }
}

/// Runs `sandtable` in a directory with standard input.
pub(crate) fn run_in(directory: &tempfile::TempDir, args: &[&str], input: &str) -> Finished {
    let output = sandtable(directory, args).write_stdin(input).output().expect("sandtable starts");
    let text = |bytes| String::from_utf8(bytes).expect("sandtable writes UTF-8");
    let code = output.status.code().expect("no signal");
    Finished { code, out: text(output.stdout), err: text(output.stderr) }
}

/// Runs `sandtable` with standard input.
pub(crate) fn run_with(args: &[&str], input: &str) -> Finished {
    run_in(&tempfile::tempdir().expect("a temporary directory"), args, input)
}

/// Runs `sandtable`.
pub(crate) fn run(args: &[&str]) -> Finished {
    run_with(args, "")
}
