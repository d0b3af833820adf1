//! Search for every game of Sandtable.
//!
//! Both searches see nothing of a game but the traits of [`sandtable_core`], and neither assumes that players
//! alternate: a score changes its sign only where the player to move does.
//!
//! | to | use |
//! |---|---|
//! | find the best move by looking ahead, with a static evaluation | [`AlphaBeta`] |
//! | grow a tree by chance or by what a neural network says, for play and self-play | [`Mcts`] with an [`Evaluator`] |

#![expect(
    clippy::cast_possible_wrap,
    reason = "plies, depths and numbers of moves are far below every limit"
)]

mod alpha_beta;
mod dirichlet;
mod evaluator;
mod limits;
mod mcts;
mod ordering;
mod path;
mod report;
mod score;
mod table;
pub mod tune;
mod worker;

pub use alpha_beta::{AlphaBeta, AlphaBetaSettings, Selectivity, TableTooBig};
pub use evaluator::{Evaluator, Leaf, Rollout, Static};
pub use limits::{Limits, POLL};
pub use mcts::{Mcts, MctsSettings, RootVisit};
pub use report::{Line, Report};
pub use score::Score;
