//! The accept loop: it serves connections, closes idle ones and shuts down gracefully.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::{Extension, Router};
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower_layer::Layer as _;

use crate::metrics::Metrics;

/// The pause after `accept` has failed, for example because the process has no file descriptor left.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(200);

/// Serves until `shutdown` completes, then until every request received has its response.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    metrics: &Metrics,
    idle_timeout: Duration,
    shutdown: impl Future<Output = ()>,
) {
    let mut http = Builder::new();
    // The timeout starts at the end of the previous request.
    http.timer(TokioTimer::new()).header_read_timeout(idle_timeout);
    let (close_all, closing) = watch::channel(());
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = accept(&listener) => accepted,
            () = &mut shutdown => break,
        };
        let service = TowerToHyperService::new(Extension(ConnectInfo(peer)).layer(router.clone()));
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut closing = closing.clone();
        let counted = metrics.connection();
        tokio::spawn(async move {
            let _counted = counted;
            let mut connection = pin!(connection);
            let result = tokio::select! {
                result = connection.as_mut() => result,
                _ = closing.changed() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(e) = result {
                tracing::debug!(%e, "connection error");
            }
        });
    }
    drop((listener, closing));
    close_all.send_replace(());
    // Every connection holds a receiver until it ends.
    close_all.closed().await;
}

/// Accepts the next connection, retrying after errors.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Responses are small and latency matters. The connection works without this option too.
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            Err(e) if matches!(e.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) => {}
            Err(e) => {
                tracing::error!(%e, "cannot accept a connection");
                tokio::time::sleep(ACCEPT_BACKOFF).await;
            }
        }
    }
}
