//! Engine opponents: their moves and their answers to draw offers.
//!
//! Engines wait for a worker in a [`FairQueue`] by the clients that created the games. An engine's clock runs only while it has a worker,
//! so no engine loses on time because the server is busy. Engines play each other only while somebody watches. Between its moves
//! an engine at full strength is one of the [`KeptEngines`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sandtable_contract::{Change, EngineTask, game_seed};

use crate::error::internal;
use crate::fair_queue::FairQueue;
use crate::kept_engines::KeptEngines;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::registry::{LiveGame, Registry};

/// The workers that engine opponents search on.
pub(crate) struct EngineWorkers {
    queue: Arc<FairQueue<Arc<str>>>,
    kept: KeptEngines,
    stopping: AtomicBool,
    /// The shortest time between a move and the reply.
    reply_delay: Duration,
}

impl EngineWorkers {
    pub(crate) fn new(limits: &Limits, metrics: &Metrics) -> Self {
        let threads = limits.engine_threads.max(1);
        // At least one, unless there are none at all.
        let workers = (limits.engine_workers / threads).max(limits.engine_workers.min(1));
        let queue = FairQueue::new(workers);
        let watched = Arc::clone(&queue);
        metrics.watch_queue("engine_queue", "Engine opponents that wait for a worker", move || {
            watched.waiting()
        });
        Self {
            queue,
            kept: KeptEngines::new(limits.kept_engines, threads),
            stopping: AtomicBool::new(false),
            reply_delay: limits.reply_delay,
        }
    }

    #[cfg(test)]
    /// The engines between their moves.
    pub(crate) const fn kept(&self) -> &KeptEngines {
        &self.kept
    }

    /// Drops what the engine of a game remembers.
    pub(crate) fn forget(&self, id: &str) {
        self.kept.forget(id);
    }

    /// How long after the last change of a game the decision of a task may be applied at the earliest.
    fn reply_delay(&self, task: EngineTask) -> Duration {
        self.reply_delay.min(Duration::from_millis(task.reply_delay()))
    }

    /// Stops all searches, running and future ones.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }
}

/// The job of a game's engine: the version of the game it is for, or 0 if there is none.
#[derive(Debug, Default)]
pub(crate) struct EngineJob(AtomicU64);

impl EngineJob {
    /// Begins a job for a version; false if there is one.
    fn begin(&self, version: u64) -> bool {
        self.0.swap(version, Ordering::AcqRel) != version
    }

    /// Ends the job for a version.
    pub(crate) fn end(&self, version: u64) {
        // An error means that a job for another version has begun.
        let _ = self.0.compare_exchange(version, 0, Ordering::AcqRel, Ordering::Acquire);
    }
}

/// Queues an engine for a game at a version, unless it is queued. When it has a worker, it decides, and its decision is
/// applied if the game is still at the same version.
pub(crate) fn start(registry: &Arc<Registry>, game: &Arc<LiveGame>, version: u64) {
    if game.engine_job().begin(version) {
        let (registry, game) = (Arc::clone(registry), Arc::clone(game));
        tokio::spawn(async move {
            run(&registry, &game, version).await;
            game.engine_job().end(version);
        });
    }
}

async fn run(registry: &Arc<Registry>, game: &Arc<LiveGame>, version: u64) {
    let queued = Instant::now();
    let mut place = registry.engines().queue.enter(game.queue_name());
    place.wait().await;
    let (waited, began) = (queued.elapsed(), Instant::now());
    let Some((task, position)) = registry.begin_engine_task(game, version).await else { return };
    let search = {
        let (registry, game) = (Arc::clone(registry), Arc::clone(game));
        move || {
            let stop = || registry.engines().stopping.load(Ordering::Acquire) || game.version() != version;
            let now = || registry.now();
            if stop() {
                return Ok(None);
            }
            let kept = &registry.engines().kept;
            let mut engine = kept.take(game.id());
            let decision = engine.decide(&*position, task, game_seed(game.id()), &now, &stop);
            // The game may have ended meanwhile.
            if !stop() {
                kept.keep(game.id(), engine);
            }
            decision
        }
    };
    let decision = tokio::task::spawn_blocking(search).await;
    drop(place);
    registry.metrics().engine_searched(waited, began.elapsed());
    // The worker is free for others while the reply waits.
    tokio::time::sleep_until((queued + registry.engines().reply_delay(task)).into()).await;
    let result = match decision {
        Ok(Ok(Some(decision))) => registry.change_live(game, version, Change::Engine { decision }).await,
        Ok(Ok(None)) => return,
        Ok(Err(e)) => Err(e),
        Err(e) => Err(internal("an engine failed", &e)),
    };
    if let Err(e) = result {
        tracing::debug!(game = game.id(), message = e.message(), "an engine's decision was discarded");
    }
}
