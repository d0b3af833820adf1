//! Engine opponents: their moves and their answers to draw offers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use sandtable_contract::{Change, Session, decide};

use crate::error::internal;
use crate::fair_queue::FairQueue;
use crate::metrics::Metrics;
use crate::registry::{LiveGame, Registry};

/// The workers that engine opponents search on.
pub(crate) struct EngineWorkers {
    queue: Arc<FairQueue<Arc<str>>>,
    stopping: AtomicBool,
}

impl EngineWorkers {
    pub(crate) fn new(count: usize, metrics: &Metrics) -> Self {
        let queue = FairQueue::new(count);
        let watched = Arc::clone(&queue);
        metrics.watch_queue("engine_queue", "Engine opponents that wait for a worker", move || {
            watched.waiting()
        });
        Self { queue, stopping: AtomicBool::new(false) }
    }

    /// Stops all searches, running and future ones.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }
}

/// Runs an engine when a worker is free, if one has something to do, and applies its decision if the game is still at the
/// same version.
pub(crate) fn run(registry: &Arc<Registry>, game: &Arc<LiveGame>, session: &Session) {
    let Some(task) = session.engine_task(registry.now()) else { return };
    let (version, position) = (session.version(), session.game().clone_box());
    let (registry, game) = (Arc::clone(registry), Arc::clone(game));
    tokio::spawn(async move {
        let queued = Instant::now();
        let mut place = registry.engines().queue.enter(game.queue_name());
        place.wait().await;
        let (waited, began) = (queued.elapsed(), Instant::now());
        let search = {
            let (registry, game) = (Arc::clone(&registry), Arc::clone(&game));
            move || {
                let stop =
                    || registry.engines().stopping.load(Ordering::Acquire) || game.version() != version;
                let now = || registry.now();
                if stop() {
                    Ok(None)
                } else {
                    decide(&*position, task, getrandom::u64().unwrap_or(0), &now, &stop)
                }
            }
        };
        let decision = tokio::task::spawn_blocking(search).await;
        drop(place);
        registry.metrics().engine_searched(waited, began.elapsed());
        let result = match decision {
            Ok(Ok(Some(decision))) => registry.change_live(&game, version, Change::Engine { decision }).await,
            Ok(Ok(None)) => return,
            Ok(Err(e)) => Err(e),
            Err(e) => Err(internal("an engine failed", &e)),
        };
        if let Err(e) = result {
            tracing::debug!(game = game.id(), message = e.message(), "an engine's decision was discarded");
        }
    });
}
