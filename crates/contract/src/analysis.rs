//! Analysis: a position and limits in, search reports out.

use std::borrow::Cow;
use std::ops::ControlFlow;

use sandtable::AnyGame;
use sandtable::core::Player;
use sandtable::engine::{Evaluation, engine_for};
use sandtable::games::OnReport;
use sandtable::search::{AlphaBetaSettings, Limits, Report, Score};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, ErrorCode};
use crate::json::Side;
use crate::position_request::PositionRequest;
use crate::request_error::RequestError;
use crate::review::{GameReview, TriedTurn};

/// The most lines (`MultiPV`) of an analysis.
const MAX_LINES: usize = 5;
/// The shortest search time, in milliseconds.
const MIN_TIME: u64 = 10;

/// A request to analyze a position.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    id: i64,
    position: PositionRequest,
    #[serde(default = "default_lines")]
    #[cfg_attr(test, ts(as = "Option<usize>", optional))]
    lines: usize,
    #[cfg_attr(test, ts(optional))]
    depth: Option<u32>,
    #[cfg_attr(test, ts(optional))]
    nodes: Option<u64>,
    #[cfg_attr(test, ts(optional))]
    time: Option<u64>,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<AnalysisEngine>", optional))]
    engine: AnalysisEngine,
}

/// The engine that analyses a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum AnalysisEngine {
    /// Alpha-beta, which every host has.
    #[default]
    BuiltIn,
    /// Tree search with a network, if the host has one for the game; nodes are visits.
    Network,
}

/// The networks of a host, which analyze positions in place of the built-in engine.
pub trait Networks: Sync {
    /// Searches with the network for the game and its rules. The tree takes at most about `hash_mib` MiB.
    fn search(
        &self,
        game: &dyn AnyGame,
        lines: usize,
        hash_mib: usize,
        limits: &Limits<'_>,
        on_report: &mut OnReport<'_>,
    ) -> Result<(), NetworkFailure>;
}

/// Why a network did not analyze a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkFailure {
    /// The host has no network for the game and its rules.
    Missing,
    /// The network cannot be evaluated.
    Failed,
}

impl NetworkFailure {
    fn error(self, game: &dyn AnyGame) -> ApiError {
        match self {
            Self::Missing => ApiError::bad_request(&RequestError::NoNetwork { game: game.name() }),
            Self::Failed => ApiError::new(ErrorCode::Internal, &RequestError::NetworkFailed),
        }
    }
}

const fn default_lines() -> usize {
    1
}

impl AnalysisRequest {
    /// The client's number of the request; every message about it carries the number.
    #[must_use]
    pub const fn id(&self) -> i64 {
        self.id
    }

    /// Checks the limits. [`analyze`] checks the position.
    pub fn validate(&self) -> Result<(), ApiError> {
        if !(1..=MAX_LINES).contains(&self.lines) {
            let (value, maximum) = (self.lines as u64, MAX_LINES as u64);
            let error = RequestError::OutOfRange { field: "lines", value, minimum: 1, maximum };
            return Err(ApiError::bad_request(&error));
        }
        let limits = [
            ("depth", self.depth.map(u64::from), 1),
            ("nodes", self.nodes, 1),
            ("time", self.time, MIN_TIME),
        ];
        for (field, value, minimum) in limits {
            if let Some(value) = value.filter(|value| *value < minimum) {
                return Err(ApiError::bad_request(&RequestError::TooSmall { field, value, minimum }));
            }
        }
        Ok(())
    }
}

/// A message about an analysis.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum AnalysisMessage {
    /// The search waits for a free worker.
    Queued {
        /// The number of the request.
        id: i64,
    },
    /// The search has started.
    Started {
        /// The number of the request.
        id: i64,
    },
    /// The result of an iteration.
    Report(Box<AnalysisReport>),
    /// How much of a review is done.
    Progress {
        /// The number of the request.
        id: i64,
        /// The finished part of `total`.
        done: usize,
        /// The whole.
        total: usize,
    },
    /// The result of a review.
    Reviewed {
        /// The number of the request.
        id: i64,
        /// The review.
        #[serde(flatten)]
        review: Box<GameReview>,
    },
    /// The result of a second attempt at an error.
    Tried(TriedTurn),
    /// The search has ended.
    Done {
        /// The number of the request.
        id: i64,
        /// Why it has ended.
        reason: DoneReason,
    },
    /// The request cannot be carried out.
    Error {
        /// The number of the request, if it could be read.
        id: Option<i64>,
        /// The error.
        error: ApiError,
    },
}

/// Why an analysis has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum DoneReason {
    /// A limit was reached.
    Limit,
    /// The review or the comparison is complete.
    Complete,
    /// The client stopped it or sent another request.
    Stopped,
    /// The game is over, so there is nothing to search.
    GameOver,
}

/// The lines found so far, best first.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Report"))]
pub struct AnalysisReport {
    id: i64,
    turn: Side,
    depth: u32,
    seldepth: u32,
    nodes: u64,
    time: u64,
    hashfull: u32,
    lines: Vec<Line>,
}

/// A line of the analysis.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Line {
    score: ScoreView,
    moves: Vec<String>,
    san: Vec<String>,
    /// The arrows of the first move, one from each cell that takes part.
    #[cfg_attr(test, ts(inline))]
    arrows: Vec<ArrowView>,
}

/// An arrow from cell to cell.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ArrowView {
    pub(crate) from: Cow<'static, str>,
    pub(crate) to: Cow<'static, str>,
}

/// A score from the first player's perspective.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Score"))]
pub(crate) struct ScoreView {
    pub(crate) centipawns: Option<i32>,
    pub(crate) mate: Option<i32>,
    pub(crate) text: String,
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

/// The limits of the host, which no request exceeds.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisLimits {
    /// The longest search, in milliseconds.
    pub max_time: u64,
    /// The size of the transposition table, in MiB.
    pub hash_mib: usize,
}

/// Runs an analysis. Every message goes to `send`, which returns false once nobody listens; the last one is `done` or
/// `error`.
///
/// `now` reads a monotonic clock, in milliseconds; `networks` are those of the host, if it has any.
pub fn analyze(
    request: &AnalysisRequest,
    host: AnalysisLimits,
    networks: Option<&dyn Networks>,
    now: &(dyn Fn() -> u64 + Sync),
    stop: &(dyn Fn() -> bool + Sync),
    send: &mut dyn FnMut(AnalysisMessage) -> bool,
) {
    let id = request.id;
    let game = match request.validate().and_then(|()| request.position.game()) {
        Ok(game) => game,
        Err(error) => {
            send(AnalysisMessage::Error { id: Some(id), error });
            return;
        }
    };
    if game.is_over() {
        send(AnalysisMessage::Done { id, reason: DoneReason::GameOver });
        return;
    }
    send(AnalysisMessage::Started { id });
    let began = now();
    let time = request.time.map_or(host.max_time, |time| host.max_time.min(time));
    let should_end = || stop() || now() - began >= time;
    let mut limits = Limits::until(&should_end);
    limits.depth = request.depth;
    limits.nodes = request.nodes;
    let mut on_report = |report: &Report<String>| {
        let report = AnalysisReport::of(id, &*game, report, now() - began);
        if send(AnalysisMessage::Report(Box::new(report))) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    match request.engine {
        AnalysisEngine::BuiltIn => {
            let settings = AlphaBetaSettings::default().with_lines(request.lines);
            let mut engine = engine_for(game.name(), host.hash_mib, settings, &Evaluation::Default)
                .expect("the host has memory for the table");
            game.search(&mut engine, &limits, &mut on_report);
        }
        AnalysisEngine::Network => {
            let searched = networks.map_or(Err(NetworkFailure::Missing), |networks| {
                networks.search(&*game, request.lines, host.hash_mib, &limits, &mut on_report)
            });
            if let Err(failure) = searched {
                send(AnalysisMessage::Error { id: Some(id), error: failure.error(&*game) });
                return;
            }
        }
    }
    let reason = if stop() { DoneReason::Stopped } else { DoneReason::Limit };
    send(AnalysisMessage::Done { id, reason });
}

impl AnalysisReport {
    fn of(id: i64, game: &dyn AnyGame, report: &Report<String>, time: u64) -> Self {
        let line = |line: &sandtable::search::Line<String>| {
            let mut after = game.clone_box();
            let san = line.moves.iter().map_while(|text| after.replay(text).ok()).collect();
            let arrows = line.moves.first().map_or_else(Vec::new, |first| game.arrows(first));
            let arrows = arrows.into_iter().map(|arrow| ArrowView { from: arrow.from, to: arrow.to });
            Line {
                score: ScoreView::of(line.score, game.turn()),
                moves: line.moves.clone(),
                san,
                arrows: arrows.collect(),
            }
        };
        Self {
            id,
            turn: game.turn().into(),
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            time,
            hashfull: report.hashfull,
            lines: report.lines.iter().map(line).collect(),
        }
    }
}
