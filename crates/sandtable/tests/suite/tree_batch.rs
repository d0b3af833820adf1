//! Search trees of many games against single trees.

use sandtable::core::learn::PolicyIndex;
use sandtable::search::{Limits, MctsSettings};
use sandtable::training::{
    BoxedTreeBatch, EncodedBatch, LeafArrays, Network, NetworkOutput, PolicyForm, RootArrays, Selection,
    TreeBatchError, TreeBatchSettings, search_tree, tree_batch,
};
use sandtable::{GAMES, GameKind};

/// The prior of an action, and the value of an observation.
fn prior(action: u32) -> f32 {
    1.0 + f32::from((action % 7) as u8)
}

fn value(observation: &[f32]) -> f32 {
    let sum: f32 = observation.iter().enumerate().map(|(i, x)| x * (f32::from((i % 13) as u8) - 6.0)).sum();
    (sum / 100.0).tanh()
}

/// The same network for single trees.
struct Dense;

impl Network for Dense {
    fn evaluate(&self, batch: EncodedBatch) -> Option<NetworkOutput> {
        let size = batch.masks.len() / batch.count;
        let priors = (0..batch.masks.len()).map(|i| prior((i % size) as u32)).collect();
        let observations = batch.observations.chunks_exact(batch.observations.len() / batch.count);
        Some(NetworkOutput { priors, values: observations.map(value).collect() })
    }
}

/// Owned memory for the arrays of a batch.
#[derive(Default)]
struct Leaves {
    observations: Vec<f32>,
    actions: Vec<i32>,
    offsets: Vec<i64>,
    trees: Vec<i32>,
}

/// Evaluates the selected leaves.
fn evaluate(trees: &mut BoxedTreeBatch, kind: &GameKind, selection: Selection, leaves: &mut Leaves) {
    leaves.observations.resize(selection.leaves * kind.shape.len(), 0.0);
    leaves.actions.resize(selection.actions, 0);
    leaves.offsets.resize(selection.leaves + 1, 0);
    leaves.trees.resize(selection.leaves, 0);
    trees
        .write_leaves(LeafArrays {
            observations: &mut leaves.observations,
            actions: &mut leaves.actions,
            offsets: &mut leaves.offsets,
            trees: &mut leaves.trees,
        })
        .unwrap();
    let policy: Vec<f32> = leaves.actions.iter().map(|action| prior(action.cast_unsigned())).collect();
    let values: Vec<f32> = leaves.observations.chunks_exact(kind.shape.len()).map(value).collect();
    trees.expand(&policy, &values, PolicyForm::Priors).unwrap();
}

#[test]
fn batch_and_single_trees_agree() {
    for kind in GAMES {
        let rules = kind.rules[0];
        for leaves in [1, 3] {
            let search = MctsSettings::default().with_batch_size(leaves);
            let settings =
                TreeBatchSettings::new(4).with_opening_plies(5).with_threads(2).with_search(search);
            let mut trees = tree_batch(kind, rules, &settings).unwrap();
            let games: Vec<_> = (0..4).map(|tree| trees.game(tree).unwrap()).collect();
            trees.begin(&[40; 4], &[false; 4]).unwrap();
            let mut arrays = Leaves::default();
            loop {
                let selection = trees.select().unwrap();
                if selection.is_done {
                    break;
                }
                evaluate(&mut trees, kind, selection, &mut arrays);
            }
            let moves = trees.count_root_moves();
            let (mut offsets, mut actions, mut visits) = ([0; 5], vec![0; moves], vec![0; moves]);
            let (mut priors, mut values, mut policy) = (vec![0.0; moves], vec![0.0; moves], vec![0.0; moves]);
            let arrays = RootArrays {
                offsets: &mut offsets,
                actions: &mut actions,
                visits: &mut visits,
                priors: &mut priors,
                values: &mut values,
                policy: &mut policy,
            };
            trees.write_roots(arrays).unwrap();
            for (tree, game) in games.iter().enumerate() {
                let mut single = search_tree(&**game, search, 1).unwrap();
                single.search(&Dense, &Limits::nodes(40)).unwrap();
                let row =
                    usize::try_from(offsets[tree]).unwrap()..usize::try_from(offsets[tree + 1]).unwrap();
                assert_eq!(single.root().len(), row.len());
                for (root, at) in single.root().iter().zip(row.clone()) {
                    assert_eq!(root.root_move, PolicyIndex(actions[at].cast_unsigned()));
                    assert_eq!(
                        (root.visits.cast_signed(), root.value),
                        (visits[at], values[at]),
                        "{}",
                        kind.name
                    );
                    assert!((root.prior - priors[at]).abs() < 1e-6);
                }
                assert_eq!(single.policy(), policy[row]);
            }
        }
    }
}

#[test]
fn arrays_of_a_wrong_length_are_refused() {
    let kind = &GAMES[0];
    let mut trees = tree_batch(kind, kind.rules[0], &TreeBatchSettings::new(2)).unwrap();
    assert!(matches!(trees.begin(&[1], &[true; 2]), Err(TreeBatchError::WrongLength { name: "visits", .. })));
    assert!(matches!(trees.begin(&[1; 2], &[]), Err(TreeBatchError::WrongLength { name: "noise", .. })));
    trees.begin(&[1; 2], &[false; 2]).unwrap();
    let selection = trees.select().unwrap();
    assert_eq!(selection, Selection { leaves: 2, actions: 40, is_done: false });
    let mut leaves = Leaves::default();
    let arrays = LeafArrays {
        observations: &mut leaves.observations,
        actions: &mut leaves.actions,
        offsets: &mut leaves.offsets,
        trees: &mut leaves.trees,
    };
    assert!(matches!(trees.write_leaves(arrays), Err(TreeBatchError::WrongLength { .. })));
    assert!(matches!(
        trees.expand(&[1.0; 40], &[0.0; 3], PolicyForm::Priors),
        Err(TreeBatchError::WrongLength { name: "values", expected: 2, found: 3 })
    ));
    evaluate(&mut trees, kind, selection, &mut leaves);
}
