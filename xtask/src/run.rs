//! `cargo xtask run`: builds the page and the server, and opens the page in a browser.

use crate::report::Report;
use crate::tools::{Result, cargo};
use crate::web;

/// Passes `args` to `sandtable serve`.
pub(crate) fn run(report: &mut Report, args: &[&str]) -> Result {
    if !web::has_npm() {
        return Err("npm builds the page and was not found: install Node.js".to_owned());
    }
    web::build(report)?;
    let serve = ["run", "--release", "--locked", "--package", "sandtable-cli", "--", "serve", "--open"];
    report.step("server", cargo(&serve).args(args))
}
