//! Positions, actions and records as text.

use sandtable_core::{Game, Notation, Outcome, Player, Position as _, Tags};
use sandtable_tribun::{
    Action, Conduct, DrawAct, DrawTalk, End, Event, Position, Reason, Rules, Tile, TribunGame,
};

const RULES: Rules = Rules::STANDARD;

fn read(text: &str) -> Result<Position, String> {
    Position::from_text(text, RULES).map_err(|error| error.to_string())
}

#[test]
fn the_start_is_a_line_that_a_person_can_read() {
    let start = "black:a1=1*,a3=2,a4=2,b2=3,b3=3,b4=2,b6=1,c1=2,c2=3,c3=2,c5=2,c6=1,d1=2,d2=2,d5=1,d6=1,e3=2,\
                 e4=1,f2=1,f3=1,f4=1 white:f8=1,f9=1,f10=1,g8=1,g9=2,h6=1,h7=1,h10=2,h11=2,i6=1,i7=2,i9=2,\
                 i10=3,i11=2,j6=1,j8=2,j9=3,j10=3,k8=2,k9=2,k11=1* b -";
    assert_eq!(Position::start(RULES).to_text(), start);
    assert_eq!(read(start), Ok(Position::start(RULES)));
}

#[test]
fn base64_and_a_turn_are_a_position_too() {
    for turn in Player::ALL {
        let position = Position::new(*Position::start(RULES).board(), turn, RULES);
        let text = format!("{} {}", position.board().to_base64(), ["b", "w"][turn.index()]);
        assert_eq!(read(&text), Ok(position));
        assert_eq!(
            read(&format!("  {text}  offer:w ")),
            Ok(position.with_talk(DrawTalk::Offered(Player::Second)))
        );
    }
}

#[test]
fn units_come_in_any_order() {
    let position = read("black:f6=3/2,a1=1* white:k11=4* w declined:b").unwrap();
    assert_eq!(position.to_text(), "black:a1=1*,f6=3/2 white:k11=4* w declined:b");
}

#[test]
fn a_text_that_is_no_position_says_what_is_wrong() {
    for (text, error) in [
        ("", "the text ends where a board should follow"),
        ("black:a1=1*", "the text ends where White's units should follow"),
        ("black:a1=1* k11=1* b", "`k11=1*` stands where White's units should: they begin with `white:`"),
        ("black:a1=1* white:k11=1*", "the text ends where `b` or `w` for the turn should follow"),
        ("black:a1=1* white:k11=1* x", "`x` is nobody's turn: `b` is Black's and `w` is White's"),
        ("black:a1 white:k11=1* b", "`a1` is not a unit on a tile, as in `f6=3/2`"),
        ("black:a1=1*,a1=2 white:k11=1* b", "two units stand on a1"),
        ("black:a1=1*,k11=2 white:k11=1* b", "two units stand on k11"),
        (
            "black:a11=1* white:k11=1* b",
            "`a11` is not a tile: (-5,5) is off the board: |x|, |y| and |x - y| are at most 5",
        ),
        (
            "black:a1=2/6 white:k11=1* b",
            "`2/6` is not a unit: a unit of height 2 cannot hold a slave of height 6",
        ),
        ("black:a1=1 white: b", "Black has 0 tribuns instead of one; White has 0 tribuns instead of one"),
        (
            "black:a1=1* white:k11=1* b maybe",
            "`maybe` is no draw offer: write `-`, `offer:b`, `offer:w`, `declined:b` or `declined:w`",
        ),
        ("black:a1=1* white:k11=1* b - #", "no enemy unit reaches the tribun of Black"),
        ("black:a1=1* white:k11=1* b - more", "`more` follows the end of the position"),
        ("rubbish b", "the base64 of a board has 164 characters, not 7"),
    ] {
        assert_eq!(read(text).unwrap_err(), error, "{text}");
    }
}

#[test]
fn every_kind_of_action_is_written_as_the_table_says() {
    for (word, text) in [
        (0x0000_243C, "f6-g7"),
        (0x0000_643C, "f6s-g7"),
        (0x1000_2A3C, "f6xh8"),
        (0x1000_6A3C, "f6sxh8"),
        (0x2000_0048, "g7~"),
        (0x3000_00C8, "g7-2"),
        (0x4000_1E48, "g7+f6"),
        (0x5000_2C3C, "2g7+1e5>f6"),
        (0x6000_003C, "1g7+1g6+1f7+1e5+1e6+1f5>f6"),
        (0x6000_02BC, "2g7+2e6+2f5>f6"),
        (0x7002_00BC, "f6>1g7+2e5"),
        (0x8000_023C, "f6!e6"),
        (0x9000_2A3C, "f6#h8"),
    ] {
        let Ok(Event::Board(action)) = Event::from_word(word) else { panic!("{word:#010x} is an action") };
        assert_eq!(action.to_string(), text);
    }
}

#[test]
fn words_are_read_as_moves_in_hexadecimal_and_decimal() {
    let position = read("black:a1=1*,f6=1 white:k11=1* b").unwrap();
    let action = position.parse_move("f6-g7").unwrap();
    assert_eq!(position.parse_move("0x0000243C"), Ok(action));
    assert_eq!(position.parse_move("0x243c"), Ok(action));
    assert_eq!(position.parse_move("9276"), Ok(action));
}

#[test]
fn a_text_that_is_no_legal_action_says_what_is_wrong() {
    let position = read("black:a1=1*,f6=1 white:k11=1* b").unwrap();
    let error = |text: &str| position.parse_move(text).unwrap_err().to_string();
    for text in ["", "f6", "f6?g7", "f6s", "f6s+g7", "g7~x", "-", "é"] {
        assert!(
            error(text).starts_with(&format!("`{text}` is no action: write one such as f6-g7")),
            "{text}"
        );
    }
    assert_eq!(error("f6-h8"), "f6-h8 is not legal in this position");
    assert!(error("f6-z9").starts_with("`z9` is not a tile"));
    assert_eq!(error("f6-9"), "`9` is not an amount from 1 to 8");
    assert_eq!(error("f6>8g7"), "`8` is not the height of a part: 1, 2, 3, 4 or 6");
    assert_eq!(error("f6>1h8"), "f6 and h8 do not touch");
    assert_eq!(error("f6>1g7+1g7"), "g7 is named twice");
    assert_eq!(error("f6!k11"), "f6 and k11 do not touch");
    assert!(error("1g7+1e5+1g6>f6").starts_with("these donors do not combine"));
    assert!(error("1g7>f6").starts_with("these donors do not combine"));
    assert_eq!(error("0xA0000006"), "0xa0000006 is not an action on the board");
    assert_eq!(error("0xF0000000"), "opcode 15 is not in use");
    assert!(error("0x+243C").starts_with("`0x+243C` is no action"));
    assert!(error("99999999999").starts_with("`99999999999` is no action"));
}

/// A game with offers, declined and open, that a player gives up.
fn resigned() -> TribunGame {
    let mut game = Game::new(RULES);
    let draw = |actor, act| Event::Draw { actor, act };
    let play = |game: &mut TribunGame, text| {
        let action = game.position().parse_move(text).unwrap();
        game.happen(Event::Board(action)).unwrap();
    };
    play(&mut game, "b3-e5");
    game.happen(draw(Player::First, DrawAct::Offer)).unwrap();
    play(&mut game, "j9-g7");
    game.happen(draw(Player::Second, DrawAct::Decline)).unwrap();
    play(&mut game, "c6-d7");
    game.happen(draw(Player::Second, DrawAct::Offer)).unwrap();
    game.happen(Event::End(End::Resign { loser: Player::First })).unwrap();
    game
}

#[test]
fn a_record_is_a_text_that_a_person_can_read() {
    let tags: Tags = vec![("Event".into(), "An \"evening\"".into())];
    let text = Position::write_record(&resigned(), &tags);
    let expected = "[Event \"An \\\"evening\\\"\"]
[Rules \"standard\"]
[Result \"White: resignation\"]

1. b3-e5 {offer:b} j9-g7 {declined:b} 2. c6-d7 {offer:w}
";
    assert_eq!(text, expected);
    assert_eq!(Position::read_record(&text, RULES), Ok((resigned(), tags)));
}

#[test]
fn the_rules_tag_is_stronger_than_the_readers_rules() {
    let game = TribunGame::new(Rules::NINETY);
    let text = Position::write_record(&game, &Tags::new());
    assert_eq!(Position::read_record(&text, RULES).unwrap().0, game);
    let unnamed = Rules { enslaving: false, ..RULES };
    let game = TribunGame::new(unnamed);
    let text = Position::write_record(&game, &Tags::new());
    assert!(!text.contains("Rules"));
    assert_eq!(Position::read_record(&text, unnamed).unwrap().0, game);
}

#[test]
fn every_end_survives_a_record() {
    let won = read("black:a1=1*,f8=1 white:g8=8* b").unwrap();
    let mut by_attack = TribunGame::from_position(won);
    by_attack.play(won.parse_move("f8#g8").unwrap()).unwrap();
    let mut games = vec![by_attack];
    for end in
        [End::Resign { loser: Player::Second }, End::PlayerTime { loser: Player::First }, End::GameTime]
    {
        let mut game = TribunGame::new(RULES);
        game.happen(Event::End(end)).unwrap();
        games.push(game);
    }
    for game in games {
        let text = Position::write_record(&game, &Tags::new());
        assert_eq!(Position::read_record(&text, RULES), Ok((game, Tags::new())), "{text}");
    }
}

#[test]
fn a_record_without_a_result_goes_on() {
    let (game, tags) = Position::read_record("1. b3-e5 2... j9-g7", RULES).unwrap();
    assert_eq!((game.ply(), game.outcome(), tags.len()), (2, Outcome::Ongoing, 0));
    assert_eq!(Position::read_record("", RULES).unwrap().0, TribunGame::new(RULES));
}

#[test]
fn a_text_that_is_no_record_says_in_which_line() {
    let won = "[Position \"black:a1=1*,f8=1 white:g8=8* b\"]";
    for (text, error) in [
        ("[Event]", "line 1: `[Event]` is not a tag, as in `[Event \"An evening\"]`".to_owned()),
        ("\n[A \"b\"c\"]", "line 2: `[A \"b\"c\"]` is not a tag, as in `[Event \"An evening\"]`".to_owned()),
        ("[Rules \"mine\"]", "line 1: there are no rules called `mine`".to_owned()),
        ("[Position \"x b\"]", "line 1: the position: the base64 of a board has 164 characters, not 1".to_owned()),
        (
            "[Result \"Black: agreement\"]",
            "line 1: `Black: agreement` is no result: write `*`, or who won (Black, White, draw) and why, as in \
             `Black: resignation`"
                .to_owned(),
        ),
        (
            "[Result \"Black: tribun attacked\"]\n1. b3-e5",
            "line 1: the result is `Black: tribun attacked`, but the game ends with `*`".to_owned(),
        ),
        (
            &format!("[Result \"White: resignation\"]\n{won}\nf8#g8"),
            "line 1: the result is `White: resignation`, but the game ends with `Black: tribun attacked`".to_owned(),
        ),
        ("1. b3-e5\nj9-a1", "line 2: action 2: j9-a1 is not legal in this position".to_owned()),
        (
            "{perhaps}",
            "line 1: `{perhaps}` is no draw offer: write `{-}`, `{offer:b}` or `{declined:b}`, or w for White".to_owned(),
        ),
        (&format!("{won}\nf8#g8 g8-g9"), "line 2: `g8-g9` follows the end of the game".to_owned()),
    ] {
        assert_eq!(Position::read_record(text, RULES).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn an_action_names_its_tiles() {
    let position = read("black:a1=1*,f6=2/1,f8=1 white:k11=1*,g8=4 b").unwrap();
    let tiles = |text: &str| {
        let action = position.parse_move(text).unwrap();
        action.tiles().map(|tile: Tile| tile.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(tiles("f6-e7"), ["f6", "e7"]);
    assert_eq!(tiles("g8-2"), ["g8"]);
    assert_eq!(tiles("f6>1g7+1e5"), ["f6", "g7", "e5"]);
    assert_eq!(tiles("1f8+2f6>f7"), ["f7", "f8", "f6"]);
    assert_eq!(tiles("f6!g7"), ["f6", "g7"]);
    assert_eq!(Action::Liberate { target: "f6".parse().unwrap() }.tiles().count(), 1);
}

#[test]
fn reasons_are_written_in_words() {
    let words: Vec<_> = Reason::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(words, ["tribun attacked", "no action", "resignation", "agreement", "time", "game time"]);
}
