//! Other people's programs that talk to ours: python-chess as a UCI client, in a Python environment of its own.

use std::path::PathBuf;
use std::process::Command;

use crate::tools::{Result, cargo, root, step, succeeds};

/// The version of python-chess that the conversation is held with.
const PYTHON_CHESS: &str = "chess==1.11.2";

pub(crate) fn run() -> Result {
    if !succeeds(Command::new("python3").arg("--version")) {
        println!("\n── UCI client: SKIPPED, there is no python3");
        return Ok(());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let venv = target.join("uci-client");
    let python = venv.join("bin").join("python");
    if !succeeds(Command::new(&python).args(["-c", "import chess.engine"])) {
        step("Python environment", Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        step("python-chess", Command::new(&python).args(["-m", "pip", "install", "--quiet", PYTHON_CHESS]))?;
    }
    step("engine", &mut cargo(&["build", "--locked", "--package", "sandtable-cli"]))?;
    let script = root().join("crates/cli/tests/uci_client.py");
    step("UCI client", Command::new(&python).arg(script).arg(target.join("debug").join("sandtable")))
}
