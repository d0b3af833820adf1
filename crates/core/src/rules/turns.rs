//! Complete turns, for games where a turn may take several moves.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::{Player, Position};

/// A complete turn: the moves of one player until the opponent is to move or the game is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn<P: Position> {
    /// The moves of the turn.
    pub moves: Vec<P::Move>,
    /// The position after them.
    pub position: P,
}

/// Returns whether a turn of `mover` is complete in the position after its last move.
#[must_use]
pub fn ends_turn<P: Position>(mover: Player, after: &P) -> bool {
    after.turn() != mover || after.outcome(1).is_over()
}

/// Calls `f` with one turn for each *different* position that a complete turn can reach, in the order they are found.
pub fn for_each_turn<P: Position>(position: &P, f: &mut impl FnMut(&Turn<P>)) {
    let mut seen = HashSet::new();
    let mut turn = Turn { moves: Vec::new(), position: position.clone() };
    extend(&mut turn, position, &mut seen, f);
}

fn extend<P: Position>(turn: &mut Turn<P>, root: &P, seen: &mut HashSet<P>, f: &mut impl FnMut(&Turn<P>)) {
    let here = turn.position.clone();
    let _ = here.for_each_legal::<()>(|m| {
        turn.moves.push(m);
        turn.position.play_unchecked(m);
        let complete = ends_turn(root.turn(), &turn.position);
        if seen.insert(turn.position.clone()) {
            if complete {
                f(turn);
            } else {
                extend(turn, root, seen, f);
            }
        }
        turn.moves.pop();
        turn.position = here.clone();
        ControlFlow::Continue(())
    });
}
