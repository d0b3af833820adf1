//! UCI: two squares and maybe a letter; what is no move is told from what is no legal move, and why.

use sandtable_chess::notation::uci::{Uci, UciError};
use sandtable_chess::notation::{Forbidden, MoveError};
use sandtable_chess::{Move, Promotion, Role, Square};
use sandtable_core::{Notation as _, Position as _};

use crate::{START, position, square};

#[track_caller]
fn forbidden(fen: &str, text: &str) -> Forbidden {
    match text.parse::<Uci>().unwrap().to_move(&position(fen)) {
        Err(MoveError::Illegal { text: told, why }) => {
            assert_eq!(told, text);
            why
        }
        other => panic!("{text} in {fen}: {other:?}"),
    }
}

#[test]
fn every_kind_of_move_is_two_squares_and_maybe_a_letter() {
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
fn what_is_not_uci_is_refused() {
    for text in [
        "", "e", "e2", "e2e", "e2e9", "i2e4", "e2e4e", "e7e8Q", "e7e8k", "e7e8p", "e7e8=q", "e2-e4", " e2e4",
        "e2e4 ", "E2E4", "0000", "é2e4", "e2é4", "e7e8qq", "O-O",
    ] {
        assert_eq!(text.parse::<Uci>(), Err(UciError(text.to_owned())));
    }
    assert_eq!(
        "e2-e4".parse::<Uci>().unwrap_err().to_string(),
        "`e2-e4` is not UCI: it takes two squares and maybe one of q, r, b, n, as in e7e8q"
    );
}

#[test]
fn the_kind_of_move_follows_from_the_position() {
    let kind = |fen, text: &str| text.parse::<Uci>().unwrap().to_move(&position(fen)).unwrap();
    assert!(matches!(kind("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), Move::Castle { .. }));
    assert!(matches!(kind("3k4/8/8/8/8/8/8/4R2K w - - 0 1", "e1g1"), Move::Step { .. }));
    assert!(matches!(kind("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), Move::EnPassant { .. }));
    assert!(matches!(kind("4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1", "e5d6"), Move::Step { .. }));
    assert!(matches!(kind("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r"), Move::Promote { .. }));
}

#[test]
fn every_reason_against_a_move_is_told() {
    let unreachable = |role, from, to| Forbidden::Unreachable { role, from: square(from), to: square(to) };
    let table = [
        (START, "e4e5", Forbidden::NoPiece(square("e4"))),
        (START, "e7e5", Forbidden::NotYours(square("e7"))),
        (START, "a1a2", Forbidden::OwnPiece(square("a2"))),
        // To castle is not to take one's own rook.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", Forbidden::OwnPiece(square("h1"))),
        (START, "e2e4q", Forbidden::NoPromotion),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8q", Forbidden::NoPromotion),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", Forbidden::PromotionMissing),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1", Forbidden::CastlingRight),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1c1", Forbidden::CastlingRight),
        // Something between; in check; through check; into check.
        (START, "e1g1", Forbidden::OwnPiece(square("g1"))),
        ("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1", Forbidden::CastlingNow),
        ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", Forbidden::CastlingNow),
        ("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "e1g1", Forbidden::CastlingNow),
        ("4k3/5r2/8/8/8/8/8/4K2R w K - 0 1", "e1g1", Forbidden::CastlingNow),
        ("4k3/6r1/8/8/8/8/8/4K2R w K - 0 1", "e1g1", Forbidden::CastlingNow),
        (START, "e2e5", unreachable(Role::Pawn, "e2", "e5")),
        (START, "e2d3", unreachable(Role::Pawn, "e2", "d3")),
        (START, "b1b3", unreachable(Role::Knight, "b1", "b3")),
        (START, "c1e3", unreachable(Role::Bishop, "c1", "e3")),
        (START, "a1a3", unreachable(Role::Rook, "a1", "a3")),
        (START, "d1d3", unreachable(Role::Queen, "d1", "d3")),
        (START, "e1e3", unreachable(Role::King, "e1", "e3")),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e1", Forbidden::OwnPiece(square("e1"))),
        // A pinned piece, a king that walks into check, a check left standing, both pawns off the rank at once.
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3", Forbidden::LeavesKingInCheck),
        ("4k3/3r4/8/8/8/8/8/4K3 w - - 0 1", "e1d1", Forbidden::LeavesKingInCheck),
        ("4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "a2a3", Forbidden::LeavesKingInCheck),
        ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "e5d6", Forbidden::LeavesKingInCheck),
    ];
    for (fen, text, why) in table {
        assert_eq!(forbidden(fen, text), why, "{text} in {fen}");
    }
}

#[test]
fn the_reasons_read_well() {
    let told = |fen, text: &str| position(fen).parse_move(text).unwrap_err().to_string();
    assert_eq!(told(START, "e4e5"), "e4e5: there is no piece on e4");
    assert_eq!(told(START, "e7e5"), "e7e5: the piece on e7 is not yours to move");
    assert_eq!(told(START, "a1a2"), "a1a2: your own piece stands on a2");
    assert_eq!(told(START, "b1b3"), "b1b3: a knight cannot go from b1 to b3 here");
    assert_eq!(
        told("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"),
        "a7a8: a pawn that reaches the last rank must become something: add q, r, b or n"
    );
    assert_eq!(told(START, "e2e4q"), "e2e4q: only a pawn that reaches the last rank becomes something else");
    assert_eq!(told("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3"), "e2c3: it would leave your king in check");
    assert_eq!(told("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1"), "e1g1: the right to castle there is lost");
    assert_eq!(
        told("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        "e1g1: castling is not possible now: a piece stands between, or the king is, passes or arrives in check"
    );
}

#[test]
fn all_pairs_of_squares_and_letters_are_legal_or_refused_with_a_reason() {
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
