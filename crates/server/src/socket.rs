//! Sockets: how many there are, and when one is given up because nobody is at its other end.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use tokio::time::{Instant, Interval};

use crate::App;
use crate::refusal::{Code, Refusal};

/// No message from a client is longer.
const MAX_MESSAGE: usize = 64 * 1024;
/// Who leaves so many pings without an answer is gone.
const UNANSWERED: u32 = 3;

/// What makes a request a socket, or why it is none.
pub(crate) type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// A place for one more socket, and the answer that opens it.
pub(crate) struct Opening {
    upgrade: WebSocketUpgrade,
    place: tokio::sync::OwnedSemaphorePermit,
    ping: Duration,
    patience: Duration,
}

impl Opening {
    pub(crate) fn new(app: &App, upgrade: Upgrade) -> Result<Self, Refusal> {
        let upgrade = upgrade.map_err(|e| Refusal::new(Code::BadRequest, e.body_text()))?;
        let place = Arc::clone(&app.sockets).try_acquire_owned();
        Ok(Self {
            upgrade: upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE),
            place: place.map_err(|_| Refusal::new(Code::Busy, "too many sockets are open"))?,
            ping: app.limits.ping,
            patience: app.limits.patience,
        })
    }

    /// Opens the socket and has `talk` talk through it.
    pub(crate) fn open<T: Future<Output = ()> + Send>(
        self,
        talk: impl FnOnce(Socket) -> T + Send + 'static,
    ) -> Response {
        let Self { upgrade, place, ping, patience } = self;
        upgrade.on_upgrade(move |stream| async move {
            let _place = place;
            let ping = tokio::time::interval_at(Instant::now() + ping, ping);
            talk(Socket { stream, ping, patience, unanswered: 0 }).await;
        })
    }
}

/// A socket whose client may fall silent: it is pinged, and given up when it neither answers nor listens.
pub(crate) struct Socket {
    stream: WebSocket,
    ping: Interval,
    patience: Duration,
    /// How many pings have been sent since anything was heard.
    unanswered: u32,
}

/// Nobody is at the other end.
pub(crate) struct Gone;

impl Socket {
    /// The next message with a content. It may be awaited in a `select!`: nothing is lost if something else comes first.
    pub(crate) async fn hear(&mut self) -> Result<Message, Gone> {
        loop {
            tokio::select! {
                message = self.stream.recv() => match message {
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => self.unanswered = 0,
                    Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                        self.unanswered = 0;
                        return Ok(message);
                    }
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
                },
                _ = self.ping.tick() => {
                    if self.unanswered == UNANSWERED {
                        return Err(Gone);
                    }
                    self.unanswered += 1;
                    self.say(Message::Ping(Vec::new().into())).await?;
                }
            }
        }
    }

    /// Sends a message, to somebody who listens.
    pub(crate) async fn say(&mut self, message: Message) -> Result<(), Gone> {
        match tokio::time::timeout(self.patience, self.stream.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Gone),
        }
    }

    /// Says a last word, if there is one, and closes.
    pub(crate) async fn leave(mut self, last: Option<Message>) {
        for message in last.into_iter().chain([Message::Close(None)]) {
            if self.say(message).await.is_err() {
                return;
            }
        }
    }
}
