//! Search trees with a network.

use std::sync::Mutex;

use sandtable::GAMES;
use sandtable::core::learn::PolicyIndex;
use sandtable::search::{Limits, MctsSettings};
use sandtable::training::{EncodedBatch, Network, NetworkOutput, search_tree};

/// Returns uniform priors and remembers the first batch.
#[derive(Default)]
struct Uniform {
    first: Mutex<Option<EncodedBatch>>,
}

impl Network for Uniform {
    fn evaluate(&self, batch: EncodedBatch) -> Option<NetworkOutput> {
        let priors = batch.masks.iter().map(|&legal| f32::from(u8::from(legal))).collect();
        let values = vec![0.0; batch.count];
        self.first.lock().unwrap().get_or_insert(batch);
        Some(NetworkOutput { priors, values })
    }
}

/// Returns no output.
struct NoOutput;

impl Network for NoOutput {
    fn evaluate(&self, _: EncodedBatch) -> Option<NetworkOutput> {
        None
    }
}

/// Prefers one move.
struct Fixed(PolicyIndex);

impl Network for Fixed {
    fn evaluate(&self, batch: EncodedBatch) -> Option<NetworkOutput> {
        let size = batch.masks.len() / batch.count;
        let mut priors = vec![0.001; batch.masks.len()];
        priors.iter_mut().skip(self.0.index()).step_by(size).for_each(|prior| *prior = 1.0);
        Some(NetworkOutput { priors, values: vec![0.0; batch.count] })
    }
}

#[test]
fn network_input_matches_the_game() {
    for kind in GAMES {
        let game = kind.start(kind.rules[0]).unwrap();
        let mut tree = search_tree(&*game, MctsSettings::default().with_batch_size(4), 1).unwrap();
        let network = Uniform::default();
        tree.search(&network, &Limits::nodes(60)).unwrap();
        let first = network.first.into_inner().unwrap().unwrap();
        let mut observation = vec![0.0; game.shape().len()];
        game.write_observation(sandtable::core::learn::Layout::Hwc, &mut observation).unwrap();
        let mut mask = vec![false; game.policy_size()];
        game.write_mask(&mut mask).unwrap();
        let mut root: Vec<PolicyIndex> = tree.root().iter().map(|root| root.root_move).collect();
        let legal = vec![root.clone()];
        let expected = EncodedBatch { count: 1, observations: observation, masks: mask, legal };
        assert!(first == expected, "{}", kind.name);
        root.sort();
        assert_eq!(root, game.legal_indices());
        assert_eq!(tree.root().iter().map(|root| root.visits).sum::<u32>(), 60);
        assert_eq!(tree.visits(), 60);
    }
}

#[test]
fn priors_guide_the_search() {
    let game = GAMES[0].start("standard").unwrap();
    let wanted = game.index_of("e4").unwrap();
    let mut tree = search_tree(&*game, MctsSettings::default().with_batch_size(4), 1).unwrap();
    tree.search(&Fixed(wanted), &Limits::nodes(50)).unwrap();
    assert_eq!(tree.choose(0.0), Some(wanted));
    assert_eq!(tree.line()[0], "e2e4");
    tree.advance(wanted).unwrap();
    assert_eq!(tree.game().sans_played(), ["e4"]);
    assert!(tree.visits() > 0, "the subtree of the move is kept");
    assert!(tree.advance(PolicyIndex(0)).is_err());
}

#[test]
fn a_batch_without_output_is_given_up() {
    let game = GAMES[0].start("standard").unwrap();
    let mut tree = search_tree(&*game, MctsSettings::default().with_batch_size(4), 1).unwrap();
    tree.search(&NoOutput, &Limits::nodes(10)).unwrap();
    assert!(tree.root().is_empty());
    tree.search(&Uniform::default(), &Limits::nodes(10)).unwrap();
    let before = tree.root();
    tree.search(&NoOutput, &Limits::nodes(10)).unwrap();
    assert_eq!((tree.root(), tree.visits()), (before, 10));
    tree.search(&Uniform::default(), &Limits::nodes(10)).unwrap();
    assert_eq!(tree.visits(), 20);
}

/// Returns outputs for this many positions more or less than it is asked for.
struct WrongCount(isize);

impl Network for WrongCount {
    fn evaluate(&self, batch: EncodedBatch) -> Option<NetworkOutput> {
        let (size, count) = (batch.masks.len() / batch.count, batch.count.checked_add_signed(self.0)?);
        Some(NetworkOutput { priors: vec![0.5; count * size], values: vec![0.0; count] })
    }
}

#[test]
fn an_output_of_the_wrong_length_is_an_error() {
    for kind in GAMES {
        let game = kind.start(kind.rules[0]).unwrap();
        for (difference, found) in [(-1, 0), (1, 2 * kind.policy_size)] {
            let network = WrongCount(difference);
            let mut tree = search_tree(&*game, MctsSettings::default().with_batch_size(4), 1).unwrap();
            let error = tree.search(&network, &Limits::nodes(10)).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "the network returns {found} numbers as priors for 1 positions: expected {}",
                    kind.policy_size
                )
            );
            assert_eq!(tree.add_noise(&network, 0.3, 0.25), Err(error));
            assert_eq!(tree.search(&Uniform::default(), &Limits::nodes(10)), Ok(()));
            assert_eq!(tree.visits(), 10);
        }
    }
}
