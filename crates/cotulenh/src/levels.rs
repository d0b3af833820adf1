//! The engine levels of Cờ Tư Lệnh.

use sandtable_core::search::Levels;

/// Levels 5 to 8 are measured by `sandtable ladder`, the others are estimates: see `docs/engine.md`.
pub(crate) const LEVELS: Levels =
    Levels::DEFAULT.with_elo([680, 1_000, 1_150, 1_430, 1_730, 1_870, 2_230, 2_510, 2_860, 3_100]);
