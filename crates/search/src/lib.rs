//! Search for every game of Sandtable.
//!
//! Both searches see a game only through the traits of [`sandtable_core`]. Neither assumes that players alternate: a
//! score changes its sign only when the side to move does, and distances to mate are counted in turns.
//!
//! | task | use |
//! |---|---|
//! | find the best move with a static evaluation | [`AlphaBeta`] |
//! | grow a Monte Carlo tree with rollouts or a neural network, for play and self-play | [`Mcts`] with an [`Evaluator`] |
//! | play games of the engine against itself | [`self_play`] |
//! | judge a match between two engines | [`elo`] |
//! | fit the parameters of a static evaluation to games | [`mod@tune`] |
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use sandtable_chess::Chess;
//! use sandtable_core::{Game, Notation as _};
//! use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits};
//!
//! let game = Game::<Chess>::default();
//! let mut engine = AlphaBeta::new(16, AlphaBetaSettings::default().with_lines(3));
//! let report = engine.search(&game, &Limits::depth(4), |_| ControlFlow::Continue(()));
//! for line in &report.lines {
//!     println!("{} {}", line.score, game.position().move_text(line.moves[0]));
//! }
//! assert_eq!(report.lines.len(), 3);
//! ```

#![expect(
    clippy::cast_possible_wrap,
    reason = "plies, depths and numbers of moves are far below every limit"
)]

mod alpha_beta;
mod correction;
mod dirichlet;
pub mod elo;
mod evaluation;
mod evaluator;
mod history;
mod limits;
mod mcts;
mod path;
mod picker;
mod report;
mod score;
pub mod self_play;
mod table;
pub mod tune;
mod worker;

pub use alpha_beta::{AlphaBeta, AlphaBetaSettings, Selectivity, TableTooBig};
pub use evaluation::static_eval;
pub use evaluator::{Evaluator, Leaf, Rollout, Static};
pub use limits::{Limits, POLL_INTERVAL};
pub use mcts::{Mcts, MctsSettings, RestoreError, RootVisit, TreeReport, softmax};
pub use report::{Line, Report};
pub use score::Score;

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
