//! The tables of the levels: settings and estimated Elo.

use super::Skill;

/// The settings of levels 1 to 8. A game without its own has those of `cotulenh`.
pub(super) fn skills(game: &str) -> &'static [Skill; 8] {
    match game {
        "chess" => &CHESS,
        "tribun" => &TRIBUN,
        _ => &COTULENH,
    }
}

/// The Elo of all levels, if there is an estimate.
pub(super) fn elo(game: &str) -> Option<&'static [i32; 10]> {
    ELO.iter().find(|(name, _)| *name == game).map(|(_, elo)| elo)
}

/// Overlooked moves in percent, depth and nodes of levels 1 to 8.
type Effort = [(usize, Option<u32>, u64); 8];

const CHESS: [Skill; 8] = skills_with([
    (82, Some(1), 400),
    (60, Some(1), 700),
    (36, Some(1), 1_200),
    (20, Some(2), 2_000),
    (7, Some(3), 3_000),
    (1, Some(6), 9_000),
    (1, None, 12_000),
    (0, None, 40_000),
]);

const COTULENH: [Skill; 8] = skills_with([
    (96, Some(1), 400),
    (87, Some(1), 700),
    (76, Some(1), 1_200),
    (56, Some(1), 2_000),
    (28, Some(1), 3_000),
    (14, Some(2), 6_000),
    (5, Some(4), 16_000),
    (2, None, 25_000),
]);

const TRIBUN: [Skill; 8] = skills_with([
    (96, Some(1), 400),
    (88, Some(1), 700),
    (79, Some(1), 1_200),
    (63, Some(1), 2_000),
    (45, Some(1), 3_000),
    (29, Some(2), 5_000),
    (13, Some(3), 10_000),
    (4, None, 30_000),
]);

/// Adds the errors of each level, which are the same in all games: lines, noise and bound.
const fn skills_with(effort: Effort) -> [Skill; 8] {
    const ERRORS: [(usize, u32, i32); 8] = [
        (10, 200, 800),
        (9, 150, 650),
        (8, 110, 500),
        (7, 80, 400),
        (6, 60, 300),
        (5, 40, 200),
        (4, 15, 80),
        (2, 4, 20),
    ];
    let mut skills = [Skill { overlook: 0, depth: None, nodes: 0, lines: 1, noise: 0, max_loss: 0 }; 8];
    let mut level = 0;
    while level < skills.len() {
        let (overlook, depth, nodes) = effort[level];
        let (lines, noise, max_loss) = ERRORS[level];
        skills[level] = Skill { overlook, depth, nodes, lines, noise, max_loss };
        level += 1;
    }
    skills
}

/// Levels 0 to 8 are measured by `sandtable ladder`, except 0 to 4 of `CoTuLenh`, which are estimates like level 9: see
/// `docs/engine.md`.
const ELO: [(&str, [i32; 10]); 3] = [
    ("chess", [-390, 0, 280, 660, 1_070, 1_380, 1_640, 1_870, 2_150, 2_450]),
    ("cotulenh", [680, 1_000, 1_150, 1_430, 1_730, 1_870, 2_230, 2_510, 2_860, 3_100]),
    ("tribun", [610, 1_000, 1_510, 1_900, 2_260, 2_470, 2_880, 3_250, 3_680, 4_000]),
];
