//! Drawings of a [`Diagram`](sandtable_core::Diagram): as characters for a terminal, as SVG for a document.

mod svg;
mod terminal;

pub use svg::{SvgOptions, svg};
pub use terminal::{TerminalOptions, planes, terminal};

use sandtable_core::Ground;

/// Red, green and blue.
type Rgb = [u8; 3];

/// The colour of a ground on paper.
const fn ground_colour(ground: Ground) -> Rgb {
    match ground {
        Ground::Light => [0xEB, 0xDF, 0xC8],
        Ground::Dark => [0xB0, 0x8F, 0x6A],
        Ground::Gray => [0xC9, 0xC3, 0xB6],
        Ground::Water => [0x9F, 0xC8, 0xE0],
        Ground::Mixed => [0xC3, 0xDD, 0xCB],
        Ground::Land => [0xEC, 0xE3, 0xC4],
    }
}

/// The ground of a cell that the last move touched: the same, half of the way to yellow.
const fn marked(colour: Rgb) -> Rgb {
    const MARK: Rgb = [0xF2, 0xD0, 0x2C];
    let mut mixed = [0; 3];
    let mut i = 0;
    while i < 3 {
        mixed[i] = colour[i].midpoint(MARK[i]);
        i += 1;
    }
    mixed
}

/// Does a colour need dark lines on it?
const fn is_light([r, g, b]: Rgb) -> bool {
    r as u32 * 299 + g as u32 * 587 + b as u32 * 114 > 140_000
}
