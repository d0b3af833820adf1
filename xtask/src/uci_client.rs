//! Tests the UCI engine with an independent client: python-chess.

use std::process::Command;

use crate::python::Environment;
use crate::report::Report;
use crate::tools::{Result, built, cargo, root, succeeds};

/// Stockfish in the path, or where Debian installs games.
const STOCKFISH: [&str; 2] = ["stockfish", "/usr/games/stockfish"];

/// Runs the client. Requires the debug build of `sandtable`, which the Rust tests create. With `deep`, the release build
/// plays 20 games against Stockfish too.
pub(crate) fn test(report: &mut Report, environment: &Environment, deep: bool) -> Result {
    let client = |profile| {
        let mut client = environment.python(&[]);
        client.arg(root().join("crates/cli/tests/uci_client.py")).arg(built(profile, "sandtable"));
        client
    };
    report.step("UCI client", &mut client("debug"))?;
    if !deep {
        return Ok(());
    }
    let Some(stockfish) = STOCKFISH.into_iter().find(|program| succeeds(Command::new(program).arg("quit")))
    else {
        report.skip("UCI games against Stockfish", "Stockfish is not installed");
        return Ok(());
    };
    let build = ["build", "--release", "--locked", "--package", "sandtable-cli"];
    report.step("UCI games: build", &mut cargo(&build))?;
    report.step("UCI games against Stockfish", client("release").arg(stockfish))
}
