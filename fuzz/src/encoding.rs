//! Forms of a position other than its text: arrangements of an editor, and observations.

use std::collections::BTreeMap;

use arbitrary::{Result, Unstructured};
use sandtable_chess::Chess;
use sandtable_core::learn::Layout;
use sandtable_core::view::{Arrangement, compose};
use sandtable_core::{Player, Rules as _};
use sandtable_cotulenh::CoTuLenh;
use sandtable_tribun::Tribun;

use crate::play::{ArbitraryGame, Fuzzed};

/// The maximum number of changed values: an observation with more is rejected at the first one.
const MAX_CHANGES: usize = 4;

/// Lines `cell=letters` and `field:value`: an arrangement that has faults, or is a position that round-trips.
pub fn arrangement(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let pairs = |separator| -> BTreeMap<String, String> {
        let pairs = text.lines().filter_map(|line| line.split_once(separator));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    };
    let (cells, fields) = (pairs('='), pairs(':'));
    for turn in Player::ALL {
        let arrangement = Arrangement { cells: cells.clone(), turn, fields: fields.clone() };
        compose_and_arrange::<Chess>(&arrangement);
        compose_and_arrange::<CoTuLenh>(&arrangement);
        compose_and_arrange::<Tribun>(&arrangement);
    }
}

fn compose_and_arrange<P: Fuzzed>(arrangement: &Arrangement) {
    for (_, rules) in P::Rules::PRESETS {
        match compose::<P>(arrangement, *rules) {
            Err(faults) => assert!(!faults.is_empty()),
            Ok((position, offer)) => {
                let written = position.arrangement(offer);
                let again = compose::<P>(&written, *rules);
                let (again, _) = again.unwrap_or_else(|faults| panic!("{written:?}: {faults:?}"));
                assert_eq!(again, position, "{written:?}");
            }
        }
    }
}

/// The observation of a played game with a few changed values: it is rejected, or is a position whose observation is decoded to
/// itself.
pub fn observation(bytes: &[u8]) {
    // An error only means that the bytes ran out.
    let _ = try_observation(&mut Unstructured::new(bytes));
}

fn try_observation(u: &mut Unstructured<'_>) -> Result<()> {
    match u.int_in_range(0..=2)? {
        0 => change_and_decode::<Chess>(u),
        1 => change_and_decode::<CoTuLenh>(u),
        _ => change_and_decode::<Tribun>(u),
    }
}

fn change_and_decode<P: Fuzzed>(u: &mut Unstructured<'_>) -> Result<()> {
    let layout = *u.choose(&[Layout::Hwc, Layout::Chw])?;
    let ArbitraryGame(game) = u.arbitrary::<ArbitraryGame<P>>()?;
    let mut values = vec![0.0; P::SHAPE.len()];
    game.write_observation(layout, &mut values).expect("the length is that of the shape");
    for _ in 0..u.int_in_range(0..=MAX_CHANGES)? {
        let at = u.choose_index(values.len())?;
        values[at] = if u.arbitrary()? { *u.choose(&[0.0, 1.0])? } else { u.arbitrary()? };
    }
    let turn = *u.choose(&Player::ALL)?;
    let Ok((setup, context)) = P::decode_observation(&values, layout, turn) else { return Ok(()) };
    let Ok(position) = P::from_setup(&setup, game.position().rules()) else { return Ok(()) };
    let mut written = vec![0.0; P::SHAPE.len()];
    position.write_observation(context, layout, &mut written).expect("the length is that of the shape");
    let (again, _) = P::decode_observation(&written, layout, turn)
        .unwrap_or_else(|error| panic!("{}: {error}", position.to_text()));
    assert_eq!(P::from_setup(&again, position.rules()).as_ref(), Ok(&position));
    Ok(())
}
