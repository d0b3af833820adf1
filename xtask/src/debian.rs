//! Debian packages: a browser and a toolchain for WebAssembly, where nothing else provides them.

use std::process::Command;
use std::thread::{self, JoinHandle};

use crate::report::Report;
use crate::tools::{Result, output, succeeds};

/// Whether this program may install packages: `apt-get` exists and we are root.
pub(crate) fn can_install() -> bool {
    succeeds(Command::new("apt-get").arg("--version"))
        && output(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0")
}

/// Installs packages.
pub(crate) fn install(packages: &[&str]) -> Result {
    let apt = || {
        let mut apt = Command::new("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    // Old package lists have older packages, or none; if they cannot be updated, the installation may still work.
    let _ = succeeds(apt().arg("update"));
    if succeeds(apt().args(["install", "--yes", "--no-install-recommends"]).args(packages)) {
        Ok(())
    } else {
        Err(format!("apt-get cannot install {}", packages.join(", ")))
    }
}

/// An installation that runs while other steps compile: downloading and unpacking leave the processors idle.
pub(crate) struct Background(Option<JoinHandle<Result>>);

impl Background {
    /// Starts to install packages, if there are any and it is possible.
    pub(crate) fn start(packages: Vec<&'static str>) -> Self {
        let is_needed = !packages.is_empty() && can_install();
        Self(is_needed.then(|| thread::spawn(move || install(&packages))))
    }

    /// Waits for the end. A failure is not an error: the steps that need a package are skipped without it.
    pub(crate) fn wait(self, report: &mut Report) {
        if let Some(installation) = self.0 {
            let wait = || installation.join().unwrap_or_else(|_| Err("the installation panicked".to_owned()));
            let _ = report.check("wait for Debian packages", wait);
        }
    }
}
