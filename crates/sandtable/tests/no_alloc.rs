//! Steps of a vector environment, searches of a batch of trees and factors of actions do not allocate. The profiler is global to the process,
//! so this is the only test here.

use sandtable::core::learn::PolicyIndex;
use sandtable::search::MctsSettings;
use sandtable::training::{
    ArrayBuffers, LeafArrays, PolicyForm, TreeBatchSettings, VectorSettings, tree_batch, vector_env,
    write_factors,
};
use sandtable::{GAMES, GameKind};
use sandtable_testkit::blocks_allocated;

#[global_allocator]
static ALLOC: dhat::Alloc = dhat::Alloc;

#[test]
fn steps_searches_and_factors_do_not_allocate() {
    let profiler = dhat::Profiler::builder().testing().build();
    for kind in GAMES {
        check_steps(kind);
        check_searches(kind);
        check_factors(kind);
    }
    drop(profiler);
}

fn check_steps(kind: &GameKind) {
    const ENVS: usize = 3;
    let settings = VectorSettings::new(ENVS).with_max_plies(Some(20)).with_opening_plies(2);
    let mut env = vector_env(kind, kind.rules[0], &settings).unwrap();
    let mut buffers = ArrayBuffers::new(kind, ENVS);
    let mut actions = [0; ENVS];
    let mut ended = 0;
    let mut run = || {
        env.seed(&[1, 2, 3]).unwrap();
        for step in 0..60 {
            if step == 0 {
                env.reset(None, buffers.arrays()).unwrap();
            } else {
                env.sample(&mut actions).unwrap();
                env.step(&actions, buffers.arrays()).unwrap();
                ended += buffers.truncated.iter().chain(&buffers.terminated).filter(|end| **end).count();
            }
        }
    };
    // The first run grows the move lists; the same games then fit into them.
    run();
    assert_eq!(blocks_allocated(&mut run), 0, "blocks allocated by steps of {}", kind.name);
    assert!(ended > 10, "some games end and restart");
}

fn check_searches(kind: &GameKind) {
    const TREES: usize = 3;
    const LEAVES: usize = 2;
    for gumbel_moves in [0, 8] {
        // Noise is computed but changes nothing, so that all runs play the same games.
        let search = MctsSettings::default().with_batch_size(LEAVES).with_noise(10.0, 0.0);
        let search = search.with_gumbel_moves(gumbel_moves);
        let settings = TreeBatchSettings::new(TREES).with_search(search);
        let mut trees = tree_batch(kind, kind.rules[0], &settings).unwrap();
        let mut observations = vec![0.0; TREES * LEAVES * kind.shape.len()];
        let (mut actions, mut policy) = (vec![0; 100_000], vec![0.0; 100_000]);
        let (mut offsets, mut numbers) = ([0; TREES * LEAVES + 1], [0; TREES * LEAVES]);
        let mut leaves = 0;
        let mut run = || {
            trees.reset(&[true; TREES]).unwrap();
            for _ in 0..4 {
                trees.begin(&[20; TREES], &[gumbel_moves == 0; TREES]).unwrap();
                loop {
                    let selection = trees.select().unwrap();
                    if selection.is_done {
                        break;
                    }
                    leaves += selection.leaves;
                    let arrays = LeafArrays {
                        observations: &mut observations[..selection.leaves * kind.shape.len()],
                        actions: &mut actions[..selection.actions],
                        offsets: &mut offsets[..=selection.leaves],
                        trees: &mut numbers[..selection.leaves],
                    };
                    trees.write_leaves(arrays).unwrap();
                    for (logit, action) in policy.iter_mut().zip(&actions[..selection.actions]) {
                        *logit = f32::from((action % 5) as i8);
                    }
                    let values = [0.0; TREES * LEAVES];
                    trees
                        .expand(&policy[..selection.actions], &values[..selection.leaves], PolicyForm::Logits)
                        .unwrap();
                }
                let mut chosen = [0; TREES];
                trees.choose(&[0.0; TREES], &mut chosen).unwrap();
                trees.advance(&chosen).unwrap();
            }
        };
        run();
        assert_eq!(blocks_allocated(&mut run), 0, "blocks allocated by searches of {}", kind.name);
        assert!(leaves > 2 * TREES * 4 * 20 * 9 / 10);
    }
}

fn check_factors(kind: &GameKind) {
    let mut factors = vec![0; kind.head.max_factors];
    let mut write_all = || {
        for index in 0..kind.policy_size as u32 {
            write_factors(kind, PolicyIndex(index), &mut factors).unwrap();
        }
    };
    assert_eq!(blocks_allocated(&mut write_all), 0, "blocks allocated by factors of {}", kind.name);
}
