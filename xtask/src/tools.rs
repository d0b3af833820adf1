//! Running programs, and installing those that are missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// What went wrong, in words.
pub(crate) type Result<T = ()> = std::result::Result<T, String>;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace").to_owned()
}

/// Where everything that is built goes.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// `cargo` with the toolchain that runs this program.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// `cargo` as rustup's proxy, which takes a `+toolchain`.
pub(crate) fn cargo_proxy(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    // The proxy must choose the toolchain by its argument, not by what this program was started with.
    command.args(args).current_dir(root()).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command
}

/// Runs a step and says how long it took.
pub(crate) fn step(name: &str, command: &mut Command) -> Result {
    println!("\n── {name}");
    let start = Instant::now();
    let status = command.status().map_err(|e| format!("{name}: cannot start {command:?}: {e}"))?;
    if !status.success() {
        return Err(format!("{name} failed: {command:?}"));
    }
    println!("── {name}: done in {:.1} s", start.elapsed().as_secs_f32());
    Ok(())
}

/// Does the command succeed? Its output is not shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Makes sure that a cargo subcommand is there, installing it if it is missing. Says whether it is there now.
pub(crate) fn ensure(subcommand: &str) -> bool {
    has(subcommand) || {
        let package = format!("cargo-{subcommand}");
        println!("\n── {package} is missing: installing it");
        let installed =
            cargo(&["install", "--locked", &package]).status().is_ok_and(|status| status.success());
        installed && has(subcommand)
    }
}

/// Is a cargo subcommand there?
pub(crate) fn has(subcommand: &str) -> bool {
    succeeds(&mut cargo(&[subcommand, "--version"]))
}
