//! The features of an evaluation network: each piece on its square.

use cozy_chess::{BitBoard, Color, Piece};
use sandtable_core::{ByPlayer, Feature, Features, Player};

use crate::Position;
use crate::backend::color;

const SQUARES: usize = 64;

impl Features for Position {
    const FEATURES: usize = 2 * Piece::NUM * SQUARES;
    const FEATURE_SET: &'static str = "chess-pieces-1";
    const PLACES: usize = SQUARES;
    const MAX_FEATURES: usize = 32;
    const STAGES: usize = 8;

    fn for_each_feature(&self, mut f: impl FnMut(Feature)) {
        for owner in Color::ALL {
            for piece in Piece::ALL {
                for_each_square(self.board.colored_pieces(owner, piece), owner, piece, &mut f);
            }
        }
    }

    fn for_each_change(&self, before: &Self, mut f: impl FnMut(Feature, bool)) {
        for owner in Color::ALL {
            for piece in Piece::ALL {
                let old = before.board.colored_pieces(owner, piece);
                let new = self.board.colored_pieces(owner, piece);
                for_each_square(old & !new, owner, piece, &mut |feature| f(feature, false));
                for_each_square(new & !old, owner, piece, &mut |feature| f(feature, true));
            }
        }
    }

    /// By the number of pieces: the fewer, the later.
    fn stage(&self) -> usize {
        (self.board.occupied().len() as usize - 1) * Self::STAGES / Self::MAX_FEATURES
    }
}

fn for_each_square(squares: BitBoard, owner: Color, piece: Piece, f: &mut impl FnMut(Feature)) {
    for square in squares {
        f(ByPlayer::from_fn(|viewer| feature(viewer, owner, piece, square as usize)));
    }
}

/// The viewer's own pieces come first; Black sees the board with the ranks flipped.
fn feature(viewer: Player, owner: Color, piece: Piece, square: usize) -> usize {
    let square = if viewer == Player::First { square } else { square ^ 0o70 };
    let enemy = usize::from(owner != color(viewer));
    (enemy * Piece::NUM + piece as usize) * SQUARES + square
}
