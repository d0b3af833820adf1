//! The tables of the levels: settings and measured Elo.

use super::Skill;

/// The settings of levels 1 to 8. A game without its own has those of CoTuLenh.
pub(super) fn skills(game: &str) -> &'static [Skill; 8] {
    match game {
        "chess" => &CHESS,
        "tribun" => &TRIBUN,
        _ => &COTULENH,
    }
}

/// The Elo of all levels, if it has been measured.
pub(super) fn elo(game: &str) -> Option<&'static [i32; 10]> {
    ELO.iter().find(|(name, _)| *name == game).map(|(_, elo)| elo)
}

/// Moves without thought in percent, depth and nodes of levels 1 to 8.
type Effort = [(usize, Option<u32>, u64); 8];

const CHESS: [Skill; 8] = skills_with([
    (84, Some(1), 400),
    (66, Some(1), 700),
    (48, Some(1), 1_200),
    (32, Some(1), 2_000),
    (20, Some(1), 3_000),
    (11, Some(2), 4_500),
    (4, None, 8_000),
    (0, None, 60_000),
]);

const COTULENH: [Skill; 8] = skills_with([
    (84, Some(1), 400),
    (68, Some(1), 700),
    (50, Some(1), 1_200),
    (32, Some(1), 2_000),
    (17, Some(2), 3_000),
    (6, Some(3), 6_000),
    (1, None, 25_000),
    (0, None, 120_000),
]);

const TRIBUN: [Skill; 8] = skills_with([
    (94, Some(1), 400),
    (82, Some(1), 700),
    (66, Some(1), 1_200),
    (50, Some(1), 2_000),
    (33, Some(1), 3_000),
    (17, Some(2), 5_000),
    (4, Some(3), 12_000),
    (0, None, 100_000),
]);

/// Adds the errors of each level, which are the same in all games: lines, noise, overlooked lines and bound.
const fn skills_with(effort: Effort) -> [Skill; 8] {
    const ERRORS: [(usize, u32, usize, i32); 8] = [
        (10, 200, 40, 800),
        (9, 150, 35, 650),
        (8, 110, 30, 500),
        (7, 80, 24, 400),
        (6, 60, 18, 300),
        (5, 40, 12, 200),
        (4, 20, 6, 90),
        (3, 8, 0, 25),
    ];
    let mut skills =
        [Skill { careless: 0, depth: None, nodes: 0, lines: 1, noise: 0, overlook: 0, max_loss: 0 }; 8];
    let mut level = 0;
    while level < skills.len() {
        let (careless, depth, nodes) = effort[level];
        let (lines, noise, overlook, max_loss) = ERRORS[level];
        skills[level] = Skill { careless, depth, nodes, lines, noise, overlook, max_loss };
        level += 1;
    }
    skills
}

/// Placeholders until a complete run of `sandtable ladder`: see `docs/engine.md`.
const ELO: [(&str, [i32; 10]); 3] = [
    ("chess", [300, 450, 650, 900, 1_150, 1_350, 1_600, 1_850, 2_150, 2_400]),
    ("cotulenh", [680, 1_000, 1_150, 1_430, 1_730, 2_180, 2_560, 2_900, 3_150, 3_350]),
    ("tribun", [600, 1_000, 1_300, 1_500, 1_800, 2_100, 2_400, 2_750, 3_100, 3_400]),
];
