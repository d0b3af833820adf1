//! The analysis WebSocket: the client sends positions, the server streams search reports.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::Message;
use sandtable::AnyGame;
use sandtable::core::Player;
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Report, Score};
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, mpsc, watch};

use crate::error::ApiError;
use crate::json::Side;
use crate::position_request::PositionRequest;
use crate::socket::{Closed, Socket};

/// The most lines (`MultiPV`) of an analysis.
const MAX_LINES: usize = 5;
/// How many messages are buffered for a slow client before the search blocks.
const BUFFERED: usize = 16;

/// The workers that all analyses share, and the limits of each search.
#[derive(Debug)]
pub(crate) struct AnalysisPool {
    workers: Semaphore,
    max_time: Duration,
    hash_mib: usize,
}

impl AnalysisPool {
    pub(crate) fn new(workers: usize, max_time: Duration, hash_mib: usize) -> Self {
        Self { workers: Semaphore::new(workers), max_time, hash_mib }
    }
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum ClientMessage {
    Analyse(AnalysisRequest),
    Stop,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnalysisRequest {
    id: i64,
    position: PositionRequest,
    #[serde(default = "default_lines")]
    lines: usize,
    depth: Option<u32>,
    time: Option<u64>,
}

const fn default_lines() -> usize {
    1
}

impl AnalysisRequest {
    fn validate(&self) -> Result<(), ApiError> {
        let out_of_range = |field: &str, value: usize, expected: String| {
            Err(ApiError::bad_request(format!("`{field}` out of range: {value}, expected {expected}")))
        };
        if !(1..=MAX_LINES).contains(&self.lines) {
            return out_of_range("lines", self.lines, format!("1 to {MAX_LINES}"));
        }
        if self.depth == Some(0) {
            return out_of_range("depth", 0, "at least 1".to_owned());
        }
        Ok(())
    }
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum ServerMessage {
    Queued { id: i64 },
    Started { id: i64 },
    Report(Box<AnalysisReport>),
    Done { id: i64, reason: DoneReason },
    Error { id: Option<i64>, error: ApiError },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum DoneReason {
    Limit,
    Stopped,
    GameOver,
}

#[derive(Debug, Serialize)]
struct AnalysisReport {
    id: i64,
    turn: Side,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time: u64,
    hashfull: u32,
    lines: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    score: ScoreView,
    moves: Vec<String>,
    san: Vec<String>,
}

/// A score from the first player's perspective.
#[derive(Debug, Serialize)]
struct ScoreView {
    centipawns: Option<i32>,
    mate: Option<i32>,
    text: String,
}

impl ScoreView {
    /// Converts a score from the perspective of `turn`.
    fn of(score: Score, turn: Player) -> Self {
        let score = match (turn, score) {
            (Player::First, score) => score,
            (Player::Second, Score::Centipawns(value)) => Score::Centipawns(-value),
            (Player::Second, Score::Win(turns)) => Score::Loss(turns),
            (Player::Second, Score::Loss(turns)) => Score::Win(turns),
        };
        let centipawns = match score {
            Score::Centipawns(value) => Some(value),
            Score::Win(_) | Score::Loss(_) => None,
        };
        Self { centipawns, mate: score.mate_in(), text: score.to_string() }
    }
}

/// A queued or running search. Dropping it stops the search.
struct Running {
    id: i64,
    stop: Arc<AtomicBool>,
    messages: mpsc::Receiver<ServerMessage>,
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
                Ok(_) => vec![error(None, ApiError::bad_request("expected a text message"))],
                Err(Closed) => return,
            },
            message = next => {
                // A finished search sends nothing more, and the next request must not report it as stopped.
                if matches!(message, None | Some(ServerMessage::Done { .. } | ServerMessage::Error { .. })) {
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
            let text = serde_json::to_string(&message).expect("messages serialise to JSON");
            // Returning drops `running`, which stops the search and frees its worker.
            if let Err(Closed) = socket.send(Message::Text(text.into())).await {
                return;
            }
        }
    }
}

fn error(id: Option<i64>, error: ApiError) -> ServerMessage {
    ServerMessage::Error { id, error }
}

/// Handles a message of the client and returns the immediate replies. Every valid message stops the current search.
fn handle(text: &str, pool: &Arc<AnalysisPool>, running: &mut Option<Running>) -> Vec<ServerMessage> {
    let message: ClientMessage = match serde_json::from_str(text) {
        Ok(message) => message,
        Err(e) => return vec![error(None, ApiError::bad_request(e))],
    };
    let stopped =
        running.take().map(|search| ServerMessage::Done { id: search.id, reason: DoneReason::Stopped });
    let mut replies: Vec<_> = stopped.into_iter().collect();
    if let ClientMessage::Analyse(request) = message {
        match request.validate() {
            Ok(()) => *running = Some(start(request, Arc::clone(pool))),
            Err(e) => replies.push(error(Some(request.id), e)),
        }
    }
    replies
}

/// Starts an analysis, which waits in the queue while all workers are busy.
fn start(request: AnalysisRequest, pool: Arc<AnalysisPool>) -> Running {
    let (sender, messages) = mpsc::channel(BUFFERED);
    let stop = Arc::new(AtomicBool::new(false));
    let running = Running { id: request.id, stop: Arc::clone(&stop), messages };
    tokio::spawn(async move {
        let id = request.id;
        let permit = if let Ok(permit) = pool.workers.try_acquire() {
            permit
        } else {
            if sender.send(ServerMessage::Queued { id }).await.is_err() {
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
        let (max_time, hash_mib) = (pool.max_time, pool.hash_mib);
        let search = move || search(&request, max_time, hash_mib, &stop, &sender);
        if let Err(e) = tokio::task::spawn_blocking(search).await {
            tracing::error!(%e, "an analysis failed");
        }
        drop(permit);
    });
    running
}

fn search(
    request: &AnalysisRequest,
    max_time: Duration,
    hash_mib: usize,
    stop: &AtomicBool,
    sender: &mpsc::Sender<ServerMessage>,
) {
    let id = request.id;
    // False once the client is gone; `stop` is set then as well.
    let send = |message| sender.blocking_send(message).is_ok();
    let game = match request.position.game() {
        Ok(game) => game,
        Err(e) => {
            send(error(Some(id), e));
            return;
        }
    };
    if game.is_over() {
        send(ServerMessage::Done { id, reason: DoneReason::GameOver });
        return;
    }
    send(ServerMessage::Started { id });
    let began = Instant::now();
    let time = request.time.map_or(max_time, |time| max_time.min(Duration::from_millis(time)));
    let is_stopped = || stop.load(Ordering::Acquire);
    let should_end = || is_stopped() || began.elapsed() >= time;
    let mut limits = Limits::until(&should_end);
    limits.depth = request.depth;
    let settings = AlphaBetaSettings::default().with_lines(request.lines);
    game.search(&mut AlphaBeta::new(hash_mib, settings), &limits, &mut |report| {
        let report = AnalysisReport::of(id, &*game, report, began.elapsed());
        if send(ServerMessage::Report(Box::new(report))) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    let reason = if is_stopped() { DoneReason::Stopped } else { DoneReason::Limit };
    send(ServerMessage::Done { id, reason });
}

impl AnalysisReport {
    fn of(id: i64, game: &dyn AnyGame, report: &Report<String>, time: Duration) -> Self {
        let line = |line: &sandtable::search::Line<String>| {
            let mut after = game.clone_box();
            let san = line.moves.iter().map_while(|text| after.replay(text).ok()).collect();
            Line { score: ScoreView::of(line.score, game.turn()), moves: line.moves.clone(), san }
        };
        Self {
            id,
            turn: game.turn().into(),
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            time: time.as_millis() as u64,
            hashfull: report.hashfull,
            lines: report.lines.iter().map(line).collect(),
        }
    }
}
