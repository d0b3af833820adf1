//! The games and the engine for JavaScript, as thin wasm-bindgen wrappers over the facade.
//!
//! The interface is private to the npm package: `npm/src` checks the types and ranges of all arguments, because
//! wasm-bindgen does not, and offers the interface that users see. Values with several parts cross the boundary as JSON.

mod error;
mod game;
mod json;
pub mod search;

#[cfg(feature = "chess")]
mod chess;
#[cfg(feature = "contract")]
pub mod contract;
#[cfg(feature = "cotulenh")]
pub mod cotulenh;
#[cfg(feature = "tribun")]
pub mod tribun;

use sandtable::GAMES;
use wasm_bindgen::prelude::wasm_bindgen;

pub use game::RawGame;

/// Runs once, when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    // A panic would otherwise end in the instruction `unreachable`, which tells a caller nothing.
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&format!("internal error: {info}"))));
}

/// The kinds of game in this module and their constants, as JSON.
#[must_use]
#[wasm_bindgen]
pub fn kinds() -> String {
    json::text(&GAMES.iter().map(json::Kind::of).collect::<Vec<_>>())
}
