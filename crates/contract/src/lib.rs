//! The JSON contract of Sandtable: requests, answers and stored games.
//!
//! [`respond`] answers every request that needs no stored game; [`Session`] is a stored game; [`Engine`] and [`search`]
//! run the engine. Nothing here knows HTTP or JavaScript, reads a clock or stores anything: the server and the WebAssembly
//! build do that, and because both call this crate, their answers are the same.
//!
//! ```
//! use sandtable_contract::{Route, respond};
//!
//! let view = respond(Route::Position, r#"{"kind": "tribun"}"#)?;
//! assert!(view.starts_with(r#"{"kind":"tribun""#));
//! # Ok::<(), sandtable_contract::ApiError>(())
//! ```

mod advice;
mod analysis;
mod annotations;
mod clock;
mod engine;
mod error;
mod events;
mod game_view;
mod inspection;
mod json;
mod kinds;
mod messages;
mod new_game;
mod position_request;
mod records;
mod refusal;
mod request_error;
mod review;
mod roles;
mod route;
mod search;
mod seat;
mod session;
mod setup;
#[cfg(test)]
mod typescript;
mod view;

pub use advice::AdviceKind;
pub use analysis::{
    AnalysisEngine, AnalysisLimits, AnalysisMessage, AnalysisReport, AnalysisRequest, DoneReason,
    NetworkFailure, Networks, analyze,
};
pub use annotations::AnnotationsJson;
pub use clock::ClockSettings;
pub use engine::{Engine, EngineDecision, EngineJob, EngineTask, game_seed};
pub use error::{ApiError, Detail, DetailParam, ErrorCode, collect_codes};
pub use events::{Change, DrawCommand, LogEntries, LogEntry, Rematch};
pub use game_view::{
    DamagedGame, GameJson, GameSummary, GameView, LiveView, Presence, SharedView, Timestamps,
};
pub use json::{Both, Side, from_json, to_json};
pub use messages::{ChatMessage, DeletedReason, GameMessage, Link, Me, OfferedNetwork};
pub use new_game::{GameSettings, NewGame};
pub use position_request::PositionRequest;
pub use records::Record;
pub use review::{GameReview, ReviewGameRequest, ReviewRequest, TriedTurn, TryRequest};
pub use roles::{Action, Denied, Role, may};
pub use route::{Route, respond};
pub use search::{SearchRequest, search};
pub use seat::{Access, Seat};
pub use session::Session;
