//! The tables of the levels: settings and measured Elo.

use super::Skill;

/// The settings of levels 1 to 8.
pub(super) fn skills(_game: &str) -> &'static [Skill; 8] {
    &SKILLS
}

/// The Elo of all levels, if it has been measured.
pub(super) fn elo(game: &str) -> Option<&'static [i32; 10]> {
    ELO.iter().find(|(name, _)| *name == game).map(|(_, elo)| elo)
}

const SKILLS: [Skill; 8] = [
    skill(Some(1), 400, 12, 250, 50, 800),
    skill(Some(1), 800, 8, 120, 35, 500),
    skill(Some(2), 1_600, 6, 70, 20, 300),
    skill(Some(3), 3_200, 5, 45, 12, 200),
    skill(None, 6_400, 4, 30, 8, 120),
    skill(None, 19_000, 4, 20, 5, 70),
    skill(None, 56_000, 3, 13, 2, 40),
    skill(None, 170_000, 3, 8, 0, 25),
];

/// Measured with `sandtable ladder`: see `docs/engine.md`.
const ELO: [(&str, [i32; 10]); 3] = [
    ("chess", [300, 600, 900, 1_150, 1_400, 1_600, 1_800, 2_000, 2_150, 2_300]),
    ("cotulenh", [800, 1_000, 1_200, 1_400, 1_600, 1_800, 2_000, 2_150, 2_300, 2_450]),
    ("tribun", [800, 1_000, 1_200, 1_400, 1_600, 1_800, 2_000, 2_200, 2_400, 2_600]),
];

const fn skill(
    depth: Option<u32>,
    nodes: u64,
    lines: usize,
    noise: u32,
    overlook: usize,
    max_loss: i32,
) -> Skill {
    Skill { depth, nodes, lines, noise, overlook, max_loss }
}
