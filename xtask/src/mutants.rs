//! Mutation testing with cargo-mutants: every mutant must make a test fail, or be excluded in `.cargo/mutants.toml`.

use std::thread::available_parallelism;

use crate::report::Report;
use crate::tools::{Result, cargo, create, install, target};

/// The name of each run, the files to mutate and the packages whose tests must catch the mutants.
const RUNS: &[(&str, &str, &[&str])] = &[
    ("core", "crates/core/src/**", &["sandtable-core", "sandtable-nim", "sandtable-tribun"]),
    ("tribun", "crates/tribun/src/**", &["sandtable-tribun"]),
    ("stored games", "crates/contract/src/session.rs", &["sandtable-contract", "sandtable-server"]),
];

pub(crate) fn run(report: &mut Report) -> Result {
    if !install(report, "mutants") {
        report.skip("mutants", "cargo-mutants cannot be installed");
        return Ok(());
    }
    for &(name, files, packages) in RUNS {
        // Each job builds its own copy of the workspace, so it gets two cores.
        let jobs = available_parallelism().map_or(1, |cores| (cores.get() / 2).max(1)).to_string();
        // Without `--workspace`, cargo-mutants looks at the default members alone and finds nothing.
        let mut mutants = cargo(&["mutants", "--workspace", "--file", files, "--jobs", &jobs]);
        mutants.args(["--no-shuffle", "--colors", "never"]);
        let output = target().join("mutants").join(name.replace(' ', "-"));
        create(&output)?;
        mutants.arg("--output").arg(output);
        for package in packages {
            mutants.args(["--test-package", package]);
        }
        report.step(&format!("mutants of {name}"), &mut mutants)?;
    }
    Ok(())
}
