//! The board as a picture would show it: Black at the bottom, "up" towards White.

use sandtable_core::{
    ByPlayer, Cell, Diagram, Draw, Figure, FigurePiece, Ground, Label, MoveParts, Outline, Player,
    Position as _, Role, Share,
};

use crate::action::{Action, Part};
use crate::position::Position;
use crate::tensor::framed;
use crate::tile::{Direction, RADIUS, Tile, TileColour};
use crate::unit::Unit;

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

const fn terrain(tile: Tile) -> &'static str {
    match tile.colour() {
        TileColour::Gray => "gray",
        TileColour::Black => "black",
        TileColour::White => "white",
    }
}

/// A unit with its slave, who belongs to the other player.
pub(crate) fn figure(unit: Unit) -> Figure {
    let piece = |owner, role, height: crate::Height| FigurePiece {
        kind: "unit",
        owner,
        role,
        height: Some(height.value()),
        starred: role != Role::Slave && unit.is_tribun(),
    };
    let role = if unit.slave().is_some() { Role::Carrier } else { Role::Alone };
    let slave = unit.slave().map(|height| piece(!unit.owner(), Role::Slave, height));
    Figure {
        owner: unit.owner(),
        letters: format!("{}{unit}", if unit.owner() == Player::First { 'b' } else { 'w' }),
        token: unit.to_string().trim_end_matches('*').to_owned(),
        outlines: &[],
        starred: unit.is_tribun(),
        pieces: std::iter::once(piece(unit.owner(), role, unit.primary())).chain(slave).collect(),
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
            Cell {
                name: tile.to_string(),
                index: tile.cid().to_string(),
                x,
                y,
                ground: ground(tile),
                terrain: vec![terrain(tile)],
                place: framed(tile, self.turn()).cid().into(),
                figure: self.board().unit(tile).map(figure),
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

    fn parts(&self, action: Action) -> MoveParts {
        let none = MoveParts::default();
        let name = |tile: Tile| Some(tile.to_string());
        let beside = |tile: Tile, direction| tile.neighbour(direction).as_ref().map(Tile::to_string);
        let share =
            |tile: Tile, direction, amount| beside(tile, direction).map(|cell| Share { cell, amount });
        match action {
            Action::Move { from, to, part } => {
                MoveParts { kind: "move", from: name(from), to: name(to), group: vec![part.name()], ..none }
            }
            Action::Kill { attacker, target, part } => MoveParts {
                kind: "kill",
                from: name(attacker),
                to: name(target),
                group: vec![part.name()],
                takes: name(target),
                ..none
            },
            Action::Liberate { target } => {
                MoveParts { kind: "liberate", to: name(target), takes: name(target), ..none }
            }
            Action::Damage { target, loss } => MoveParts {
                kind: "damage",
                to: name(target),
                takes: name(target),
                amount: Some(loss.value()),
                ..none
            },
            Action::Enslave { attacker, target } => MoveParts {
                kind: "enslave",
                from: name(attacker),
                to: name(target),
                takes: name(target),
                ..none
            },
            Action::Combine { centre, donors, gifts } => {
                let given = donors.directions().into_iter().zip(gifts);
                let shares = given.filter_map(|(direction, gift)| share(centre, direction, gift.value()));
                MoveParts { kind: "combine", to: name(centre), shares: shares.collect(), ..none }
            }
            Action::SymCombine { centre, ring } => {
                let shares =
                    ring.donors().iter().filter_map(|&direction| share(centre, direction, ring.gift()));
                MoveParts { kind: "sym-combine", to: name(centre), shares: shares.collect(), ..none }
            }
            Action::Split { actor, parts } => {
                let shares =
                    parts.placed().filter_map(|(direction, height)| share(actor, direction, height.value()));
                MoveParts { kind: "split", from: name(actor), shares: shares.collect(), ..none }
            }
            Action::Backstabb { actor, direction } => {
                MoveParts { kind: "backstab", from: name(actor), to: beside(actor, direction), ..none }
            }
            Action::AttackTribun { attacker, tribun, .. } => MoveParts {
                kind: "attack-tribun",
                from: name(attacker),
                to: name(tribun),
                takes: name(tribun),
                ..none
            },
        }
    }
}

impl Part {
    /// The part in a word.
    const fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Slave => "slave",
        }
    }
}
