//! Positions as an editor shows them.

use sandtable_core::rules::DrawOffer;
use sandtable_core::view::{Arrange, Arrangement, Fault, compose};
use sandtable_core::{FromSetup, Player, Position};
use sandtable_tribun::{Rules, Setup, Tile, Tribun};

/// The faults of the start position after a change.
fn faults(change: impl FnOnce(&mut Arrangement)) -> Vec<(Option<String>, String)> {
    let mut arrangement = Tribun::start(Rules::STANDARD).arrangement(DrawOffer::None);
    change(&mut arrangement);
    let faults = compose::<Tribun>(&arrangement, Rules::STANDARD).unwrap_err();
    faults.into_iter().map(|Fault { place, text, .. }| (place, text)).collect()
}

#[test]
fn units_start_with_the_letter_of_their_owner() {
    let arrangement = Tribun::start(Rules::STANDARD).arrangement(DrawOffer::None);
    let letters = |player: Player| {
        let units = Tribun::start(Rules::STANDARD).board().occupied(player);
        units.iter().map(|tile| arrangement.cells[&tile.to_string()][..1].to_owned()).collect::<Vec<_>>()
    };
    assert!(letters(Player::First).iter().all(|letter| letter == "b"));
    assert!(letters(Player::Second).iter().all(|letter| letter == "w"));
    let (position, _) = compose::<Tribun>(&arrangement, Rules::STANDARD).unwrap();
    assert_eq!(position, Tribun::start(Rules::STANDARD));
    let found = faults(|arrangement| _ = arrangement.cells.insert("f6".to_owned(), "x3".to_owned()));
    let text = "invalid unit `x3`: expected b or w first, such as b3/2".to_owned();
    assert_eq!(found, [(Some("f6".to_owned()), text)]);
}

#[test]
fn attacked_is_yes_or_no() {
    let set = |text: &str| {
        let text = text.to_owned();
        faults(move |arrangement| _ = arrangement.fields.insert("attacked".to_owned(), text))
    };
    let place = Some("attacked".to_owned());
    let text = "Black's tribun is not attacked: no enemy unit reaches it".to_owned();
    assert_eq!(set("yes"), [(place.clone(), text)]);
    let text = "invalid attacked `maybe`: expected yes or no: whether the tribun of the side to move has been attacked";
    assert_eq!(set("maybe"), [(place, text.to_owned())]);
}

#[test]
fn an_invalid_unit_is_a_fault_of_its_tile() {
    let start = Tribun::start(Rules::STANDARD).to_setup();
    let tile: Tile = "f6".parse().unwrap();
    let place_of = |byte, cid: u8| {
        let mut board = start.board;
        board[usize::from(cid)] = byte;
        let error = Tribun::from_setup(&Setup { board, ..start }, Rules::STANDARD).unwrap_err();
        Tribun::place_of(&error.reasons()[0])
    };
    assert_eq!(place_of(7, tile.cid()), Some("f6".to_owned()), "a height index of 7");
    assert_eq!(place_of(1, 10), None, "a cid outside the hexagon");
}
