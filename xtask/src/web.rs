//! The page: built, checked, and played in a real browser.

use std::process::Command;

use crate::clients::program;
use crate::tools::{Result, root, step, succeeds};

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// The browsers that the tests know, by the names of their programs.
const BROWSERS: [&str; 2] = ["chromium", "google-chrome"];

/// Installs what the page is made with, from its lock file, and builds it.
pub(crate) fn build() -> Result {
    step("page: dependencies", &mut npm(&["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    step("page: build", &mut npm(&["run", "--silent", "build"]))
}

pub(crate) fn test() -> Result {
    if !has_npm() {
        println!("\n── page: SKIPPED, there is no Node.js: not built, not checked, not played");
        return Ok(());
    }
    build()?;
    step("page: types and format", &mut npm(&["run", "--silent", "check"]))?;
    step("page: logic", &mut npm(&["run", "--silent", "test"]))?;
    step("page: weight", &mut npm(&["run", "--silent", "weight"]))?;
    if !ensure_browser() {
        println!("\n── page: in a browser: SKIPPED, Chromium is missing and cannot be installed here");
        return Ok(());
    }
    step("page: in a browser", npm(&["run", "--silent", "e2e"]).env("SANDTABLE", program()?))
}

/// Is Node.js there, with its package manager?
pub(crate) fn has_npm() -> bool {
    succeeds(Command::new(NPM).arg("--version"))
}

fn npm(args: &[&str]) -> Command {
    let mut command = Command::new(NPM);
    command.args(args).current_dir(root().join("web"));
    command
}

/// Makes sure that a browser is there, installing Debian's if it is missing. Says whether one is there now.
fn ensure_browser() -> bool {
    let there = || BROWSERS.iter().any(|name| succeeds(Command::new(name).arg("--version")));
    there() || {
        println!("\n── Chromium is missing: installing it");
        let apt = |args: &[&str]| {
            succeeds(Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive"))
        };
        // Without lists of packages there is none to be found; with old ones there may be.
        let _ = apt(&["update"]);
        apt(&["install", "--yes", "chromium"]) && there()
    }
}
