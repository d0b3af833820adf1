//! A tree with a network sees what the game sees.

use std::sync::Mutex;

use sandtable::core::PolicyIndex;
use sandtable::search::{Limits, MctsSettings};
use sandtable::{Encoded, GAMES, Judged, Network};

const SETTINGS: MctsSettings = MctsSettings { exploration: 1.6, first_play: 0.25, batch: 4, threads: 1 };

/// Takes every legal move for equally good, and remembers the first batch.
#[derive(Default)]
struct Even {
    first: Mutex<Option<Encoded>>,
}

impl Network for Even {
    fn judge(&self, batch: Encoded) -> Option<Judged> {
        let priors = batch.masks.iter().map(|&legal| f32::from(u8::from(legal))).collect();
        let values = vec![0.0; batch.count];
        self.first.lock().unwrap().get_or_insert(batch);
        Some(Judged { priors, values })
    }
}

/// Knows nothing.
struct Silent;

impl Network for Silent {
    fn judge(&self, _: Encoded) -> Option<Judged> {
        None
    }
}

/// Thinks of one move alone.
struct Fixed(PolicyIndex);

impl Network for Fixed {
    fn judge(&self, batch: Encoded) -> Option<Judged> {
        let size = batch.masks.len() / batch.count;
        let mut priors = vec![0.001; batch.masks.len()];
        priors.iter_mut().skip(self.0.index()).step_by(size).for_each(|prior| *prior = 1.0);
        Some(Judged { priors, values: vec![0.0; batch.count] })
    }
}

#[test]
fn the_network_sees_the_positions_of_the_game() {
    for kind in GAMES {
        let game = kind.start((kind.rules)()[0]).unwrap();
        let mut tree = game.tree(SETTINGS, 1);
        let network = Even::default();
        tree.search(&network, &Limits::nodes(60));
        let first = network.first.into_inner().unwrap().unwrap();
        let mut observation = vec![0.0; game.shape().len()];
        game.write_observation(sandtable::core::Layout::Hwc, &mut observation).unwrap();
        let mut mask = vec![false; game.policy_size()];
        game.write_mask(&mut mask).unwrap();
        assert!(first == Encoded { count: 1, observations: observation, masks: mask }, "{}", kind.name);

        let mut root: Vec<PolicyIndex> = tree.root().iter().map(|root| root.m).collect();
        root.sort();
        assert_eq!(root, game.indices());
        assert_eq!(tree.root().iter().map(|root| root.visits).sum::<u32>(), 60);
        assert_eq!(tree.visits(), 60);
    }
}

#[test]
fn priors_lead_the_search() {
    let game = GAMES[0].start("standard").unwrap();
    let wanted = game.index_of("e4").unwrap();
    let mut tree = game.tree(SETTINGS, 1);
    tree.search(&Fixed(wanted), &Limits::nodes(50));
    assert_eq!(tree.choose(0.0), Some(wanted));
    assert_eq!(tree.line()[0], "e2e4");
    tree.advance(wanted).unwrap();
    assert_eq!(tree.game().history(), ["e4"]);
    assert!(tree.visits() > 0, "what was known below the move is kept");
    assert!(tree.advance(PolicyIndex(0)).is_err());
}

#[test]
fn without_a_judgement_all_moves_are_alike() {
    let mut tree = GAMES[0].start("standard").unwrap().tree(SETTINGS, 1);
    tree.search(&Silent, &Limits::nodes(1));
    assert!(tree.root().iter().all(|root| (root.prior - 0.05).abs() < 1e-6));
}
