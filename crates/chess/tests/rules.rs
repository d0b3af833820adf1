//! How games end: every reason, in the order in which the reasons count, and the draws that a player may claim.

use sandtable_chess::notation::fen::START;
use sandtable_chess::{BLACK, ChessGame, DrawRules, Position, Reason, WHITE};
use sandtable_core::{Notation as _, Outcome, PlayError, Position as _, Rules as _};

const STANDARD: DrawRules = DrawRules { threefold_ends: false, fifty_moves_end: false };
const CLAIMS: DrawRules = DrawRules { threefold_ends: true, fifty_moves_end: true };

fn game(fen: &str, rules: DrawRules) -> ChessGame {
    ChessGame::from_fen(fen, rules).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen, STANDARD).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn play(game: &mut ChessGame, moves: &str) {
    for text in moves.split_whitespace() {
        game.play_text(text).unwrap_or_else(|e| panic!("{text} in {}: {e}", game.fen()));
    }
}

const fn draw(reason: Reason) -> Outcome<Reason> {
    Outcome::Draw { reason }
}

/// Both sides move a knight out and home: two occurrences more of every position on the way.
const KNIGHTS: &str = "Nf3 Nf6 Ng1 Ng8";

mod endings {
    use super::*;

    #[test]
    fn the_fools_mate_is_won_by_black() {
        let mut game = ChessGame::new();
        play(&mut game, "f3 e5 g4 Qh4#");
        assert_eq!(game.outcome(), Outcome::Win { winner: BLACK, reason: Reason::Checkmate });
        assert!(game.legal_moves().is_empty());
    }

    #[test]
    fn a_back_rank_mate_is_won_by_white() {
        let mut game = game("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", STANDARD);
        play(&mut game, "Ra8#");
        assert_eq!(game.outcome(), Outcome::Win { winner: WHITE, reason: Reason::Checkmate });
    }

    #[test]
    fn no_move_without_check_is_stalemate() {
        let stalemate = game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", STANDARD);
        assert_eq!(stalemate.outcome(), draw(Reason::Stalemate));
        assert_eq!(stalemate.can_claim_draw(), None);
    }

    #[test]
    fn the_fifth_occurrence_ends_the_game_and_the_fourth_does_not() {
        let mut game = ChessGame::new();
        for occurrence in 2..=5 {
            assert_eq!(game.outcome(), Outcome::Ongoing);
            play(&mut game, KNIGHTS);
            assert_eq!(game.game().occurrences(), occurrence);
        }
        assert_eq!(game.outcome(), draw(Reason::FivefoldRepetition));
        let m = game.position().legal_moves()[0];
        assert_eq!(game.play(m), Err(PlayError::Over(draw(Reason::FivefoldRepetition))));
    }

    #[test]
    fn seventy_five_moves_end_the_game_and_149_half_moves_do_not() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w Q - 149 90", STANDARD);
        assert_eq!(game.outcome(), Outcome::Ongoing);
        play(&mut game, "Ra2");
        assert_eq!(game.position().halfmoves(), 150);
        assert_eq!(game.outcome(), draw(Reason::SeventyFiveMoves));
    }

    #[test]
    fn the_half_move_clock_counts_on_beyond_the_generators_100() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 98 90", STANDARD);
        for (text, halfmoves) in [("Ra2", 99), ("Kg8", 100), ("Ra3", 101), ("Kf8", 102), ("Ra4", 103)] {
            play(&mut game, text);
            assert_eq!(game.position().halfmoves(), halfmoves);
            assert!(game.fen().contains(&format!(" {halfmoves} ")), "{}", game.fen());
        }
        while game.position().halfmoves() > 98 {
            game.undo();
        }
        assert_eq!(game.fen(), "7k/8/8/8/8/8/8/R3K3 w - - 98 90");
    }

    #[test]
    fn a_capture_or_a_pawns_move_sets_the_clock_back() {
        for text in ["Rxa7", "h3"] {
            let mut game = game("7k/r7/8/8/8/8/7P/R3K3 w - - 149 90", STANDARD);
            play(&mut game, text);
            assert_eq!((game.position().halfmoves(), game.outcome()), (0, Outcome::Ongoing), "{text}");
        }
    }

    #[test]
    fn castling_does_not_set_the_clock_back() {
        let mut game = game("r3k3/8/8/8/8/8/8/4K2R w K - 20 60", STANDARD);
        play(&mut game, "O-O");
        assert_eq!(game.position().halfmoves(), 21);
    }

    #[test]
    fn counters_at_their_limit_stay_there() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 b - - 65535 65535", STANDARD);
        let m = game.position().legal_moves()[0];
        assert_eq!(game.play(m), Err(PlayError::Over(draw(Reason::SeventyFiveMoves))));
        let mut position = game.position().clone();
        position.play(m).unwrap();
        assert_eq!((position.halfmoves(), position.fullmoves()), (u16::MAX, u16::MAX));
    }

    #[test]
    fn players_end_a_game_by_word() {
        let mut resigned = ChessGame::new();
        resigned.resign(WHITE);
        assert_eq!(resigned.outcome(), Outcome::Win { winner: BLACK, reason: Reason::Resignation });
        resigned.agree_draw();
        assert_eq!(resigned.outcome().winner(), Some(BLACK), "what is over stays as it is");

        let mut agreed = ChessGame::new();
        agreed.agree_draw();
        assert_eq!(agreed.outcome(), draw(Reason::Agreement));
        assert!(agreed.legal_moves().is_empty());
    }

    #[test]
    fn every_reason_has_words_of_its_own() {
        let mut names: Vec<_> = Reason::ALL.iter().map(ToString::to_string).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Reason::ALL.len());
    }
}

mod precedence {
    use super::*;

    #[test]
    fn mate_comes_before_75_moves() {
        let mated = position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 120");
        assert_eq!(mated.outcome(5), Outcome::Win { winner: WHITE, reason: Reason::Checkmate });
    }

    #[test]
    fn insufficient_material_comes_before_stalemate() {
        // A bishop and a king hold the corner: stalemate and insufficient material at once.
        let both = position("k7/8/1K6/4B3/8/8/8/8 b - - 150 120");
        assert!(!both.has_legal_move() && !both.is_check());
        assert_eq!(both.outcome(5), draw(Reason::InsufficientMaterial));
    }

    #[test]
    fn stalemate_comes_before_75_moves() {
        assert_eq!(position("7k/5Q2/6K1/8/8/8/8/8 b - - 150 120").outcome(5), draw(Reason::Stalemate));
    }

    #[test]
    fn seventy_five_moves_come_before_the_fifth_occurrence() {
        assert_eq!(position("7k/8/8/8/8/8/8/R3K3 w - - 150 90").outcome(5), draw(Reason::SeventyFiveMoves));
    }

    #[test]
    fn forced_draws_come_before_claimed_ones() {
        let position = |halfmoves| {
            let fen = format!("7k/8/8/8/8/8/8/R3K3 w - - {halfmoves} 90");
            Position::from_fen(&fen, CLAIMS).unwrap()
        };
        assert_eq!(position(150).outcome(5), draw(Reason::SeventyFiveMoves));
        assert_eq!(position(100).outcome(5), draw(Reason::FivefoldRepetition));
        assert_eq!(position(100).outcome(3), draw(Reason::FiftyMoves));
        assert_eq!(position(99).outcome(3), draw(Reason::ThreefoldRepetition));
        assert_eq!(position(99).outcome(2), Outcome::Ongoing);
    }

    #[test]
    fn the_presets_differ_in_what_ends_by_itself() {
        assert_eq!(DrawRules::default(), STANDARD);
        assert_eq!(DrawRules::named("standard"), Some(STANDARD));
        assert_eq!(DrawRules::named("claims"), Some(CLAIMS));
        let fen = "7k/8/8/8/8/8/8/R3K3 w - - 100 90";
        assert_eq!(game(fen, STANDARD).outcome(), Outcome::Ongoing);
        assert_eq!(game(fen, CLAIMS).outcome(), draw(Reason::FiftyMoves));
        for (rules, after) in [(STANDARD, Outcome::Ongoing), (CLAIMS, draw(Reason::ThreefoldRepetition))] {
            let mut game = game(START, rules);
            play(&mut game, KNIGHTS);
            assert_eq!(game.outcome(), Outcome::Ongoing);
            play(&mut game, KNIGHTS);
            assert_eq!(game.outcome(), after);
        }
    }
}

#[test]
fn material_that_can_never_mate_is_a_draw() {
    // Dark squares: a1, c1, f8. Light squares: b1, f1, c8.
    let table = [
        ("bare kings", "4k3/8/8/8/8/8/8/4K3", true),
        ("one knight", "4k3/8/8/8/8/8/8/1N2K3", true),
        ("one knight of Black's", "1n2k3/8/8/8/8/8/8/4K3", true),
        ("one bishop", "4k3/8/8/8/8/8/8/2B1K3", true),
        ("two bishops on one colour", "4k3/8/8/8/8/8/8/B1B1K3", true),
        ("bishops of both sides on one colour", "4kb2/8/8/8/8/8/8/2B1K3", true),
        ("three bishops on one colour", "4k3/8/8/8/4B3/3B4/8/1B2K3", true),
        ("two bishops on both colours", "4k3/8/8/8/8/8/8/2B1KB2", false),
        ("a bishop each, on different colours", "2b1k3/8/8/8/8/8/8/2B1K3", false),
        ("two knights", "4k3/8/8/8/8/8/8/1N2K1N1", false),
        ("a knight each", "1n2k3/8/8/8/8/8/8/1N2K3", false),
        ("bishop and knight", "4k3/8/8/8/8/8/8/1NB1K3", false),
        ("knight against bishop", "2b1k3/8/8/8/8/8/8/1N2K3", false),
        ("a pawn", "4k3/8/8/8/8/8/4P3/4K3", false),
        ("a rook", "4k3/8/8/8/8/8/8/R3K3", false),
        ("a queen", "4k3/8/8/8/8/8/8/3QK3", false),
        ("a knight and a pawn against it", "4k3/p7/8/8/8/8/8/1N2K3", false),
    ];
    for (name, board, insufficient) in table {
        let position = position(&format!("{board} w - - 0 1"));
        assert_eq!(position.is_insufficient_material(), insufficient, "{name}");
        assert_eq!(position.mirrored().is_insufficient_material(), insufficient, "{name}, mirrored");
        let expected = if insufficient { draw(Reason::InsufficientMaterial) } else { Outcome::Ongoing };
        assert_eq!(position.outcome(1), expected, "{name}");
    }
}

mod claims {
    use super::*;

    fn sans(game: &ChessGame) -> Vec<String> {
        game.legal_moves().into_iter().map(|m| game.position().move_san(m)).collect()
    }

    #[test]
    fn nothing_can_be_claimed_at_the_start() {
        let mut game = ChessGame::new();
        assert_eq!(game.can_claim_draw(), None);
        assert_eq!(game.claim_draw(), None);
        assert_eq!(game.outcome(), Outcome::Ongoing);
    }

    #[test]
    fn fifty_moves_can_be_claimed_once_they_have_passed() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 100 90", STANDARD);
        assert_eq!(game.claim_draw(), Some(Reason::FiftyMoves));
        assert_eq!(game.outcome(), draw(Reason::FiftyMoves));
        assert_eq!(game.claim_draw(), None, "the game is over");
    }

    #[test]
    fn fifty_moves_can_be_claimed_one_half_move_ahead_and_no_earlier() {
        assert_eq!(
            game("7k/8/8/8/8/8/8/R3K3 w - - 99 90", STANDARD).can_claim_draw(),
            Some(Reason::FiftyMoves)
        );
        assert_eq!(game("7k/8/8/8/8/8/8/R3K3 w - - 98 90", STANDARD).can_claim_draw(), None);
    }

    #[test]
    fn fifty_moves_cannot_be_claimed_ahead_if_every_move_is_a_pawns_or_a_capture() {
        let shut_in = game("6rk/8/8/8/8/7p/P6P/7K w - - 99 90", STANDARD);
        assert_eq!(sans(&shut_in), ["a3", "a4"]);
        assert_eq!(shut_in.can_claim_draw(), None);
    }

    #[test]
    fn a_move_that_mates_is_no_ground_to_claim_fifty_moves() {
        // Every move of the king uncovers the bishop, and that is mate: no 50 moves of a game that goes on.
        let mates = game("6bk/7p/8/8/1p6/8/1K6/B7 w - - 99 90", STANDARD);
        assert_eq!(sans(&mates), ["Kb1#", "Kc1#", "Kc2#"]);
        assert_eq!(mates.can_claim_draw(), None);
    }

    #[test]
    fn the_third_occurrence_can_be_claimed() {
        let mut game = ChessGame::new();
        play(&mut game, KNIGHTS);
        assert_eq!(game.can_claim_draw(), None);
        play(&mut game, KNIGHTS);
        assert_eq!(game.game().occurrences(), 3);
        assert_eq!(game.claim_draw(), Some(Reason::ThreefoldRepetition));
        assert_eq!(game.outcome(), draw(Reason::ThreefoldRepetition));
    }

    #[test]
    fn the_third_occurrence_can_be_claimed_one_move_ahead() {
        let mut game = ChessGame::new();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        assert_eq!(game.game().occurrences(), 2);
        assert_eq!(game.can_claim_draw(), Some(Reason::ThreefoldRepetition), "Ng8 would be the third");
        game.undo();
        assert_eq!(game.can_claim_draw(), None, "Ng1 would be the second");
    }

    #[test]
    fn fifty_moves_are_named_before_the_third_occurrence() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 92 90", STANDARD);
        play(&mut game, "Ra2 Kg8 Ra1 Kh8 Ra2 Kg8 Ra1 Kh8");
        assert_eq!((game.game().occurrences(), game.position().halfmoves()), (3, 100));
        assert_eq!(game.can_claim_draw(), Some(Reason::FiftyMoves));
    }

    #[test]
    fn asking_changes_nothing() {
        let mut game = ChessGame::new();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        let before = game.clone();
        let _ = game.can_claim_draw();
        assert_eq!(game, before);
    }
}

mod repetition {
    use super::*;

    #[test]
    fn a_lost_castling_right_makes_another_position() {
        let mut game = game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", STANDARD);
        // The rooks come home, but the rights on the queen's side do not.
        play(&mut game, "Rb1 Rb8 Ra1 Ra8");
        assert_eq!(game.game().occurrences(), 1);
        play(&mut game, "Rb1 Rb8 Ra1 Ra8");
        assert_eq!(game.game().occurrences(), 2);
    }

    #[test]
    fn a_legal_en_passant_capture_makes_another_position() {
        // After e4 Black's pawn on d4 may take; when the knights are back it may not.
        let mut game = game("1n2k3/8/8/8/3p4/8/4P3/1N2K3 w - - 0 1", STANDARD);
        play(&mut game, "e4 Nc6 Na3 Nb8 Nb1");
        assert_eq!(game.game().occurrences(), 1);
    }

    #[test]
    fn an_en_passant_square_that_nothing_can_take_on_makes_no_difference() {
        let mut game = ChessGame::new();
        play(&mut game, "e4 Nf6 Nf3 Ng8 Ng1");
        assert_eq!(game.game().occurrences(), 2, "after e4 no pawn of Black's can take");
    }

    #[test]
    fn a_pinned_pawn_beside_a_double_step_makes_no_difference() {
        // The pawn on d4 is pinned to its king by the queen on d1.
        let mut game = game("1n1k4/8/8/8/3p4/8/4P3/1N1QK3 w - - 0 1", STANDARD);
        play(&mut game, "e4 Nc6 Nc3 Nb8 Nb1");
        assert_eq!(game.game().occurrences(), 2);
    }

    #[test]
    fn another_piece_beside_a_double_step_makes_no_difference() {
        // A king on d4, beside e4, attacks e3 as a pawn would.
        let mut game = game("1n6/8/8/8/3k4/8/4P3/1N2K3 w - - 0 1", STANDARD);
        play(&mut game, "e4 Kd3 Na3 Kd4 Nb1");
        assert_eq!(game.game().occurrences(), 2);
    }

    #[test]
    fn the_same_placement_with_the_other_side_to_move_is_another_position() {
        // White loses a tempo with the king's triangle.
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 0 1", STANDARD);
        play(&mut game, "Ke2 Kg8 Kd1 Kh8 Ke1");
        assert_eq!(game.position().turn(), BLACK);
        assert_eq!(game.game().occurrences(), 1);
    }

    #[test]
    fn a_game_from_a_fen_has_its_own_history() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 80 90", STANDARD);
        assert_eq!(game.game().occurrences(), 1);
        play(&mut game, "Ra2 Kg8 Ra1 Kh8");
        assert_eq!(game.game().occurrences(), 2);
    }

    #[test]
    fn undo_forgets_an_occurrence() {
        let mut game = ChessGame::new();
        play(&mut game, KNIGHTS);
        play(&mut game, "Nf3");
        assert_eq!(game.game().occurrences(), 2);
        game.undo();
        game.undo();
        play(&mut game, "Rg8 Nf3");
        assert_eq!(game.game().occurrences(), 1);
    }
}
