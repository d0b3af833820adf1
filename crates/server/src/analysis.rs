//! The analysis WebSocket: the client sends positions, the server streams search reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::Message;
use sandtable_contract::{
    AnalysisLimits, AnalysisMessage, AnalysisRequest, ApiError, DoneReason, analyse, from_json, to_json,
};
use serde::Deserialize;
use tokio::sync::{Semaphore, mpsc, watch};

use crate::error::ServerError;
use crate::socket::{Closed, Socket};

/// How many messages are buffered for a slow client before the search blocks.
const BUFFERED: usize = 16;

/// The workers that all analyses share, and the limits of each search.
#[derive(Debug)]
pub(crate) struct AnalysisPool {
    workers: Semaphore,
    limits: AnalysisLimits,
}

impl AnalysisPool {
    pub(crate) fn new(workers: usize, max_time: Duration, hash_mib: usize) -> Self {
        let limits = AnalysisLimits { max_time: max_time.as_millis() as u64, hash_mib };
        Self { workers: Semaphore::new(workers), limits }
    }
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum ClientMessage {
    Analyse(AnalysisRequest),
    Stop,
}

/// A queued or running search. Dropping it stops the search.
struct Running {
    id: i64,
    stop: Arc<AtomicBool>,
    messages: mpsc::Receiver<AnalysisMessage>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

/// Serves one analysis socket until the client disconnects or the server shuts down.
pub(crate) async fn serve(mut socket: Socket, pool: Arc<AnalysisPool>, mut shutdown: watch::Receiver<bool>) {
    let mut running: Option<Running> = None;
    loop {
        let next = async {
            match &mut running {
                Some(running) => running.messages.recv().await,
                None => std::future::pending().await,
            }
        };
        let outgoing = tokio::select! {
            received = socket.receive() => match received {
                Ok(Message::Text(text)) => handle(&text, &pool, &mut running),
                Ok(_) => vec![error(None, ApiError::bad_request(&ServerError::TextExpected))],
                Err(Closed) => return,
            },
            message = next => {
                // A finished search sends nothing more, and the next request must not report it as stopped.
                if matches!(message, None | Some(AnalysisMessage::Done { .. } | AnalysisMessage::Error { .. })) {
                    running = None;
                }
                message.into_iter().collect()
            }
            _ = shutdown.changed() => {
                drop(running);
                return socket.close(None).await;
            }
        };
        for message in outgoing {
            // Returning drops `running`, which stops the search and frees its worker.
            if let Err(Closed) = socket.send(Message::Text(to_json(&message).into())).await {
                return;
            }
        }
    }
}

fn error(id: Option<i64>, error: ApiError) -> AnalysisMessage {
    AnalysisMessage::Error { id, error }
}

/// Handles a message of the client and returns the immediate replies. Every valid message stops the current search.
fn handle(text: &str, pool: &Arc<AnalysisPool>, running: &mut Option<Running>) -> Vec<AnalysisMessage> {
    let message: ClientMessage = match from_json(text) {
        Ok(message) => message,
        Err(e) => return vec![error(None, e)],
    };
    let stopped =
        running.take().map(|search| AnalysisMessage::Done { id: search.id, reason: DoneReason::Stopped });
    let mut replies: Vec<_> = stopped.into_iter().collect();
    if let ClientMessage::Analyse(request) = message {
        match request.validate() {
            Ok(()) => *running = Some(start(request, Arc::clone(pool))),
            Err(e) => replies.push(error(Some(request.id()), e)),
        }
    }
    replies
}

/// Starts an analysis, which waits in the queue while all workers are busy.
fn start(request: AnalysisRequest, pool: Arc<AnalysisPool>) -> Running {
    let (sender, messages) = mpsc::channel(BUFFERED);
    let stop = Arc::new(AtomicBool::new(false));
    let running = Running { id: request.id(), stop: Arc::clone(&stop), messages };
    tokio::spawn(async move {
        let id = request.id();
        let permit = if let Ok(permit) = pool.workers.try_acquire() {
            permit
        } else {
            if sender.send(AnalysisMessage::Queued { id }).await.is_err() {
                return;
            }
            tokio::select! {
                permit = pool.workers.acquire() => match permit {
                    Ok(permit) => permit,
                    Err(_) => return,
                },
                () = sender.closed() => return,
            }
        };
        let limits = pool.limits;
        let search = move || {
            let began = Instant::now();
            let now = || began.elapsed().as_millis() as u64;
            let is_stopped = || stop.load(Ordering::Acquire);
            // False once the client is gone; `stop` is set then as well.
            let mut send = |message| sender.blocking_send(message).is_ok();
            analyse(&request, limits, &now, &is_stopped, &mut send);
        };
        if let Err(e) = tokio::task::spawn_blocking(search).await {
            tracing::error!(%e, "an analysis failed");
        }
        drop(permit);
    });
    running
}
