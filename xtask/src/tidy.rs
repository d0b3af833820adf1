//! Checks beyond the compiler's: the direction of dependencies, the metadata of crates, the length of files, words.

mod words;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::tools::{Result, entries, files_below, read, root};

/// For each crate, the crates of this workspace that it may use outside its tests.
const MAY_USE: &[(&str, &[&str])] = &[
    ("derive", &[]),
    ("core", &["derive"]),
    ("testkit", &["core"]),
    ("chess", &["core"]),
    ("cotulenh", &["core"]),
    ("tribun", &["core"]),
    ("nim", &["core"]),
    ("nnue", &["core"]),
    ("search", &["core", "nnue"]),
    ("games", &["core", "chess", "cotulenh", "nim", "tribun", "nnue", "search"]),
    ("engine", &["core", "games", "nnue", "search"]),
    ("training", &["core", "engine", "games", "nnue", "search"]),
    ("sandtable", &["core", "chess", "cotulenh", "tribun", "nnue", "search", "games", "engine", "training"]),
    ("policynet", &["sandtable"]),
    ("contract", &["core", "sandtable"]),
    ("server", &["contract", "core", "sandtable"]),
    ("cli", &["policynet", "sandtable", "server"]),
    ("py", &["sandtable"]),
    ("wasm", &["sandtable", "contract"]),
];

/// The maximum length of a source file that people write, in lines.
const MAX_LINES: usize = 800;

/// The folders of source files.
const SOURCES: [&str; 10] = [
    "crates",
    "xtask",
    "fuzz/src",
    "fuzz/tests",
    "fuzz/fuzz_targets",
    "python",
    "examples",
    "npm/src",
    "npm/test",
    "web/src",
];

/// The extensions of source files.
const SOURCE_EXTENSIONS: [&str; 6] = ["rs", "py", "ts", "mjs", "svelte", "css"];

/// The metadata that every crate has, published or not.
const METADATA: [&str; 8] =
    ["description", "version", "edition", "rust-version", "license", "authors", "repository", "keywords"];

pub(crate) fn run() -> Result {
    let mut faults = Vec::new();
    let crates: Vec<_> = Manifest::all()?.into_iter().filter(Manifest::is_in_crates).collect();
    for manifest in &crates {
        faults.extend(manifest.faults());
    }
    let files = sources()?;
    for (name, text) in &files {
        let lines = text.lines().count();
        if lines > MAX_LINES && !name.contains(".generated.") {
            faults.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
        }
        faults.extend(words::faults(name, text));
    }
    println!("{} files, {} crates", files.len(), crates.len());
    if faults.is_empty() { Ok(()) } else { Err(format!("tidiness:\n  {}", faults.join("\n  "))) }
}

/// Every source file and page: its path from the root, and its text.
fn sources() -> Result<Vec<(String, String)>> {
    let mut paths = Vec::new();
    for folder in SOURCES {
        files_below(&root().join(folder), &SOURCE_EXTENSIONS, &mut paths)?;
    }
    files_below(&root().join("docs"), &["md"], &mut paths)?;
    paths.extend(entries(&root())?.into_iter().filter(|path| path.extension().is_some_and(|e| e == "md")));
    let relative = |path: &Path| path.strip_prefix(root()).unwrap_or(path).display().to_string();
    paths.iter().map(|path| Ok((relative(path), read(path)?))).collect()
}

/// The manifest of a crate.
pub(crate) struct Manifest {
    folder: PathBuf,
    /// The name of the package.
    pub(crate) name: String,
    text: String,
}

impl Manifest {
    /// The manifests of the crates under `crates/`, and of `fuzz` and `xtask`.
    pub(crate) fn all() -> Result<Vec<Self>> {
        let mut folders = entries(&root().join("crates"))?;
        folders.extend([root().join("fuzz"), root().join("xtask")]);
        folders.into_iter().filter(|folder| folder.is_dir()).map(Self::read).collect()
    }

    fn read(folder: PathBuf) -> Result<Self> {
        let path = folder.join("Cargo.toml");
        let text = read(&path)?;
        let name = package_field(&text, "name").ok_or_else(|| format!("{}: no name", path.display()))?;
        Ok(Self { folder, name: name.trim_matches('"').to_owned(), text })
    }

    /// Whether the crate goes to crates.io.
    pub(crate) fn is_published(&self) -> bool {
        package_field(&self.text, "publish").is_none()
    }

    fn is_in_crates(&self) -> bool {
        self.folder.parent().is_some_and(|parent| parent.ends_with("crates"))
    }

    fn faults(&self) -> Vec<String> {
        let folder = self.folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut faults: Vec<String> = METADATA
            .iter()
            .filter(|field| package_field(&self.text, field).is_none())
            .map(|field| format!("crates/{folder}/Cargo.toml: {field} is missing"))
            .collect();
        if !self.folder.join("README.md").is_file() {
            faults.push(format!("crates/{folder}/README.md is missing"));
        }
        match MAY_USE.iter().find(|(known, _)| *known == folder) {
            None => {
                faults.push(format!("crates/{folder} has no row in `MAY_USE` (xtask/src/tidy.rs)"));
            }
            Some((_, allowed)) => {
                let used = workspace_dependencies(&self.text);
                let forbidden = used.iter().filter(|used| !allowed.contains(&used.as_str()));
                faults.extend(forbidden.map(|used| format!("crates/{folder} must not use {used}")));
            }
        }
        faults
    }
}

/// The value of a field in the `[package]` section of a manifest. `version.workspace = true` has the value `true`.
fn package_field<'a>(manifest: &'a str, field: &str) -> Option<&'a str> {
    let package = manifest.split("[package]").nth(1)?;
    let package = package.split("\n[").next()?;
    package.lines().find_map(|line| {
        let rest = line.strip_prefix(field)?;
        let rest = rest.strip_prefix(".workspace").unwrap_or(rest);
        rest.trim_start().strip_prefix('=').map(str::trim)
    })
}

/// The crates of this workspace in the `[dependencies]` of a manifest, without their prefix.
fn workspace_dependencies(manifest: &str) -> BTreeSet<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"sandtable-x\"\nversion.workspace = true\npublish = false\n\n\
        [package.metadata.docs.rs]\nall-features = true\n\n[dependencies]\nsandtable-core.workspace = true\n\
        sandtable = { path = \"y\" }\nclap = \"4\"\n\n[dev-dependencies]\nsandtable-testkit.workspace = true\n";

    #[test]
    fn only_real_dependencies_count() {
        assert_eq!(workspace_dependencies(MANIFEST).into_iter().collect::<Vec<_>>(), ["core", "sandtable"]);
    }

    #[test]
    fn package_fields_are_those_of_the_package_section() {
        assert_eq!(package_field(MANIFEST, "name"), Some("\"sandtable-x\""));
        assert_eq!(package_field(MANIFEST, "version"), Some("true"));
        assert_eq!(package_field(MANIFEST, "publish"), Some("false"));
        assert_eq!(package_field(MANIFEST, "all-features"), None);
        assert_eq!(package_field(MANIFEST, "clap"), None);
    }

    #[test]
    fn dependencies_on_our_crates_have_the_version_of_the_workspace() {
        let manifest = read(&root().join("Cargo.toml")).unwrap();
        let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
        let ours: Vec<_> = manifest.lines().filter(|line| line.contains("path = \"crates/")).collect();
        assert!(ours.len() > 5, "{ours:?}");
        for line in ours {
            assert!(line.contains(&version), "{line}: expected {version}");
        }
    }
}
