use super::*;

const START: &str =
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

#[test]
fn red_starts_at_the_bottom_and_moves_first() {
    let start = CoTuLenh::start(Rules::STANDARD);
    assert_eq!(start.to_text(), START);
    assert_eq!(start.turn(), Player::First);
    assert!(start.board().pieces(Player::First).all(|(square, _)| square.rank() <= 5));
}

#[test]
fn the_start_position_has_116_legal_moves() {
    for rules in [Rules::STANDARD, Rules::CLUB] {
        assert_eq!(CoTuLenh::start(rules).legal_moves().len(), 116);
    }
}

#[test]
fn a_commander_slides_the_whole_board() {
    assert!(legal(&red("Cc1 ck12"), "Cc1c11"));
    assert!(legal(&red("Cc1 ck12"), "Cc1j1"));
}

#[test]
fn a_stack_stands_where_its_carrier_may_stand() {
    assert_moves(&red("(NI)b1"), "b1", "a1 c1 a2 b2 c2 b3 b4 b5");
    assert_moves(&red("(TI)d1"), "d1", "c1 d2 d3 e1 f1");
}

#[test]
fn the_air_force_flies_over_water_but_lands_as_a_land_piece() {
    let position = red("Fe12 na12");
    // The Navy on a12 can be attacked across the water, but the Air Force cannot land on files a and b.
    assert_moves(&position, "e12", "c12 d12 f12 g12 h12 i12 d11 c10 e11 e10 e9 e8 f11 g10 h9 i8 @a12");
}

#[test]
fn a_board_with_two_commanders_has_one_after_either_is_removed() {
    let commander = Stack::of(&[Piece { owner: Player::First, kind: Kind::Commander, heroic: false }]).ok();
    for (removed, left) in [(Square::E1, Square::G1), (Square::G1, Square::E1)] {
        let mut board = Board::EMPTY;
        board.set(Square::E1, commander);
        board.set(Square::G1, commander);
        board.set(removed, None);
        assert_eq!(board.commander(Player::First), Some(left));
        board.set(left, None);
        assert_eq!(board.commander(Player::First), None);
    }
}
