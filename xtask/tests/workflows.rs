//! The workflows are well-formed, and everything they run is a command of `cargo xtask`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn workflows() -> BTreeMap<String, Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github/workflows");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let parse = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let workflow = serde_saphyr::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        (name, workflow)
    };
    paths.map(parse).collect()
}

/// Calls `f` with the file, the job and the value of each job.
fn for_each_job(mut f: impl FnMut(&str, &str, &Value)) {
    for (file, workflow) in workflows() {
        let jobs = workflow["jobs"].as_object().unwrap_or_else(|| panic!("{file}: no jobs"));
        assert!(!jobs.is_empty(), "{file}: no jobs");
        for (name, job) in jobs {
            f(&file, name, job);
        }
    }
}

fn steps(job: &Value) -> &[Value] {
    job["steps"].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn every_workflow_has_a_name_a_trigger_and_permissions() {
    let workflows = workflows();
    assert_eq!(workflows.keys().collect::<Vec<_>>(), ["release.yml", "test.yml", "wheels.yml"]);
    for (file, workflow) in workflows {
        assert_eq!(workflow["name"], file.trim_end_matches(".yml"), "{file}");
        assert!(workflow["on"].is_object(), "{file}: no triggers");
        assert_eq!(workflow["permissions"]["contents"], "read", "{file}: jobs ask for more themselves");
    }
}

#[test]
fn every_step_uses_a_pinned_action_or_runs_xtask() {
    let commands = ["cargo xtask test", "cargo xtask wheel", "cargo xtask dist"];
    for_each_job(|file, name, job| {
        assert!(job["runs-on"].is_string(), "{file}: {name}: no machine");
        assert!(!steps(job).is_empty(), "{file}: {name}: no steps");
        for step in steps(job) {
            match (step["uses"].as_str(), step["run"].as_str()) {
                (Some(action), None) => {
                    assert!(action.contains('@'), "{file}: {name}: {action} has no version");
                }
                (None, Some(command)) => assert!(commands.contains(&command), "{file}: {name}: {command}"),
                _ => panic!("{file}: {name}: a step has either `uses` or `run`: {step}"),
            }
        }
    });
}

#[test]
fn jobs_that_run_xtask_check_out_the_sources_and_install_rust_first() {
    for_each_job(|file, name, job| {
        let Some(run) = steps(job).iter().position(|step| step["run"].is_string()) else { return };
        let uses = |action: &str| {
            let mut before = steps(job)[..run].iter();
            before.any(|step| step["uses"].as_str().is_some_and(|uses| uses.starts_with(action)))
        };
        assert!(uses("actions/checkout@"), "{file}: {name}");
        assert!(
            uses("dtolnay/rust-toolchain@1.95.0"),
            "{file}: {name}: the toolchain is the minimum version"
        );
    });
}

#[test]
fn needed_jobs_and_matrix_values_exist() {
    for (file, workflow) in workflows() {
        let jobs = workflow["jobs"].as_object().unwrap();
        for (name, job) in jobs {
            if let Some(needed) = job["needs"].as_str() {
                assert!(jobs.contains_key(needed), "{file}: {name} needs the unknown job {needed}");
            }
            if job.to_string().contains("matrix.os") {
                let systems = job["strategy"]["matrix"]["os"].as_array().unwrap();
                assert_eq!(systems.len(), 3, "{file}: {name}: Linux, macOS and Windows");
            }
        }
    }
}
