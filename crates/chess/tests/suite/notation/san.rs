//! SAN: minimal disambiguation, the leniencies of the parser, and the reasons why a move is illegal.

use sandtable_chess::notation::san::{San, SanError};
use sandtable_chess::notation::{IllegalReason, MoveError};
use sandtable_chess::{CastlingSide, Role};
use sandtable_core::{Notation as _, Position};

use super::{START, position, square};

/// The SAN of a move given as UCI.
#[track_caller]
fn san(fen: &str, uci: &str) -> String {
    let position = position(fen);
    let m = position.parse_move(uci).unwrap_or_else(|e| panic!("{fen}: {e}"));
    position.move_san(m)
}

/// The UCI of a move given as SAN.
#[track_caller]
fn uci(fen: &str, san: &str) -> String {
    let position = position(fen);
    let m = position.parse_move(san).unwrap_or_else(|e| panic!("{fen}: {e}"));
    position.move_text(m)
}

#[track_caller]
fn illegal_reason(fen: &str, text: &str) -> IllegalReason {
    match text.parse::<San>().unwrap().to_move(&position(fen)) {
        Err(MoveError::Illegal { reason, .. }) => reason,
        other => panic!("{text} in {fen}: {other:?}"),
    }
}

mod writing {
    use super::*;

    #[test]
    fn pieces_pawns_and_captures() {
        assert_eq!(san(START, "e2e4"), "e4");
        assert_eq!(san(START, "g1f3"), "Nf3");
        assert_eq!(san("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"), "exd5");
        assert_eq!(san("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5"), "Nxd5");
        assert_eq!(san("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
        assert_eq!(san("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2"), "Ke2");
    }

    #[test]
    fn the_file_disambiguates_first() {
        assert_eq!(san("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1"), "Rad1");
        assert_eq!(san("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "h1d1"), "Rhd1");
        // The file is enough, although the ranks differ too.
        assert_eq!(san("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2"), "Nbd2");
        assert_eq!(san("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "f3d2"), "Nfd2");
    }

    #[test]
    fn the_rank_disambiguates_pieces_on_one_file() {
        assert_eq!(san("R7/8/4k3/8/8/8/4K3/R7 w - - 0 1", "a1a4"), "R1a4");
        assert_eq!(san("R7/8/4k3/8/8/8/4K3/R7 w - - 0 1", "a8a4"), "R8a4");
    }

    #[test]
    fn file_and_rank_are_written_if_neither_is_enough() {
        // Queens on e4, h4 and h1 can all move to e1: h4 shares its rank with the first and its file with the last.
        let queens = "8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1";
        assert_eq!(san(queens, "h4e1"), "Qh4e1");
        assert_eq!(san(queens, "e4e1"), "Qee1");
        assert_eq!(san(queens, "h1e1"), "Q1e1");
        let capture = "8/k7/8/8/4Q2Q/8/8/K3r2Q w - - 0 1";
        assert_eq!(san(capture, "h4e1"), "Qh4xe1");
    }

    #[test]
    fn pinned_pieces_are_not_disambiguated() {
        // Both knights can move to d5, unless the rook on e8 pins the one on e3.
        assert_eq!(san("k7/8/8/8/1N6/4N3/8/4K3 w - - 0 1", "b4d5"), "Nbd5");
        assert_eq!(san("k3r3/8/8/8/1N6/4N3/8/4K3 w - - 0 1", "b4d5"), "Nd5");
    }

    #[test]
    fn promotions_are_written_with_an_equals_sign() {
        let fen = "1n6/P6k/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(san(fen, "a7a8q"), "a8=Q");
        assert_eq!(san(fen, "a7a8n"), "a8=N");
        assert_eq!(san(fen, "a7b8r"), "axb8=R");
        assert_eq!(san(fen, "a7b8b"), "axb8=B");
        assert_eq!(san("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8q"), "a8=Q+");
    }

    #[test]
    fn castling_is_written_with_the_letter_o() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(san(fen, "e1g1"), "O-O");
        assert_eq!(san(fen, "e1c1"), "O-O-O");
        assert_eq!(san("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O+");
    }

    #[test]
    fn check_and_checkmate_have_suffixes() {
        assert_eq!(san("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), "Ra8+");
        assert_eq!(san("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), "Ra8#");
        assert_eq!(san("k7/8/1K6/8/8/8/8/5Q2 w - - 0 1", "f1f7"), "Qf7", "stalemate has no suffix");
        // A discovered check.
        assert_eq!(san("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4c5"), "Nc5+");
    }
}

mod reading {
    use super::*;

    #[test]
    fn legal_moves_round_trip() {
        for fen in [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ] {
            let position = position(fen);
            for m in position.legal_moves() {
                let text = position.move_san(m);
                let parsed: San = text.parse().unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(parsed.to_move(&position), Ok(m), "{text} in {fen}");
                assert_eq!(parsed, San::of(&position, m));
                assert!(text.starts_with(&parsed.to_string()));
            }
        }
    }

    #[test]
    fn captures_without_x_are_accepted() {
        assert_eq!(uci("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "ed5"), "e4d5");
        assert_eq!(uci("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "Nd5"), "e3d5");
    }

    #[test]
    fn suffixes_are_ignored() {
        for text in ["Nf3+", "Nf3#", "Nf3!", "Nf3?", "Nf3!?", "Nf3+!!", "Nf3++"] {
            assert_eq!(uci(START, text), "g1f3", "{text}");
        }
        assert_eq!(uci("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8"), "a1a8");
    }

    #[test]
    fn redundant_disambiguation_is_accepted() {
        for text in ["Ngf3", "N1f3", "Ng1f3"] {
            assert_eq!(uci(START, text), "g1f3", "{text}");
        }
        assert_eq!(uci(START, "e2e4"), "e2e4");
        assert_eq!(uci("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4xd5"), "e4d5");
    }

    #[test]
    fn promotions_without_equals_sign_are_accepted() {
        let fen = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(uci(fen, "a8Q"), "a7a8q");
        assert_eq!(uci(fen, "axb8N"), "a7b8n");
        assert_eq!(uci(fen, "axb8=N"), "a7b8n");
    }

    #[test]
    fn castling_with_zeros_is_accepted() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        for (text, expected) in [("O-O", "e8g8"), ("0-0", "e8g8"), ("O-O-O", "e8c8"), ("0-0-0", "e8c8")] {
            assert_eq!(uci(fen, text), expected);
            assert_eq!(uci(fen, &format!("{text}+")), expected);
        }
        assert_eq!("0-0".parse(), Ok(San::Castle(CastlingSide::Kingside)));
        assert_eq!("0-0-0".parse(), Ok(San::Castle(CastlingSide::Queenside)));
    }

    #[test]
    fn malformed_san_is_rejected() {
        for text in [
            "", "+", "e", "e9", "Z3", "Pe4", "pe4", "nf3", "bb4x", "N", "Nf", "Nf9", "Nxxf3", "Nf3=Q",
            "e4=K", "e4=P", "e8=", "=Q", "xe4", "1xe4", "Q=Q", "o-o", "O-O-O-O", "OO", "0-O", "e2-e4",
            "Nf3 ", " Nf3", "♘f3", "é4", "Ng1xf3x", "Ng1-f3", "Nabf3", "e4e.p.", "--", "e2e4e5", "Kf1=Q",
            "1.e4",
        ] {
            assert_eq!(text.parse::<San>(), Err(SanError(text.to_owned())), "{text}");
            assert_eq!(position(START).parse_move(text), Err(MoveError::Syntax(text.to_owned())));
        }
    }

    #[test]
    fn syntax_error_messages() {
        assert_eq!(uci(START, "e4"), "e2e4");
        assert_eq!(
            position(START).parse_move("e2e4x").unwrap_err().to_string(),
            "`e2e4x` is not a move: expected UCI (e2e4, e7e8q) or SAN (Nf3, exd5, O-O, e8=Q)"
        );
        assert_eq!(
            "e2e4x".parse::<San>().unwrap_err().to_string(),
            "invalid SAN `e2e4x`: expected a move such as Nf3, exd5, R1a3, e8=Q or O-O"
        );
    }
}

mod illegal {
    use super::*;

    #[test]
    fn illegal_moves_have_their_reason() {
        let no_such = |role, to| IllegalReason::NoSuchMove { role, to: square(to) };
        let table = [
            (START, "e5", no_such(Role::Pawn, "e5")),
            (START, "exd3", no_such(Role::Pawn, "d3")),
            (START, "Nd2", no_such(Role::Knight, "d2")),
            (START, "Qd3", no_such(Role::Queen, "d3")),
            (START, "Nbf3", no_such(Role::Knight, "f3")),
            (START, "N8f3", no_such(Role::Knight, "f3")),
            // Castling is O-O, not a king move.
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Kg1", no_such(Role::King, "g1")),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8", IllegalReason::PromotionMissing),
            (START, "e4=Q", IllegalReason::NoPromotion),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", IllegalReason::NoCastlingRight),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O-O", IllegalReason::NoCastlingRight),
            (START, "O-O", IllegalReason::CastlingBlocked),
            ("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "O-O", IllegalReason::CastlingBlocked),
            ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", IllegalReason::LeavesKingInCheck),
            ("4k3/3r4/8/8/8/8/8/4K3 w - - 0 1", "Kd1", IllegalReason::LeavesKingInCheck),
            ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "exd6", IllegalReason::LeavesKingInCheck),
            (START, "Nxf3", IllegalReason::NothingToCapture(square("f3"))),
            (START, "exe4", IllegalReason::NothingToCapture(square("e4"))),
            // A king near the target square of castling.
            ("4k3/8/8/8/8/8/8/5K1R w - - 0 1", "O-O", IllegalReason::NoCastlingRight),
        ];
        for (fen, text, reason) in table {
            assert_eq!(illegal_reason(fen, text), reason, "{text} in {fen}");
        }
    }

    #[test]
    fn ambiguous_moves_list_their_candidates() {
        let parsed = |fen, text: &str| text.parse::<San>().unwrap().to_move(&position(fen));
        let ambiguous = |text: &str, candidates: &[&str]| {
            let candidates = candidates.iter().map(ToString::to_string).collect();
            Err(MoveError::Ambiguous { text: text.to_owned(), candidates })
        };
        let rooks = "4k3/8/8/8/8/8/4K3/R6R w - - 0 1";
        assert_eq!(parsed(rooks, "Rd1"), ambiguous("Rd1", &["Rad1", "Rhd1"]));
        assert_eq!(parsed(rooks, "R1d1"), ambiguous("R1d1", &["Rad1", "Rhd1"]));
        assert_eq!(
            parsed(rooks, "Rd1").unwrap_err().to_string(),
            "ambiguous move `Rd1`: could be Rad1 or Rhd1"
        );
        let pawns = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1";
        assert_eq!(
            parsed(pawns, "d5"),
            Err(MoveError::Illegal {
                text: "d5".to_owned(),
                reason: IllegalReason::NoSuchMove { role: Role::Pawn, to: square("d5") },
            })
        );
    }

    #[test]
    fn error_messages() {
        let message = |fen, text: &str| position(fen).parse_move(text).unwrap_err().to_string();
        assert_eq!(message(START, "Qd3"), "illegal move `Qd3`: no queen can legally move to d3");
        assert_eq!(message(START, "Nxf3"), "illegal move `Nxf3`: nothing to capture on f3");
        assert_eq!(
            message("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "0-0"),
            "illegal move `O-O`: no right to castle on that side"
        );
    }
}
