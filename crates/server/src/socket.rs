//! `WebSocket` connections: limits on their number, buffers and messages, keep-alive pings and send timeouts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::request::Parts;
use axum::response::Response;
use sandtable_contract::ApiError;
use tokio::time::{Instant, Interval, MissedTickBehavior};

use crate::App;
use crate::clients::{Client, Clients, Permit, Resource};
use crate::error::{ErrorResponse, rejected};
use crate::metrics::{Counted, SocketKind};
use crate::registry::RoundTrip;

/// The longest message of a client, in bytes.
const MAX_MESSAGE: usize = 64 * 1024;
/// The most bytes that wait to be written: more than the longest message of the server, a long game with many legal moves.
const MAX_WRITE_BUFFER: usize = 4 * 1024 * 1024;
/// Messages are written at once.
const WRITE_BUFFER: usize = 0;
/// A client may send as many messages at once as in this time.
const MESSAGE_BURST: Duration = Duration::from_secs(5);
/// After this many pings in a row without an answer, the client counts as gone.
const MAX_UNANSWERED_PINGS: u32 = 3;

/// Messages up to this length do not count as unread bytes: the number of sockets limits them well enough.
const SMALL_MESSAGE: usize = 64 * 1024;

/// The upgrade of a request to a WebSocket, or why it cannot be upgraded.
pub(crate) struct Upgrade {
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    client: Client,
}

impl FromRequestParts<App> for Upgrade {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ErrorResponse> {
        let client = Client::from_request_parts(parts, app).await?;
        Ok(Self { upgrade: WebSocketUpgrade::from_request_parts(parts, app).await, client })
    }
}

/// An accepted upgrade that holds one of the limited number of sockets.
pub(crate) struct PendingSocket {
    upgrade: WebSocketUpgrade,
    permit: Permit,
    buffer: WriteBuffer,
    counted: Counted,
    ping_interval: Duration,
    send_timeout: Duration,
    message_interval: Duration,
    round_trip: RoundTrip,
}

impl PendingSocket {
    pub(crate) fn new(app: &App, kind: SocketKind, upgrade: Upgrade) -> Result<Self, ApiError> {
        let Upgrade { upgrade, client } = upgrade;
        let upgrade = upgrade.map_err(|e| rejected(e.body_text()))?;
        Ok(Self {
            upgrade: upgrade
                .max_message_size(MAX_MESSAGE)
                .max_frame_size(MAX_MESSAGE)
                .write_buffer_size(WRITE_BUFFER)
                .max_write_buffer_size(MAX_WRITE_BUFFER),
            permit: app.clients.acquire(client, Resource::Sockets)?,
            buffer: WriteBuffer {
                clients: Arc::clone(&app.clients),
                client,
                size: SMALL_MESSAGE,
                permit: None,
            },
            counted: app.metrics.socket(kind),
            ping_interval: app.limits.ping_interval,
            send_timeout: app.limits.io_timeout,
            message_interval: Duration::from_secs(1) / app.limits.socket_messages_per_second.max(1),
            round_trip: Arc::new(AtomicU64::new(u64::MAX)),
        })
    }

    /// Where the socket will store the round trip time of its pings.
    pub(crate) fn round_trip(&self) -> RoundTrip {
        Arc::clone(&self.round_trip)
    }

    /// The response that opens the socket; `serve` then runs it.
    pub(crate) fn open<T: Future<Output = ()> + Send>(
        self,
        serve: impl FnOnce(Socket) -> T + Send + 'static,
    ) -> Response {
        let Self {
            upgrade,
            permit,
            buffer,
            counted,
            ping_interval,
            send_timeout,
            message_interval,
            round_trip,
        } = self;
        upgrade.on_upgrade(move |stream| async move {
            let _held = (permit, counted);
            // The first ping measures the lag at once.
            let mut pings = tokio::time::interval(ping_interval);
            // After a delay on our side, a burst of pings would leave the client no time to answer.
            pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let messages = MessageRate { interval: message_interval, spent_until: Instant::now() };
            let (opened, unanswered_pings) = (Instant::now(), 0);
            serve(Socket {
                stream,
                buffer,
                pings,
                send_timeout,
                messages,
                unanswered_pings,
                opened,
                round_trip,
            })
            .await;
        })
    }
}

/// The buffer for outgoing messages. It never becomes smaller, so a long message counts as unread until the socket closes.
struct WriteBuffer {
    clients: Arc<Clients>,
    client: Client,
    size: usize,
    permit: Option<Permit>,
}

impl WriteBuffer {
    /// Makes room for a message. Fails if the client has too much in its buffers.
    fn grow(&mut self, length: usize) -> Result<(), Closed> {
        if length > self.size {
            // Gives back the old size first.
            self.permit = None;
            let permit = self.clients.acquire_many(self.client, Resource::ResponseBytes, length as u64);
            self.permit = Some(permit.map_err(|_| Closed)?);
            self.size = length;
        }
        Ok(())
    }
}

/// The messages that a client sends, pings included.
struct MessageRate {
    /// The time that one message takes at the highest rate.
    interval: Duration,
    /// The time that the messages so far take at that rate ends here.
    spent_until: Instant,
}

impl MessageRate {
    /// Counts a message. Returns whether the client keeps to the rate.
    fn count(&mut self) -> bool {
        let now = Instant::now();
        self.spent_until = self.spent_until.max(now) + self.interval;
        self.spent_until <= now + MESSAGE_BURST
    }
}

/// An open WebSocket. It counts as closed when the client does not answer pings, does not read its messages or sends too
/// many.
pub(crate) struct Socket {
    stream: WebSocket,
    buffer: WriteBuffer,
    pings: Interval,
    send_timeout: Duration,
    messages: MessageRate,
    /// Pings sent since the last message from the client.
    unanswered_pings: u32,
    /// The payload of a ping is the time since then, in milliseconds.
    opened: Instant,
    round_trip: RoundTrip,
}

/// The client is gone.
pub(crate) struct Closed;

impl Socket {
    /// The next text or binary message. Cancel safe: `select!` loses no message.
    pub(crate) async fn receive(&mut self) -> Result<Message, Closed> {
        loop {
            tokio::select! {
                message = self.stream.recv() => {
                    let Some(Ok(message)) = message else { return Err(Closed) };
                    if !self.messages.count() {
                        let (code, reason) = (close_code::POLICY, "too many messages".into());
                        let _ = self.send(Message::Close(Some(CloseFrame { code, reason }))).await;
                        return Err(Closed);
                    }
                    self.unanswered_pings = 0;
                    match message {
                        Message::Pong(payload) => self.measure(&payload),
                        Message::Ping(_) => {}
                        Message::Text(_) | Message::Binary(_) => return Ok(message),
                        Message::Close(_) => return Err(Closed),
                    }
                }
                _ = self.pings.tick() => {
                    if self.unanswered_pings == MAX_UNANSWERED_PINGS {
                        return Err(Closed);
                    }
                    self.unanswered_pings += 1;
                    let sent = self.time().to_be_bytes();
                    self.send(Message::Ping(sent.to_vec().into())).await?;
                }
            }
        }
    }

    /// Milliseconds since the socket was opened.
    fn time(&self) -> u64 {
        self.opened.elapsed().as_millis() as u64
    }

    /// Stores the round trip time of the ping that a client answers. A client that answers late, or makes an answer up,
    /// gains no more than the bound of the lag credit.
    fn measure(&self, payload: &[u8]) {
        if let Ok(sent) = payload.try_into().map(u64::from_be_bytes) {
            self.round_trip.store(self.time().saturating_sub(sent), Ordering::Relaxed);
        }
    }

    /// Sends a message. A client that does not read it in time counts as gone.
    pub(crate) async fn send(&mut self, message: Message) -> Result<(), Closed> {
        if let Message::Text(text) = &message {
            self.buffer.grow(text.len())?;
        }
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
