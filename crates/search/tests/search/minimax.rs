//! Plain minimax: the oracle of the fast search.

use std::ops::ControlFlow;

use sandtable_core::rules::Reason;
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::{Game, Outcome};
use sandtable_nnue::{Accumulator, Network};
use sandtable_search::Score;

/// The line from the start of the game, and the index of the root in it.
struct Walk<'a, P> {
    positions: Vec<P>,
    root: usize,
    quiescence: bool,
    network: Option<&'a Network>,
}

/// The score of the current position of a game at `depth` plies, optionally with quiescence beyond.
pub(crate) fn minimax<P: Evaluate>(game: &Game<P>, depth: u32, quiescence: bool) -> Score {
    root_scores(game, depth, quiescence).into_iter().map(|(_, score)| score).max().unwrap()
}

/// The same with the scores of a network, computed from scratch in each position.
pub(crate) fn minimax_with<P: Evaluate>(
    game: &Game<P>,
    depth: u32,
    quiescence: bool,
    network: &Network,
) -> Score {
    let scores = scores(game, depth, quiescence, Some(network));
    scores.into_iter().map(|(_, score)| score).max().unwrap()
}

/// The score of every legal move.
pub(crate) fn root_scores<P: Evaluate>(
    game: &Game<P>,
    depth: u32,
    quiescence: bool,
) -> Vec<(P::Move, Score)> {
    scores(game, depth, quiescence, None)
}

fn scores<P: Evaluate>(
    game: &Game<P>,
    depth: u32,
    quiescence: bool,
    network: Option<&Network>,
) -> Vec<(P::Move, Score)> {
    let mut positions: Vec<P> = game.history().map(|(position, _)| position.clone()).collect();
    positions.push(game.position().clone());
    let mut walk = Walk { root: positions.len() - 1, positions, quiescence, network };
    let moves = game.legal_moves();
    moves.into_iter().map(|m| (m, walk.after(m, |walk| walk.value(depth - 1)))).collect()
}

/// The score of the position before a move, given the score after it. Distances are counted in turns.
fn before_move(score: Score, same_side: bool) -> Score {
    match score {
        _ if same_side => score,
        Score::Centipawns(n) => Score::Centipawns(-n),
        Score::Win(n) => Score::Loss(n + 1),
        Score::Loss(n) => Score::Win(n + 1),
    }
}

impl<P: Evaluate> Walk<'_, P> {
    fn here(&self) -> &P {
        self.positions.last().unwrap()
    }

    fn after(&mut self, m: P::Move, value: impl FnOnce(&mut Self) -> Score) -> Score {
        let mut next = self.here().clone();
        let turn = next.turn();
        next.play(m).unwrap();
        let same_side = next.turn() == turn;
        self.positions.push(next);
        let score = value(self);
        self.positions.pop();
        before_move(score, same_side)
    }

    /// The score of a finished game. A repetition within the search counts as a draw.
    fn end(&self) -> Option<Score> {
        self.score_of(&self.here().outcome(self.occurrences()))
    }

    fn occurrences(&self) -> u32 {
        let (here, before) = self.positions.split_last().unwrap();
        let earlier: Vec<_> = (0..before.len()).filter(|&i| before[i].same_position(here)).collect();
        let counts_as_draw = earlier.len() >= 2 || earlier.iter().any(|&i| i >= self.root);
        if counts_as_draw { 100 } else { 1 + earlier.len() as u32 }
    }

    fn score_of(&self, outcome: &Outcome<Reason<P::Ending>>) -> Option<Score> {
        match outcome {
            Outcome::Ongoing => None,
            Outcome::Draw { .. } => Some(Score::Centipawns(0)),
            Outcome::Win { winner, .. } => {
                // A winner who is still to move wins with the turn in progress.
                Some(if *winner == self.here().turn() { Score::Win(1) } else { Score::Loss(0) })
            }
        }
    }

    fn value(&mut self, depth: u32) -> Score {
        if depth == 0 && self.quiescence {
            return self.quiet_value(true);
        }
        if let Some(end) = self.end() {
            return end;
        }
        if depth == 0 {
            return self.static_eval();
        }
        let moves = self.here().legal_moves();
        moves.into_iter().map(|m| self.after(m, |walk| walk.value(depth - 1))).max().unwrap()
    }

    fn static_eval(&self) -> Score {
        let here = self.here();
        let score = self.network.map_or_else(
            || here.view().evaluate(),
            |network| {
                let mut accumulator = Accumulator::new(network);
                accumulator.refresh(network, here);
                let base = if network.corrects_hand_made() { here.view().evaluate() } else { 0 };
                base + accumulator.score(network, here)
            },
        );
        Score::Centipawns(here.view().progress_clock().fade(score))
    }

    /// Quiescence overlooks a missing legal move outside check: it does not list all moves there.
    fn quiet_value(&mut self, first: bool) -> Score {
        let here = self.here();
        let in_check = here.in_check() == Some(true);
        let over = here.outcome_with_moves(self.occurrences()) != Outcome::Ongoing;
        if (over || in_check)
            && let Some(end) = self.end()
        {
            return end;
        }
        let mut moves = Vec::new();
        let mut push = |m| {
            moves.push(m);
            ControlFlow::<()>::Continue(())
        };
        if in_check {
            let _ = here.for_each_legal(&mut push);
        } else {
            let _ = here.view().for_each_noisy(&mut push);
            if first {
                let _ = here.view().for_each_quiet_threat(&mut push);
            }
        }
        let stand_pat = (!in_check).then(|| self.static_eval());
        let scores = moves.into_iter().map(|m| self.after(m, |walk| walk.quiet_value(false)));
        scores.chain(stand_pat).max().unwrap()
    }
}
