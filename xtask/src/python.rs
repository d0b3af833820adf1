//! The Python package: built, tested in an environment of its own, and packed for others.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::test::Depth;
use crate::tools::{Result, root, step, succeeds, target};

/// The exact versions of everything that the tests use.
const REQUIREMENTS: &str = "python/requirements-test.txt";

/// Python files that are formatted and linted.
const SOURCES: &[&str] = &["python", "examples"];

/// An environment with everything that the tests use; none, loudly, where there is no Python.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    pub(crate) fn new() -> Result<Option<Self>> {
        let able = "import sys, venv, ensurepip; assert sys.version_info >= (3, 10)";
        if !succeeds(Command::new("python3").args(["-c", able])) {
            println!("\n── Python: SKIPPED, there is no python3 of 3.10 or later with venv");
            return Ok(None);
        }
        let environment = Self { folder: target().join("python") };
        environment.install()?;
        Ok(Some(environment))
    }

    /// Installs the requirements, unless it was done with these very ones.
    fn install(&self) -> Result {
        let wanted = read(&root().join(REQUIREMENTS))?;
        let installed = self.folder.join("installed.txt");
        if read(&installed).is_ok_and(|found| found == wanted) {
            return Ok(());
        }
        step(
            "Python environment",
            Command::new("python3").args(["-m", "venv", "--clear"]).arg(&self.folder),
        )?;
        let requirements = root().join(REQUIREMENTS);
        let mut install = self.python(&["-m", "pip", "install", "--quiet", "--requirement"]);
        step("Python requirements", install.arg(requirements))?;
        std::fs::write(&installed, wanted).map_err(|e| format!("cannot write {}: {e}", installed.display()))
    }

    /// A program of the environment's.
    fn program(&self, name: &str) -> Command {
        let programs = self.folder.join("bin");
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
pub(crate) fn run() -> Result {
    let Some(environment) = Environment::new()? else {
        return Err("there is no Python to test with".to_owned());
    };
    test(&environment, Depth::Everyday)
}

/// Builds the package as others would install it, and tests that.
pub(crate) fn test(environment: &Environment, depth: Depth) -> Result {
    step("format of Python", environment.python(&["-m", "ruff", "format", "--check"]).args(SOURCES))?;
    step("lints of Python", environment.python(&["-m", "ruff", "check"]).args(SOURCES))?;
    let profile = match depth {
        Depth::Everyday => "dev",
        Depth::Deep => "release",
    };
    let wheels = target().join("wheels-test");
    remove(&wheels)?;
    let mut build = environment.program("maturin");
    build.args(["build", "--locked", "--strip", "--profile", profile, "--out"]).arg(&wheels);
    step("Python package", &mut build)?;
    let mut install =
        environment.python(&["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]);
    step("Python package, installed", install.arg(only_file(&wheels, "whl")?))?;
    step("stubs", &mut environment.python(&["-m", "mypy.stubtest", "sandtable._sandtable"]))?;
    step("types of Python", environment.python(&["-m", "mypy"]).args(SOURCES))?;
    let mut tests = environment.python(&["-m", "pytest", "--quiet"]);
    if depth == Depth::Deep {
        tests.env("SANDTABLE_DEEP", "1");
    }
    step("Python tests", &mut tests)
}

/// `cargo xtask wheel`: an sdist and a wheel in `target/wheels`; the wheel is made from the sdist, as an installer would,
/// and imported in an environment with nothing but what it asks for.
pub(crate) fn wheel() -> Result {
    let Some(environment) = Environment::new()? else {
        return Err("there is no Python to make a wheel with".to_owned());
    };
    let wheels = target().join("wheels");
    remove(&wheels)?;
    step("sdist", environment.program("maturin").args(["sdist", "--out"]).arg(&wheels))?;
    let sdist = only_file(&wheels, "gz")?;
    let mut build =
        environment.python(&["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]);
    build.arg("--wheel-dir").arg(&wheels).arg(&sdist).env("CARGO_TARGET_DIR", target().join("wheel-build"));
    step("wheel", &mut build)?;
    let wheel = only_file(&wheels, "whl")?;

    let empty = target().join("wheel-check");
    step("empty environment", Command::new("python3").args(["-m", "venv", "--clear"]).arg(&empty))?;
    let python = empty.join("bin").join("python");
    let mut install = Command::new(&python);
    step("install", install.args(["-m", "pip", "install", "--quiet"]).arg(&wheel))?;
    let proof =
        "import sandtable\nfor name in sandtable.GAMES:\n    print(sandtable.make(name).observation().shape)";
    step("import", Command::new(&python).current_dir(&empty).args(["-c", proof]))?;
    println!("\n{}\n{}", sdist.display(), wheel.display());
    Ok(())
}

/// The one file in a folder with that ending.
fn only_file(folder: &Path, ending: &str) -> Result<PathBuf> {
    let listed = std::fs::read_dir(folder).map_err(|e| format!("cannot list {}: {e}", folder.display()))?;
    let found: Vec<_> = listed
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .collect();
    match &found[..] {
        [one] => Ok(one.clone()),
        _ => Err(format!("{} has {} files ending in .{ending}, not one", folder.display(), found.len())),
    }
}

/// Removes a folder with what an earlier run left in it.
fn remove(folder: &Path) -> Result {
    match std::fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {e}", folder.display()))
        }
        _ => Ok(()),
    }
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}
