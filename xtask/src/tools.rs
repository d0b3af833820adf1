//! Paths, files and programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::report::Report;

/// A result with an error message.
pub(crate) type Result<T = ()> = std::result::Result<T, String>;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace").to_owned()
}

/// Cargo's target folder.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A program that cargo built in `target/PROFILE`.
pub(crate) fn built(profile: &str, name: &str) -> PathBuf {
    target().join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// `cargo` of the toolchain that runs this program.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// `cargo` of the nightly toolchain, through rustup.
pub(crate) fn cargo_nightly(args: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    // The cargo that started this program sets these variables, and they would override `+nightly`.
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command.arg("+nightly").args(args).current_dir(root());
    command
}

/// Returns whether a command succeeds. Its output is not shown.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The output of a program that succeeds.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// Returns whether a cargo subcommand is installed.
pub(crate) fn has(subcommand: &str) -> bool {
    succeeds(&mut cargo(&[subcommand, "--version"]))
}

/// Installs a cargo subcommand unless it is installed. Returns whether it is installed now.
pub(crate) fn install(report: &mut Report, subcommand: &str) -> bool {
    if has(subcommand) {
        return true;
    }
    let package = format!("cargo-{subcommand}");
    let installed =
        report.step(&format!("install {package}"), &mut cargo(&["install", "--locked", &package]));
    installed.is_ok() && has(subcommand)
}

/// The version of a dependency in `Cargo.lock`.
pub(crate) fn locked_version(package: &str) -> Result<String> {
    let lock = read(&root().join("Cargo.lock"))?;
    let name = format!("\nname = \"{package}\"\n");
    lock.split("[[package]]")
        .find(|entry| entry.contains(&name))
        .and_then(|entry| entry.split("version = \"").nth(1)?.split('"').next())
        .map(ToOwned::to_owned)
        .ok_or_else(|| format!("{package} is not in Cargo.lock"))
}

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// Removes a folder and its contents, if it exists.
pub(crate) fn remove(folder: &Path) -> Result {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {e}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Removes a folder and its contents, and creates it empty.
pub(crate) fn recreate(folder: &Path) -> Result {
    remove(folder)?;
    create(folder)
}

/// Creates a folder and its parents.
pub(crate) fn create(folder: &Path) -> Result {
    fs::create_dir_all(folder).map_err(|e| format!("cannot create {}: {e}", folder.display()))
}

/// Waits until no other process holds the lock, and holds it until the file is dropped.
pub(crate) fn lock(path: &Path) -> Result<fs::File> {
    let failed = |e: std::io::Error| format!("cannot lock {}: {e}", path.display());
    let file = fs::File::create(path).map_err(failed)?;
    file.lock().map_err(failed)?;
    Ok(file)
}

/// Copies a file.
pub(crate) fn copy(from: &Path, to: &Path) -> Result {
    fs::copy(from, to)
        .map(drop)
        .map_err(|e| format!("cannot copy {} to {}: {e}", from.display(), to.display()))
}

/// The files and folders in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let listed = fs::read_dir(folder).map_err(|e| format!("cannot list {}: {e}", folder.display()))?;
    let mut paths: Vec<_> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

/// The files in a folder and its subfolders with one of the extensions.
pub(crate) fn files_below(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) -> Result {
    for entry in entries(folder)? {
        if entry.is_dir() {
            files_below(&entry, extensions, found)?;
        } else if entry.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e)) {
            found.push(entry);
        }
    }
    Ok(())
}

/// The one file in a folder with an extension.
pub(crate) fn only_file(folder: &Path, extension: &str) -> Result<PathBuf> {
    let mut found = entries(folder)?;
    found.retain(|path| path.extension().is_some_and(|e| e == extension));
    match &found[..] {
        [one] => Ok(one.clone()),
        _ => Err(format!("expected one .{extension} file in {}, found {}", folder.display(), found.len())),
    }
}
