//! `WebSocket` connections: a limit on their number, keep-alive pings and send timeouts.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use sandtable_contract::{ApiError, ErrorCode};
use tokio::time::{Instant, Interval, MissedTickBehavior};

use crate::App;
use crate::error::{ServerError, rejected};
use crate::metrics::{Counted, SocketKind};

/// The longest message of a client, in bytes.
const MAX_MESSAGE: usize = 64 * 1024;
/// After this many pings in a row without an answer, the client counts as gone.
const MAX_UNANSWERED_PINGS: u32 = 3;

/// The upgrade of a request to a WebSocket, or why it cannot be upgraded.
pub(crate) type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// An accepted upgrade that holds one of the limited number of sockets.
pub(crate) struct PendingSocket {
    upgrade: WebSocketUpgrade,
    permit: tokio::sync::OwnedSemaphorePermit,
    counted: Counted,
    ping_interval: Duration,
    send_timeout: Duration,
}

impl PendingSocket {
    pub(crate) fn new(app: &App, kind: SocketKind, upgrade: Upgrade) -> Result<Self, ApiError> {
        let upgrade = upgrade.map_err(|e| rejected(e.body_text()))?;
        let permit = Arc::clone(&app.sockets).try_acquire_owned();
        Ok(Self {
            upgrade: upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE),
            permit: permit.map_err(|_| ApiError::new(ErrorCode::Busy, &ServerError::TooManySockets))?,
            counted: app.metrics.socket(kind),
            ping_interval: app.limits.ping_interval,
            send_timeout: app.limits.io_timeout,
        })
    }

    /// The response that opens the socket; `serve` then runs it.
    pub(crate) fn open<T: Future<Output = ()> + Send>(
        self,
        serve: impl FnOnce(Socket) -> T + Send + 'static,
    ) -> Response {
        let Self { upgrade, permit, counted, ping_interval, send_timeout } = self;
        upgrade.on_upgrade(move |stream| async move {
            let _held = (permit, counted);
            let mut pings = tokio::time::interval_at(Instant::now() + ping_interval, ping_interval);
            // After a delay on our side, a burst of pings would leave the client no time to answer.
            pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
            serve(Socket { stream, pings, send_timeout, unanswered_pings: 0 }).await;
        })
    }
}

/// An open WebSocket. It counts as closed when the client neither answers pings nor reads its messages.
pub(crate) struct Socket {
    stream: WebSocket,
    pings: Interval,
    send_timeout: Duration,
    /// Pings sent since the last message from the client.
    unanswered_pings: u32,
}

/// The client is gone.
pub(crate) struct Closed;

impl Socket {
    /// The next text or binary message. Cancel safe: `select!` loses no message.
    pub(crate) async fn receive(&mut self) -> Result<Message, Closed> {
        loop {
            tokio::select! {
                message = self.stream.recv() => match message {
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => self.unanswered_pings = 0,
                    Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                        self.unanswered_pings = 0;
                        return Ok(message);
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Closed),
                },
                _ = self.pings.tick() => {
                    if self.unanswered_pings == MAX_UNANSWERED_PINGS {
                        return Err(Closed);
                    }
                    self.unanswered_pings += 1;
                    self.send(Message::Ping(Vec::new().into())).await?;
                }
            }
        }
    }

    /// Sends a message. A client that does not read it in time counts as gone.
    pub(crate) async fn send(&mut self, message: Message) -> Result<(), Closed> {
        match tokio::time::timeout(self.send_timeout, self.stream.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Closed),
        }
    }

    /// Sends a last message, if there is one, and closes the socket.
    pub(crate) async fn close(mut self, last: Option<Message>) {
        for message in last.into_iter().chain([Message::Close(None)]) {
            if self.send(message).await.is_err() {
                return;
            }
        }
    }
}
