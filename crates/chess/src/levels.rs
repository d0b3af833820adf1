//! The engine levels of chess.

use sandtable_core::search::Levels;

/// Levels 0 to 8 are measured by `sandtable ladder`, level 9 is an estimate: see `docs/engine.md`.
pub(crate) const LEVELS: Levels = Levels::new([
    (82, Some(1), 400),
    (60, Some(1), 700),
    (36, Some(1), 1_200),
    (20, Some(2), 2_000),
    (7, Some(3), 3_000),
    (1, Some(6), 9_000),
    (1, None, 12_000),
    (0, None, 40_000),
])
.with_elo([-390, 0, 280, 660, 1_070, 1_380, 1_640, 1_870, 2_150, 2_450]);
