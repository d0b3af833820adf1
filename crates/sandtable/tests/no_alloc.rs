//! A step of a vector environment and the factors of actions do not allocate. The profiler is global to the process, so this is the only test here.

use sandtable::core::PolicyIndex;
use sandtable::{ArrayBuffers, GAMES, VectorSettings};
use sandtable_testkit::blocks_allocated;

#[global_allocator]
static ALLOC: dhat::Alloc = dhat::Alloc;

#[test]
fn steps_and_factors_do_not_allocate() {
    const ENVS: usize = 3;
    let profiler = dhat::Profiler::builder().testing().build();
    for kind in GAMES {
        let settings = VectorSettings::new(ENVS).with_max_plies(Some(20)).with_opening_plies(2);
        let mut env = kind.vector_env((kind.rules)()[0], &settings).unwrap();
        let mut buffers = ArrayBuffers::new(kind, ENVS);
        let mut actions = [0; ENVS];
        let mut ended = 0;
        let mut run = || {
            env.seed(&[1, 2, 3]).unwrap();
            for step in 0..60 {
                if step == 0 {
                    env.reset(buffers.arrays()).unwrap();
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

        let mut factors = vec![0; kind.head.max_factors];
        let mut write_all = || {
            for index in 0..kind.policy_size as u32 {
                kind.head.write_factors(PolicyIndex(index), &mut factors).unwrap();
            }
        };
        assert_eq!(blocks_allocated(&mut write_all), 0, "blocks allocated by factors of {}", kind.name);
    }
    drop(profiler);
}
