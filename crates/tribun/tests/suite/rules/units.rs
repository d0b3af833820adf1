//! Units, unit bytes and boards.

use sandtable_core::rules::SetupError;
use sandtable_core::{FromSetup, Player, Position};
use sandtable_tribun::{
    Base64Error, Board, BoardError, Height, Invalid, Rules, Setup, Tile, TileError, Tribun, Unit, UnitError,
    can_hold,
};

use super::units;

#[test]
fn valid_heights_are_1_2_3_4_6_and_8() {
    let valid: Vec<_> = (0..=u8::MAX).filter(|&value| Height::new(value).is_some()).collect();
    assert_eq!(valid, [1, 2, 3, 4, 6, 8]);
    assert_eq!(Height::ALL.map(Height::value), [1, 2, 3, 4, 6, 8]);
}

#[test]
fn normalisation_rounds_down_to_a_valid_height() {
    let rounded: Vec<_> = (0..=9).map(|value| Height::at_most(value).map_or(0, Height::value)).collect();
    assert_eq!(rounded, [0, 1, 2, 3, 4, 4, 6, 6, 8, 8]);
}

#[test]
fn the_slave_property_needs_a_primary_of_at_most_4_and_at_least_half_the_slave() {
    for p in Height::ALL {
        for s in Height::ALL {
            assert_eq!(can_hold(p, s), p.value() <= 4 && 2 * p.value() >= s.value(), "{p}/{s}");
        }
    }
}

/// The primary and slave heights of a unit byte, as the rules define it.
fn expected(byte: u8) -> Result<Option<(u8, u8)>, UnitError> {
    const INDEX: [u8; 7] = [0, 1, 2, 3, 4, 6, 8];
    let (p, s, tribun) = (byte & 7, byte >> 3 & 7, byte & 0x80 != 0);
    if byte == 0 {
        return Ok(None);
    }
    if p == 7 || s == 7 {
        return Err(UnitError::HeightIndex);
    }
    let (p, s) = (INDEX[usize::from(p)], INDEX[usize::from(s)]);
    match (p, s) {
        (0, _) => Err(UnitError::NoPrimary),
        (_, 1..) if tribun => Err(UnitError::TribunWithSlave),
        (_, 1..) if p > 4 || 2 * p < s => {
            let (primary, slave) = (Height::new(p).unwrap(), Height::new(s).unwrap());
            Err(UnitError::SlaveProperty { primary, slave })
        }
        _ => Ok(Some((p, s))),
    }
}

#[test]
fn all_256_unit_bytes_decode_according_to_the_rules() {
    let mut valid = 0;
    for byte in 0..=u8::MAX {
        match (Unit::from_byte(byte), expected(byte)) {
            (Ok(Some(unit)), Ok(Some((p, s)))) => {
                valid += 1;
                assert_eq!(unit.byte(), byte);
                assert_eq!(unit.primary().value(), p);
                assert_eq!(unit.slave().map_or(0, Height::value), s);
                assert_eq!(unit.owner(), Player::ALL[usize::from(byte >> 6 & 1)]);
                assert_eq!(unit.is_tribun(), byte & 0x80 != 0);
                assert_eq!(Unit::from_text(unit.owner(), &unit.to_string()), Ok(unit));
                assert_eq!(unit.mirrored().byte(), byte ^ 0x40);
            }
            (found, expected) => {
                let found = found.map(|unit| unit.map(|_| (0, 0)));
                assert_eq!(found, expected, "{byte:#04x}");
            }
        }
    }
    // Six heights without a slave, seventeen with one, and six tribuns, in two colours.
    assert_eq!(valid, 2 * (6 + 17) + 2 * 6);
}

#[test]
fn unit_errors_name_the_text() {
    let error = |text| Unit::from_text(Player::First, text).unwrap_err().to_string();
    assert!(error("5").starts_with("invalid unit `5`: expected a height"));
    assert!(error("").starts_with("invalid unit ``"));
    assert!(error("+1").starts_with("invalid unit `+1`"));
    assert_eq!(error("1/3"), "invalid unit `1/3`: a unit of height 1 cannot hold a slave of height 3");
    assert_eq!(error("3/1*"), "invalid unit `3/1*`: a tribun cannot hold a slave");
}

#[test]
fn the_start_has_its_units_and_black_moves_first() {
    let start = Tribun::start(Rules::STANDARD);
    assert_eq!(start.turn(), Player::First);
    let at = |x, y| start.board().unit(Tile::new(x, y).unwrap());
    assert_eq!(at(-5, -5), Some(Unit::tribun(Player::First, Height::One)));
    let ones = [(-2, -1), (-2, 0), (-3, 0), (-4, 0), (-1, -2), (0, -2), (0, -3), (0, -4)];
    let twos = [(-3, -3), (-5, -2), (-5, -3), (-4, -2), (-3, -1), (-2, -5), (-3, -5), (-2, -4), (-1, -3)];
    let threes = [(-4, -4), (-4, -3), (-3, -4)];
    for (height, tiles) in [(Height::One, &ones[..]), (Height::Two, &twos), (Height::Three, &threes)] {
        for &(x, y) in tiles {
            assert_eq!(at(x, y), Some(Unit::new(Player::First, height)), "({x},{y})");
        }
    }
    assert_eq!(start.board().units(Player::First).count(), 1 + 8 + 9 + 3);
}

#[test]
fn the_start_position_is_its_own_mirror() {
    let start = Board::start();
    assert_eq!(start.mirrored(), start);
}

#[test]
fn a_board_is_121_bytes_by_cid_and_base64_in_text() {
    let start = Board::start();
    let text = start.to_base64();
    assert_eq!(text.len(), 164);
    assert!(text.starts_with("gQACAgAAAAAAAAAAAwMC"), "{text}");
    assert!(text.ends_with("wQ=="));
    assert_eq!(Board::from_base64(&text), Ok(start));
    assert_eq!(Board::from_bytes(&start.to_bytes()), Ok(start));
}

#[test]
fn board_errors_report_every_reason() {
    let tribuns = |change: &[(usize, u8)]| {
        let mut bytes = [0; Tile::CIDS];
        bytes[0] = 0x81;
        bytes[120] = 0xC1;
        for &(cid, byte) in change {
            bytes[cid] = byte;
        }
        Board::from_bytes(&bytes).map_err(|error| error.reasons().to_vec())
    };
    let unit = |cid, byte, error| Invalid::Unit { cid, byte, error };
    assert!(tribuns(&[]).is_ok());
    assert_eq!(tribuns(&[(60, 0x07)]), Err(vec![unit(60, 0x07, UnitError::HeightIndex)]));
    assert_eq!(tribuns(&[(60, 0x38 | 1)]), Err(vec![unit(60, 0x39, UnitError::HeightIndex)]));
    assert_eq!(tribuns(&[(60, 0x89)]), Err(vec![unit(60, 0x89, UnitError::TribunWithSlave)]));
    assert_eq!(tribuns(&[(60, 0x80)]), Err(vec![unit(60, 0x80, UnitError::NoPrimary)]));
    let held = UnitError::SlaveProperty { primary: Height::One, slave: Height::Three };
    assert_eq!(tribuns(&[(60, 0x19)]), Err(vec![unit(60, 0x19, held)]));
    let off = Invalid::OffBoard { byte: 1, error: TileError::OffBoard { x: -5, y: 5 } };
    assert_eq!(tribuns(&[(10, 1)]), Err(vec![off.clone()]));
    let count = |player, count| Invalid::Tribuns { player, count };
    assert_eq!(tribuns(&[(0, 0)]), Err(vec![count(Player::First, 0)]));
    assert_eq!(tribuns(&[(61, 0xC2)]), Err(vec![count(Player::Second, 2)]));
    let all = tribuns(&[(10, 1), (60, 0x07), (0, 0)]);
    assert_eq!(all, Err(vec![off, unit(60, 0x07, UnitError::HeightIndex), count(Player::First, 0)]));
}

#[test]
fn base64_errors_name_the_character() {
    let text = Board::start().to_base64();
    let error = |text: &str| match Board::from_base64(text) {
        Err(BoardError::Base64(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(error(""), Base64Error::Length(0));
    assert_eq!(error(&text[1..]), Base64Error::Length(163));
    assert_eq!(error(&text.replace("wQ==", "wQ=A")), Base64Error::Character { at: 164, found: 'A' });
    assert_eq!(error(&text.replace("wQ==", "wé==")), Base64Error::Character { at: 162, found: 'é' });
    assert_eq!(error(&text.replacen('g', "=", 1)), Base64Error::Character { at: 1, found: '=' });
    assert_eq!(error(&text.replace("wQ==", "wR==")), Base64Error::TrailingBits);
}

#[test]
fn a_tribun_marked_as_attacked_must_be_attacked() {
    let setup = Setup { attacked: true, ..Tribun::start(Rules::STANDARD).to_setup() };
    let expected = SetupError::check(vec![Invalid::NotAttacked { player: Player::First }]).unwrap_err();
    assert_eq!(Tribun::from_setup(&setup, Rules::STANDARD), Err(expected));
    let reached = super::position("black:a1=1* white:k11=1*,b2=2,c3=1,b3=2 b - #");
    assert!(reached.is_tribun_attacked());
    assert_eq!(reached.count_legal(), 0);
}

#[test]
fn the_tribun_flag_moves_with_the_primary() {
    let position = super::position("black:f6=3* white:k11=1* b");
    assert_eq!(units(&super::after(&position, "f6-i8"))[0], "i8=3*");
}
