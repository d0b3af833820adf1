//! Debian packages: a browser and a toolchain for WebAssembly, where nothing else provides them.

use std::process::Command;

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
