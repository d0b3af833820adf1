//! The metrics of a server, for Prometheus.
//!
//! They have a listener of their own: a reverse proxy that forwards everything to the server publishes no metrics.

use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, State};
use axum::http::{Method, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use prometheus_client::encoding::text::encode_registry;
use prometheus_client::encoding::{
    EncodeLabelSet, EncodeLabelValue, EncodeMetric, LabelValueEncoder, MetricEncoder,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The upper bounds of the buckets of all histograms, in seconds.
const BUCKETS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// The metrics of a server.
pub(crate) struct Metrics {
    registry: Mutex<Registry>,
    requests: Family<RequestLabels, Counter>,
    request_duration: Family<RouteLabels, Histogram, fn() -> Histogram>,
    connections: Gauge,
    sockets: Family<SocketLabels, Gauge>,
    games: Gauge,
    running_clocks: Gauge,
    database_duration: Family<DatabaseLabels, Histogram, fn() -> Histogram>,
    database_errors: Family<DatabaseLabels, Counter>,
    engine_wait: Histogram,
    engine_search: Histogram,
    rejected: Family<LimitLabels, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: Route,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: Route,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SocketLabels {
    kind: SocketKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LimitLabels {
    limit: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DatabaseLabels {
    operation: DatabaseOperation,
}

/// What the server does with its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DatabaseOperation {
    Read,
    Write,
}

impl EncodeLabelValue for DatabaseOperation {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        encoder.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
        })
    }
}

/// What a WebSocket is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SocketKind {
    Game,
    Analysis,
}

impl EncodeLabelValue for SocketKind {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        encoder.write_str(match self {
            Self::Game => "game",
            Self::Analysis => "analysis",
        })
    }
}

/// The pattern of a path, such as `/api/games/{id}`. Paths of the page share one value, so that clients cannot create
/// metrics.
#[derive(Clone, Debug)]
struct Route(Option<MatchedPath>);

impl Route {
    fn as_str(&self) -> &str {
        self.0.as_ref().map_or("page", MatchedPath::as_str)
    }
}

impl PartialEq for Route {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Route {}

impl Hash for Route {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl EncodeLabelValue for Route {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        encoder.write_str(self.as_str())
    }
}

/// One unit of a gauge, given back when it is dropped.
pub(crate) struct Counted(Gauge);

impl Counted {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// A gauge that is computed for each scrape.
struct Computed<F>(F);

impl<F> fmt::Debug for Computed<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Computed")
    }
}

impl<F: Fn() -> i64 + Send + Sync> EncodeMetric for Computed<F> {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        encoder.encode_gauge(&(self.0)())
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Gauge
    }
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("sandtable");
        let requests = Family::default();
        registry.register("http_requests", "Responses sent", requests.clone());
        let request_duration = Family::new_with_constructor(histogram as fn() -> Histogram);
        let help = "Time from the head of a request to the head of its response";
        registry.register_with_unit("http_request_duration", help, Unit::Seconds, request_duration.clone());
        let connections = Gauge::default();
        registry.register(
            "connections",
            "Open HTTP connections; WebSockets count as sockets",
            connections.clone(),
        );
        let sockets = Family::default();
        registry.register("sockets", "Open WebSockets", sockets.clone());
        let games = Gauge::default();
        registry.register("games_in_memory", "Games in memory", games.clone());
        let running_clocks = Gauge::default();
        registry.register("running_clocks", "Games in memory whose clock runs", running_clocks.clone());
        let database_duration = Family::new_with_constructor(histogram as fn() -> Histogram);
        let help = "Time of a read or write, queue included";
        registry.register_with_unit("database_duration", help, Unit::Seconds, database_duration.clone());
        let database_errors = Family::default();
        registry.register("database_errors", "Reads and writes that failed", database_errors.clone());
        let engine_wait = histogram();
        let help = "Time that an engine opponent waits for a worker";
        registry.register_with_unit("engine_wait_duration", help, Unit::Seconds, engine_wait.clone());
        let engine_search = histogram();
        let help = "Time that an engine opponent searches";
        registry.register_with_unit("engine_search_duration", help, Unit::Seconds, engine_search.clone());
        let rejected = Family::default();
        registry.register("rejected_requests", "Responses 429 by exceeded limit", rejected.clone());
        if cfg!(target_os = "linux") {
            let help = "Physical memory of the process";
            registry.register_with_unit("resident_memory", help, Unit::Bytes, Computed(resident_memory));
        }
        Self {
            registry: Mutex::new(registry),
            requests,
            request_duration,
            connections,
            sockets,
            games,
            running_clocks,
            database_duration,
            database_errors,
            engine_wait,
            engine_search,
            rejected,
        }
    }

    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes the length of a queue.
    pub(crate) fn watch_queue(
        &self,
        name: &str,
        help: &str,
        length: impl Fn() -> usize + Send + Sync + 'static,
    ) {
        let length = move || i64::try_from(length()).unwrap_or(i64::MAX);
        self.registry().register(name, help, Computed(length));
    }

    /// Counts a response.
    pub(crate) fn responded(
        &self,
        path: Option<MatchedPath>,
        method: &Method,
        status: StatusCode,
        duration: Duration,
    ) {
        let route = Route(path);
        let labels = RequestLabels { route: route.clone(), method: known(method), status: status.as_u16() };
        self.requests.get_or_create(&labels).inc();
        self.request_duration.get_or_create(&RouteLabels { route }).observe(duration.as_secs_f64());
    }

    /// Counts a connection until the result is dropped.
    pub(crate) fn connection(&self) -> Counted {
        Counted::new(&self.connections)
    }

    /// Counts a socket until the result is dropped.
    pub(crate) fn socket(&self, kind: SocketKind) -> Counted {
        Counted::new(&self.sockets.get_or_create(&SocketLabels { kind }))
    }

    /// Counts a game in memory until the result is dropped.
    pub(crate) fn game(&self) -> Counted {
        Counted::new(&self.games)
    }

    /// Counts a running clock until the result is dropped.
    pub(crate) fn running_clock(&self) -> Counted {
        Counted::new(&self.running_clocks)
    }

    /// Measures an engine opponent: how long it waited for a worker and then searched.
    pub(crate) fn engine_searched(&self, waited: Duration, searched: Duration) {
        self.engine_wait.observe(waited.as_secs_f64());
        self.engine_search.observe(searched.as_secs_f64());
    }

    /// Counts a request that exceeded a limit, by the code of the error.
    pub(crate) fn rejected(&self, limit: &str) {
        let limit = limit.strip_prefix("server.").unwrap_or(limit).to_owned();
        self.rejected.get_or_create(&LimitLabels { limit }).inc();
    }

    /// Measures a read or write.
    pub(crate) fn used_database(&self, operation: DatabaseOperation, duration: Duration, succeeded: bool) {
        let labels = DatabaseLabels { operation };
        self.database_duration.get_or_create(&labels).observe(duration.as_secs_f64());
        if !succeeded {
            self.database_errors.get_or_create(&labels).inc();
        }
    }

    /// All metrics in Prometheus's text format 0.0.4.
    fn encode(&self) -> Result<String, fmt::Error> {
        let mut encoded = String::new();
        encode_registry(&mut encoded, &self.registry())?;
        // The library writes OpenMetrics. The older format, which every collector reads, differs in the comments: counters
        // are named as their samples are, and there are no units.
        let mut text = String::with_capacity(encoded.len());
        let mut lines = encoded.lines().peekable();
        while let Some(line) = lines.next() {
            let comment = line.strip_prefix("# HELP ").and_then(|rest| rest.split_once(' '));
            let kind = lines.peek().and_then(|next| next.strip_prefix("# TYPE ")?.split_once(' '));
            match (comment, kind) {
                (Some((name, help)), Some((_, kind))) => {
                    let suffix = if kind == "counter" { "_total" } else { "" };
                    writeln!(text, "# HELP {name}{suffix} {help}\n# TYPE {name}{suffix} {kind}")?;
                    lines.next();
                }
                _ if line.starts_with("# UNIT") => {}
                _ => writeln!(text, "{line}")?,
            }
        }
        Ok(text)
    }
}

fn histogram() -> Histogram {
    Histogram::new(BUCKETS)
}

/// The name of a usual method. Others share one value, so that clients cannot create metrics.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        _ => "other",
    }
}

/// The physical memory of this process in bytes; 0 if the system does not tell.
fn resident_memory() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    kib.map_or(0, |kib: i64| kib * 1024)
}

/// The routes of the metrics listener.
pub(crate) fn routes(metrics: Arc<Metrics>) -> Router {
    Router::new().route("/metrics", get(encoded)).with_state(metrics)
}

async fn encoded(State(metrics): State<Arc<Metrics>>) -> impl IntoResponse {
    let text = metrics.encode().map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok::<_, StatusCode>(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_one_type_for_every_sample() {
        let metrics = Metrics::new();
        metrics.responded(None, &Method::GET, StatusCode::OK, Duration::from_millis(3));
        let strange = Method::from_bytes(b"BREW").unwrap();
        metrics.responded(None, &strange, StatusCode::METHOD_NOT_ALLOWED, Duration::from_secs(20));
        let sockets =
            [SocketKind::Game, SocketKind::Game, SocketKind::Analysis].map(|kind| metrics.socket(kind));
        let text = metrics.encode().unwrap();
        let types: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let name = line.split(['{', ' ']).next().unwrap();
            let base = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| name.strip_suffix(suffix));
            let is_typed = |typed: &&str| typed.split(' ').next() == Some(base.unwrap_or(name));
            assert_eq!(types.iter().copied().filter(|typed| is_typed(typed)).count(), 1, "{line}");
        }
        for sample in [
            r#"sandtable_http_requests_total{route="page",method="GET",status="200"} 1"#,
            r#"sandtable_http_requests_total{route="page",method="other",status="405"} 1"#,
            r#"sandtable_http_request_duration_seconds_bucket{le="0.005",route="page"} 1"#,
            r#"sandtable_http_request_duration_seconds_bucket{le="+Inf",route="page"} 2"#,
            r#"sandtable_sockets{kind="game"} 2"#,
            "sandtable_connections 0",
            "# TYPE sandtable_http_requests_total counter",
        ] {
            assert!(text.lines().any(|line| line == sample), "{sample} in:\n{text}");
        }
        drop(sockets);
        assert!(metrics.encode().unwrap().contains("sandtable_sockets{kind=\"game\"} 0\n"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn resident_memory_is_known() {
        assert!(resident_memory() > 1 << 20);
    }
}
