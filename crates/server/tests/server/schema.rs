//! Validation against `openapi.yaml`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

static TEXT: &str = include_str!("../../openapi.yaml");
pub(crate) static OPENAPI: LazyLock<Value> =
    LazyLock::new(|| serde_saphyr::from_str(TEXT).expect("openapi.yaml is YAML"));

/// The validators built so far: building one takes longer than most validations.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// The validator for a schema of the document, given by a JSON pointer.
pub(crate) fn validator(pointer: &str) -> Arc<Validator> {
    let build = || {
        let schema = json!({ "$ref": format!("#{pointer}"), "components": OPENAPI["components"], "paths": OPENAPI["paths"] });
        let validator = jsonschema::validator_for(&schema);
        Arc::new(validator.unwrap_or_else(|e| panic!("invalid schema {pointer}: {e}")))
    };
    Arc::clone(VALIDATORS.lock().unwrap().entry(pointer.to_owned()).or_insert_with(build))
}

/// Panics with all violations of a schema.
pub(crate) fn check(pointer: &str, value: &Value) {
    let validator = validator(pointer);
    let violations: Vec<_> =
        validator.iter_errors(value).map(|e| format!("{} at {}", e, e.instance_path())).collect();
    assert!(violations.is_empty(), "{pointer}: {}\n{value:#}", violations.join("\n"));
}

/// Checks a value against a named schema.
pub(crate) fn check_schema(name: &str, value: &Value) {
    check(&format!("/components/schemas/{name}"), value);
}

/// The paths of the document with their methods.
pub(crate) fn paths() -> BTreeMap<String, BTreeSet<String>> {
    let paths = OPENAPI["paths"].as_object().expect("an object");
    let methods = |item: &Value| {
        let keys = item.as_object().expect("an object").keys();
        keys.filter(|key| *key != "parameters").map(|key| key.to_uppercase()).collect()
    };
    paths.iter().map(|(path, item)| (path.clone(), methods(item))).collect()
}

/// The path template that matches a request path.
fn template(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    let matches = |template: &str| {
        template.split('/').count() == path.split('/').count()
            && template.split('/').zip(path.split('/')).all(|(t, p)| t == p || t.starts_with('{'))
    };
    let mut matching: Vec<_> = paths().into_keys().filter(|template| matches(template)).collect();
    // Literal segments take precedence over parameters.
    matching.sort_by_key(|template| template.matches('{').count());
    matching.into_iter().next().unwrap_or_else(|| panic!("{path} is not in openapi.yaml"))
}

/// Checks a response against the operation's schema for this status.
pub(crate) fn check_response(method: &str, path: &str, status: u16, body: Option<&Value>) {
    let template = template(path);
    if status == 405 {
        // A method without an operation has no list of responses.
        assert!(!paths()[&template].contains(method), "{method} {template}: 405");
        return check_schema("Error", body.expect("a body"));
    }
    let operation = &OPENAPI["paths"][&template][method.to_lowercase()];
    let escaped = template.replace('~', "~0").replace('/', "~1").replace('{', "%7B").replace('}', "%7D");
    let keys = [status.to_string(), format!("{}XX", status / 100)];
    let (key, response) = keys
        .iter()
        .find_map(|key| Some((key, operation["responses"].get(key)?)))
        .unwrap_or((&keys[0], &Value::Null));
    assert!(response.is_object(), "{method} {template}: undocumented status {status}: {body:?}");
    let Some(body) = body else {
        assert!(response.get("content").is_none(), "{method} {template} {status}: missing body");
        return;
    };
    if response["$ref"].is_string() {
        // All shared responses are errors.
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
