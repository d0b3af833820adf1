//! The themes of a puzzle, computed from its solution.

use sandtable_core::Player;
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::view::{MoveDetails, Render};

/// All themes, in the order in which puzzles list them. [docs/puzzles.md](../../../../docs/puzzles.md) defines them.
pub const THEMES: &[&str] = &[
    "mate",
    "material",
    "capture",
    "quiet",
    "check",
    "sacrifice",
    "fork",
    "promotion",
    "heroic",
    "air-raid",
    "naval",
    "deployment",
    "enslave",
    "liberation",
    "damage",
    "combine",
    "split",
    "backstab",
];

/// A move that loses at least this much by exchange is a sacrifice, in centipawns.
const SACRIFICE: i32 = 100;

/// The themes of a solution that wins by force or not. All but `mate` and `material` are about its first turn.
pub(super) fn themes<P: Evaluate + Render>(
    position: &P,
    turn: &[P::Move],
    wins_by_force: bool,
) -> Vec<String> {
    let mut here = position.clone();
    let mut details = Vec::new();
    let mut sacrifices = false;
    for &m in turn {
        details.push(here.move_details(m));
        sacrifices |= here.view().static_exchange(m) <= -SACRIFICE;
        here.play_unchecked(m);
    }
    let is_over = here.outcome(1).is_over();
    let any = |test: fn(&MoveDetails) -> bool| details.iter().any(test);
    let takes = any(|m| m.takes.is_some());
    let promotes = any(|m| m.becomes.is_some());
    let solver = position.turn();
    let has_theme = |theme: &str| match theme {
        "mate" => wins_by_force,
        "material" => !wins_by_force,
        "capture" => takes,
        "quiet" => !takes && !promotes,
        "check" => !is_over && here.in_check() == Some(true),
        "sacrifice" => sacrifices && !is_over,
        "fork" => !is_over && is_fork(&here, &details, solver),
        "promotion" => promotes,
        "heroic" => heroes(&here, solver) > heroes(position, solver),
        "air-raid" => any(|m| m.takes.is_some() && leads(m, "air force", &["navy"])),
        "naval" => any(|m| m.takes.is_some() && leads(m, "navy", &[])),
        "deployment" => any(|m| m.deploys),
        "enslave" => any(|m| m.kind == "enslave"),
        "liberation" => any(|m| m.kind == "liberate"),
        "damage" => any(|m| m.kind == "damage"),
        "combine" => any(|m| m.kind == "combine" || m.kind == "sym-combine"),
        "split" => any(|m| m.kind == "split"),
        "backstab" => any(|m| m.kind == "backstab"),
        _ => false,
    };
    THEMES.iter().filter(|theme| has_theme(theme)).map(|&theme| theme.to_owned()).collect()
}

/// Whether the moving group has a piece of this kind and none of the kinds that carry it.
fn leads(m: &MoveDetails, kind: &str, carriers: &[&str]) -> bool {
    m.group.contains(&kind) && !m.group.iter().any(|other| carriers.contains(other))
}

/// The number of starred pieces: heroes in Cờ Tư Lệnh. A tribun is starred from the start, so the number never grows in Tribun.
fn heroes(position: &impl Render, player: Player) -> usize {
    let cells = position.diagram(None).cells;
    let pieces = cells.iter().filter_map(|cell| cell.figure.as_ref()).flat_map(|figure| &figure.pieces);
    pieces.filter(|piece| piece.starred && piece.owner == player).count()
}

/// Whether a figure that moved attacks two enemy figures with gain: what it could capture if the opponent passed.
fn is_fork<P: Evaluate + Render>(after: &P, turn: &[MoveDetails], solver: Player) -> bool {
    let passed = after.view().null_move().filter(|passed| passed.turn() == solver);
    let Some(passed) = passed else { return false };
    let view = passed.view();
    let mut targets: Vec<(String, String)> = Vec::new();
    for m in passed.legal_moves() {
        let MoveDetails { from: Some(from), takes: Some(target), .. } = passed.move_details(m) else {
            continue;
        };
        let moved = turn.iter().any(|m| m.to.as_ref() == Some(&from));
        let target = (from.into_owned(), target.into_owned());
        if moved && !targets.contains(&target) && view.static_exchange(m) >= SACRIFICE {
            targets.push(target);
        }
    }
    targets.iter().any(|(from, _)| targets.iter().filter(|(other, _)| other == from).count() > 1)
}
