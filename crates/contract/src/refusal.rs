//! Why a figure cannot act.

use sandtable::core::view::{Attempt, Explanation};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, Detail};
use crate::position_request::PositionRequest;

/// What a player has tried: a figure, and optionally its target and the pieces of it that act.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct RefusalRequest {
    position: PositionRequest,
    /// The cell of the figure.
    from: String,
    /// The target; without one, the question is why the figure cannot act at all.
    #[cfg_attr(test, ts(optional))]
    to: Option<String>,
    /// The pieces that act, as legal moves name them; any of them if empty.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    group: Vec<String>,
}

/// The reason why the attempt is not a legal move.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RefusalResponse {
    /// Null if the attempt is a legal move, or may become one by further choices.
    refusal: Option<Refusal>,
}

/// A reason: one sentence without a full stop.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Refusal {
    text: String,
    /// What a translation of the text needs.
    detail: Detail,
}

pub(crate) fn refusal(request: &RefusalRequest) -> Result<RefusalResponse, ApiError> {
    let game = request.position.game()?;
    let group: Vec<_> = request.group.iter().map(String::as_str).collect();
    let attempt = Attempt { from: &request.from, to: request.to.as_deref(), group: &group };
    let refusal = game.refusal(attempt);
    Ok(RefusalResponse {
        refusal: refusal.map(|Explanation { text, message }| Refusal { text, detail: message.into() }),
    })
}
