//! FEN: round trips, leniencies, and errors that list every reason.

use cozy_chess as cozy;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use sandtable_chess::notation::PositionError;
use sandtable_chess::notation::fen::{self, START};
use sandtable_chess::{
    BLACK, CastlingRights, CastlingSide, Chess, DrawRules, EnPassant, Invalid, Piece, Role, Setup, Square,
    WHITE,
};
use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{ByPlayer, FromSetup as _, Game, Player};

fn read(fen: &str) -> Result<Chess, PositionError> {
    Chess::from_fen(fen, DrawRules::default())
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

/// The reasons why a well-formed FEN is not a valid position.
#[track_caller]
fn reasons(fen: &str) -> Vec<Invalid> {
    match read(fen) {
        Err(PositionError::Invalid(error)) => error.reasons().to_vec(),
        other => panic!("{fen}: {other:?}"),
    }
}

#[test]
fn the_start_position_has_its_standard_fen() {
    assert_eq!(Chess::default().to_fen(), START);
    assert_eq!(read(START), Ok(Chess::default()));
}

#[test]
fn positions_of_random_games_round_trip() {
    let (mut rng, mut count) = (Rng::new(1), 0);
    while count < 10_000 {
        let mut game = Game::<Chess>::new(DrawRules::default());
        while play_random_moves(&mut game, &mut rng, 1) == 1 {
            let fen = game.position().to_fen();
            let again = read(&fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
            assert_eq!(&again, game.position(), "{fen}");
            assert_eq!(again.to_fen(), fen);
            let always = game.position().to_fen_with(EnPassant::Always);
            let again = read(&always).unwrap_or_else(|e| panic!("{always}: {e}"));
            assert_eq!(again.to_fen_with(EnPassant::Always), always);
            assert_eq!(&again, game.position(), "{always}");
            count += 1;
        }
    }
}

#[test]
fn the_en_passant_square_is_written_only_if_a_capture_is_legal() {
    let no_capturer = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(read(no_capturer).unwrap().to_fen(), no_capturer.replace("e3", "-"));
    assert_eq!(read(no_capturer).unwrap().to_fen_with(EnPassant::Always), no_capturer);
    let capturer = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    assert_eq!(read(capturer).unwrap().to_fen(), capturer);
    let pinned = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2";
    assert_eq!(read(pinned).unwrap().to_fen(), pinned.replace("d6", "-"));
}

#[test]
fn leniencies_of_the_parser() {
    let kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    for lenient in [
        "  4k3/8/8/8/8/8/8/4K3 w - - 0 1 ",
        "4k3/8/8/8/8/8/8/4K3\tw  -   - 0 1\n",
        "4k3/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K3 w - - 00 01",
    ] {
        assert_eq!(read(lenient).unwrap().to_fen(), kings, "{lenient:?}");
    }
    let rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(read(&rooks.replace("KQkq", "qKkQ")).unwrap().to_fen(), rooks);
}

/// The FEN of the start position with one field replaced.
fn with_field(field: usize, value: &str) -> String {
    let mut fields: Vec<&str> = START.split(' ').collect();
    fields[field] = value;
    fields.join(" ")
}

#[test]
fn malformed_fens_are_rejected() {
    let mut rejected = 0;
    let mut expect = |fen: &str, error: PositionError| {
        assert_eq!(read(fen), Err(error), "{fen:?}");
        rejected += 1;
    };

    // The number of fields.
    let fields: Vec<&str> = START.split(' ').collect();
    for count in [0, 1, 2, 3, 5] {
        expect(&fields[..count].join(" "), PositionError::Fields(count));
    }
    for (fen, count) in [
        (format!("{START} 1"), 7),
        (format!("{START} x y z"), 9),
        (" \t \n".to_owned(), 0),
        ("startpos".to_owned(), 1),
        ("e2e4".to_owned(), 1),
        (START.replace(' ', "_"), 1),
        (START.replace(' ', "\u{a0}"), 1),
        (START.replace(" 0 1", " 0"), 5),
        (START.replace("w KQkq", "wKQkq"), 5),
        (START.replace("KQkq", "KQ kq"), 7),
    ] {
        expect(&fen, PositionError::Fields(count));
    }

    // The number of ranks.
    for count in [1, 2, 7, 9, 16] {
        expect(&with_field(0, &vec!["8"; count].join("/")), PositionError::Ranks(count));
    }
    for (board, count) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/", 9),
        ("/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 9),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP", 7),
        ("rnbqkbnrpppppppp8888PPPPPPPPRNBQKBNR", 1),
        ("rnbqkbnr\\pppppppp\\8\\8\\8\\8\\PPPPPPPP\\RNBQKBNR", 1),
        ("-", 1),
    ] {
        expect(&with_field(0, board), PositionError::Ranks(count));
    }

    // The number of files, on every rank: too few and too many.
    for row in 0..8 {
        for (text, files) in
            [("", 0), ("7", 7), ("ppppppp", 7), ("4p2", 7), ("8p", 9), ("p8", 9), ("pppp1ppppp", 10)]
        {
            let mut ranks = ["8"; 8];
            ranks[row] = text;
            expect(&with_field(0, &ranks.join("/")), PositionError::Files { rank: 8 - row, files });
        }
    }

    // Invalid characters.
    for row in 0..8 {
        for (text, found) in [("7x", 'x'), ("0p7", '0'), ("9", '9'), ("pppé4", 'é'), ("7.", '.'), ("7*", '*')]
        {
            let mut ranks = ["8"; 8];
            ranks[row] = text;
            expect(&with_field(0, &ranks.join("/")), PositionError::Character { rank: 8 - row, found });
        }
    }
    for (text, found) in [("♔7", '♔'), ("７p", '７'), ("+7", '+'), ("p-6", '-'), ("ı7", 'ı'), ("ſ7", 'ſ')]
    {
        expect(&with_field(0, &format!("{text}/8/8/8/8/8/8/8")), PositionError::Character { rank: 8, found });
    }

    // Adjacent digits.
    for row in 0..8 {
        for text in ["44", "p11ppppp", "17"] {
            let mut ranks = ["8"; 8];
            ranks[row] = text;
            expect(&with_field(0, &ranks.join("/")), PositionError::AdjacentDigits { rank: 8 - row });
        }
    }

    // The side to move.
    for turn in ["W", "B", "-", "white", "black", "wb", "0", "1", "x", "ẃ"] {
        expect(&with_field(1, turn), PositionError::Turn(turn.to_owned()));
    }

    // Castling rights: unknown letters, repeated letters, stray dashes.
    for rights in ["KK", "KQkqK", "qq", "X", "KQkx", "--", "-K", "K-", "HAha", "AHah", "kqKQ-", "0", "O-O"] {
        expect(&with_field(2, rights), PositionError::Castling(rights.to_owned()));
    }

    // The en passant square.
    for target in ["e", "e9", "e0", "i3", "E3", "33", "3e", "e33", "--", "é3", "x", "e3e4", "0"] {
        expect(&with_field(3, target), PositionError::EnPassant(target.to_owned()));
    }

    // The counters.
    let not_a_number =
        ["-1", "+1", "1.0", "x", "-", "65536", "99999999999999999999", "0x10", "１", "1e3", "1_0"];
    for number in not_a_number {
        expect(&with_field(4, number), PositionError::Halfmoves(number.to_owned()));
        expect(&with_field(5, number), PositionError::Fullmoves(number.to_owned()));
    }

    assert!(rejected >= 200, "only {rejected} malformed texts");
}

#[test]
fn invalid_positions_are_rejected_with_their_reason() {
    let kings = |player, count| Invalid::Kings { player, count };
    let without_king = |player| Invalid::NoKing { player };
    let pawns = |player, count| Invalid::TooManyPawns { player, count };
    let promoted = |player, promoted, pawns| Invalid::TooManyPromoted { player, promoted, pawns };
    let end = |name| Invalid::PawnOnEndRank { square: square(name) };
    let no_king = |player, side, home| Invalid::CastlingWithoutKing { player, side, home: square(home) };
    let no_rook = |player, side, home| Invalid::CastlingWithoutRook { player, side, home: square(home) };
    let table = [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", without_king(BLACK)),
        ("4k3/8/8/8/8/8/8/8 b - - 0 1", without_king(WHITE)),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", kings(WHITE, 2)),
        ("k3k2k/8/8/8/8/8/8/4K3 w - - 0 1", kings(BLACK, 3)),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", pawns(WHITE, 9)),
        ("4k3/pppppppp/pp6/8/8/8/8/4K3 b - - 0 1", pawns(BLACK, 10)),
        ("4k3/8/8/8/8/N7/NNNNNNNN/NNNNKNNN w - - 0 1", promoted(WHITE, 14, 0)),
        ("3qk3/8/8/8/8/8/PPPPPPPP/RNBQKBNQ w - - 0 1", promoted(WHITE, 1, 8)),
        ("rnbqkbnr/pppppp2/8/8/8/nnn5/8/4K3 b - - 0 1", promoted(BLACK, 3, 6)),
        ("bbbbkbbb/bbbbbbbb/bbb5/8/8/8/8/4K3 b - - 0 1", promoted(BLACK, 16, 0)),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", end("a8")),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", end("a1")),
        ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", end("h8")),
        ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", end("h1")),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", Invalid::OpponentInCheck { mover: WHITE }),
        ("4k3/4r3/8/8/8/8/8/4K3 b - - 0 1", Invalid::OpponentInCheck { mover: BLACK }),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", Invalid::OpponentInCheck { mover: WHITE }),
        ("8/8/8/3kK3/8/8/8/8 b - - 0 1", Invalid::OpponentInCheck { mover: BLACK }),
        ("4k3/8/3N4/8/8/8/8/4K3 w - - 0 1", Invalid::OpponentInCheck { mover: WHITE }),
        ("4k3/3P4/8/8/8/8/8/4K3 w - - 0 1", Invalid::OpponentInCheck { mover: WHITE }),
        ("4r3/k7/8/b7/8/3n4/8/4K3 w - - 0 1", Invalid::TooManyCheckers { count: 3 }),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", no_king(WHITE, CastlingSide::Kingside, "e1")),
        ("4k3/8/8/8/8/8/8/R2K4 w Q - 0 1", no_king(WHITE, CastlingSide::Queenside, "e1")),
        ("3k3r/8/8/8/8/8/8/4K3 w k - 0 1", no_king(BLACK, CastlingSide::Kingside, "e8")),
        ("r2k4/8/8/8/8/8/8/4K3 w q - 0 1", no_king(BLACK, CastlingSide::Queenside, "e8")),
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", no_rook(WHITE, CastlingSide::Kingside, "h1")),
        ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", no_rook(WHITE, CastlingSide::Kingside, "h1")),
        ("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", no_rook(WHITE, CastlingSide::Queenside, "a1")),
        ("4k1r1/8/8/8/8/8/8/4K3 w k - 0 1", no_rook(BLACK, CastlingSide::Kingside, "h8")),
        ("1r2k3/8/8/8/8/8/8/4K3 w q - 0 1", no_rook(BLACK, CastlingSide::Queenside, "a8")),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", Invalid::EnPassantRank { target: square("e3"), mover: WHITE }),
        ("4k3/8/8/3p4/8/8/8/4K3 b - d6 0 1", Invalid::EnPassantRank { target: square("d6"), mover: BLACK }),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d5 0 1", Invalid::EnPassantRank { target: square("d5"), mover: WHITE }),
        (
            "4k3/8/8/8/8/8/8/4K3 w - d6 0 1",
            Invalid::EnPassantWithoutPawn { target: square("d6"), pawn: square("d5") },
        ),
        (
            "4k3/8/8/3P4/8/8/8/4K3 w - d6 0 1",
            Invalid::EnPassantWithoutPawn { target: square("d6"), pawn: square("d5") },
        ),
        (
            "4k3/8/8/8/3n4/8/8/4K3 b - d3 0 1",
            Invalid::EnPassantWithoutPawn { target: square("d3"), pawn: square("d4") },
        ),
        (
            "4k3/8/3n4/3p4/8/8/8/4K3 w - d6 0 1",
            Invalid::EnPassantBlocked { target: square("d6"), square: square("d6") },
        ),
        (
            "4k3/3n4/8/3p4/8/8/8/4K3 w - d6 0 1",
            Invalid::EnPassantBlocked { target: square("d6"), square: square("d7") },
        ),
        (
            "4k3/8/8/3p4/8/8/8/r3K3 w - d6 0 1",
            Invalid::EnPassantOtherCheck { target: square("d6"), checker: square("a1") },
        ),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 3 9", Invalid::EnPassantClock { target: square("d6"), halfmoves: 3 }),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", Invalid::FullmovesZero),
    ];
    for (fen, reason) in table {
        assert_eq!(reasons(fen), [reason], "{fen}");
    }
}

#[test]
fn a_double_step_may_give_or_discover_a_check() {
    // A check by the pawn itself, and one on the diagonal that the pawn has opened.
    for fen in ["8/8/8/3p4/4K3/8/8/k7 w - d6 0 1", "k3b3/8/8/3p4/K7/8/8/8 w - d6 0 1"] {
        assert!(read(fen).is_ok(), "{fen}");
        assert!(read(fen).unwrap().is_check(), "{fen}");
    }
}

#[test]
fn all_reasons_are_listed() {
    let fen = "P2k4/8/8/8/8/8/8/3K3p b KQkq e6 0 0";
    let listed = reasons(fen);
    let expected = [
        Invalid::PawnOnEndRank { square: square("a8") },
        Invalid::CastlingWithoutKing { player: WHITE, side: CastlingSide::Kingside, home: square("e1") },
        Invalid::CastlingWithoutRook { player: WHITE, side: CastlingSide::Kingside, home: square("h1") },
        Invalid::CastlingWithoutKing { player: WHITE, side: CastlingSide::Queenside, home: square("e1") },
        Invalid::CastlingWithoutRook { player: WHITE, side: CastlingSide::Queenside, home: square("a1") },
        Invalid::PawnOnEndRank { square: square("h1") },
        Invalid::CastlingWithoutKing { player: BLACK, side: CastlingSide::Kingside, home: square("e8") },
        Invalid::CastlingWithoutRook { player: BLACK, side: CastlingSide::Kingside, home: square("h8") },
        Invalid::CastlingWithoutKing { player: BLACK, side: CastlingSide::Queenside, home: square("e8") },
        Invalid::CastlingWithoutRook { player: BLACK, side: CastlingSide::Queenside, home: square("a8") },
        Invalid::EnPassantRank { target: square("e6"), mover: BLACK },
        Invalid::FullmovesZero,
    ];
    assert_eq!(listed, expected);
}

#[test]
fn reasons_that_need_no_king_are_listed_without_one() {
    let listed = reasons("8/pppppppp/p7/8/8/8/8/8 w KQ d6 0 0");
    assert!(listed.contains(&Invalid::NoKing { player: WHITE }));
    assert!(listed.contains(&Invalid::NoKing { player: BLACK }));
    assert!(listed.contains(&Invalid::TooManyPawns { player: BLACK, count: 9 }));
    assert!(listed.contains(&Invalid::EnPassantWithoutPawn { target: square("d6"), pawn: square("d5") }));
    assert!(listed.contains(&Invalid::EnPassantBlocked { target: square("d6"), square: square("d7") }));
    assert!(listed.contains(&Invalid::FullmovesZero));
}

#[test]
fn error_messages() {
    let mut texts = String::new();
    for fen in [
        "8/8/8 w - -  0",
        "8/8/8 w - - 0 1",
        "8/8/7/8/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/pppxpppp/8 w - - 0 1",
        "8/8/8/35/8/8/8/8 w - - 0 1",
        "8/8/8/8/8/8/8/8 W - - 0 1",
        "8/8/8/8/8/8/8/8 w KK - 0 1",
        "8/8/8/8/8/8/8/8 w - z9 0 1",
        "8/8/8/8/8/8/8/8 w - - many 1",
        "8/8/8/8/8/8/8/8 w - - 0 70000",
        "8/8/8/8/8/8/8/kk6 w - - 0 1",
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
        "4k3/8/8/8/8/N7/NNNNNNNN/NNNNKNNN w - - 0 1",
        "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "4r3/k7/8/b7/8/3n4/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3K3R w K - 0 1",
        "1r2k3/8/8/8/8/8/8/4K3 w q - 0 1",
        "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
        "4k3/8/8/8/8/8/8/4K3 b - e3 0 1",
        "4k3/3n4/8/3p4/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3p4/8/8/8/r3K3 w - d6 0 1",
        "4k3/8/8/3p4/8/8/8/4K3 w - d6 3 9",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
    ] {
        texts += &read(fen).unwrap_err().to_string();
        texts += "\n";
    }
    assert_eq!(texts, ERRORS, "\n{texts}");
}

/// The error messages, in the order of the test above.
const ERRORS: &str = "\
expected 6 FEN fields (board, side to move, castling, en passant, half-move clock, move number), found 5
expected 8 ranks, found 3
rank 6: expected 8 files, found 7
rank 2: unexpected `x`: expected a piece (pnbrqk, PNBRQK) or a digit from 1 to 8
rank 5: expected one digit for consecutive empty squares, found two
invalid side to move `W`: expected w or b
invalid castling rights `KK`: expected - or letters of KQkq, each at most once
invalid en passant square `z9`: expected - or a square such as e3
invalid half-move clock `many`: expected a number from 0 to 65535
invalid move number `70000`: expected a number from 1 to 65535
White has no king; Black has 2 kings, expected 1
White has 9 pawns, expected at most 8
White has 14 promoted pieces and 0 pawns, expected at most 8 in total
pawn on a1: pawns cannot stand on rank 1 or 8
Black is in check, but White is to move
3 pieces give check, expected at most 2
White has the right to castle kingside, but no king on e1
Black has the right to castle queenside, but no rook on a8
en passant square e3: expected rank 6 with White to move
en passant square e3: no opposing pawn on e4
en passant square d6: d7 must be empty after the double step
en passant square d6: the double step cannot cause the check from a1
en passant square d6: the half-move clock must be 0 after a pawn move, found 3
move number 0: move numbers start at 1
";

/// Returns whether the generator accepts a setup.
fn generator_accepts(setup: &Setup) -> bool {
    let mut builder = cozy::BoardBuilder::empty();
    let color = |player| if player == WHITE { cozy::Color::White } else { cozy::Color::Black };
    for (index, piece) in setup.board.iter().enumerate() {
        builder.board[index] = piece.map(|Piece { owner, role }| {
            (cozy::Piece::index(Role::ALL.iter().position(|r| *r == role).unwrap()), color(owner))
        });
    }
    builder.side_to_move = color(setup.turn);
    for player in Player::ALL {
        *builder.castle_rights_mut(color(player)) = cozy::CastleRights {
            short: setup.castling[player].kingside.then_some(cozy::File::H),
            long: setup.castling[player].queenside.then_some(cozy::File::A),
        };
    }
    builder.en_passant = setup.en_passant.map(|square| cozy::Square::index(square.index()));
    builder.fullmove_number = setup.fullmoves;
    builder.build().is_ok()
}

/// Random setups, many of them valid: mostly empty boards with one king each and mostly consistent rights and squares.
fn any_setup() -> impl Strategy<Value = Setup> {
    let piece = (any::<bool>(), 0..5_usize);
    let pieces = prop::collection::vec((0..64_usize, piece), 0..12);
    let kings = prop::collection::vec((0..64_usize, any::<bool>()), 0..2);
    let home = prop::array::uniform4(prop::bool::weighted(0.4));
    let rights = prop::array::uniform4(prop::bool::weighted(0.2));
    let passed =
        prop::option::weighted(0.4, (0..8_usize, prop::bool::weighted(0.9), prop::bool::weighted(0.9)));
    let squares = (0..64_usize, 0..64_usize, prop::bool::weighted(0.5));
    (pieces, kings, squares, home, rights, passed, any::<bool>(), 0..3_u16).prop_map(
        |(pieces, kings, (white, black, at_home), home, rights, passed, turn, fullmoves)| {
            let mut setup = Setup::empty();
            let mut put = |index: usize, white: bool, role| {
                setup.board[index] = Some(Piece { owner: if white { WHITE } else { BLACK }, role });
            };
            for (index, (white, role)) in pieces {
                put(index, white, Role::ALL[role]);
            }
            for (present, (rook, white)) in
                home.into_iter().zip([(0, true), (7, true), (56, false), (63, false)])
            {
                if present {
                    put(rook, white, Role::Rook);
                }
            }
            if let Some((file, pawn, _)) = passed.filter(|(_, pawn, _)| *pawn) {
                put(if turn { 32 } else { 24 } + file, !turn && pawn, Role::Pawn);
            }
            put(if at_home { 4 } else { white }, true, Role::King);
            put(if at_home { 60 } else { black }, false, Role::King);
            if kings.len() == 1 && fullmoves == 2 {
                put(kings[0].0, kings[0].1, Role::King);
            }
            setup.turn = if turn { WHITE } else { BLACK };
            setup.castling = ByPlayer::new(
                CastlingRights { queenside: rights[0], kingside: rights[1] },
                CastlingRights { queenside: rights[2], kingside: rights[3] },
            );
            setup.en_passant = passed.and_then(|(file, _, right_rank)| {
                Square::from_coords(file, if turn == right_rank { 6 } else { 3 })
            });
            setup.fullmoves = fullmoves;
            setup
        },
    )
}

#[test]
fn random_setups_include_valid_and_invalid_ones() {
    let mut runner = TestRunner::deterministic();
    let setups = (0..2000).map(|_| any_setup().new_tree(&mut runner).unwrap().current());
    let accepted = setups.filter(|setup| setup.validate().is_ok()).count();
    assert!((200..1800).contains(&accepted), "{accepted} of 2000");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_validator_agrees_with_the_generator(setup in any_setup()) {
        let verdict = setup.validate();
        let ours = verdict.is_ok();
        let theirs = generator_accepts(&setup);
        // The generator supports Chess960, where kings castle from any file. It accepts adjacent kings and three
        // checkers. In all other cases, both validators agree.
        let king = |player| {
            let piece = Some(Piece { owner: player, role: Role::King });
            Square::all().find(|square| setup.board[square.index()] == piece)
        };
        let adjacent_kings = king(WHITE).zip(king(BLACK)).is_some_and(|(a, b)| {
            a.file().abs_diff(b.file()) <= 1 && a.rank().abs_diff(b.rank()) <= 1
        });
        let chess960_castling = Player::ALL.into_iter().any(|player| {
            setup.castling[player] != CastlingRights::NONE && king(player).is_none_or(|king| king.file() != 4)
        });
        let three_checkers = verdict.as_ref().is_err_and(|error| {
            error.reasons().iter().all(|reason| matches!(reason, Invalid::TooManyCheckers { .. }))
        });
        if adjacent_kings || chess960_castling || three_checkers {
            prop_assert!(!ours);
        } else {
            prop_assert_eq!(ours, theirs, "{:?} {}", verdict, fen::write(&setup));
        }
        if ours {
            let position = Chess::from_setup(&setup, DrawRules::default()).unwrap();
            prop_assert_eq!(read(&position.to_fen()), Ok(position));
        }
        // Every setup round-trips, valid or not.
        prop_assert_eq!(fen::parse(&fen::write(&setup)), Ok(setup));
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in "\\PC{0,60}") {
        // A text with fewer than four fields is not a FEN.
        prop_assert!(text.split_ascii_whitespace().count() >= 4 || read(&text).is_err());
    }

    #[test]
    fn text_of_fen_characters_does_not_panic(text in "[pnbrqkPNBRQK1-8/ w\\-a-h0-9]{0,90}") {
        if let Ok(position) = read(&text) {
            prop_assert_eq!(read(&position.to_fen()), Ok(position));
        }
    }
}
