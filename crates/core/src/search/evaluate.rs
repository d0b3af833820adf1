//! Positions that can be searched and evaluated.

use crate::PolicyIndexed;
use crate::search::{Features, Levels, NodeView, SearchParameters};

/// A position that can be searched: constants of the search and the [`NodeView`] that answers its questions.
///
/// A game without a static evaluation of its own uses itself as the view. Its static evaluation is then 0, and its moves
/// are identified by their policy indices:
///
/// ```ignore
/// impl Evaluate for MyGame {
///     type View<'a> = &'a Self;
///
///     fn view(&self) -> &Self {
///         self
///     }
/// }
/// ```
pub trait Evaluate: Features + PolicyIndexed {
    /// The largest absolute value that [`evaluate`](NodeView::evaluate) may return.
    const EVALUATION_LIMIT: i32 = 20_000;

    /// The scale of the [`WinCurve`](crate::search::WinCurve) that turns scores into expected scores, in centipawns. Fitted on
    /// self-play.
    const WIN_SCALE: f64 = 400.0;

    /// The margins and depths of the search in this game.
    const SEARCH: SearchParameters = SearchParameters::DEFAULT;

    /// The engine levels of this game.
    const LEVELS: Levels = Levels::DEFAULT;

    /// The number of values of [`history_slot`](NodeView::history_slot).
    const HISTORY_SLOTS: usize = 1 << 10;

    /// The view of a position under search. It caches data that several answers need; `&'a Self` for games without such
    /// data.
    type View<'a>: NodeView<Self>
    where
        Self: 'a;

    /// The view of this position.
    #[must_use]
    fn view(&self) -> Self::View<'_>;
}

/// An evaluation whose weights can be tuned.
pub trait Tunable: Evaluate {
    /// The weights of the evaluation.
    type Weights: Clone + Send + Sync;

    /// The weights that [`evaluate`](NodeView::evaluate) uses.
    const WEIGHTS: Self::Weights;

    /// Every parameter of the weights, in a fixed order.
    fn parameters(weights: &mut Self::Weights) -> Vec<&mut i32>;

    /// [`evaluate`](NodeView::evaluate) with other weights.
    #[must_use]
    fn evaluate_with(&self, weights: &Self::Weights) -> i32;
}
