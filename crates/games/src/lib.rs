#![doc = include_str!("../README.md")]

pub mod any_game;
mod error;
mod kind;
mod registry;
pub mod render;
mod unknown_name;

pub use any_game::{
    AnyEncode, AnyGame, AnyPlay, AnyRender, AnySearch, AnyText, BoxedGame, DeclaredEnd, GameOver,
    IllegalAction, LegalPage, MoveInfo, OnReport, PerftTooDeep, Playable, PlayedMove, TurnInfo,
    VariationError, describe_outcome, line_text, move_at,
};
pub use error::Error;
pub use kind::{Composed, GameKind, LoadedRecord, PolicyHead};
pub use registry::{
    GAMES, GameVisitor, TypedGameVisitor, collect_codes, complete_games, find, named_rules, with_game,
    with_typed_game,
};
pub use unknown_name::{Named, UnknownName};
