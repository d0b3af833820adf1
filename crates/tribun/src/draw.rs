//! The board as a picture would show it: Black at the bottom, "up" towards White.

use sandtable_core::{ByPlayer, Cell, Diagram, Draw, Figure, Ground, Label, Outline, Player};

use crate::action::Action;
use crate::position::Position;
use crate::tile::{Direction, RADIUS, Tile, TileColour};

/// Hexagons with a flat top interlock: neighbouring columns are three quarters of a width apart …
const COLUMN: f32 = 0.75;
/// … and half a hexagon's height, √3/4 of its width, higher or lower.
const HALF_ROW: f32 = 0.433_012_7;

/// The left and upper edge of the box around the hexagon at `(x, y)`, on the board or beside it.
fn corner(x: i8, y: i8) -> (f32, f32) {
    (COLUMN * f32::from(y - x + RADIUS), HALF_ROW * f32::from(2 * RADIUS - x - y))
}

fn ground(tile: Tile) -> Ground {
    match tile.colour() {
        TileColour::Gray => Ground::Gray,
        TileColour::Black => Ground::Dark,
        TileColour::White => Ground::Light,
    }
}

/// Letters along the lower left edge, where each row of equal `x` begins, and numbers along the lower right one.
fn labels() -> Vec<Label> {
    let beside = |tile: Tile, direction: Direction, text: &dyn Fn(&str) -> String| {
        let (dx, dy) = direction.vector();
        let (x, y) = corner(tile.x() + dx, tile.y() + dy);
        tile.neighbour(direction).is_none().then(|| Label { text: text(&tile.to_string()), x, y })
    };
    let letter = |name: &str| name[..1].to_owned();
    let number = |name: &str| name[1..].to_owned();
    let letters = Tile::all().filter_map(|tile| beside(tile, Direction::LeftDown, &letter));
    let numbers = Tile::all().filter_map(|tile| beside(tile, Direction::RightDown, &number));
    letters.chain(numbers).collect()
}

impl Draw for Position {
    fn diagram(&self, last: Option<Action>) -> Diagram {
        let touched: Vec<_> = last.into_iter().flat_map(Action::tiles).collect();
        let cell = |tile: Tile| {
            let (x, y) = corner(tile.x(), tile.y());
            let figure = self.board().unit(tile).map(|unit| Figure {
                owner: unit.owner(),
                letters: format!("{}{unit}", if unit.owner() == Player::First { 'b' } else { 'w' }),
                token: unit.to_string().trim_end_matches('*').to_owned(),
                outlines: &[],
                starred: unit.is_tribun(),
            });
            Cell {
                name: tile.to_string(),
                index: tile.cid().to_string(),
                x,
                y,
                ground: ground(tile),
                figure,
                marked: touched.contains(&tile),
            }
        };
        let (right, _) = corner(-RADIUS, 0);
        let (_, bottom) = corner(-RADIUS, -RADIUS);
        Diagram {
            outline: Outline::Hexagon,
            width: right + 1.0,
            height: bottom + 1.0,
            inks: ByPlayer::new([0x22, 0x20, 0x1E], [0xFF, 0xFC, 0xF5]),
            cells: Tile::all().map(cell).collect(),
            labels: labels(),
        }
    }
}
