//! Why a unit cannot act.

use std::ops::ControlFlow;

use sandtable_core::view::Explain;
use sandtable_core::{Describe, Player, Position};

use crate::action::Action;
use crate::movegen::{Generator, Pattern};
use crate::position::Tribun;
use crate::tile::Tile;

/// A rule that stands in the way of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_obstacle")]
#[non_exhaustive]
pub enum Obstacle {
    /// The target is a unit of the mover, and the two cannot combine.
    #[error("Your own unit is on {tile}: two units combine on an empty tile beside both")]
    OwnUnit {
        /// The target.
        tile: Tile,
    },
    /// A unit is between.
    #[error("The unit on {tile} is in the way")]
    Blocked {
        /// The tile of the unit.
        tile: Tile,
    },
    /// A tribun of height 1 does not reach the target.
    #[error("A tribun of height 1 moves and attacks one tile in any direction")]
    Tribun,
    /// A unit of height 1 does not move there.
    #[error("A unit of height 1 moves one tile straight ahead")]
    OneMoves,
    /// A unit of height 1 does not attack there.
    #[error("A unit of height 1 attacks one tile ahead to the left or to the right")]
    OneAttacks,
    /// A unit of height 2 does not reach the target.
    #[error("A unit of height 2 moves and attacks the nearest tiles of its own colour")]
    Two,
    /// A unit of height 3 does not reach the target.
    #[error("A unit of height 3 leaps like a knight: two tiles straight and one to the side")]
    Three,
    /// A unit of height 4 does not reach the target.
    #[error("A unit of height 4 moves and attacks along the diagonals, on tiles of its own colour")]
    Four,
    /// A unit of height 6 does not move there.
    #[error("A unit of height 6 moves along the diagonals, on tiles of its own colour")]
    SixMoves,
    /// A unit of height 6 does not attack there.
    #[error("A unit of height 6 attacks along the six rows of tiles")]
    SixAttacks,
    /// A unit of height 8 does not move there.
    #[error("A unit of height 8 moves one or two tiles straight")]
    EightMoves,
    /// A unit of height 8 does not attack there.
    #[error("A unit of height 8 attacks up to two tiles straight, and the nearest tiles of its own colour")]
    EightAttacks,
    /// The unit cannot act at all.
    #[error("This unit has no tile to act on")]
    NoTarget,
}

impl Explain for Tribun {
    type Cell = Tile;
    type Obstacle = Obstacle;

    fn owner(&self, cell: Tile) -> Option<Player> {
        self.board().unit(cell).map(crate::Unit::owner)
    }

    fn obstacle(&self, from: Tile, to: Option<Tile>, _group: &[&str]) -> Option<Obstacle> {
        let unit = self.board().unit(from)?;
        let generator = Generator::new(self.board(), self.turn(), self.rules());
        let takes_part = |action: Action| match action {
            // Any of the attackers may take part.
            Action::Liberate { target } | Action::Damage { target, .. } => {
                to.is_none_or(|to| to == target) && generator.units_reaching(target).contains(from)
            }
            _ => {
                let acts = action.actor().is_none_or(|actor| actor == from);
                acts && [Some(from), to].into_iter().flatten().all(|tile| action.tiles().any(|t| t == tile))
            }
        };
        let flow =
            |action| if takes_part(action) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        if self.for_each_legal(flow).is_break() {
            return None;
        }
        let Some(to) = to else { return Some(Obstacle::NoTarget) };
        let pattern = Pattern::of_primary(unit);
        let attacks = match self.board().unit(to) {
            Some(there) if there.owner() == self.turn() => return Some(Obstacle::OwnUnit { tile: to }),
            there => there.is_some(),
        };
        let blocker = pattern.blocker(from, to, attacks, generator.occupancy());
        Some(blocker.map_or_else(|| obstacle_of(pattern, attacks), |tile| Obstacle::Blocked { tile }))
    }
}

/// The rule about the moves or attacks of a pattern.
const fn obstacle_of(pattern: Pattern, attacks: bool) -> Obstacle {
    match (pattern, attacks) {
        (Pattern::TribunOne, _) => Obstacle::Tribun,
        (Pattern::One, false) => Obstacle::OneMoves,
        (Pattern::One, true) => Obstacle::OneAttacks,
        (Pattern::Two, _) => Obstacle::Two,
        (Pattern::Three, _) => Obstacle::Three,
        (Pattern::Four, _) => Obstacle::Four,
        (Pattern::Six, false) => Obstacle::SixMoves,
        (Pattern::Six, true) => Obstacle::SixAttacks,
        (Pattern::Eight, false) => Obstacle::EightMoves,
        (Pattern::Eight, true) => Obstacle::EightAttacks,
    }
}
