//! A step of many games allocates nothing. The profiler is one for the whole process, so this is one test.

use sandtable::core::Layout;
use sandtable::{Arrays, GAMES, VectorSettings};

#[global_allocator]
static ALLOC: dhat::Alloc = dhat::Alloc;

#[test]
fn a_step_allocates_nothing() {
    const ENVS: usize = 3;
    let profiler = dhat::Profiler::builder().testing().build();
    for kind in GAMES {
        let settings = VectorSettings {
            envs: ENVS,
            threads: 1,
            max_plies: Some(20),
            opening_plies: 2,
            layout: Layout::Hwc,
        };
        let mut env = kind.vector_env((kind.rules)()[0], &settings).unwrap();
        let (mut observations, mut final_observations) =
            (vec![0.0; ENVS * kind.shape.len()], vec![0.0; ENVS * kind.shape.len()]);
        let mut masks = vec![false; ENVS * kind.policy_size];
        let (mut players, mut rewards) = ([0; ENVS], [0.0; 2 * ENVS]);
        let (mut terminated, mut truncated, mut actions) = ([false; ENVS], [false; ENVS], [0; ENVS]);
        let mut ended = 0;
        let mut run = || {
            env.seed(&[1, 2, 3]).unwrap();
            for step in 0..60 {
                let arrays = Arrays {
                    observations: &mut observations,
                    masks: &mut masks,
                    players: &mut players,
                    rewards: &mut rewards,
                    terminated: &mut terminated,
                    truncated: &mut truncated,
                    final_observations: &mut final_observations,
                };
                if step == 0 {
                    env.reset(arrays).unwrap();
                } else {
                    env.sample(&mut actions).unwrap();
                    env.step(&actions, arrays).unwrap();
                    ended += truncated.iter().chain(&terminated).filter(|end| **end).count();
                }
            }
        };
        // The first run finds out how long the lists of moves grow; the same games then need no more.
        run();
        let blocks = || dhat::HeapStats::get().total_blocks;
        let fewest = (0..3)
            .map(|_| {
                let before = blocks();
                run();
                blocks() - before
            })
            .min();
        assert_eq!(fewest, Some(0), "blocks allocated by steps of {}", kind.name);
        assert!(ended > 10, "games end and begin anew");
    }
    drop(profiler);
}
