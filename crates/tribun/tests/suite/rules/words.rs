//! The action word.

use std::collections::HashSet;

use sandtable_core::Player;
use sandtable_core::rules::Rng;
use sandtable_tribun::{
    Action, Amount, Direction, DrawAction, End, Event, Height, Pair, Part, SplitHeights, SymCombine, Tile,
    TileError, WordError,
};

const F6: u32 = 60;
const G7: u32 = 72;

fn tile(name: &str) -> Tile {
    name.parse().unwrap()
}

#[test]
fn known_words() {
    let known = [
        (0x0000_243C, Event::Board(Action::Move { from: tile("f6"), to: tile("g7"), part: Part::Primary })),
        (0x0000_643C, Event::Board(Action::Move { from: tile("f6"), to: tile("g7"), part: Part::Slave })),
        (
            0x1000_2A3C,
            Event::Board(Action::Kill { attacker: tile("f6"), target: tile("h8"), part: Part::Primary }),
        ),
        (
            0x9000_2A3C,
            Event::Board(Action::AttackTribun {
                attacker: tile("f6"),
                tribun: tile("h8"),
                winner: Player::First,
            }),
        ),
        (
            0x3000_00C8,
            Event::Board(Action::Damage { target: tile("g7"), loss: Amount::from_value(2).unwrap() }),
        ),
        (0xA000_0006, Event::Draw { actor: Player::Second, action: DrawAction::Accept }),
        (0xB000_0003, Event::End(End::GameTime)),
    ];
    for (word, event) in known {
        assert_eq!(Event::from_word(word), Ok(event), "{word:#010x}");
        assert_eq!(event.word(), word);
    }
}

/// Events of every opcode, each field with a distinctive value.
fn one_of_each() -> Vec<(u32, Event)> {
    let heights =
        SplitHeights::new([None, Some(Height::One), Some(Height::Six), None, Some(Height::Four), None])
            .unwrap();
    let gifts = [Amount::from_value(3).unwrap(), Amount::from_value(5).unwrap()];
    let donors = Pair::new(Direction::LeftUp, Direction::LeftDown).unwrap();
    let board = [
        (G7 | F6 << 7 | 1 << 14, Action::Move { from: tile("g7"), to: tile("f6"), part: Part::Slave }),
        (
            1 << 28 | G7 | F6 << 7 | 1 << 14,
            Action::Kill { attacker: tile("g7"), target: tile("f6"), part: Part::Slave },
        ),
        (2 << 28 | G7, Action::Liberate { target: tile("g7") }),
        (3 << 28 | G7 | 6 << 7, Action::Damage { target: tile("g7"), loss: Amount::from_value(7).unwrap() }),
        (4 << 28 | G7 | F6 << 7, Action::Enslave { attacker: tile("g7"), target: tile("f6") }),
        (
            5 << 28 | G7 | 1 << 7 | 5 << 10 | 2 << 13 | 4 << 16,
            Action::Combine { center: tile("g7"), donors, gifts },
        ),
        (
            6 << 28 | G7 | 2 << 7 | 1 << 9,
            Action::SymCombine { center: tile("g7"), form: SymCombine::LowerTwos },
        ),
        (7 << 28 | G7 | 1 << 10 | 6 << 13 | 4 << 19, Action::Split { actor: tile("g7"), heights }),
        (8 << 28 | G7 | 4 << 7, Action::Backstabb { actor: tile("g7"), direction: Direction::RightDown }),
        (
            9 << 28 | G7 | F6 << 7 | 1 << 14,
            Action::AttackTribun { attacker: tile("g7"), tribun: tile("f6"), winner: Player::Second },
        ),
    ];
    let mut events: Vec<_> = board.map(|(word, action)| (word, Event::Board(action))).to_vec();
    for (kind, action) in (0..).zip(DrawAction::ALL) {
        events.push((10 << 28 | kind | 1 << 2, Event::Draw { actor: Player::Second, action }));
    }
    let loser = Player::Second;
    for (kind, end) in (0..).zip([End::Resign { loser }, End::NoAction { loser }, End::PlayerTime { loser }])
    {
        events.push((11 << 28 | kind | 1 << 2, Event::End(end)));
    }
    events
}

#[test]
fn all_opcodes_encode_and_decode_every_field() {
    let opcodes: HashSet<_> = one_of_each().iter().map(|(word, _)| word >> 28).collect();
    assert_eq!(opcodes.len(), 12);
    for (word, event) in one_of_each() {
        assert_eq!(event.word(), word, "{event:?}");
        assert_eq!(Event::from_word(word), Ok(event));
    }
}

#[test]
fn valid_words_round_trip() {
    let mut rng = Rng::new(7);
    let mut valid = 0;
    for _ in 0..2_000_000 {
        // Sparse words are more often valid.
        let word = (rng.next_u64() & rng.next_u64() | rng.next_u64() << 28) as u32;
        if let Ok(event) = Event::from_word(word) {
            assert_eq!(event.word(), word);
            valid += 1;
        }
    }
    assert!(valid > 10_000, "{valid}");
}

#[test]
fn opcodes_12_to_15_are_errors() {
    for opcode in 12..16 {
        assert_eq!(Event::from_word(opcode << 28), Err(WordError::Opcode(opcode)));
    }
}

#[test]
fn set_bits_above_the_fields_are_errors() {
    let widths = [15, 15, 7, 10, 14, 19, 11, 25, 10, 15, 3, 3];
    for (word, _) in one_of_each() {
        for bit in widths[(word >> 28) as usize]..28 {
            let error = Event::from_word(word | 1 << bit).unwrap_err();
            assert!(matches!(error, WordError::UnusedBits { .. }), "{word:#010x} bit {bit}: {error}");
        }
    }
    let error = Event::from_word(0x2000_00BC).unwrap_err();
    assert_eq!(error.to_string(), "unused bits 0x1 of LIBERATE are set: expected 0");
}

#[test]
fn cids_off_the_board_are_errors_in_every_field() {
    let tiles_of = |opcode: u32| match opcode {
        0 | 1 | 4 | 9 => 2,
        10 | 11 => 0,
        _ => 1,
    };
    for (word, _) in one_of_each() {
        for field in 0..tiles_of(word >> 28) {
            for cid in 0..128_u8 {
                let changed = word & !(127 << (7 * field)) | u32::from(cid) << (7 * field);
                match (Event::from_word(changed), Tile::from_cid(cid)) {
                    (Ok(_), Ok(_)) => {}
                    (Err(WordError::Tile { error, .. }), Err(expected)) => assert_eq!(error, expected),
                    (found, tile) => panic!("{changed:#010x}: {found:?} {tile:?}"),
                }
            }
        }
    }
    let error = Event::from_word(121).unwrap_err();
    assert_eq!(error, WordError::Tile { op: "MOVE", field: "from", error: TileError::Reserved(121) });
    assert_eq!(error.to_string(), "invalid from of MOVE: cid 121 is reserved: tiles have cids 0 to 120");
}

#[test]
fn word_errors_name_the_field_and_the_valid_values() {
    let error = |word: u32| Event::from_word(word).unwrap_err().to_string();
    for direction in [6, 7] {
        let expected = format!("expected a direction from 0 to 5, found {direction}");
        assert_eq!(
            error(5 << 28 | F6 | direction << 7 | 7 << 10),
            format!("invalid dirA of COMBINE: {expected}")
        );
        assert_eq!(error(5 << 28 | F6 | direction << 10), format!("invalid dirB of COMBINE: {expected}"));
        assert_eq!(
            error(8 << 28 | F6 | direction << 7),
            format!("invalid direction of BACKSTABB: {expected}")
        );
    }
    for (a, b) in [(0, 0), (3, 3), (4, 2)] {
        let expected = format!("invalid dirB of COMBINE: expected a direction above dirA, found {b}");
        assert_eq!(error(5 << 28 | F6 | a << 7 | b << 10), expected);
    }
    assert_eq!(error(6 << 28 | F6 | 3 << 7), "invalid config of SYM_COMBINE: expected 0, 1 or 2, found 3");
    for (config, gift) in [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)] {
        assert_eq!(
            error(6 << 28 | F6 | config << 7 | gift << 9),
            format!(
                "invalid gift - 1 of SYM_COMBINE: expected 0 for six donors, 0 or 1 for three, found {gift}"
            )
        );
    }
    for height in [5, 7] {
        for direction in 0..6 {
            assert_eq!(
                error(7 << 28 | F6 | height << (7 + 3 * direction)),
                format!("invalid height of SPLIT: expected 0, 1, 2, 3, 4 or 6, found {height}")
            );
        }
    }
    assert_eq!(
        error(0xB000_0007),
        "invalid loser of END: expected 0, because a tie by game time has no loser, found 1"
    );
}

#[test]
fn an_action_fits_in_eight_bytes() {
    assert!(size_of::<Action>() <= 8);
}
