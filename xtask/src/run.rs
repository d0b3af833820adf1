//! `cargo xtask run`: the page from its lock file, the server in release mode, and a browser.

use crate::tools::{Result, cargo, step};
use crate::web;

/// Everything behind `run` goes to `sandtable serve`.
pub(crate) fn run(args: &[&str]) -> Result {
    if !web::has_npm() {
        return Err("the page is built with npm, which comes with Node.js: install it first".to_owned());
    }
    web::build()?;
    let serve = ["run", "--release", "--locked", "--package", "sandtable-cli", "--", "serve", "--open"];
    let mut serve = cargo(&serve);
    step("server", serve.args(args))
}
