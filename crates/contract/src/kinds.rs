//! The kinds of games, and the figures that an editor can place.

use sandtable::engine::Level;
use sandtable::{GAMES, GameKind, find};
use serde::{Deserialize, Serialize};

use crate::engine::level_nodes;
use crate::error::{ApiError, ErrorCode};
use crate::inspection::ShapeView;
use crate::json::Both;
use crate::position_request::rules_or_default;
use crate::view::Figure;

/// A kind of game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Kind {
    name: &'static str,
    rules: &'static [&'static str],
    players: Both<&'static str>,
    levels: usize,
    /// How many positions each level searches for a move, about; null for the levels without such a limit.
    level_nodes: Vec<Option<u32>>,
    /// The measured Elo of each level; null where it has not been measured.
    level_elo: Vec<Option<i32>>,
    /// Whether a move may change several figures, so that it is previewed before it is played.
    confirm_moves: bool,
    record_extension: &'static str,
    encoding: &'static str,
    shape: ShapeView,
    planes: Vec<Plane>,
    #[cfg_attr(test, ts(inline))]
    policy: Policy,
    fields: Vec<ArrangementField>,
}

/// A plane of the observation.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "PlaneDescription"))]
pub(crate) struct Plane {
    name: &'static str,
    description: &'static str,
}

/// The policy of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Policy {
    id: &'static str,
    size: usize,
}

/// A field of an arrangement: everything but the figures and the side to move.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ArrangementField {
    name: &'static str,
    default: &'static str,
    description: &'static str,
}

impl From<&GameKind> for Kind {
    fn from(kind: &GameKind) -> Self {
        let plane =
            |plane: &sandtable::core::learn::Plane| Plane { name: plane.name, description: plane.values };
        let field = |field: &sandtable::core::view::ArrangementField| ArrangementField {
            name: field.name,
            default: field.default,
            description: field.expected,
        };
        Self {
            name: kind.name,
            rules: kind.rules,
            players: kind.players.into(),
            levels: Level::all().count(),
            level_nodes: Level::all().map(|level| level_nodes(level, kind.name)).collect(),
            level_elo: Level::all().map(|level| level.elo(kind.name)).collect(),
            confirm_moves: kind.has_shares,
            record_extension: kind.record_extension,
            encoding: kind.encoding,
            shape: kind.shape.into(),
            planes: kind.planes.iter().map(plane).collect(),
            policy: Policy { id: kind.policy, size: kind.policy_size },
            fields: kind.fields.iter().map(field).collect(),
        }
    }
}

pub(crate) fn kinds() -> Vec<Kind> {
    GAMES.iter().map(Kind::from).collect()
}

/// The request for a palette.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct PaletteRequest {
    kind: String,
    #[cfg_attr(test, ts(optional))]
    rules: Option<String>,
}

/// Every figure that an editor can place.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Palette {
    regions: Vec<Vec<String>>,
    #[cfg_attr(test, ts(inline))]
    figures: Vec<PaletteFigure>,
}

/// A figure and where it may stand.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PaletteFigure {
    figure: Figure,
    region: usize,
}

pub(crate) fn palette(request: &PaletteRequest) -> Result<Palette, ApiError> {
    // The server has the kind in the path, so an unknown one is a missing resource.
    let kind = find(&request.kind).map_err(|e| ApiError::new(ErrorCode::NotFound, &e))?;
    let palette = kind
        .palette(rules_or_default(kind, request.rules.as_deref()))
        .map_err(|e| ApiError::new(ErrorCode::InvalidPosition, &e))?;
    let figure = |(figure, region)| PaletteFigure { figure: Figure::of(figure), region };
    Ok(Palette { regions: palette.regions, figures: palette.figures.into_iter().map(figure).collect() })
}
