//! The drawing of a unit: a stack with one disc for each height, a numeral on it, and the crown of a tribun.

use sandtable_core::Player;
use sandtable_core::view::{FigurePiece, PieceRole, Place};

use crate::unit::{Height, Unit};

/// The height of the ellipse of a disc.
const FACE: u8 = 42;
/// The height of the tallest figure with a slave.
const MAX_HEIGHT: u16 = 88;

/// The pieces of a unit: the primary, then its slave, which belongs to the other player and lies beneath.
pub(crate) fn pieces(unit: Unit) -> Vec<FigurePiece> {
    let piece = |owner: Player, role, height: Height| FigurePiece {
        kind: "unit",
        owner,
        role,
        place: None,
        height: Some(height.value()),
        starred: role == PieceRole::Alone && unit.is_tribun(),
        outlines: discs(height),
        symbol: if role == PieceRole::Slave { numeral_in_front(height) } else { numeral(height) },
        badge: if unit.is_tribun() { crown(height) } else { "" },
    };
    let Some(slave) = unit.slave() else {
        return vec![piece(unit.owner(), PieceRole::Alone, unit.primary())];
    };
    let (above, below) = (thickness(unit.primary()), thickness(slave));
    let scale = (MAX_HEIGHT * 100 / u16::from(FACE + above + below)).min(100) as u8;
    // Each stack is centred in its box. Shifted by half the thickness of the other stack, the two touch.
    let place = |shift: i16| {
        let scaled = |value: i16| (value * i16::from(scale) / 100) as i8;
        Place { x: 50 - scaled(50), y: 50 + scaled(shift - 50), scale }
    };
    vec![
        FigurePiece {
            place: Some(place(-i16::from(below) / 2)),
            ..piece(unit.owner(), PieceRole::Carrier, unit.primary())
        },
        FigurePiece {
            place: Some(place(i16::from(above) / 2)),
            ..piece(!unit.owner(), PieceRole::Slave, slave)
        },
    ]
}

/// The thickness of a stack of discs, without its upper face.
const fn thickness(height: Height) -> u8 {
    match height {
        Height::One => 9,
        Height::Two => 16,
        Height::Three => 24,
        Height::Four => 28,
        Height::Six => 36,
        Height::Eight => 40,
    }
}

/// The outlines of a stack: the silhouette, the edges between discs and the upper face.
const fn discs(height: Height) -> &'static [&'static str] {
    match height {
        Height::One => &[
            "M14 45.5A36 21 0 0 1 86 45.5V54.5A36 21 0 0 1 14 54.5Z",
            "M14 45.5A36 21 0 1 1 86 45.5A36 21 0 1 1 14 45.5Z",
        ],
        Height::Two => &[
            "M14 42A36 21 0 0 1 86 42V58A36 21 0 0 1 14 58Z",
            "M14 50A36 21 0 0 0 86 50",
            "M14 42A36 21 0 1 1 86 42A36 21 0 1 1 14 42Z",
        ],
        Height::Three => &[
            "M14 38A36 21 0 0 1 86 38V62A36 21 0 0 1 14 62Z",
            "M14 46A36 21 0 0 0 86 46M14 54A36 21 0 0 0 86 54",
            "M14 38A36 21 0 1 1 86 38A36 21 0 1 1 14 38Z",
        ],
        Height::Four => &[
            "M14 36A36 21 0 0 1 86 36V64A36 21 0 0 1 14 64Z",
            "M14 43A36 21 0 0 0 86 43M14 50A36 21 0 0 0 86 50M14 57A36 21 0 0 0 86 57",
            "M14 36A36 21 0 1 1 86 36A36 21 0 1 1 14 36Z",
        ],
        Height::Six => &[
            "M14 32A36 21 0 0 1 86 32V68A36 21 0 0 1 14 68Z",
            "M14 38A36 21 0 0 0 86 38M14 44A36 21 0 0 0 86 44M14 50A36 21 0 0 0 86 50M14 56A36 21 0 0 \
             0 86 56M14 62A36 21 0 0 0 86 62",
            "M14 32A36 21 0 1 1 86 32A36 21 0 1 1 14 32Z",
        ],
        Height::Eight => &[
            "M14 30A36 21 0 0 1 86 30V70A36 21 0 0 1 14 70Z",
            "M14 35A36 21 0 0 0 86 35M14 40A36 21 0 0 0 86 40M14 45A36 21 0 0 0 86 45M14 50A36 21 0 0 \
             0 86 50M14 55A36 21 0 0 0 86 55M14 60A36 21 0 0 0 86 60M14 65A36 21 0 0 0 86 65",
            "M14 30A36 21 0 1 1 86 30A36 21 0 1 1 14 30Z",
        ],
    }
}

/// The outline of a numeral that starts at a point.
macro_rules! numeral {
    (One, $start:literal) => {
        concat!($start, "l10-8h7v30h-8v-20l-5 4z")
    };
    (Two, $start:literal) => {
        concat!(
            $start,
            "c0-6 5-10 11-10c7 0 11 4 11 9c0 5-3 8-6 11l-5 5h12v6h-23v-6l12-11c2-2 3-3 3-5c0-2-2-3-4-",
            "3c-3 0-4 2-4 4z"
        )
    };
    (Three, $start:literal) => {
        concat!(
            $start,
            "h20v6l-7 6c5 0 8 4 8 9c0 6-5 10-11 10c-6 0-10-3-11-8l7-2c0 2 2 4 4 4c3 0 4-2 4-4c0-3-2-4",
            "-5-4h-4v-5l6-6h-11z"
        )
    };
    (Four, $start:literal) => {
        concat!($start, "h7v19h4v6h-4v6h-8v-6h-14v-6zm-1 10l-7 9h7z")
    };
    (Six, $start:literal) => {
        concat!(
            $start,
            "l-6 9c6 0 11 5 11 11c0 6-5 10-11 10c-6 0-11-4-11-10c0-3 1-6 3-9l6-11zm-6 14.500a5.500 5.",
            "500 0 1 0 .01 0z"
        )
    };
    (Eight, $start:literal) => {
        concat!(
            $start,
            "c6 0 9 3 9 7c0 3-1 5-3 6c3 1 5 4 5 7c0 6-5 10-11 10c-6 0-11-4-11-10c0-3 2-6 5-7c-2-1-3-3",
            "-3-6c0-4 3-7 9-7zm0 4.500a3.750 3.750 0 1 0 .01 0zm0 11a5 5 0 1 0 .01 0z"
        )
    };
}

/// The numeral on the upper face.
const fn numeral(height: Height) -> &'static str {
    match height {
        Height::One => numeral!(One, "M41 41.5"),
        Height::Two => numeral!(Two, "M39 39"),
        Height::Three => numeral!(Three, "M40 26"),
        Height::Four => numeral!(Four, "M52 24"),
        Height::Six => numeral!(Six, "M56 20"),
        Height::Eight => numeral!(Eight, "M50 18"),
    }
}

/// The numeral in front of a slave, whose upper face is covered.
const fn numeral_in_front(height: Height) -> &'static str {
    match height {
        Height::One => numeral!(One, "M65 45.5"),
        Height::Two => numeral!(Two, "M63 50"),
        Height::Three => numeral!(Three, "M64 45"),
        Height::Four => numeral!(Four, "M76 47"),
        Height::Six => numeral!(Six, "M80 51"),
        Height::Eight => numeral!(Eight, "M74 53"),
    }
}

/// The crown at the back of the upper face.
const fn crown(height: Height) -> &'static str {
    match height {
        Height::One => "M30 36.5l-4-17l12 8l12-14l12 14l12-8l-4 17z",
        Height::Two => "M30 33l-4-17l12 8l12-14l12 14l12-8l-4 17z",
        Height::Three => "M30 29l-4-17l12 8l12-14l12 14l12-8l-4 17z",
        Height::Four => "M30 27l-4-17l12 8l12-14l12 14l12-8l-4 17z",
        Height::Six => "M30 23l-4-17l12 8l12-14l12 14l12-8l-4 17z",
        Height::Eight => "M30 21l-4-17l12 8l12-14l12 14l12-8l-4 17z",
    }
}
