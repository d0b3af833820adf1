//! The requests for searches: analyses, reviews and second attempts.

use serde::Deserialize;

use crate::analysis::{AnalysisLimits, AnalysisMessage, AnalysisRequest, Networks, analyze};
use crate::error::ApiError;
use crate::review::{ReviewGameRequest, ReviewRequest, TryRequest, review_line, try_turn};

/// A message of a client about searches. A new request replaces the previous one.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SearchRequest {
    /// Analyses a position.
    Analyze(AnalysisRequest),
    /// Reviews a game that is not stored.
    Review(ReviewRequest),
    /// Compares a turn with a better one.
    Try(TryRequest),
    /// Reviews a stored game: the host makes a [`Review`](Self::Review) of it and stores the result.
    ReviewGame(ReviewGameRequest),
    /// Stops the search.
    Stop,
}

impl SearchRequest {
    /// The client's number of the request; every message about it carries the number.
    #[must_use]
    pub const fn id(&self) -> Option<i64> {
        match self {
            Self::Analyze(request) => Some(request.id()),
            Self::Review(request) => Some(request.id()),
            Self::Try(request) => Some(request.id()),
            Self::ReviewGame(request) => Some(request.id),
            Self::Stop => None,
        }
    }

    /// Checks what can be checked without the position.
    pub fn validate(&self) -> Result<(), ApiError> {
        match self {
            Self::Analyze(request) => request.validate(),
            Self::Review(request) => request.validate(),
            Self::Try(request) => request.validate(),
            Self::ReviewGame(request) => request.validate(),
            Self::Stop => Ok(()),
        }
    }
}

/// Runs a search. Every message goes to `send`, which returns false once nobody listens; the last one is `done` or `error`.
/// Requests that only a host can carry out have no effect.
///
/// `now` reads a monotonic clock, in milliseconds; `networks` are those of the host, if it has any.
pub fn search(
    request: &SearchRequest,
    host: AnalysisLimits,
    networks: Option<&dyn Networks>,
    now: &(dyn Fn() -> u64 + Sync),
    stop: &(dyn Fn() -> bool + Sync),
    send: &mut dyn FnMut(AnalysisMessage) -> bool,
) {
    match request {
        SearchRequest::Analyze(request) => analyze(request, host, networks, now, stop, send),
        SearchRequest::Review(request) => review_line(request, host, now, stop, send),
        SearchRequest::Try(request) => try_turn(request, host, now, stop, send),
        SearchRequest::ReviewGame(_) | SearchRequest::Stop => {}
    }
}
