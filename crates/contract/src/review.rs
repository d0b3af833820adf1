//! Reviews: every turn of a game judged by the engine, and second attempts at its errors.

use std::sync::Arc;

use sandtable::core::Player;
use sandtable::core::record::Annotations;
use sandtable::engine::Evaluation;
use sandtable::engine::review::{
    Assessment, Interrupted, Judgement, Review, ReviewProgress, ReviewScore, ReviewSettings, ReviewedTurn,
    compare_turns, read_review, review,
};
use sandtable::search::Score;
use sandtable::{AnyGame, BoxedGame};
use serde::{Deserialize, Serialize};

use crate::analysis::{AnalysisLimits, AnalysisMessage, ArrowView, DoneReason, ScoreView};
use crate::annotations::AnnotationsJson;
use crate::error::{ApiError, ErrorCode};
use crate::events::{Event, LogEntries};
use crate::json::{Both, Side};
use crate::position_request::{PositionRequest, check_move_length};
use crate::request_error::{GameConflict, RequestError};
use crate::session::Session;

/// The most nodes for each position of a review.
const MAX_NODES: u64 = 1_000_000;

/// A request to review a game that is not stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    id: i64,
    /// The game: its start and its moves.
    position: PositionRequest,
    /// The number of nodes for each position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    nodes: Option<u64>,
}

/// A request to review a stored game that is over. The review is stored with it.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ReviewGameRequest {
    /// The client's number of the request.
    pub id: i64,
    /// The id of the game.
    pub game: String,
    /// The number of nodes for each position.
    #[cfg_attr(test, ts(optional))]
    pub nodes: Option<u64>,
}

/// A request to compare a turn with the better one that a review has found.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct TryRequest {
    id: i64,
    /// The position before the turn.
    position: PositionRequest,
    /// The moves of the turn.
    moves: Vec<String>,
    /// The moves of the better turn.
    better: Vec<String>,
    /// The number of nodes for each position of the review.
    #[cfg_attr(test, ts(optional))]
    nodes: Option<u64>,
}

impl ReviewRequest {
    /// The client's number of the request; every message about it carries the number.
    #[must_use]
    pub const fn id(&self) -> i64 {
        self.id
    }

    /// Checks what can be checked without the position.
    pub(crate) fn validate(&self) -> Result<(), ApiError> {
        settings(self.nodes).map(drop)
    }
}

impl ReviewGameRequest {
    /// Checks what can be checked without the game.
    pub(crate) fn validate(&self) -> Result<(), ApiError> {
        settings(self.nodes).map(drop)
    }

    /// Whether the review is good enough to be stored for everyone who looks at the game: it has at least
    /// [`DEFAULT_NODES`](ReviewSettings::DEFAULT_NODES).
    #[must_use]
    pub fn is_worth_storing(&self) -> bool {
        self.nodes.is_none_or(|nodes| nodes >= ReviewSettings::DEFAULT_NODES)
    }
}

impl TryRequest {
    /// The client's number of the request; every message about it carries the number.
    #[must_use]
    pub const fn id(&self) -> i64 {
        self.id
    }

    /// Checks what can be checked without the position.
    pub(crate) fn validate(&self) -> Result<(), ApiError> {
        settings(self.nodes).map(drop)
    }
}

/// A review, for the page and as annotations for a record.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameReview {
    review: ReviewView,
    /// The review as annotations of the game.
    pub annotations: AnnotationsJson,
}

/// A review as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Review"))]
pub(crate) struct ReviewView {
    /// The assessment of the first position.
    start: AssessmentView,
    turns: Vec<ReviewedTurnView>,
    /// The accuracy in per cent; null without a turn of the player.
    accuracy: Both<Option<f64>>,
    /// How many errors the players have made.
    errors: Both<ErrorCounts>,
}

/// What the engine thinks of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Assessment"))]
pub(crate) struct AssessmentView {
    score: ScoreView,
    /// The expected score of the first player: 1 for a win, 0.5 for a draw, 0 for a loss.
    expected: f64,
}

/// A turn and its judgement.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ReviewedTurn"))]
pub(crate) struct ReviewedTurnView {
    /// The number of the turn as records count.
    number: usize,
    player: Side,
    /// The number of moves before the turn.
    from: usize,
    /// The number of moves after the turn.
    to: usize,
    /// The turn as records write it.
    text: String,
    /// The position after the turn.
    after: AssessmentView,
    /// The expected score that the turn loses, compared with the best turn: 0 to 1.
    loss: f64,
    judgement: Option<JudgementView>,
    /// A better turn, if this one is an error.
    better: Option<BetterView>,
}

/// How serious an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Judgement"))]
#[serde(rename_all = "lowercase")]
pub(crate) enum JudgementView {
    Inaccuracy,
    Mistake,
    Blunder,
}

/// A better turn and the line that follows it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "BetterTurn"))]
pub(crate) struct BetterView {
    /// The line, the better turn first.
    line: Vec<TurnView>,
    /// The position after the better turn.
    after: AssessmentView,
    /// The arrows of the better turn.
    #[cfg_attr(test, ts(inline))]
    arrows: Vec<ArrowView>,
}

/// A turn of a line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TurnText"))]
pub(crate) struct TurnView {
    /// The turn as records write it.
    text: String,
    /// Its moves, in the form that programs exchange.
    moves: Vec<String>,
}

/// How many errors a player has made.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ErrorCounts {
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

/// A turn compared with the better one.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TriedTurn {
    id: i64,
    /// The position after the turn.
    after: AssessmentView,
    /// The expected score that the turn loses, compared with the better one: 0 to 1.
    loss: f64,
    /// Null if the turn is about as good.
    judgement: Option<JudgementView>,
}

impl From<Assessment> for AssessmentView {
    fn from(Assessment { score, expected }: Assessment) -> Self {
        let (centipawns, mate, text) = match score {
            ReviewScore::Centipawns(value) => (Some(value), None, Score::Centipawns(value).to_string()),
            // The game is over: the result says more than a number of turns.
            ReviewScore::Mate(0) => (None, Some(0), if expected > 0.5 { "1–0" } else { "0–1" }.to_owned()),
            ReviewScore::Mate(turns) => (None, Some(turns), score.to_string()),
        };
        Self { score: ScoreView { centipawns, mate, text }, expected }
    }
}

impl From<Judgement> for JudgementView {
    fn from(judgement: Judgement) -> Self {
        match judgement {
            Judgement::Inaccuracy => Self::Inaccuracy,
            Judgement::Mistake => Self::Mistake,
            Judgement::Blunder => Self::Blunder,
        }
    }
}

impl ReviewView {
    /// The review of a game as JSON.
    pub(crate) fn of(game: &dyn AnyGame, review: &Review) -> Self {
        let mut before = game.clone_box();
        before.undo_declared_end();
        // Backwards, because a game can take moves back.
        let mut turns: Vec<_> =
            review.turns.iter().rev().map(|turn| ReviewedTurnView::of(&mut before, turn)).collect();
        turns.reverse();
        let errors = |player| ErrorCounts {
            inaccuracies: review.count(player, Judgement::Inaccuracy),
            mistakes: review.count(player, Judgement::Mistake),
            blunders: review.count(player, Judgement::Blunder),
        };
        Self {
            start: review.start.into(),
            turns,
            accuracy: review.accuracies().into(),
            errors: Both { first: errors(Player::First), second: errors(Player::Second) },
        }
    }

    /// The review that the annotations of a game contain, if they do.
    pub(crate) fn read(game: &dyn AnyGame, annotations: &Annotations<String>) -> Option<Self> {
        read_review(game, annotations).map(|review| Self::of(game, &review))
    }
}

impl ReviewedTurnView {
    /// Takes moves of `game` back until the turn begins.
    fn of(game: &mut BoxedGame, turn: &ReviewedTurn) -> Self {
        while game.ply() > turn.plies.start {
            game.undo();
        }
        let better = turn.better.as_ref().map(|better| {
            // The line was made or read by the rules, so it is legal.
            let line = game.line_turns(&better.moves).unwrap_or_default();
            let mut after = game.clone_box();
            let mut arrows = Vec::new();
            for text in &better.moves[..better.turn_len] {
                let steps = after.arrows(text).into_iter();
                arrows.extend(steps.map(|arrow| ArrowView { from: arrow.from, to: arrow.to }));
                if after.play(text).is_err() {
                    break;
                }
            }
            BetterView {
                line: line.into_iter().map(|turn| TurnView { text: turn.text, moves: turn.moves }).collect(),
                after: better.after.into(),
                arrows,
            }
        });
        Self {
            number: turn.number,
            player: turn.player.into(),
            from: turn.plies.start,
            to: turn.plies.end,
            text: turn.text.clone(),
            after: turn.after.into(),
            loss: turn.loss,
            judgement: turn.judgement.map(JudgementView::from),
            better,
        }
    }
}

/// The settings of the searches.
fn settings(nodes: Option<u64>) -> Result<ReviewSettings, ApiError> {
    let nodes = nodes.unwrap_or(ReviewSettings::DEFAULT_NODES);
    if (1..=MAX_NODES).contains(&nodes) {
        return Ok(ReviewSettings::default().with_nodes(nodes));
    }
    let error = RequestError::OutOfRange { field: "nodes", value: nodes, minimum: 1, maximum: MAX_NODES };
    Err(ApiError::bad_request(&error))
}

/// Runs a review or a comparison within the time of the host, and sends its result.
fn run(
    id: i64,
    host: AnalysisLimits,
    now: &(dyn Fn() -> u64 + Sync),
    stop: &(dyn Fn() -> bool + Sync),
    send: &mut dyn FnMut(AnalysisMessage) -> bool,
    work: impl FnOnce(
        &(dyn Fn() -> bool + Sync),
        &mut dyn FnMut(AnalysisMessage) -> bool,
    ) -> Result<Result<AnalysisMessage, Interrupted>, ApiError>,
) {
    let began = now();
    let is_late = || now() - began >= host.max_time;
    let last = match work(&|| stop() || is_late(), send) {
        Ok(Ok(message)) => {
            send(message);
            AnalysisMessage::Done { id, reason: DoneReason::Complete }
        }
        Ok(Err(Interrupted)) if stop() => AnalysisMessage::Done { id, reason: DoneReason::Stopped },
        Ok(Err(Interrupted)) => {
            let error = RequestError::ReviewTooLong { seconds: host.max_time / 1_000 };
            AnalysisMessage::Error { id: Some(id), error: ApiError::bad_request(&error) }
        }
        Err(error) => AnalysisMessage::Error { id: Some(id), error },
    };
    send(last);
}

/// Reviews a game. The messages are those of [`analyze`](crate::analyze), with `progress` and `reviewed` in place of `report`.
pub(crate) fn review_line(
    request: &ReviewRequest,
    host: AnalysisLimits,
    now: &(dyn Fn() -> u64 + Sync),
    stop: &(dyn Fn() -> bool + Sync),
    send: &mut dyn FnMut(AnalysisMessage) -> bool,
) {
    let id = request.id;
    run(id, host, now, stop, send, |stop, send| {
        let (settings, game) = (settings(request.nodes)?, request.position.game()?);
        send(AnalysisMessage::Started { id });
        let mut progress = |ReviewProgress { done, total }| {
            send(AnalysisMessage::Progress { id, done, total });
        };
        Ok(match review(&*game, &Evaluation::Default, &settings, stop, &mut progress) {
            Ok(review) if review.turns.is_empty() => {
                return Err(ApiError::bad_request(&RequestError::NothingToReview));
            }
            Ok(review) => {
                let mut annotations = Annotations::default();
                review.annotate(&mut annotations);
                let annotations = AnnotationsJson::of(&annotations);
                let review = GameReview { review: ReviewView::of(&*game, &review), annotations };
                Ok(AnalysisMessage::Reviewed { id, review: Box::new(review) })
            }
            Err(interrupted) => Err(interrupted),
        })
    });
}

/// Compares a turn with a better one. The result is the message `tried`.
pub(crate) fn try_turn(
    request: &TryRequest,
    host: AnalysisLimits,
    now: &(dyn Fn() -> u64 + Sync),
    stop: &(dyn Fn() -> bool + Sync),
    send: &mut dyn FnMut(AnalysisMessage) -> bool,
) {
    let id = request.id;
    run(id, host, now, stop, send, |stop, send| {
        let (settings, game) = (settings(request.nodes)?, request.position.game()?);
        let player = game.turn();
        let turn = after_turn(&game, &request.moves)?;
        let better = after_turn(&game, &request.better)?;
        send(AnalysisMessage::Started { id });
        let compared = compare_turns(player, &turn, &better, &Evaluation::Default, &settings, stop);
        Ok(compared.map(|compared| {
            AnalysisMessage::Tried(TriedTurn {
                id,
                after: compared.after.into(),
                loss: compared.loss,
                judgement: compared.judgement.map(JudgementView::from),
            })
        }))
    });
}

/// The game after the moves of a complete turn.
fn after_turn(game: &BoxedGame, moves: &[String]) -> Result<BoxedGame, ApiError> {
    let illegal = |error: RequestError| ApiError::new(ErrorCode::IllegalMove, &error);
    let player = game.turn();
    let mut after = game.clone_box();
    for text in moves {
        if after.turn() != player {
            return Err(illegal(RequestError::NotOneTurn));
        }
        check_move_length(text).map_err(illegal)?;
        after.play(text).map_err(|e| illegal(e.into()))?;
    }
    if after.turn() == player && !after.is_over() {
        return Err(illegal(RequestError::NotOneTurn));
    }
    Ok(after)
}

impl Session {
    /// The request to review the game: the moves, without the seats and the clock. Rejects a game that is not over, because
    /// an engine must not help its players.
    pub fn review_request(&self, id: i64, nodes: Option<u64>) -> Result<ReviewRequest, ApiError> {
        if !self.game.is_over() {
            return Err(ApiError::conflict(&GameConflict::ReviewBeforeEnd));
        }
        Ok(ReviewRequest { id, position: self.position_request(), nodes })
    }

    /// Whether the game is over with the moves that a request reviews. Later changes, such as a rematch, do not matter.
    #[must_use]
    pub fn has_moves_of(&self, request: &ReviewRequest) -> bool {
        self.game.is_over() && self.position_request() == request.position
    }

    /// The review that is stored with the game, if there is one.
    #[must_use]
    pub fn review(&self) -> Option<GameReview> {
        let annotations = self.review.as_deref()?;
        let review = ReviewView::read(&*self.game, annotations)?;
        Some(GameReview { review, annotations: AnnotationsJson::of(annotations) })
    }

    /// Whether a review is stored with the game.
    #[must_use]
    pub const fn is_reviewed(&self) -> bool {
        self.review.is_some()
    }

    /// Stores a review of the game.
    pub(crate) fn store_review(
        &mut self,
        annotations: &AnnotationsJson,
        now: u64,
    ) -> Result<LogEntries, ApiError> {
        if !self.game.is_over() {
            return Err(ApiError::conflict(&GameConflict::ReviewBeforeEnd));
        }
        self.check_review(annotations)?;
        self.append(Event::Review(annotations.clone()), now)
    }

    /// Reads a review from the log. One that does not fit the moves, because another version wrote it, is dropped: without it the
    /// game can still be read.
    pub(crate) fn apply_review(&mut self, annotations: &AnnotationsJson) {
        self.review = self.check_review(annotations).ok().map(Arc::new);
    }

    /// Rejects a review that does not fit the moves.
    fn check_review(&self, annotations: &AnnotationsJson) -> Result<Annotations<String>, ApiError> {
        let annotations = annotations.clone().read();
        let invalid = |error: RequestError| ApiError::new(ErrorCode::InvalidRecord, &error);
        self.game.annotated_record(&self.tags(), &annotations).map_err(|e| invalid(e.into()))?;
        if read_review(&*self.game, &annotations).is_none() {
            return Err(invalid(RequestError::NoReview));
        }
        Ok(annotations)
    }
}
