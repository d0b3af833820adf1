//! `openapi.yaml` as the tests use it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

static TEXT: &str = include_str!("../../openapi.yaml");
pub(crate) static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| serde_saphyr::from_str(TEXT).expect("the description is YAML"));

/// A validator for something in the description, by its place in it.
pub(crate) fn validator(place: &str) -> Validator {
    let schema = json!({ "$ref": format!("#{place}"), "components": DESCRIPTION["components"], "paths": DESCRIPTION["paths"] });
    jsonschema::validator_for(&schema).unwrap_or_else(|e| panic!("{place} is no schema: {e}"))
}

/// Panics with everything that is wrong with a value.
pub(crate) fn check(place: &str, value: &Value) {
    let validator = validator(place);
    let faults: Vec<_> =
        validator.iter_errors(value).map(|e| format!("{} at {}", e, e.instance_path())).collect();
    assert!(faults.is_empty(), "{place}: {}\n{value:#}", faults.join("\n"));
}

/// Checks a message or a part of one against a schema of the description.
pub(crate) fn check_schema(name: &str, value: &Value) {
    check(&format!("/components/schemas/{name}"), value);
}

/// The described paths, with their methods.
pub(crate) fn paths() -> BTreeMap<String, BTreeSet<String>> {
    let paths = DESCRIPTION["paths"].as_object().expect("paths");
    let methods = |item: &Value| {
        let keys = item.as_object().expect("a path").keys();
        keys.filter(|key| *key != "parameters").map(|key| key.to_uppercase()).collect()
    };
    paths.iter().map(|(path, item)| (path.clone(), methods(item))).collect()
}

/// The described path that a real one is an instance of.
pub(crate) fn template(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let fits = |template: &str| {
        template.split('/').count() == path.split('/').count()
            && template.split('/').zip(path.split('/')).all(|(t, p)| t == p || t.starts_with('{'))
    };
    let mut fitting: Vec<_> = paths().into_keys().filter(|template| fits(template)).collect();
    // A path that is spelt out comes before one with a parameter in its place.
    fitting.sort_by_key(|template| template.matches('{').count());
    fitting.into_iter().next().unwrap_or_else(|| panic!("{path} is not described"))
}

/// Checks a body against what the description says of this status.
pub(crate) fn check_response(method: &str, path: &str, status: u16, body: Option<&Value>) {
    let template = template(path);
    let operation = &DESCRIPTION["paths"][&template][method.to_lowercase()];
    let escaped = template.replace('~', "~0").replace('/', "~1").replace('{', "%7B").replace('}', "%7D");
    // A status stands by itself or with all those of its hundred.
    let keys = [status.to_string(), format!("{}XX", status / 100)];
    let (key, response) = keys
        .iter()
        .find_map(|key| Some((key, operation["responses"].get(key)?)))
        .unwrap_or((&keys[0], &Value::Null));
    assert!(response.is_object(), "{method} {template} answers {status}, which is not described: {body:?}");
    let Some(body) = body else {
        assert!(response.get("content").is_none(), "{method} {template} {status} has no body");
        return;
    };
    if response["$ref"] == "#/components/responses/Refused" {
        return check_schema("Error", body);
    }
    check(
        &format!(
            "/paths/{escaped}/{}/responses/{key}/content/application~1json/schema",
            method.to_lowercase()
        ),
        body,
    );
}
