//! Everything a program needs to play, encode and record the three games, for a glob import.
//!
//! ```
//! use sandtable::prelude::*;
//!
//! let mut game = TribunGame::default();
//! game.play_text("b3-e5")?;
//! let observation = game.observe(Layout::Hwc);
//! assert_eq!(observation.len(), 11 * 11 * 31);
//! assert!(matches!(game.outcome(), Outcome::Ongoing));
//! # Ok::<(), sandtable::Error>(())
//! ```
//!
//! Traits are imported without a name where only their methods matter.

#[cfg(feature = "chess")]
pub use sandtable_chess::{ChessExt as _, ChessGame};
pub use sandtable_core::learn::{Layout, PolicyIndex};
pub use sandtable_core::record::Tags;
pub use sandtable_core::rules::Rng;
pub use sandtable_core::search::{Evaluate as _, NodeView as _};
pub use sandtable_core::view::Render as _;
pub use sandtable_core::{
    FromSetup as _, Game, Notation as _, Observe as _, Outcome, Player, PolicyIndexed as _, Position as _,
    Rules as _,
};
#[cfg(feature = "cotulenh")]
pub use sandtable_cotulenh::CoTuLenhGame;
#[cfg(feature = "tribun")]
pub use sandtable_tribun::{TribunExt as _, TribunGame};

pub use crate::{AnyGame, BoxedGame, GAMES, find};
