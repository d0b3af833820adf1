//! A socket to the engine: a position in, reports out, until nobody listens.

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

use crate::refusal::{Code, Refusal};
use crate::said::Said;
use crate::socket::{Gone, Socket};
use crate::wire::Side;

/// The most lines of play that one analysis finds.
const MAX_LINES: usize = 5;
/// Reports that wait for a slow client before the search waits with them.
const QUEUE: usize = 16;

/// What analyses share, and what one may take.
#[derive(Debug)]
pub(crate) struct Analysts {
    /// How many may search at the same time.
    desks: Semaphore,
    /// The longest search.
    time: Duration,
    /// The table of one search, in MiB.
    table: usize,
}

impl Analysts {
    pub(crate) fn new(count: usize, time: Duration, table: usize) -> Self {
        Self { desks: Semaphore::new(count), time, table }
    }
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    Analyse(Task),
    Stop,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    id: i64,
    said: Said,
    #[serde(default = "one")]
    lines: usize,
    depth: Option<u32>,
    time: Option<u64>,
}

const fn one() -> usize {
    1
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Answer {
    Queued { id: i64 },
    Started { id: i64 },
    Report(Box<Found>),
    Done { id: i64, why: Why },
    Refused { id: Option<i64>, error: Refusal },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Why {
    Limit,
    Stopped,
    Over,
}

#[derive(Debug, Serialize)]
struct Found {
    id: i64,
    turn: Side,
    depth: u32,
    longest: u32,
    nodes: u64,
    time: u64,
    per_mille_full: u32,
    lines: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    score: Judged,
    moves: Vec<String>,
    san: Vec<String>,
}

/// A score from the first player's view.
#[derive(Debug, Serialize)]
struct Judged {
    centipawns: Option<i32>,
    mate: Option<i32>,
    text: String,
}

impl Judged {
    fn of(score: Score, turn: Player) -> Self {
        let score = match (turn, score) {
            (Player::First, score) => score,
            (Player::Second, Score::Centipawns(value)) => Score::Centipawns(-value),
            (Player::Second, Score::Win(plies)) => Score::Loss(plies),
            (Player::Second, Score::Loss(plies)) => Score::Win(plies),
        };
        let centipawns = match score {
            Score::Centipawns(value) => Some(value),
            Score::Win(_) | Score::Loss(_) => None,
        };
        Self { centipawns, mate: score.mate_in(), text: score.to_string() }
    }
}

/// An analysis that goes on; dropping it ends the search.
struct Running {
    id: i64,
    stop: Arc<AtomicBool>,
    answers: mpsc::Receiver<Answer>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

/// Answers a client until it leaves or the server stops.
pub(crate) async fn converse(
    mut socket: Socket,
    analysts: Arc<Analysts>,
    mut stopping: watch::Receiver<bool>,
) {
    let mut running: Option<Running> = None;
    loop {
        let answer = async {
            match &mut running {
                Some(running) => running.answers.recv().await,
                None => std::future::pending().await,
            }
        };
        let said = tokio::select! {
            message = socket.hear() => match message {
                Ok(Message::Text(text)) => obey(&text, &analysts, &mut running),
                Ok(_) => vec![refused(None, Refusal::new(Code::BadRequest, "messages are text"))],
                Err(Gone) => return,
            },
            answer = answer => {
                // Nothing follows the last word, and a request that comes now must not end it a second time.
                if matches!(answer, None | Some(Answer::Done { .. } | Answer::Refused { .. })) {
                    running = None;
                }
                answer.into_iter().collect()
            }
            _ = stopping.changed() => {
                drop(running);
                return socket.leave(None).await;
            }
        };
        for answer in said {
            let text = serde_json::to_string(&answer).expect("an answer is JSON");
            // Who does not listen ends the search and frees its place by that.
            if let Err(Gone) = socket.say(Message::Text(text.into())).await {
                return;
            }
        }
    }
}

fn refused(id: Option<i64>, error: Refusal) -> Answer {
    Answer::Refused { id, error }
}

/// Does what a message says, and says what is to be answered at once.
fn obey(text: &str, analysts: &Arc<Analysts>, running: &mut Option<Running>) -> Vec<Answer> {
    let request: Request = match serde_json::from_str(text) {
        Ok(request) => request,
        Err(e) => return vec![refused(None, Refusal::new(Code::BadRequest, e))],
    };
    // Whatever comes, the search before is over.
    let mut answers: Vec<_> =
        running.take().map(|before| Answer::Done { id: before.id, why: Why::Stopped }).into_iter().collect();
    if let Request::Analyse(task) = request {
        if task.lines == 0 || task.lines > MAX_LINES {
            let why = format!("{} lines: from 1 to {MAX_LINES} can be asked for", task.lines);
            answers.push(refused(Some(task.id), Refusal::new(Code::BadRequest, why)));
        } else if task.depth == Some(0) {
            answers.push(refused(
                Some(task.id),
                Refusal::new(Code::BadRequest, "a search has a depth of at least 1"),
            ));
        } else {
            *running = Some(begin(task, Arc::clone(analysts)));
        }
    }
    answers
}

/// Begins an analysis, which waits for a free desk if it must.
fn begin(task: Task, analysts: Arc<Analysts>) -> Running {
    let (send, answers) = mpsc::channel(QUEUE);
    let stop = Arc::new(AtomicBool::new(false));
    let running = Running { id: task.id, stop: Arc::clone(&stop), answers };
    tokio::spawn(async move {
        let id = task.id;
        let desk = if let Ok(desk) = analysts.desks.try_acquire() {
            desk
        } else {
            if send.send(Answer::Queued { id }).await.is_err() {
                return;
            }
            tokio::select! {
                desk = analysts.desks.acquire() => match desk {
                    Ok(desk) => desk,
                    Err(_) => return,
                },
                () = send.closed() => return,
            }
        };
        let (limit, table) = (analysts.time, analysts.table);
        let searched = tokio::task::spawn_blocking(move || search(&task, limit, table, &stop, &send)).await;
        if let Err(e) = searched {
            tracing::error!(%e, "an analysis failed");
        }
        drop(desk);
    });
    running
}

fn search(task: &Task, limit: Duration, table: usize, stop: &AtomicBool, send: &mpsc::Sender<Answer>) {
    let id = task.id;
    // Whoever does not listen any more has set `stop` as well.
    let say = |answer| send.blocking_send(answer).is_ok();
    let game = match task.said.game() {
        Ok(game) => game,
        Err(error) => {
            say(refused(Some(id), error));
            return;
        }
    };
    if game.outcome().is_over() {
        say(Answer::Done { id, why: Why::Over });
        return;
    }
    say(Answer::Started { id });
    let began = Instant::now();
    let time = task.time.map_or(limit, |time| limit.min(Duration::from_millis(time)));
    let stopped = || stop.load(Ordering::Acquire);
    let over = || stopped() || began.elapsed() >= time;
    let limits = Limits { depth: task.depth, ..Limits::until(&over) };
    let settings = AlphaBetaSettings { lines: task.lines, ..AlphaBetaSettings::default() };
    game.search(&mut AlphaBeta::new(table, settings), &limits, &mut |report| {
        let heard = say(Answer::Report(Box::new(found(id, &*game, report, began.elapsed()))));
        if heard { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    say(Answer::Done { id, why: if stopped() { Why::Stopped } else { Why::Limit } });
}

fn found(id: i64, game: &dyn AnyGame, report: &Report<String>, time: Duration) -> Found {
    let line = |line: &sandtable::search::Line<String>| {
        let mut after = game.clone_box();
        let san = line.moves.iter().map_while(|text| after.replay(text).ok()).collect();
        Line { score: Judged::of(line.score, game.turn()), moves: line.moves.clone(), san }
    };
    Found {
        id,
        turn: game.turn().into(),
        depth: report.depth,
        longest: report.longest,
        nodes: report.nodes,
        time: time.as_millis() as u64,
        per_mille_full: report.per_mille_full,
        lines: report.lines.iter().map(line).collect(),
    }
}
