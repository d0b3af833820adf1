//! Attacks: the pieces that attack a square.

use cozy_chess::{self as cozy, BitBoard, Board, Color, Piece};
use sandtable_core::Player;

use crate::backend::{color, piece, square_set, theirs};
use crate::{Role, Setup, Square, SquareSet};

/// The pieces of a board or of a [`Setup`], valid or not, as bitboards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    colors: [BitBoard; Color::NUM],
    pieces: [BitBoard; Piece::NUM],
}

impl Placement {
    #[inline]
    pub(crate) fn of_board(board: &Board) -> Self {
        Self {
            colors: Color::ALL.map(|color| board.colors(color)),
            pieces: Piece::ALL.map(|piece| board.pieces(piece)),
        }
    }

    pub(crate) fn of_setup(setup: &Setup) -> Self {
        let mut placement = Self { colors: [BitBoard::EMPTY; 2], pieces: [BitBoard::EMPTY; 6] };
        for square in Square::all() {
            if let Some(found) = setup.board[square.index()] {
                placement.colors[color(found.owner) as usize] |= theirs(square).bitboard();
                placement.pieces[piece(found.role) as usize] |= theirs(square).bitboard();
            }
        }
        placement
    }

    /// The pieces of one kind of one player.
    pub(crate) fn pieces(&self, player: Player, role: Role) -> SquareSet {
        square_set(self.colors[color(player) as usize] & self.pieces[piece(role) as usize])
    }

    /// The pieces of one player.
    pub(crate) fn occupied(&self, player: Player) -> SquareSet {
        square_set(self.colors[color(player) as usize])
    }

    /// The pieces of both players that attack a square.
    pub(crate) fn attackers(&self, square: Square) -> SquareSet {
        let square = theirs(square);
        let occupied = self.colors[0] | self.colors[1];
        square_set(self.leaping_attackers(square) | self.sliding_attackers(square, occupied))
    }

    /// The pawns, knights and kings of both players that attack a square.
    #[inline]
    pub(crate) fn leaping_attackers(&self, square: cozy::Square) -> BitBoard {
        // Pawn attacks are symmetric: swap the colours to get the attackers of a square.
        let pawns = Color::ALL
            .iter()
            .map(|&color| cozy::get_pawn_attacks(square, !color) & self.colors[color as usize])
            .fold(BitBoard::EMPTY, |all, pawns| all | pawns);
        pawns & self.pieces[Piece::Pawn as usize]
            | cozy::get_knight_moves(square) & self.pieces[Piece::Knight as usize]
            | cozy::get_king_moves(square) & self.pieces[Piece::King as usize]
    }

    /// The bishops, rooks and queens of both players that attack a square if the squares in `occupied` block lines.
    #[inline]
    pub(crate) fn sliding_attackers(&self, square: cozy::Square, occupied: BitBoard) -> BitBoard {
        let queens = self.pieces[Piece::Queen as usize];
        cozy::get_bishop_moves(square, occupied) & (self.pieces[Piece::Bishop as usize] | queens)
            | cozy::get_rook_moves(square, occupied) & (self.pieces[Piece::Rook as usize] | queens)
    }
}

/// The squares strictly between two squares of a line; empty if they share no line.
pub(crate) fn between(a: Square, b: Square) -> SquareSet {
    square_set(cozy::get_between_rays(theirs(a), theirs(b)))
}

/// The squares that a piece attacks from a square if the squares in `occupied` block lines.
#[inline]
pub(crate) fn attacks_from(piece: Piece, color: Color, from: cozy::Square, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => cozy::get_pawn_attacks(from, color),
        Piece::Knight => cozy::get_knight_moves(from),
        Piece::Bishop => cozy::get_bishop_moves(from, occupied),
        Piece::Rook => cozy::get_rook_moves(from, occupied),
        Piece::Queen => cozy::get_bishop_moves(from, occupied) | cozy::get_rook_moves(from, occupied),
        Piece::King => cozy::get_king_moves(from),
    }
}
