//! Promotion to hero, and the loss of heroism.

use std::cell::OnceCell;

use sandtable_core::Player;

use crate::lines::star;
use crate::movegen::attack::Aim;
use crate::reach::Reach;
use crate::{Board, Heroism, Kind, KindSet, Square, Stack};

impl Heroism {
    /// The pieces of a stack of these kinds that may be heroic.
    pub(crate) fn eligible(self, kinds: KindSet) -> KindSet {
        match self {
            Self::Everyone => kinds,
            Self::CarrierOnly => kinds.first().map_or(KindSet::EMPTY, Kind::only),
        }
    }

    /// Promotes the pieces that a step of `mover` makes heroic.
    pub(crate) fn promote(self, board: &mut Board, mover: Player) {
        self.promote_attackers(board, mover);
        for owner in Player::ALL {
            self.promote_last_guard(board, owner);
        }
    }

    /// Promotes every piece that attacks the enemy commander, whether it moved or not.
    fn promote_attackers(self, board: &mut Board, mover: Player) {
        let Some(commander) = board.commander(!mover) else { return };
        let near = board.occupied(mover) & star(commander, Reach::LONGEST);
        let zones = OnceCell::new();
        // The order does not matter: a promotion changes neither the attacks of other pieces nor the enemy's air
        // defence.
        for square in near {
            if let Some(stack) = board.get(square) {
                let attackers = Aim::at(board, commander, mover, &zones).attackers(square, stack);
                self.promote_pieces(board, square, stack, attackers);
            }
        }
    }

    /// Promotes the last guard: the only piece a side has left besides its commander.
    fn promote_last_guard(self, board: &mut Board, owner: Player) {
        if board.piece_count(owner) != 2 || board.commander(owner).is_none() {
            return;
        }
        let guard = board.pieces(owner).find(|(_, stack)| stack.kinds() != Kind::Commander.only());
        if let Some((square, stack)) = guard {
            self.promote_pieces(board, square, stack, stack.kinds().without(Kind::Commander.only()));
        }
    }

    fn promote_pieces(self, board: &mut Board, square: Square, stack: Stack, promoted: KindSet) {
        let heroes = stack.heroes().union(promoted.intersection(self.eligible(stack.kinds())));
        if heroes != stack.heroes() {
            board.set(square, Some(stack.with_heroes(heroes)));
        }
    }
}
