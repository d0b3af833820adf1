//! What a search asks of a game: static evaluation, search parameters and the features of evaluation networks.

mod evaluate;
mod features;
mod levels;
mod node_view;
mod search_parameters;
mod win_curve;

pub use evaluate::{Evaluate, Tunable};
pub use features::{Feature, Features};
pub use levels::{Levels, Skill};
pub use node_view::{NodeView, ProgressClock, Tactic};
pub use search_parameters::{NamedParameter, SearchParameters};
pub use win_curve::WinCurve;
