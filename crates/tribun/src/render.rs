//! The diagram of the board, with Black at the bottom, and the details of actions.

use sandtable_core::{
    ByPlayer, Cell, Diagram, Figure, FigurePiece, Ground, Label, MoveDetails, Outline, PieceRole, Player,
    Position as _, Render, Share,
};

use crate::action::{Action, Part};
use crate::frame::framed_tile;
use crate::position::Position;
use crate::tile::{Direction, RADIUS, Tile, TileColour};
use crate::unit::{Height, Unit};

/// The distance of adjacent columns: hexagons with a flat top overlap by a quarter of their width.
const COLUMN: f32 = 0.75;
/// The vertical offset of adjacent columns: half the height of a hexagon, √3/4 of its width.
const HALF_ROW: f32 = 0.433_012_7;

/// The upper left corner of the bounding box of the hexagon at `(x, y)`, which may be off the board.
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

/// The figure of a unit and its slave, which belongs to the other player.
pub(crate) fn figure(unit: Unit) -> Figure {
    let piece = |owner, role, height: Height| FigurePiece {
        kind: "unit",
        owner,
        role,
        height: Some(height.value()),
        starred: role != PieceRole::Slave && unit.is_tribun(),
        outlines: drum(height),
        symbol: numeral(height),
    };
    let role = if unit.slave().is_some() { PieceRole::Carrier } else { PieceRole::Alone };
    let slave = unit.slave().map(|height| piece(!unit.owner(), PieceRole::Slave, height));
    Figure {
        owner: unit.owner(),
        letters: format!("{}{unit}", if unit.owner() == Player::First { 'b' } else { 'w' }),
        token: unit.to_string().trim_end_matches('*').to_owned(),
        starred: unit.is_tribun(),
        pieces: std::iter::once(piece(unit.owner(), role, unit.primary())).chain(slave).collect(),
    }
}

/// The outlines of a unit: a drum whose thickness grows with the height, and the edge of its upper face.
const fn drum(height: Height) -> &'static [&'static str] {
    match height {
        Height::One => &[
            "M16 48.5 A34 28 0 0 1 84 48.5 L84 51.5 A34 28 0 0 1 16 51.5 Z",
            "M16 48.5 A34 28 0 1 1 84 48.5 A34 28 0 1 1 16 48.5 Z",
        ],
        Height::Two => &[
            "M16 47 A34 28 0 0 1 84 47 L84 53 A34 28 0 0 1 16 53 Z",
            "M16 47 A34 28 0 1 1 84 47 A34 28 0 1 1 16 47 Z",
        ],
        Height::Three => &[
            "M16 45.5 A34 28 0 0 1 84 45.5 L84 54.5 A34 28 0 0 1 16 54.5 Z",
            "M16 45.5 A34 28 0 1 1 84 45.5 A34 28 0 1 1 16 45.5 Z",
        ],
        Height::Four => &[
            "M16 44 A34 28 0 0 1 84 44 L84 56 A34 28 0 0 1 16 56 Z",
            "M16 44 A34 28 0 1 1 84 44 A34 28 0 1 1 16 44 Z",
        ],
        Height::Six => &[
            "M16 41 A34 28 0 0 1 84 41 L84 59 A34 28 0 0 1 16 59 Z",
            "M16 41 A34 28 0 1 1 84 41 A34 28 0 1 1 16 41 Z",
        ],
        Height::Eight => &[
            "M16 38 A34 28 0 0 1 84 38 L84 62 A34 28 0 0 1 16 62 Z",
            "M16 38 A34 28 0 1 1 84 38 A34 28 0 1 1 16 38 Z",
        ],
    }
}

/// The numeral on the upper face.
const fn numeral(height: Height) -> &'static str {
    match height {
        Height::One => "M41 39.5 L52 31.5 L58 31.5 L58 65.5 L50 65.5 L50 41.5 L45 45.5 Z",
        Height::Two => {
            "M39 40 C39 33 44 29 50 29 C57 29 61 33 61 39 C61 44 58 47 55 50 L48 57.5 L61 57.5 \
             L61 64 L38 64 L38 58.5 L51 46 C53 44 54 42 54 39.5 C54 37 52 35.5 50 35.5 C47 35.5 \
             46 37.5 46 40 Z"
        }
        Height::Three => {
            "M40 28.5 L60 28.5 L60 34.5 L52 41.5 C58 41.5 61 46.5 61 51.5 C61 58.5 56 63.5 49 \
             63.5 C43 63.5 39 59.5 38.5 54.5 L45 52.5 C45.5 55.5 47 57 49.5 57 C52.5 57 54 55 54 \
             52 C54 49 52 47 49 47 L44 47 L44 42.5 L52 35 L40 35 Z"
        }
        Height::Four => {
            "M51 26 L58 26 L58 47 L62 47 L62 53 L58 53 L58 61 L51 61 L51 53 L37 53 L37 47 Z M51 \
             37 L44 47 L51 47 Z"
        }
        Height::Six => {
            "M57 23 L50 35 C57 35 62 40 62 47 C62 54 57 59 50 59 C43 59 38 54 38 47 C38 43 40 39 \
             42 36 L49 23 Z M50 42 A5 5 0 1 0 50.01 42 Z"
        }
        Height::Eight => {
            "M50 20 C56 20 60 24 60 29 C60 32 58.5 34.5 56.5 36 C60 38 62 41.5 62 45 C62 51.5 57 \
             56 50 56 C43 56 38 51.5 38 45 C38 41.5 40 38 43.5 36 C41.5 34.5 40 32 40 29 C40 24 \
             44 20 50 20 Z M50 25.5 A3.6 3.6 0 1 0 50.01 25.5 Z M50 40 A4.8 4.8 0 1 0 50.01 40 Z"
        }
    }
}

/// The labels: a letter for each `x` along the lower left edge, and a number for each `y` along the lower right edge.
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

impl Render for Position {
    const HAS_SHARES: bool = true;

    fn diagram(&self, last: Option<Action>) -> Diagram {
        let marked: Vec<_> = last.into_iter().flat_map(Action::tiles).collect();
        let cell = |tile: Tile| {
            let (x, y) = corner(tile.x(), tile.y());
            Cell {
                name: tile.to_string(),
                index: tile.cid().to_string(),
                x,
                y,
                ground: ground(tile),
                terrain: vec![terrain(tile)],
                place: framed_tile(tile, self.turn()).cid().into(),
                figure: self.board().unit(tile).map(figure),
                marked: marked.contains(&tile),
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

    fn move_details(&self, action: Action) -> MoveDetails {
        let none = MoveDetails::default();
        let name = |tile: Tile| Some(tile.name().into());
        let beside = |tile: Tile, direction| tile.neighbour(direction).map(|there| there.name().into());
        let share =
            |tile: Tile, direction, amount| beside(tile, direction).map(|cell| Share { cell, amount });
        match action {
            Action::Move { from, to, part } => {
                MoveDetails { kind: "move", from: name(from), to: name(to), group: vec![part.name()], ..none }
            }
            Action::Kill { attacker, target, part } => MoveDetails {
                kind: "kill",
                from: name(attacker),
                to: name(target),
                group: vec![part.name()],
                takes: name(target),
                ..none
            },
            Action::Liberate { target } => {
                MoveDetails { kind: "liberate", to: name(target), takes: name(target), ..none }
            }
            Action::Damage { target, loss } => MoveDetails {
                kind: "damage",
                to: name(target),
                takes: name(target),
                amount: Some(loss.value()),
                ..none
            },
            Action::Enslave { attacker, target } => MoveDetails {
                kind: "enslave",
                from: name(attacker),
                to: name(target),
                takes: name(target),
                ..none
            },
            Action::Combine { centre, donors, gifts } => {
                let given = donors.directions().into_iter().zip(gifts);
                let shares = given.filter_map(|(direction, gift)| share(centre, direction, gift.value()));
                MoveDetails { kind: "combine", to: name(centre), shares: shares.collect(), ..none }
            }
            Action::SymCombine { centre, ring } => {
                let shares =
                    ring.donors().iter().filter_map(|&direction| share(centre, direction, ring.gift()));
                MoveDetails { kind: "sym-combine", to: name(centre), shares: shares.collect(), ..none }
            }
            Action::Split { actor, heights } => {
                let shares = heights
                    .placed()
                    .filter_map(|(direction, height)| share(actor, direction, height.value()));
                MoveDetails { kind: "split", from: name(actor), shares: shares.collect(), ..none }
            }
            Action::Backstabb { actor, direction } => {
                MoveDetails { kind: "backstab", from: name(actor), to: beside(actor, direction), ..none }
            }
            Action::AttackTribun { attacker, tribun, .. } => MoveDetails {
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
    /// The name of the part.
    const fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Slave => "slave",
        }
    }
}
