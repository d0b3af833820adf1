//! FEN: what is written reads back, what is wrong is refused with its reason, and every reason is told.

use cozy_chess as cozy;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use sandtable_chess::notation::fen::{self, FenError, START};
use sandtable_chess::{
    BLACK, Castling, DrawRules, EnPassant, Invalid, Piece, Position, Role, Setup, Square, WHITE, Wing,
};
use sandtable_core::{ByPlayer, FromSetup as _, Game, Player, Rng, play_randomly};

fn read(fen: &str) -> Result<Position, FenError> {
    Position::from_fen(fen, DrawRules::default())
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

/// The reasons for which a well-written FEN is no position.
#[track_caller]
fn reasons(fen: &str) -> Vec<Invalid> {
    match read(fen) {
        Err(FenError::Invalid(error)) => error.reasons().to_vec(),
        other => panic!("{fen}: {other:?}"),
    }
}

#[test]
fn the_start_position_is_written_as_everybody_writes_it() {
    assert_eq!(Position::default().to_fen(), START);
    assert_eq!(read(START), Ok(Position::default()));
}

#[test]
fn ten_thousand_positions_of_random_play_round_trip() {
    let (mut rng, mut count) = (Rng::new(1), 0);
    while count < 10_000 {
        let mut game = Game::<Position>::new(DrawRules::default());
        while play_randomly(&mut game, &mut rng, 1) == 1 {
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
fn an_en_passant_square_is_written_only_if_a_pawn_can_take() {
    let no_taker = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(read(no_taker).unwrap().to_fen(), no_taker.replace("e3", "-"));
    assert_eq!(read(no_taker).unwrap().to_fen_with(EnPassant::Always), no_taker);
    let taker = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    assert_eq!(read(taker).unwrap().to_fen(), taker);
    let pinned = "4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2";
    assert_eq!(read(pinned).unwrap().to_fen(), pinned.replace("d6", "-"));
}

#[test]
fn each_leniency_of_the_reader_is_no_more_than_that() {
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

/// Takes a FEN apart into its fields and puts something else for one of them.
fn with_field(field: usize, value: &str) -> String {
    let mut fields: Vec<&str> = START.split(' ').collect();
    fields[field] = value;
    fields.join(" ")
}

#[test]
fn malformed_fens_are_refused_for_what_is_wrong_with_them() {
    let mut refused = 0;
    let mut expect = |fen: &str, error: FenError| {
        assert_eq!(read(fen), Err(error), "{fen:?}");
        refused += 1;
    };

    // The number of fields.
    let fields: Vec<&str> = START.split(' ').collect();
    for count in [0, 1, 2, 3, 5] {
        expect(&fields[..count].join(" "), FenError::Fields(count));
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
        expect(&fen, FenError::Fields(count));
    }

    // The number of ranks.
    for count in [1, 2, 7, 9, 16] {
        expect(&with_field(0, &vec!["8"; count].join("/")), FenError::Ranks(count));
    }
    for (board, count) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/", 9),
        ("/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 9),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP", 7),
        ("rnbqkbnrpppppppp8888PPPPPPPPRNBQKBNR", 1),
        ("rnbqkbnr\\pppppppp\\8\\8\\8\\8\\PPPPPPPP\\RNBQKBNR", 1),
        ("-", 1),
    ] {
        expect(&with_field(0, board), FenError::Ranks(count));
    }

    // The number of files, on every rank, too few and too many.
    for row in 0..8 {
        for (text, files) in
            [("", 0), ("7", 7), ("ppppppp", 7), ("4p2", 7), ("8p", 9), ("p8", 9), ("pppp1ppppp", 10)]
        {
            let mut ranks = ["8"; 8];
            ranks[row] = text;
            expect(&with_field(0, &ranks.join("/")), FenError::Files { rank: 8 - row, files });
        }
    }

    // What stands on a rank.
    for row in 0..8 {
        for (text, letter) in
            [("7x", 'x'), ("0p7", '0'), ("9", '9'), ("pppé4", 'é'), ("7.", '.'), ("7*", '*')]
        {
            let mut ranks = ["8"; 8];
            ranks[row] = text;
            expect(&with_field(0, &ranks.join("/")), FenError::Letter { rank: 8 - row, letter });
        }
    }
    for (text, letter) in [("♔7", '♔'), ("７p", '７'), ("+7", '+'), ("p-6", '-'), ("ı7", 'ı'), ("ſ7", 'ſ')]
    {
        expect(&with_field(0, &format!("{text}/8/8/8/8/8/8/8")), FenError::Letter { rank: 8, letter });
    }

    // Two numbers side by side.
    for row in 0..8 {
        for text in ["44", "p11ppppp", "17"] {
            let mut ranks = ["8"; 8];
            ranks[row] = text;
            expect(&with_field(0, &ranks.join("/")), FenError::AdjacentNumbers { rank: 8 - row });
        }
    }

    // The turn.
    for turn in ["W", "B", "-", "white", "black", "wb", "0", "1", "x", "ẃ"] {
        expect(&with_field(1, turn), FenError::Turn(turn.to_owned()));
    }

    // Castling rights: unknown, twice, or with a dash among them.
    for rights in ["KK", "KQkqK", "qq", "X", "KQkx", "--", "-K", "K-", "HAha", "AHah", "kqKQ-", "0", "O-O"] {
        expect(&with_field(2, rights), FenError::Castling(rights.to_owned()));
    }

    // The en-passant square.
    for target in ["e", "e9", "e0", "i3", "E3", "33", "3e", "e33", "--", "é3", "x", "e3e4", "0"] {
        expect(&with_field(3, target), FenError::EnPassant(target.to_owned()));
    }

    // The counters.
    let not_a_number =
        ["-1", "+1", "1.0", "x", "-", "65536", "99999999999999999999", "0x10", "１", "1e3", "1_0"];
    for number in not_a_number {
        expect(&with_field(4, number), FenError::Halfmoves(number.to_owned()));
        expect(&with_field(5, number), FenError::Fullmoves(number.to_owned()));
    }

    assert!(refused >= 200, "only {refused} malformed texts");
}

#[test]
fn well_written_fens_that_are_no_chess_are_refused_with_their_reason() {
    let kings = |player, count| Invalid::Kings { player, count };
    let pawns = |player, count| Invalid::TooManyPawns { player, count };
    let promoted = |player, promoted, pawns| Invalid::TooManyPromoted { player, promoted, pawns };
    let end = |name| Invalid::PawnOnEndRank { square: square(name) };
    let no_king = |player, wing, home| Invalid::CastlingWithoutKing { player, wing, home: square(home) };
    let no_rook = |player, wing, home| Invalid::CastlingWithoutRook { player, wing, home: square(home) };
    let table = [
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", kings(BLACK, 0)),
        ("4k3/8/8/8/8/8/8/8 b - - 0 1", kings(WHITE, 0)),
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
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", no_king(WHITE, Wing::King, "e1")),
        ("4k3/8/8/8/8/8/8/R2K4 w Q - 0 1", no_king(WHITE, Wing::Queen, "e1")),
        ("3k3r/8/8/8/8/8/8/4K3 w k - 0 1", no_king(BLACK, Wing::King, "e8")),
        ("r2k4/8/8/8/8/8/8/4K3 w q - 0 1", no_king(BLACK, Wing::Queen, "e8")),
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", no_rook(WHITE, Wing::King, "h1")),
        ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", no_rook(WHITE, Wing::King, "h1")),
        ("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1", no_rook(WHITE, Wing::Queen, "a1")),
        ("4k1r1/8/8/8/8/8/8/4K3 w k - 0 1", no_rook(BLACK, Wing::King, "h8")),
        ("1r2k3/8/8/8/8/8/8/4K3 w q - 0 1", no_rook(BLACK, Wing::Queen, "a8")),
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
fn a_check_that_the_double_step_gives_or_uncovers_is_no_contradiction() {
    // The pawn itself checks; the pawn has left the diagonal of the bishop.
    for fen in ["8/8/8/3p4/4K3/8/8/k7 w - d6 0 1", "k3b3/8/8/3p4/K7/8/8/8 w - d6 0 1"] {
        assert!(read(fen).is_ok(), "{fen}");
        assert!(read(fen).unwrap().is_check(), "{fen}");
    }
}

#[test]
fn all_reasons_are_told_at_once() {
    let fen = "P2k4/8/8/8/8/8/8/3K3p b KQkq e6 0 0";
    let told = reasons(fen);
    let expected = [
        Invalid::PawnOnEndRank { square: square("a8") },
        Invalid::CastlingWithoutKing { player: WHITE, wing: Wing::King, home: square("e1") },
        Invalid::CastlingWithoutRook { player: WHITE, wing: Wing::King, home: square("h1") },
        Invalid::CastlingWithoutKing { player: WHITE, wing: Wing::Queen, home: square("e1") },
        Invalid::CastlingWithoutRook { player: WHITE, wing: Wing::Queen, home: square("a1") },
        Invalid::PawnOnEndRank { square: square("h1") },
        Invalid::CastlingWithoutKing { player: BLACK, wing: Wing::King, home: square("e8") },
        Invalid::CastlingWithoutRook { player: BLACK, wing: Wing::King, home: square("h8") },
        Invalid::CastlingWithoutKing { player: BLACK, wing: Wing::Queen, home: square("e8") },
        Invalid::CastlingWithoutRook { player: BLACK, wing: Wing::Queen, home: square("a8") },
        Invalid::EnPassantRank { target: square("e6"), mover: BLACK },
        Invalid::FullmovesZero,
    ];
    assert_eq!(told, expected);
}

#[test]
fn reasons_that_need_no_king_are_told_without_one() {
    let told = reasons("8/pppppppp/p7/8/8/8/8/8 w KQ d6 0 0");
    assert!(told.contains(&Invalid::Kings { player: WHITE, count: 0 }));
    assert!(told.contains(&Invalid::Kings { player: BLACK, count: 0 }));
    assert!(told.contains(&Invalid::TooManyPawns { player: BLACK, count: 9 }));
    assert!(told.contains(&Invalid::EnPassantWithoutPawn { target: square("d6"), pawn: square("d5") }));
    assert!(told.contains(&Invalid::EnPassantBlocked { target: square("d6"), square: square("d7") }));
    assert!(told.contains(&Invalid::FullmovesZero));
}

#[test]
fn every_error_says_what_where_and_why() {
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
        "4k3/8/8/8/8/8/8/4K3 w - - 0 0",
    ] {
        texts += &read(fen).unwrap_err().to_string();
        texts += "\n";
    }
    assert_eq!(texts, ERRORS, "\n{texts}");
}

/// The texts of all errors, in the order of the test above.
const ERRORS: &str = "\
a FEN has 6 fields (board, turn, castling, en passant, half-moves, moves); here are 5
the board has 3 ranks instead of 8
rank 6 has 7 files instead of 8
rank 2: `x` is neither a piece (pnbrqk, PNBRQK) nor a number from 1 to 8
rank 5: two numbers side by side
the turn is `W` instead of w or b
the castling rights are `KK` instead of - or some of KQkq, each once
the en-passant square is `z9` instead of - or a square
the half-move clock is `many` instead of a number from 0 to 65535
the move number is `70000` instead of a number from 1 to 65535
White has no king; Black has 2 kings
White has 9 pawns, more than 8
White has 14 promoted pieces and 0 pawns, together more than 8
a pawn cannot stand on a1
Black is in check, but it is White's move
3 pieces give check, and no move leads to that
White cannot have the right to castle kingside: no king on e1
Black cannot have the right to castle queenside: no rook on a8
en passant on e3: with White to move it can only be on rank 6
en passant on e3: there is no pawn on e4 that could have passed
en passant on d6: d7 is not empty, so no pawn passed there
en passant on d6: the check from a1 was there before that pawn moved
moves are counted from 1, not 0
";

/// The generator's own judgement of a setup.
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
            short: setup.castling[player].king.then_some(cozy::File::H),
            long: setup.castling[player].queen.then_some(cozy::File::A),
        };
    }
    builder.en_passant = setup.en_passant.map(|square| cozy::Square::index(square.index()));
    builder.fullmove_number = setup.fullmoves;
    builder.build().is_ok()
}

/// Boards that are often chess: mostly empty, kings mostly one a side, rights and squares mostly in order.
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
            for (index, (rook, white)) in
                home.into_iter().zip([(0, true), (7, true), (56, false), (63, false)])
            {
                if index {
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
                Castling { queen: rights[0], king: rights[1] },
                Castling { queen: rights[2], king: rights[3] },
            );
            setup.en_passant = passed
                .and_then(|(file, _, right_rank)| Square::at(file, if turn == right_rank { 5 } else { 2 }));
            setup.fullmoves = fullmoves;
            setup
        },
    )
}

#[test]
fn random_setups_are_often_chess_and_often_not() {
    let mut runner = TestRunner::deterministic();
    let setups = (0..2000).map(|_| any_setup().new_tree(&mut runner).unwrap().current());
    let accepted = setups.filter(|setup| setup.validate().is_ok()).count();
    assert!((200..1800).contains(&accepted), "{accepted} of 2000");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn we_accept_what_the_generator_accepts(setup in any_setup()) {
        let verdict = setup.validate();
        let ours = verdict.is_ok();
        let theirs = generator_accepts(&setup);
        // The generator also plays Chess960, where kings castle from any file, and does not see that kings side by
        // side attack each other, nor that no move lets three pieces give check. All else it judges as we do.
        let king = |player| {
            let piece = Some(Piece { owner: player, role: Role::King });
            Square::all().find(|square| setup.board[square.index()] == piece)
        };
        let touching = king(WHITE).zip(king(BLACK)).is_some_and(|(a, b)| {
            a.file().abs_diff(b.file()) <= 1 && a.rank().abs_diff(b.rank()) <= 1
        });
        let castles_from_elsewhere = Player::ALL.into_iter().any(|player| {
            setup.castling[player] != Castling::default() && king(player).is_none_or(|king| king.file() != 4)
        });
        let three_checkers = verdict.as_ref().is_err_and(|error| {
            error.reasons().iter().all(|reason| matches!(reason, Invalid::TooManyCheckers { .. }))
        });
        if touching || castles_from_elsewhere || three_checkers {
            prop_assert!(!ours);
        } else {
            prop_assert_eq!(ours, theirs, "{:?} {}", verdict, fen::write(&setup));
        }
        if ours {
            let position = Position::from_setup(&setup, DrawRules::default()).unwrap();
            prop_assert_eq!(read(&position.to_fen()), Ok(position));
        }
        // Any setup, chess or not, is written so that it reads back.
        prop_assert_eq!(fen::parse(&fen::write(&setup)), Ok(setup));
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,60}") {
        let _ = read(&text);
    }

    #[test]
    fn no_text_of_the_right_letters_makes_the_reader_panic(text in "[pnbrqkPNBRQK1-8/ w\\-a-h0-9]{0,90}") {
        if let Ok(position) = read(&text) {
            prop_assert_eq!(read(&position.to_fen()), Ok(position));
        }
    }
}
