//! The WebAssembly modules: finds or installs a toolchain, builds the modules and their JavaScript glue.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::debian;
use crate::report::Report;
use crate::tools::{Result, cargo, entries, output, recreate, root, succeeds, target};

/// How to get a toolchain, for a skip or an error.
pub(crate) const MISSING: &str =
    "no toolchain for WebAssembly: run `rustup target add wasm32-unknown-unknown`";

const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's toolchain: a compiler with the target, the sources of the standard library, and a linker.
const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "rust-web-src", "lld-19"];
const DEBIAN_LINKER: &str = "wasm-ld-19";

/// The oldest Rust that compiles this workspace.
const OLDEST_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// A module: the games that it contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Module {
    /// All games, the engine and the contract.
    All,
    /// The same with the toy game, for the tests of the package.
    WithToyGame,
    /// One game and the engine.
    One(&'static str),
}

impl Module {
    /// The modules of the package.
    pub(crate) const EACH: [Self; 4] =
        [Self::All, Self::One("chess"), Self::One("cotulenh"), Self::One("tribun")];

    /// The name of its folder.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::All | Self::WithToyGame => "all",
            Self::One(game) => game,
        }
    }
}

/// How much to optimise a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// For users: small and fast.
    Release,
    /// For tests: quicker to build.
    Test,
}

impl Profile {
    /// The name of cargo's profile.
    const fn name(self) -> &'static str {
        match self {
            Self::Release => "wasm",
            Self::Test => "wasm-test",
        }
    }
}

/// The compiler for WebAssembly.
enum Compiler {
    /// The compiler of the active toolchain, which has the standard library for the target.
    Active,
    /// Debian's compiler, which builds the standard library from its sources.
    Debian(PathBuf),
}

/// Everything that builds a module.
pub(crate) struct Toolchain {
    compiler: Compiler,
}

/// `cargo xtask wasm`: builds the module of all games. Returns its folder.
pub(crate) fn build(report: &mut Report, profile: Profile) -> Result<PathBuf> {
    Toolchain::new(report).ok_or(MISSING)?.build(report, Module::All, profile)
}

impl Toolchain {
    /// Finds the toolchain, or installs it if that is possible; `None` if there is no toolchain.
    pub(crate) fn new(report: &mut Report) -> Option<Self> {
        Compiler::find().or_else(|| Compiler::install(report)).map(|compiler| Self { compiler })
    }

    /// Builds a module into `target/wasm/NAME`. Returns the folder.
    pub(crate) fn build(&self, report: &mut Report, module: Module, profile: Profile) -> Result<PathBuf> {
        let name = module.name();
        let folder = target().join("wasm-build");
        let package =
            ["--locked", "--package", "sandtable-wasm", "--target", TARGET, "--profile", profile.name()];
        let mut build = cargo(&["build"]);
        build.args(package).env("CARGO_TARGET_DIR", &folder);
        build.args(match module {
            Module::All => vec![],
            Module::WithToyGame => vec!["--features", "nim"],
            Module::One(game) => vec!["--no-default-features", "--features", game],
        });
        if let Compiler::Debian(rustc) = &self.compiler {
            build
                .args(["-Z", "build-std=std,panic_abort"])
                .env("RUSTC", rustc)
                // Allows `-Z` on a stable compiler.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", DEBIAN_LINKER);
        }
        report.step(&format!("WebAssembly: build {name}"), &mut build)?;
        let out = target().join("wasm").join(name);
        recreate(&out)?;
        let mut glue = cargo(&["run", "--quiet", "--locked", "--manifest-path"]);
        glue.arg(root().join("xtask/glue/Cargo.toml")).env("CARGO_TARGET_DIR", target().join("glue"));
        glue.arg("--").arg(folder.join(TARGET).join(profile.name()).join("sandtable_wasm.wasm")).arg(&out);
        report.step(&format!("WebAssembly: glue of {name}"), &mut glue)?;
        Ok(out)
    }
}

impl Compiler {
    fn find() -> Option<Self> {
        if has_standard_library() {
            return Some(Self::Active);
        }
        let files = output(Command::new("dpkg").args(["-L", "rustc-web"]))?;
        let rustc = PathBuf::from(files.lines().find(|line| line.ends_with("/bin/rustc"))?);
        let sysroot = output(Command::new(&rustc).args(["--print", "sysroot"]))?;
        let sources = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
        let is_complete =
            is_recent(&rustc) && sources.exists() && succeeds(Command::new(DEBIAN_LINKER).arg("--version"));
        is_complete.then_some(Self::Debian(rustc))
    }

    /// Installs Debian's toolchain, where that is possible.
    fn install(report: &mut Report) -> Option<Self> {
        if !debian::can_install() {
            return None;
        }
        report.check("install a WebAssembly toolchain", || debian::install(&DEBIAN_PACKAGES)).ok()?;
        Self::find()
    }
}

/// Whether the active toolchain has the standard library for the target.
fn has_standard_library() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let Some(sysroot) = output(Command::new(rustc).args(["--print", "sysroot"])) else { return false };
    let libraries = Path::new(sysroot.trim()).join("lib/rustlib").join(TARGET).join("lib");
    entries(&libraries).is_ok_and(|found| !found.is_empty())
}

/// Whether a compiler is not older than the oldest that compiles this workspace.
fn is_recent(rustc: &Path) -> bool {
    let Some(text) = output(Command::new(rustc).arg("--version")) else { return false };
    let version = text.split_whitespace().nth(1).and_then(release);
    version.is_some_and(|version| Some(version) >= release(OLDEST_RUST))
}

/// Major and minor version.
fn release(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_versions_of_rust() {
        assert_eq!(release("1.96.0"), Some((1, 96)));
        assert!(release("1.100.0-nightly") > release("1.95"));
        assert_eq!(release("unknown"), None);
        assert!(release(OLDEST_RUST).is_some());
    }
}
