//! `openapi.yaml` and the server agree on paths, methods, examples and errors.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;

use crate::client::TestServer;
use crate::schema::{OPENAPI, check, check_response, paths, validator};

const METHODS: [Method; 5] = [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH];

/// The paths in the source of the router.
fn routed_paths() -> BTreeSet<String> {
    let source = include_str!("../../src/api.rs");
    let routes = source.split(".route(\"").skip(1);
    routes.filter_map(|rest| Some(rest.split('"').next()?.to_owned())).collect()
}

/// A request path for a template.
fn instance(template: &str) -> String {
    template.replace("{kind}", "chess").replace("{id}", "unknown")
}

#[test]
fn documents_exactly_the_routed_paths() {
    assert_eq!(routed_paths(), paths().into_keys().collect());
}

#[tokio::test]
async fn undocumented_methods_get_405_and_the_list_of_allowed_methods() {
    let (server, _folder) = TestServer::start().await;
    for (template, documented) in paths() {
        let path = instance(&template);
        for method in METHODS {
            let response = server.http.request(method.clone(), server.url(&path)).send().await.unwrap();
            let is_documented = documented.contains(method.as_str());
            assert_eq!(response.status() != 405, is_documented, "{method} {path}");
            if is_documented {
                continue;
            }
            let allowed = response.headers()["allow"].to_str().unwrap().split(',').map(str::to_owned);
            let allowed: BTreeSet<_> = allowed.filter(|method| method != "HEAD").collect();
            assert_eq!(allowed, documented, "{method} {path}");
            let body: Value = response.json().await.unwrap();
            check_response(method.as_str(), &path, 405, Some(&body));
            assert_eq!(body["code"], "method_not_allowed", "{method} {path}");
        }
    }
}

#[tokio::test]
async fn every_operation_rejects_other_sites_with_403() {
    let (server, _folder) = TestServer::start().await;
    for (template, methods) in paths() {
        for method in methods {
            for (header, value) in [("origin", "http://evil.example"), ("host", "evil.example")] {
                let method = method.parse::<Method>().unwrap();
                let path = instance(&template);
                let request = server.http.request(method.clone(), server.url(&path)).header(header, value);
                let response = request.send().await.unwrap();
                let status = response.status().as_u16();
                assert_eq!(status, 403, "{method} {path} with {header}");
                let body: Value = response.json().await.unwrap();
                check_response(method.as_str(), &path, status, Some(&body));
                assert_eq!(body["code"], "forbidden", "{method} {path} with {header}");
            }
        }
    }
}

#[test]
fn schemas_are_valid_and_match_their_examples() {
    for (name, schema) in OPENAPI["components"]["schemas"].as_object().unwrap() {
        let pointer = format!("/components/schemas/{name}");
        validator(&pointer);
        let many = schema["examples"].as_array().into_iter().flatten();
        for example in schema.get("example").into_iter().chain(many) {
            check(&pointer, example);
        }
    }
}

#[tokio::test]
async fn request_examples_match_their_schema_and_succeed() {
    let (server, _folder) = TestServer::start().await;
    for (path, item) in OPENAPI["paths"].as_object().unwrap() {
        let content = &item["post"]["requestBody"]["content"]["application/json"];
        for example in content["examples"].as_object().into_iter().flat_map(|examples| examples.values()) {
            let escaped = path.replace('/', "~1").replace('{', "%7B").replace('}', "%7D");
            check(
                &format!("/paths/{escaped}/post/requestBody/content/application~1json/schema"),
                &example["value"],
            );
            // Paths with an id need an existing game, so their examples are only validated.
            if !path.contains("{id}") {
                server.post(path, example["value"].clone()).await;
            }
        }
    }
}

#[tokio::test]
async fn serves_its_description() {
    let (server, _folder) = TestServer::start().await;
    let response = server.http.get(server.url("/api/openapi.yaml")).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/yaml");
    let document: Value = serde_saphyr::from_str(&response.text().await.unwrap()).unwrap();
    assert_eq!(document, *OPENAPI);
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let (server, _folder) = TestServer::start().await;
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
