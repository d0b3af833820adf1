//! The web page: built, checked, and tested in a browser.

use std::process::Command;

use crate::debian;
use crate::report::Report;
use crate::tools::{Result, built, root, succeeds};

/// The program of npm.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// The programs of the browsers that the tests can drive.
const BROWSERS: [&str; 2] = ["chromium", "google-chrome"];

/// Debian's browser, and fonts, which the browser's package only recommends.
const DEBIAN_PACKAGES: [&str; 2] = ["chromium", "fonts-liberation"];

/// Installs the dependencies of the page from its lock file.
pub(crate) fn install(report: &mut Report) -> Result {
    report.step("page: dependencies", &mut npm(&["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
}

/// Installs the dependencies of the page, and builds it.
pub(crate) fn build(report: &mut Report) -> Result {
    install(report)?;
    report.step("page: build", &mut npm(&["run", "--silent", "build"]))
}

/// Checks the page after [`build`], then tests it in a browser with the debug build of `sandtable`: everything, or a selection.
pub(crate) fn test(report: &mut Report, everything: bool) -> Result {
    report.step("page: types and format", &mut npm(&["run", "--silent", "check"]))?;
    report.step("page: lint", &mut npm(&["run", "--silent", "lint"]))?;
    report.step("page: unit tests", &mut npm(&["run", "--silent", "test"]))?;
    report.step("page: size", &mut npm(&["run", "--silent", "weight"]))?;
    if !install_browser(report) {
        report.skip("page: in a browser", "Chromium is not installed");
        return Ok(());
    }
    report.step("page: in a browser", browser_tests(everything).env("SANDTABLE", built("debug", "sandtable")))
}

/// The tests in a browser: everything, or a selection.
pub(crate) fn browser_tests(everything: bool) -> Command {
    let mut tests = npm(&["run", "--silent", "e2e"]);
    tests.env("SANDTABLE_E2E", if everything { "all" } else { "selection" });
    tests
}

/// Builds the board element into the npm package. The dependencies of the page must be installed.
pub(crate) fn element(report: &mut Report) -> Result {
    report.step("board element: build", &mut npm(&["run", "--silent", "build:element"]))
}

/// Returns whether npm, and so Node.js, is installed.
pub(crate) fn has_npm() -> bool {
    succeeds(Command::new(NPM).arg("--version"))
}

/// `npm` in the folder of the page.
pub(crate) fn npm(args: &[&str]) -> Command {
    let mut command = Command::new(NPM);
    command.args(args).current_dir(root().join("web"));
    command
}

/// Installs Debian's Chromium unless a browser is installed. Returns whether one is installed now.
pub(crate) fn install_browser(report: &mut Report) -> bool {
    if !has_browser() && debian::can_install() {
        let _ = report.check("install Chromium", || debian::install(&DEBIAN_PACKAGES));
    }
    has_browser()
}

fn has_browser() -> bool {
    BROWSERS.iter().any(|name| succeeds(Command::new(name).arg("--version")))
}
