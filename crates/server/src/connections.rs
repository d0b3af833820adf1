//! The accept loop: it serves connections, limits their number, closes idle ones and shuts down gracefully.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode, header};
use axum::response::IntoResponse as _;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1::Builder;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use sandtable_contract::ApiError;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, watch};

use crate::App;
use crate::clients::{Client, Permit, Resource};
use crate::error::ErrorResponse;
use crate::stream::{Serving, ServingFlag, TimedStream};

/// The send buffer of a connection in the operating system, in bytes. Without this bound, it grows to several MiB for a
/// client that reads nothing, which no quota counts.
const SEND_BUFFER: u32 = 128 * 1024;
/// How many connections may wait to be accepted.
const BACKLOG: u32 = 1_024;
/// The pause after `accept` has failed, for example because the process has no file descriptor left.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(200);
/// How many refused connections may be told so at the same time; further ones are closed at once.
const MAX_REFUSALS: usize = 64;
/// How long a refused connection stays open, so that the client can read why.
const REFUSAL_TIME: Duration = Duration::from_secs(1);

/// Listens on an address.
pub(crate) fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A server can restart at once. On Windows, the option would let two servers share an address.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    // Accepted connections inherit it.
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves until `shutdown` completes, then until every request received has its response or the time for it is over.
pub(crate) async fn serve(
    listener: TcpListener,
    app: &App,
    router: Router,
    shutdown: impl Future<Output = ()>,
) {
    let limits = app.limits;
    let mut http = Builder::new();
    // This timeout starts at the end of the previous request. The one for the head itself is in `TimedStream`.
    http.timer(TokioTimer::new()).header_read_timeout(limits.idle_timeout).max_header_size(limits.max_head);
    let (close_all, closing) = watch::channel(());
    let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = accept(&listener) => accepted,
            () = &mut shutdown => break,
        };
        let permit = match admit(app, peer.ip()) {
            Ok(permit) => permit,
            Err(error) => {
                app.metrics.rejected(&error.detail().code);
                refuse(stream, error, &refusals);
                continue;
            }
        };
        let serving = ServingFlag::default();
        let stream =
            TimedStream::new(stream, serving.clone(), limits.head_timeout, limits.io_timeout, permit);
        let router = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            let (serving, response) = (serving.begin(), router.call(request));
            async move {
                let response = response.await?;
                if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                    serving.upgraded();
                    return Ok::<_, Infallible>(response);
                }
                Ok(response.map(|body| Body::new(ServedBody { body, _serving: serving })))
            }
        });
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut closing = closing.clone();
        let counted = app.metrics.connection();
        tokio::spawn(async move {
            let _counted = counted;
            let mut connection = pin!(connection);
            let result = tokio::select! {
                result = connection.as_mut() => result,
                _ = closing.changed() => {
                    connection.as_mut().graceful_shutdown();
                    // Dropping the connection also ends the work on its request.
                    let rest = tokio::time::timeout(limits.shutdown_timeout, connection);
                    rest.await.unwrap_or(Ok(()))
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

/// The body of a response. The request counts as being served until the body has been handed over.
struct ServedBody {
    body: Body,
    _serving: Serving,
}

impl HttpBody for ServedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Counts a new connection, if its client does not have too many. The connections of a trusted proxy belong to many
/// clients and are limited in total only.
fn admit(app: &App, peer: IpAddr) -> Result<Permit, ApiError> {
    let is_proxy = app.config.trusted_proxies.iter().any(|network| network.contains(peer));
    let client = (!is_proxy).then(|| Client::anonymous(peer));
    app.clients.acquire(client, Resource::Connections)
}

/// Tells a client in the background that it has too many connections, and closes this one.
fn refuse(mut stream: TcpStream, error: ApiError, refusals: &Arc<Semaphore>) {
    let Ok(permit) = Arc::clone(refusals).try_acquire_owned() else { return };
    tokio::spawn(async move {
        let telling = async {
            stream.write_all(&response_bytes(error).await).await?;
            stream.shutdown().await?;
            // Closing a connection before the client's bytes are read would discard the response.
            while stream.read(&mut [0; 1_024]).await? > 0 {}
            io::Result::Ok(())
        };
        // Whether the client has read it makes no difference.
        let _ = tokio::time::timeout(REFUSAL_TIME, telling).await;
        drop(permit);
    });
}

/// The bytes of an error response on a connection that no HTTP library serves.
async fn response_bytes(error: ApiError) -> Vec<u8> {
    let (head, body) = ErrorResponse::from(error).into_response().into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let mut bytes =
        format!("HTTP/1.1 {}\r\nconnection: close\r\ncontent-length: {}\r\n", head.status, body.len())
            .into_bytes();
    for (name, value) in &head.headers {
        if *name != header::CONTENT_LENGTH {
            bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
        }
    }
    bytes.extend(b"\r\n");
    bytes.extend(body);
    bytes
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
