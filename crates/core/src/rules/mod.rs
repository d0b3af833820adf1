//! The rules of a game: positions and moves, games with their history, outcomes, draw offers, random play, perft.

mod clock;
mod compact_game;
mod context;
mod draw_offer;
mod game;
mod index;
mod outcome;
mod perft;
mod player;
mod position;
mod random;
mod reason;
mod repetition;
mod set;
mod setup;
mod turns;
pub mod zobrist;

pub use clock::{Clock, Expired, TimeControl};
pub use compact_game::CompactGame;
pub use context::Context;
pub use draw_offer::{DrawAction, DrawError, DrawOffer, DrawUpdate};
pub use game::{Game, PlayError, PlayTextError};
pub use index::OutOfRange;
pub use outcome::Outcome;
pub use perft::{Divided, MAX_PERFT_DEPTH, divide, perft, perft_threaded, perft_until};
pub use player::{ByPlayer, Player};
pub use position::{IllegalMove, Position, Rules};
pub use random::{Rng, play_opening, play_random_moves, random_move};
pub use reason::{EndRule, Reason, ReasonError};
pub use repetition::Repetition;
pub use setup::{FromSetup, SetupError};
pub use turns::{Turn, ends_turn, for_each_turn};
