//! The tables of the documentation pages agree with the code.

use sandtable_core::{Notation, Player, Position};
use sandtable_tribun::{
    Action, Direction, Event, Height, MoveError, Rules, Tribun, Unit, UnitError, WordError,
};

const BOARD: &str = include_str!("../../../../docs/tribun-board.md");
const NOTATION: &str = include_str!("../../../../docs/tribun-notation.md");
const WIRE: &str = include_str!("../../../../docs/tribun-wire.md");

/// The cells of the table with this header, by row.
#[track_caller]
fn rows<'a>(page: &'a str, header: &str) -> Vec<Vec<&'a str>> {
    let mut lines = page.lines().skip_while(|line| *line != header);
    assert_eq!(lines.next(), Some(header));
    let cells = |row: &'a str| row.trim_matches('|').split('|').map(str::trim).collect();
    lines.skip(1).take_while(|line| line.starts_with('|')).map(cells).collect()
}

#[test]
fn directions() {
    let rows = rows(BOARD, "| direction | name | vector |");
    assert_eq!(rows.len(), Direction::NUM);
    for (direction, row) in Direction::ALL.into_iter().zip(rows) {
        let (dx, dy) = direction.vector();
        let signed = |d: i8| if d == 0 { "0".to_owned() } else { format!("{d:+}").replace('-', "−") };
        let expected = [
            direction.index().to_string(),
            direction.to_string(),
            format!("({}, {})", signed(dx), signed(dy)),
        ];
        assert_eq!(row, expected);
    }
}

#[test]
fn unit_bytes() {
    let rows = rows(WIRE, "| bits | meaning |");
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), ["0–2", "3–5", "6", "7"]);
    let heights = rows[0][1].split_once('[').and_then(|(_, rest)| rest.split_once(']')).unwrap().0;
    let heights: Vec<u8> = heights.split(", ").map(|height| height.parse().unwrap()).collect();
    assert_eq!(heights.len(), 7);

    let unit = |byte: u8| Unit::from_byte(byte).unwrap().unwrap();
    let value = |height: Option<Height>| height.map_or(0, Height::value);
    for (index, &height) in (0..).zip(&heights) {
        if index > 0 {
            assert_eq!(unit(index).primary().value(), height);
        }
        // A primary of height 4 can hold any slave.
        assert_eq!(value(unit(4 | index << 3).slave()), height);
    }
    assert_eq!([Unit::from_byte(7), Unit::from_byte(4 | 7 << 3)], [Err(UnitError::HeightIndex); 2]);
    assert_eq!((unit(1).owner(), unit(1 | 1 << 6).owner()), (Player::First, Player::Second));
    assert_eq!((unit(1).is_tribun(), unit(1 | 1 << 7).is_tribun()), (false, true));
    let units = (0..=u8::MAX).filter(|&byte| matches!(Unit::from_byte(byte), Ok(Some(_)))).count();
    let statement = format!("Of the 256 bytes, {units} are units");
    assert!(WIRE.replace('\n', " ").contains(&statement), "{statement}");
}

/// The opcodes of the wire page, with their names and the number of bits in their payloads.
fn opcodes() -> Vec<(u32, &'static str, u32)> {
    // A field ends with its number of bits; text without one explains the next field.
    let width = |field: &str| field.split(' ').next_back()?.parse::<u32>().ok();
    rows(WIRE, "| op | name | payload: field and bits |")
        .into_iter()
        .map(|row| (row[0].parse().unwrap(), row[1], row[2].split([',', ';']).filter_map(width).sum()))
        .collect()
}

#[test]
fn opcodes_and_payload_widths() {
    let opcodes = opcodes();
    for (number, &(opcode, name, bits)) in (0..).zip(&opcodes) {
        assert_eq!(opcode, number);
        // A payload of zeros is valid for every opcode except COMBINE, whose directions must ascend.
        let word = opcode << 28 | if name == "COMBINE" { 1 << 10 } else { 0 };
        assert!(Event::from_word(word).is_ok(), "{name}");
        assert_eq!(
            Event::from_word(word | 1 << bits),
            Err(WordError::UnusedBits { op: name_of(word), bits: 1 })
        );
        assert_eq!(name_of(word), name);
        let within = Event::from_word(word | 1 << (bits - 1));
        assert!(!matches!(within, Err(WordError::UnusedBits { .. })), "{name}: {within:?}");
    }
    let free = opcodes.len() as u32;
    assert_eq!(Event::from_word(free << 28), Err(WordError::Opcode(free)));
    assert!(WIRE.contains(&format!("opcodes {free} to 15")));
}

/// The name of an opcode, from the error for unused bits.
fn name_of(word: u32) -> &'static str {
    match Event::from_word(word | 1 << 27) {
        Err(WordError::UnusedBits { op, .. }) => op,
        other => panic!("{word:#010x}: {other:?}"),
    }
}

#[test]
fn action_texts() {
    let start = Tribun::start(Rules::STANDARD);
    let parse = |text: &str| match start.parse_move(text) {
        Ok(action) | Err(MoveError::Illegal { action }) => action,
        Err(error) => panic!("{text}: {error}"),
    };
    let rows = rows(NOTATION, "| action | text | example |");
    let on_board = opcodes().into_iter().filter(|(_, name, _)| !["DRAW", "END"].contains(name));
    assert_eq!(rows.len(), on_board.clone().count());
    for (row, (opcode, name, _)) in rows.iter().zip(on_board) {
        assert_eq!(row[0], name);
        // Examples are between backquotes.
        for example in row[2].split('`').skip(1).step_by(2) {
            let action: Action = parse(example);
            assert_eq!((action.word() >> 28, action.to_string().as_str()), (opcode, example));
        }
    }
}
