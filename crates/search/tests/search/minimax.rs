//! The search as the textbook has it, slow and plain: what the fast one must agree with.

use std::ops::ControlFlow;

use sandtable_core::{Evaluate, Game, Outcome};
use sandtable_search::Score;

/// The line so far, and where the search began in it.
struct Walk<P> {
    positions: Vec<P>,
    root: usize,
    quiescence: bool,
}

/// The score of the current position of a game, `depth` plies deep and with loud moves beyond if asked for.
pub(crate) fn minimax<P: Evaluate>(game: &Game<P>, depth: u32, quiescence: bool) -> Score {
    root_scores(game, depth, quiescence).into_iter().map(|(_, score)| score).max().unwrap()
}

/// The score of every legal move.
pub(crate) fn root_scores<P: Evaluate>(
    game: &Game<P>,
    depth: u32,
    quiescence: bool,
) -> Vec<(P::Move, Score)> {
    let mut positions: Vec<P> = game.past().map(|(position, _)| position.clone()).collect();
    positions.push(game.position().clone());
    let mut walk = Walk { root: positions.len() - 1, positions, quiescence };
    let moves = game.legal_moves();
    moves.into_iter().map(|m| (m, walk.after(m, |walk| walk.value(depth - 1)))).collect()
}

/// A score for the player to move, one move before it was reached.
fn one_move_earlier(score: Score, same: bool) -> Score {
    match (score, same) {
        (Score::Centipawns(n), true) => Score::Centipawns(n),
        (Score::Centipawns(n), false) => Score::Centipawns(-n),
        (Score::Win(n), true) | (Score::Loss(n), false) => Score::Win(n + 1),
        (Score::Loss(n), true) | (Score::Win(n), false) => Score::Loss(n + 1),
    }
}

impl<P: Evaluate> Walk<P> {
    fn here(&self) -> &P {
        self.positions.last().unwrap()
    }

    fn after(&mut self, m: P::Move, value: impl FnOnce(&mut Self) -> Score) -> Score {
        let mut next = self.here().clone();
        let turn = next.turn();
        next.play(m).unwrap();
        let same = next.turn() == turn;
        self.positions.push(next);
        let score = value(self);
        self.positions.pop();
        one_move_earlier(score, same)
    }

    /// The end of the game here, if it is one: see the search's rule for repetitions.
    fn end(&self) -> Option<Score> {
        let (here, before) = self.positions.split_last().unwrap();
        let places: Vec<_> = (0..before.len()).filter(|&i| before[i].same_position(here)).collect();
        let as_good_as_drawn = places.len() >= 2 || places.iter().any(|&i| i >= self.root);
        match here.outcome(if as_good_as_drawn { 100 } else { 1 + places.len() as u32 }) {
            Outcome::Ongoing => None,
            Outcome::Draw { .. } => Some(Score::Centipawns(0)),
            Outcome::Win { winner, .. } => {
                Some(if winner == here.turn() { Score::Win(0) } else { Score::Loss(0) })
            }
        }
    }

    fn value(&mut self, depth: u32) -> Score {
        if let Some(end) = self.end() {
            return end;
        }
        if depth == 0 {
            return if self.quiescence { self.quiet_value(true) } else { self.looks() };
        }
        let moves = self.here().legal_moves();
        moves.into_iter().map(|m| self.after(m, |walk| walk.value(depth - 1))).max().unwrap()
    }

    fn looks(&self) -> Score {
        Score::Centipawns(self.here().evaluate())
    }

    fn quiet_value(&mut self, first: bool) -> Score {
        if let Some(end) = self.end() {
            return end;
        }
        let here = self.here();
        let checked = here.check() == Some(true);
        let mut moves = Vec::new();
        let mut list = |m| {
            moves.push(m);
            ControlFlow::<()>::Continue(())
        };
        let _ = if checked { here.for_each_legal(&mut list) } else { here.for_each_noisy(first, &mut list) };
        let standing = (!checked).then(|| self.looks());
        let tried = moves.into_iter().map(|m| self.after(m, |walk| walk.quiet_value(false)));
        tried.chain(standing).max().unwrap()
    }
}
