//! The hot paths do not touch the heap. One test, for the profiler counts the whole process.

use std::ops::ControlFlow;

use sandtable_core::{Layout, Observe, PolicyIndexed, Position as _, perft};
use sandtable_tribun::{Position, Rules};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[test]
fn hot_paths_allocate_nothing() {
    let mut position = Position::start(Rules::STANDARD);
    let mut observation = vec![0.0; Position::SHAPE.len()];
    let mut mask = vec![false; Position::POLICY_SIZE];
    let _profiler = dhat::Profiler::builder().testing().build();
    let before = dhat::HeapStats::get().total_blocks;

    assert_eq!(perft(&position, 2), 70_223);
    for _ in 0..20 {
        position.write_observation(1, Layout::Hwc, &mut observation).unwrap();
        position.write_mask(&mut mask).unwrap();
        let first = position.for_each_legal(ControlFlow::Break);
        let ControlFlow::Break(action) = first else { break };
        assert_eq!(position.move_at(position.policy_index(action)), Some(action));
        position.play(action).unwrap();
        assert!(!position.outcome(1).is_over());
    }

    assert_eq!(dhat::HeapStats::get().total_blocks, before);
}
