//! The game-independent core of Sandtable.
//!
//! A game crate implements these traits for its position type and gets everything else from here:
//!
//! | concept | item |
//! |---|---|
//! | rules: legal moves, playing, outcome, hash | [`Position`] |
//! | a position with its history: undo, repetition, draw offers, record | [`Game`] |
//! | unchecked data to a valid position | [`FromSetup`] |
//! | text of positions, moves, turns and records | [`Notation`] |
//! | tensors for neural networks | [`Observe`] |
//! | policy indices and masks | [`PolicyIndexed`] |
//! | factored policies: moves as sums in a compact head | [`FactoredPolicy`] |
//! | symmetries of observations and policies | [`Symmetric`] |
//! | static evaluation and move ordering for a search | [`Evaluate`] |
//! | the inputs of an evaluation network | [`Features`] |
//! | diagrams for renderers | [`Render`] |
//! | position editors | [`Arrange`] |
//! | why a figure cannot act | [`Explain`] |
//! | messages that can be translated | [`Describe`] |
//!
//! Two invariants hold everywhere. *A turn may take several moves*: nothing here assumes that players alternate; only
//! [`Position::turn`] identifies the player to move. *No input, output, system time or hidden randomness*: functions
//! fill the caller's slice, take the time as an argument and advance the caller's generator.
//!
//! ```
//! use sandtable_core::{Outcome, Player};
//!
//! let outcome = Outcome::Win { winner: Player::First, reason: "checkmate" };
//! assert_eq!(outcome.value_for(Player::Second), Some(-1.0));
//! ```

// The derive macro names this crate as its users do.
extern crate self as sandtable_core;

mod annotations;
mod arrange;
mod clock;
mod compact_game;
mod context;
mod diagram;
mod draw_offer;
mod evaluate;
mod explain;
mod factors;
mod features;
mod game;
mod index;
mod message;
mod movetext;
mod notation;
mod outcome;
mod perft;
mod planes;
mod player;
mod policy;
mod position;
mod random;
mod record;
mod search_parameters;
#[cfg(feature = "serde")]
pub mod serde;
mod setup;
mod symmetry;
mod turns;
pub mod zobrist;

pub use annotations::{Annotations, Note, Variation};
pub use arrange::{
    Arrange, ArrangeError, Arrangement, ArrangementField, Fault, Palette, compose, parse_counter,
};
pub use clock::{Clock, Expired, TimeControl};
pub use compact_game::CompactGame;
pub use context::Context;
pub use diagram::{
    Arrow, Cell, Diagram, Figure, FigurePiece, Ground, Label, MoveDetails, Outline, Overlay, PieceRole,
    Place, Render, Scenery, SceneryKind, Share, TurnInProgress,
};
pub use draw_offer::{DrawAction, DrawError, DrawOffer, DrawUpdate};
pub use evaluate::{Analysis, Evaluate, Tactic, Tunable};
pub use explain::{Attempt, Explain, Explanation, Refusal, refusal};
pub use factors::{Factor, FactoredPolicy, FactorsError, PlaneGroup};
pub use features::{Feature, Features};
pub use game::{Game, PlayError, PlayTextError};
pub use index::OutOfRange;
pub use message::{Codes, Describe, Message, Param};
pub use movetext::{
    MAX_NESTED_VARIATIONS, Movetext, MovetextWriter, RecordError, RecordFault, RecordPlace, RecordScanner,
    RecordSyntax, without_places,
};
pub use notation::{Notation, Record, Tags};
pub use outcome::{EndReason, Outcome, ReasonError};
pub use perft::{Divided, MAX_PERFT_DEPTH, divide, perft, perft_threaded, perft_until};
pub use planes::{
    Canvas, DecodeError, Layout, Marker, Observe, ObservedSlice, Plane, PlaneCursor, PlaneReader, Shape,
    SliceCanvas, WrongLength, encode_batch,
};
pub use player::{ByPlayer, Player};
pub use policy::{PolicyIndex, PolicyIndexed, legal_move_at};
pub use position::{IllegalMove, Position, Rules};
pub use random::{Rng, play_opening, play_random_moves, random_move};
pub use record::{LineWrapper, parse_tag, strip_move_number, write_tag};
pub use sandtable_derive::Describe;
pub use search_parameters::{NamedParameter, SearchParameters};
pub use setup::{FromSetup, SetupError};
pub use symmetry::Symmetric;
pub use turns::{Turn, ends_turn, for_each_turn};

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
