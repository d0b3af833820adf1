//! Reviews in records.

use sandtable::engine::review::read_review;
use sandtable::{GAMES, GameKind};

/// A record without a review, or with one that is written and read again. A record rounds losses once.
pub fn in_record(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for kind in GAMES {
        check(kind, text);
    }
}

fn check(kind: &GameKind, text: &str) {
    let rules = kind.rules[0];
    let Ok(loaded) = kind.load_record(text, rules) else { return };
    let Some(review) = read_review(&*loaded.game, &loaded.annotations) else { return };
    let mut annotations = loaded.annotations.clone();
    review.annotate(&mut annotations);
    let written = loaded.game.annotated_record(&loaded.tags, &annotations);
    let written = written.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let again = kind.load_record(&written, rules).unwrap_or_else(|error| panic!("{error}\n{written}"));
    let again = read_review(&*again.game, &again.annotations).unwrap_or_else(|| panic!("{written}"));
    assert_eq!(again.turns.len(), review.turns.len(), "{written}");
    for (again, turn) in again.turns.iter().zip(&review.turns) {
        assert_eq!((again.player, &again.plies, &again.text), (turn.player, &turn.plies, &turn.text));
        assert_eq!(again.after, turn.after, "{written}");
        assert!((again.loss - turn.loss).abs() < 1.01e-4, "{} of {}\n{written}", again.loss, turn.loss);
    }
}
