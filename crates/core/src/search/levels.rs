//! The engine levels of a game: how the limited ones search and err, and how strong all of them are.

/// The engine levels of a game. Level 0 plays random moves, levels 1 to 8 search little and err, level 9 uses all its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// The settings of levels 1 to 8.
    pub skills: [Skill; 8],
    /// The Elo of levels 0 to 9, if it was estimated.
    pub elo: Option<[i32; 10]>,
}

/// How a limited level searches, and how it errs. Values of moves are in centipawns.
///
/// The level overlooks each legal move with a probability, and searches the others. It does not play lines that lose
/// too much, and its judgement of the other lines is noisy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skill {
    /// The probability that a legal move is overlooked, in percent.
    pub overlook: usize,
    /// The deepest iteration, if it is limited.
    pub depth: Option<u32>,
    /// The number of nodes, in addition to one node for each pair of a considered move and a line.
    pub nodes: u64,
    /// The number of lines to choose from.
    pub lines: usize,
    /// The standard deviation of the judgement of a move.
    pub noise: u32,
    /// The most that a move may lose compared with the best move.
    pub max_loss: i32,
}

impl Levels {
    /// Settings that suit a game with many moves, without an estimate of the Elo.
    pub const DEFAULT: Self = Self::new([
        (96, Some(1), 400),
        (87, Some(1), 700),
        (76, Some(1), 1_200),
        (56, Some(1), 2_000),
        (28, Some(1), 3_000),
        (14, Some(2), 6_000),
        (5, Some(4), 16_000),
        (2, None, 25_000),
    ]);

    /// Levels with these probabilities to overlook a move in percent, depths and nodes. The errors of each level, which are
    /// the same in all games, are added: lines, noise and bound.
    #[must_use]
    pub const fn new(effort: [(usize, Option<u32>, u64); 8]) -> Self {
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
        Self { skills, elo: None }
    }

    /// The same levels with the Elo of levels 0 to 9.
    #[must_use]
    pub const fn with_elo(self, elo: [i32; 10]) -> Self {
        Self { elo: Some(elo), ..self }
    }
}
