//! Puzzles: positions with one winning turn.
//!
//! [`mine_puzzles`] finds them in self-play, proves them and computes their themes. A turn is a complete turn: a deployment
//! of several steps is one, and two orders of steps that reach the same position are the same turn.
//!
//! ```
//! use sandtable_engine::{Evaluation, MineSettings, Puzzle, check_puzzle, engine_for};
//! use sandtable_games::find;
//!
//! let chess = find("chess")?;
//! let settings = MineSettings { proof_nodes: 2_000, ..MineSettings::new("standard") };
//! let mut engine = engine_for("chess", 1, Default::default(), &Evaluation::Default)?;
//! let mut puzzle = Puzzle::default();
//! puzzle.position = "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1".to_owned();
//! puzzle.turns = vec!["d1d8".to_owned()];
//! puzzle.mate = Some(1);
//! puzzle.themes = vec!["mate".to_owned(), "quiet".to_owned()];
//! check_puzzle(chess, &puzzle, &settings, &mut engine)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod mine;
mod prove;
mod theme;

use sandtable_games::{BoxedGame, GameKind, GameVisitor, Playable, UnknownName, named_rules};
use sandtable_search::AlphaBeta;

use mine::Miner;

pub use theme::all_themes;

/// A position with one winning turn, and the line that proves it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Puzzle {
    /// The identifier: the hash of the position as 16 hexadecimal digits.
    pub id: String,
    /// The text of the position.
    pub position: String,
    /// The solution: a turn of the solver, the reply, the next turn of the solver, …; it ends with a turn of the solver. The
    /// moves of a turn are in the form that programs exchange, separated by spaces.
    pub turns: Vec<String>,
    /// The score of the solution, in centipawns; `None` if it wins by force.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub score: Option<i32>,
    /// The number of turns in which the solver wins by force.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub mate: Option<u32>,
    /// The number of nodes that the engine needs to find the first turn and to keep to it.
    pub nodes: u64,
    /// The themes, in the order of [`all_themes`].
    pub themes: Vec<String>,
    /// The number of the self-play game.
    pub source: u64,
}

/// The greatest number of nodes of each difficulty but the last.
const DIFFICULTY_NODES: [u64; 4] = [150, 300, 600, 1_200];

impl Puzzle {
    /// The greatest difficulty.
    pub const HARDEST: u8 = DIFFICULTY_NODES.len() as u8 + 1;

    /// The difficulty, from 1 to [`HARDEST`](Self::HARDEST), by the number of nodes. A win in this turn is always easy: even
    /// the first iteration of a search, which may take many nodes, finds it.
    #[must_use]
    pub fn difficulty(&self) -> u8 {
        if self.mate == Some(1) {
            return 1;
        }
        DIFFICULTY_NODES.iter().filter(|&&limit| self.nodes > limit).count() as u8 + 1
    }
}

/// How puzzles are mined and proved. Scores are in centipawns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MineSettings {
    /// The name of the rules.
    pub rules: String,
    /// The number of nodes for each move of the self-play games: few, so that the players blunder.
    pub play_nodes: u64,
    /// The share of random moves in these games, in per cent.
    pub random_moves: u8,
    /// The number of nodes of the search that decides whether a position is worth a proof.
    pub candidate_nodes: u64,
    /// The number of nodes of each search of a proof.
    pub proof_nodes: u64,
    /// The lowest score of a solution.
    pub winning: i32,
    /// The highest score of any other turn.
    pub others: i32,
    /// Puzzles with fewer [`nodes`](Puzzle::nodes) are too easy.
    pub min_nodes: u64,
    /// The seed of the self-play games.
    pub seed: u64,
}

impl MineSettings {
    /// The default settings with these rules.
    #[must_use]
    pub fn new(rules: &str) -> Self {
        Self {
            rules: rules.to_owned(),
            play_nodes: 300,
            random_moves: 8,
            candidate_nodes: 2_000,
            proof_nodes: 60_000,
            winning: 450,
            others: 150,
            min_nodes: 0,
            seed: 1,
        }
    }
}

/// The reason why a puzzle is not proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The position or a turn cannot be read.
    #[error("puzzle {id}: {error}")]
    Unreadable {
        /// The identifier of the puzzle.
        id: String,
        /// What is wrong.
        error: String,
    },
    /// A search does not confirm a turn.
    #[error("puzzle {id}: {found} instead of turn {number}, `{turn}`")]
    Unproved {
        /// The identifier of the puzzle.
        id: String,
        /// The number of the turn in the solution, from 1.
        number: usize,
        /// The turn.
        turn: String,
        /// What the search found.
        found: String,
    },
    /// The themes are not those that the rules compute.
    #[error("puzzle {id}: the themes are {expected:?}")]
    Themes {
        /// The identifier of the puzzle.
        id: String,
        /// The computed themes.
        expected: Vec<String>,
    },
    /// The rules are unknown.
    #[error(transparent)]
    Rules(#[from] UnknownName),
}

/// Plays the self-play game with this number and returns its puzzles. The same settings, engine and number return the same
/// puzzles.
pub fn mine_puzzles(
    kind: &GameKind,
    settings: &MineSettings,
    engine: &mut AlphaBeta,
    number: u64,
) -> Result<Vec<Puzzle>, UnknownName> {
    struct Mine<'a>(&'a MineSettings, &'a mut AlphaBeta, u64);
    impl GameVisitor for Mine<'_> {
        type Out = Result<Vec<Puzzle>, UnknownName>;

        fn visit<P: Playable>(self) -> Self::Out {
            let Self(settings, engine, number) = self;
            let rules = named_rules::<P>(&settings.rules)?;
            Ok(Miner::<P> { settings, rules, engine }.mine(number))
        }
    }
    kind.visit(Mine(settings, engine, number))
}

/// Proves each turn of the solver again with these settings, and computes the themes again.
pub fn check_puzzle(
    kind: &GameKind,
    puzzle: &Puzzle,
    settings: &MineSettings,
    engine: &mut AlphaBeta,
) -> Result<(), PuzzleError> {
    struct Check<'a>(&'a Puzzle, &'a MineSettings, &'a mut AlphaBeta);
    impl GameVisitor for Check<'_> {
        type Out = Result<(), PuzzleError>;

        fn visit<P: Playable>(self) -> Self::Out {
            let Self(puzzle, settings, engine) = self;
            let rules = named_rules::<P>(&settings.rules)?;
            Miner::<P> { settings, rules, engine }.check(puzzle)
        }
    }
    kind.visit(Check(puzzle, settings, engine))
}

/// The board of a puzzle, to find near-duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSketch(Vec<Option<String>>);

impl BoardSketch {
    /// Two boards that differ in at most this many cells are near-duplicates: three figures that moved.
    const NEAR: usize = 6;

    /// The board of a game.
    #[must_use]
    pub fn of(game: &BoxedGame) -> Self {
        let cells = game.diagram().cells.into_iter();
        Self(cells.map(|cell| cell.figure.map(|figure| figure.letters)).collect())
    }

    /// Whether the boards differ so little that their puzzles are almost the same.
    #[must_use]
    pub fn is_near(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).filter(|(a, b)| a != b).count() <= Self::NEAR
    }
}

#[cfg(test)]
mod tests {
    use sandtable_games::{GAMES, find};
    use sandtable_search::AlphaBetaSettings;

    use super::*;
    use crate::{Evaluation, engine_for};

    fn check(
        game: &str,
        position: &str,
        turns: &[&str],
        mate: Option<u32>,
        themes: &[&str],
    ) -> Result<(), PuzzleError> {
        let kind = find(game).expect("a game");
        let settings = MineSettings { proof_nodes: 3_000, ..MineSettings::new("standard") };
        let mut engine =
            engine_for(game, 1, AlphaBetaSettings::default(), &Evaluation::HandMade).expect("a small table");
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let puzzle = Puzzle {
            id: "1".to_owned(),
            position: position.to_owned(),
            turns: owned(turns),
            mate,
            themes: owned(themes),
            ..Puzzle::default()
        };
        check_puzzle(kind, &puzzle, &settings, &mut engine)
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1";

    #[test]
    fn a_puzzle_has_one_winning_turn_and_the_themes_of_its_solution() {
        let themes = ["mate", "quiet"];
        assert_eq!(check("chess", BACK_RANK, &["d1d8"], Some(1), &themes), Ok(()));
        let wrong = check("chess", BACK_RANK, &["d1d7"], Some(1), &themes);
        assert!(matches!(wrong, Err(PuzzleError::Unproved { number: 1, .. })), "{wrong:?}");
        let wrong = check("chess", BACK_RANK, &["d1d8"], Some(1), &["mate"]);
        assert!(matches!(wrong, Err(PuzzleError::Themes { .. })), "{wrong:?}");
        for turns in [&["d1d9"] as &[_], &["d1d8", "g8f8"], &["d1d7 h7h6"], &[]] {
            let wrong = check("chess", BACK_RANK, turns, Some(1), &themes);
            assert!(matches!(wrong, Err(PuzzleError::Unreadable { .. })), "{turns:?}: {wrong:?}");
        }
        // Two rooks mate on two files.
        let both = check("chess", "6k1/5ppp/8/8/8/8/q4PPP/2RR2K1 w - - 0 1", &["d1d8"], Some(1), &themes);
        assert!(both.is_err());
    }

    /// The themes of a turn.
    fn themes(game: &str, position: &str, turn: &str, mate: Option<u32>) -> Vec<String> {
        match check(game, position, &[turn], mate, &[]) {
            Err(PuzzleError::Themes { expected, .. }) => expected,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn themes_follow_from_the_turn() {
        let checks = "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1";
        assert_eq!(themes("chess", checks, "d5c7", None), ["material", "quiet", "check"]);
        // A stack of a Navy and an Air Force: both leave it.
        let position = "2nc2s4/(nf)1a2h1h3/11/1(NF)3t2g2/2i3(ft)1(ea)1i/11/11/2I7I/4GT1T3/1N4S1G2/5H(FM)H3/6C4 r - - 1 17";
        let deployment = ["mate", "quiet", "heroic", "deployment"];
        assert_eq!(themes("cotulenh", position, "Fb9>d9 Nb9>b12", Some(1)), deployment);
        let half = check("cotulenh", position, &["Fb9>d9"], Some(1), &deployment);
        assert!(matches!(half, Err(PuzzleError::Unreadable { .. })), "{half:?}");
    }

    #[test]
    fn mining_is_reproducible_and_its_puzzles_are_proved() {
        for kind in GAMES {
            let settings = MineSettings {
                play_nodes: 20,
                candidate_nodes: 60,
                proof_nodes: 200,
                random_moves: 30,
                ..MineSettings::new(kind.rules[0])
            };
            let new_engine = || {
                engine_for(kind.name, 1, AlphaBetaSettings::default(), &Evaluation::Default)
                    .expect("a small table")
            };
            let mut engine = new_engine();
            for number in 0..3 {
                let puzzles = mine_puzzles(kind, &settings, &mut engine, number).expect("known rules");
                assert_eq!(mine_puzzles(kind, &settings, &mut new_engine(), number), Ok(puzzles.clone()));
                for puzzle in puzzles {
                    assert_eq!(check_puzzle(kind, &puzzle, &settings, &mut engine), Ok(()), "{}", kind.name);
                }
            }
        }
    }

    #[test]
    fn difficulty_follows_the_nodes() {
        let of = |nodes, mate| Puzzle { mate, nodes, ..Puzzle::default() }.difficulty();
        assert_eq!(
            [0, 150, 151, 600, 601, 1_201].map(|nodes| of(nodes, None)),
            [1, 1, 2, 3, 4, Puzzle::HARDEST]
        );
        assert_eq!(of(5_000, Some(1)), 1);
        // The page has the same limits, and the documentation names them.
        assert!(include_str!("../../../../web/src/lib/learn/puzzles.ts").contains("[150, 300, 600, 1_200]"));
        let table =
            "| nodes | up to 150, or a win in this turn | up to 300 | up to 600 | up to 1,200 | more |";
        assert!(include_str!("../../../../docs/puzzles.md").contains(table));
    }

    #[test]
    fn every_theme_is_documented() {
        let page = include_str!("../../../../docs/puzzles.md");
        for theme in all_themes() {
            assert!(page.contains(&format!("`{theme}`")), "{theme}");
        }
    }

    #[test]
    fn boards_that_differ_in_few_cells_are_near() {
        let chess = find("chess").expect("a game");
        let board = |moves: &[&str]| {
            let mut game = chess.start("standard").expect("known rules");
            for text in moves {
                game.play(text).expect("a legal move");
            }
            BoardSketch::of(&game)
        };
        assert!(board(&["e4", "e5", "Nf3"]).is_near(&board(&[])));
        assert!(!board(&["e4", "e5", "Nf3", "Nc6"]).is_near(&board(&[])));
    }
}
