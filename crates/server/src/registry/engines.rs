//! What engines need of a game: when they play, and their clocks.

use std::sync::Arc;
use std::time::Duration;

use sandtable::BoxedGame;
use sandtable_contract::EngineTask;

use super::{LiveGame, LiveState, Registry};
use crate::engine_jobs;
use crate::flag_timer::FlagTimer;

impl Registry {
    /// Pauses the clock of an engine. It runs while the engine has a worker: waiting for one is charged to nobody.
    pub(super) fn hold_engine_clock(&self, state: &mut LiveState) {
        let now = self.now();
        if state.session.is_engine_to_move() && state.session.time_to_flag(now).is_some() {
            Arc::make_mut(&mut state.session).pause_clock(now);
        }
    }

    pub(super) fn start_flag_timer(self: &Arc<Self>, game: &Arc<LiveGame>, state: &mut LiveState) {
        let session = &state.session;
        let time_left = session.time_to_flag(self.now()).map(Duration::from_millis);
        let (mover, version) = (session.game().turn().into(), session.version());
        state.flag_timer = time_left.map(|left| FlagTimer::start(left, self, game, mover, version));
    }

    /// Queues an engine if one has something to do and has no place in the queue yet. The engine of a game that is over is
    /// forgotten.
    pub(super) fn queue_engine(self: &Arc<Self>, game: &Arc<LiveGame>, state: &LiveState) {
        if state.session.game().is_over() {
            self.engines.forget(game.id());
        }
        if state.session.engine_task(self.now()).is_some() && self.is_engine_wanted(game, state) {
            engine_jobs::start(self, game, state.session.version());
        }
    }

    /// Whether an engine should work on a game: somebody plays against it or watches. Sockets of other instances are not
    /// known here, so games in a shared store count as watched.
    fn is_engine_wanted(&self, game: &LiveGame, state: &LiveState) -> bool {
        !state.session.is_between_engines()
            || game.updates.receiver_count() > 0
            || self.store.shared().is_some()
    }

    /// What an engine that has a worker must do, with its clock running; `None` if the game has changed or nobody watches.
    pub(crate) async fn begin_engine_task(
        self: &Arc<Self>,
        game: &Arc<LiveGame>,
        version: u64,
    ) -> Option<(EngineTask, BoxedGame)> {
        let mut state = game.state.lock().await;
        let is_current = game.check_valid(&state).is_ok() && state.session.version() == version;
        if !is_current || !state.duty.is_mine || !self.is_engine_wanted(game, &state) {
            // Still under the lock, so that the next change that wants it starts a new job.
            game.engine_job().end(version);
            return None;
        }
        if state.session.is_clock_paused() {
            Arc::make_mut(&mut state.session).start_clock(self.now());
            self.start_flag_timer(game, &mut state);
        }
        Some((state.session.engine_task(self.now())?, state.session.game().clone_box()))
    }
}
