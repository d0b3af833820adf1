//! Mining: candidates from self-play, proofs, solutions of several turns.

use std::ops::ControlFlow;

use sandtable_core::{ByPlayer, Game, Player};
use sandtable_games::{Playable, line_text};
use sandtable_search::self_play::SelfPlay;
use sandtable_search::{AlphaBeta, Limits, Score};

use super::prove::{Bounds, ProvedTurn, first_turn, prove, search};
use super::theme::themes;
use super::{MineSettings, Puzzle, PuzzleError};

/// The greatest number of turns of the solver.
const MAX_TURNS: usize = 4;
/// The random moves at the start of a game, and how many more there may be: many different positions.
const OPENING_PLIES: (usize, usize) = (6, 14);
/// The number of moves after which a game is cut off.
const MAX_PLIES: usize = 120;
/// The greatest score of either side after the opening, in centipawns.
const BALANCE: i32 = 400;
/// A candidate may miss the bounds of a proof by this much, in centipawns: its search is short.
const TOLERANCE: i32 = 150;

/// Mines and checks the puzzles of one game.
pub(super) struct Miner<'a, P: Playable> {
    pub(super) settings: &'a MineSettings,
    pub(super) rules: P::Rules,
    pub(super) engine: &'a mut AlphaBeta,
}

impl<P: Playable> Miner<'_, P> {
    /// The puzzles of the self-play game with this number.
    pub(super) fn mine(&mut self, number: u64) -> Vec<Puzzle> {
        let play = SelfPlay {
            opening_plies: OPENING_PLIES.0,
            opening_spread: OPENING_PLIES.1,
            random_moves: self.settings.random_moves,
            balance: BALANCE,
            nodes: self.settings.play_nodes,
            max_plies: MAX_PLIES,
            seed: self.settings.seed,
        };
        self.engine.settings.lines = 1;
        let game = play.play::<P>(self.rules, self.engine, number);
        let mut positions: Vec<P> = Vec::new();
        game.replay::<P>(self.rules, |position, _, _| {
            // A turn begins where the side to move changes.
            if positions.last().is_none_or(|last| last.turn() != position.turn()) {
                positions.push(position.clone());
            }
        })
        .expect("the game was just played");
        let mut puzzles = Vec::new();
        // Whether a player was already winning at the last turn.
        let mut was_winning = ByPlayer::<bool>::default();
        for position in &positions {
            let solver: Player = position.turn();
            let is_candidate = self.is_candidate(position, &mut was_winning[solver]);
            if is_candidate && let Some(puzzle) = self.puzzle(position, number) {
                puzzles.push(puzzle);
            }
        }
        puzzles
    }

    /// Whether a short search sees one good turn in a position where the mover was not winning before.
    fn is_candidate(&mut self, position: &P, was_winning: &mut bool) -> bool {
        let limits = Limits::nodes(self.settings.candidate_nodes);
        let report = search(self.engine, position, &limits, 2, |_| ControlFlow::Continue(()));
        let [best, second] = &report.lines[..] else { return false };
        let is_winning = best.score >= Score::Centipawns(self.settings.winning - TOLERANCE);
        if std::mem::replace(was_winning, is_winning) || !is_winning {
            return false;
        }
        // A second line may be the same turn with its steps in another order.
        let is_single_move = first_turn(position, &best.moves).is_some_and(|(moves, _)| moves.len() == 1);
        !is_single_move || second.score <= Score::Centipawns(self.settings.others + TOLERANCE)
    }

    fn bounds(&self) -> Bounds {
        let MineSettings { proof_nodes, winning, others, .. } = *self.settings;
        Bounds { nodes: proof_nodes, winning, others }
    }

    /// The puzzle of a position, if it has one winning turn.
    fn puzzle(&mut self, position: &P, source: u64) -> Option<Puzzle> {
        let first = prove(self.engine, position, self.bounds()).ok()?;
        if first.nodes < self.settings.min_nodes {
            return None;
        }
        let mate = first.score.mate_in().and_then(|turns| u32::try_from(turns).ok());
        let score = match first.score {
            Score::Centipawns(score) => Some(score),
            Score::Win(_) | Score::Loss(_) => None,
        };
        let themes = themes(position, &first.moves, mate.is_some());
        let nodes = first.nodes;
        Some(Puzzle {
            id: format!("{:016x}", position.hash64()),
            position: Game::from_position(position.clone()).position_text(),
            turns: self.turns(position, first),
            score,
            mate,
            nodes,
            themes,
            source,
        })
    }

    /// The solution from its first turn on: replies and further turns as long as there is one winning turn.
    fn turns(&mut self, position: &P, first: ProvedTurn<P>) -> Vec<String> {
        let text = |position: &P, moves: &[P::Move]| line_text(position, moves).join(" ");
        let mut turns = vec![text(position, &first.moves)];
        let mut here = first.after;
        while turns.len() < 2 * MAX_TURNS - 1 && !here.outcome(1).is_over() {
            let limits = Limits::nodes(self.settings.proof_nodes / 2);
            let report = search(self.engine, &here, &limits, 1, |_| ControlFlow::Continue(()));
            let reply = report.lines.first().and_then(|line| first_turn(&here, &line.moves));
            let Some((reply, after_reply)) = reply else { break };
            if after_reply.outcome(1).is_over() {
                break;
            }
            let Ok(next) = prove(self.engine, &after_reply, self.bounds()) else { break };
            turns.push(text(&here, &reply));
            turns.push(text(&after_reply, &next.moves));
            here = next.after;
        }
        turns
    }

    /// Proves each turn of the solver again and computes the themes again.
    pub(super) fn check(&mut self, puzzle: &Puzzle) -> Result<(), PuzzleError> {
        let unreadable = |error: &dyn std::fmt::Display| PuzzleError::Unreadable {
            id: puzzle.id.clone(),
            error: error.to_string(),
        };
        if puzzle.turns.len().is_multiple_of(2) {
            return Err(unreadable(&"the solution does not end with a turn of the solver"));
        }
        let mut position = P::from_text(&puzzle.position, self.rules).map_err(|e| unreadable(&e))?;
        for (index, turn) in puzzle.turns.iter().enumerate() {
            let mut after = position.clone();
            let mut moves = Vec::new();
            for word in turn.split(' ') {
                let m = after.parse_move(word).map_err(|e| unreadable(&format_args!("`{word}`: {e}")))?;
                moves.push(m);
                after.play_unchecked(m);
            }
            if first_turn(&position, &moves).is_none_or(|(whole, _)| whole.len() < moves.len()) {
                return Err(unreadable(&format_args!("`{turn}` is not one complete turn")));
            }
            if index == 0 {
                let expected = themes(&position, &moves, puzzle.mate.is_some());
                if expected != puzzle.themes {
                    return Err(PuzzleError::Themes { id: puzzle.id.clone(), expected });
                }
            }
            if index % 2 == 0 {
                let unproved = |found: String| PuzzleError::Unproved {
                    id: puzzle.id.clone(),
                    number: index + 1,
                    turn: turn.clone(),
                    found,
                };
                let proved = prove(self.engine, &position, self.bounds()).map_err(unproved)?;
                if proved.after != after {
                    return Err(unproved(line_text(&position, &proved.moves).join(" ")));
                }
            }
            position = after;
        }
        Ok(())
    }
}
