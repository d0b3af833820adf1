//! The game-independent core of Sandtable.
//!
//! Everything here speaks of *a* game and knows none: who is to move ([`Player`]), how a game ended
//! ([`Outcome`]), what a position can do ([`Position`]), a position with its past ([`Game`]), the way from
//! unchecked data to a valid position ([`FromSetup`]), text ([`Notation`]), what a neural network sees
//! ([`Observe`]) and chooses from ([`PolicyIndexed`]), what a search must know ([`Evaluate`]), counting ([`perft`]),
//! drawing ([`Diagram`]) and arranging ([`Arrange`]).
//!
//! Two promises shape all of it. *A turn may take several moves*: nothing here assumes that players
//! alternate, only [`Position::turn`] says who moves. And *below the faces there is no input, output, clock or
//! hidden randomness*: a caller's slice is filled, a caller's generator is advanced.

mod arrange;
mod clock;
mod diagram;
mod evaluate;
mod game;
mod index;
mod notation;
mod offer;
mod outcome;
mod perft;
mod planes;
mod player;
mod policy;
mod position;
mod random;
mod record;
mod setup;
mod turns;
pub mod zobrist;

pub use arrange::{Arrange, Arrangement, Fault, Field, Palette, compose, read_counter};
pub use clock::{Clock, Expired, TimeControl};
pub use diagram::{
    Cell, Diagram, Draw, Figure, FigurePiece, Ground, Label, MoveParts, Outline, Overlay, Pending, Role,
    Share,
};
pub use evaluate::{Evaluate, Tactic, Weighted};
pub use game::{Game, PlayError};
pub use notation::{Notation, Tags};
pub use offer::{Answer, DrawAct, DrawError, DrawTalk};
pub use outcome::{EndReason, Outcome};
pub use perft::{Divided, MAX_PERFT_DEPTH, divide, perft, perft_threaded};
pub use planes::{
    DecodeError, Layout, Observe, Plane, PlaneCursor, PlaneReader, Shape, WrongLength, encode_batch,
};
pub use player::{ByPlayer, Player};
pub use policy::{PolicyIndex, PolicyIndexed, legal_at};
pub use position::{IllegalMove, Position, Rules};
pub use random::{Rng, play_randomly, random_move};
pub use record::{Words, read_tag, write_tag};
pub use setup::{FromSetup, SetupError};
pub use turns::{Turn, for_each_turn};
