//! The Sandtable server: games, views of positions and analysis over HTTP and WebSocket, with the web page.
//!
//! [`run`] serves until Ctrl-C; [`Server`] leaves the runtime and the shutdown to the caller. `openapi.yaml` in this crate
//! describes every path and message; a running server returns it at `/api/openapi.yaml`.
//!
//! ```no_run
//! use sandtable_server::{Config, StartError, run};
//!
//! let mut config = Config::new("games".into());
//! config.listen.set_port(9000);
//! config.limits.total.sockets = 100;
//! run(config, |address| println!("listening on http://{address}"))?;
//! # Ok::<(), StartError>(())
//! ```

mod admission;
mod analysis;
mod api;
mod blocking;
mod clients;
mod config;
mod connections;
mod engine_jobs;
mod error;
mod extract;
mod fair_queue;
mod flag_timer;
mod forwarded;
mod game_socket;
mod guests;
mod kept_engines;
mod limits;
mod metrics;
mod origin_check;
mod process;
mod raw_game;
mod registry;
mod request_log;
mod seat_error;
mod seats_api;
mod socket;
mod static_files;
mod store;
mod store_url;
mod stream;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Router, middleware};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::analysis::AnalysisPool;
use crate::clients::Clients;
use crate::error::{ErrorResponse, internal};
use crate::metrics::Metrics;
use crate::registry::Registry;
pub use crate::store::archive::{ArchiveError, Archived, backup, restore};
use crate::store::{MeasuredStore, PostgresStore, SqliteStore, Store, StoreError};

pub use sandtable_contract::Access;

pub use crate::config::{Config, InvalidNetwork, InvalidPublicUrl, Network, PublicUrl};
pub use crate::limits::{Limits, Quotas};
pub use crate::process::{Stopped, run};
pub use crate::store_url::{InvalidStoreUrl, StoreUrl};

/// How long closing the games may take once all connections are closed. With [`Limits::shutdown_timeout`] and what [`run`]
/// waits for threads, a stop takes less than 5 seconds.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(1_400);

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The data folder cannot be created.
    #[error("cannot create folder {}: {error}", path.display())]
    DataDir {
        /// The folder.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Another server is using the data folder.
    #[error("cannot open the games in {}: another server is using this folder", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// The database cannot be opened: for example, a newer version of Sandtable created it.
    #[error("cannot open the games in {}: {error}", path.display())]
    Store {
        /// The folder.
        path: PathBuf,
        /// The cause.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database cannot be reached, or a newer version of Sandtable created its tables.
    #[error("cannot open the games in {url}: {error}")]
    Database {
        /// The URL without its password.
        url: StoreUrl,
        /// The cause.
        error: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The address is not available.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        error: io::Error,
    },
    /// The runtime or the signal handlers cannot be set up.
    #[error("cannot start the server: {0}")]
    Io(#[from] io::Error),
}

/// The state that all requests share.
#[derive(Clone)]
pub(crate) struct App {
    registry: Arc<Registry>,
    analysis_pool: Arc<AnalysisPool>,
    clients: Arc<Clients>,
    config: Arc<Config>,
    metrics: Arc<Metrics>,
    limits: Limits,
    /// True once the server shuts down.
    shutdown: watch::Receiver<bool>,
}

/// A server that is bound to its address and has opened its games.
///
/// ```no_run
/// use sandtable_server::{Config, Server, StartError};
///
/// # async fn example() -> Result<(), StartError> {
/// let server = Server::bind(Config::new("games".into())).await?;
/// println!("listening on http://{}", server.address()?);
/// server.run(std::future::pending()).await;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    listener: TcpListener,
    metrics_listener: Option<TcpListener>,
    app: App,
    shutdown: watch::Sender<bool>,
}

impl Server {
    /// Opens the games and binds the address. Connections are accepted once [`run`](Self::run) is called.
    pub async fn bind(mut config: Config) -> Result<Self, StartError> {
        config.access = config.effective_access();
        if config.access == Access::Open {
            // One person, or people who trust each other.
            config.limits.per_client = config.limits.total;
            config.limits.analyses_per_client = usize::MAX;
        }
        let Config { listen, limits, .. } = config;
        let metrics = Arc::new(Metrics::new());
        let store = open_store(&config).await?;
        let store = Arc::new(MeasuredStore::new(store, Arc::clone(&metrics)));
        let listener = bind(listen)?;
        let metrics_listener = match config.metrics_listen {
            Some(address) => Some(bind(address)?),
            None => None,
        };
        let (shutdown, shutdown_receiver) = watch::channel(false);
        let analysis_pool = Arc::new(AnalysisPool::new(&limits, config.networks.clone()));
        let watched = Arc::clone(&analysis_pool);
        metrics.watch_queue("analysis_queue", "Analyses that wait for a worker", move || watched.waiting());
        let registry = Registry::new(store, config.access, &limits, Arc::clone(&metrics));
        registry.follow();
        let app = App {
            registry,
            analysis_pool,
            clients: Clients::new(limits.per_client, limits.total),
            config: Arc::new(config),
            metrics,
            limits,
            shutdown: shutdown_receiver,
        };
        Ok(Self { listener, metrics_listener, app, shutdown })
    }

    /// The address the server is bound to.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The address at which the server publishes its metrics, if it does.
    pub fn metrics_address(&self) -> Option<io::Result<SocketAddr>> {
        self.metrics_listener.as_ref().map(TcpListener::local_addr)
    }

    /// Serves until `stop` completes, then shuts down: stops searches, closes sockets, finishes pending requests and closes
    /// the games.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Self { listener, metrics_listener, app, shutdown } = self;
        let metrics = metrics_listener.map(|listener| {
            let routes = metrics::routes(Arc::clone(&app.metrics));
            // Accepting never fails for good, so this task runs until it is aborted.
            tokio::spawn(async move { axum::serve(listener, routes).await })
        });
        let registry = Arc::clone(&app.registry);
        let stop = {
            let registry = Arc::clone(&registry);
            async move {
                stop.await;
                tracing::info!("shutting down");
                registry.begin_shutdown();
                shutdown.send_replace(true);
            }
        };
        connections::serve(listener, &app, router(app.clone()), stop).await;
        if tokio::time::timeout(CLOSE_TIMEOUT, registry.close()).await.is_err() {
            tracing::error!("the database could not be closed in time");
        }
        if let Some(metrics) = metrics {
            metrics.abort();
        }
    }
}

fn bind(address: SocketAddr) -> Result<TcpListener, StartError> {
    connections::listen(address).map_err(|error| StartError::Listen { address, error })
}

async fn open_store(config: &Config) -> Result<Arc<dyn Store>, StartError> {
    if let Some(url) = &config.store {
        let store = PostgresStore::open(url.config()).await;
        let store = store.map_err(|error| StartError::Database { url: url.clone(), error: error.into() })?;
        return Ok(Arc::new(store));
    }
    let path = || config.data_dir.clone();
    std::fs::create_dir_all(&config.data_dir).map_err(|error| StartError::DataDir { path: path(), error })?;
    let store =
        SqliteStore::open(&config.data_dir, config.limits.store_timeout).map_err(|error| match error {
            StoreError::InUse => StartError::InUse { path: path() },
            error => StartError::Store { path: path(), error: error.into() },
        })?;
    Ok(Arc::new(store))
}

fn router(app: App) -> Router {
    const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                          base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let set_header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    };
    // API responses are not compressed: clients are near, and latency matters more than size.
    let page = static_files::routes().layer(CompressionLayer::new());
    api::routes()
        .layer(set_header(header::CACHE_CONTROL, "no-store"))
        .fallback_service(page)
        .layer(DefaultBodyLimit::max(app.limits.max_body))
        .layer(middleware::from_fn_with_state(app.clone(), origin_check::check_origin))
        .layer(middleware::from_fn_with_state(app.clone(), admission::admit))
        .layer(CatchPanicLayer::custom(panic_response))
        .layer(set_header(header::CONTENT_SECURITY_POLICY, POLICY))
        .layer(set_header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(set_header(header::REFERRER_POLICY, "no-referrer"))
        .layer(middleware::from_fn_with_state(app.clone(), request_log::log_request))
        .with_state(app)
}

#[expect(clippy::needless_pass_by_value, reason = "the signature that the layer requires")]
fn panic_response(payload: Box<dyn std::any::Any + Send>) -> Response {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    ErrorResponse::from(internal("a request handler panicked", &text.unwrap_or("no message"))).into_response()
}
