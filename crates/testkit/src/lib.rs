//! The conformance suite that every Sandtable game passes.
//!
//! [`conformance!`] turns a position type into a module of tests, one for each property below. A property is a plain
//! function over a [`Game`], so that a failing one can be called by itself on a game of one's own.
//!
//! The suite plays random games from fixed seeds; a game adds its own openings, so that rare things (a castling
//! right, a stack, a slave) are met, and its own *near misses*: moves that look legal and mostly are not.

mod allocations;

use std::collections::HashSet;

use sandtable_core::{
    Arrange, Figure, Game, Layout, Notation, Observe, Player, PolicyIndex, PolicyIndexed, Position, Rng,
    Rules, Tags, WrongLength, compose, encode_batch, play_randomly, random_move,
};

pub use crate::allocations::blocks_allocated;

/// Everything a game of Sandtable can do.
pub trait Conformant: Arrange + Notation + Observe + PolicyIndexed {}

impl<P: Arrange + Notation + Observe + PolicyIndexed> Conformant for P {}

/// What the suite plays.
#[derive(Debug)]
pub struct Subject<P: Position> {
    /// Where the random games begin, as texts, beside the start position of every preset.
    pub openings: &'static [&'static str],
    /// How many random games each property sees from each beginning.
    pub games: u64,
    /// Moves to try in a position besides its legal ones, from a generator.
    pub near_misses: fn(&P, &mut Rng) -> Vec<P::Move>,
}

/// Makes a module `conformance` with a test for each property.
///
/// ```text
/// sandtable_testkit::conformance!(chess::Position, Subject { openings: &[…], games: 4, near_misses });
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
                clones_are_independent
                occurrences_equal_a_full_scan
                position_text_round_trips
                move_texts_round_trip_and_are_unique
                indices_round_trip_and_are_unique
                mask_equals_legal_list
                observation_is_well_formed
                layouts_and_batches_hold_the_same_values
                observation_decodes_to_itself
                mirror_sees_the_same
                diagram_shows_each_cell_once
                parts_tell_moves_apart
                arrangements_compose_back
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
            fn records_load_back() {
                $crate::records_load_back::<$Position>(&$subject);
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

/// The beginnings of the suite's games: every preset's start position, every opening.
fn beginnings<P: Conformant>(subject: &Subject<P>) -> Vec<Game<P>> {
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
        for (i, mut game) in beginnings(subject).into_iter().enumerate() {
            let mut rng = Rng::new(seed << 32 | i as u64);
            f(&game, &mut rng);
            while play_randomly(&mut game, &mut rng, 1) == 1 && game.ply() < P::PLY_LIMIT {
                f(&game, &mut rng);
            }
        }
    }
}

/// The list of legal moves has no move twice, and `is_legal` says yes to exactly the moves in it.
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
    for m in (subject.near_misses)(position, rng) {
        assert_eq!(position.is_legal(m), set.contains(&m), "{m:?} in {}", position.to_text());
    }
}

/// An illegal move is refused and leaves position and game as they were.
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

/// Playing a move and taking it back restores everything, the hash included.
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

/// A position taken apart and put together again is the same, and so is its hash: what was updated move by move
/// equals what is computed from nothing.
pub fn hash_equals_hash_from_scratch<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    let again = P::from_setup(&position.to_setup(), position.rules())
        .unwrap_or_else(|e| panic!("{}: {e}", position.to_text()));
    assert_eq!(&again, position);
    assert!(again.same_position(position));
    assert_eq!(again.hash64(), position.hash64(), "{}", position.to_text());
}

/// Playing on in a clone does not touch the original.
pub fn clones_are_independent<P: Conformant>(_: &Subject<P>, game: &Game<P>, rng: &mut Rng) {
    let state = || (format!("{:?}", game.position()), game.ply(), game.occurrences(), game.outcome());
    let before = state();
    let mut clone = game.clone();
    play_randomly(&mut clone, rng, 2);
    assert_eq!(state(), before);
}

/// The count of occurrences, which looks back no further than it must, equals a scan of the whole game.
pub fn occurrences_equal_a_full_scan<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let scan = game.past().filter(|(past, _)| past.same_position(game.position())).count() as u32 + 1;
    assert_eq!(game.occurrences(), scan, "{}", game.position().to_text());
}

/// A position's text reads back to the same position.
pub fn position_text_round_trips<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let text = game.position().to_text();
    assert!(!text.contains('\n'), "a position's text is one line: {text:?}");
    let again = P::from_text(&text, game.position().rules()).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(&again, game.position(), "{text}");
    assert_eq!(again.to_text(), text);
}

/// Both texts of every legal move are unique in the position and read back to the move.
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
}

/// Every legal move has an index of its own, below the size, that leads back to it; no other index leads anywhere.
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

/// The mask is true at the indices of the legal moves, and nowhere else.
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

fn observation<P: Conformant>(position: &P, occurrences: u32, layout: Layout) -> Vec<f32> {
    let mut out = vec![f32::NAN; P::SHAPE.len()];
    position.write_observation(occurrences, layout, &mut out).unwrap();
    out
}

/// The observation fills the declared shape with values in [0, 1], and its planes have names of their own.
pub fn observation_is_well_formed<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    assert_eq!(P::PLANES.len(), P::SHAPE.planes);
    let names: HashSet<_> = P::PLANES.iter().map(|plane| plane.name).collect();
    assert_eq!(names.len(), P::PLANES.len(), "two planes share a name");
    let values = observation(game.position(), game.occurrences(), Layout::Hwc);
    assert!(values.iter().all(|v| (0.0..=1.0).contains(v)), "{}", game.position().to_text());
    let mut long = vec![0.0; P::SHAPE.len() + 1];
    let error = WrongLength { expected: P::SHAPE.len(), found: P::SHAPE.len() + 1 };
    assert_eq!(game.position().write_observation(1, Layout::Hwc, &mut long), Err(error));
}

/// Channels first holds the values of channels last, and a batch holds those of its positions.
pub fn layouts_and_batches_hold_the_same_values<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let (position, occurrences) = (game.position(), game.occurrences());
    let hwc = observation(position, occurrences, Layout::Hwc);
    for layout in [Layout::Hwc, Layout::Chw] {
        let one = observation(position, occurrences, layout);
        for (i, value) in hwc.iter().enumerate() {
            let (cell, plane) = (i / P::SHAPE.planes, i % P::SHAPE.planes);
            assert_eq!(one[P::SHAPE.offset(layout, plane, cell)].to_bits(), value.to_bits());
        }
        let mut batch = vec![f32::NAN; 2 * P::SHAPE.len()];
        let first = game.first_position();
        encode_batch([(first, 1), (position, occurrences)].into_iter(), layout, &mut batch).unwrap();
        assert_eq!(batch[..P::SHAPE.len()], observation(first, 1, layout));
        assert_eq!(batch[P::SHAPE.len()..], one);
    }
}

/// A decoded observation is a position that looks the same.
pub fn observation_decodes_to_itself<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    for layout in [Layout::Hwc, Layout::Chw] {
        let values = observation(position, game.occurrences(), layout);
        let (setup, occurrences) = P::decode_observation(&values, layout, position.turn())
            .unwrap_or_else(|e| panic!("{}: {e}", position.to_text()));
        let again =
            P::from_setup(&setup, position.rules()).unwrap_or_else(|e| panic!("{}: {e}", position.to_text()));
        assert_eq!(observation(&again, occurrences, layout), values, "{}", position.to_text());
        assert!(P::decode_observation(&values[1..], layout, position.turn()).is_err());
    }
}

/// The mirrored position with colours swapped looks the same to its mover and allows the same indices.
pub fn mirror_sees_the_same<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let (position, mirror) = (game.position(), game.position().mirrored());
    assert_eq!(mirror.turn(), !position.turn());
    assert_eq!(&mirror.mirrored(), position, "{}", position.to_text());
    assert_ne!(mirror.hash64(), position.hash64(), "{}", position.to_text());
    let n = game.occurrences();
    assert_eq!(
        observation(&mirror, n, Layout::Hwc),
        observation(position, n, Layout::Hwc),
        "{}",
        position.to_text()
    );
    assert_eq!(mask(&mirror), mask(position), "{}", position.to_text());
    assert_eq!(mirror.check(), position.check(), "{}", position.to_text());
    let swapped = mirror.outcome(n).winner().map(Player::opponent);
    assert_eq!(swapped, position.outcome(n).winner(), "{}", position.to_text());
}

/// A diagram has each cell of the board once, within its frame, and who is in check stands on one.
pub fn diagram_shows_each_cell_once<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    let diagram = position.diagram(game.moves().next_back());
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
    let checked = position.checked();
    assert_eq!(checked.is_some(), position.check() == Some(true));
    if let Some(name) = checked {
        let cell = diagram.cell_named(&name).map(|cell| &diagram.cells[cell]);
        let figure = cell.and_then(|cell| cell.figure.as_ref());
        assert_eq!(figure.map(|figure| figure.owner), Some(position.turn()), "{name} is in check");
    }
}

/// No two legal moves have the same parts, all cells they name are on the board, and only games that say so have shares.
pub fn parts_tell_moves_apart<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    let diagram = position.diagram(None);
    let names: HashSet<_> = diagram.cells.iter().map(|cell| &cell.name).collect();
    let mut seen = HashSet::new();
    for m in position.legal_moves() {
        let parts = position.parts(m);
        let shares = parts.shares.iter().map(|share| &share.cell);
        for cell in parts.from.iter().chain(&parts.to).chain(&parts.takes).chain(shares) {
            assert!(names.contains(cell), "{}: {parts:?}", position.move_text(m));
        }
        assert!(P::SHARES || parts.shares.is_empty(), "{}: {parts:?}", position.move_text(m));
        assert!(seen.insert(parts), "{}: not the only one with these parts", position.move_text(m));
    }
}

/// A position that is arranged and composed is itself; before a turn that is not over, it is the position before it.
pub fn arrangements_compose_back<P: Conformant>(_: &Subject<P>, game: &Game<P>, _: &mut Rng) {
    let position = game.position();
    let arrangement = position.arrangement();
    let composed = compose::<P>(&arrangement, position.rules());
    let composed = composed.unwrap_or_else(|faults| panic!("{}: {faults:?}", position.to_text()));
    if position.pending().is_none() {
        assert_eq!(&composed, position);
    }
    assert_eq!(composed.arrangement(), arrangement);
    let palette = P::palette(position.rules());
    for (cell, letters) in &arrangement.cells {
        let allowed = |(figure, region): &(Figure, usize)| {
            figure.letters == *letters && palette.regions[*region].contains(cell)
        };
        assert!(palette.figures.iter().any(allowed), "{letters} on {cell} is not in the palette");
    }
}

/// The same seed plays the same game; another seed plays another.
pub fn same_seed_same_game<P: Conformant>(subject: &Subject<P>) {
    for game in beginnings(subject).into_iter().filter(|game| !game.outcome().is_over()) {
        let played = |seed| {
            let mut game = game.clone();
            play_randomly(&mut game, &mut Rng::new(seed), 20);
            game
        };
        assert_eq!(played(1), played(1));
        assert!((2..10).any(|seed| played(seed) != played(1)), "every seed plays the same game");
    }
}

/// Random play ends, or reaches the limit that the game states; an ended game takes no more moves.
pub fn random_play_ends_or_reaches_the_limit<P: Conformant>(subject: &Subject<P>) {
    for seed in 0..subject.games {
        for mut game in beginnings(subject) {
            let played = play_randomly(&mut game, &mut Rng::new(seed), P::PLY_LIMIT);
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

/// The record of a game, whole or cut short, resigned or agreed drawn, loads back to the same game.
pub fn records_load_back<P: Conformant>(subject: &Subject<P>) {
    for (i, mut game) in beginnings(subject).into_iter().enumerate() {
        let mut rng = Rng::new(i as u64);
        let tags: Tags = vec![("Event".into(), r#"A "test" \ of records"#.into())];
        for part in 0.. {
            let played = play_randomly(&mut game, &mut rng, 37);
            let mut variants = vec![game.clone()];
            if !game.outcome().is_over() {
                variants.push(game.clone());
                variants[1].resign(if part % 2 == 0 { game.turn() } else { !game.turn() });
                variants.push(game.clone());
                variants[2].agree_draw();
            }
            for game in variants {
                let text = P::write_record(&game, &tags);
                let (again, read) =
                    P::read_record(&text, game.position().rules()).unwrap_or_else(|e| panic!("{e}\n{text}"));
                assert_eq!(again, game, "{text}");
                assert!(read.contains(&tags[0]), "{text}");
            }
            if played < 37 || game.ply() > P::PLY_LIMIT {
                break;
            }
        }
    }
}
