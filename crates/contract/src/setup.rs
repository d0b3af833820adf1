//! Positions set up by hand.

use std::collections::BTreeMap;

use sandtable::core::{Arrangement, Fault};
use serde::{Deserialize, Serialize};

use crate::error::{ApiError, Detail, ErrorCode};
use crate::json::Side;
use crate::position_request::{find_kind, rules_or_default};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetupRequest {
    kind: String,
    rules: Option<String>,
    cells: BTreeMap<String, String>,
    turn: Side,
    #[serde(default)]
    fields: BTreeMap<String, String>,
}

#[derive(Serialize)]
pub(crate) struct SetupResponse {
    position: Option<String>,
    faults: Vec<FaultView>,
}

#[derive(Serialize)]
struct FaultView {
    text: String,
    place: Option<String>,
    detail: Detail,
}

pub(crate) fn setup(request: SetupRequest) -> Result<SetupResponse, ApiError> {
    let SetupRequest { kind, rules, cells, turn, fields } = request;
    let kind = find_kind(&kind)?;
    let arrangement = Arrangement { cells, turn: turn.into(), fields };
    let composed = kind.compose(&arrangement, rules_or_default(kind, rules.as_deref()));
    Ok(match composed.map_err(|e| ApiError::new(ErrorCode::InvalidPosition, &e))? {
        Ok(game) => SetupResponse { position: Some(game.position_text()), faults: Vec::new() },
        Err(faults) => {
            let fault =
                |Fault { text, place, message, .. }| FaultView { text, place, detail: message.into() };
            SetupResponse { position: None, faults: faults.into_iter().map(fault).collect() }
        }
    })
}
