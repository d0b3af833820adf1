//! Conversions between our types and those of the move generator, `cozy-chess`.
//!
//! No type of `cozy-chess` appears in a public signature. Inside the crate, the files that work on its board directly
//! are `attacks`, `evaluate`, `exchange`, `features`, `movegen`, `position` and `zobrist`, because a conversion on the
//! hot path is measurable. Every other file uses only our types. A test below checks this list.

use cozy_chess as cozy;
use sandtable_core::{ByPlayer, Player};

use crate::castling::{CastlingRights, CastlingSide};
use crate::setup::Setup;
use crate::{BLACK, Piece, Promotion, Role, Square, SquareSet, WHITE};

/// Our square as the generator's.
pub(crate) const fn theirs(square: Square) -> cozy::Square {
    cozy::Square::index_const(square.index())
}

/// The generator's square as ours.
pub(crate) const fn ours(square: cozy::Square) -> Square {
    Square::new(square as u8).expect("both number the squares from a1 to h8")
}

pub(crate) const fn square_set(squares: cozy::BitBoard) -> SquareSet {
    SquareSet::from_bits(squares.0)
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

/// Builds the generator's board from a validated setup.
pub(crate) fn board_from_setup(setup: &Setup) -> cozy::Board {
    let mut builder = cozy::BoardBuilder::empty();
    for square in Square::all() {
        builder.board[square.index()] = setup.board[square.index()].map(|p| (piece(p.role), color(p.owner)));
    }
    builder.side_to_move = color(setup.turn);
    builder.castle_rights = [WHITE, BLACK].map(|player| {
        let rook = |side: CastlingSide| {
            setup.castling[player].has(side).then(|| cozy::File::index(side.rook_file()))
        };
        cozy::CastleRights { short: rook(CastlingSide::Kingside), long: rook(CastlingSide::Queenside) }
    });
    builder.en_passant = setup.en_passant.map(theirs);
    builder.halfmove_clock = setup.halfmoves.min(GENERATOR_CLOCK_LIMIT.into()) as u8;
    builder.fullmove_number = setup.fullmoves;
    builder.build().expect("the setup has been validated")
}

/// The value at which the generator's half-move clock stops. The 75-move rule needs more, so a position has its own
/// clock.
const GENERATOR_CLOCK_LIMIT: u8 = 100;

/// The board as plain data, without an en passant square.
pub(crate) fn setup_from_board(board: &cozy::Board, halfmoves: u16) -> Setup {
    let mut setup = Setup { turn: player(board.side_to_move()), halfmoves, ..Setup::empty() };
    for square in board.occupied() {
        setup.board[square as usize] = piece_on(board, square);
    }
    setup.castling = castling_rights(board);
    setup.fullmoves = board.fullmove_number();
    setup
}

pub(crate) fn castling_rights(board: &cozy::Board) -> ByPlayer<CastlingRights> {
    ByPlayer::from_fn(|player| {
        let rights = board.castle_rights(color(player));
        CastlingRights { kingside: rights.short.is_some(), queenside: rights.long.is_some() }
    })
}

pub(crate) fn piece_on(board: &cozy::Board, square: cozy::Square) -> Option<Piece> {
    let owner = player(board.color_on(square)?);
    Some(Piece { owner, role: role(board.piece_on(square)?) })
}
