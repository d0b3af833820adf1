//! Sandtable behind HTTP and `WebSocket`: games that are kept, views of positions, analysis, and the page.
//!
//! The rules come from the facade alone. `openapi.yaml` describes every path and message, and the tests hold the server to it.
//!
//! ```no_run
//! let config = sandtable_server::Config::new("games".into());
//! sandtable_server::run(config, |address| println!("http://{address}"))?;
//! # Ok::<(), sandtable_server::StartError>(())
//! ```

mod analysis;
mod api;
mod body;
mod clock;
mod connections;
mod engine;
mod follow;
mod guard;
mod hall;
mod page;
mod refusal;
mod said;
mod session;
mod socket;
mod store;
mod view;
mod wire;
mod work;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Router, middleware};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;

pub use store::StoreError;

use crate::analysis::Analysts;
use crate::hall::Hall;
use crate::refusal::Refusal;
use crate::store::Store;

/// How long clients have to end what they are doing once the server is told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// Where the server listens, where it keeps its games, and what it spends.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The folder for the games; it is made if it is not there.
    pub data: PathBuf,
    /// Names of this server, beside `localhost` and addresses.
    pub hosts: Vec<String>,
    /// What one client or all of them may take.
    pub limits: Limits,
}

/// What one client or all of them may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The longest body of a request, in bytes.
    pub body: usize,
    /// How many sockets may be open.
    pub sockets: usize,
    /// How many engines may think about a move at the same time; the others wait.
    pub thinkers: usize,
    /// How many analyses may search at the same time; the others wait.
    pub analyses: usize,
    /// The longest analysis.
    pub analysis_time: Duration,
    /// The table of an analysis, in MiB.
    pub analysis_table: usize,
    /// How long a client may take to send the body of a request, and to hear a message.
    pub patience: Duration,
    /// How long a connection may stay open without the head of a request. Clients that keep connections for a while should
    /// give them up before the server does.
    pub idle: Duration,
    /// How often an idle socket is pinged, so that both ends notice when the other is gone.
    pub ping: Duration,
}

impl Default for Limits {
    /// Half the processors for opponents and half for analyses, at least one each.
    fn default() -> Self {
        let half = std::thread::available_parallelism().map_or(1, |n| (n.get() / 2).max(1));
        Self {
            body: 256 * 1024,
            sockets: 1_024,
            thinkers: half,
            analyses: half,
            analysis_time: Duration::from_mins(2),
            analysis_table: 32,
            patience: Duration::from_secs(20),
            idle: Duration::from_secs(100),
            ping: Duration::from_secs(20),
        }
    }
}

impl Config {
    /// The port that is used if nothing else is said.
    pub const PORT: u16 = 8080;

    /// A server on the loopback interface alone, with its games in that folder.
    #[must_use]
    pub fn new(data: PathBuf) -> Self {
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, Self::PORT));
        Self { listen, data, hosts: Vec::new(), limits: Limits::default() }
    }
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The folder for the games cannot be made.
    #[error("cannot make the folder {path}: {why}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        why: io::Error,
    },
    /// The games cannot be opened.
    #[error("cannot open the games in {folder}: {why}")]
    Store {
        /// The folder that they are in.
        folder: PathBuf,
        /// Why not.
        why: StoreError,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {why}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        why: io::Error,
    },
    /// The system does not let the server run.
    #[error("the server cannot run: {0}")]
    System(#[from] io::Error),
}

/// What all requests share.
#[derive(Clone)]
pub(crate) struct App {
    hall: Arc<Hall>,
    analysts: Arc<Analysts>,
    sockets: Arc<Semaphore>,
    hosts: Arc<[String]>,
    limits: Limits,
    stopping: watch::Receiver<bool>,
}

/// A server that listens and has its games open.
pub struct Server {
    listener: TcpListener,
    app: App,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Opens the games and listens; requests wait until [`run`](Self::run).
    pub async fn bind(config: Config) -> Result<Self, StartError> {
        let Config { listen, data, hosts, limits } = config;
        std::fs::create_dir_all(&data).map_err(|why| StartError::Folder { path: data.clone(), why })?;
        let store = Store::open(&data).map_err(|why| StartError::Store { folder: data, why })?;
        let listener =
            TcpListener::bind(listen).await.map_err(|why| StartError::Listen { address: listen, why })?;
        let (stop, stopping) = watch::channel(false);
        let analysts = Analysts::new(limits.analyses, limits.analysis_time, limits.analysis_table);
        let app = App {
            hall: Hall::new(store, limits.thinkers),
            analysts: Arc::new(analysts),
            sockets: Arc::new(Semaphore::new(limits.sockets)),
            hosts: hosts.into(),
            limits,
            stopping,
        };
        Ok(Self { listener, app, stop })
    }

    /// The address it listens on.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until `stop` comes; then ends searches and sockets, answers what was asked, and closes the games.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let Self { listener, app, stop: stopping } = self;
        let hall = Arc::clone(&app.hall);
        let (mut stopped, idle) = (app.stopping.clone(), app.limits.idle);
        let ending = Arc::clone(&hall);
        let stop = async move {
            stop.await;
            tracing::info!("stopping");
            ending.begin_stopping();
            stopping.send_replace(true);
        };
        let too_long = async move {
            // The sender lives as long as the server: an error means that it has stopped.
            let _ = stopped.wait_for(|stopped| *stopped).await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            () = connections::serve(listener, router(app), idle, stop) => {}
            () = too_long => tracing::info!("clients that did not finish were left"),
        }
        hall.close().await;
    }
}

fn router(app: App) -> Router {
    const POLICY: &str = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; \
                          base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let set = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    };
    // The page is compressed; what the API says goes a short way and is wanted at once.
    let page = page::routes().layer(CompressionLayer::new());
    api::routes()
        .fallback_service(page)
        .layer(DefaultBodyLimit::max(app.limits.body))
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(set(header::CONTENT_SECURITY_POLICY, POLICY))
        .layer(set(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(set(header::REFERRER_POLICY, "no-referrer"))
        .layer(TraceLayer::new_for_http())
        .with_state(app)
}

#[expect(clippy::needless_pass_by_value, reason = "the layer wants it so")]
fn panicked(why: Box<dyn std::any::Any + Send>) -> Response {
    let text =
        why.downcast_ref::<&str>().copied().or_else(|| why.downcast_ref::<String>().map(String::as_str));
    Refusal::internal("a request panicked", &text.unwrap_or("it did not say why")).into_response()
}

/// Runs a server until Ctrl-C or a termination signal. `ready` hears the address when it listens.
pub fn run(config: Config, ready: impl FnOnce(SocketAddr)) -> Result<(), StartError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        // Who is told the address may send a signal at once.
        let stop = signalled()?;
        let server = Server::bind(config).await?;
        let address = server.address()?;
        tracing::info!(%address, "listening");
        ready(address);
        server.run(stop).await;
        Ok(())
    })
}

/// Comes with Ctrl-C or a termination signal, as soon as this was called.
#[cfg(unix)]
fn signalled() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Comes with Ctrl-C.
#[cfg(not(unix))]
fn signalled() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
