//! Positions set up by hand.

use std::collections::BTreeMap;

use sandtable::core::view::{Arrangement, Fault};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, Detail, ErrorCode};
use crate::json::Side;
use crate::position_request::{find_kind, rules_or_default};
use crate::view::Outcome;

/// The request to set up a position.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct SetupRequest {
    kind: String,
    #[cfg_attr(test, ts(optional))]
    rules: Option<String>,
    cells: BTreeMap<String, String>,
    turn: Side,
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<BTreeMap<String, String>>", optional))]
    fields: BTreeMap<String, String>,
}

/// The position of an arrangement, or its faults.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SetupResponse {
    position: Option<String>,
    /// The outcome in the position, if there is one: no game can start from a position in which it is over.
    outcome: Option<Outcome>,
    /// Empty if there is a position.
    faults: Vec<FaultView>,
}

/// A fault of an arrangement.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Fault"))]
pub(crate) struct FaultView {
    text: String,
    /// The cell or field that it concerns.
    place: Option<String>,
    /// What a translation of the text needs.
    detail: Detail,
}

pub(crate) fn setup(request: SetupRequest) -> Result<SetupResponse, ApiError> {
    let SetupRequest { kind, rules, cells, turn, fields } = request;
    let kind = find_kind(&kind)?;
    let arrangement = Arrangement { cells, turn: turn.into(), fields };
    let composed = kind.compose(&arrangement, rules_or_default(kind, rules.as_deref()));
    Ok(match composed.map_err(|e| ApiError::new(ErrorCode::InvalidPosition, &e))? {
        Ok(game) => SetupResponse {
            position: Some(game.position_text()),
            outcome: Some(Outcome::of(&*game)),
            faults: Vec::new(),
        },
        Err(faults) => {
            let fault =
                |Fault { text, place, message, .. }| FaultView { text, place, detail: message.into() };
            SetupResponse { position: None, outcome: None, faults: faults.into_iter().map(fault).collect() }
        }
    })
}
