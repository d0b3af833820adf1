//! The features of an evaluation network: each piece on its square.

use cozy_chess::{Color, Piece};
use sandtable_core::{ByPlayer, Feature, Features, Player};

use crate::backend::square_set;
use crate::frame::{cell_of, reflected_cell};
use crate::{BLACK, Position, Role, Square, WHITE};

const ROLES: usize = Role::ALL.len();
const SQUARES: usize = 64;

impl Features for Position {
    const FEATURES: usize = 2 * ROLES * SQUARES;
    const FEATURE_SET: &'static str = "chess-pieces-1";
    const PLACES: usize = SQUARES;
    const MAX_FEATURES: usize = 32;
    const STAGES: usize = 8;

    fn for_each_feature(&self, mut f: impl FnMut(Feature)) {
        for square in self.occupied(WHITE) | self.occupied(BLACK) {
            f(self.feature_on(square).expect("an occupied square"));
        }
    }

    fn for_each_change(&self, before: &Self, mut f: impl FnMut(Feature, bool)) {
        let (new, old) = (&self.board, &before.board);
        let colors = [Color::White, Color::Black].map(|color| new.colors(color) ^ old.colors(color));
        let roles = Piece::ALL.map(|piece| new.pieces(piece) ^ old.pieces(piece));
        let changed = roles.into_iter().fold(colors[0] | colors[1], |all, role| all | role);
        for square in square_set(changed) {
            if let Some(old) = before.feature_on(square) {
                f(old, false);
            }
            if let Some(new) = self.feature_on(square) {
                f(new, true);
            }
        }
    }

    /// With the files reversed. Castling is not symmetric, but it is no feature.
    fn reflected(feature: usize) -> usize {
        feature / SQUARES * SQUARES + reflected_cell(feature % SQUARES)
    }

    /// By the number of pieces: the fewer, the later.
    fn stage(&self) -> usize {
        let pieces = Player::ALL.map(|player| self.occupied(player).len()).iter().sum::<u32>() as usize;
        (pieces - 1) * Self::STAGES / Self::MAX_FEATURES
    }
}

impl Position {
    /// The viewer's own pieces come first; each viewer sees the board from its own side.
    #[inline]
    fn feature_on(&self, square: Square) -> Option<Feature> {
        let piece = self.piece_on(square)?;
        Some(ByPlayer::from_fn(|viewer| {
            let enemy = usize::from(viewer != piece.owner);
            (enemy * ROLES + piece.role as usize) * SQUARES + cell_of(square, viewer)
        }))
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::{FromSetup as _, Game, Rng, Symmetric as _, play_random_moves};

    use super::*;
    use crate::Setup;

    fn features(position: &Position, viewer: Player) -> Vec<usize> {
        let mut features = Vec::new();
        position.for_each_feature(|feature| features.push(feature[viewer]));
        features.sort_unstable();
        features
    }

    #[test]
    fn reflected_features_are_those_of_the_reflected_board() {
        for seed in 0..20 {
            let mut game = Game::<Position>::default();
            play_random_moves(&mut game, &mut Rng::new(seed), 30);
            let setup = Setup { castling: Setup::empty().castling, ..game.position().to_setup() };
            let position = Position::from_setup(&setup, crate::DrawRules::default()).unwrap();
            let reflected = position.reflection().expect("there are no castling rights");
            for viewer in Player::ALL {
                let mut expected: Vec<_> =
                    features(&position, viewer).into_iter().map(Position::reflected).collect();
                expected.sort_unstable();
                assert_eq!(features(&reflected, viewer), expected);
            }
        }
    }
}
