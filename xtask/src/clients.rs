//! Other people's programs that talk to ours: python-chess as a UCI client.

use crate::python::Environment;
use crate::tools::{Result, cargo, root, step, target};

pub(crate) fn run(environment: &Environment) -> Result {
    step("engine", &mut cargo(&["build", "--locked", "--package", "sandtable-cli"]))?;
    let script = root().join("crates/cli/tests/uci_client.py");
    step("UCI client", environment.python(&[]).arg(script).arg(target().join("debug").join("sandtable")))
}
