//! The conformance suite that every Sandtable game passes.
//!
//! [`conformance!`] turns a position type into a module of tests, one for each property below. A property is a plain
//! function over a [`Game`], so that a failing property can be called on any game.
//!
//! The suite plays random games from fixed seeds. Each game adds openings that lead to its rare features (castling
//! rights, stacks, slaves) and *near misses*: moves that resemble legal moves, most of them illegal.

mod allocations;
mod factors;
mod node_view;
mod records;

use std::collections::HashSet;

use sandtable_core::learn::{Layout, ObservedSlice, PolicyIndex, Symmetric, WrongLength};
use sandtable_core::rules::{
    CompactGame, Context, DrawAction, DrawError, DrawOffer, Rng, Turn, ends_turn, play_random_moves,
    random_move,
};
use sandtable_core::view::{Arrange, Figure, compose};
use sandtable_core::{Game, Notation, Observe, Outcome, Player, PolicyIndexed, Position, Rules};

pub use crate::allocations::blocks_allocated;
pub use crate::factors::{
    factors_are_inside_the_head_and_unique, legal_moves_have_unique_factors, page_documents_the_head,
    reflections_have_the_reflected_encoding,
};
pub use crate::node_view::{
    move_bits_round_trip_and_are_unique, node_views_agree_with_the_rules,
    noisy_and_quiet_moves_are_the_legal_moves,
};
pub use crate::records::{annotated_records_round_trip, records_round_trip};

/// Every trait that a game of Sandtable implements, except the evaluation.
pub trait Conformant: Arrange + Notation + Observe + PolicyIndexed + Symmetric {}

impl<P: Arrange + Notation + Observe + PolicyIndexed + Symmetric> Conformant for P {}

/// The game under test.
#[derive(Debug)]
pub struct Subject<P: Position> {
    /// Start positions of the random games as texts, in addition to the start position of every preset.
    pub openings: &'static [&'static str],
    /// The number of random games from each start position.
    pub games: u64,
    /// Generates moves to try in a position in addition to its legal ones.
    pub near_misses: fn(&P, &mut Rng) -> Vec<P::Move>,
}

/// Defines a module `conformance` with a test for each property.
///
/// ```text
/// sandtable_testkit::conformance!(chess::Chess, Subject { openings: &[…], games: 4, near_misses });
/// ```
#[macro_export]
macro_rules! conformance {
    ($Position:ty, $subject:expr) => {
        mod conformance {
            use super::*;

            $crate::conformance!(@tests $Position, $subject,
                legal_list_equals_is_legal
                illegal_moves_change_nothing
                undo_restores_everything
                hash_equals_hash_from_scratch
                occurrences_equal_a_full_scan
                position_text_round_trips
                turn_texts_round_trip
                move_texts_round_trip_and_are_unique
                indices_round_trip_and_are_unique
                mask_equals_legal_list
                observation_is_well_formed
                layouts_hold_the_same_values
                updated_observations_equal_written_ones
                compact_games_equal_games
                observations_decode
                mirror_has_the_same_encoding
                factors_are_inside_the_head_and_unique
                reflections_have_the_reflected_encoding
                diagram_shows_each_cell_once
                move_details_are_unique
                arrangements_round_trip
                draw_offers_belong_to_the_game
                ended_games_have_no_legal_moves
                noisy_and_quiet_moves_are_the_legal_moves
                node_views_agree_with_the_rules
                move_bits_round_trip_and_are_unique
            );

            #[test]
            fn same_seed_same_game() {
                $crate::same_seed_same_game::<$Position>(&$subject);
            }

            #[test]
            fn random_play_ends_or_reaches_the_limit() {
                $crate::random_play_ends_or_reaches_the_limit::<$Position>(&$subject);
            }

            #[test]
            fn annotated_records_round_trip() {
                $crate::annotated_records_round_trip::<$Position>(&$subject);
            }

            #[test]
            fn records_round_trip() {
                $crate::records_round_trip::<$Position>(&$subject);
            }
        }
    };
    (@tests $Position:ty, $subject:expr, $($property:ident)*) => {
        $(
            #[test]
            fn $property() {
                let subject = $subject;
                $crate::for_each_visited::<$Position>(&subject, |game, rng| {
                    $crate::$property(&subject, game, rng);
                });
            }
        )*
    };
}

/// The first positions of the suite's games: the start position of every preset, and every opening.
fn new_games<P: Conformant>(subject: &Subject<P>) -> Vec<Game<P>> {
    let mut games = Vec::new();
    for (name, rules) in P::Rules::PRESETS {
        games.push(Game::new(*rules));
        for text in subject.openings {
            let position =
                P::from_text(text, *rules).unwrap_or_else(|e| panic!("{name}: opening {text}: {e}"));
            games.push(Game::from_position(position));
        }
    }
    games
}

/// Plays the suite's random games and calls `f` at every position on the way.
pub fn for_each_visited<P: Conformant>(subject: &Subject<P>, mut f: impl FnMut(&Game<P>, &mut Rng)) {
    for seed in 0..subject.games {
        for (i, mut game) in new_games(subject).into_iter().enumerate() {
            let mut rng = Rng::new(seed << 32 | i as u64);
            f(&game, &mut rng);
            while play_random_moves(&mut game, &mut rng, 1) == 1 && game.ply() < P::PLY_LIMIT {
                f(&game, &mut rng);
            }
        }
    }
}

/// The list of legal moves has no duplicates, and `is_legal` accepts exactly the moves in it.
pub fn legal_list_equals_is_legal<P: Conformant>(subject: &Subject<P>, game: &Game<P>, rng: &mut Rng) {
    let position = game.position();
    let list = position.legal_moves();
    let set: HashSet<_> = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "a move is listed twice in {}", position.to_text());
    assert_eq!(position.count_legal(), list.len() as u64, "{}", position.to_text());
    assert_eq!(position.has_legal_move(), !list.is_empty(), "{}", position.to_text());
    for &m in &list {
        assert!(position.is_legal(m), "{m:?} is listed but not legal in {}", position.to_text());
    }
    for occurrences in (1..=5).filter(|_| !list.is_empty()) {
        let outcome = position.outcome_with_moves(occurrences);
        assert_eq!(outcome, position.outcome(occurrences), "{}", position.to_text());
    }
    for m in (subject.near_misses)(position, rng) {
        assert_eq!(position.is_legal(m), set.contains(&m), "{m:?} in {}", position.to_text());
    }
}

/// An illegal move is rejected and leaves position and game unchanged.
pub fn illegal_moves_change_nothing<P: Conformant>(subject: &Subject<P>, game: &Game<P>, rng: &mut Rng) {
    let mut tried = game.clone();
    for m in (subject.near_misses)(game.position(), rng).into_iter().filter(|&m| !game.position().is_legal(m))
    {
        let mut position = game.position().clone();
        assert!(position.play(m).is_err(), "{m:?} in {}", position.to_text());
        assert_eq!(&position, game.position());
        assert!(tried.play(m).is_err());
    }
    assert_eq!(&tried, game);
}

/// Playing a move and undoing it restores everything, including the hash.
pub fn undo_restores_everything<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let mut played = game.clone();
    for m in game.legal_moves() {
        played.play(m).unwrap();
        assert_eq!(played.undo(), Some(m));
        assert_eq!(&played, game);
        assert_eq!(played.position().hash64(), game.position().hash64());
    }
    let mut all = game.clone();
    while all.undo().is_some() {}
    assert_eq!(all, Game::from_position(game.first_position().clone()));
}

/// A position rebuilt from its setup is equal and has the same hash: the incrementally updated state equals the state
/// computed from scratch.
pub fn hash_equals_hash_from_scratch<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    let again = P::from_setup(&position.to_setup(), position.rules())
        .unwrap_or_else(|e| panic!("{}: {e}", position.to_text()));
    assert_eq!(&again, position);
    assert!(again.same_position(position));
    assert_eq!(again.hash64(), position.hash64(), "{}", position.to_text());
}

/// The number of occurrences, which is computed back to the last irreversible move, equals a scan of the whole game.
pub fn occurrences_equal_a_full_scan<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let scan = game.history().filter(|(past, _)| past.same_position(game.position())).count() as u32 + 1;
    assert_eq!(game.occurrences(), scan, "{}", game.position().to_text());
}

/// The text of a position parses back to an equal position.
pub fn position_text_round_trips<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let text = game.position().to_text();
    assert!(!text.contains('\n'), "the text of a position is one line: {text:?}");
    let again = P::from_text(&text, game.position().rules()).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(&again, game.position(), "{text}");
    assert_eq!(again.to_text(), text);
}

/// A random complete turn parses back from its text to the same position, both from a bare position and in a game.
pub fn turn_texts_round_trip<P: Conformant>(_: &Subject<P>, game: &Game<P>, rng: &mut Rng) {
    let position = game.position();
    if position.turn_in_progress().is_some() || game.is_over() {
        return;
    }
    let Turn { moves, position: after } = random_turn(position, rng);
    let text = position.turn_text(&moves);
    let parsed =
        position.parse_turn(&text).unwrap_or_else(|e| panic!("{text} in {}: {e}", position.to_text()));
    let reached = parsed.iter().fold(position.clone(), |position, &m| position.after(m));
    assert_eq!(reached, after, "{text} in {}", position.to_text());
    let mut played = game.clone();
    played.play_turn(&text).unwrap();
    assert_eq!(played.position(), &after, "{text}");
    assert_eq!(played.ply(), game.ply() + parsed.len());
}

/// A turn of random moves.
fn random_turn<P: Conformant>(position: &P, rng: &mut Rng) -> Turn<P> {
    let mut turn = Turn { moves: Vec::new(), position: position.clone() };
    while let Some(m) = random_move(&turn.position, rng) {
        turn.moves.push(m);
        turn.position.play_unchecked(m);
        if ends_turn(position.turn(), &turn.position) {
            break;
        }
    }
    turn
}

/// Both texts of every legal move are unique in the position and parse back to the move.
pub fn move_texts_round_trip_and_are_unique<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    for write in [P::move_text, P::move_san] {
        let mut seen = HashSet::new();
        for m in position.legal_moves() {
            let text = write(position, m);
            match position.parse_move(&text) {
                Ok(read) => assert_eq!(read, m, "{text} in {}", position.to_text()),
                Err(e) => panic!("{text} in {}: {e}", position.to_text()),
            }
            assert!(seen.insert(text.clone()), "{text} is two moves in {}", position.to_text());
        }
    }
    let legal = position.legal_moves();
    let one_by_one: Vec<_> = legal.iter().map(|&m| position.move_san(m)).collect();
    assert_eq!(position.move_sans(&legal), one_by_one, "{}", position.to_text());
    for m in legal.into_iter().filter(|_| P::SAN_IS_TEXT) {
        assert_eq!(position.move_san(m), position.move_text(m), "SAN_IS_TEXT in {}", position.to_text());
    }
}

/// Every legal move has a unique index below the policy size that maps back to it; no other index maps to a move.
pub fn indices_round_trip_and_are_unique<P: Conformant>(_: &Subject<P>, game: &Game<P>, rng: &mut Rng) {
    let position = game.position();
    let mut seen = HashSet::new();
    for m in position.legal_moves() {
        let index = position.policy_index(m);
        assert!(index.index() < P::POLICY_SIZE, "{m:?} in {}", position.to_text());
        assert!(seen.insert(index), "{m:?} shares its index in {}", position.to_text());
        assert_eq!(position.move_at(index), Some(m), "{}", position.to_text());
    }
    for _ in 0..32 {
        let index = PolicyIndex(rng.below(P::POLICY_SIZE + 2) as u32);
        assert_eq!(
            position.move_at(index).is_some(),
            seen.contains(&index),
            "{index:?} in {}",
            position.to_text()
        );
    }
}

/// The mask is true exactly at the indices of the legal moves.
pub fn mask_equals_legal_list<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    let mut expected = vec![false; P::POLICY_SIZE];
    for m in position.legal_moves() {
        expected[position.policy_index(m).index()] = true;
    }
    assert_eq!(mask(position), expected, "{}", position.to_text());
    let short = &mut vec![false; P::POLICY_SIZE - 1];
    let error = WrongLength { expected: P::POLICY_SIZE, found: P::POLICY_SIZE - 1 };
    assert_eq!(position.write_mask(short), Err(error));
}

fn mask<P: Conformant>(position: &P) -> Vec<bool> {
    let mut mask = vec![true; P::POLICY_SIZE];
    position.write_mask(&mut mask).unwrap();
    mask
}

fn observation<P: Conformant>(position: &P, context: Context, layout: Layout) -> Vec<f32> {
    let mut out = vec![f32::NAN; P::SHAPE.len()];
    position.write_observation(context, layout, &mut out).unwrap();
    out
}

/// The observation fills the declared shape with values in [0, 1], and its planes have unique names.
pub fn observation_is_well_formed<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    assert_eq!(P::PLANES.len(), P::SHAPE.planes);
    let names: HashSet<_> = P::PLANES.iter().map(|plane| plane.name).collect();
    assert_eq!(names.len(), P::PLANES.len(), "two planes share a name");
    let values = observation(game.position(), game.context(), Layout::Hwc);
    assert_eq!(game.observe(Layout::Hwc), values);
    assert!(values.iter().all(|v| (0.0..=1.0).contains(v)), "{}", game.position().to_text());
    let mut long = vec![0.0; P::SHAPE.len() + 1];
    let error = WrongLength { expected: P::SHAPE.len(), found: P::SHAPE.len() + 1 };
    assert_eq!(game.write_observation(Layout::Hwc, &mut long), Err(error));
}

/// An observation that is updated along a game equals one that is written from scratch.
pub fn updated_observations_equal_written_ones<P: Conformant>(_: &Subject<P>, game: &Game<P>, rng: &mut Rng) {
    for layout in [Layout::Hwc, Layout::Chw] {
        let mut observed = ObservedSlice::<P>::new(layout);
        let mut out = vec![f32::NAN; P::SHAPE.len()];
        for (position, _) in game.history().rev().take(3) {
            // A context that the game did not have: every plane may change.
            let draw_offer = [DrawOffer::None, DrawOffer::Open(Player::First)][rng.below(2)];
            let context = Context { occurrences: 1 + rng.below(3) as u32, draw_offer };
            for context in [context, context, Context::FIRST] {
                observed.update(position, context, &mut out).unwrap();
                assert_eq!(out, observation(position, context, layout), "{}", position.to_text());
            }
        }
        let error = WrongLength { expected: P::SHAPE.len(), found: P::SHAPE.len() - 1 };
        assert_eq!(observed.update(game.position(), Context::FIRST, &mut out[1..]), Err(error));
    }
}

/// A compact game, new or continued from a game, goes through the same positions, contexts and outcomes as a game.
pub fn compact_games_equal_games<P: Conformant>(_: &Subject<P>, game: &Game<P>, rng: &mut Rng) {
    let moves: Vec<_> = game.moves_played().collect();
    let offer = game.draw_offers().next().unwrap_or_default();
    let mut replayed = Game::from_position(game.first_position().clone()).with_draw_offer(offer);
    let (opening, rest) = moves.split_at(rng.below(moves.len() + 1));
    for &m in opening {
        replayed.play_unchecked(m);
    }
    let mut compact = CompactGame::new(replayed.clone());
    for &m in rest {
        replayed.play_unchecked(m);
        compact.play_unchecked(m);
        assert_eq!(compact.position(), replayed.position());
        assert_eq!((compact.context(), compact.ply()), (replayed.context(), replayed.ply()));
        let has_moves = replayed.position().has_legal_move();
        assert_eq!(compact.outcome(has_moves), replayed.outcome());
    }
    assert_eq!(compact.to_game(), replayed);
    assert_eq!(compact.to_game().context(), replayed.context());
    compact.restart(game.first_position().clone(), |_| ());
    assert_eq!(compact.to_game(), Game::from_position(game.first_position().clone()));
}

/// Both layouts hold the same values.
pub fn layouts_hold_the_same_values<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let (position, context) = (game.position(), game.context());
    let hwc = observation(position, context, Layout::Hwc);
    for layout in [Layout::Hwc, Layout::Chw] {
        let one = observation(position, context, layout);
        for (i, value) in hwc.iter().enumerate() {
            let (cell, plane) = (i / P::SHAPE.planes, i % P::SHAPE.planes);
            assert_eq!(one[P::SHAPE.offset(layout, plane, cell)].to_bits(), value.to_bits());
        }
    }
}

/// A decoded observation is a position with the same observation.
pub fn observations_decode<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    for layout in [Layout::Hwc, Layout::Chw] {
        let values = observation(position, game.context(), layout);
        let (setup, context) = P::decode_observation(&values, layout, position.turn())
            .unwrap_or_else(|e| panic!("{}: {e}", position.to_text()));
        let again =
            P::from_setup(&setup, position.rules()).unwrap_or_else(|e| panic!("{}: {e}", position.to_text()));
        assert_eq!(observation(&again, context, layout), values, "{}", position.to_text());
        assert!(P::decode_observation(&values[1..], layout, position.turn()).is_err());
    }
}

/// The mirrored position with colours swapped has the same observation and the same legal indices.
pub fn mirror_has_the_same_encoding<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let (position, mirror) = (game.position(), game.position().mirrored());
    assert_eq!(mirror.turn(), !position.turn());
    assert_eq!(&mirror.mirrored(), position, "{}", position.to_text());
    assert_ne!(mirror.hash64(), position.hash64(), "{}", position.to_text());
    let n = game.occurrences();
    for draw_offer in
        [DrawOffer::None, DrawOffer::Open(position.turn()), DrawOffer::Declined(position.turn())]
    {
        let (context, mirrored) = (
            Context { occurrences: n, draw_offer },
            Context { occurrences: n, draw_offer: draw_offer.mirrored() },
        );
        assert_eq!(
            observation(&mirror, mirrored, Layout::Hwc),
            observation(position, context, Layout::Hwc),
            "{}",
            position.to_text()
        );
    }
    assert_eq!(mask(&mirror), mask(position), "{}", position.to_text());
    assert_eq!(mirror.in_check(), position.in_check(), "{}", position.to_text());
    let swapped = mirror.outcome(n).winner().map(Player::opponent);
    assert_eq!(swapped, position.outcome(n).winner(), "{}", position.to_text());
}

/// A diagram shows each cell of the board once, inside its bounds, and the cell in check holds a figure of the mover.
pub fn diagram_shows_each_cell_once<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    let diagram = position.diagram(game.moves_played().next_back());
    let names: HashSet<_> = diagram.cells.iter().map(|cell| &cell.name).collect();
    assert_eq!(names.len(), diagram.cells.len(), "two cells share a name");
    for cell in &diagram.cells {
        assert!(cell.x >= 0.0 && cell.x + 1.0 <= diagram.width, "{}", cell.name);
        assert!(cell.y >= 0.0 && cell.y + 1.0 <= diagram.height, "{}", cell.name);
    }
    let places: HashSet<_> = diagram.cells.iter().map(|cell| cell.place).collect();
    assert_eq!(places.len(), diagram.cells.len(), "two cells share a place in the planes");
    assert!(places.iter().all(|&place| place < P::SHAPE.cells()));
    assert!(diagram.cells.iter().filter_map(|cell| cell.figure.as_ref()).all(|f| !f.pieces.is_empty()));
    assert_eq!(diagram.cells.iter().any(|cell| cell.marked), game.ply() > 0);
    let in_check = position.cell_in_check();
    assert_eq!(in_check.is_some(), position.in_check() == Some(true));
    if let Some(name) = in_check {
        let cell = diagram.cell_named(&name).map(|cell| &diagram.cells[cell]);
        let figure = cell.and_then(|cell| cell.figure.as_ref());
        assert_eq!(figure.map(|figure| figure.owner), Some(position.turn()), "{name} is in check");
    }
}

/// No two legal moves have the same details, all their cells are on the board, and only games that declare shares have them.
pub fn move_details_are_unique<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    let diagram = position.diagram(None);
    let names: HashSet<_> = diagram.cells.iter().map(|cell| cell.name.as_str()).collect();
    let mut seen = HashSet::new();
    for m in position.legal_moves() {
        let details = position.move_details(m);
        let shares = details.shares.iter().map(|share| &share.cell);
        for cell in details.from.iter().chain(&details.to).chain(&details.takes).chain(shares) {
            assert!(names.contains(cell.as_ref()), "{}: {details:?}", position.move_text(m));
        }
        assert!(P::HAS_SHARES || details.shares.is_empty(), "{}: {details:?}", position.move_text(m));
        assert!(seen.insert(details), "{}: another move has the same details", position.move_text(m));
    }
}

/// An arrangement composes back to the position, or to the position before a turn in progress.
pub fn arrangements_round_trip<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    let arrangement = position.arrangement(game.draw_offer());
    let composed = compose::<P>(&arrangement, position.rules());
    let (composed, offer) = composed.unwrap_or_else(|faults| panic!("{}: {faults:?}", position.to_text()));
    if position.turn_in_progress().is_none() {
        assert_eq!(&composed, position);
    }
    assert_eq!(composed.arrangement(offer), arrangement);
    let palette = P::palette(position.rules());
    for (cell, letters) in &arrangement.cells {
        let allowed = |(figure, region): &(Figure, usize)| {
            figure.letters == *letters && palette.regions[*region].contains(cell)
        };
        assert!(palette.figures.iter().any(allowed), "{letters} on {cell} is not in the palette");
    }
}

/// A draw offer changes neither the position nor the equality of games. Text and observation round-trip with the offer.
/// A restart clears the offer, and an ended game accepts no offer.
pub fn draw_offers_belong_to_the_game<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let mut offered = game.clone();
    let mover = game.turn();
    if game.is_over() {
        assert_eq!(offered.draw_action(mover, DrawAction::Offer), Err(DrawError::GameOver));
        assert_eq!(offered.draw_offer(), game.draw_offer());
        return;
    }
    offered.draw_action(mover, DrawAction::Offer).unwrap();
    assert_eq!(offered.draw_offer(), DrawOffer::Open(mover));
    assert_eq!(&offered, game);
    assert_eq!(offered.position(), game.position());

    let again = Game::<P>::from_text(&offered.position_text(), game.position().rules()).unwrap();
    assert_eq!(again.position_text(), offered.position_text());
    let values = offered.observe(Layout::Hwc);
    let (_, context) = P::decode_observation(&values, Layout::Hwc, mover).unwrap();
    let mut decoded = vec![f32::NAN; P::SHAPE.len()];
    game.position().write_observation(context, Layout::Hwc, &mut decoded).unwrap();
    assert_eq!(decoded, values);

    let mut accepted = offered.clone();
    accepted.draw_action(!mover, DrawAction::Accept).unwrap();
    assert!(matches!(accepted.outcome(), Outcome::Draw { .. }));
    offered.restart(game.first_position().clone());
    assert_eq!(offered.draw_offer(), DrawOffer::None);
}

/// Once a game is over, by the rules or by declaration, legal moves, mask and indices are empty.
pub fn ended_games_have_no_legal_moves<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let mut ended = game.clone();
    ended.agree_draw();
    for game in [game, &ended].into_iter().filter(|game| game.is_over()) {
        assert!(game.legal_moves().is_empty());
        assert!(game.mask().iter().all(|&legal| !legal));
        assert!(game.position().legal_moves().iter().all(|&m| {
            let index = game.position().policy_index(m);
            game.move_at(index).is_none()
        }));
    }
    if !game.is_over() {
        assert_eq!(game.legal_moves(), game.position().legal_moves());
        assert_eq!(game.mask(), mask(game.position()));
    }
}

/// The same seed plays the same game; some other seed plays a different one.
pub fn same_seed_same_game<P: Conformant>(subject: &Subject<P>) {
    for game in new_games(subject).into_iter().filter(|game| !game.outcome().is_over()) {
        let played = |seed| {
            let mut game = game.clone();
            play_random_moves(&mut game, &mut Rng::new(seed), 20);
            game
        };
        assert_eq!(played(1), played(1));
        assert!((2..10).any(|seed| played(seed) != played(1)), "every seed plays the same game");
    }
}

/// Random play ends or reaches the declared limit; an ended game accepts no more moves.
pub fn random_play_ends_or_reaches_the_limit<P: Conformant>(subject: &Subject<P>) {
    for seed in 0..subject.games {
        for mut game in new_games(subject) {
            let played = play_random_moves(&mut game, &mut Rng::new(seed), P::PLY_LIMIT);
            let outcome = game.outcome();
            assert!(outcome.is_over() || played == P::PLY_LIMIT, "{}", game.position().to_text());
            if outcome.is_over() {
                assert!(game.legal_moves().is_empty());
                if let Some(m) = random_move(game.position(), &mut Rng::new(seed)) {
                    let ended = game.clone();
                    assert!(game.play(m).is_err(), "a move after {outcome:?}");
                    assert_eq!(game, ended);
                }
            }
        }
    }
}
