//! The features of an evaluation network: each piece on its square.

use cozy_chess::{Color, Piece};
use sandtable_core::search::{Feature, Features};
use sandtable_core::{ByPlayer, Player};

use crate::backend::{ours, player, role};
use crate::frame::{Frame, reflected_cell};
use crate::{Chess, Role};

const ROLES: usize = Role::ALL.len();
const SQUARES: usize = 64;

impl Features for Chess {
    const FEATURES: usize = 2 * ROLES * SQUARES;
    const FEATURE_SET: &'static str = "chess-pieces-1";
    const PLACES: usize = SQUARES;
    const MAX_FEATURES: usize = 32;
    const STAGES: usize = 8;

    fn for_each_feature(&self, mut f: impl FnMut(Feature)) {
        for piece in Piece::ALL {
            for color in Color::ALL {
                for square in self.board.colored_pieces(color, piece) {
                    f(feature(color, piece, square));
                }
            }
        }
    }

    fn for_each_change(&self, before: &Self, mut f: impl FnMut(Feature, bool)) {
        for piece in Piece::ALL {
            for color in Color::ALL {
                let [new, old] = [self, before].map(|position| position.board.colored_pieces(color, piece));
                for square in new ^ old {
                    f(feature(color, piece, square), new.has(square));
                }
            }
        }
    }

    /// With the files reversed. Castling is not symmetric, but castling rights are not features.
    fn reflected(feature: usize) -> usize {
        feature / SQUARES * SQUARES + reflected_cell(feature % SQUARES)
    }

    /// By the number of pieces; stage 0 has the fewest.
    fn stage(&self) -> usize {
        let pieces = Player::ALL.map(|player| self.occupied(player).len()).iter().sum::<usize>();
        (pieces - 1) * Self::STAGES / Self::MAX_FEATURES
    }
}

/// The feature of a piece on a square. The viewer's own pieces come first; each viewer sees the board from its own side.
#[inline]
fn feature(color: Color, piece: Piece, square: cozy_chess::Square) -> Feature {
    ByPlayer::from_fn(|viewer| {
        let enemy = usize::from(viewer != player(color));
        (enemy * ROLES + role(piece) as usize) * SQUARES + Frame::of(viewer).cell(ours(square))
    })
}

#[cfg(test)]
mod tests {
    use sandtable_core::learn::Symmetric as _;
    use sandtable_core::rules::{Rng, play_random_moves};
    use sandtable_core::{FromSetup as _, Game};

    use super::*;
    use crate::Setup;

    fn features(position: &Chess, viewer: Player) -> Vec<usize> {
        let mut features = Vec::new();
        position.for_each_feature(|feature| features.push(feature[viewer]));
        features.sort_unstable();
        features
    }

    #[test]
    fn reflected_features_are_those_of_the_reflected_board() {
        for seed in 0..20 {
            let mut game = Game::<Chess>::default();
            play_random_moves(&mut game, &mut Rng::new(seed), 30);
            let setup = Setup { castling: Setup::empty().castling, ..game.position().to_setup() };
            let position = Chess::from_setup(&setup, crate::DrawRules::default()).unwrap();
            let reflected = position.reflection().expect("there are no castling rights");
            for viewer in Player::ALL {
                let mut expected: Vec<_> =
                    features(&position, viewer).into_iter().map(Chess::reflected).collect();
                expected.sort_unstable();
                assert_eq!(features(&reflected, viewer), expected);
            }
        }
    }
}
