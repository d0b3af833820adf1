//! The puzzle themes of Cờ Tư Lệnh: see `docs/puzzles.md`.

use sandtable_core::view::{MoveDetails, Theme};
use sandtable_core::{Player, Position as _};

use crate::kind::Kind;
use crate::position::CoTuLenh;

pub(crate) const THEMES: &[Theme<CoTuLenh>] = &[
    Theme {
        name: "heroic",
        applies: |turn| {
            let solver = turn.before.turn();
            heroes(turn.after, solver) > heroes(turn.before, solver)
        },
    },
    Theme {
        name: "air-raid",
        applies: |turn| {
            turn.moves.iter().any(|m| captures_with(m, Kind::AirForce) && !moves_kind(m, Kind::Navy))
        },
    },
    Theme { name: "naval", applies: |turn| turn.moves.iter().any(|m| captures_with(m, Kind::Navy)) },
    Theme { name: "deployment", applies: |turn| turn.moves.iter().any(|m| m.deploys) },
    Theme { name: "combine", applies: |turn| turn.has_kind("combine") },
];

fn captures_with(m: &MoveDetails, kind: Kind) -> bool {
    m.takes.is_some() && moves_kind(m, kind)
}

fn moves_kind(m: &MoveDetails, kind: Kind) -> bool {
    m.group.contains(&kind.name())
}

fn heroes(position: &CoTuLenh, player: Player) -> usize {
    position.board().pieces(player).map(|(_, stack)| stack.heroes().len()).sum()
}
