//! Networks in integers: files, symmetry, and updates along random games.

use sandtable_core::rules::{Rng, random_move};
use sandtable_core::search::Features;
use sandtable_core::{Game, Observe, Position};
use sandtable_nnue::train::{Samples, Settings, Trainer};
use sandtable_nnue::{Accumulator, Network, NetworkError};

/// A network after a short training on the positions of random games, so that all its weights differ.
fn trained<P: Features>() -> Network {
    let mut samples = Samples::default();
    for_each_position::<P>(4, |_, position| {
        let target = if position.stage() % 2 == 0 { 0.8 } else { 0.3 };
        samples.push(position, 0.0, target);
    });
    let mut trainer = Trainer::new::<P>(Settings { hidden: 32, batch: 64, ..Settings::default() });
    let before = trainer.loss(&samples);
    for _ in 0..4 {
        trainer.epoch(&samples);
    }
    assert!(trainer.loss(&samples) < before, "{}", P::NAME);
    trainer.network::<P>(400)
}

/// Calls `f` with the positions of random games and the position before each, if any.
fn for_each_position<P: Position>(games: u64, mut f: impl FnMut(Option<&P>, &P)) {
    for seed in 0..games {
        let mut rng = Rng::new(seed);
        let mut game = Game::<P>::new(P::Rules::default());
        f(None, game.position());
        while !game.is_over() && game.ply() < 300 {
            let before = game.position().clone();
            let m = random_move(&before, &mut rng).expect("the game is not over");
            game.play_unchecked(m);
            f(Some(&before), game.position());
        }
    }
}

fn scratch<P: Features>(network: &Network, position: &P) -> Accumulator {
    let mut accumulator = Accumulator::new(network);
    accumulator.refresh(network, position);
    accumulator
}

fn updates_equal_computation_from_scratch<P: Features>() {
    let network = trained::<P>();
    let mut parent = Accumulator::new(&network);
    for_each_position::<P>(10, |before, position| {
        let expected = scratch(&network, position);
        let mut accumulator = Accumulator::new(&network);
        match before {
            Some(before) => accumulator.update(&network, &parent, before, position),
            None => accumulator.refresh(&network, position),
        }
        assert_eq!(accumulator, expected, "{position:?}");
        let mut features = 0;
        position.for_each_feature(|feature| {
            features += 1;
            assert!(feature.first < P::FEATURES && feature.second < P::FEATURES);
        });
        assert!(features <= P::MAX_FEATURES && position.stage() < P::STAGES);
        parent = accumulator;
    });
}

fn mirrors_have_the_same_score<P: Features + Observe>() {
    let network = trained::<P>();
    for_each_position::<P>(4, |_, position| {
        let mirror = position.mirrored();
        let scores =
            [position, &mirror].map(|position| scratch(&network, position).score(&network, position));
        assert_eq!(scores[0], scores[1], "{position:?}");
    });
}

fn a_training_that_resumes_continues_exactly<P: Features>() {
    let mut samples = Samples::default();
    for_each_position::<P>(2, |_, position| samples.push(position, 0.0, 0.7));
    let settings = Settings { hidden: 16, batch: 50, ..Settings::default() };
    let mut trainer = Trainer::new::<P>(settings);
    trainer.epoch(&samples);
    let checkpoint = trainer.checkpoint();
    let mut resumed = Trainer::new::<P>(Settings { seed: 9, ..settings });
    assert!(!resumed.resume(&checkpoint[1..]) && resumed.resume(&checkpoint));
    assert_eq!(trainer.epoch(&samples).to_bits(), resumed.epoch(&samples).to_bits());
    assert_eq!(trainer.network::<P>(300), resumed.network::<P>(300));
}

fn files_are_read_as_they_were_written<P: Features>() {
    let network = trained::<P>();
    let bytes = network.to_bytes();
    assert_eq!(Network::from_bytes::<P>(&bytes), Ok(network));
    assert!(matches!(Network::from_bytes::<P>(&bytes[1..]), Err(NetworkError::Magic)));
    for length in [8, 9, 20, 60, bytes.len() - 1] {
        let error = Network::from_bytes::<P>(&bytes[..length]);
        assert!(
            matches!(error, Err(NetworkError::Length { .. } | NetworkError::FeatureSet { .. })),
            "{length} bytes: {error:?}"
        );
    }
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    assert_eq!(Network::from_bytes::<P>(&damaged), Err(NetworkError::Checksum));
}

macro_rules! for_every_game {
    ($($test:ident),*) => {
        mod chess { $(#[test] fn $test() { super::$test::<sandtable_chess::Chess>(); })* }
        mod cotulenh { $(#[test] fn $test() { super::$test::<sandtable_cotulenh::CoTuLenh>(); })* }
        mod tribun { $(#[test] fn $test() { super::$test::<sandtable_tribun::Tribun>(); })* }
    };
}

for_every_game!(
    updates_equal_computation_from_scratch,
    mirrors_have_the_same_score,
    a_training_that_resumes_continues_exactly,
    files_are_read_as_they_were_written
);

#[test]
fn a_network_of_another_game_is_refused() {
    let bytes = Network::zero::<sandtable_chess::Chess>(16, 400).to_bytes();
    let error = Network::from_bytes::<sandtable_tribun::Tribun>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "the network is for `chess-pieces-1`, not for `tribun-units-1`");
}
