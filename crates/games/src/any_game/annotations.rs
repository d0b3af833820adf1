//! Annotations of a game of any kind: the moves of variations are text.

use sandtable_core::record::{Annotations, MAX_NESTED_VARIATIONS, Tags, Variation};
use sandtable_core::{Describe, Game, Position};

use super::Playable;
use super::text::line_text;
use crate::Error;

/// The reason why a record cannot have a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("variation")]
#[non_exhaustive]
pub enum VariationError {
    /// It replaces no move of its line.
    #[error(
        "a variation after {ply} moves replaces nothing: expected fewer than {moves}, the moves of its line"
    )]
    Misplaced {
        /// The number of moves before the variation.
        ply: usize,
        /// The number of moves of the line.
        moves: usize,
    },
    /// There are too many variations within each other.
    #[error("variations nested too deeply: expected at most {limit} levels")]
    Nesting {
        /// The largest number of levels.
        limit: usize,
    },
}

/// The record of a game with annotations. The moves of variations may be in any notation of the game.
pub(super) fn annotated_record<P: Playable>(
    game: &Game<P>,
    tags: &Tags,
    annotations: &Annotations<String>,
) -> Result<String, Error> {
    let moves: Vec<_> = game.moves_played().collect();
    let annotations = parse_annotations(game.first_position(), &moves, annotations, 0)?;
    Ok(P::write_record(game, tags, &annotations))
}

/// Annotations with the moves of variations in the form that programs exchange.
pub(crate) fn annotations_text<P: Playable>(
    start: &P,
    moves: &[P::Move],
    annotations: &Annotations<P::Move>,
) -> Annotations<String> {
    let positions = positions(start, moves);
    let text = |ply: usize, variation: &Variation<P::Move>| {
        let Variation { moves, annotations } = variation;
        let start = &positions[ply];
        let annotations = annotations_text(start, moves, annotations);
        Ok::<_, std::convert::Infallible>(Variation { moves: line_text(start, moves), annotations })
    };
    match annotations.try_map(text) {
        Ok(annotations) => annotations,
        Err(never) => match never {},
    }
}

fn parse_annotations<P: Playable>(
    start: &P,
    moves: &[P::Move],
    annotations: &Annotations<String>,
    level: usize,
) -> Result<Annotations<P::Move>, Error> {
    let positions = positions(start, moves);
    annotations.try_map(|ply, Variation { moves: texts, annotations }| {
        if ply >= moves.len() {
            return Err(VariationError::Misplaced { ply, moves: moves.len() }.into());
        }
        if level == MAX_NESTED_VARIATIONS {
            return Err(VariationError::Nesting { limit: MAX_NESTED_VARIATIONS }.into());
        }
        let start = &positions[ply];
        let mut position = start.clone();
        let mut line = Vec::new();
        for text in texts {
            let m = position.parse_move(text)?;
            position.play_unchecked(m);
            line.push(m);
        }
        let annotations = parse_annotations(start, &line, annotations, level + 1)?;
        Ok(Variation { moves: line, annotations })
    })
}

/// The positions of a line, the first one included.
fn positions<P: Position>(start: &P, moves: &[P::Move]) -> Vec<P> {
    let mut positions = vec![start.clone()];
    for (ply, &m) in moves.iter().enumerate() {
        positions.push(positions[ply].after(m));
    }
    positions
}
