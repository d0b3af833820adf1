//! The game WebSocket: it sends a client the current game, then every change.

use axum::extract::ws::Message;
use serde::Serialize;
use tokio::sync::watch;

use crate::registry::{Snapshot, Update};
use crate::socket::{Closed, Socket};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum GameMessage {
    Current { version: u64 },
    Deleted,
}

/// Serves one game socket until the client disconnects, the game is deleted or the server shuts down. The first message is
/// the game, or `current` if the client has `seen` this version.
pub(crate) async fn serve(
    mut socket: Socket,
    game: Snapshot,
    seen: Option<u64>,
    mut updates: watch::Receiver<Update>,
    mut shutdown: watch::Receiver<bool>,
) {
    let mut next = if seen == Some(game.version) {
        message(&GameMessage::Current { version: game.version })
    } else {
        Message::Text(game.message())
    };
    loop {
        if let Err(Closed) = socket.send(next).await {
            return;
        }
        next = loop {
            tokio::select! {
                received = socket.receive() => match received {
                    // The protocol has no client messages.
                    Ok(_) => {}
                    Err(Closed) => return,
                },
                changed = updates.changed() => match changed.map(|()| updates.borrow_and_update().clone()) {
                    Ok(Update::Game(message)) => break Message::Text(message),
                    Ok(Update::Deleted) => return socket.close(Some(message(&GameMessage::Deleted))).await,
                    // The game left memory after a failed write. The client reconnects and gets what is on disk.
                    Err(_) => return socket.close(None).await,
                },
                _ = shutdown.changed() => return socket.close(None).await,
            }
        };
    }
}

fn message(message: &GameMessage) -> Message {
    Message::Text(serde_json::to_string(message).expect("messages serialise to JSON").into())
}
