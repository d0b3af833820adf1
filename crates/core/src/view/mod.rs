//! What interfaces show: diagrams, position editors, explanations and messages that can be translated.

mod arrange;
mod diagram;
mod explain;
mod message;
mod theme;

pub use arrange::{
    Arrange, ArrangeError, Arrangement, ArrangementField, Fault, Palette, compose, parse_counter,
};
pub use diagram::{
    Arrow, Cell, Diagram, Figure, FigurePiece, Ground, Label, MoveDetails, Outline, Overlay, PieceRole,
    Place, Render, Scenery, SceneryKind, Share, TurnInProgress,
};
pub use explain::{Attempt, Explain, Explanation, Refusal, Unexplained, refusal};
pub use message::{Codes, Describe, Message, Param};
pub use sandtable_derive::Describe;
pub use theme::{PlayedTurn, Theme};
