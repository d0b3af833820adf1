//! The factored policy: each part of an action is a factor, such as the height that a split places in one direction.
//!
//! An action that moves a unit has a line and a kind at both of its ends, because they decide together: which unit goes, and
//! what happens where it arrives.

use sandtable_core::learn::{Factor, FactoredPolicy, PlaneGroup, PolicyIndex, Shape};

use crate::Tribun;
use crate::action::{Action, Part, SplitHeights, SymCombine};
use crate::policy::{LINES, action_at, cell_and_plane, line_of, line_vector};
use crate::tile::{Direction, Tile};
use crate::unit::Height;

/// The groups of planes of the head, in order.
const GROUPS: [PlaneGroup; 13] = [
    PlaneGroup::new("departure", LINES, "from or attacker", "line"),
    PlaneGroup::new("departing kind", KINDS, "from or attacker", "kind"),
    PlaneGroup::new("arrival", LINES, "to or target", "line"),
    PlaneGroup::new("arriving kind", KINDS, "to or target", "kind"),
    PlaneGroup::new("attack tribun", 1, "attacker", "nothing"),
    PlaneGroup::new("liberate", 1, "target", "nothing"),
    PlaneGroup::new("damage", 7, "target", "loss − 1"),
    PlaneGroup::new("new height", HEIGHTS, "centre", "rank of 2, 3, 4, 6, 8"),
    PlaneGroup::new("gift", Direction::NUM * GIFT_SIZES, "centre", "direction · 7 + gift − 1"),
    PlaneGroup::new("ring", SymCombine::NUM, "centre", "ring"),
    PlaneGroup::new("split", 8, "actor", "sum of the heights − 1"),
    PlaneGroup::new("split part", Direction::NUM * PARTS, "actor", "direction · 5 + rank of 1, 2, 3, 4, 6"),
    PlaneGroup::new("backstabb", Direction::NUM, "actor", "direction"),
];

/// The kinds of actions that move a unit: move, move by slave, kill, kill by slave, enslave.
const KINDS: usize = 5;
/// The heights of a combined unit.
const HEIGHTS: usize = Height::NUM - 1;
/// The gifts of a combination of two units: 1 to 7.
const GIFT_SIZES: usize = 7;
/// The heights that a split can place on a tile.
const PARTS: usize = SplitHeights::PLACEABLE.len();

/// A group of planes: its index in [`GROUPS`].
enum Group {
    Departure,
    DepartingKind,
    Arrival,
    ArrivingKind,
    AttackTribun,
    Liberate,
    Damage,
    NewHeight,
    Gift,
    SymCombine,
    Split,
    SplitPart,
    Backstabb,
}

const fn first_plane(group: Group) -> usize {
    PlaneGroup::first_plane(&GROUPS, group as usize)
}

const DEPARTURE: usize = first_plane(Group::Departure);
const DEPARTING_KIND: usize = first_plane(Group::DepartingKind);
const ARRIVAL: usize = first_plane(Group::Arrival);
const ARRIVING_KIND: usize = first_plane(Group::ArrivingKind);
const ATTACK_TRIBUN: usize = first_plane(Group::AttackTribun);
const LIBERATE: usize = first_plane(Group::Liberate);
const DAMAGE: usize = first_plane(Group::Damage);
const NEW_HEIGHT: usize = first_plane(Group::NewHeight);
const GIFT: usize = first_plane(Group::Gift);
const SYM_COMBINE: usize = first_plane(Group::SymCombine);
const SPLIT: usize = first_plane(Group::Split);
const SPLIT_PART: usize = first_plane(Group::SplitPart);
const BACKSTABB: usize = first_plane(Group::Backstabb);

/// The factors of an action that moves a unit.
fn travel(from: Tile, to: Tile, kind: usize, f: &mut impl FnMut(Tile, usize)) {
    let line = line_of(to.x() - from.x(), to.y() - from.y());
    f(from, DEPARTURE + line);
    f(from, DEPARTING_KIND + kind);
    f(to, ARRIVAL + line);
    f(to, ARRIVING_KIND + kind);
}

/// The plane of the height of a combined unit.
fn new_height(height: Height) -> usize {
    // A combined unit has at least height 2.
    NEW_HEIGHT + height.index() - Height::Two.index()
}

/// Calls `f` with the tile and the plane of every factor.
fn for_each_factor_of(action: Action, f: &mut impl FnMut(Tile, usize)) {
    match action {
        Action::Move { from, to, part } => travel(from, to, usize::from(part == Part::Slave), f),
        Action::Kill { attacker, target, part } => {
            travel(attacker, target, 2 + usize::from(part == Part::Slave), f);
        }
        Action::Enslave { attacker, target } => travel(attacker, target, 4, f),
        Action::AttackTribun { attacker, .. } => f(attacker, ATTACK_TRIBUN),
        Action::Liberate { target } => f(target, LIBERATE),
        Action::Damage { target, loss } => f(target, DAMAGE + loss.index()),
        Action::Combine { center, donors, gifts } => {
            let sum = gifts[0].value() + gifts[1].value();
            f(center, new_height(Height::new(sum).expect("the gifts of an index add up to a height")));
            for (direction, gift) in donors.directions().into_iter().zip(gifts) {
                f(center, GIFT + direction.index() * GIFT_SIZES + gift.index());
            }
        }
        Action::SymCombine { center, form } => {
            f(center, new_height(form.height()));
            f(center, SYM_COMBINE + form as usize);
        }
        Action::Split { actor, heights } => {
            f(actor, SPLIT + usize::from(heights.sum()) - 1);
            for (direction, height) in heights.placed() {
                let rank = height.index() - Height::One.index();
                f(actor, SPLIT_PART + direction.index() * PARTS + rank);
            }
        }
        Action::Backstabb { actor, direction } => f(actor, BACKSTABB + direction.index()),
    }
}

impl FactoredPolicy for Tribun {
    const HEAD: Shape = Shape { rows: 11, cols: 11, planes: PlaneGroup::first_plane(&GROUPS, GROUPS.len()) };
    const HEAD_PLANES: &'static [PlaneGroup] = &GROUPS;
    const HEAD_ID: &'static str = "tribun-head-1";
    const MAX_FACTORS: usize = 1 + Direction::NUM;

    fn for_each_factor(index: PolicyIndex, mut f: impl FnMut(Factor)) {
        // The factors do not depend on the tribun.
        let action = cell_and_plane(index).and_then(|(cell, plane)| action_at(cell, plane, Tile::CENTER));
        if let Some(action) = action {
            for_each_factor_of(action, &mut |tile, plane| f(Factor { cell: tile.index(), plane }));
        }
    }
}

/// The plane of the head on the board with the coordinates exchanged.
pub(crate) fn reflected_plane(plane: usize) -> usize {
    let line = |line: usize| {
        let (dx, dy) = line_vector(line);
        line_of(dy, dx)
    };
    let by_direction = |first: usize, size: usize| {
        let (direction, rest) = ((plane - first) / size, (plane - first) % size);
        first + Direction::ALL[direction].reflected().index() * size + rest
    };
    match plane {
        BACKSTABB.. => by_direction(BACKSTABB, 1),
        SPLIT_PART.. => by_direction(SPLIT_PART, PARTS),
        GIFT..SYM_COMBINE => by_direction(GIFT, GIFT_SIZES),
        ARRIVAL..ARRIVING_KIND => ARRIVAL + line(plane - ARRIVAL),
        DEPARTURE..DEPARTING_KIND => DEPARTURE + line(plane - DEPARTURE),
        _ => plane,
    }
}
