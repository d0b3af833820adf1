//! The text of positions, actions and records.

use sandtable_core::record::{Annotations, Tags};
use sandtable_core::{Notation, Outcome, Player, Position};
use sandtable_tribun::{
    Action, DrawAction, DrawOffer, End, Event, Reason, Rules, Tile, Tribun, TribunExt, TribunGame, Unit,
};

const RULES: Rules = Rules::STANDARD;

fn parse(text: &str) -> Result<Tribun, String> {
    Tribun::from_text(text, RULES).map_err(|error| error.to_string())
}

#[test]
fn the_text_of_the_start_position() {
    let start = "black:a1=1*,a3=2,a4=2,b2=3,b3=3,b4=2,b6=1,c1=2,c2=3,c3=2,c5=2,c6=1,d1=2,d2=2,d5=1,d6=1,e3=2,\
                 e4=1,f2=1,f3=1,f4=1 white:f8=1,f9=1,f10=1,g8=1,g9=2,h6=1,h7=1,h10=2,h11=2,i6=1,i7=2,i9=2,\
                 i10=3,i11=2,j6=1,j8=2,j9=3,j10=3,k8=2,k9=2,k11=1* b -";
    assert_eq!(Tribun::start(RULES).to_text(), start);
    assert_eq!(parse(start), Ok(Tribun::start(RULES)));
}

#[test]
fn positions_parse_from_base64() {
    for turn in Player::ALL {
        let position = Tribun::new(*Tribun::start(RULES).board(), turn, RULES);
        let text = format!("{} {}", position.board().to_base64(), ["b", "w"][turn.index()]);
        assert_eq!(parse(&text), Ok(position));
        assert_eq!(
            Tribun::from_text_with_offer(&format!("  {text}  offer:w "), RULES),
            Ok((position, DrawOffer::Open(Player::Second)))
        );
    }
}

#[test]
fn units_parse_in_any_order() {
    let position = parse("black:f6=3/2,a1=1* white:k11=4* w -").unwrap();
    assert_eq!(position.to_text(), "black:a1=1*,f6=3/2 white:k11=4* w -");
}

#[test]
fn the_draw_offer_is_a_field_of_the_text_and_not_of_the_position() {
    let offers = Player::ALL.into_iter().flat_map(|p| [DrawOffer::Open(p), DrawOffer::Declined(p)]);
    let fields = ["offer:b", "declined:b", "offer:w", "declined:w"];
    for (offer, field) in offers.zip(fields) {
        let text = format!("black:a1=1* white:k11=4* w {field}");
        let (position, parsed) = Tribun::from_text_with_offer(&text, RULES).unwrap();
        assert_eq!((parsed, position.to_text_with_offer(offer)), (offer, text.clone()));
        assert_eq!(parse(&text), Ok(position));
        assert_eq!(position.to_text(), "black:a1=1* white:k11=4* w -");
    }
}

#[test]
fn position_errors_name_the_offending_text() {
    for (text, error) in [
        ("", "expected the units or the base64 of a board, found the end of the position"),
        ("black:a1=1*", "expected White's units, found the end of the position"),
        ("black:a1=1* k11=1* b", "expected White's units (`white:…`), found `k11=1*`"),
        ("black:a1=1* white:k11=1*", "expected the side to move, b or w, found the end of the position"),
        ("black:a1=1* white:k11=1* x", "invalid side to move `x`: expected b or w"),
        ("black:a1 white:k11=1* b", "invalid unit `a1`: expected a tile, `=` and a unit, such as `f6=3/2`"),
        ("black:a1=1*,a1=2 white:k11=1* b", "tile a1 holds two units: expected at most one"),
        ("black:a1=1*,k11=2 white:k11=1* b", "tile k11 holds two units: expected at most one"),
        (
            "black:a11=1* white:k11=1* b",
            "invalid tile `a11`: (-5,5) is off the board: |x|, |y| and |x - y| are at most 5",
        ),
        (
            "black:a1=2/6 white:k11=1* b",
            "invalid unit `2/6`: a unit of height 2 cannot hold a slave of height 6",
        ),
        (
            "black:a1=1 white: b",
            "Black has 0 tribuns: expected exactly one; White has 0 tribuns: expected exactly one",
        ),
        (
            "black:a1=1* white:k11=1* b maybe",
            "invalid draw offer `maybe`: expected -, offer:b, offer:w, declined:b or declined:w",
        ),
        ("black:a1=1* white:k11=1* b - #", "Black's tribun is not attacked: no enemy unit reaches it"),
        ("black:a1=1* white:k11=1* b - more", "unexpected `more` after the position"),
        ("rubbish b", "expected 164 base64 characters, found 7"),
    ] {
        assert_eq!(parse(text).unwrap_err(), error, "{text}");
    }
}

#[test]
fn the_text_of_every_kind_of_action() {
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
fn actions_parse_from_their_words() {
    let position = parse("black:a1=1*,f6=1 white:k11=1* b").unwrap();
    let action = position.parse_move("f6-g7").unwrap();
    assert_eq!(position.parse_move("0x0000243C"), Ok(action));
    assert_eq!(position.parse_move("0x243c"), Ok(action));
    assert_eq!(position.parse_move("9276"), Ok(action));
    assert_eq!(position.move_word(action), Some(9276));
    for signed in ["+9276", "-9276", "0x+243C"] {
        assert!(position.parse_move(signed).is_err(), "{signed}");
    }
}

#[test]
fn records_and_programs_write_the_same_texts() {
    let position = parse("black:a1=1*,f6=1 white:k11=1* b").unwrap();
    let action = position.parse_move("f6-g7").unwrap();
    assert_eq!((position.move_text(action), position.move_san(action)), ("f6-g7".into(), "f6-g7".into()));
    assert_eq!(
        (position.turn_text(&[action]), position.parse_turn("f6-g7")),
        ("f6-g7".into(), Ok(vec![action]))
    );
}

#[test]
fn bytes_are_unit_bytes_by_cid() {
    let position = parse("black:a1=1*,f6=3/2 white:k11=1* b").unwrap();
    let bytes = position.to_bytes().unwrap();
    assert_eq!(bytes.len(), Tile::CIDS);
    for (cid, &byte) in (0..).zip(&bytes) {
        let unit = Tile::from_cid(cid).ok().and_then(|tile| position.board().unit(tile));
        assert_eq!(byte, unit.map_or(0, Unit::byte), "{cid}");
    }
}

#[test]
fn action_errors_name_the_offending_text() {
    let position = parse("black:a1=1*,f6=1 white:k11=1* b").unwrap();
    let error = |text: &str| position.parse_move(text).unwrap_err().to_string();
    for text in ["", "f6", "f6?g7", "f6s", "f6s+g7", "g7~x", "-", "é"] {
        assert!(
            error(text).starts_with(&format!("invalid action `{text}`: expected a form such as f6-g7")),
            "{text}"
        );
    }
    assert_eq!(error("f6-h8"), "f6-h8 is not legal in this position");
    assert!(error("f6-z9").starts_with("invalid tile `z9`"));
    assert_eq!(error("f6-9"), "invalid amount `9`: expected 1 to 8");
    assert_eq!(error("f6>8g7"), "invalid split height `8`: expected 1, 2, 3, 4 or 6");
    assert_eq!(error("f6>1h8"), "f6 and h8 are not adjacent");
    assert_eq!(error("f6>1g7+1g7"), "tile g7 occurs twice");
    assert_eq!(error("f6!k11"), "f6 and k11 are not adjacent");
    assert!(error("1g7+1e5+1g6>f6").starts_with("invalid donors: expected two"));
    assert!(error("1g7>f6").starts_with("invalid donors: expected two"));
    assert_eq!(
        error("0xA0000006"),
        "action word 0xa0000006 is not a board action: expected an opcode from 0 to 9"
    );
    assert_eq!(error("0xF0000000"), "unknown opcode 15: expected 0 to 11");
    assert!(error("0x+243C").starts_with("invalid action `0x+243C`"));
    assert!(error("99999999999").starts_with("invalid action `99999999999`"));
}

/// A game with a declined and an open draw offer that ends by resignation.
fn resigned() -> TribunGame {
    let mut game = TribunGame::new(RULES);
    game.play_text("b3-e5").unwrap();
    game.draw_action(Player::First, DrawAction::Offer).unwrap();
    game.play_text("j9-g7").unwrap();
    game.draw_action(Player::Second, DrawAction::Decline).unwrap();
    game.play_text("c6-d7").unwrap();
    game.draw_action(Player::Second, DrawAction::Offer).unwrap();
    game.apply(Event::End(End::Resign { loser: Player::First })).unwrap();
    game
}

#[test]
fn a_record_with_draw_offers() {
    let tags: Tags = vec![("Event".into(), "An \"evening\"".into())];
    let text = Tribun::write_record(&resigned(), &tags, &Annotations::default());
    let expected = "[Event \"An \\\"evening\\\"\"]
[Rules \"standard\"]
[Result \"White: resignation\"]

1. b3-e5 {offer:b} j9-g7 {declined:b} 2. c6-d7 {offer:w}
";
    assert_eq!(text, expected);
    let (mut parsed, parsed_tags) = TribunGame::from_record(&text, RULES).unwrap();
    let mut original = resigned();
    assert_eq!((&parsed, &parsed_tags), (&original, &tags));
    // Equality of games ignores draw offers, so compare them after each undo.
    loop {
        assert_eq!(parsed.draw_offer(), original.draw_offer());
        if (parsed.undo(), original.undo()) == (None, None) {
            break;
        }
    }
}

#[test]
fn a_record_keeps_a_draw_offer_before_the_first_action() {
    let mut game = TribunGame::new(RULES);
    game.draw_action(Player::Second, DrawAction::Offer).unwrap();
    game.play_text("b3-e5").unwrap();
    let text = game.record(&Tags::new());
    let start = Tribun::start(RULES).to_text_with_offer(DrawOffer::Open(Player::Second));
    assert_eq!(text, format!("[Rules \"standard\"]\n[Position \"{start}\"]\n[Result \"*\"]\n\n1. b3-e5\n"));
    let (mut parsed, _) = TribunGame::from_record(&text, RULES).unwrap();
    assert_eq!(parsed.draw_offer(), DrawOffer::Open(Player::Second));
    parsed.undo();
    assert_eq!(parsed.draw_offer(), DrawOffer::Open(Player::Second));
}

#[test]
fn the_rules_tag_takes_precedence() {
    let game = TribunGame::new(Rules::NINETY);
    let text = Tribun::write_record(&game, &Tags::new(), &Annotations::default());
    assert_eq!(Tribun::read_record(&text, RULES).unwrap().game, game);
    let mut unnamed = RULES;
    unnamed.enslaving = false;
    let game = TribunGame::new(unnamed);
    let text = Tribun::write_record(&game, &Tags::new(), &Annotations::default());
    assert!(!text.contains("Rules"));
    assert_eq!(Tribun::read_record(&text, unnamed).unwrap().game, game);
}

#[test]
fn records_of_every_end_round_trip() {
    let won = parse("black:a1=1*,f8=1 white:g8=8* b").unwrap();
    let mut by_attack = TribunGame::from_position(won);
    by_attack.play(won.parse_move("f8#g8").unwrap()).unwrap();
    let mut games = vec![by_attack];
    for end in
        [End::Resign { loser: Player::Second }, End::PlayerTime { loser: Player::First }, End::GameTime]
    {
        let mut game = TribunGame::new(RULES);
        game.apply(Event::End(end)).unwrap();
        games.push(game);
    }
    for game in games {
        let text = Tribun::write_record(&game, &Tags::new(), &Annotations::default());
        assert_eq!(TribunGame::from_record(&text, RULES), Ok((game, Tags::new())), "{text}");
    }
}

#[test]
fn a_record_without_a_result_is_ongoing() {
    let (game, tags) = TribunGame::from_record("1.b3-e5 2... j9-g7", RULES).unwrap();
    assert_eq!((game.ply(), game.outcome(), tags.len()), (2, Outcome::Ongoing, 0));
    assert_eq!(Tribun::read_record("", RULES).unwrap().game, TribunGame::new(RULES));
}

#[test]
fn record_errors_name_the_place() {
    let won = "[Position \"black:a1=1*,f8=1 white:g8=8* b\"]";
    for (text, error) in [
        ("[Event]", "line 1, column 1: malformed tag: expected [Name \"value\"]".to_owned()),
        ("\n[A \"b\"c\"]", "line 2, column 1: malformed tag: expected [Name \"value\"]".to_owned()),
        ("[Rules \"mine\"]", "line 1, column 1: unknown rules `mine`: expected standard or ninety".to_owned()),
        ("[Position \"x b\"]", "line 1, column 1: invalid `Position` tag: expected 164 base64 characters, found 1".to_owned()),
        (
            "[Result \"Black: agreement\"]",
            "line 1, column 1: invalid result `Black: agreement`: expected `*`, or Black, White or draw with a reason, such as \
             `Black: resignation`"
                .to_owned(),
        ),
        (
            "[Result \"draw: resignation\"]",
            "line 1, column 1: invalid result `draw: resignation`: expected `*`, or Black, White or draw with a reason, such as \
             `Black: resignation`"
                .to_owned(),
        ),
        (
            "[Result \"Gray: agreement\"]",
            "line 1, column 1: invalid result `Gray: agreement`: expected `*`, or Black, White or draw with a reason, such as \
             `Black: resignation`"
                .to_owned(),
        ),
        (
            "[Result \"Black: tribun attacked\"]\n1. b3-e5",
            "line 1, column 1: the `Result` tag is `Black: tribun attacked`, but the result of the actions is `*`".to_owned(),
        ),
        (
            &format!("[Result \"White: resignation\"]\n{won}\nf8#g8"),
            "line 1, column 1: the `Result` tag is `White: resignation`, but the result of the actions is `Black: tribun attacked`".to_owned(),
        ),
        ("1. b3-e5\nj9-a1", "line 2, column 1: action 2: j9-a1 is not legal in this position".to_owned()),
        ("1. b3-e5 {oh", "line 1, column 10: unclosed comment: expected }".to_owned()),
        ("1. b3-e5 (1. a1-a1)", "line 1, column 14: action 1: a1-a1 is not legal in this position".to_owned()),
        (&format!("{won}\nf8#g8 g8-g9"), "line 2, column 7: unexpected `g8-g9` after the end of the game".to_owned()),
    ] {
        assert_eq!(Tribun::read_record(text, RULES).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn the_tiles_of_actions() {
    let position = parse("black:a1=1*,f6=2/1,f8=1 white:k11=1*,g8=4 b").unwrap();
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
fn the_text_of_reasons() {
    let words: Vec<_> = Reason::all().map(Reason::text).collect();
    assert_eq!(
        words,
        ["tribun attacked", "no action", "resignation", "agreement", "time", "game time", "abandonment"]
    );
}

#[test]
fn comments_that_look_like_draw_offers_stay_comments() {
    let text = "1. b3-e5! {offer:b} {a good start} (1. c6-d7 {offer:b} j9-g7) j9-g7 ; -\n";
    let record = Tribun::read_record(text, RULES).unwrap();
    let offers: Vec<_> = record.game.draw_offers().collect();
    assert_eq!(offers[1], DrawOffer::Open(Player::First));
    let note = |ply| record.annotations.note(ply).unwrap();
    assert_eq!((note(1).comment.as_str(), &note(1).glyphs[..]), ("a good start", &[1][..]));
    assert_eq!(note(2).comment, "-");
    let variation = &record.annotations.variations(0)[0];
    assert_eq!(variation.annotations.note(1).unwrap().comment, "offer:b", "a variation has no draw offers");
    let written = Tribun::write_record(&record.game, &Tags::new(), &record.annotations);
    let expected = "1. b3-e5 {offer:b} $1 {a good start} (1. c6-d7\n; offer:b\n1... j9-g7) 1... j9-g7\n; -\n";
    assert!(written.ends_with(expected), "{written}");
    assert_eq!(Tribun::read_record(&written, RULES).unwrap().annotations, record.annotations);
}
