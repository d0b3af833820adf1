//! The engine levels of Tribun.

use sandtable_core::search::Levels;

/// Levels 0 to 8 are measured by `sandtable ladder`, level 9 is an estimate: see `docs/engine.md`.
pub(crate) const LEVELS: Levels = Levels::new([
    (96, Some(1), 400),
    (88, Some(1), 700),
    (79, Some(1), 1_200),
    (63, Some(1), 2_000),
    (45, Some(1), 3_000),
    (29, Some(2), 5_000),
    (13, Some(3), 10_000),
    (4, None, 30_000),
])
.with_elo([610, 1_000, 1_510, 1_900, 2_260, 2_470, 2_880, 3_250, 3_680, 4_000]);
