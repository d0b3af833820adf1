//! `cargo xtask run`: the page from its lock file, the server in release mode, and a browser.

use std::process::Command;

use crate::tools::{Result, cargo, root, step, succeeds};

/// Everything behind `run` goes to `sandtable serve`.
pub(crate) fn run(args: &[&str]) -> Result {
    build_page()?;
    let serve = ["run", "--release", "--locked", "--package", "sandtable-cli", "--", "serve", "--open"];
    let mut serve = cargo(&serve);
    step("server", serve.args(args))
}

/// Builds the page that the server carries.
fn build_page() -> Result {
    let web = root().join("web");
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    if !succeeds(Command::new(npm).arg("--version")) {
        return Err("the page is built with npm, which comes with Node.js: install it first".to_owned());
    }
    let quiet = ["ci", "--no-audit", "--no-fund"];
    step("what the page is built with", Command::new(npm).args(quiet).current_dir(&web))?;
    step("page", Command::new(npm).args(["run", "build"]).current_dir(&web))
}
