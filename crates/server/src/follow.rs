//! A socket that hears of every change of a game.

use axum::extract::ws::Message;
use serde::Serialize;
use tokio::sync::watch;

use crate::hall::{News, Snapshot};
use crate::socket::{Gone, Socket};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Notice {
    Current { version: u64 },
    Gone,
}

/// Tells a client how the game stands, unless it has seen that version, and then what is new, until it leaves or the server
/// stops.
pub(crate) async fn follow(
    mut socket: Socket,
    game: Snapshot,
    seen: Option<u64>,
    mut news: watch::Receiver<News>,
    mut stopping: watch::Receiver<bool>,
) {
    let mut next = if seen == Some(game.version) {
        notice(&Notice::Current { version: game.version })
    } else {
        Message::Text(game.message())
    };
    loop {
        if let Err(Gone) = socket.say(next).await {
            return;
        }
        next = loop {
            tokio::select! {
                heard = socket.hear() => match heard {
                    // What a client says is of no interest.
                    Ok(_) => {}
                    Err(Gone) => return,
                },
                changed = news.changed() => match changed.map(|()| news.borrow_and_update().clone()) {
                    Ok(News::Game(message)) => break Message::Text(message),
                    Ok(News::Deleted) => return socket.leave(Some(notice(&Notice::Gone))).await,
                    // Nobody can tell any more how the game stands; who asks again may hear.
                    Err(_) => return socket.leave(None).await,
                },
                _ = stopping.changed() => return socket.leave(None).await,
            }
        };
    }
}

fn notice(notice: &Notice) -> Message {
    Message::Text(serde_json::to_string(notice).expect("a notice is JSON").into())
}
