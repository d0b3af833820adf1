//! A step of a vector environment does not allocate. The profiler is global to the process, so this is the only test here.

use sandtable::{Arrays, GAMES, VectorSettings};

#[global_allocator]
static ALLOC: dhat::Alloc = dhat::Alloc;

#[test]
fn step_does_not_allocate() {
    const ENVS: usize = 3;
    let profiler = dhat::Profiler::builder().testing().build();
    for kind in GAMES {
        let settings = VectorSettings::new(ENVS).with_max_plies(Some(20)).with_opening_plies(2);
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
        // The first run grows the move lists; the same games then fit into them.
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
        assert!(ended > 10, "some games end and restart");
    }
    drop(profiler);
}
