//! Outcomes: every reason to end a game, their precedence, and draw claims.

use sandtable_chess::notation::fen::START;
use sandtable_chess::{
    BLACK, Chess, ChessGame, DrawRules, Ending, FIFTY_MOVE_CLOCK, Reason, SEVENTY_FIVE_MOVE_CLOCK, WHITE,
};
use sandtable_core::rules::PlayError;
use sandtable_core::{Notation as _, Outcome, Position, Rules as _};

const STANDARD: DrawRules = DrawRules::STANDARD;
const CLAIMS: DrawRules = DrawRules::CLAIMS;

fn game(fen: &str, rules: DrawRules) -> ChessGame {
    ChessGame::from_text(fen, rules).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn position(fen: &str) -> Chess {
    Chess::from_fen(fen, STANDARD).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn play(game: &mut ChessGame, moves: &str) {
    for text in moves.split_whitespace() {
        game.play_text(text).unwrap_or_else(|e| panic!("{text} in {}: {e}", game.position_text()));
    }
}

const fn draw(reason: Reason) -> Outcome<Reason> {
    Outcome::Draw { reason }
}

/// Both sides move a knight out and back, which repeats the position.
const KNIGHTS: &str = "Nf3 Nf6 Ng1 Ng8";

mod outcomes {
    use super::*;

    #[test]
    fn black_wins_by_fools_mate() {
        let mut game = ChessGame::default();
        play(&mut game, "f3 e5 g4 Qh4#");
        assert_eq!(game.outcome(), Outcome::Win { winner: BLACK, reason: Reason::Rule(Ending::Checkmate) });
        assert!(game.legal_moves().is_empty());
    }

    #[test]
    fn white_wins_by_back_rank_mate() {
        let mut game = game("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", STANDARD);
        play(&mut game, "Ra8#");
        assert_eq!(game.outcome(), Outcome::Win { winner: WHITE, reason: Reason::Rule(Ending::Checkmate) });
    }

    #[test]
    fn no_legal_move_without_check_is_stalemate() {
        let stalemate = game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", STANDARD);
        assert_eq!(stalemate.outcome(), draw(Reason::Rule(Ending::Stalemate)));
        assert_eq!(stalemate.claimable_draw(), None);
    }

    #[test]
    fn the_fifth_occurrence_ends_the_game() {
        let mut game = ChessGame::default();
        for occurrence in 2..=5 {
            assert_eq!(game.outcome(), Outcome::Ongoing);
            play(&mut game, KNIGHTS);
            assert_eq!(game.occurrences(), occurrence);
        }
        assert_eq!(game.outcome(), draw(Reason::Rule(Ending::FivefoldRepetition)));
        let m = game.position().legal_moves()[0];
        assert_eq!(game.play(m), Err(PlayError::Over(draw(Reason::Rule(Ending::FivefoldRepetition)))));
    }

    #[test]
    fn the_game_ends_at_a_clock_of_150() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w Q - 149 90", STANDARD);
        assert_eq!(game.outcome(), Outcome::Ongoing);
        play(&mut game, "Ra2");
        assert_eq!(game.position().halfmoves(), SEVENTY_FIVE_MOVE_CLOCK);
        assert_eq!(game.outcome(), draw(Reason::Rule(Ending::SeventyFiveMoves)));
    }

    #[test]
    fn the_half_move_clock_exceeds_the_limit_of_the_generator() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 98 90", STANDARD);
        for (text, halfmoves) in [("Ra2", 99), ("Kg8", 100), ("Ra3", 101), ("Kf8", 102), ("Ra4", 103)] {
            play(&mut game, text);
            assert_eq!(game.position().halfmoves(), halfmoves);
            assert!(game.position_text().contains(&format!(" {halfmoves} ")), "{}", game.position_text());
        }
        while game.position().halfmoves() > 98 {
            game.undo();
        }
        assert_eq!(game.position_text(), "7k/8/8/8/8/8/8/R3K3 w - - 98 90");
    }

    #[test]
    fn captures_and_pawn_moves_reset_the_clock() {
        for text in ["Rxa7", "h3"] {
            let mut game = game("7k/r7/8/8/8/8/7P/R3K3 w - - 149 90", STANDARD);
            play(&mut game, text);
            assert_eq!((game.position().halfmoves(), game.outcome()), (0, Outcome::Ongoing), "{text}");
        }
    }

    #[test]
    fn castling_does_not_reset_the_clock() {
        let mut game = game("r3k3/8/8/8/8/8/8/4K2R w K - 20 60", STANDARD);
        play(&mut game, "O-O");
        assert_eq!(game.position().halfmoves(), 21);
    }

    #[test]
    fn counters_saturate() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 b - - 65535 65535", STANDARD);
        let m = game.position().legal_moves()[0];
        assert_eq!(game.play(m), Err(PlayError::Over(draw(Reason::Rule(Ending::SeventyFiveMoves)))));
        let mut position = game.position().clone();
        position.play(m).unwrap();
        assert_eq!((position.halfmoves(), position.fullmoves()), (u16::MAX, u16::MAX));
    }

    #[test]
    fn players_resign_and_agree_to_draws() {
        let mut resigned = ChessGame::default();
        resigned.resign(WHITE);
        assert_eq!(resigned.outcome(), Outcome::Win { winner: BLACK, reason: Reason::Resignation });
        resigned.agree_draw();
        assert_eq!(resigned.outcome().winner(), Some(BLACK), "a declared end is final");

        let mut agreed = ChessGame::default();
        agreed.agree_draw();
        assert_eq!(agreed.outcome(), draw(Reason::Agreement));
        assert!(agreed.legal_moves().is_empty());
    }

    #[test]
    fn reasons_have_unique_names() {
        let mut names: Vec<_> = Reason::all().map(Reason::text).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Reason::all().count());
    }
}

mod precedence {
    use super::*;

    #[test]
    fn checkmate_precedes_75_moves() {
        let mated = position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 150 120");
        assert_eq!(mated.outcome(5), Outcome::Win { winner: WHITE, reason: Reason::Rule(Ending::Checkmate) });
    }

    #[test]
    fn insufficient_material_precedes_stalemate() {
        // Stalemate by king and bishop: both reasons apply.
        let both = position("k7/8/1K6/4B3/8/8/8/8 b - - 150 120");
        assert!(!both.has_legal_move() && !both.is_check());
        assert_eq!(both.outcome(5), draw(Reason::Rule(Ending::InsufficientMaterial)));
    }

    #[test]
    fn stalemate_precedes_75_moves() {
        assert_eq!(
            position("7k/5Q2/6K1/8/8/8/8/8 b - - 150 120").outcome(5),
            draw(Reason::Rule(Ending::Stalemate))
        );
    }

    #[test]
    fn seventy_five_moves_precede_fivefold_repetition() {
        assert_eq!(
            position("7k/8/8/8/8/8/8/R3K3 w - - 150 90").outcome(5),
            draw(Reason::Rule(Ending::SeventyFiveMoves))
        );
    }

    #[test]
    fn forced_draws_precede_claimable_ones() {
        let position = |halfmoves| {
            let fen = format!("7k/8/8/8/8/8/8/R3K3 w - - {halfmoves} 90");
            Chess::from_fen(&fen, CLAIMS).unwrap()
        };
        assert_eq!(position(150).outcome(5), draw(Reason::Rule(Ending::SeventyFiveMoves)));
        assert_eq!(position(FIFTY_MOVE_CLOCK).outcome(5), draw(Reason::Rule(Ending::FivefoldRepetition)));
        assert_eq!(position(100).outcome(3), draw(Reason::Rule(Ending::FiftyMoves)));
        assert_eq!(position(99).outcome(3), draw(Reason::Rule(Ending::ThreefoldRepetition)));
        assert_eq!(position(99).outcome(2), Outcome::Ongoing);
    }

    #[test]
    fn presets_select_which_draws_end_the_game() {
        assert_eq!(DrawRules::default(), STANDARD);
        assert_eq!(DrawRules::named("standard"), Some(STANDARD));
        assert_eq!(DrawRules::named("claims"), Some(CLAIMS));
        let fen = "7k/8/8/8/8/8/8/R3K3 w - - 100 90";
        assert_eq!(game(fen, STANDARD).outcome(), Outcome::Ongoing);
        assert_eq!(game(fen, CLAIMS).outcome(), draw(Reason::Rule(Ending::FiftyMoves)));
        for (rules, after) in
            [(STANDARD, Outcome::Ongoing), (CLAIMS, draw(Reason::Rule(Ending::ThreefoldRepetition)))]
        {
            let mut game = game(START, rules);
            play(&mut game, KNIGHTS);
            assert_eq!(game.outcome(), Outcome::Ongoing);
            play(&mut game, KNIGHTS);
            assert_eq!(game.outcome(), after);
        }
    }
}

#[test]
fn insufficient_material_is_a_draw() {
    // a1, c1 and f8 are dark; b1, f1 and c8 are light.
    let table = [
        ("bare kings", "4k3/8/8/8/8/8/8/4K3", true),
        ("one knight", "4k3/8/8/8/8/8/8/1N2K3", true),
        ("one black knight", "1n2k3/8/8/8/8/8/8/4K3", true),
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
        ("a knight against a pawn", "4k3/p7/8/8/8/8/8/1N2K3", false),
    ];
    for (name, board, insufficient) in table {
        let position = position(&format!("{board} w - - 0 1"));
        assert_eq!(position.is_insufficient_material(), insufficient, "{name}");
        assert_eq!(position.mirrored().is_insufficient_material(), insufficient, "{name}, mirrored");
        let expected =
            if insufficient { draw(Reason::Rule(Ending::InsufficientMaterial)) } else { Outcome::Ongoing };
        assert_eq!(position.outcome(1), expected, "{name}");
    }
}

mod claims {
    use super::*;

    fn sans(game: &ChessGame) -> Vec<String> {
        game.legal_moves().into_iter().map(|m| game.position().move_san(m)).collect()
    }

    #[test]
    fn no_claim_at_the_start() {
        let mut game = ChessGame::default();
        assert_eq!(game.claimable_draw(), None);
        assert_eq!(game.claim_draw(), None);
        assert_eq!(game.outcome(), Outcome::Ongoing);
    }

    #[test]
    fn nothing_can_be_claimed_after_the_end() {
        let start = game("7k/8/8/8/8/8/8/R3K3 w - - 100 90", STANDARD);
        let ends: [fn(&mut ChessGame); 3] =
            [|game| game.resign(WHITE), ChessGame::agree_draw, |game| _ = game.claim_draw()];
        for end in ends {
            let mut game = start.clone();
            assert_eq!(game.claimable_draw(), Some(Reason::Rule(Ending::FiftyMoves)));
            end(&mut game);
            assert_eq!((game.claimable_draw(), game.claim_draw()), (None, None));
        }
    }

    #[test]
    fn fifty_moves_can_be_claimed() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 100 90", STANDARD);
        assert_eq!(game.claim_draw(), Some(Reason::Rule(Ending::FiftyMoves)));
        assert_eq!(game.outcome(), draw(Reason::Rule(Ending::FiftyMoves)));
        assert_eq!(game.claim_draw(), None, "the game is over");
    }

    #[test]
    fn fifty_moves_can_be_claimed_one_half_move_ahead() {
        assert_eq!(
            game("7k/8/8/8/8/8/8/R3K3 w - - 99 90", STANDARD).claimable_draw(),
            Some(Reason::Rule(Ending::FiftyMoves))
        );
        assert_eq!(game("7k/8/8/8/8/8/8/R3K3 w - - 98 90", STANDARD).claimable_draw(), None);
    }

    #[test]
    fn fifty_moves_cannot_be_claimed_if_every_move_resets_the_clock() {
        let only_pawn_moves = game("6rk/8/8/8/8/7p/P6P/7K w - - 99 90", STANDARD);
        assert_eq!(sans(&only_pawn_moves), ["a3", "a4"]);
        assert_eq!(only_pawn_moves.claimable_draw(), None);
    }

    #[test]
    fn fifty_moves_cannot_be_claimed_if_every_move_checkmates() {
        // Every king move uncovers the bishop and checkmates, so that the clock no longer matters.
        let mates = game("6bk/7p/8/8/1p6/8/1K6/B7 w - - 99 90", STANDARD);
        assert_eq!(sans(&mates), ["Kb1#", "Kc1#", "Kc2#"]);
        assert_eq!(mates.claimable_draw(), None);
    }

    #[test]
    fn threefold_repetition_can_be_claimed() {
        let mut game = ChessGame::default();
        play(&mut game, KNIGHTS);
        assert_eq!(game.claimable_draw(), None);
        play(&mut game, KNIGHTS);
        assert_eq!(game.occurrences(), 3);
        assert_eq!(game.claim_draw(), Some(Reason::Rule(Ending::ThreefoldRepetition)));
        assert_eq!(game.outcome(), draw(Reason::Rule(Ending::ThreefoldRepetition)));
    }

    #[test]
    fn threefold_repetition_can_be_claimed_one_move_ahead() {
        let mut game = ChessGame::default();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        assert_eq!(game.occurrences(), 2);
        assert_eq!(
            game.claimable_draw(),
            Some(Reason::Rule(Ending::ThreefoldRepetition)),
            "Ng8 would be the third"
        );
        game.undo();
        assert_eq!(game.claimable_draw(), None, "Ng1 would be the second");
    }

    #[test]
    fn fifty_moves_precede_threefold_repetition() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 92 90", STANDARD);
        play(&mut game, "Ra2 Kg8 Ra1 Kh8 Ra2 Kg8 Ra1 Kh8");
        assert_eq!((game.occurrences(), game.position().halfmoves()), (3, 100));
        assert_eq!(game.claimable_draw(), Some(Reason::Rule(Ending::FiftyMoves)));
    }

    #[test]
    fn a_claim_can_be_undone() {
        let mut game = ChessGame::default();
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
        let before = game.clone();
        assert_eq!(game.claim_draw(), Some(Reason::Rule(Ending::ThreefoldRepetition)));
        assert_ne!(game, before);
        assert!(game.undo_declared_end());
        assert_eq!((&game, game.outcome()), (&before, Outcome::Ongoing));
        assert_eq!(game.claimable_draw(), Some(Reason::Rule(Ending::ThreefoldRepetition)));
    }
}

mod repetition {
    use super::*;

    #[test]
    fn losing_a_castling_right_changes_the_position() {
        let mut game = game("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", STANDARD);
        // The rooks return, the queenside rights do not.
        play(&mut game, "Rb1 Rb8 Ra1 Ra8");
        assert_eq!(game.occurrences(), 1);
        play(&mut game, "Rb1 Rb8 Ra1 Ra8");
        assert_eq!(game.occurrences(), 2);
    }

    #[test]
    fn a_legal_en_passant_capture_changes_the_position() {
        // The pawn on d4 can capture right after e4, but not after the knights have moved.
        let mut game = game("1n2k3/8/8/8/3p4/8/4P3/1N2K3 w - - 0 1", STANDARD);
        play(&mut game, "e4 Nc6 Na3 Nb8 Nb1");
        assert_eq!(game.occurrences(), 1);
    }

    #[test]
    fn an_en_passant_square_without_a_capture_is_ignored() {
        let mut game = ChessGame::default();
        play(&mut game, "e4 Nf6 Nf3 Ng8 Ng1");
        assert_eq!(game.occurrences(), 2, "no black pawn can capture after e4");
    }

    #[test]
    fn an_en_passant_capture_by_a_pinned_pawn_is_ignored() {
        // The pawn on d4 is pinned to its king by the queen on d1.
        let mut game = game("1n1k4/8/8/8/3p4/8/4P3/1N1QK3 w - - 0 1", STANDARD);
        play(&mut game, "e4 Nc6 Nc3 Nb8 Nb1");
        assert_eq!(game.occurrences(), 2);
    }

    #[test]
    fn a_king_beside_a_double_step_is_ignored() {
        // The king on d4 attacks e3, but it cannot capture en passant.
        let mut game = game("1n6/8/8/8/3k4/8/4P3/1N2K3 w - - 0 1", STANDARD);
        play(&mut game, "e4 Kd3 Na3 Kd4 Nb1");
        assert_eq!(game.occurrences(), 2);
    }

    #[test]
    fn the_side_to_move_is_part_of_the_position() {
        // White loses a tempo by triangulation.
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 0 1", STANDARD);
        play(&mut game, "Ke2 Kg8 Kd1 Kh8 Ke1");
        assert_eq!(game.position().turn(), BLACK);
        assert_eq!(game.occurrences(), 1);
    }

    #[test]
    fn the_history_starts_at_the_fen() {
        let mut game = game("7k/8/8/8/8/8/8/R3K3 w - - 80 90", STANDARD);
        assert_eq!(game.occurrences(), 1);
        play(&mut game, "Ra2 Kg8 Ra1 Kh8");
        assert_eq!(game.occurrences(), 2);
    }

    #[test]
    fn undo_removes_an_occurrence() {
        let mut game = ChessGame::default();
        play(&mut game, KNIGHTS);
        play(&mut game, "Nf3");
        assert_eq!(game.occurrences(), 2);
        game.undo();
        game.undo();
        play(&mut game, "Rg8 Nf3");
        assert_eq!(game.occurrences(), 1);
    }
}
