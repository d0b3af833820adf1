//! What a neural network sees of a position, plane by plane, and the raw forms of the position.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sandtable::core::learn::{Layout, Plane, Shape};
use sandtable::{AnyGame, GameKind, find};
use serde::Serialize;

use crate::error::ApiError;
use crate::position_request::PositionRequest;

/// The observation, policy and raw forms of a position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Inspection {
    encoding: &'static str,
    shape: ShapeView,
    /// The cell at each place of a plane, row by row.
    frame: Vec<Option<String>>,
    planes: Vec<PlaneValues>,
    #[cfg_attr(test, ts(inline))]
    policy: PolicyView,
    position: String,
    hash: String,
    #[cfg_attr(test, ts(inline))]
    bytes: Option<Bytes>,
}

/// The shape of an observation, as JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Shape"))]
pub(crate) struct ShapeView {
    rows: usize,
    cols: usize,
    planes: usize,
}

impl From<Shape> for ShapeView {
    fn from(shape: Shape) -> Self {
        Self { rows: shape.rows, cols: shape.cols, planes: shape.planes }
    }
}

/// A plane with its values, in the order of the frame.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Plane"))]
pub(crate) struct PlaneValues {
    name: &'static str,
    description: &'static str,
    values: Vec<f32>,
}

/// The policy and how many of its indices are legal.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PolicyView {
    id: &'static str,
    size: usize,
    legal_count: usize,
}

/// The board as bytes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Bytes {
    hex: String,
    base64: String,
}

/// The inspection of the position that a request is about.
pub(crate) fn inspect(request: &PositionRequest) -> Result<Inspection, ApiError> {
    Ok(Inspection::of(&*request.game()?))
}

impl Inspection {
    fn of(game: &dyn AnyGame) -> Self {
        let kind: &GameKind = find(game.name()).expect("every game is of a registered kind");
        let mut values = vec![0.0; kind.shape.len()];
        game.write_observation(Layout::Chw, &mut values).expect("the slice has the length of the shape");
        let mut frame = vec![None; kind.shape.cells()];
        for cell in game.diagram().cells {
            frame[cell.place] = Some(cell.name);
        }
        let planes = kind.planes.iter().zip(values.chunks_exact(kind.shape.cells()));
        let plane = |(plane, values): (&Plane, &[f32])| PlaneValues {
            name: plane.name,
            description: plane.values,
            values: values.to_vec(),
        };
        let bytes = game.board_bytes().map(|bytes| {
            let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
                write!(hex, "{byte:02x}").expect("writing to a string cannot fail");
                hex
            });
            Bytes { hex, base64: BASE64_STANDARD.encode(&bytes) }
        });
        Self {
            encoding: kind.encoding,
            shape: kind.shape.into(),
            frame,
            planes: planes.map(plane).collect(),
            policy: PolicyView {
                id: kind.policy,
                size: kind.policy_size,
                legal_count: game.legal_indices().len(),
            },
            position: game.position_text(),
            hash: format!("{:016x}", game.hash64()),
            bytes,
        }
    }
}
