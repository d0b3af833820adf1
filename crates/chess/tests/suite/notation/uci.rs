//! UCI: syntax, and the reasons why a move is illegal.

use sandtable_chess::notation::uci::{Uci, UciError};
use sandtable_chess::notation::{IllegalReason, MoveError};
use sandtable_chess::{Move, Promotion, Role, Square};
use sandtable_core::{Notation as _, Position};

use super::{START, position, square};

#[track_caller]
fn illegal_reason(fen: &str, text: &str) -> IllegalReason {
    match text.parse::<Uci>().unwrap().to_move(&position(fen)) {
        Err(MoveError::Illegal { text: reported, reason }) => {
            assert_eq!(reported, text);
            reason
        }
        other => panic!("{text} in {fen}: {other:?}"),
    }
}

#[test]
fn all_kinds_of_moves_are_written() {
    let (from, to) = (square("e2"), square("e4"));
    assert_eq!(Uci::from(Move::Step { from, to }).to_string(), "e2e4");
    let (from, to) = (square("e1"), square("g1"));
    assert_eq!(Uci::from(Move::Castle { from, to }).to_string(), "e1g1");
    let (from, to) = (square("e5"), square("d6"));
    assert_eq!(Uci::from(Move::EnPassant { from, to }).to_string(), "e5d6");
    for (promotion, text) in Promotion::ALL.into_iter().zip(["a7b8n", "a7b8b", "a7b8r", "a7b8q"]) {
        let m = Move::Promote { from: square("a7"), to: square("b8"), promotion };
        assert_eq!(Uci::from(m).to_string(), text);
        assert_eq!(text.parse(), Ok(Uci::from(m)));
    }
}

#[test]
fn malformed_uci_is_rejected() {
    for text in [
        "", "e", "e2", "e2e", "e2e9", "i2e4", "e2e4e", "e7e8Q", "e7e8k", "e7e8p", "e7e8=q", "e2-e4", " e2e4",
        "e2e4 ", "E2E4", "0000", "é2e4", "e2é4", "e7e8qq", "O-O",
    ] {
        assert_eq!(text.parse::<Uci>(), Err(UciError(text.to_owned())));
    }
    assert_eq!(
        "e2-e4".parse::<Uci>().unwrap_err().to_string(),
        "invalid UCI move `e2-e4`: expected two squares and optionally q, r, b or n, as in e7e8q"
    );
}

#[test]
fn the_position_determines_the_kind_of_move() {
    let kind = |fen, text: &str| text.parse::<Uci>().unwrap().to_move(&position(fen)).unwrap();
    assert!(matches!(kind("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), Move::Castle { .. }));
    assert!(matches!(kind("3k4/8/8/8/8/8/8/4R2K w - - 0 1", "e1g1"), Move::Step { .. }));
    assert!(matches!(kind("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), Move::EnPassant { .. }));
    assert!(matches!(kind("4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1", "e5d6"), Move::Step { .. }));
    assert!(matches!(kind("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r"), Move::Promote { .. }));
}

#[test]
fn illegal_moves_have_their_reason() {
    let unreachable =
        |role, from, to| IllegalReason::Unreachable { role, from: square(from), to: square(to) };
    let table = [
        (START, "e4e5", IllegalReason::NoPiece(square("e4"))),
        (START, "e7e5", IllegalReason::OpponentsPiece(square("e7"))),
        (START, "a1a2", IllegalReason::OwnPiece(square("a2"))),
        // Castling is not written as the king capturing its rook.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", IllegalReason::OwnPiece(square("h1"))),
        (START, "e2e4q", IllegalReason::NoPromotion),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8q", IllegalReason::NoPromotion),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", IllegalReason::PromotionMissing),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", IllegalReason::NoCastlingRight),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1c1", IllegalReason::NoCastlingRight),
        // A piece in between; out of check; through check; into check.
        (START, "e1g1", IllegalReason::OwnPiece(square("g1"))),
        ("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1", IllegalReason::CastlingBlocked),
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", IllegalReason::CastlingBlocked),
        ("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "e1g1", IllegalReason::CastlingBlocked),
        ("4k3/5r2/8/8/8/8/8/4K2R w K - 0 1", "e1g1", IllegalReason::CastlingBlocked),
        ("4k3/6r1/8/8/8/8/8/4K2R w K - 0 1", "e1g1", IllegalReason::CastlingBlocked),
        (START, "e2e5", unreachable(Role::Pawn, "e2", "e5")),
        (START, "e2d3", unreachable(Role::Pawn, "e2", "d3")),
        (START, "b1b3", unreachable(Role::Knight, "b1", "b3")),
        (START, "c1e3", unreachable(Role::Bishop, "c1", "e3")),
        (START, "a1a3", unreachable(Role::Rook, "a1", "a3")),
        (START, "d1d3", unreachable(Role::Queen, "d1", "d3")),
        (START, "e1e3", unreachable(Role::King, "e1", "e3")),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e1", IllegalReason::OwnPiece(square("e1"))),
        // A pinned piece, a king moving into check, an ignored check, an en passant capture that opens the rank.
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", IllegalReason::LeavesKingInCheck),
        ("4k3/3r4/8/8/8/8/8/4K3 w - - 0 1", "e1d1", IllegalReason::LeavesKingInCheck),
        ("4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "a2a3", IllegalReason::LeavesKingInCheck),
        ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "e5d6", IllegalReason::LeavesKingInCheck),
    ];
    for (fen, text, reason) in table {
        assert_eq!(illegal_reason(fen, text), reason, "{text} in {fen}");
    }
}

#[test]
fn error_messages() {
    let message = |fen, text: &str| position(fen).parse_move(text).unwrap_err().to_string();
    assert_eq!(message(START, "e4e5"), "illegal move `e4e5`: no piece on e4");
    assert_eq!(message(START, "e7e5"), "illegal move `e7e5`: the piece on e7 belongs to the opponent");
    assert_eq!(message(START, "a1a2"), "illegal move `a1a2`: your own piece is on a2");
    assert_eq!(message(START, "b1b3"), "illegal move `b1b3`: a knight cannot move from b1 to b3 here");
    assert_eq!(
        message("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"),
        "illegal move `a7a8`: a pawn that reaches the last rank must promote: add q, r, b or n"
    );
    assert_eq!(
        message(START, "e2e4q"),
        "illegal move `e2e4q`: only a pawn that reaches the last rank can promote"
    );
    assert_eq!(
        message("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3"),
        "illegal move `e2c3`: it leaves your king in check"
    );
    assert_eq!(
        message("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1"),
        "illegal move `e1g1`: no right to castle on that side"
    );
    assert_eq!(
        message("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        "illegal move `e1g1`: castling is not possible now: a piece is in between, or the king is in, crosses or enters \
         check"
    );
}

#[test]
fn every_combination_is_legal_or_has_a_reason() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1",
    ] {
        let position = position(fen);
        let mut legal = 0;
        for from in Square::all() {
            for to in Square::all() {
                for promotion in Promotion::ALL.into_iter().map(Some).chain([None]) {
                    let uci = Uci { from, to, promotion };
                    assert_eq!(uci.to_string().parse(), Ok(uci));
                    match uci.to_move(&position) {
                        Ok(m) => {
                            assert!(position.is_legal(m));
                            assert_eq!(Uci::from(m), uci);
                            legal += 1;
                        }
                        Err(MoveError::Illegal { .. }) => {}
                        Err(other) => panic!("{uci}: {other}"),
                    }
                }
            }
        }
        assert_eq!(legal, position.count_legal());
    }
}
