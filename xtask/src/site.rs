//! `cargo xtask site`: the page as static files that need no server.

use std::path::Path;
use std::process::Command;

use crate::report::Report;
use crate::tools::{Result, root};
use crate::wasm::{self, Profile};
use crate::web;

/// The folder of the static page, below `web/`.
const FOLDER: &str = "dist-site";

/// Builds WebAssembly and the static page.
pub(crate) fn run(report: &mut Report) -> Result {
    if !web::has_npm() {
        return Err("npm builds the page and was not found: install Node.js".to_owned());
    }
    let core = wasm::build(report, Profile::Release)?;
    web::install(report)?;
    build(report, &core)?;
    let folder = root().join("web").join(FOLDER);
    report.step("static page: size", &mut web::npm(&["run", "--silent", "weight:site"]))?;
    println!(
        "\nThe static page is in {folder}. Copy it to any static host, or try it here:\n\
         \n    python3 -m http.server --directory {folder} 8000\n\
         \nand open http://localhost:8000/.",
        folder = folder.display()
    );
    Ok(())
}

/// Builds the page with the core in a folder. The dependencies must be installed.
pub(crate) fn build(report: &mut Report, core: &Path) -> Result {
    report.step("static page: build", with_core(core, &mut web::npm(&["run", "--silent", "build:site"])))
}

/// Tests the static page after [`build`]: everything, or a selection that takes less than a minute.
pub(crate) fn test(report: &mut Report, core: &Path, everything: bool) -> Result {
    report.step("static page: size", &mut web::npm(&["run", "--silent", "weight:site"]))?;
    if !web::install_browser(report) {
        report.skip("static page: in a browser", "Chromium is not installed");
        return Ok(());
    }
    let mut e2e = web::browser_tests(everything);
    e2e.env("SANDTABLE_SITE", if everything { "all" } else { "selection" });
    report.step("static page: in a browser", with_core(core, &mut e2e))
}

/// Tells a program of the page where the core is.
fn with_core<'a>(core: &Path, command: &'a mut Command) -> &'a mut Command {
    command.env("SANDTABLE_WASM", core)
}
