//! `bench`.

use crate::common::run;

#[test]
fn figures_have_baselines_from_the_same_run() {
    let output = run(&["bench", "chess", "--json"]);
    assert_eq!(output.code, 0, "{}", output.err);
    let answer = output.objects().remove(0);
    let figures = answer["figures"].as_array().unwrap();
    assert_eq!(figures.len(), 4);
    assert!(figures.iter().all(|figure| figure["nanoseconds"].as_f64().unwrap() > 0.0));
    let baselines: Vec<_> = figures.iter().map(|figure| figure["baseline"]["name"].as_str()).collect();
    assert_eq!(baselines, [Some("memcpy"), Some("memcpy"), Some("cozy-chess"), None]);
}
