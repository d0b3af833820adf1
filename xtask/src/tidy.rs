//! What the compiler does not check: who may depend on whom, and how long a file may grow.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::tools::{Result, root};

/// For each crate, the crates of this workspace that it may use outside its tests. Nothing points the other way.
const MAY_USE: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("testkit", &["core"]),
    ("chess", &["core"]),
    ("cotulenh", &["core"]),
    ("tribun", &["core"]),
    ("search", &["core"]),
    ("sandtable", &["core", "chess", "cotulenh", "tribun", "search"]),
    ("server", &["sandtable"]),
    ("cli", &["sandtable", "server"]),
];

/// A file longer than this should be two.
const MAX_LINES: usize = 800;

pub(crate) fn run() -> Result {
    println!("\n── tidiness");
    let mut faults = Vec::new();
    let crates = root().join("crates");
    for name in folders(&crates)? {
        match MAY_USE.iter().find(|(known, _)| *known == name) {
            None => {
                faults.push(format!("crates/{name} has no place in the order of crates (xtask/src/tidy.rs)"));
            }
            Some((_, allowed)) => {
                let manifest = read(&crates.join(&name).join("Cargo.toml"))?;
                let forbidden =
                    used_by(&manifest).into_iter().filter(|used| !allowed.contains(&used.as_str()));
                faults.extend(forbidden.map(|used| format!("crates/{name} must not use {used}")));
            }
        }
    }
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "fuzz/fuzz_targets"] {
        rust_files(&root().join(folder), &mut files)?;
    }
    for file in &files {
        let lines = read(file)?.lines().count();
        if lines > MAX_LINES {
            faults.push(format!("{}: {lines} lines, more than {MAX_LINES}", file.display()));
        }
    }
    println!("{} files, {} crates", files.len(), MAY_USE.len());
    if faults.is_empty() { Ok(()) } else { Err(format!("tidiness:\n  {}", faults.join("\n  "))) }
}

/// The crates of this workspace in the `[dependencies]` of a manifest, without their prefix.
fn used_by(manifest: &str) -> BTreeSet<String> {
    let mut section = "";
    let mut used = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line.trim();
        } else if section == "[dependencies]"
            && let Some(name) = line.split(['.', ' ', '=']).next()
            && name.starts_with("sandtable")
        {
            used.insert(name.trim_start_matches("sandtable-").to_owned());
        }
    }
    used
}

fn folders(path: &Path) -> Result<Vec<String>> {
    let mut names: Vec<String> = entries(path)?
        .iter()
        .filter(|entry| entry.is_dir())
        .filter_map(|entry| Some(entry.file_name()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

fn rust_files(path: &Path, files: &mut Vec<PathBuf>) -> Result {
    for entry in entries(path)? {
        if entry.is_dir() {
            rust_files(&entry, files)?;
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            files.push(entry);
        }
    }
    Ok(())
}

fn entries(path: &Path) -> Result<Vec<PathBuf>> {
    let listed = fs::read_dir(path).map_err(|e| format!("cannot list {}: {e}", path.display()))?;
    Ok(listed.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_dependencies_count() {
        let manifest = "[package]\nname = \"sandtable-x\"\n[dependencies]\nsandtable-core.workspace = true\n\
                        sandtable = { path = \"y\" }\nclap = \"4\"\n[dev-dependencies]\nsandtable-testkit.workspace = true\n";
        assert_eq!(used_by(manifest).into_iter().collect::<Vec<_>>(), ["core", "sandtable"]);
    }
}
