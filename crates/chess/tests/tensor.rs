//! The canonical board: every sentence of its specification, golden pictures, and reading it back.

use sandtable_chess::{
    BLACK, CanonicalBoard, ChessGame, DrawRules, EnPassant, Piece, Position, Role, Setup, Square, WHITE,
};
use sandtable_core::{
    DecodeError, FromSetup as _, Layout, Observe as _, Player, Position as _, Shape, WrongLength,
    encode_batch,
};

const THIRD: f32 = 1.0 / 3.0;
const KINGS_ROOKS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

fn game(fen: &str) -> ChessGame {
    ChessGame::from_fen(fen, DrawRules::default()).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn played(mut game: ChessGame, moves: &str) -> ChessGame {
    for text in moves.split_whitespace() {
        game.play_text(text).unwrap_or_else(|e| panic!("{text} in {}: {e}", game.fen()));
    }
    game
}

/// The cells of a plane that are not 0, as (rank index, file index).
fn marked(board: &CanonicalBoard, plane: usize) -> Vec<(usize, usize)> {
    let cells = (0..8).flat_map(|row| (0..8).map(move |col| (row, col)));
    cells.filter(|&(row, col)| board[row][col][plane] != 0.0).collect()
}

/// The one value of a plane that is filled with it.
fn everywhere(board: &CanonicalBoard, plane: usize) -> f32 {
    let value = board[0][0][plane];
    assert!(board.iter().flatten().all(|cell| cell[plane].to_bits() == value.to_bits()), "plane {plane}");
    value
}

/// All 18 planes as a picture: the mover's pieces as capitals and the opponent's small, rank index 0 on top, `*`
/// on the en-passant square; below it the planes that hold one value, castling of the mover as capitals.
fn picture(board: &CanonicalBoard) -> String {
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
                _ => panic!("several planes are set on one square: {signs:?}"),
            }
        }
        text.push('\n');
    }
    let repetition = match everywhere(board, 12) {
        value if value.to_bits() == THIRD.to_bits() => "1/3",
        value if value.to_bits() == (2.0_f32 / 3.0).to_bits() => "2/3",
        value if value.to_bits() == 1.0_f32.to_bits() => "1",
        value => panic!("the repetition plane is {value}"),
    };
    let castling: String = (14..18)
        .zip("KQkq".chars())
        .map(|(plane, right)| if everywhere(board, plane) > 0.0 { right } else { '-' })
        .collect();
    assert!((14..18).all(|plane| [0.0, 1.0].contains(&everywhere(board, plane))));
    text + "repetition " + repetition + ", castling " + &castling
}

#[track_caller]
fn looks_like(game: &ChessGame, expected: &str) {
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let found = picture(&game.canonical_board());
    assert_eq!(found, expected.join("\n"), "\n{found}\n");
}

mod specification {
    use super::*;

    #[test]
    fn the_tensor_has_8_by_8_by_18_values_of_32_bits() {
        let board: [[[f32; 18]; 8]; 8] = ChessGame::new().canonical_board();
        assert_eq!(Position::SHAPE, Shape { rows: 8, cols: 8, planes: 18 });
        assert_eq!(Position::SHAPE.len(), board.as_flattened().as_flattened().len());
        assert_eq!(size_of_val(&board), 4608);
    }

    #[test]
    fn the_example_of_the_start_position_holds() {
        let board = ChessGame::new().canonical_board();
        assert_eq!(marked(&board, 0), [6; 8].into_iter().zip(0..8).collect::<Vec<_>>(), "white pawns");
        assert_eq!(marked(&board, 5), [(7, 4)], "white king");
        assert_eq!(marked(&board, 11), [(0, 4)], "black king");
        assert_eq!(everywhere(&board, 12).to_bits(), THIRD.to_bits(), "repetition");
        assert_eq!(marked(&board, 13), [], "en passant");
        for plane in 14..=17 {
            assert_eq!(everywhere(&board, plane).to_bits(), 1.0_f32.to_bits(), "castling, plane {plane}");
        }
    }

    /// Planes 0–5 are the mover's, 6–11 the opponent's: pawns, knights, bishops, rooks, queens, king.
    #[test]
    fn each_piece_has_its_plane_for_the_mover_and_for_the_opponent() {
        for mover in Player::ALL {
            for owner in Player::ALL {
                for (kind, role) in Role::ALL.into_iter().enumerate() {
                    let mut setup = Setup { turn: mover, ..Setup::empty() };
                    let put = |setup: &mut Setup, name: &str, owner, role| {
                        setup.board[name.parse::<Square>().unwrap().index()] = Some(Piece { owner, role });
                    };
                    // Far enough from each other that nothing gives check.
                    put(&mut setup, "a1", WHITE, Role::King);
                    put(&mut setup, "h8", BLACK, Role::King);
                    let king = role == Role::King;
                    let name = match owner {
                        _ if !king => "c6",
                        WHITE => "a1",
                        BLACK => "h8",
                    };
                    put(&mut setup, name, owner, role);
                    let board =
                        Position::from_setup(&setup, DrawRules::default()).unwrap().canonical_board(1);
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
    fn files_are_never_flipped_and_ranks_are_for_black() {
        let rook = |fen| marked(&game(fen).canonical_board(), 3);
        assert_eq!(rook("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), [(7, 0)], "White's rook on a1");
        assert_eq!(rook("r3k3/8/8/8/8/8/8/4K3 b - - 0 1"), [(7, 0)], "Black's rook on a8");
        let theirs = |fen| marked(&game(fen).canonical_board(), 9);
        assert_eq!(theirs("4k2r/8/8/8/8/8/8/4K3 w - - 0 1"), [(0, 7)], "Black's rook on h8, seen by White");
        assert_eq!(theirs("4k3/8/8/8/8/8/8/4K2R b - - 0 1"), [(0, 7)], "White's rook on h1, seen by Black");
    }

    #[test]
    fn every_square_has_the_index_of_its_rank_and_file() {
        for square in Square::all() {
            for (mover, row) in [(WHITE, 7 - square.rank()), (BLACK, square.rank())] {
                let mut setup = Setup { turn: mover, ..Setup::empty() };
                // A knight that reaches neither king, and kings that do not meet.
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
                let board = Position::from_setup(&setup, DrawRules::default()).unwrap().canonical_board(1);
                assert_eq!(marked(&board, 1), [(row, square.file())], "{square}, {mover:?} to move");
            }
        }
    }

    #[test]
    fn repetition_is_thirds_and_no_more_than_one() {
        let value = |n| everywhere(&Position::default().canonical_board(n), 12);
        for (occurrences, printed) in [(1, "0.333"), (2, "0.667"), (3, "1.000"), (4, "1.000"), (99, "1.000")]
        {
            assert_eq!(format!("{:.3}", value(occurrences)), printed);
        }
        assert_eq!(value(1).to_bits(), THIRD.to_bits(), "an exact third, not 0.333");
    }

    #[test]
    fn planes_carry_the_names_of_the_table() {
        let names: Vec<_> = Position::PLANES.iter().map(|plane| plane.name).collect();
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
        looks_like(
            &ChessGame::new(),
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
        // White's knight has gone from g1 to f3: seen by Black it stands in the third row from the top.
        looks_like(
            &played(ChessGame::new(), "Nf3"),
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
        // White's rook leaves h1, Black's a8, White's a1, and at last Black's h8; each is seen by the side that
        // moves next.
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
            looks_like(&game, &expected);
        }
    }

    #[test]
    fn a_king_that_moves_loses_both_rights() {
        looks_like(
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
    fn a_rook_that_is_taken_loses_its_right() {
        // The rook on h8 is taken by the one on h1: each side has the queen's side left, and Black is in check.
        looks_like(
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
    fn a_right_that_cannot_be_used_now_is_still_a_right() {
        // Black's rook on e-file gives check, and f1 holds a bishop.
        looks_like(
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
    fn en_passant_available_to_white() {
        looks_like(
            &played(ChessGame::new(), "e4 a6 e5 d5"),
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
    fn en_passant_available_to_black() {
        looks_like(
            &played(ChessGame::new(), "a3 d5 a4 d4 e4"),
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

    /// Both pawns leave the fifth rank at once, and the rook looks through.
    const PINNED: &str = "4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1";

    #[test]
    fn en_passant_set_but_not_legal() {
        looks_like(
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
    fn en_passant_set_but_not_capturable() {
        looks_like(
            &played(ChessGame::new(), "e4"),
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
    fn en_passant_after_every_double_step_on_request() {
        for (game, cell) in [
            (played(game(PINNED), "d5"), (2, 3)),
            (played(ChessGame::new(), "e4"), (2, 4)),
            (played(ChessGame::new(), "e4 a6 e5 d5"), (2, 3)),
        ] {
            let mut board: CanonicalBoard = [[[f32::NAN; 18]; 8]; 8];
            let out = board.as_flattened_mut().as_flattened_mut();
            game.position().write_canonical(1, Layout::Hwc, EnPassant::Always, out).unwrap();
            assert_eq!(marked(&board, 13), [cell], "{}", game.fen());
            board[cell.0][cell.1][13] = game.canonical_board()[cell.0][cell.1][13];
            assert_eq!(board, game.canonical_board(), "nothing else differs");
        }
        let mut board: CanonicalBoard = [[[f32::NAN; 18]; 8]; 8];
        let out = board.as_flattened_mut().as_flattened_mut();
        let quiet = played(ChessGame::new(), "e4 e5 Nf3");
        quiet.position().write_canonical(1, Layout::Hwc, EnPassant::Always, out).unwrap();
        assert_eq!(marked(&board, 13), [], "no double step, no square");
    }

    const ROUND: &str = "Nf3 Nf6 Ng1 Ng8";

    fn start_with(repetition: &str) -> String {
        let board = picture(&ChessGame::new().canonical_board());
        board.replace("repetition 1/3", &format!("repetition {repetition}"))
    }

    #[test]
    fn second_third_and_fourth_occurrence() {
        let mut game = ChessGame::new();
        for repetition in ["1/3", "2/3", "1", "1"] {
            looks_like(&game, &start_with(repetition));
            game = played(game, ROUND);
        }
    }

    #[test]
    fn a_repetition_broken_by_a_lost_castling_right() {
        let twice = played(game(KINGS_ROOKS), "Ra2 Ra7 Ra1 Ra8");
        looks_like(
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
        assert!(picture(&thrice.canonical_board()).ends_with("repetition 2/3, castling K-k-"));
    }

    #[test]
    fn a_game_begun_from_a_fen_has_its_own_history() {
        let fen = played(ChessGame::new(), &[ROUND, ROUND].join(" ")).fen();
        assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5");
        looks_like(&game(&fen), &start_with("1/3"));
        looks_like(&played(game(&fen), ROUND), &start_with("2/3"));
    }

    #[test]
    fn undo_brings_the_former_tensor_back() {
        let mut game = played(ChessGame::new(), ROUND);
        let before = game.canonical_board();
        game = played(game, "e4");
        game.undo();
        assert_eq!(game.canonical_board(), before);
    }
}

mod layout {
    use super::*;

    #[test]
    fn channels_first_is_18_by_8_by_8() {
        let game = played(ChessGame::new(), "e4 a6 e5 d5");
        let board = game.canonical_board();
        let mut out = vec![f32::NAN; 18 * 8 * 8];
        game.write_canonical_board(Layout::Chw, &mut out).unwrap();
        for (plane, values) in out.chunks(64).enumerate() {
            for (cell, value) in values.iter().enumerate() {
                assert_eq!(value.to_bits(), board[cell / 8][cell % 8][plane].to_bits());
            }
        }
        assert_eq!(Position::SHAPE.extents(Layout::Chw), [18, 8, 8]);
        assert_eq!(Position::SHAPE.extents(Layout::Hwc), [8, 8, 18]);
    }

    #[test]
    fn a_batch_is_its_positions_one_after_the_other() {
        let games = ["", "e4", "e4 a6 e5 d5", "Nf3 Nf6 Ng1 Ng8"].map(|moves| played(ChessGame::new(), moves));
        let one = Position::SHAPE.len();
        let mut out = vec![f32::NAN; games.len() * one];
        let batch = games.iter().map(|game| (game.position(), game.game().occurrences()));
        encode_batch(batch, Layout::Hwc, &mut out).unwrap();
        for (game, values) in games.iter().zip(out.chunks(one)) {
            assert_eq!(values, game.canonical_board().as_flattened().as_flattened());
        }
    }

    #[test]
    fn an_empty_batch_fills_an_empty_slice() {
        assert_eq!(encode_batch::<Position>([].into_iter(), Layout::Hwc, &mut []), Ok(()));
    }

    #[test]
    fn a_slice_of_the_wrong_length_is_refused_and_left_alone() {
        let position = Position::default();
        for found in [0, 1151, 1153, 2304] {
            let mut out = vec![7.0; found];
            let error = WrongLength { expected: 1152, found };
            for layout in [Layout::Hwc, Layout::Chw] {
                assert_eq!(position.write_observation(1, layout, &mut out), Err(error));
                assert_eq!(encode_batch([(&position, 1)].into_iter(), layout, &mut out), Err(error));
            }
            assert!(out.iter().all(|value| value.to_bits() == 7.0_f32.to_bits()));
        }
        assert_eq!(
            position.write_observation(1, Layout::Hwc, &mut [0.0]).unwrap_err().to_string(),
            "the slice has 1 values where 1152 are needed"
        );
    }
}

mod decoding {
    use super::*;

    /// The start position as values, with some of them changed: (plane, row, column, value).
    fn changed(changes: &[(usize, usize, usize, f32)], layout: Layout) -> Vec<f32> {
        let mut values = vec![0.0; 1152];
        Position::default().write_observation(1, layout, &mut values).unwrap();
        for &(plane, row, col, value) in changes {
            values[Position::SHAPE.offset(layout, plane, row * 8 + col)] = value;
        }
        values
    }

    /// The same complaint in both layouts, at the last of the changes unless told otherwise.
    #[track_caller]
    fn refused(changes: &[(usize, usize, usize, f32)], at: (usize, usize, usize), expected: &str) {
        for layout in [Layout::Hwc, Layout::Chw] {
            let error = Position::decode_observation(&changed(changes, layout), layout, WHITE).unwrap_err();
            match error {
                DecodeError::Value { plane, row, col, name, why, .. } => {
                    assert_eq!((plane, row, col), at);
                    assert_eq!(name, Position::PLANES[plane].name);
                    assert_eq!(why, expected);
                }
                DecodeError::WrongLength(_) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn what_was_encoded_comes_back() {
        for moves in ["", "e4", "e4 a6 e5 d5", "a3 d5 a4 d4 e4", "Nf3 Nf6 Rg1 Rg8", "Nf3 Nf6 Ng1 Ng8"] {
            let game = played(ChessGame::new(), moves);
            let expected = Setup { halfmoves: 0, fullmoves: 1, ..game.position().to_setup() };
            for layout in [Layout::Hwc, Layout::Chw] {
                let mut values = vec![f32::NAN; 1152];
                game.write_canonical_board(layout, &mut values).unwrap();
                let decoded = Position::decode_observation(&values, layout, game.turn());
                assert_eq!(decoded, Ok((expected.clone(), game.game().occurrences())), "{moves}");
            }
        }
    }

    #[test]
    fn the_turn_decides_whose_pieces_they_are() {
        let values = changed(&[], Layout::Hwc);
        let (white, _) = Position::decode_observation(&values, Layout::Hwc, WHITE).unwrap();
        let (black, _) = Position::decode_observation(&values, Layout::Hwc, BLACK).unwrap();
        assert_eq!(white, Position::default().to_setup());
        assert_eq!(black, Position::default().mirrored().to_setup());
    }

    #[test]
    fn three_occurrences_stand_for_all_that_are_more() {
        let mut values = vec![0.0; 1152];
        Position::default().write_observation(4, Layout::Hwc, &mut values).unwrap();
        assert_eq!(Position::decode_observation(&values, Layout::Hwc, WHITE).map(|(_, n)| n), Ok(3));
    }

    #[test]
    fn thirds_rounded_to_three_digits_are_understood() {
        for (printed, occurrences) in [(0.333, 1), (0.667, 2), (1.0, 3)] {
            let mut values = changed(&[], Layout::Hwc);
            values.chunks_mut(18).for_each(|cell| cell[12] = printed);
            let decoded = Position::decode_observation(&values, Layout::Hwc, WHITE);
            assert_eq!(decoded.map(|(_, n)| n), Ok(occurrences));
        }
    }

    #[test]
    fn a_wrong_length_is_refused() {
        for found in [0, 1151, 1153] {
            let error = Position::decode_observation(&vec![0.0; found], Layout::Hwc, WHITE).unwrap_err();
            assert_eq!(error, DecodeError::WrongLength(WrongLength { expected: 1152, found }));
        }
    }

    #[test]
    fn each_plane_that_marks_squares_refuses_what_is_not_0_or_1() {
        for plane in (0..12).chain([13]) {
            for value in [0.5, -1.0, 2.0, f32::NAN, f32::INFINITY] {
                refused(&[(plane, 3, 5, value)], (plane, 3, 5), "it is 0 or 1");
            }
        }
    }

    #[test]
    fn two_pieces_on_one_square_are_refused() {
        refused(&[(1, 6, 2, 1.0)], (1, 6, 2), "another piece stands there");
        refused(&[(7, 6, 2, 1.0)], (7, 6, 2), "another piece stands there");
    }

    #[test]
    fn two_en_passant_squares_are_refused() {
        refused(&[(13, 2, 1, 1.0), (13, 2, 6, 1.0)], (13, 2, 6), "there is one square at most");
    }

    #[test]
    fn a_repetition_that_is_no_third_is_refused() {
        for value in [0.0, 0.5, -1.0, 4.0 / 3.0, f32::NAN] {
            refused(&[(12, 0, 0, value)], (12, 0, 0), "it is 1/3, 2/3 or 1");
        }
    }

    #[test]
    fn planes_of_one_value_refuse_a_second() {
        for plane in [12, 14, 15, 16, 17] {
            refused(&[(plane, 4, 4, 2.0 / 3.0)], (plane, 4, 4), "the whole plane has one value");
        }
    }

    #[test]
    fn a_castling_plane_refuses_what_is_not_0_or_1() {
        for plane in 14..18 {
            for value in [0.5, -1.0, 2.0] {
                let all: Vec<_> = (0..64).map(|cell| (plane, cell / 8, cell % 8, value)).collect();
                refused(&all, (plane, 0, 0), "it is 0 or 1");
            }
        }
    }

    #[test]
    fn an_error_says_where_and_why() {
        let error =
            Position::decode_observation(&changed(&[(4, 2, 6, 0.25)], Layout::Hwc), Layout::Hwc, WHITE);
        assert_eq!(
            error.unwrap_err().to_string(),
            "plane 4 (own queens) cannot be 0.25 at row 2, column 6: it is 0 or 1"
        );
    }
}
