//! The features of an evaluation network: each piece on its square, carried or not, the heroes, and the pieces that have yet
//! to act in a deployment.

use sandtable_core::search::{Feature, Features};
use sandtable_core::{ByPlayer, Player, Position};

use crate::frame::Frame;
use crate::{CoTuLenh, Kind, Square, Stack};

/// Each piece on its square: by owner, whether it is carried, kind and square.
const PIECES: usize = 2 * 2 * Kind::NUM * Square::NUM;
/// The square of each hero, by owner.
const HERO_SQUARES: usize = 2 * Square::NUM;
/// The kind of each hero, by owner.
const HERO_KINDS: usize = 2 * Kind::NUM;
/// The kinds that have yet to act in a deployment, by owner.
const PENDING: usize = 2 * Kind::NUM;

impl Features for CoTuLenh {
    const FEATURES: usize = PIECES + HERO_SQUARES + HERO_KINDS + PENDING;
    const FEATURE_SET: &'static str = "cotulenh-pieces-1";
    const PLACES: usize = Square::NUM;
    // All pieces are heroes, and a stack of three is being deployed.
    const MAX_FEATURES: usize = 3 * MAX_PIECES + 3;
    const STAGES: usize = 8;

    fn for_each_feature(&self, mut f: impl FnMut(Feature)) {
        for (square, stack) in self.board().all_pieces() {
            for_each_of_stack(square, stack, &mut f);
        }
        for_each_pending(self, &mut f);
    }

    fn for_each_change(&self, before: &Self, mut f: impl FnMut(Feature, bool)) {
        for square in self.board().differences(before.board()) {
            for (board, is_new) in [(before.board(), false), (self.board(), true)] {
                if let Some(stack) = board.get(square) {
                    for_each_of_stack(square, stack, &mut |feature| f(feature, is_new));
                }
            }
        }
        if before.deployment().is_some() || self.deployment().is_some() {
            for_each_pending(before, &mut |feature| f(feature, false));
            for_each_pending(self, &mut |feature| f(feature, true));
        }
    }

    /// By the number of pieces; stage 0 has the fewest.
    fn stage(&self) -> usize {
        let pieces: usize = Player::ALL.map(|owner| self.board().piece_count(owner)).iter().sum();
        (pieces * Self::STAGES / (MAX_PIECES + 1)).min(Self::STAGES - 1)
    }
}

/// The number of pieces in the start position.
const MAX_PIECES: usize = 38;

fn for_each_of_stack(square: Square, stack: Stack, f: &mut impl FnMut(Feature)) {
    let owner = stack.owner();
    for piece in stack.flatten() {
        let carried = piece.kind != stack.carrier();
        f(ByPlayer::from_fn(|viewer| {
            let row = (enemy(viewer, owner) * 2 + usize::from(carried)) * Kind::NUM + piece.kind.index();
            row * Square::NUM + Frame::of(viewer).cell(square)
        }));
        if piece.heroic {
            f(ByPlayer::from_fn(|viewer| {
                PIECES + enemy(viewer, owner) * Square::NUM + Frame::of(viewer).cell(square)
            }));
            f(ByPlayer::from_fn(|viewer| {
                PIECES + HERO_SQUARES + enemy(viewer, owner) * Kind::NUM + piece.kind.index()
            }));
        }
    }
}

fn for_each_pending(position: &CoTuLenh, f: &mut impl FnMut(Feature)) {
    let Some(deployment) = position.deployment() else { return };
    for kind in deployment.pending() {
        f(ByPlayer::from_fn(|viewer| {
            let owner = enemy(viewer, position.turn());
            PIECES + HERO_SQUARES + HERO_KINDS + owner * Kind::NUM + kind.index()
        }));
    }
}

/// 0 for the viewer's own pieces, 1 for the opponent's.
fn enemy(viewer: Player, owner: Player) -> usize {
    usize::from(viewer != owner)
}
