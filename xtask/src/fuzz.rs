//! Fuzzing with libFuzzer. The tests of the `fuzz` crate only replay the committed corpus.

use std::process::Command;

use crate::report::Report;
use crate::tools::{Result, cargo_nightly, create, entries, install, root, succeeds, target};

/// How long `test --deep` runs each target.
const DEEP_SECONDS: &str = "120";

/// After how many seconds an input counts as endless. With sanitizers, on a busy machine, the conformance properties of a
/// position with thousands of legal moves take more than 10 seconds.
const INPUT_SECONDS: u32 = 60;

/// `cargo xtask fuzz TARGET SECONDS`.
pub(crate) fn run(report: &mut Report, name: &str, seconds: &str) -> Result {
    let known = targets()?;
    if !known.iter().any(|target| target == name) {
        return Err(format!("unknown fuzz target `{name}`: expected {}", known.join(", ")));
    }
    if seconds.parse::<u32>().is_err() {
        return Err(format!("expected a number of seconds, found `{seconds}`"));
    }
    if !has_nightly() {
        return Err("fuzzing needs a nightly toolchain: rustup toolchain install nightly".to_owned());
    }
    if !install(report, "fuzz") {
        return Err("cargo-fuzz is not installed: cargo install --locked cargo-fuzz".to_owned());
    }
    run_target(report, name, seconds)
}

/// Runs every target.
pub(crate) fn run_all(report: &mut Report) -> Result {
    if !has_nightly() {
        report.skip("fuzzing", "no nightly toolchain is installed");
        return Ok(());
    }
    if !install(report, "fuzz") {
        report.skip("fuzzing", "cargo-fuzz cannot be installed");
        return Ok(());
    }
    for name in targets()? {
        run_target(report, &name, DEEP_SECONDS)?;
    }
    Ok(())
}

fn run_target(report: &mut Report, name: &str, seconds: &str) -> Result {
    // libFuzzer writes new inputs to the first folder, so the committed corpus does not change.
    let found = target().join("fuzz-corpus").join(name);
    create(&found)?;
    let mut run = cargo_fuzz("run", name);
    run.arg(&found).arg(root().join("fuzz/corpus").join(name));
    run.args([
        "--",
        &format!("-max_total_time={seconds}"),
        &format!("-timeout={INPUT_SECONDS}"),
        "-verbosity=0",
    ]);
    report.step(&format!("fuzz {name}"), &mut run)
}

/// `cargo fuzz COMMAND TARGET`, built without the link-time optimisation of releases, which takes minutes per target.
fn cargo_fuzz(command: &str, name: &str) -> Command {
    let mut cargo = cargo_nightly(&["fuzz", command, "--features", "libfuzzer", name]);
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    cargo
}

fn has_nightly() -> bool {
    succeeds(&mut cargo_nightly(&["--version"]))
}

fn targets() -> Result<Vec<String>> {
    let files = entries(&root().join("fuzz").join("fuzz_targets"))?;
    Ok(files.iter().filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect())
}
