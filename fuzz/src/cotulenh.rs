//! Cờ Tư Lệnh: FEN, steps and turns, records, whole games.

use arbitrary::{Result, Unstructured};
use sandtable_core::{Notation as _, Position, Rules as _};
use sandtable_cotulenh::{CoTuLenh, Kind, KindSet, PositionError, Rules, Square, Step, StepKind};

use crate::play::{Fuzzed, move_text, position_text};
use crate::{assert_place_in, assert_record_round_trips};

impl Fuzzed for CoTuLenh {
    const OPENINGS: &'static [&'static str] = &[
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/4T6/2(NFI)8/3(EG)3(FT)3/3E1A1(TM)G2/8S2/2N2H1H3/6C4 r - - 0 1",
        "6(hc)4/11/3(es)3(ftm)3/2(nf)8/11/4(NF)6/11/5(TI)5/2(NI)5(EG)2/11/7(HC)3/11 b - - 12 30",
        "6c4/11/11/5t5/11/11/11/11/11/2(NFT)8/11/5C5 r - - 0 1 c3:(NT):F>c7...",
    ];

    fn near_miss(&self, u: &mut Unstructured<'_>) -> Result<Step> {
        let squares: Vec<_> = Square::all().collect();
        let own: Vec<_> = self.board().pieces(self.turn()).map(|(square, _)| square).collect();
        let from = if own.is_empty() || u.ratio(1, 8)? { *u.choose(&squares)? } else { *u.choose(&own)? };
        let to = *u.choose(&squares)?;
        let kind = *u.choose(&StepKind::ALL)?;
        Ok(match u.int_in_range(0..=3)? {
            0 => Step::End { from },
            1 => Step::Whole { from, to, kind },
            _ => {
                let mut group = KindSet::EMPTY;
                for _ in 0..u.int_in_range(1..=3)? {
                    group = group.with(*u.choose(&Kind::ALL)?);
                }
                Step::Deploy { from, to, group, kind }
            }
        })
    }
}

/// A FEN is rejected with an offset inside it, or its position passes the conformance suite.
pub fn fen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for (_, rules) in Rules::PRESETS {
        if let Err(PositionError::Syntax { at, .. }) = CoTuLenh::from_text(text, *rules) {
            assert!(at <= text.chars().count(), "character {at} of {text}");
        }
        position_text::<CoTuLenh>(text, *rules);
    }
}

/// A FEN, a line break, and a text: the text is rejected, or is a legal step or turn that round-trips.
pub fn lan(bytes: &[u8]) {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    let (fen, text) = input.split_once('\n').unwrap_or(("", input));
    for (_, rules) in Rules::PRESETS {
        let position = CoTuLenh::from_text(fen, *rules).unwrap_or_else(|_| CoTuLenh::start(*rules));
        move_text(&position, text);
        if let Ok(steps) = position.parse_turn(text) {
            assert_eq!(position.parse_turn(&position.turn_text(&steps)).as_ref(), Ok(&steps), "{text}");
            let mut after = position;
            for step in steps {
                after.play(step).unwrap_or_else(|e| panic!("{text}: {e}"));
            }
            assert_eq!(after.deployment(), None, "{text} is a complete turn");
        }
    }
}

/// A record is rejected with a place inside it, or its game and its annotations round-trip.
pub fn record(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for (_, rules) in Rules::PRESETS {
        match CoTuLenh::read_record(text, *rules) {
            Err(error) => assert_place_in(text, &error),
            Ok(record) => assert_record_round_trips(&record),
        }
    }
}

/// A played game, with near misses at its end.
pub fn play(bytes: &[u8]) {
    crate::play::play::<CoTuLenh>(bytes);
}
