//! `cargo xtask test`.

use std::process::Command;

use crate::background::Background;
use crate::python::{self, Environment};
use crate::report::Report;
use crate::tools::{Result, cargo, has, install};
use crate::wasm::{self, Module, Profile, Toolchain};
use crate::{fuzz, mutants, npm, postgres, site, tidy, uci_client, web};

/// How much to test.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Options {
    /// Run the slow tests too, and install the tools that they need.
    pub(crate) deep: bool,
    /// Fail if a step was skipped.
    pub(crate) strict: bool,
}

impl Options {
    /// Parses the options of the command, or returns the first unknown one.
    pub(crate) fn parse<'a>(args: &[&'a str]) -> std::result::Result<Self, &'a str> {
        let mut options = Self::default();
        for &arg in args {
            match arg {
                "--deep" => options.deep = true,
                "--strict" => options.strict = true,
                _ => return Err(arg),
            }
        }
        Ok(options)
    }
}

pub(crate) fn run(report: &mut Report, options: Options) -> Result {
    everything(report, options.deep)?;
    match report.skipped() {
        0 => println!("\nEverything passed."),
        skipped if options.strict => return Err(format!("--strict: {skipped} skipped")),
        skipped => println!("\nEverything that ran passed; {skipped} skipped."),
    }
    Ok(())
}

fn everything(report: &mut Report, deep: bool) -> Result {
    report.step("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    report.check("tidiness", tidy::run)?;
    // Build the page first: the server embeds it and would otherwise be compiled twice.
    let npm = web::has_npm();
    let background = if npm { Some(Background::start()?) } else { None };
    if npm {
        web::build(report)?;
    }
    report.step(
        "lints",
        &mut cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--all-features",
            "--locked",
            "--",
            "-D",
            "warnings",
        ]),
    )?;
    report.step("tests: build", tests().arg("--no-run"))?;
    if !postgres::install(report)? {
        report.skip("games in PostgreSQL", postgres::MISSING);
    }
    report.step("tests", &mut tests())?;
    report.step("doctests", &mut cargo(&["test", "--workspace", "--doc", "--all-features", "--locked"]))?;
    // With `--examples`, dependencies have the same features as in the lint step and are not checked again.
    let mut docs =
        cargo(&["doc", "--workspace", "--no-deps", "--lib", "--examples", "--all-features", "--locked"]);
    report.step("docs", docs.env("RUSTDOCFLAGS", "-D warnings"))?;
    match Environment::new(report)? {
        Some(environment) => {
            uci_client::test(report, &environment, deep)?;
            python::test(report, &environment, deep)?;
        }
        None => report.skip("Python package, UCI client", python::MISSING),
    }
    if let Some(background) = background {
        background.wait(report)?;
    }
    if npm {
        // The package comes before the page, whose tests of the board element use the package.
        let core = if let Some(toolchain) = Toolchain::new(report) {
            toolchain.build(report, Module::WithToyGame, Profile::Test)?;
            npm::test(report, deep)?;
            Some(toolchain.build(report, Module::All, Profile::Test)?)
        } else {
            report.skip("npm package, static page", wasm::MISSING);
            None
        };
        // With the games of a release: the page promises what fits on a screen, and the toy game would change that.
        report
            .step("server for the page", &mut cargo(&["build", "--locked", "--package", "sandtable-cli"]))?;
        web::test(report, deep)?;
        if let Some(core) = core {
            site::build(report, &core)?;
            site::test(report, &core, deep)?;
        }
    } else {
        report.skip("page, npm package", "Node.js is not installed");
    }
    licences(report, deep)?;
    if deep {
        let slow =
            ["test", "--workspace", "--release", "--all-features", "--locked", "--", "--include-ignored"];
        report.step("slow tests", &mut cargo(&slow))?;
        fuzz::run_all(report)?;
        mutants::run(report)?;
    }
    Ok(())
}

/// All tests except doctests: with nextest, which runs all test programs in parallel, if it is installed.
fn tests() -> Command {
    if has("nextest") {
        cargo(&["nextest", "run", "--workspace", "--all-features", "--locked"])
    } else {
        cargo(&[
            "test",
            "--workspace",
            "--lib",
            "--bins",
            "--tests",
            "--examples",
            "--all-features",
            "--locked",
        ])
    }
}

fn licences(report: &mut Report, deep: bool) -> Result {
    if !(has("deny") || deep && install(report, "deny")) {
        report.skip("licences", "cargo-deny is not installed");
        return Ok(());
    }
    let deny = ["deny", "--workspace", "check", "licenses", "bans", "sources"];
    report.step("licences", &mut cargo(&deny))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_options_in_any_order() {
        assert_eq!(Options::parse(&[]), Ok(Options::default()));
        assert_eq!(Options::parse(&["--strict", "--deep"]), Ok(Options { deep: true, strict: true }));
        assert_eq!(Options::parse(&["--deep", "--fast"]), Err("--fast"));
    }
}
