//! PGN: the parser with its leniencies, the strict writer, and errors with their place.

use sandtable_chess::notation::{IllegalReason, MoveError, PositionError, RecordError, RecordFault};
use sandtable_chess::{BLACK, Chess, ChessGame, DrawRules, Ending, Move, Reason, Role, WHITE};
use sandtable_core::record::{self, Annotations, Record, ResultWord, SyntaxFault, Tags};
use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::{Game, Notation as _, Outcome, Position};

fn read(text: &str) -> Record<Chess> {
    Chess::read_record(text, DrawRules::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn read_all(text: &str) -> Vec<Result<Record<Chess>, RecordError>> {
    record::read_all(text, DrawRules::default()).collect()
}

fn write(record: &Record<Chess>) -> String {
    Chess::write_record(&record.game, &record.tags, &record.annotations)
}

/// The moves of the main line as UCI.
fn moves(pgn: &Record<Chess>) -> String {
    uci(&pgn.game.moves_played().collect::<Vec<_>>())
}

fn uci(moves: &[Move]) -> String {
    moves.iter().map(|m| Chess::default().move_text(*m)).collect::<Vec<_>>().join(" ")
}

/// The comment after `ply` moves of the main line.
fn comment(pgn: &Record<Chess>, ply: usize) -> &str {
    pgn.annotations.note(ply).map_or("", |note| &note.comment)
}

#[track_caller]
fn fault(text: &str, line: usize, column: usize, fault: impl Into<RecordFault>) {
    let error = Chess::read_record(text, DrawRules::default()).expect_err(text);
    assert_eq!((error.line, error.column), (line, column), "{error}");
    assert_eq!(error.fault, fault.into());
}

mod reading {
    use super::*;

    #[test]
    fn a_typical_game() {
        let pgn = read(
            "[Event \"Casual\"]\n[Site \"Here\"]\n[Date \"2026.11.15\"]\n[Round \"1\"]\n[White \"A\"]\n\
             [Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n",
        );
        assert_eq!(moves(&pgn), "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(pgn.tag("White"), Some("A"));
        assert_eq!(pgn.tag("Opening"), None);
        assert_eq!(
            pgn.game.outcome(),
            Outcome::Win { winner: BLACK, reason: Reason::Rule(Ending::Checkmate) }
        );
    }

    #[test]
    fn tags_with_escapes_and_spaces() {
        let pgn =
            read("[ Event  \"a \\\"quoted\\\" \\\\ word\" ]\n[Note \"[x] {y} ; % $1\"]\n[Empty \"\"]\n\n*\n");
        assert_eq!(pgn.tag("Event"), Some(r#"a "quoted" \ word"#));
        assert_eq!(pgn.tag("Note"), Some("[x] {y} ; % $1"));
        assert_eq!(pgn.tag("Empty"), Some(""));
    }

    #[test]
    fn comments_stay_with_their_move() {
        let pgn = read("{before\nall} 1. e4 {one} ; two\n{three} e5 ; last\n*");
        assert_eq!([0, 1, 2].map(|ply| comment(&pgn, ply)), ["before all", "one two three", "last"]);
    }

    #[test]
    fn delimiters_inside_comments_are_ignored() {
        let pgn = read("1. e4 ; an open { brace\n e5 {a ; semicolon} 2. Nf3 {an ( open} *");
        assert_eq!(moves(&pgn), "e2e4 e7e5 g1f3");
        assert_eq!(comment(&pgn, 2), "a ; semicolon");
    }

    #[test]
    fn variations_replace_the_move_before_them() {
        let pgn = read(
            "1. e4 (1. d4 d5 (1... Nf6 {a ) in a comment} 2. c4 (2. Nf3)) 2. c4! ; a ( in a comment\n) (c4) e5 \
             (1... c5 2. Nf3 1-0) 2. Nf3 *",
        );
        assert_eq!(moves(&pgn), "e2e4 e7e5 g1f3");
        assert_eq!(pgn.game.outcome(), Outcome::Ongoing, "a result in a variation does not count");
        let [first, second] = pgn.annotations.variations(0) else { panic!("two variations of e4") };
        assert_eq!((uci(&first.moves), uci(&second.moves)), ("d2d4 d7d5 c2c4".into(), "c2c4".into()));
        assert_eq!(first.annotations.note(3).unwrap().comment, "a ( in a comment");
        assert_eq!(first.annotations.note(3).unwrap().glyphs, [1]);
        let [nested] = first.annotations.variations(1) else { panic!("a variation of d5") };
        assert_eq!(uci(&nested.moves), "g8f6 c2c4");
        assert_eq!(uci(&nested.annotations.variations(1)[0].moves), "g1f3");
        assert_eq!(uci(&pgn.annotations.variations(1)[0].moves), "c7c5 g1f3");
    }

    #[test]
    fn the_comment_of_an_empty_variation_is_kept() {
        let pgn = read("1. e4 ({nothing better}) () e5 *");
        assert_eq!(comment(&pgn, 1), "nothing better");
        assert_eq!(pgn.annotations.all_variations().count(), 0);
    }

    #[test]
    fn annotations_are_numbers_or_suffixes() {
        let pgn = read("1. e4! $10 e5?? 2. Nf3!? $1 $255 Nc6 $0 3. Bb5?! a6!! 4. Ba4? *");
        let glyphs: Vec<_> = pgn.annotations.notes().map(|(_, note)| note.glyphs.clone()).collect();
        let expected: [&[u8]; 7] = [&[1, 10], &[4], &[5, 1, 255], &[0], &[6], &[3], &[2]];
        assert_eq!(glyphs, expected);
        assert_eq!(read("1. e4 ! e5 *").annotations, read("1. e4! e5 *").annotations);
        assert_eq!(moves(&read("1. e4!!! *")), "e2e4", "an unknown suffix is no annotation");
    }

    #[test]
    fn percent_lines_are_skipped() {
        let pgn = read("% tool 1.0\n[Event \"x\"]\n%[Event \"y\"]\n\n1. e4\n% 1... a6 ( {\ne5 *");
        assert_eq!(moves(&pgn), "e2e4 e7e5");
        assert_eq!(pgn.tags.len(), 1);
    }

    #[test]
    fn move_numbers_may_be_missing_wrong_or_attached() {
        for text in [
            "e4 e5 Nf3 *",
            "1.e4 e5 2.Nf3 *",
            "1. e4 1... e5 2. Nf3 *",
            "7. e4 7 e5 99...Nf3 *",
            "1 . e4 e5 Nf3",
            "1 .e4 1… e5 2.Nf3",
            "1. e4 1…e5 2 Nf3",
        ] {
            assert_eq!(moves(&read(text)), "e2e4 e7e5 g1f3", "{text}");
        }
    }

    #[test]
    fn uci_moves_and_castling_with_zeros_are_accepted() {
        let pgn = read("1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4 f8c5 4. 0-0 *");
        assert!(moves(&pgn).ends_with("e1g1"));
        let numbered = read("1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.0-0 *");
        assert!(moves(&numbered).ends_with("e1g1"));
    }

    #[test]
    fn crlf_and_byte_order_marks_are_accepted() {
        let text = "[Event \"x\"]\n\n1. e4 ; a comment\n% skipped\ne5 *\n\n[Event \"y\"]\n\n1. d4 *\n";
        let plain = read_all(text);
        assert_eq!(read_all(&text.replace('\n', "\r\n")), plain);
        assert_eq!(read_all(&format!("\u{feff}{text}")), plain);
        assert_eq!(moves(&read("\u{feff}% a skipped line\n1. e4 *")), "e2e4");
    }

    #[test]
    fn the_fen_tag_sets_the_first_position() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40";
        let pgn = read(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n40... Kd7 41. e4 *"));
        assert_eq!(pgn.game.first_position().to_fen(), fen);
        assert_eq!(pgn.game.position().to_fen(), "8/3k4/8/8/4P3/8/8/4K3 b - - 0 41");
    }

    #[test]
    fn the_first_fen_tag_wins() {
        let pgn = read("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[FEN \"nonsense\"]\n\n1. e4 *");
        assert_eq!(pgn.tag("FEN"), Some(pgn.game.first_position().to_fen().as_str()));
    }

    fn result_of(text: &str) -> ResultWord {
        ResultWord::of(read(text).game.outcome())
    }

    #[test]
    fn a_missing_result_comes_from_the_tag() {
        for (tag, result) in
            [("1-0", ResultWord::FirstWins), ("1/2-1/2", ResultWord::Draw), ("?", ResultWord::Unknown)]
        {
            assert_eq!(result_of(&format!("[Result \"{tag}\"]\n\n1. e4")), result);
        }
        assert_eq!(result_of("1. e4"), ResultWord::Unknown);
    }

    #[test]
    fn the_result_in_the_movetext_overrides_the_tag() {
        assert_eq!(result_of("[Result \"1-0\"]\n\n1. e4 0-1"), ResultWord::SecondWins);
    }
}

mod several_games {
    use super::*;

    #[test]
    fn all_games_are_read() {
        let games = read_all("[Event \"1\"]\n\n1. e4 *\n\n[Event \"2\"]\n\n1. d4 *\n1. c4 * 1. Nf3 *");
        let texts: Vec<_> = games.into_iter().map(|game| moves(&game.unwrap())).collect();
        assert_eq!(texts, ["e2e4", "d2d4", "c2c4", "g1f3"]);
    }

    #[test]
    fn a_tag_ends_a_game_without_result() {
        let games = read_all("[Event \"1\"]\n\n1. e4\n\n[Event \"2\"]\n\n1. d4");
        let texts: Vec<_> = games.into_iter().map(|game| moves(&game.unwrap())).collect();
        assert_eq!(texts, ["e2e4", "d2d4"]);
    }

    #[test]
    fn reading_continues_after_a_broken_game() {
        for broken in [
            "1. e4 e4 2. d4 *",
            "1. e4 {never closed *",
            "1. e4 (1. d4 *",
            "1. e4 ) *",
            "1. e4 } *",
            "1. e4 $ *",
            "1. e4 $1000 *",
        ] {
            for gap in ["\n\n", "\r\n\r\n", "\n  \n"] {
                let tags = |n| format!("[Event \"{n}\"]\n[Round \"{n}\"]{gap}");
                let text = format!("{}1. c4 *{gap}{}{broken}{gap}{}1. d4 *\n", tags(1), tags(2), tags(3));
                let games = read_all(&text);
                assert_eq!(games.len(), 3, "{broken}");
                assert_eq!(games[0].as_ref().unwrap().tag("Round"), Some("1"));
                assert!(games[1].is_err(), "{broken}");
                assert_eq!(games[2].as_ref().unwrap().tag("Round"), Some("3"), "{broken}");
            }
        }
    }

    #[test]
    fn reading_continues_after_broken_tags() {
        for broken in ["[Event 1]", "[Event \"x]", "[\"x\"]", "[FEN \"nonsense\"]", "[Event \"x\"", "["] {
            let text = format!("{broken}\n[Round \"1\"]\n\n1. e4 *\n\n[Round \"2\"]\n\n1. d4 *");
            let games = read_all(&text);
            assert_eq!(games.len(), 2, "{broken}");
            assert!(games[0].is_err(), "{broken}");
            assert_eq!(games[1].as_ref().unwrap().tag("Round"), Some("2"));
        }
    }

    #[test]
    fn reading_continues_after_an_unclosed_comment() {
        let games = read_all("1. e4 {oh\n\n[Round \"2\"]\n\n1. d4 *\n\n[Round \"3\"]\n\n1. c4 *");
        assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 2);
    }

    #[test]
    fn comments_after_the_result_are_skipped() {
        let games = read_all("[Round \"1\"]\n\n1. e4 1-0 {White won on time}\n\n[Round \"2\"]\n\n1. d4 *");
        let rounds: Vec<_> = games.iter().map(|game| game.as_ref().unwrap().tag("Round")).collect();
        assert_eq!(rounds, [Some("1"), Some("2")]);
    }

    #[test]
    fn texts_without_moves_and_tags_contain_no_game() {
        for text in ["", " \n\t", "\u{feff}", "% only this", "{a comment}", "; a comment", "$1"] {
            assert_eq!(read_all(text), [], "{text:?}");
            fault(text, 1, 1, RecordFault::NoGame);
        }
    }
}

mod results {
    use super::*;

    fn outcome(text: &str) -> Outcome<Reason> {
        read(text).game.outcome()
    }

    #[test]
    fn a_result_without_reason_is_recorded() {
        assert_eq!(
            outcome("1. e4 1-0"),
            Outcome::Win { winner: WHITE, reason: Reason::Rule(Ending::Recorded) }
        );
        assert_eq!(
            outcome("1. e4 0-1"),
            Outcome::Win { winner: BLACK, reason: Reason::Rule(Ending::Recorded) }
        );
        assert_eq!(outcome("1. e4 1/2-1/2"), Outcome::Draw { reason: Reason::Rule(Ending::Recorded) });
        assert_eq!(outcome("1. e4 *"), Outcome::Ongoing);
    }

    #[test]
    fn the_termination_tag_gives_the_reason() {
        let ended = |termination: &str, result| {
            outcome(&format!("[Termination \"{termination}\"]\n\n1. e4 {result}")).reason().unwrap()
        };
        assert_eq!(ended("resignation", "1-0"), Reason::Resignation);
        assert_eq!(ended("Time forfeit", "0-1"), Reason::Time);
        assert_eq!(ended("agreement", "1/2-1/2"), Reason::Agreement);
        assert_eq!(ended("threefold repetition", "1/2-1/2"), Reason::Rule(Ending::ThreefoldRepetition));
        assert_eq!(ended("50 moves without progress", "1/2-1/2"), Reason::Rule(Ending::FiftyMoves));
        assert_eq!(ended("abandoned", "1-0"), Reason::Rule(Ending::Recorded));
    }

    #[test]
    fn a_termination_tag_that_contradicts_the_board_is_ignored() {
        let ended = |termination: &str, result| {
            outcome(&format!("[Termination \"{termination}\"]\n\n1. e4 {result}")).reason().unwrap()
        };
        assert_eq!(ended("checkmate", "1-0"), Reason::Rule(Ending::Recorded));
        assert_eq!(ended("stalemate", "1/2-1/2"), Reason::Rule(Ending::Recorded));
        assert_eq!(ended("stalemate", "1-0"), Reason::Rule(Ending::Recorded));
        assert_eq!(ended("agreement", "1-0"), Reason::Rule(Ending::Recorded));
        assert_eq!(ended("resignation", "1/2-1/2"), Reason::Rule(Ending::Recorded));
    }

    #[test]
    fn the_board_overrides_the_result() {
        let mate = outcome("1. f3 e5 2. g4 Qh4# 1-0");
        assert_eq!(mate, Outcome::Win { winner: BLACK, reason: Reason::Rule(Ending::Checkmate) });
        let stalemate = "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf7 0-1";
        assert_eq!(outcome(stalemate), Outcome::Draw { reason: Reason::Rule(Ending::Stalemate) });
    }

    #[test]
    fn a_game_continued_after_fivefold_repetition_is_read_completely() {
        let rounds = ["Nf3 Nf6 Ng1 Ng8"; 5].join(" ");
        let pgn = read(&format!("{rounds} e4 e5 1/2-1/2"));
        let game = pgn.game;
        assert_eq!((game.ply(), game.occurrences()), (22, 1));
        assert_eq!(game.outcome(), Outcome::Draw { reason: Reason::Rule(Ending::Recorded) });
        let short = read(&format!("{rounds} *")).game;
        assert_eq!(short.occurrences(), 6);
        assert_eq!(short.outcome(), Outcome::Draw { reason: Reason::Rule(Ending::FivefoldRepetition) });
    }
}

mod writing {
    use super::*;

    #[test]
    fn the_standard_tags_come_first() {
        let mut game = ChessGame::default();
        for text in ["e4", "e5"] {
            game.play_text(text).unwrap();
        }
        let tags: Tags = vec![("Annotator".into(), "C".into()), ("White".into(), "A \"B\" \\".into())];
        assert_eq!(
            game.record(&tags),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A \\\"B\\\" \\\\\"]\n\
             [Black \"?\"]\n[Result \"*\"]\n[Annotator \"C\"]\n\n1. e4 e5 *\n"
        );
    }

    #[test]
    fn the_result_tag_is_derived_from_the_result() {
        let text = write(&read("1. e4 1-0"));
        assert!(text.contains("[Result \"1-0\"]") && text.ends_with("1. e4 1-0\n"), "{text}");
        let text = write(&read("[Result \"0-1\"]\n\n1. e4 1-0"));
        assert!(text.contains("[Result \"1-0\"]") && !text.contains("0-1\""), "{text}");
    }

    #[test]
    fn a_game_from_a_fen_has_a_fen_tag() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 40";
        let mut game = ChessGame::from_text(fen, DrawRules::default()).unwrap();
        game.play_text("Kd7").unwrap();
        let text = game.record(&Tags::new());
        assert!(text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")), "{text}");
        assert!(text.ends_with("\n\n40... Kd7 *\n"), "{text}");
        assert!(!ChessGame::default().record(&vec![("FEN".into(), fen.into())]).contains("FEN"));
    }

    #[test]
    fn a_comment_repeats_the_move_number() {
        let text = write(&read("1. e4 {good} e5 2. Nf3 $1 Nc6 *"));
        assert!(text.ends_with("\n\n1. e4 {good} 1... e5 2. Nf3 $1 Nc6 *\n"), "{text}");
    }

    #[test]
    fn lines_have_at_most_79_characters() {
        for seed in 0..20 {
            let mut game = Game::<Chess>::new(DrawRules::default());
            play_random_moves(&mut game, &mut Rng::new(seed), 300);
            let mut annotations = Annotations::default();
            for ply in (0..game.ply()).step_by(7) {
                annotations.add_glyph(ply, 1);
                annotations.add_glyph(ply, 14);
                annotations.add_comment(ply, &"a word or two ".repeat(ply % 11));
            }
            let text = Chess::write_record(&game, &Tags::new(), &annotations);
            assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
            assert!(text.lines().any(|line| line.chars().count() > 70), "lines are filled");
            let again = read(&text);
            assert_eq!(write(&again), text);
            assert_eq!(again.game, game);
        }
    }

    #[test]
    fn malformed_tags_and_comments_are_written_safely() {
        let mut pgn = read("1. e4 *");
        pgn.annotations.add_comment(1, "a } b\n\nc");
        pgn.annotations.add_comment(0, " \n ");
        pgn.tags = vec![("Event".into(), "two\nlines".into()), ("no name".into(), "x".into())];
        pgn.tags.push((String::new(), "y".into()));
        let text = write(&pgn);
        assert!(text.starts_with("[Event \"two lines\"]\n"), "{text}");
        assert!(text.ends_with("[Result \"*\"]\n\n1. e4\n; a } b c\n*\n"), "{text}");
        assert_eq!(moves(&read(&text)), "e2e4");
    }

    #[test]
    fn closing_braces_in_comments_round_trip() {
        let words = "one } two ".repeat(30);
        let once = read(&format!("; at }} first\n1. e4 ; {words}\ne5 ; }}\n2. Nf3 *"));
        let text = write(&once);
        assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
        let twice = read(&text);
        assert_eq!((&twice.game, &twice.annotations), (&once.game, &once.annotations), "{text}");
        assert_eq!((comment(&once, 1), comment(&once, 2)), (words.trim(), "}"));
    }

    #[test]
    fn annotated_games_round_trip() {
        let text = "[Event \"x\"]\n[Result \"1-0\"]\n[Opening \"y\"]\n\n{first} 1. e4! {a b} (1. d4) e5 $2 $14 \
                    2. Nf3 ; line\nNc6 {last} 1-0";
        let (once, twice) = (read(text), read(&write(&read(text))));
        assert_eq!((&twice.game, &twice.annotations), (&once.game, &once.annotations));
        assert_eq!(twice.tag("Opening"), Some("y"));
        assert_eq!(write(&twice), write(&once));
    }

    #[test]
    fn variations_are_written_after_the_move_that_they_replace() {
        let text = write(&read("1. e4 e5 (c5 2. Nf3 ; a }\n) (1... e6 $2 (1... d5 {x})) 2. Nf3 *"));
        let expected = "1. e4 e5 (1... c5 2. Nf3\n; a }\n) (1... e6 $2 (1... d5 {x})) 2. Nf3 *\n";
        assert!(text.ends_with(expected), "{text}");
        let text = write(&read("1. e4 (1. d4) e5 *"));
        assert!(text.ends_with("1. e4 (1. d4) 1... e5 *\n"), "{text}");
    }

    #[test]
    fn claimed_draws_round_trip() {
        let mut game = ChessGame::default();
        for text in ["Nf3 Nf6 Ng1 Ng8"; 2].join(" ").split(' ') {
            game.play_text(text).unwrap();
        }
        assert_eq!(game.claim_draw(), Some(Reason::Rule(Ending::ThreefoldRepetition)));
        let (again, _) = ChessGame::from_record(&game.record(&Tags::new()), DrawRules::default()).unwrap();
        assert_eq!(again, game);
    }
}

mod errors {
    use super::*;

    #[test]
    fn errors_have_their_line_and_column() {
        fault("[Event]\n\n*", 1, 1, SyntaxFault::Tag);
        fault("[Event \"x\"]\n [Site \"y\n\"]\n\n*", 2, 2, SyntaxFault::Tag);
        fault("[Event \"x\" y]\n\n*", 1, 1, SyntaxFault::Tag);
        fault("1. e4\n  {oh", 2, 3, SyntaxFault::UnclosedComment);
        fault("1. e4 (1. d4 (1. c4)\n", 1, 7, SyntaxFault::UnclosedVariation);
        fault("1. e4 (1. d4 (1. c4\n", 1, 14, SyntaxFault::UnclosedVariation);
        fault("1. e4 (1. d4 {oh", 1, 14, SyntaxFault::UnclosedComment);
        fault("1. e4 e5\n2. Nf3 )", 2, 8, SyntaxFault::Unmatched(')'));
        fault("1. e4 é } *", 1, 7, RecordFault::Move(MoveError::Syntax("é".into())));
        fault("1. e4 {é} } *", 1, 11, SyntaxFault::Unmatched('}'));
        fault("1. e4 $x", 1, 7, SyntaxFault::Annotation);
        fault("1. e4 $256", 1, 7, SyntaxFault::Annotation);
        fault("(1. e4)", 1, 1, SyntaxFault::VariationFirst);
        fault("1. e4 ((1. d4) 1. c4)", 1, 8, SyntaxFault::VariationFirst);
        fault("1. e4 e5\n(1... c5 2. Ke3) *", 2, 13, illegal("Ke3"));
        fault(&format!("1. e4 {} *", "(1. d4 ".repeat(33)), 1, 231, SyntaxFault::Nesting(32));
        fault("[Event \"x\"]\n[FEN \"8/8 w\"]\n\n*", 2, 1, RecordFault::Fen(PositionError::Fields(2)));
        fault("1. e4 e5\n2. Zz9 *", 2, 4, RecordFault::Move(MoveError::Syntax("Zz9".into())));
        fault("1. e4 ] *", 1, 7, RecordFault::Move(MoveError::Syntax("]".into())));
    }

    /// The error of a king's move to e3 that is not possible.
    fn illegal(text: &str) -> RecordFault {
        let reason = IllegalReason::NoSuchMove { role: Role::King, to: "e3".parse().unwrap() };
        RecordFault::Move(MoveError::Illegal { text: text.to_owned(), reason })
    }

    #[test]
    fn error_messages() {
        let message = |text| Chess::read_record(text, DrawRules::default()).unwrap_err().to_string();
        assert_eq!(message(""), "line 1, column 1: no game found");
        assert_eq!(message("[Event]"), "line 1, column 1: malformed tag: expected [Name \"value\"]");
        assert_eq!(message("1. e4 {"), "line 1, column 7: unclosed comment: expected }");
        assert_eq!(message("1. e4 ("), "line 1, column 7: unclosed variation: expected )");
        assert_eq!(message("1. e4 )"), "line 1, column 7: unmatched `)`");
        assert_eq!(
            message("1. e4 $"),
            "line 1, column 7: invalid annotation: expected $ and a number from 0 to 255"
        );
        assert_eq!(
            message("1. e4\ne4"),
            "line 2, column 1: illegal move `e4`: no pawn can legally move to e4"
        );
        assert_eq!(
            message("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]"),
            "line 1, column 1: invalid FEN tag: White has no king; Black has no king"
        );
    }

    #[test]
    fn lines_are_counted_across_games() {
        let games = read_all("[Round \"1\"]\n\n1. e4 *\n\n[Round \"2\"]\n\n1. e5 *\n");
        assert_eq!(games[1].as_ref().unwrap_err().line, 7);
    }
}

#[test]
fn ply_and_turn_after_reading() {
    let game = read("1. e4 e5 2. Nf3 *").game;
    assert_eq!((game.ply(), game.position().turn()), (3, BLACK));
}
