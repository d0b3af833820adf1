//! `cargo xtask bench`.

use crate::tools::{Result, cargo, root, step, succeeds};

pub(crate) fn run() -> Result {
    step("times", &mut cargo(&["bench", "--workspace", "--locked", "--bench", "time"]))?;
    let mut valgrind = std::process::Command::new("valgrind");
    if !succeeds(valgrind.arg("--version")) {
        println!("\n── instructions: SKIPPED, valgrind is not installed");
        return Ok(());
    }
    install_runner()?;
    step("instructions", &mut cargo(&["bench", "--workspace", "--locked", "--bench", "instructions"]))
}

/// The runner of the instruction counts must have the very version of the library.
fn install_runner() -> Result {
    let lock = std::fs::read_to_string(root().join("Cargo.lock"))
        .map_err(|e| format!("cannot read Cargo.lock: {e}"))?;
    let version = lock
        .split("[[package]]")
        .find(|package| package.contains("name = \"gungraun\""))
        .and_then(|package| package.split("version = \"").nth(1)?.split('"').next())
        .ok_or("gungraun is not in Cargo.lock")?;
    let runner = std::process::Command::new("gungraun-runner").arg("--version").output();
    if runner.is_ok_and(|answer| String::from_utf8_lossy(&answer.stdout).contains(version)) {
        return Ok(());
    }
    step("gungraun-runner", &mut cargo(&["install", "--locked", "gungraun-runner", "--version", version]))
}
