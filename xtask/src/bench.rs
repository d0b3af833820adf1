//! `cargo xtask bench`.

use std::process::Command;

use crate::report::Report;
use crate::tools::{Result, cargo, locked_version, succeeds};

pub(crate) fn run(report: &mut Report) -> Result {
    report.step("times", &mut cargo(&["bench", "--workspace", "--locked", "--bench", "time"]))?;
    if !succeeds(Command::new("valgrind").arg("--version")) {
        report.skip("instruction counts", "valgrind is not installed");
        return Ok(());
    }
    install_runner(report)?;
    let mut count = cargo(&["bench", "--workspace", "--locked", "--bench", "instructions"]);
    report.step("instruction counts", &mut count)
}

/// Installs the runner that counts instructions. The library requires a runner of its own version.
fn install_runner(report: &mut Report) -> Result {
    let version = locked_version("gungraun")?;
    let runner = Command::new("gungraun-runner").arg("--version").output();
    if runner.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(&version)) {
        return Ok(());
    }
    let install = ["install", "--locked", "gungraun-runner", "--version", &version];
    report.step("install gungraun-runner", &mut cargo(&install))
}
