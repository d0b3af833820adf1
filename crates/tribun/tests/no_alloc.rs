//! Hot paths do not allocate. A single test, because the profiler counts the whole process.

use std::ops::ControlFlow;

use sandtable_core::learn::Layout;
use sandtable_core::rules::{Context, perft};
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::{Observe, PolicyIndexed, Position};
use sandtable_testkit::blocks_allocated;
use sandtable_tribun::{Rules, Tribun};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[test]
fn hot_paths_allocate_nothing() {
    let mut observation = vec![0.0; Tribun::SHAPE.len()];
    let mut mask = vec![false; Tribun::POLICY_SIZE];
    let _profiler = dhat::Profiler::builder().testing().build();
    assert_eq!(blocks_allocated(|| drop(std::hint::black_box(Box::new(0)))), 1, "the allocator counts");

    let start = Tribun::start(Rules::STANDARD);
    let blocks = blocks_allocated(|| {
        let mut position = start;
        assert_eq!(perft(&position, 2), 70_223);
        for _ in 0..20 {
            position.write_observation(Context::FIRST, Layout::Hwc, &mut observation).unwrap();
            position.write_mask(&mut mask).unwrap();
            let first = position.for_each_legal(ControlFlow::Break);
            let ControlFlow::Break(action) = first else { break };
            assert_eq!(position.move_at(position.policy_index(action)), Some(action));
            assert!(position.view().evaluate().abs() < 1000);
            let _ = position.view().for_each_noisy(|attack| {
                assert!(position.view().static_exchange(attack) <= position.view().tactic(attack).gain);
                ControlFlow::<()>::Continue(())
            });
            position.play(action).unwrap();
            assert!(!position.outcome(1).is_over());
        }
    });
    assert_eq!(blocks, 0);
}
