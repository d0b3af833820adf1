//! Tests the UCI engine with an independent client: python-chess.

use crate::python::Environment;
use crate::report::Report;
use crate::tools::{Result, built, root};

/// Runs the client. Requires the debug build of `sandtable`, which the Rust tests create.
pub(crate) fn test(report: &mut Report, environment: &Environment) -> Result {
    let script = root().join("crates/cli/tests/uci_client.py");
    report.step("UCI client", environment.python(&[]).arg(script).arg(built("debug", "sandtable")))
}
