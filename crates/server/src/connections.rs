//! Connections: taken, served with a limit on how long a request may take to come, and ended politely.

use std::io;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// How long nobody is let in after the system had no room for one more.
const PAUSE: Duration = Duration::from_millis(200);

/// Serves until `stop` comes, and then until everybody has got the answer that was asked for.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    idle: Duration,
    stop: impl Future<Output = ()>,
) {
    let mut http = Builder::new();
    // It counts from the end of the request before.
    http.timer(TokioTimer::new()).header_read_timeout(idle);
    let (ending, ended) = watch::channel(());
    let mut stop = pin!(stop);
    loop {
        let stream = tokio::select! {
            stream = accept(&listener) => stream,
            () = &mut stop => break,
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut ended = ended.clone();
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            let served = tokio::select! {
                served = connection.as_mut() => served,
                _ = ended.changed() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(e) = served {
                tracing::debug!(%e, "a connection broke off");
            }
        });
    }
    drop((listener, ended));
    ending.send_replace(());
    // Every connection holds a receiver until it ends.
    ending.closed().await;
}

/// The next connection. What goes wrong with one is no reason not to take another.
async fn accept(listener: &TcpListener) -> TcpStream {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Answers are small and wanted at once. A stream that does not take this serves all the same.
                let _ = stream.set_nodelay(true);
                return stream;
            }
            Err(e) if matches!(e.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) => {}
            Err(e) => {
                tracing::error!(%e, "a connection cannot be taken");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
