//! `PostgreSQL`, which the tests of its store need.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::debian;
use crate::report::Report;
use crate::tools::{Result, create, entries, lock, output, target};

/// Debian's server. It is only installed: the tests start their own clusters.
const DEBIAN_PACKAGES: [&str; 1] = ["postgresql"];

/// Why the tests of the store are skipped.
pub(crate) const MISSING: &str = "PostgreSQL is not installed";

/// Installs Debian's `PostgreSQL` unless the server's programs are installed. Returns whether they are installed now.
pub(crate) fn install(report: &mut Report) -> Result<bool> {
    create(&target())?;
    // The background process may be installing `PostgreSQL` right now.
    let _lock = lock(&target().join("postgres.lock"))?;
    if !is_installed() && debian::can_install() {
        let _ = report.check("install PostgreSQL", || debian::install(&DEBIAN_PACKAGES));
    }
    Ok(is_installed())
}

/// Whether `initdb` is where the tests look for it: in the folder that `pg_config` names, in Debian's or on the PATH.
fn is_installed() -> bool {
    let configured = output(Command::new("pg_config").arg("--bindir"));
    let debian = entries(Path::new("/usr/lib/postgresql")).unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = configured
        .map(|folder| PathBuf::from(folder.trim()))
        .into_iter()
        .chain(debian.into_iter().map(|version| version.join("bin")).chain(std::env::split_paths(&path)));
    folders.any(|folder| folder.join("initdb").exists())
}
