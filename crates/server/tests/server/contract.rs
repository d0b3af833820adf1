//! The description and the server agree on what there is.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;

use crate::client::Running;
use crate::description::{DESCRIPTION, check, paths, validator};

/// The paths that the server's source routes.
fn routed() -> BTreeSet<String> {
    let source = include_str!("../../src/api.rs");
    let routes = source.split(".route(\"").skip(1);
    routes.filter_map(|rest| Some(rest.split('"').next()?.to_owned())).collect()
}

#[test]
fn every_route_is_described_and_every_described_path_is_routed() {
    assert_eq!(routed(), paths().into_keys().collect());
}

#[tokio::test]
async fn every_described_method_is_taken_and_no_other() {
    let (server, _folder) = Running::start().await;
    for (path, described) in paths() {
        let path = path.replace("{kind}", "chess").replace("{id}", "nobody");
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            let response = server.http.request(method.clone(), server.url(&path)).send().await.unwrap();
            let taken = response.status() != 405;
            assert_eq!(taken, described.contains(method.as_str()), "{method} {path}");
        }
    }
}

#[test]
fn every_schema_is_a_schema_and_every_example_fits() {
    for (name, schema) in DESCRIPTION["components"]["schemas"].as_object().unwrap() {
        let place = format!("/components/schemas/{name}");
        validator(&place);
        let many = schema["examples"].as_array().into_iter().flatten();
        for example in schema.get("example").into_iter().chain(many) {
            check(&place, example);
        }
    }
}

#[tokio::test]
async fn every_example_of_a_request_fits_and_is_answered() {
    let (server, _folder) = Running::start().await;
    for (path, item) in DESCRIPTION["paths"].as_object().unwrap() {
        let content = &item["post"]["requestBody"]["content"]["application/json"];
        let Some(examples) = content["examples"].as_object().filter(|_| !path.contains("{id}")) else {
            continue;
        };
        for example in examples.values() {
            let escaped = path.replace('/', "~1");
            check(
                &format!("/paths/{escaped}/post/requestBody/content/application~1json/schema"),
                &example["value"],
            );
            server.post(path, example["value"].clone()).await;
        }
    }
}

#[tokio::test]
async fn the_server_tells_its_description() {
    let (server, _folder) = Running::start().await;
    let response = server.http.get(server.url("/api/openapi.yaml")).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/yaml");
    let told: Value = serde_saphyr::from_str(&response.text().await.unwrap()).unwrap();
    assert_eq!(told, *DESCRIPTION);
}

#[tokio::test]
async fn every_answer_has_the_headers_that_keep_browsers_careful() {
    let (server, _folder) = Running::start().await;
    for path in ["/", "/api/health", "/api/nothing", "/some/page"] {
        let response = server.http.get(server.url(path)).send().await.unwrap();
        let headers = response.headers();
        assert!(headers["content-security-policy"].to_str().unwrap().starts_with("default-src 'self'"));
        assert_eq!(
            (&headers["x-content-type-options"], &headers["referrer-policy"]),
            (&"nosniff".parse().unwrap(), &"no-referrer".parse().unwrap())
        );
    }
}
