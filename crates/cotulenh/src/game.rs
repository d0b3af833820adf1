//! Games with their history.

use crate::CoTuLenh;

/// A game of Cờ Tư Lệnh with its history.
pub type CoTuLenhGame = sandtable_core::Game<CoTuLenh>;
