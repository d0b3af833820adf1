//! Who becomes heroic, and who ceases to be.

use std::cell::OnceCell;

use sandtable_core::Player;

use crate::lines::star;
use crate::movegen::attack::Aim;
use crate::reach::Reach;
use crate::{Board, Heroism, Kind, KindSet, Square, Stack};

impl Heroism {
    /// The heroes that a stack of these kinds keeps, if each was heroic before.
    pub(crate) fn kept(self, kinds: KindSet, heroes: KindSet) -> KindSet {
        match self {
            Self::Everyone => heroes,
            Self::CarrierOnly => {
                kinds.first().map_or(KindSet::EMPTY, |carrier| heroes.common(carrier.only()))
            }
        }
    }

    /// Makes heroic who has earned it by a step of `mover`.
    pub(crate) fn promote(self, board: &mut Board, mover: Player) {
        self.promote_attackers(board, mover);
        for owner in Player::ALL {
            self.promote_last_guard(board, owner);
        }
    }

    /// Each piece that attacks the enemy commander, whether it moved or not.
    fn promote_attackers(self, board: &mut Board, mover: Player) {
        let Some(commander) = board.commander(!mover) else { return };
        let near = board.occupied(mover) & star(commander, Reach::LONGEST);
        let zones = OnceCell::new();
        // One by one: a promotion changes neither what another piece attacks nor the enemy's air defence.
        for square in near.iter() {
            if let Some(stack) = board.get(square) {
                let attackers = Aim::at(board, commander, mover, &zones).attackers(square, stack);
                self.promote_pieces(board, square, stack, attackers);
            }
        }
    }

    /// The only piece beside a commander, wherever it is.
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
        let heroes = stack.heroes().with(self.kept(stack.kinds(), promoted));
        if heroes != stack.heroes() {
            board.set(square, Some(stack.with_heroes(heroes)));
        }
    }
}
