//! `cargo xtask dist`: builds what a release publishes into `target/dist`, and checks it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::report::Report;
use crate::tidy::Manifest;
use crate::tools::{Result, built, cargo, copy, create, entries, recreate, root, target};
use crate::{python, web};

/// Files of the repository that go into the archive as they are.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// The shells with completions.
const SHELLS: [&str; 3] = ["bash", "fish", "zsh"];

pub(crate) fn run(report: &mut Report) -> Result {
    if !web::has_npm() {
        return Err("npm builds the page and was not found: install Node.js".to_owned());
    }
    let dist = target().join("dist");
    recreate(&dist)?;
    web::build(report)?;
    crates(report, &dist.join("crates"))?;
    let packages = python::wheel(report)?;
    let python = dist.join("python");
    create(&python)?;
    for file in [&packages.sdist, &packages.wheel] {
        copy(file, &python.join(file.file_name().expect("a file")))?;
    }
    let archive = archive(report, &dist)?;
    report.check("archive: check", || check_archive(&archive, &dist))?;
    println!("\nReady to publish: {}", dist.display());
    Ok(())
}

/// Packs every crate for crates.io. Cargo compiles each from its package, with the others as its dependencies.
fn crates(report: &mut Report, folder: &Path) -> Result {
    let mut package = cargo(&["package", "--locked"]);
    let mut published = Vec::new();
    for manifest in Manifest::all()? {
        if manifest.is_published() {
            package.args(["--package", &manifest.name]);
            published.push(manifest.name);
        }
    }
    report.step("crates", &mut package)?;
    create(folder)?;
    for name in published {
        let file = format!("{name}-{}.crate", version());
        copy(&target().join("package").join(&file), &folder.join(&file))?;
    }
    Ok(())
}

/// Builds the program, its man pages and its completions, and packs them with the documents.
fn archive(report: &mut Report, dist: &Path) -> Result<PathBuf> {
    report.step("program", &mut cargo(&["build", "--release", "--locked", "--package", "sandtable-cli"]))?;
    let program = built("release", "sandtable");
    let name = format!("sandtable-{}-{}", version(), host()?);
    let folder = dist.join(&name);
    create(&folder.join("man"))?;
    create(&folder.join("completions"))?;
    let generate = |what: &str, to: &str| {
        let mut command = Command::new(&program);
        command.args(["generate", what]).arg(folder.join(to));
        command
    };
    report.step("man pages", &mut generate("man", "man"))?;
    report.step("completions", &mut generate("completions", "completions"))?;
    copy(&program, &folder.join(program.file_name().expect("a file")))?;
    for document in DOCUMENTS {
        copy(&root().join(document), &folder.join(document))?;
    }
    let archive = dist.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    report.step("archive", tar.arg("-czf").arg(&archive).arg("-C").arg(dist).arg(&name))?;
    fs::remove_dir_all(&folder).map_err(|e| format!("cannot remove {}: {e}", folder.display()))?;
    Ok(archive)
}

/// Unpacks the archive and checks that everything is in it and that the program runs.
fn check_archive(archive: &Path, dist: &Path) -> Result {
    let unpacked = target().join("dist-check");
    recreate(&unpacked)?;
    let tar = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&unpacked).status();
    if !tar.is_ok_and(|status| status.success()) {
        return Err(format!("tar cannot unpack {}", archive.display()));
    }
    let file_name = archive.file_name().and_then(|name| name.to_str()).expect("a file");
    let folder = unpacked.join(file_name.trim_end_matches(".tar.gz"));
    for document in DOCUMENTS {
        require(&folder.join(document))?;
    }
    require(&folder.join("man").join("sandtable.1"))?;
    let completions = entries(&folder.join("completions"))?;
    for shell in SHELLS {
        let name = match shell {
            "zsh" => "_sandtable".to_owned(),
            _ => format!("sandtable.{shell}"),
        };
        if !completions.iter().any(|path| path.ends_with(&name)) {
            return Err(format!("{file_name} has no completions for {shell}: completions/{name} is missing"));
        }
    }
    let program = folder.join(built("release", "sandtable").file_name().expect("a file"));
    check_version(&program)?;
    let page =
        fs::read(root().join("web/dist/index.html")).map_err(|e| format!("cannot read the page: {e}"))?;
    let bytes = fs::read(&program).map_err(|e| format!("cannot read {}: {e}", program.display()))?;
    if !bytes.windows(page.len()).any(|window| window == page) {
        return Err(format!("{} does not contain the page", program.display()));
    }
    let listed: Vec<_> = entries(dist)?.iter().map(|path| path.display().to_string()).collect();
    println!("{}", listed.join("\n"));
    Ok(())
}

fn check_version(program: &Path) -> Result {
    let output = Command::new(program).arg("--version").output();
    let output = output.map_err(|e| format!("cannot start {}: {e}", program.display()))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let expected = format!("sandtable {}", version());
    if output.status.success() && printed.trim() == expected {
        return Ok(());
    }
    Err(format!("`sandtable --version` printed `{}`, expected `{expected}`", printed.trim()))
}

/// Checks that a file exists and is not empty.
fn require(path: &Path) -> Result {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() && metadata.len() > 0 => Ok(()),
        _ => Err(format!("{} is missing or empty", path.display())),
    }
}

/// The version of the whole workspace.
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The target triple that this machine compiles for.
fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().map_err(|e| format!("cannot start rustc: {e}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let host = printed.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| format!("`rustc -vV` printed no host:\n{printed}"))
}
