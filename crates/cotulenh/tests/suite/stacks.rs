//! Pieces, stacks and the board.

use sandtable_core::Player;
use sandtable_cotulenh::{Board, CoTuLenh, Kind, KindSet, Piece, Rules, Square, Stack, StackError, Step};

const RED: Player = Player::First;
const BLUE: Player = Player::Second;

fn piece(owner: Player, kind: Kind, heroic: bool) -> Piece {
    Piece { owner, kind, heroic }
}

fn kinds(letters: &str) -> KindSet {
    letters.chars().map(|letter| Kind::from_letter(letter).unwrap()).collect()
}

#[test]
fn examples_of_the_board_model() {
    let infantry = Stack::of(&[piece(RED, Kind::Infantry, false)]).unwrap();
    let heroic_tank = Stack::of(&[piece(BLUE, Kind::Tank, true)]).unwrap();
    let tank_stack = Stack::of(&[piece(RED, Kind::Tank, false), piece(RED, Kind::Infantry, false)]).unwrap();
    let large = [Kind::Navy, Kind::Tank, Kind::Infantry].map(|kind| piece(BLUE, kind, false));
    let navy_stack = Stack::of(&large).unwrap();
    let heroic = Stack::of(&[piece(RED, Kind::AirForce, true), piece(RED, Kind::Tank, false)]).unwrap();

    let texts = [infantry, heroic_tank, tank_stack, navy_stack, heroic].map(|stack| stack.to_string());
    assert_eq!(texts, ["I", "+t", "(TI)", "(nti)", "(+FT)"]);
    assert_eq!([infantry, heroic_tank, tank_stack, navy_stack, heroic].map(Stack::size), [1, 1, 2, 3, 2]);
    assert_eq!(
        [infantry, heroic_tank, tank_stack, navy_stack, heroic].map(Stack::is_stack),
        [false, false, true, true, true]
    );
    assert_eq!(navy_stack.carrier(), Kind::Navy);
    assert!(navy_stack.flatten().eq(large));
    assert!(heroic.is_carrier_heroic() && !heroic.is_heroic(Kind::Tank));
    assert_eq!((heroic.owner(), navy_stack.owner()), (RED, BLUE));
}

#[test]
fn flatten_returns_the_carrier_first() {
    let pieces =
        [Kind::Infantry, Kind::AirForce, Kind::Tank].map(|kind| piece(RED, kind, kind == Kind::Tank));
    let stack = Stack::of(&pieces).unwrap();
    let flat: Vec<_> = stack.flatten().map(|piece| (piece.kind, piece.heroic)).collect();
    assert_eq!(flat, [(Kind::AirForce, false), (Kind::Tank, true), (Kind::Infantry, false)]);
}

/// The valid sets, listed one by one.
fn listed() -> Vec<KindSet> {
    let mut sets: Vec<String> = "NFTEHCIMAGS".chars().map(String::from).collect();
    for one in ["C", "I", "M"] {
        sets.extend(["T", "F", "FT", "N", "NF", "NT"].map(|carriers| format!("{carriers}{one}")));
    }
    sets.extend(["EA", "EG", "ES", "FT", "NF", "NT", "NFT", "HC"].map(String::from));
    sets.iter().map(|letters| kinds(letters)).collect()
}

#[test]
fn the_listed_sets_and_no_others_are_stacks() {
    let listed = listed();
    for bits in 0..1_u16 << Kind::NUM {
        let set: KindSet = Kind::ALL.into_iter().filter(|kind| bits >> kind.index() & 1 != 0).collect();
        let stack = Stack::new(RED, set, KindSet::EMPTY);
        assert_eq!(stack.is_ok(), listed.contains(&set), "{set:?}");
        assert_eq!(set.is_valid_stack(), stack.is_ok());
        let in_club = stack.is_ok() && !["NTC", "NTI", "NTM"].map(kinds).contains(&set);
        assert_eq!(
            (Rules::STANDARD.allow_stack(set), Rules::CLUB.allow_stack(set)),
            (stack.is_ok(), in_club)
        );
    }
}

#[test]
fn every_subset_of_a_stack_is_a_stack() {
    for set in listed() {
        assert!(set.len() <= 3);
        for kind in set {
            let rest = set.without(kind.only());
            assert!(rest.is_empty() || rest.is_valid_stack(), "{set:?} without {kind:?}");
        }
    }
}

#[test]
fn rejects_invalid_stacks() {
    let red = |kind| piece(RED, kind, false);
    assert_eq!(Stack::of(&[]), Err(StackError::Empty));
    assert_eq!(Stack::of(&[red(Kind::Tank), red(Kind::Tank)]), Err(StackError::Duplicate(Kind::Tank)));
    assert_eq!(
        Stack::of(&[red(Kind::Tank), piece(BLUE, Kind::Infantry, false)]),
        Err(StackError::MixedOwners)
    );
    assert_eq!(Stack::of(&[red(Kind::Tank), red(Kind::Artillery)]), Err(StackError::InvalidSet(kinds("TA"))));
    assert_eq!(Stack::new(RED, KindSet::EMPTY, KindSet::EMPTY), Err(StackError::Empty));
    assert_eq!(Stack::new(RED, kinds("T"), kinds("I")), Err(StackError::HeroesMissing(kinds("I"))));
}

#[test]
fn sizes_in_memory() {
    assert_eq!(size_of::<Stack>(), 2);
    assert_eq!(size_of::<Option<Stack>>(), 2);
    assert_eq!(size_of::<Step>(), 6);
    assert!(size_of::<CoTuLenh>() <= 640);
}

#[test]
fn set_replaces_the_stack_on_a_square() {
    let mut board = Board::EMPTY;
    let stack = Stack::new(BLUE, kinds("NFT"), kinds("F")).unwrap();
    board.set(Square::A5, Some(stack));
    assert_eq!(board.get(Square::A5), Some(stack));
    assert_eq!(board.piece_count(BLUE), 3);
    let other = Stack::new(RED, kinds("C"), KindSet::EMPTY).unwrap();
    board.set(Square::A5, Some(other));
    assert_eq!((board.piece_count(BLUE), board.piece_count(RED)), (0, 1));
    assert_eq!(board.commander(RED), Some(Square::A5));
    board.set(Square::A5, None);
    assert_eq!(board, Board::EMPTY);
    assert_eq!(board.commander(RED), None);
}

#[test]
fn pieces_are_iterated_by_owner() {
    let board = Board::initial();
    for (owner, ranks) in [(RED, 1..=5), (BLUE, 8..=12)] {
        let squares: Vec<_> = board.pieces(owner).collect();
        assert_eq!(squares.len(), 19);
        assert!(
            squares.iter().all(|(square, stack)| ranks.contains(&square.rank()) && stack.owner() == owner)
        );
    }
    assert_eq!(board.all_pieces().count(), 38);
}

#[test]
fn each_side_starts_with_the_same_nineteen_pieces() {
    let board = Board::initial();
    for owner in [RED, BLUE] {
        let mut letters: Vec<_> = board.pieces(owner).map(|(_, stack)| stack.carrier().letter()).collect();
        letters.sort_unstable();
        assert_eq!(letters.iter().collect::<String>(), "AACEEFFGGHHIIMNNSTT");
    }
    assert_eq!(board.mirrored(), board);
}
