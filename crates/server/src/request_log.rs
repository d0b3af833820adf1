//! Request ids, and the log line and metrics of every request.

use std::net::SocketAddr;
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument as _;

use crate::error::ExceededLimit;
use crate::{App, Config};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest request id of a proxy.
const MAX_ID: usize = 64;

/// Middleware that gives a request its id, logs it and counts it. The id of a trusted proxy is kept; the response has it too.
///
/// Everything that is logged during the request carries its id. The query string, headers and bodies are never logged: they
/// may contain secrets.
pub(crate) async fn log_request(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = forwarded_id(&request, &app.config).unwrap_or_else(new_id);
    let (method, path) = (request.method().clone(), request.extensions().get::<MatchedPath>().cloned());
    let span = tracing::info_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        %method,
        path = request.uri().path(),
    );
    let mut response = next.run(request).instrument(span.clone()).await;
    let (status, duration) = (response.status(), began.elapsed());
    span.in_scope(|| {
        let (status, duration_ms) = (status.as_u16(), duration.as_secs_f64() * 1e3);
        if status < 500 {
            tracing::debug!(status, duration_ms, "response");
        } else {
            tracing::warn!(status, duration_ms, "response");
        }
    });
    if let Some(limit) = response.extensions().get::<ExceededLimit>() {
        app.metrics.rejected(limit.code());
    }
    app.metrics.responded(path, &method, status, duration);
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// The id of a request that a trusted proxy has set. Other characters than letters, digits, `-`, `_` and `.` could confuse
/// who reads the log.
fn forwarded_id(request: &Request, config: &Config) -> Option<HeaderValue> {
    let id = request.headers().get(REQUEST_ID)?;
    let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    let is_trusted = config.trusted_proxies.iter().any(|proxy| proxy.contains(peer.ip()));
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let is_valid = (1..=MAX_ID).contains(&id.len()) && id.as_bytes().iter().all(is_plain);
    (is_trusted && is_valid).then(|| id.clone())
}

/// A random id. Without random numbers, requests share one: an id identifies nothing but lines of the log.
fn new_id() -> HeaderValue {
    let id = format!("{:016x}", getrandom::u64().unwrap_or_default());
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("none"))
}
