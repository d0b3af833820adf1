//! `cargo xtask test`.

use crate::python::{self, Environment};
use crate::tools::{Result, cargo, cargo_proxy, ensure, has, root, step, succeeds};
use crate::{clients, tidy, web};

/// How much to test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// What CI and every change run.
    Everyday,
    /// Everything.
    Deep,
}

pub(crate) fn run(depth: Depth) -> Result {
    step("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    step(
        "format of the fuzz targets",
        &mut cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]),
    )?;
    tidy::run()?;
    step(
        "lints",
        &mut cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
    )?;
    tests()?;
    step("doctests", &mut cargo(&["test", "--workspace", "--doc", "--locked"]))?;
    let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
    step("docs", docs.env("RUSTDOCFLAGS", "-D warnings"))?;
    if let Some(environment) = Environment::new()? {
        clients::run(&environment)?;
        python::test(&environment, depth)?;
    }
    web::test()?;
    licences(depth)?;
    fuzz(depth)?;
    if depth == Depth::Deep {
        let mut deep = cargo(&["test", "--workspace", "--release", "--locked", "--", "--include-ignored"]);
        step("deep tests", &mut deep)?;
    }
    println!("\nEverything passed.");
    Ok(())
}

fn tests() -> Result {
    if ensure("nextest") {
        return step("tests", &mut cargo(&["nextest", "run", "--workspace", "--locked"]));
    }
    println!("── cargo-nextest cannot be had here: cargo test takes its place");
    step("tests", &mut cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--locked"]))
}

fn licences(depth: Depth) -> Result {
    let there = if depth == Depth::Deep { ensure("deny") } else { has("deny") };
    if !there {
        println!(
            "\n── licences: SKIPPED, cargo-deny is not installed (`cargo xtask test --deep` installs it)"
        );
        return Ok(());
    }
    step("licences", &mut cargo(&["deny", "--workspace", "check", "licenses", "bans", "sources"]))
}

/// Runs every fuzz target for a while. It needs a nightly compiler, for the instrumentation.
fn fuzz(depth: Depth) -> Result {
    if !succeeds(&mut cargo_proxy(&["+nightly", "--version"])) {
        println!("\n── fuzzing: SKIPPED, there is no nightly toolchain");
        return Ok(());
    }
    if !ensure("fuzz") {
        println!("\n── fuzzing: SKIPPED, cargo-fuzz cannot be had here");
        return Ok(());
    }
    step("fuzz targets", &mut cargo_proxy(&["+nightly", "fuzz", "build"]))?;
    let seconds = if depth == Depth::Deep { 120 } else { 3 };
    let limit = format!("-max_total_time={seconds}");
    let folder = root().join("fuzz").join("fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("cannot list the fuzz targets: {e}"))?;
    let mut targets: Vec<String> =
        entries.filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned())).collect();
    targets.sort();
    for target in &targets {
        let args = ["+nightly", "fuzz", "run", target, "--", &limit, "-timeout=10", "-verbosity=0"];
        step(&format!("fuzz {target}"), &mut cargo_proxy(&args))?;
    }
    Ok(())
}
