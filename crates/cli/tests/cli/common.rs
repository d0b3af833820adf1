//! What the tests of the command line share.

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;

/// `sandtable` with a state folder of its own, so that a test never meets a game of the user's.
pub(crate) fn sandtable(state: &tempfile::TempDir, args: &[&str]) -> Command {
    let mut command = cargo_bin_cmd!("sandtable");
    command.args(args).env("XDG_STATE_HOME", state.path()).env_remove("NO_COLOR").current_dir(state.path());
    command
}

/// What a finished run said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// The answers of a run with `--json`, one a line.
    pub(crate) fn objects(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).expect("every line is one JSON object"))
            .collect()
    }
}

/// Runs `sandtable` in a folder with some input.
pub(crate) fn run_in(state: &tempfile::TempDir, args: &[&str], input: &str) -> Said {
    let output = sandtable(state, args).write_stdin(input).output().expect("sandtable starts");
    let text = |bytes| String::from_utf8(bytes).expect("sandtable writes UTF-8");
    let code = output.status.code().expect("sandtable is not killed");
    Said { code, out: text(output.stdout), err: text(output.stderr) }
}

/// Runs `sandtable` with some input.
pub(crate) fn run_with(args: &[&str], input: &str) -> Said {
    run_in(&tempfile::tempdir().expect("a temporary folder"), args, input)
}

/// Runs `sandtable`.
pub(crate) fn run(args: &[&str]) -> Said {
    run_with(args, "")
}
