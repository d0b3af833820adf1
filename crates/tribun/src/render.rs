//! The diagram of the board, with Black at the bottom, and the details of actions.

use sandtable_core::view::{
    Arrow, Cell, Diagram, Figure, Ground, Label, MoveDetails, Outline, Render, Share, Theme,
};
use sandtable_core::{ByPlayer, Player, Position};

use crate::action::{Action, Part};
use crate::drawing::pieces;
use crate::frame::Frame;
use crate::position::Tribun;
use crate::themes::THEMES;
use crate::tile::{Direction, RADIUS, Tile, TileColor};
use crate::unit::Unit;

/// The distance of adjacent columns: hexagons with a flat top overlap by a quarter of their width.
const COLUMN: f32 = 0.75;
/// The vertical offset of adjacent columns: half the height of a hexagon, √3/4 of its width.
const HALF_ROW: f32 = 0.433_012_7;

/// The upper left corner of the bounding box of the hexagon at `(x, y)`, which may be off the board.
fn corner(x: i8, y: i8) -> (f32, f32) {
    (COLUMN * f32::from(y - x + RADIUS), HALF_ROW * f32::from(2 * RADIUS - x - y))
}

fn ground(tile: Tile) -> Ground {
    match tile.color() {
        TileColor::Gray => Ground::Gray,
        TileColor::Black => Ground::Dark,
        TileColor::White => Ground::Light,
    }
}

const fn terrain(tile: Tile) -> &'static str {
    match tile.color() {
        TileColor::Gray => "gray",
        TileColor::Black => "black",
        TileColor::White => "white",
    }
}

/// The figure of a unit and its slave, which belongs to the other player.
pub(crate) fn figure(unit: Unit) -> Figure {
    Figure {
        owner: unit.owner(),
        letters: format!("{}{unit}", if unit.owner() == Player::First { 'b' } else { 'w' }),
        token: unit.to_string().trim_end_matches('*').to_owned(),
        starred: unit.is_tribun(),
        pieces: pieces(unit),
    }
}

/// The labels: a letter for each `x` along the lower left edge, and a number for each `y` along the lower right edge.
fn labels() -> Vec<Label> {
    let beside = |tile: Tile, direction: Direction, text: &dyn Fn(&str) -> String| {
        let (dx, dy) = direction.vector();
        let (x, y) = corner(tile.x() + dx, tile.y() + dy);
        tile.neighbor(direction).is_none().then(|| Label { text: text(&tile.to_string()), x, y })
    };
    let letter = |name: &str| name[..1].to_owned();
    let number = |name: &str| name[1..].to_owned();
    let letters = Tile::all().filter_map(|tile| beside(tile, Direction::LeftDown, &letter));
    let numbers = Tile::all().filter_map(|tile| beside(tile, Direction::RightDown, &number));
    letters.chain(numbers).collect()
}

impl Render for Tribun {
    const HAS_SHARES: bool = true;
    const THEMES: &'static [Theme<Self>] = THEMES;

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
                place: Frame::of(self.turn()).cell(tile),
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
            scenery: Vec::new(),
            flipped: false,
        }
    }

    /// An attack does not record its attackers. Unless the attacker that moves in suffices alone, the arrows come from
    /// all units that attack the target.
    fn arrows(&self, action: Action) -> Vec<Arrow> {
        let (target, attacker) = match action {
            Action::Liberate { target } | Action::Damage { target, .. } => (target, None),
            Action::Kill { attacker, target, part } => (target, Some((attacker, part))),
            Action::Enslave { attacker, target } => (target, Some((attacker, Part::Primary))),
            _ => return self.move_details(action).arrows(),
        };
        let suffices = |(attacker, part): (Tile, Part)| {
            let unit = self.board().unit(attacker)?;
            let strength = match part {
                Part::Primary => unit.primary(),
                Part::Slave => unit.slave()?,
            };
            (strength >= self.board().unit(target)?.primary()).then_some(attacker)
        };
        let attackers = match attacker.and_then(suffices) {
            Some(alone) => vec![alone],
            None => (self.attackers(target) & self.board().occupied(self.turn())).iter().collect(),
        };
        let arrow = |from: Tile| Arrow { from: from.name().into(), to: target.name().into() };
        attackers.into_iter().map(arrow).collect()
    }

    fn move_details(&self, action: Action) -> MoveDetails {
        let none = MoveDetails::default();
        let name = |tile: Tile| Some(tile.name().into());
        let beside = |tile: Tile, direction| tile.neighbor(direction).map(|there| there.name().into());
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
            Action::Combine { center, donors, gifts } => {
                let given = donors.directions().into_iter().zip(gifts);
                let shares = given.filter_map(|(direction, gift)| share(center, direction, gift.value()));
                MoveDetails { kind: "combine", to: name(center), shares: shares.collect(), ..none }
            }
            Action::SymCombine { center, form } => {
                let shares =
                    form.donors().iter().filter_map(|&direction| share(center, direction, form.gift()));
                MoveDetails { kind: "sym-combine", to: name(center), shares: shares.collect(), ..none }
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
