//! The npm package: built, checked, tested and packed.

use std::process::Command;

use crate::report::Report;
use crate::tools::{Result, built, cargo, only_file, recreate, root, succeeds, target};
use crate::wasm::{self, Module, Profile, Toolchain};
use crate::web::{self, NPM, has_npm, install_browser};

/// `cargo xtask npm`: builds all modules and the package, tests it and packs it into `target/npm`.
pub(crate) fn run(report: &mut Report) -> Result {
    if !has_npm() {
        return Err("npm builds the package and was not found: install Node.js".to_owned());
    }
    let toolchain = Toolchain::new(report).ok_or(wasm::MISSING)?;
    dependencies(report)?;
    for module in Module::EACH {
        toolchain.build(report, module, Profile::Release)?;
    }
    // The page comes first: the board element has the same dependencies, and the server embeds the page.
    web::build(report)?;
    build(report)?;
    report.step("npm package: size", &mut npm(&["run", "--silent", "weight"]))?;
    report.step("server for the tests", &mut cargo(&["build", "--locked", "--package", "sandtable-cli"]))?;
    tests(report, true)?;
    let folder = target().join("npm");
    recreate(&folder)?;
    report.step("npm package: pack", npm(&["pack", "--silent", "--pack-destination"]).arg(&folder))?;
    println!("\n{}", only_file(&folder, "tgz")?.display());
    Ok(())
}

/// Tests the package with the module of all games, which must be built. The dependencies of the page must be installed.
pub(crate) fn test(report: &mut Report, deep: bool) -> Result {
    dependencies(report)?;
    build(report)?;
    tests(report, deep)
}

fn dependencies(report: &mut Report) -> Result {
    report.step("npm package: dependencies", &mut npm(&["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
}

fn build(report: &mut Report) -> Result {
    report.step("npm package: build", &mut npm(&["run", "--silent", "build"]))?;
    web::element(report)
}

/// Checks and tests the built package with the debug build of `sandtable`.
fn tests(report: &mut Report, deep: bool) -> Result {
    report.step("npm package: types and format", &mut npm(&["run", "--silent", "check"]))?;
    if !install_browser(report) {
        report.skip("npm package: in a browser", "Chromium is not installed");
    }
    let mut tests = npm(&["test", "--silent"]);
    tests.env("SANDTABLE", built("debug", "sandtable"));
    if deep {
        tests.env("SANDTABLE_DEEP", "1");
    }
    report.step("npm package: tests", &mut tests)?;
    if !succeeds(Command::new("deno").arg("--version")) {
        report.skip("npm package: in Deno", "Deno is not installed");
    }
    Ok(())
}

fn npm(args: &[&str]) -> Command {
    let mut command = Command::new(NPM);
    command.args(args).current_dir(root().join("npm"));
    command
}
