//! `Searcher`: the engine.

use std::cell::RefCell;
use std::ops::ControlFlow;

use js_sys::Function;
use sandtable::engine::{Evaluation, Level, LevelPlayer};
use sandtable::find;
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Code, Result};
use crate::game::RawGame;
use crate::json::{self, SearchInfo};

/// The transposition table of a level at full strength, in MiB.
const HASH_MIB: usize = 16;

thread_local! {
    /// The callback that the running search polls: the search requires a `Sync` closure, and a JavaScript function is not.
    static STOP: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// The callback of the running search, until it is dropped.
#[must_use]
pub(crate) struct Polled(());

impl Polled {
    pub(crate) fn new(stop: &Function) -> Self {
        STOP.set(Some(stop.clone()));
        Self(())
    }

    /// Calls the callback. An exception in it stops the search too.
    pub(crate) fn should_stop() -> bool {
        STOP.with_borrow(|stop| {
            stop.as_ref().is_some_and(|stop| stop.call0(&JsValue::UNDEFINED).map_or(true, |v| v.is_truthy()))
        })
    }
}

impl Drop for Polled {
    fn drop(&mut self) {
        STOP.set(None);
    }
}

/// An engine with its transposition table. A search blocks, so it runs in a worker.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Searcher {
    engine: AlphaBeta,
}

#[wasm_bindgen]
impl Searcher {
    /// An engine with a transposition table of about `mebibytes` MiB.
    #[wasm_bindgen(constructor)]
    pub fn new(mebibytes: u32) -> Result<Self> {
        let engine = AlphaBeta::try_new(mebibytes as usize, AlphaBetaSettings::default());
        Ok(Self { engine: engine.map_err(|e| Code::Memory.error(e))? })
    }

    /// Clears the transposition table.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Searches until a limit is reached or `stop` returns true. Passes what it has found (JSON) to `report` after each
    /// iteration, and returns what it has found at the end.
    pub fn search(
        &mut self,
        game: &RawGame,
        depth: Option<u32>,
        nodes: Option<u64>,
        lines: u32,
        report: &Function,
        stop: &Function,
    ) -> String {
        let mut limits = Limits::until(&Polled::should_stop);
        (limits.depth, limits.nodes) = (depth, nodes);
        self.engine.settings = AlphaBetaSettings::default().with_lines(lines as usize);
        let game = game.as_dyn();
        self.engine.network = Evaluation::Default.network(game.name());
        let polled = Polled::new(stop);
        let found = game.search(&mut self.engine, &limits, &mut |found| {
            let text = json::text(&SearchInfo::of(game, found));
            match report.call1(&JsValue::UNDEFINED, &text.into()) {
                Ok(_) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        drop(polled);
        json::text(&SearchInfo::of(game, &found))
    }
}

/// Makes the network of a file the evaluation of a game in all searches from now on. Without a network, searches use
/// the hand-made evaluation.
#[wasm_bindgen(js_name = installNetwork)]
pub fn install_network(game: &str, bytes: &[u8]) -> Result<()> {
    let kind = find(game).map_err(|e| Code::Argument.error(e))?;
    sandtable::engine::install_network(kind, bytes).map_err(|e| Code::Argument.error(e))
}

/// The move of a level; `None` if the game is over. Below level 9 the move depends only on the seed and the game,
/// unless a limit is reached or `stop` returns true before the level's own search ends.
#[wasm_bindgen(js_name = levelMove)]
pub fn level_move(
    game: &RawGame,
    level: &str,
    seed: u64,
    depth: Option<u32>,
    nodes: Option<u64>,
    stop: &Function,
) -> Result<Option<String>> {
    let level: Level = level.parse().map_err(|e| Code::Argument.error(e))?;
    let game = game.as_dyn();
    let kind = find(game.name()).map_err(|e| Code::Argument.error(e))?;
    let mut limits = Limits::until(&Polled::should_stop);
    (limits.depth, limits.nodes) = (depth, nodes);
    let polled = Polled::new(stop);
    let chosen = LevelPlayer::new(kind, level, seed, HASH_MIB).choose(game, &limits);
    drop(polled);
    Ok(chosen)
}
