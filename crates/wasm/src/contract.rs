//! The JSON contract of the server, without a server: requests, stored games and the engine as an opponent.

use std::cell::RefCell;

use js_sys::{Error, Function, JSON, Reflect};
use sandtable_contract::{
    Access, AnalysisLimits, ApiError, Change, Engine, EngineJob, GameSettings, GameSummary, GameView,
    LogEntry, NewGame, ReviewGameRequest, Route, SearchRequest, Timestamps, from_json, to_json,
};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::Result;
use crate::search::Polled;

/// The longest analysis, in milliseconds.
const MAX_ANALYSIS_TIME: u64 = 60 * 60 * 1_000;
/// The size of the transposition table of an analysis, in MiB.
const HASH_MIB: usize = 16;

thread_local! {
    /// The engine of the game that was played last, by the seed of the game.
    static ENGINE: RefCell<(u64, Engine)> = RefCell::default();
}

#[wasm_bindgen]
extern "C" {
    /// The monotonic clock of browsers, workers, Node and Deno, in milliseconds.
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
}

fn now() -> u64 {
    millis(performance_now())
}

/// Converts a time. Negative values and NaN become 0.
#[expect(clippy::cast_sign_loss, reason = "the cast saturates")]
const fn millis(time: f64) -> u64 {
    time as u64
}

/// An exception with the error's JSON body, as the server sends it, and its HTTP status.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn exception(error: ApiError) -> JsValue {
    let exception = Error::new(error.message());
    let body = JSON::parse(&to_json(&error)).unwrap_or(JsValue::NULL);
    // Setting a property of a new object cannot fail.
    let _ = Reflect::set(&exception, &"status".into(), &error.code().status().into());
    let _ = Reflect::set(&exception, &"body".into(), &body);
    exception.into()
}

/// Answers a request that needs no stored game: JSON in, JSON out.
#[wasm_bindgen]
pub fn respond(route: &str, body: &str) -> Result<String> {
    Route::find(route).and_then(|route| sandtable_contract::respond(route, body)).map_err(exception)
}

/// A stored game.
#[wasm_bindgen]
pub struct Session {
    session: sandtable_contract::Session,
}

#[wasm_bindgen]
impl Session {
    /// A new game: the body of `POST /api/games`.
    pub fn create(new_game: &str) -> Result<Self> {
        let settings = from_json::<NewGame>(new_game).and_then(|game| game.settings(Access::Open));
        let session = settings.and_then(sandtable_contract::Session::new).map_err(exception)?;
        Ok(Self { session })
    }

    /// A game from its settings and the entries of its log, with a stopped clock.
    pub fn restore(settings: &str, log: &str) -> Result<Self> {
        let settings: GameSettings = from_json(settings).map_err(exception)?;
        let log: Vec<LogEntry> = from_json(log).map_err(exception)?;
        let session = sandtable_contract::Session::restore(settings, &log).map_err(exception)?;
        Ok(Self { session })
    }

    /// The settings, as JSON.
    #[must_use]
    pub fn settings(&self) -> String {
        to_json(self.session.settings())
    }

    /// The number of changes, plus one.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a version is far below 2^53")]
    pub fn version(&self) -> f64 {
        self.session.version() as f64
    }

    /// A copy.
    #[must_use]
    #[wasm_bindgen(js_name = clone)]
    pub fn copy(&self) -> Self {
        Self { session: self.session.clone() }
    }

    /// Changes the game. Returns the new entries of the log; after an error the session is unchanged.
    pub fn change(&mut self, change: &str, expected: Option<f64>, now: f64) -> Result<String> {
        let change: Change = from_json(change).map_err(exception)?;
        self.session.check_version(expected.map(millis)).map_err(exception)?;
        let mut changed = self.session.clone();
        let entries = changed.change(&change, millis(now)).map_err(exception)?;
        changed.start_clock(millis(now));
        self.session = changed;
        Ok(to_json(&entries))
    }

    /// Starts the clock of a restored game.
    #[wasm_bindgen(js_name = startClock)]
    pub fn start_clock(&mut self, now: f64) {
        self.session.start_clock(millis(now));
    }

    /// The game as the server sends it.
    #[must_use]
    pub fn view(&self, id: &str, created: f64, updated: f64, wall_time: f64, now: f64) -> String {
        let timestamps = Timestamps { created: millis(created), updated: millis(updated) };
        to_json(&GameView::of(&self.session, id, timestamps, millis(wall_time), millis(now)))
    }

    /// The game in the list of games.
    #[must_use]
    pub fn summary(&self, id: &str, created: f64, updated: f64) -> String {
        let timestamps = Timestamps { created: millis(created), updated: millis(updated) };
        to_json(&GameSummary::of(&self.session, id, timestamps))
    }

    /// The record and its file extension.
    #[must_use]
    pub fn record(&self) -> String {
        to_json(&self.session.record())
    }

    /// The review that is stored with the game; `null` if there is none.
    #[must_use]
    pub fn review(&self) -> String {
        to_json(&self.session.review())
    }

    /// Converts a request of type `review_game` to the request of type `review` that carries it out, without the type.
    /// Fails if the game is not over.
    #[wasm_bindgen(js_name = reviewRequest)]
    pub fn review_request(&self, request: &str) -> Result<String> {
        let ReviewGameRequest { id, nodes, .. } = from_json(request).map_err(exception)?;
        Ok(to_json(&self.session.review_request(id, nodes).map_err(exception)?))
    }

    /// The time left to the side to move, if the clock runs.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a clock is far below 2^53 milliseconds")]
    #[wasm_bindgen(js_name = timeToFlag)]
    pub fn time_to_flag(&self, now: f64) -> Option<f64> {
        self.session.time_to_flag(millis(now)).map(|left| left as f64)
    }

    /// What an engine must do now, if anything: the argument of [`decide`]. Its `delay` is the earliest time for the decision.
    #[must_use]
    #[wasm_bindgen(js_name = engineTask)]
    pub fn engine_task(&self, id: &str, now: f64) -> Option<String> {
        self.session.engine_job(id, millis(now)).map(|job| to_json(&job))
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session({:?})", self.session.game())
    }
}

/// Carries out an engine task and blocks until it is done. Returns the decision for [`Session::change`]; `None` if `stop`
/// returned true or there is nothing to decide. The engine is kept for the next task of the same game.
#[wasm_bindgen]
pub fn decide(task: &str, stop: &Function) -> Result<Option<String>> {
    let EngineJob { position, task, seed, .. } = from_json(task).map_err(exception)?;
    let game = position.game().map_err(exception)?;
    let (of_game, mut engine) = ENGINE.take();
    if of_game != seed {
        engine = Engine::default();
    }
    let polled = Polled::new(stop);
    let decision = engine.decide(&*game, task, seed, &now, &Polled::should_stop);
    drop(polled);
    ENGINE.set((seed, engine));
    Ok(decision.map_err(exception)?.map(|decision| to_json(&decision)))
}

/// Analyses a position, reviews a game or compares turns, and blocks until it is done. Passes every message that the server
/// would send to `send`, as JSON; the last one has the type `done` or `error`.
#[wasm_bindgen]
pub fn analyze(request: &str, send: &Function, stop: &Function) -> Result<()> {
    let request: SearchRequest = from_json(request).map_err(exception)?;
    let host = AnalysisLimits { max_time: MAX_ANALYSIS_TIME, hash_mib: HASH_MIB };
    let polled = Polled::new(stop);
    sandtable_contract::search(&request, host, None, &now, &Polled::should_stop, &mut |message| {
        send.call1(&JsValue::UNDEFINED, &to_json(&message).into()).is_ok()
    });
    drop(polled);
    Ok(())
}
