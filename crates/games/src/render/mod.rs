//! Renderers of a [`Diagram`](sandtable_core::view::Diagram): characters for a terminal, SVG for a document.
//!
//! ```
//! use sandtable_games::render::{TerminalOptions, terminal};
//!
//! let game = sandtable_games::find("chess")?.start("standard")?;
//! let board = terminal(&game.diagram(), TerminalOptions::default());
//! assert!(board.contains(" R  N  B  Q  K  B  N  R"));
//! # Ok::<(), sandtable_games::Error>(())
//! ```

mod svg;
mod terminal;

pub use svg::{Mark, SvgOptions, svg};
pub use terminal::{TerminalOptions, planes, terminal};

use sandtable_core::view::{Ground, Outline};

/// An RGB colour.
type Rgb = [u8; 3];

/// The colour of a ground. Hexagons have three tones, which are close to each other.
const fn ground_color(outline: Outline, ground: Ground) -> Rgb {
    match ground {
        Ground::Light if matches!(outline, Outline::Hexagon) => [0xE6, 0xDC, 0xC6],
        Ground::Gray if matches!(outline, Outline::Hexagon) => [0xDD, 0xD2, 0xBB],
        Ground::Dark if matches!(outline, Outline::Hexagon) => [0xD5, 0xC8, 0xAD],
        Ground::Light => [0xEB, 0xDF, 0xC8],
        Ground::Dark => [0xB0, 0x8F, 0x6A],
        Ground::Gray => [0xC9, 0xC3, 0xB6],
        Ground::Water => [0x9F, 0xC8, 0xE0],
        Ground::Mixed => [0xC3, 0xDD, 0xCB],
        Ground::Land => [0xEC, 0xE3, 0xC4],
    }
}

/// The ground colour of a cell of the last move: halfway to yellow.
const fn marked(color: Rgb) -> Rgb {
    const MARK: Rgb = [0xF2, 0xD0, 0x2C];
    let mut mixed = [0; 3];
    let mut i = 0;
    while i < 3 {
        mixed[i] = color[i].midpoint(MARK[i]);
        i += 1;
    }
    mixed
}

/// Whether lines on this colour should be dark.
const fn is_light([r, g, b]: Rgb) -> bool {
    r as u32 * 299 + g as u32 * 587 + b as u32 * 114 > 140_000
}
