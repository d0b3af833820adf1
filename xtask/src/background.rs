//! What `test` prepares while other steps leave processors idle.

use std::fs::File;
use std::process::{Child, Command, Stdio};

use crate::postgres;
use crate::python::Environment;
use crate::report::Report;
use crate::tools::{Result, create, target};
use crate::wasm::{self, Module, Profile, Toolchain};
use crate::web;

/// The command of this program that runs in the background.
pub(crate) const COMMAND: &str = "prepare";

/// `cargo xtask prepare`: installs and builds what the tests of the server, the Python package, the page and the npm
/// package need. Whatever fails here fails again in a later step, which reports the error.
pub(crate) fn run(report: &mut Report) -> Result {
    postgres::install(report)?;
    Environment::new(report)?;
    web::install_browser(report);
    let toolchain = Toolchain::new(report).ok_or(wasm::MISSING)?;
    toolchain.build(report, Module::All, Profile::Test)?;
    toolchain.build(report, Module::WithToyGame, Profile::Test).map(drop)
}

/// The command in a process of its own, with low priority. Dropping it ends the process.
pub(crate) struct Background(Child);

impl Background {
    /// Starts the command. Its output goes to `target/prepare.log`.
    pub(crate) fn start() -> Result<Self> {
        let failed = |e: std::io::Error| format!("cannot start `{COMMAND}` in the background: {e}");
        create(&target())?;
        let log = File::create(target().join("prepare.log")).map_err(failed)?;
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = if cfg!(unix) {
            let mut nice = Command::new("nice");
            nice.args(["-n", "10"]).arg(program);
            nice
        } else {
            Command::new(program)
        };
        command.arg(COMMAND).stdin(Stdio::null()).stderr(log.try_clone().map_err(failed)?).stdout(log);
        command.spawn().map(Self).map_err(failed)
    }

    /// Waits for the end.
    pub(crate) fn wait(mut self, report: &mut Report) -> Result {
        report.check("wait for the background", || self.0.wait().map(drop).map_err(|e| e.to_string()))
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.0.kill();
    }
}
