//! Hashing and the identity of positions under the repetition rule.
//!
//! Hashes are the generator's Zobrist hashes. Its version is pinned, because files and caches may hold hashes.

use cozy_chess as cozy;

use crate::{Chess, EnPassant};

impl Chess {
    /// The Zobrist hash. The en passant square counts only if a pawn can legally capture there.
    pub(crate) fn zobrist(&self) -> u64 {
        match self.en_passant(EnPassant::Legal) {
            Some(_) => self.board.hash(),
            None => self.board.hash_without_ep(),
        }
    }

    /// Returns whether two positions are the same under the repetition rule (FIDE 9.2).
    ///
    /// The board's own `same_position` is not used: after a double step, it assumes that any piece beside the pawn can
    /// capture en passant.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        let (a, b) = (&self.board, &other.board);
        a.hash_without_ep() == b.hash_without_ep()
            && a.side_to_move() == b.side_to_move()
            && cozy::Color::ALL.iter().all(|&color| {
                a.colors(color) == b.colors(color) && a.castle_rights(color) == b.castle_rights(color)
            })
            && cozy::Piece::ALL.iter().all(|&piece| a.pieces(piece) == b.pieces(piece))
            && self.en_passant(EnPassant::Legal) == other.en_passant(EnPassant::Legal)
    }
}
