//! Games that the fuzzer plays, and near misses in the positions it reaches.

use arbitrary::{Arbitrary, Result, Unstructured};
use sandtable_core::rules::Rng;
use sandtable_core::{Game, Rules};
use sandtable_testkit::{Conformant, Subject};

use crate::near_miss::near_miss_text;

/// The maximum number of near misses per position: more would slow down long inputs without finding more bugs.
const MAX_NEAR_MISSES: usize = 32;

/// A property of the conformance suite.
type Property<P> = fn(&Subject<P>, &Game<P>, &mut Rng);

/// A game that can be fuzzed.
pub(crate) trait Fuzzed: Conformant {
    /// Positions to start from, beside the start positions of all presets.
    const OPENINGS: &'static [&'static str];

    /// A move that may be legal here: any well-formed value of the move type.
    fn near_miss(&self, u: &mut Unstructured<'_>) -> Result<Self::Move>;
}

/// A game from one of the openings, with up to 40 legal moves played.
pub(crate) struct ArbitraryGame<P: Fuzzed>(pub(crate) Game<P>);

impl<'a, P: Fuzzed> Arbitrary<'a> for ArbitraryGame<P> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let (_, rules) = *u.choose(P::Rules::PRESETS)?;
        let opening = u.choose_index(P::OPENINGS.len() + 1)?;
        let start = P::OPENINGS.get(opening).map_or_else(
            || P::start(rules),
            |text| P::from_text(text, rules).unwrap_or_else(|e| panic!("opening {text}: {e}")),
        );
        let mut game = Game::from_position(start);
        for _ in 0..u.int_in_range(0..=40)? {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            game.play(*u.choose(&legal)?).expect("a legal move can be played");
        }
        Ok(Self(game))
    }
}

/// Plays a game, checks the conformance properties at its end and tries near misses there.
pub(crate) fn play<P: Fuzzed>(bytes: &[u8]) {
    // An error only means that the bytes ran out.
    let _ = try_play::<P>(&mut Unstructured::new(bytes));
}

fn try_play<P: Fuzzed>(u: &mut Unstructured<'_>) -> Result<()> {
    let ArbitraryGame(game) = u.arbitrary::<ArbitraryGame<P>>()?;
    conformance(&game);
    let position = game.position();
    let legal = position.legal_moves();
    for _ in 0..MAX_NEAR_MISSES {
        if u.is_empty() {
            break;
        }
        match u.int_in_range(0..=3)? {
            0 => near_miss_move(position, &legal, P::near_miss(position, u)?),
            // A move that was played earlier in the game, by either player.
            1 if game.ply() > 0 => {
                let (_, earlier) =
                    game.history().nth(u.choose_index(game.ply())?).expect("a move was played");
                near_miss_move(position, &legal, earlier);
            }
            2 if !legal.is_empty() => {
                let m = *u.choose(&legal)?;
                let text = if u.arbitrary()? { position.move_text(m) } else { position.move_san(m) };
                move_text(position, &near_miss_text(&text, u)?);
            }
            _ => position_text::<P>(&near_miss_text(&position.to_text(), u)?, position.rules()),
        }
    }
    Ok(())
}

/// Checks the properties of the conformance suite in a position that the suite's own games may not reach.
fn conformance<P: Fuzzed>(game: &Game<P>) {
    check(
        game,
        &[
            sandtable_testkit::legal_list_equals_is_legal,
            sandtable_testkit::undo_restores_everything,
            sandtable_testkit::hash_equals_hash_from_scratch,
            sandtable_testkit::occurrences_equal_a_full_scan,
            sandtable_testkit::position_text_round_trips,
            sandtable_testkit::move_texts_round_trip_and_are_unique,
            sandtable_testkit::indices_round_trip_and_are_unique,
            sandtable_testkit::mask_equals_legal_list,
            sandtable_testkit::observations_decode,
            sandtable_testkit::mirror_has_the_same_encoding,
            sandtable_testkit::move_details_are_unique,
            sandtable_testkit::arrangements_round_trip,
            sandtable_testkit::turn_texts_round_trip,
            sandtable_testkit::draw_offers_belong_to_the_game,
            sandtable_testkit::ended_games_have_no_legal_moves,
        ],
    );
}

fn check<P: Fuzzed>(game: &Game<P>, properties: &[Property<P>]) {
    let subject = Subject { openings: &[], games: 0, near_misses: |_, _| Vec::new() };
    let mut rng = Rng::new(game.position().hash64());
    for property in properties {
        property(&subject, game, &mut rng);
    }
}

/// `is_legal` agrees with the list of legal moves, and an illegal move changes nothing.
fn near_miss_move<P: Fuzzed>(position: &P, legal: &[P::Move], m: P::Move) {
    let mut next = position.clone();
    assert_eq!(position.is_legal(m), legal.contains(&m), "{m:?} in {}", position.to_text());
    assert_eq!(next.play(m).is_ok(), legal.contains(&m), "{m:?} in {}", position.to_text());
    assert_eq!(next == *position, !legal.contains(&m), "{m:?} in {}", position.to_text());
}

/// A text is rejected, or it is a legal move whose texts round-trip.
pub(crate) fn move_text<P: Fuzzed>(position: &P, text: &str) {
    let Ok(m) = position.parse_move(text) else { return };
    assert!(position.is_legal(m), "{text} in {}", position.to_text());
    for written in [position.move_text(m), position.move_san(m)] {
        assert_eq!(
            position.parse_move(&written).ok(),
            Some(m),
            "{text} as {written} in {}",
            position.to_text()
        );
    }
}

/// A text is rejected, or it is a position whose text round-trips and that has the cheap conformance properties.
pub(crate) fn position_text<P: Fuzzed>(text: &str, rules: P::Rules) {
    let Ok(position) = P::from_text(text, rules) else { return };
    check(
        &Game::from_position(position),
        &[
            sandtable_testkit::legal_list_equals_is_legal,
            sandtable_testkit::hash_equals_hash_from_scratch,
            sandtable_testkit::position_text_round_trips,
            sandtable_testkit::observations_decode,
            sandtable_testkit::mirror_has_the_same_encoding,
        ],
    );
}
