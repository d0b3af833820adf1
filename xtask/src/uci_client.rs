//! The UCI engine, driven by a client that others wrote: python-chess.

use crate::python::Environment;
use crate::report::Report;
use crate::tools::{Result, built, root};

/// Needs the debug build of `sandtable`, which the tests make.
pub(crate) fn test(report: &mut Report, environment: &Environment) -> Result {
    let script = root().join("crates/cli/tests/uci_client.py");
    report.step("UCI client", environment.python(&[]).arg(script).arg(built("debug", "sandtable")))
}
