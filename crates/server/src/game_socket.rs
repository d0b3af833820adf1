//! The game WebSocket: it sends a client the current game, then every change.

use axum::extract::ws::Message;
use sandtable_contract::{GameMessage, to_json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use crate::registry::{Subscription, Update};
use crate::socket::{Closed, Socket};

/// Serves one game socket until the client disconnects, the game is deleted or the server shuts down. The first message is
/// the game, or `current` and `presence` if the client has `seen` this version. Later ones have what has changed.
pub(crate) async fn serve(
    mut socket: Socket,
    mut subscription: Subscription,
    seen: Option<u64>,
    mut shutdown: watch::Receiver<bool>,
) {
    let version = subscription.snapshot.version();
    let mut messages = if seen == Some(version) {
        let current = notice(&GameMessage::Current { version });
        vec![current].into_iter().chain(subscription.presence().map(Message::Text)).collect()
    } else {
        vec![Message::Text(subscription.game().into())]
    };
    loop {
        for message in messages {
            if let Err(Closed) = socket.send(message).await {
                return;
            }
        }
        let next = loop {
            tokio::select! {
                received = socket.receive() => match received {
                    // The protocol has no client messages.
                    Ok(_) => {}
                    Err(Closed) => return,
                },
                changed = subscription.updates.changed() => {
                    // An error cannot happen: the subscription holds the game with its sender.
                    let update = changed.map(|()| subscription.updates.borrow_and_update().clone());
                    match update {
                        Ok(Update::Game(snapshot)) => {
                            break Message::Text(subscription.change_to(snapshot).into());
                        }
                        Ok(Update::Deleted(reason)) => {
                            return socket.close(Some(notice(&GameMessage::Deleted { reason }))).await;
                        }
                        // The game left memory after a failed write. The client reconnects and gets what is on disk.
                        Ok(Update::Outdated) | Err(_) => return socket.close(None).await,
                    }
                }
                received = subscription.notices.recv() => match received {
                    Ok(notice) if notice.is_private && !subscription.is_player() => {}
                    Ok(notice) => break Message::Text(notice.message),
                    // The client has missed messages. It reconnects and requests them.
                    Err(RecvError::Lagged(_) | RecvError::Closed) => return socket.close(None).await,
                },
                _ = shutdown.changed() => return socket.close(None).await,
            }
        };
        messages = vec![next];
    }
}

fn notice(message: &GameMessage) -> Message {
    Message::Text(to_json(message).into())
}
