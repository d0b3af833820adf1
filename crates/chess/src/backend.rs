//! The only words between our types and those of the move generator, `cozy-chess`.

use cozy_chess as cozy;
use sandtable_core::{ByPlayer, Player};

use crate::setup::{Castling, Setup, Wing};
use crate::{BLACK, Piece, Promotion, Role, Square, WHITE};

pub(crate) const fn theirs(square: Square) -> cozy::Square {
    cozy::Square::index_const(square.index())
}

pub(crate) const fn ours(square: cozy::Square) -> Square {
    Square::new(square as u8).expect("both number the squares from a1 to h8")
}

pub(crate) const fn color(player: Player) -> cozy::Color {
    match player {
        WHITE => cozy::Color::White,
        BLACK => cozy::Color::Black,
    }
}

pub(crate) const fn player(color: cozy::Color) -> Player {
    match color {
        cozy::Color::White => WHITE,
        cozy::Color::Black => BLACK,
    }
}

pub(crate) const fn piece(role: Role) -> cozy::Piece {
    match role {
        Role::Pawn => cozy::Piece::Pawn,
        Role::Knight => cozy::Piece::Knight,
        Role::Bishop => cozy::Piece::Bishop,
        Role::Rook => cozy::Piece::Rook,
        Role::Queen => cozy::Piece::Queen,
        Role::King => cozy::Piece::King,
    }
}

pub(crate) const fn role(piece: cozy::Piece) -> Role {
    match piece {
        cozy::Piece::Pawn => Role::Pawn,
        cozy::Piece::Knight => Role::Knight,
        cozy::Piece::Bishop => Role::Bishop,
        cozy::Piece::Rook => Role::Rook,
        cozy::Piece::Queen => Role::Queen,
        cozy::Piece::King => Role::King,
    }
}

pub(crate) const fn promotion(piece: cozy::Piece) -> Option<Promotion> {
    match piece {
        cozy::Piece::Knight => Some(Promotion::Knight),
        cozy::Piece::Bishop => Some(Promotion::Bishop),
        cozy::Piece::Rook => Some(Promotion::Rook),
        cozy::Piece::Queen => Some(Promotion::Queen),
        cozy::Piece::Pawn | cozy::Piece::King => None,
    }
}

/// The board of a setup that has been validated.
pub(crate) fn build(setup: &Setup) -> cozy::Board {
    let mut builder = cozy::BoardBuilder::empty();
    for square in Square::all() {
        builder.board[square.index()] = setup.board[square.index()].map(|p| (piece(p.role), color(p.owner)));
    }
    builder.side_to_move = color(setup.turn);
    builder.castle_rights = [WHITE, BLACK].map(|player| {
        let rook = |wing| setup.castling[player].on(wing).then(|| cozy::File::index(wing.rook_file()));
        cozy::CastleRights { short: rook(Wing::King), long: rook(Wing::Queen) }
    });
    builder.en_passant = setup.en_passant.map(theirs);
    builder.halfmove_clock = setup.halfmoves.min(MAX_CLOCK.into()) as u8;
    builder.fullmove_number = setup.fullmoves;
    builder.build().expect("the setup has been validated")
}

/// The generator's own clock stops here; ours, which the 75-move rule needs, does not.
const MAX_CLOCK: u8 = 100;

/// The board as plain data, but for the half-move clock, which the board does not know well enough.
pub(crate) fn take_apart(board: &cozy::Board, halfmoves: u16) -> Setup {
    let mut setup = Setup { turn: player(board.side_to_move()), halfmoves, ..Setup::empty() };
    for square in board.occupied() {
        setup.board[square as usize] = piece_on(board, square);
    }
    setup.castling = castling(board);
    setup.fullmoves = board.fullmove_number();
    setup
}

pub(crate) fn castling(board: &cozy::Board) -> ByPlayer<Castling> {
    ByPlayer::from_fn(|player| {
        let rights = board.castle_rights(color(player));
        Castling { king: rights.short.is_some(), queen: rights.long.is_some() }
    })
}

pub(crate) fn piece_on(board: &cozy::Board, square: cozy::Square) -> Option<Piece> {
    let owner = player(board.color_on(square)?);
    Some(Piece { owner, role: role(board.piece_on(square)?) })
}

/// The move generator's own perft from the start position: what ours is measured against.
///
/// It is as fast as the generator allows: the last ply is counted in bulk, as [`sandtable_core::perft`] does, and a
/// depth is asked for once and not for every group of moves.
#[must_use]
pub fn generator_perft(depth: u32) -> u64 {
    fn count(board: &cozy::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        match depth {
            0 => nodes = 1,
            1 => {
                board.generate_moves(|moves| {
                    nodes += moves.len() as u64;
                    false
                });
            }
            _ => {
                board.generate_moves(|moves| {
                    for m in moves {
                        let mut next = board.clone();
                        next.play_unchecked(m);
                        nodes += count(&next, depth - 1);
                    }
                    false
                });
            }
        }
        nodes
    }
    count(&cozy::Board::startpos(), depth)
}
