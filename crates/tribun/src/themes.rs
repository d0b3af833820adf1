//! The puzzle themes of Tribun: the actions of the first turn. See `docs/puzzles.md`.

use sandtable_core::view::Theme;

use crate::position::Tribun;

pub(crate) const THEMES: &[Theme<Tribun>] = &[
    Theme { name: "enslave", applies: |turn| turn.has_kind("enslave") },
    Theme { name: "liberation", applies: |turn| turn.has_kind("liberate") },
    Theme { name: "damage", applies: |turn| turn.has_kind("damage") },
    Theme { name: "combine", applies: |turn| turn.has_kind("combine") || turn.has_kind("sym-combine") },
    Theme { name: "split", applies: |turn| turn.has_kind("split") },
    Theme { name: "backstab", applies: |turn| turn.has_kind("backstab") },
];
