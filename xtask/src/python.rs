//! The Python package: built, checked and tested in its own environment, and packed for release.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::report::Report;
use crate::tools::{
    Result, create, entries, lock, only_file, read, recreate, remove, root, succeeds, target,
};

/// The reason for a skip or an error when Python is missing.
pub(crate) const MISSING: &str = "Python 3.10 or later with venv is not installed";

/// The exact versions of everything that the tests use.
const REQUIREMENTS: &str = "python/requirements-test.txt";

/// The additional requirements of the deep tests of training: `PyTorch` alone takes 5 GB.
const TRAIN_REQUIREMENTS: &str = "python/requirements-train.txt";

/// The folders of Python files that are formatted and linted.
const SOURCES: &[&str] = &["python", "examples"];

const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// The folder of the programs in a virtual environment.
const PROGRAMS: &str = if cfg!(windows) { "Scripts" } else { "bin" };

/// A virtual environment with everything that the tests use.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment in `target/python`; `None` without a suitable Python.
    pub(crate) fn new(report: &mut Report) -> Result<Option<Self>> {
        let suitable = "import sys, venv, ensurepip; assert sys.version_info >= (3, 10)";
        if !succeeds(Command::new(PYTHON).args(["-c", suitable])) {
            return Ok(None);
        }
        let environment = Self { folder: target().join("python") };
        // `prepare` may be installing the environment right now.
        create(&target())?;
        let _lock = lock(&target().join("python.lock"))?;
        environment.install(report)?;
        Ok(Some(environment))
    }

    /// Installs the requirements, unless they are installed already.
    fn install(&self, report: &mut Report) -> Result {
        let wanted = read(&root().join(REQUIREMENTS))?;
        let installed = self.folder.join("installed.txt");
        if read(&installed).is_ok_and(|found| found == wanted) {
            return Ok(());
        }
        let mut venv = Command::new(PYTHON);
        report.step("Python environment", venv.args(["-m", "venv", "--clear"]).arg(&self.folder))?;
        let requirements = root().join(REQUIREMENTS);
        let mut install = self.python(&["-m", "pip", "install", "--quiet", "--requirement"]);
        report.step("Python requirements", install.arg(requirements))?;
        std::fs::write(&installed, wanted).map_err(|e| format!("cannot write {}: {e}", installed.display()))
    }

    /// A program of the environment.
    fn program(&self, name: &str) -> Command {
        let programs = self.folder.join(PROGRAMS);
        let mut command = Command::new(programs.join(name));
        // Programs that start others find those of the environment first.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&path)));
        command.current_dir(root()).env("VIRTUAL_ENV", &self.folder).env("PATH", path.unwrap_or_default());
        command
    }

    /// The environment's Python.
    pub(crate) fn python(&self, args: &[&str]) -> Command {
        let mut command = self.program("python");
        command.args(args);
        command
    }
}

/// `cargo xtask python`.
pub(crate) fn run(report: &mut Report) -> Result {
    let environment = Environment::new(report)?.ok_or(MISSING)?;
    test(report, &environment, false)
}

/// Builds the package, installs it into the environment as users would, and tests it there.
pub(crate) fn test(report: &mut Report, environment: &Environment, deep: bool) -> Result {
    if deep {
        let mut install = environment.python(&["-m", "pip", "install", "--quiet", "--requirement"]);
        report.step("Python training requirements", install.arg(root().join(TRAIN_REQUIREMENTS)))?;
    }
    report.step("Python format", environment.python(&["-m", "ruff", "format", "--check"]).args(SOURCES))?;
    report.step("Python lints", environment.python(&["-m", "ruff", "check"]).args(SOURCES))?;
    let wheels = target().join("wheels-test");
    remove(&wheels)?;
    let profile = if deep { "release" } else { "dev" };
    let mut build = environment.program("maturin");
    // The tests play the toy game too.
    let features = ["--features", "nim"];
    build
        .args(["build", "--locked", "--strip", "--profile", profile])
        .args(features)
        .arg("--out")
        .arg(&wheels);
    report.step("Python package: build", &mut build)?;
    let mut install =
        environment.python(&["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]);
    report.step("Python package: install", install.arg(only_file(&wheels, "whl")?))?;
    report.step("Python stubs", &mut environment.python(&["-m", "mypy.stubtest", "sandtable._sandtable"]))?;
    report.step("Python types", environment.python(&["-m", "mypy"]).args(SOURCES))?;
    let mut tests =
        environment.python(&["-m", "pytest", "--quiet", "--numprocesses", "auto", "--dist", "worksteal"]);
    if deep {
        tests.env("SANDTABLE_DEEP", "1");
    }
    report.step("Python tests", &mut tests)
}

/// The sdist and the wheel of a release.
pub(crate) struct Packages {
    pub(crate) sdist: PathBuf,
    pub(crate) wheel: PathBuf,
}

/// `cargo xtask wheel`: builds the sdist, the wheel from the sdist alone, and installs the wheel into an empty
/// environment.
pub(crate) fn wheel(report: &mut Report) -> Result<Packages> {
    let environment = Environment::new(report)?.ok_or(MISSING)?;
    let wheels = target().join("wheels");
    remove(&wheels)?;
    report.step("sdist", environment.program("maturin").args(["sdist", "--out"]).arg(&wheels))?;
    let sdist = only_file(&wheels, "gz")?;

    let unpacked = target().join("wheel-source");
    recreate(&unpacked)?;
    let mut tar = Command::new("tar");
    report.step("sdist: unpack", tar.arg("-xzf").arg(&sdist).arg("-C").arg(&unpacked))?;
    let source = only_folder(&unpacked)?;
    let mut build = environment.program("maturin");
    // Not `--locked`: the sdist has fewer workspace members, so cargo drops entries of the lock file that it ships.
    build.current_dir(source).args(["build", "--strip", "--release", "--out"]).arg(&wheels);
    report.step("wheel", build.env("CARGO_TARGET_DIR", target().join("wheel-build")))?;
    let wheel = only_file(&wheels, "whl")?;

    let empty = target().join("wheel-check");
    create(&empty)?;
    report.step("empty environment", Command::new(PYTHON).args(["-m", "venv", "--clear"]).arg(&empty))?;
    let python = empty.join(PROGRAMS).join("python");
    let mut install = Command::new(&python);
    report.step("wheel: install", install.args(["-m", "pip", "install", "--quiet"]).arg(&wheel))?;
    let script =
        "import sandtable\nfor name in sandtable.GAMES:\n    print(sandtable.make(name).observe().shape)";
    report.step("wheel: import", Command::new(&python).current_dir(&empty).args(["-c", script]))?;
    println!("\n{}\n{}", sdist.display(), wheel.display());
    Ok(Packages { sdist, wheel })
}

/// The one folder in a folder.
fn only_folder(folder: &Path) -> Result<PathBuf> {
    let mut found = entries(folder)?;
    found.retain(|path| path.is_dir());
    match &found[..] {
        [one] => Ok(one.clone()),
        _ => Err(format!("expected one folder in {}, found {}", folder.display(), found.len())),
    }
}
