//! Other people's programs that talk to ours: python-chess as a UCI client.

use std::path::PathBuf;

use crate::python::Environment;
use crate::tools::{Result, cargo, root, step, target};

pub(crate) fn run(environment: &Environment) -> Result {
    let program = program()?;
    let script = root().join("crates/cli/tests/uci_client.py");
    step("UCI client", environment.python(&[]).arg(script).arg(program))
}

/// The program `sandtable`, as the tests build it: after them, nothing is left to do.
pub(crate) fn program() -> Result<PathBuf> {
    step("program", &mut cargo(&["test", "--no-run", "--locked", "--workspace", "--test", "cli"]))?;
    Ok(target().join("debug").join("sandtable"))
}
