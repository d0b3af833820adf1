//! The timer that ends a game when the time of the side to move runs out.

use std::sync::Arc;
use std::time::Duration;

use sandtable_contract::{Change, Side};
use tokio::task::AbortHandle;

use crate::metrics::Counted;
use crate::registry::{LiveGame, Registry};

/// A timer that ends the game when the time of the side to move runs out. Dropping it cancels it.
pub(crate) struct FlagTimer {
    task: AbortHandle,
    _counted: Counted,
}

impl FlagTimer {
    /// A timer that ends the game after the time left to `mover`, unless its version has changed by then.
    pub(crate) fn start(
        time_left: Duration,
        registry: &Arc<Registry>,
        game: &Arc<LiveGame>,
        mover: Side,
        version: u64,
    ) -> Self {
        let counted = registry.metrics().running_clock();
        let (registry, game) = (Arc::downgrade(registry), Arc::downgrade(game));
        let task = tokio::spawn(async move {
            // Clocks count whole milliseconds: 2 more are enough for any rounding.
            tokio::time::sleep(time_left + Duration::from_millis(2)).await;
            if let (Some(registry), Some(game)) = (registry.upgrade(), game.upgrade()) {
                // A move that was made in time may still be on its way.
                let credit = registry.lag_credit(&game, mover);
                tokio::time::sleep(Duration::from_millis(credit)).await;
                // An error means that a move came in time.
                let _ = registry.change_live(&game, version, Change::FlagFall).await;
            }
        });
        Self { task: task.abort_handle(), _counted: counted }
    }
}

impl Drop for FlagTimer {
    fn drop(&mut self) {
        self.task.abort();
    }
}
