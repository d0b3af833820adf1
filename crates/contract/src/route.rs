//! The requests that need no stored game.

use strum::VariantArray as _;

use crate::error::ApiError;
use crate::inspection::inspect;
use crate::json::{from_json, to_json};
use crate::kinds::{kinds, palette};
use crate::records::{read_record, write_record};
use crate::refusal::refusal;
use crate::setup::setup;
use crate::view::view;

/// A request that needs no stored game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Route {
    /// The games, with their rules, encodings and setup fields. The body is ignored.
    Kinds,
    /// Every figure that an editor can place.
    Palette,
    /// The view of a position.
    Position,
    /// What a neural network sees of a position.
    Inspect,
    /// Why a figure cannot act.
    Refusal,
    /// The position of an arrangement of figures, or its faults.
    Setup,
    /// The game of a record.
    #[strum(serialize = "records/read")]
    ReadRecord,
    /// The record of a game.
    #[strum(serialize = "records/write")]
    WriteRecord,
}

impl Route {
    /// All routes.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The name: the last part of the server's path.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Finds a route by name.
    pub fn find(name: &str) -> Result<Self, ApiError> {
        Self::ALL.iter().copied().find(|route| route.name() == name).ok_or_else(ApiError::path_not_found)
    }
}

/// Answers a request: JSON in, JSON out.
pub fn respond(route: Route, body: &str) -> Result<String, ApiError> {
    Ok(match route {
        Route::Kinds => to_json(&kinds()),
        Route::Palette => to_json(&palette(&from_json(body)?)?),
        Route::Position => to_json(&view(&from_json(body)?)?),
        Route::Inspect => to_json(&inspect(&from_json(body)?)?),
        Route::Refusal => to_json(&refusal(&from_json(body)?)?),
        Route::Setup => to_json(&setup(from_json(body)?)?),
        Route::ReadRecord => to_json(&read_record(&from_json(body)?)?),
        Route::WriteRecord => to_json(&write_record(from_json(body)?)?),
    })
}
