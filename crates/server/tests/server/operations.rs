//! What operators use: readiness, metrics and request ids.

use serde_json::json;

use crate::client::{TestServer, config};

/// The value of a sample, `None` if there is no such sample.
async fn sample(server: &TestServer, name: &str) -> Option<f64> {
    let address = server.metrics_address.expect("a metrics listener");
    let response = server.http.get(format!("http://{address}/metrics")).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    let text = response.error_for_status().unwrap().text().await.unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
    value.or_else(|| {
        println!("{text}");
        None
    })
}

#[tokio::test]
async fn metrics_count_requests_by_route_and_what_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.metrics_listen = Some("127.0.0.1:0".parse().unwrap());
    let server = TestServer::start_with(config).await;
    let id = server.create(json!({ "kind": "chess", "clock": { "initial": 60_000, "increment": 0 } })).await;
    assert_eq!(sample(&server, "sandtable_games_in_memory").await, Some(1.0));
    assert_eq!(sample(&server, "sandtable_running_clocks").await, Some(0.0));
    let mut socket = server.socket(&format!("/api/games/{id}/socket")).await;
    socket.receive().await;
    assert_eq!(sample(&server, r#"sandtable_sockets{kind="game"}"#).await, Some(1.0));
    assert!(sample(&server, "sandtable_connections").await >= Some(1.0));
    for text in ["e4", "e5"] {
        server.post(&format!("/api/games/{id}/moves"), json!({ "text": text })).await;
    }
    server.post_error(&format!("/api/games/{id}/moves"), json!({ "text": "Ke5" })).await;
    assert_eq!(sample(&server, "sandtable_running_clocks").await, Some(1.0));
    let writes = r#"sandtable_database_duration_seconds_count{operation="write"}"#;
    assert_eq!(sample(&server, writes).await, Some(3.0));
    let requests = |route: &str, method: &str, status: u16| {
        format!(r#"sandtable_http_requests_total{{route="{route}",method="{method}",status="{status}"}}"#)
    };
    let moves = "/api/games/{id}/moves";
    assert_eq!(sample(&server, &requests(moves, "POST", 200)).await, Some(2.0));
    assert_eq!(sample(&server, &requests(moves, "POST", 422)).await, Some(1.0));
    assert_eq!(sample(&server, &requests("/api/games/{id}/socket", "GET", 101)).await, Some(1.0));
    let count = format!(r#"sandtable_http_request_duration_seconds_count{{route="{moves}"}}"#);
    assert_eq!(sample(&server, &count).await, Some(3.0));
    // The page, and whatever else the API does not know, share one route: clients cannot create metrics.
    server.http.get(server.url("/")).send().await.unwrap();
    server.http.get(server.url("/settings")).send().await.unwrap();
    let page = r#"sandtable_http_request_duration_seconds_count{route="page"}"#;
    assert_eq!(sample(&server, page).await, Some(2.0));
    let memory = sample(&server, "sandtable_resident_memory_bytes").await;
    assert_eq!(memory > Some(1e6), cfg!(target_os = "linux"), "{memory:?}");
}

#[tokio::test]
async fn metrics_name_the_limit_that_a_request_exceeded() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.metrics_listen = Some("127.0.0.1:0".parse().unwrap());
    config.limits.total.sockets = 1;
    let server = TestServer::start_with(config).await;
    let id = server.create_kind("chess").await;
    let path = format!("/api/games/{id}/socket");
    let _first = server.socket(&path).await;
    let second = tokio_tungstenite::connect_async(format!("ws://{}{path}", server.address)).await;
    assert!(second.is_err(), "the quota is one socket");
    let rejected = r#"sandtable_rejected_requests_total{limit="too_many_sockets"}"#;
    assert_eq!(sample(&server, rejected).await, Some(1.0));
}

#[tokio::test]
async fn metrics_show_engines_and_queues() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.metrics_listen = Some("127.0.0.1:0".parse().unwrap());
    let server = TestServer::start_with(config).await;
    let engine = json!({ "type": "engine", "level": 0 });
    let seats = json!({ "first": { "type": "human" }, "second": engine });
    let id = server.create(json!({ "kind": "chess", "seats": seats })).await;
    let mut socket = server.socket(&format!("/api/games/{id}/socket")).await;
    server.post(&format!("/api/games/{id}/moves"), json!({ "text": "e4" })).await;
    socket.receive_until(|message| message["game"]["version"] == 3).await;
    let searches = "sandtable_engine_search_duration_seconds_count";
    assert_eq!(sample(&server, searches).await, Some(1.0));
    assert_eq!(sample(&server, "sandtable_engine_wait_duration_seconds_count").await, Some(1.0));
    assert_eq!(sample(&server, "sandtable_engine_queue").await, Some(0.0));
    assert_eq!(sample(&server, "sandtable_analysis_queue").await, Some(0.0));
}

#[tokio::test]
async fn metrics_are_not_on_the_listener_of_the_players() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.metrics_listen = Some("127.0.0.1:0".parse().unwrap());
    let server = TestServer::start_with(config).await;
    let response = server.http.get(server.url("/metrics")).send().await.unwrap();
    let text = response.text().await.unwrap();
    assert!(!text.contains("sandtable_connections"), "{text}");
    let address = server.metrics_address.unwrap();
    let response = server.http.get(format!("http://{address}/api/games")).send().await.unwrap();
    assert_eq!(response.status(), 404);
}

#[tokio::test]
async fn is_ready_while_the_database_can_be_used() {
    let (server, _folder) = TestServer::start().await;
    assert_eq!(server.get("/api/ready").await, server.get("/api/health").await);
}

#[tokio::test]
async fn no_cache_stores_responses_of_the_api() {
    let (server, _folder) = TestServer::start().await;
    let id = server.create_kind("chess").await;
    for path in ["/api/health", "/api/games", &format!("/api/games/{id}"), "/api/games/unknown"] {
        let response = server.http.get(server.url(path)).send().await.unwrap();
        assert_eq!(response.headers()["cache-control"], "no-store", "{path}");
    }
}

/// The request id of a response to a request with an id.
async fn request_id(server: &TestServer, id: &str) -> String {
    let request = server.http.get(server.url("/api/health")).header("x-request-id", id);
    let response = request.send().await.unwrap();
    response.headers()["x-request-id"].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn every_response_has_a_request_id_of_its_own() {
    let (server, _folder) = TestServer::start().await;
    let mut ids = Vec::new();
    for path in ["/", "/api/health", "/api/health", "/api/games/unknown"] {
        let response = server.http.get(server.url(path)).send().await.unwrap();
        ids.push(response.headers()["x-request-id"].to_str().unwrap().to_owned());
    }
    assert!(ids.iter().all(|id| id.len() == 16), "{ids:?}");
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4, "{ids:?}");
    assert_ne!(request_id(&server, "from-a-client").await, "from-a-client");
}

#[tokio::test]
async fn a_trusted_proxy_sets_the_request_id() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(folder.path());
    config.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let server = TestServer::start_with(config).await;
    assert_eq!(request_id(&server, "a-1_b.2").await, "a-1_b.2");
    for invalid in ["", "with space", "a=b", "\"quoted\"", &"x".repeat(65)] {
        assert_ne!(request_id(&server, invalid).await, invalid);
    }
}
