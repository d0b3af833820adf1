//! Tribun: boards as bytes, action words, texts, whole games.

use arbitrary::{Result, Unstructured};
use sandtable_core::{Notation as _, Player, Position};
use sandtable_tribun::{Action, Board, Event, Rules, Tile, Tribun, Unit, WordError};

use crate::play::{Fuzzed, move_text, position_text};
use crate::{assert_place_in, assert_record_round_trips};

/// A position in which slaves can lead, be freed and backstab.
const SLAVES: &str = "black:a1=1*,f6=4/2,f8=1,e6=2,d5=2 white:g8=3,f5=2/2,g10=1*,h9=6 b";

/// The lowest bit of the opcode in an action word.
const OPCODE_SHIFT: u32 = 28;

impl Fuzzed for Tribun {
    const OPENINGS: &'static [&'static str] = &[
        SLAVES,
        "black:a1=1*,f6=3/2,e5=4/8,d6=1/1,c3=2/4 white:k11=4*,g8=2/3,h7=4/1,i6=6,g5=8 b",
        "black:f6=8*,a1=1,b1=1,c2=1,b3=1,d5=2,e6=2 white:k11=3*,h9=6,i8=3/6,j10=2 w",
    ];

    /// A legal action with one bit of its word flipped; if that is not an action, the legal action mirrored.
    fn near_miss(&self, u: &mut Unstructured<'_>) -> Result<Action> {
        let legal = self.legal_moves();
        let action = *u.choose(&legal)?;
        Ok(match Event::from_word(action.word() ^ 1 << u.int_in_range(0..=31)?) {
            Ok(Event::Board(near)) => near,
            _ => action.mirrored(),
        })
    }
}

/// Units on tiles: they are rejected with distinct reasons, or are a board that round-trips in every form.
pub fn bytes(input: &[u8]) {
    let (turn, placed) = match input.split_first() {
        Some((first, rest)) => (Player::ALL[usize::from(first & 1)], rest),
        None => (Player::First, input),
    };
    let mut bytes = [0; Tile::CIDS];
    for pair in placed.chunks_exact(2) {
        // Skip bytes that are not units: most are not, and a single one makes the board invalid.
        if let (Some(slot), Ok(_)) = (bytes.get_mut(usize::from(pair[0])), Unit::from_byte(pair[1])) {
            *slot = pair[1];
        }
    }
    match Board::from_bytes(&bytes) {
        Err(error) => {
            let reasons = error.reasons();
            assert!(!reasons.is_empty());
            let twice = |(i, reason)| reasons[..i].contains(reason);
            assert!(!reasons.iter().enumerate().any(twice), "a reason is reported twice: {reasons:?}");
        }
        Ok(board) => {
            assert_eq!(board.to_bytes(), bytes);
            assert_eq!(Board::from_base64(&board.to_base64()), Ok(board));
            let position = Tribun::new(board, turn, Rules::STANDARD);
            position_text::<Tribun>(&position.to_text(), Rules::STANDARD);
        }
    }
}

/// Action words, little-endian: each is rejected with an error that fits its fields, or is an event that round-trips.
pub fn word(bytes: &[u8]) {
    let mut position = Tribun::start(Rules::STANDARD);
    for chunk in bytes.chunks_exact(4) {
        let word = u32::from_le_bytes(chunk.try_into().expect("four bytes"));
        let event = match Event::from_word(word) {
            Ok(event) => event,
            Err(error) => {
                rejected_word(word, &error);
                continue;
            }
        };
        assert_eq!(event.word(), word);
        let Event::Board(action) = event else { continue };
        assert_eq!(action.mirrored().mirrored(), action);
        assert!(action.tiles().count() > 0, "{action}");
        let before = position;
        if position.play(action).is_ok() {
            assert_eq!(before.parse_move(&before.move_text(action)), Ok(action));
            assert!(position.board().total_height() <= before.board().total_height());
            assert_eq!(position.turn(), !before.turn());
        } else {
            assert_eq!(position, before);
        }
    }
}

/// Checks that the error names a real defect of the word.
fn rejected_word(word: u32, error: &WordError) {
    let payload = word & ((1 << OPCODE_SHIFT) - 1);
    match *error {
        WordError::Opcode(opcode) => assert_eq!(opcode, word >> OPCODE_SHIFT),
        // The unused bits are the highest of the payload. Without them the word is an event.
        WordError::UnusedBits { bits, .. } => {
            let used = (0..OPCODE_SHIFT).find(|&used| payload >> used == bits);
            let used = used.unwrap_or_else(|| panic!("{word:#x} has no bits {bits:#x}"));
            let cleared = word & !(bits << used);
            assert!(Event::from_word(cleared).is_ok(), "{word:#x}: {error}");
        }
        // Some field of the payload holds the value.
        WordError::Value { value, .. } => {
            assert!((0..OPCODE_SHIFT).any(|at| payload >> at & value == value), "{word:#x}: {error}");
        }
        // Some seven bits of the payload are rejected as a cid for the same reason.
        WordError::Tile { error: reason, .. } => {
            let cid = |at: u32| (payload >> at & 0x7f) as u8;
            assert!((0..OPCODE_SHIFT).any(|at| Tile::from_cid(cid(at)) == Err(reason)), "{word:#x}: {error}");
        }
        _ => panic!("{word:#x}: an error that this target does not know: {error}"),
    }
}

/// A text is rejected, or is a tile, board, position, action or record that round-trips.
pub fn text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let rules = Rules::STANDARD;
    if let Ok(tile) = text.parse::<Tile>() {
        assert_eq!(tile.to_string().parse(), Ok(tile));
    }
    if let Ok(board) = Board::from_base64(text) {
        assert_eq!(board.to_base64(), text);
    }
    position_text::<Tribun>(text, rules);
    let slaves = Tribun::from_text(SLAVES, rules).expect("a valid position");
    for position in [Tribun::start(rules), slaves] {
        move_text(&position, text);
    }
    match Tribun::read_record(text, rules) {
        Err(error) => assert_place_in(text, &error),
        Ok(record) => assert_record_round_trips(&record),
    }
}

/// A played game, with near misses at its end.
pub fn play(bytes: &[u8]) {
    crate::play::play::<Tribun>(bytes);
}
