//! The tables of the levels: settings and measured Elo.

use super::Skill;

/// The settings of levels 1 to 8. The games share them as long as their levels are about equally far apart.
pub(super) fn skills(_game: &str) -> &'static [Skill; 8] {
    &SKILLS
}

/// The Elo of all levels, if it has been measured.
pub(super) fn elo(game: &str) -> Option<&'static [i32; 10]> {
    ELO.iter().find(|(name, _)| *name == game).map(|(_, elo)| elo)
}

const SKILLS: [Skill; 8] = [
    skill(86, Some(1), 400, 10, 200, 40, 800),
    skill(73, Some(1), 700, 9, 150, 35, 650),
    skill(59, Some(1), 1_200, 8, 110, 30, 500),
    skill(43, Some(1), 2_000, 7, 80, 24, 400),
    skill(26, Some(2), 3_000, 6, 60, 18, 300),
    skill(11, Some(3), 6_000, 5, 40, 12, 200),
    skill(2, None, 24_000, 4, 20, 6, 90),
    skill(0, None, 160_000, 3, 8, 0, 25),
];

/// Measured with `sandtable ladder`: see `docs/engine.md`.
const ELO: [(&str, [i32; 10]); 3] = [
    ("chess", [300, 600, 900, 1_150, 1_400, 1_600, 1_800, 2_000, 2_150, 2_300]),
    ("cotulenh", [800, 1_000, 1_200, 1_400, 1_600, 1_800, 2_000, 2_150, 2_300, 2_450]),
    ("tribun", [800, 1_000, 1_200, 1_400, 1_600, 1_800, 2_000, 2_200, 2_400, 2_600]),
];

const fn skill(
    careless: usize,
    depth: Option<u32>,
    nodes: u64,
    lines: usize,
    noise: u32,
    overlook: usize,
    max_loss: i32,
) -> Skill {
    Skill { careless, depth, nodes, lines, noise, overlook, max_loss }
}
