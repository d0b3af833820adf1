//! The canonical board: its specification, golden boards, and decoding.

use sandtable_chess::{
    BLACK, CanonicalBoard, Chess, ChessExt as _, ChessGame, DrawRules, EnPassant, Piece, Role, Setup, Square,
    WHITE,
};
use sandtable_core::learn::{DecodeError, Layout, Shape, WrongLength};
use sandtable_core::rules::Context;
use sandtable_core::{FromSetup as _, Observe as _, Player, Position};

const THIRD: f32 = 1.0 / 3.0;
const KINGS_ROOKS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

fn game(fen: &str) -> ChessGame {
    ChessGame::from_text(fen, DrawRules::default()).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn played(mut game: ChessGame, moves: &str) -> ChessGame {
    for text in moves.split_whitespace() {
        game.play_text(text).unwrap_or_else(|e| panic!("{text} in {}: {e}", game.position_text()));
    }
    game
}

/// The canonical board of a position at a number of occurrences.
fn board_of(position: &Chess, occurrences: u32) -> CanonicalBoard {
    let mut board = CanonicalBoard::default();
    let out = board.as_flattened_mut().as_flattened_mut();
    position.write_observation(Context::repeated(occurrences), Layout::Hwc, out).unwrap();
    board
}

/// The nonzero cells of a plane as (rank index, file index).
fn marked(board: &CanonicalBoard, plane: usize) -> Vec<(usize, usize)> {
    let cells = (0..8).flat_map(|row| (0..8).map(move |col| (row, col)));
    cells.filter(|&(row, col)| board[row][col][plane] != 0.0).collect()
}

/// The value of a constant plane.
fn constant(board: &CanonicalBoard, plane: usize) -> f32 {
    let value = board[0][0][plane];
    assert!(board.iter().flatten().all(|cell| cell[plane].to_bits() == value.to_bits()), "plane {plane}");
    value
}

/// All 18 planes as text: the mover's pieces in upper case, the opponent's in lower case, rank index 0 on top, `*` on
/// the en passant square; then the constant planes, the mover's castling rights in upper case.
fn text_of(board: &CanonicalBoard) -> String {
    let mut text = String::new();
    for row in board {
        for cell in row {
            let signs: Vec<char> = cell[..12]
                .iter()
                .zip("PNBRQKpnbrqk".chars())
                .chain([(&cell[13], '*')])
                .filter(|(value, _)| **value != 0.0)
                .map(|(value, sign)| if value.to_bits() == 1.0_f32.to_bits() { sign } else { '?' })
                .collect();
            match signs[..] {
                [] => text.push('.'),
                [sign] => text.push(sign),
                _ => panic!("several planes are set on one cell: {signs:?}"),
            }
        }
        text.push('\n');
    }
    let repetition = match constant(board, 12) {
        value if value.to_bits() == THIRD.to_bits() => "1/3",
        value if value.to_bits() == (2.0_f32 / 3.0).to_bits() => "2/3",
        value if value.to_bits() == 1.0_f32.to_bits() => "1",
        value => panic!("the repetition plane is {value}"),
    };
    let castling: String = (14..18)
        .zip("KQkq".chars())
        .map(|(plane, right)| if constant(board, plane) > 0.0 { right } else { '-' })
        .collect();
    assert!((14..18).all(|plane| [0.0, 1.0].contains(&constant(board, plane))));
    text + "repetition " + repetition + ", castling " + &castling
}

#[track_caller]
fn assert_board(game: &ChessGame, expected: &str) {
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let found = text_of(&game.canonical_board());
    assert_eq!(found, expected.join("\n"), "\n{found}\n");
}

mod specification {
    use super::*;

    #[test]
    fn the_shape_is_8_by_8_by_18() {
        let board: [[[f32; 18]; 8]; 8] = ChessGame::default().canonical_board();
        assert_eq!(Chess::SHAPE, Shape { rows: 8, cols: 8, planes: 18 });
        assert_eq!(Chess::SHAPE.len(), board.as_flattened().as_flattened().len());
        assert_eq!(size_of_val(&board), 4608);
    }

    #[test]
    fn the_start_position_matches_the_example() {
        let board = ChessGame::default().canonical_board();
        assert_eq!(marked(&board, 0), [6; 8].into_iter().zip(0..8).collect::<Vec<_>>(), "white pawns");
        assert_eq!(marked(&board, 5), [(7, 4)], "white king");
        assert_eq!(marked(&board, 11), [(0, 4)], "black king");
        assert_eq!(constant(&board, 12).to_bits(), THIRD.to_bits(), "repetition");
        assert_eq!(marked(&board, 13), [], "en passant");
        for plane in 14..=17 {
            assert_eq!(constant(&board, plane).to_bits(), 1.0_f32.to_bits(), "castling, plane {plane}");
        }
    }

    #[test]
    fn planes_0_to_5_are_the_movers_pieces_and_6_to_11_the_opponents() {
        for mover in Player::ALL {
            for owner in Player::ALL {
                for (kind, role) in Role::ALL.into_iter().enumerate() {
                    let mut setup = Setup { turn: mover, ..Setup::empty() };
                    let put = |setup: &mut Setup, name: &str, owner, role| {
                        setup.board[name.parse::<Square>().unwrap().index()] = Some(Piece { owner, role });
                    };
                    // No piece gives check.
                    put(&mut setup, "a1", WHITE, Role::King);
                    put(&mut setup, "h8", BLACK, Role::King);
                    let king = role == Role::King;
                    let name = match owner {
                        _ if !king => "c6",
                        WHITE => "a1",
                        BLACK => "h8",
                    };
                    put(&mut setup, name, owner, role);
                    let board = board_of(&Chess::from_setup(&setup, DrawRules::default()).unwrap(), 1);
                    let plane = kind + if owner == mover { 0 } else { 6 };
                    let (white_view, black_view) = match name {
                        "c6" => ((2, 2), (5, 2)),
                        "a1" => ((7, 0), (0, 0)),
                        _ => ((0, 7), (7, 7)),
                    };
                    let cell = if mover == WHITE { white_view } else { black_view };
                    assert_eq!(marked(&board, plane), [cell], "{mover:?} sees {owner:?}'s {role:?}");
                    assert_eq!(board[cell.0][cell.1][plane].to_bits(), 1.0_f32.to_bits());
                    let others = (0..12).filter(|&other| other != plane);
                    assert_eq!(
                        others.map(|p| marked(&board, p).len()).sum::<usize>(),
                        if king { 1 } else { 2 }
                    );
                }
            }
        }
    }

    #[test]
    fn only_ranks_are_flipped_for_black() {
        let rook = |fen| marked(&game(fen).canonical_board(), 3);
        assert_eq!(rook("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), [(7, 0)], "white rook on a1");
        assert_eq!(rook("r3k3/8/8/8/8/8/8/4K3 b - - 0 1"), [(7, 0)], "black rook on a8");
        let theirs = |fen| marked(&game(fen).canonical_board(), 9);
        assert_eq!(theirs("4k2r/8/8/8/8/8/8/4K3 w - - 0 1"), [(0, 7)], "black rook on h8, White to move");
        assert_eq!(theirs("4k3/8/8/8/8/8/8/4K2R b - - 0 1"), [(0, 7)], "white rook on h1, Black to move");
    }

    #[test]
    fn every_square_has_its_cell() {
        for square in Square::all() {
            for (mover, row) in [(WHITE, 8 - square.rank()), (BLACK, square.rank() - 1)] {
                let mut setup = Setup { turn: mover, ..Setup::empty() };
                // Kings that neither the knight nor the other king attacks.
                let kings = Square::all().flat_map(|a| Square::all().map(move |b| (a, b))).find(|&(a, b)| {
                    let far = |x: Square, y: Square| {
                        x.file().abs_diff(y.file()) > 2 || x.rank().abs_diff(y.rank()) > 2
                    };
                    far(a, b) && far(a, square) && far(b, square)
                });
                let (own, other) = kings.unwrap();
                setup.board[own.index()] = Some(Piece { owner: mover, role: Role::King });
                setup.board[other.index()] = Some(Piece { owner: !mover, role: Role::King });
                setup.board[square.index()] = Some(Piece { owner: mover, role: Role::Knight });
                let board = board_of(&Chess::from_setup(&setup, DrawRules::default()).unwrap(), 1);
                assert_eq!(marked(&board, 1), [(row, square.file())], "{square}, {mover:?} to move");
            }
        }
    }

    #[test]
    fn repetition_is_in_thirds_up_to_one() {
        let value = |n| constant(&board_of(&Chess::default(), n), 12);
        for (occurrences, printed) in [(1, "0.333"), (2, "0.667"), (3, "1.000"), (4, "1.000"), (99, "1.000")]
        {
            assert_eq!(format!("{:.3}", value(occurrences)), printed);
        }
        assert_eq!(value(1).to_bits(), THIRD.to_bits(), "an exact third, not 0.333");
    }

    #[test]
    fn planes_have_the_names_of_the_specification() {
        let names: Vec<_> = Chess::PLANES.iter().map(|plane| plane.name).collect();
        let pieces = ["pawns", "knights", "bishops", "rooks", "queens", "king"];
        for (i, piece) in pieces.iter().enumerate() {
            assert_eq!(names[i], format!("own {piece}"));
            assert_eq!(names[i + 6], format!("opponent {piece}"));
        }
        let rest = ["repetition", "en passant", "own kingside castling", "own queenside castling"];
        assert_eq!(names[12..16], rest);
        assert_eq!(names[16..], ["opponent kingside castling", "opponent queenside castling"]);
    }
}

mod golden {
    use super::*;

    #[test]
    fn start_position() {
        assert_board(
            &ChessGame::default(),
            "rnbqkbnr
             pppppppp
             ........
             ........
             ........
             ........
             PPPPPPPP
             RNBQKBNR
             repetition 1/3, castling KQkq",
        );
    }

    #[test]
    fn black_to_move() {
        // The white knight on f3 is in row 2 of Black's frame.
        assert_board(
            &played(ChessGame::default(), "Nf3"),
            "rnbqkb.r
             pppppppp
             .....n..
             ........
             ........
             ........
             PPPPPPPP
             RNBQKBNR
             repetition 1/3, castling KQkq",
        );
    }

    #[test]
    fn castling_rights_lost_one_by_one() {
        // The rooks leave h1, a8, a1 and h8 in turn; each board is that of the next side to move.
        let steps = [
            ("", "r...k..r", "R...K..R", "KQkq"),
            ("Rg1", "r...k.r.", "R...K..R", "KQ-q"),
            ("Rb8", ".r..k..r", "R...K.R.", "-Qk-"),
            ("Rb1", ".r..k.r.", ".R..K..R", "K---"),
            ("Rh7", ".r..k...", ".R..K.R.", "----"),
        ];
        let mut game = game(KINGS_ROOKS);
        for (moves, top, bottom, castling) in steps {
            game = played(game, moves);
            let second = if moves == "Rh7" { ".......r" } else { "........" };
            let middle = ["........"; 5].join("\n");
            let expected =
                format!("{top}\n{second}\n{middle}\n{bottom}\nrepetition 1/3, castling {castling}");
            assert_board(&game, &expected);
        }
    }

    #[test]
    fn a_king_move_loses_both_rights() {
        assert_board(
            &played(game(KINGS_ROOKS), "Kd1"),
            "r..k...r
             ........
             ........
             ........
             ........
             ........
             ........
             R...K..R
             repetition 1/3, castling KQ--",
        );
    }

    #[test]
    fn a_captured_rook_loses_its_right() {
        // The rook on h1 captures the one on h8: both sides keep their queenside right, and Black is in check.
        assert_board(
            &played(game(KINGS_ROOKS), "Rxh8+"),
            "r...k...
             ........
             ........
             ........
             ........
             ........
             ........
             R...K..r
             repetition 1/3, castling -Q-q",
        );
    }

    #[test]
    fn a_blocked_castling_right_is_marked() {
        // White is in check and has a bishop on f1.
        assert_board(
            &game("4k3/4r3/8/8/8/8/8/R3KB1R w KQ - 0 1"),
            "....k...
             ....r...
             ........
             ........
             ........
             ........
             ........
             R...KB.R
             repetition 1/3, castling KQ--",
        );
    }

    #[test]
    fn en_passant_by_white() {
        assert_board(
            &played(ChessGame::default(), "e4 a6 e5 d5"),
            "rnbqkbnr
             .pp.pppp
             p..*....
             ...pP...
             ........
             ........
             PPPP.PPP
             RNBQKBNR
             repetition 1/3, castling KQkq",
        );
    }

    #[test]
    fn en_passant_by_black() {
        assert_board(
            &played(ChessGame::default(), "a3 d5 a4 d4 e4"),
            "rnbqkbnr
             .ppp.ppp
             ....*...
             p..Pp...
             ........
             ........
             PPP.PPPP
             RNBQKBNR
             repetition 1/3, castling KQkq",
        );
    }

    /// An en passant capture would open the fifth rank for the rook.
    const PINNED: &str = "4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1";

    #[test]
    fn an_illegal_en_passant_capture_is_not_marked() {
        assert_board(
            &played(game(PINNED), "d5"),
            "....k...
             ........
             ........
             K..pP..r
             ........
             ........
             ........
             ........
             repetition 1/3, castling ----",
        );
    }

    #[test]
    fn a_double_step_without_capture_is_not_marked() {
        assert_board(
            &played(ChessGame::default(), "e4"),
            "rnbqkbnr
             pppp.ppp
             ........
             ....p...
             ........
             ........
             PPPPPPPP
             RNBQKBNR
             repetition 1/3, castling KQkq",
        );
    }

    #[test]
    fn en_passant_always_marks_every_double_step() {
        for (game, cell) in [
            (played(game(PINNED), "d5"), (2, 3)),
            (played(ChessGame::default(), "e4"), (2, 4)),
            (played(ChessGame::default(), "e4 a6 e5 d5"), (2, 3)),
        ] {
            let mut board: CanonicalBoard = [[[f32::NAN; 18]; 8]; 8];
            let out = board.as_flattened_mut().as_flattened_mut();
            game.position().write_canonical(Context::FIRST, Layout::Hwc, EnPassant::Always, out).unwrap();
            assert_eq!(marked(&board, 13), [cell], "{}", game.position_text());
            board[cell.0][cell.1][13] = game.canonical_board()[cell.0][cell.1][13];
            assert_eq!(board, game.canonical_board(), "nothing else differs");
        }
        let mut board: CanonicalBoard = [[[f32::NAN; 18]; 8]; 8];
        let out = board.as_flattened_mut().as_flattened_mut();
        let quiet = played(ChessGame::default(), "e4 e5 Nf3");
        quiet.position().write_canonical(Context::FIRST, Layout::Hwc, EnPassant::Always, out).unwrap();
        assert_eq!(marked(&board, 13), [], "no double step");
    }

    const ROUND: &str = "Nf3 Nf6 Ng1 Ng8";

    fn start_with(repetition: &str) -> String {
        let board = text_of(&ChessGame::default().canonical_board());
        board.replace("repetition 1/3", &format!("repetition {repetition}"))
    }

    #[test]
    fn repeated_positions() {
        let mut game = ChessGame::default();
        for repetition in ["1/3", "2/3", "1", "1"] {
            assert_board(&game, &start_with(repetition));
            game = played(game, ROUND);
        }
    }

    #[test]
    fn losing_a_castling_right_restarts_the_repetition() {
        let twice = played(game(KINGS_ROOKS), "Ra2 Ra7 Ra1 Ra8");
        assert_board(
            &twice,
            "r...k..r
             ........
             ........
             ........
             ........
             ........
             ........
             R...K..R
             repetition 1/3, castling K-k-",
        );
        let thrice = played(twice, "Ra2 Ra7 Ra1 Ra8");
        assert!(text_of(&thrice.canonical_board()).ends_with("repetition 2/3, castling K-k-"));
    }

    #[test]
    fn the_history_starts_at_the_fen() {
        let fen = played(ChessGame::default(), &[ROUND, ROUND].join(" ")).position_text();
        assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5");
        assert_board(&game(&fen), &start_with("1/3"));
        assert_board(&played(game(&fen), ROUND), &start_with("2/3"));
    }

    #[test]
    fn undo_restores_the_board() {
        let mut game = played(ChessGame::default(), ROUND);
        let before = game.canonical_board();
        game = played(game, "e4");
        game.undo();
        assert_eq!(game.canonical_board(), before);
    }
}

mod layout {
    use super::*;

    #[test]
    fn channels_first_has_the_same_values() {
        let game = played(ChessGame::default(), "e4 a6 e5 d5");
        let board = game.canonical_board();
        let mut out = vec![f32::NAN; 18 * 8 * 8];
        game.write_observation(Layout::Chw, &mut out).unwrap();
        for (plane, values) in out.chunks(64).enumerate() {
            for (cell, value) in values.iter().enumerate() {
                assert_eq!(value.to_bits(), board[cell / 8][cell % 8][plane].to_bits());
            }
        }
        assert_eq!(Chess::SHAPE.extents(Layout::Chw), [18, 8, 8]);
        assert_eq!(Chess::SHAPE.extents(Layout::Hwc), [8, 8, 18]);
    }

    #[test]
    fn slices_of_the_wrong_length_are_rejected_unchanged() {
        let position = Chess::default();
        for found in [0, 1151, 1153, 2304] {
            let mut out = vec![7.0; found];
            let error = WrongLength { expected: 1152, found };
            for layout in [Layout::Hwc, Layout::Chw] {
                assert_eq!(position.write_observation(Context::FIRST, layout, &mut out), Err(error));
            }
            assert!(out.iter().all(|value| value.to_bits() == 7.0_f32.to_bits()));
        }
        assert_eq!(
            position.write_observation(Context::FIRST, Layout::Hwc, &mut [0.0]).unwrap_err().to_string(),
            "expected a slice of 1152 values, found 1"
        );
    }
}

mod decoding {
    use super::*;

    /// The observation of the start position with changed values: (plane, row, column, value).
    fn changed(changes: &[(usize, usize, usize, f32)], layout: Layout) -> Vec<f32> {
        let mut values = vec![0.0; 1152];
        Chess::default().write_observation(Context::FIRST, layout, &mut values).unwrap();
        for &(plane, row, col, value) in changes {
            values[Chess::SHAPE.offset(layout, plane, row * 8 + col)] = value;
        }
        values
    }

    /// Asserts the decoding error in both layouts.
    #[track_caller]
    fn assert_rejected(changes: &[(usize, usize, usize, f32)], at: (usize, usize, usize), reason: &str) {
        for layout in [Layout::Hwc, Layout::Chw] {
            let error = Chess::decode_observation(&changed(changes, layout), layout, WHITE).unwrap_err();
            match error {
                DecodeError::Value { plane, row, col, name, expected, .. } => {
                    assert_eq!((plane, row, col), at);
                    assert_eq!(name, Chess::PLANES[plane].name);
                    assert_eq!(expected, reason);
                }
                _ => panic!("{error}"),
            }
        }
    }

    #[test]
    fn decoding_inverts_encoding() {
        for moves in ["", "e4", "e4 a6 e5 d5", "a3 d5 a4 d4 e4", "Nf3 Nf6 Rg1 Rg8", "Nf3 Nf6 Ng1 Ng8"] {
            let game = played(ChessGame::default(), moves);
            let expected = Setup { halfmoves: 0, fullmoves: 1, ..game.position().to_setup() };
            for layout in [Layout::Hwc, Layout::Chw] {
                let mut values = vec![f32::NAN; 1152];
                game.write_observation(layout, &mut values).unwrap();
                let decoded = Chess::decode_observation(&values, layout, game.turn());
                assert_eq!(decoded, Ok((expected.clone(), game.context())), "{moves}");
            }
        }
    }

    #[test]
    fn the_turn_selects_the_owner_of_the_pieces() {
        let values = changed(&[], Layout::Hwc);
        let (white, _) = Chess::decode_observation(&values, Layout::Hwc, WHITE).unwrap();
        let (black, _) = Chess::decode_observation(&values, Layout::Hwc, BLACK).unwrap();
        assert_eq!(white, Chess::default().to_setup());
        assert_eq!(black, Chess::default().mirrored().to_setup());
    }

    #[test]
    fn more_than_three_occurrences_decode_as_three() {
        let mut values = vec![0.0; 1152];
        Chess::default().write_observation(Context::repeated(4), Layout::Hwc, &mut values).unwrap();
        assert_eq!(
            Chess::decode_observation(&values, Layout::Hwc, WHITE).map(|(_, context)| context),
            Ok(Context::repeated(3))
        );
    }

    #[test]
    fn rounded_thirds_are_accepted() {
        for (printed, occurrences) in [(0.333, 1), (0.667, 2), (1.0, 3)] {
            let mut values = changed(&[], Layout::Hwc);
            values.chunks_mut(18).for_each(|cell| cell[12] = printed);
            let decoded = Chess::decode_observation(&values, Layout::Hwc, WHITE);
            assert_eq!(decoded.map(|(_, context)| context), Ok(Context::repeated(occurrences)));
        }
    }

    #[test]
    fn wrong_lengths_are_rejected() {
        for found in [0, 1151, 1153] {
            let error = Chess::decode_observation(&vec![0.0; found], Layout::Hwc, WHITE).unwrap_err();
            assert_eq!(error, DecodeError::WrongLength(WrongLength { expected: 1152, found }));
        }
    }

    #[test]
    fn marks_other_than_0_or_1_are_rejected() {
        for plane in (0..12).chain([13]) {
            for value in [0.5, -1.0, 2.0, f32::NAN, f32::INFINITY] {
                assert_rejected(&[(plane, 3, 5, value)], (plane, 3, 5), "0 or 1");
            }
        }
    }

    #[test]
    fn two_pieces_on_one_square_are_rejected() {
        assert_rejected(&[(1, 6, 2, 1.0)], (1, 6, 2), "0, because another piece is on this square");
        assert_rejected(&[(7, 6, 2, 1.0)], (7, 6, 2), "0, because another piece is on this square");
    }

    #[test]
    fn two_en_passant_squares_are_rejected() {
        assert_rejected(
            &[(13, 2, 1, 1.0), (13, 2, 6, 1.0)],
            (13, 2, 6),
            "0, because another square is marked",
        );
    }

    #[test]
    fn repetition_values_other_than_thirds_are_rejected() {
        for value in [0.0, 0.5, -1.0, 4.0 / 3.0, f32::NAN] {
            assert_rejected(&[(12, 0, 0, value)], (12, 0, 0), "1/3, 2/3 or 1");
        }
    }

    #[test]
    fn constant_planes_with_two_values_are_rejected() {
        for plane in [12, 14, 15, 16, 17] {
            assert_rejected(&[(plane, 4, 4, 2.0 / 3.0)], (plane, 4, 4), "the same value in the whole plane");
        }
    }

    #[test]
    fn castling_values_other_than_0_or_1_are_rejected() {
        for plane in 14..18 {
            for value in [0.5, -1.0, 2.0] {
                let all: Vec<_> = (0..64).map(|cell| (plane, cell / 8, cell % 8, value)).collect();
                assert_rejected(&all, (plane, 0, 0), "0 or 1");
            }
        }
    }

    #[test]
    fn errors_name_the_plane_the_cell_and_the_value() {
        let error = Chess::decode_observation(&changed(&[(4, 2, 6, 0.25)], Layout::Hwc), Layout::Hwc, WHITE);
        assert_eq!(
            error.unwrap_err().to_string(),
            "plane 4 (own queens) holds 0.25 at row 2, column 6: expected 0 or 1"
        );
    }
}
