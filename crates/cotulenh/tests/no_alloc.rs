//! Hot paths do not allocate. There is a single test because the profiler counts the whole process.

use std::ops::ControlFlow;

use sandtable_core::learn::Layout;
use sandtable_core::rules::{Context, perft};
use sandtable_core::search::{Evaluate as _, NodeView as _};
use sandtable_core::{Notation as _, Observe, PolicyIndexed, Position};
use sandtable_cotulenh::{CoTuLenh, Rules, Step};
use sandtable_testkit::blocks_allocated;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// A middlegame with five stacks, so that play contains deployments.
const MIDDLEGAME: &str = "2a3c4/2n2h1h3/6s2a1/4g1(ft)1g1i/2(ni)e2mt1e1/11/3(NI)3T3/3E1(TM)4f/4G1A1G(ES)1/9A1/N4H1H1F1/6C4 \
                          b - - 15 17";

#[test]
fn hot_paths_allocate_nothing() {
    let positions = [Rules::STANDARD, Rules::CLUB]
        .map(|rules| [CoTuLenh::start(rules), CoTuLenh::from_text(MIDDLEGAME, rules).unwrap()])
        .concat();
    let mut observation = vec![f32::NAN; CoTuLenh::SHAPE.len()];
    let mut mask = vec![false; CoTuLenh::POLICY_SIZE];
    let mut deployments = 0;
    let _profiler = dhat::Profiler::builder().testing().build();
    assert_eq!(blocks_allocated(|| drop(std::hint::black_box(Box::new(0)))), 1, "the allocator counts");

    let blocks = blocks_allocated(|| {
        for mut position in positions.iter().copied() {
            assert!(perft(&position, 2) > 10_000);
            for ply in 0..40 {
                for layout in [Layout::Hwc, Layout::Chw] {
                    position.write_observation(Context::FIRST, layout, &mut observation).unwrap();
                }
                position.write_mask(&mut mask).unwrap();
                assert!(position.view().evaluate().abs() <= CoTuLenh::EVALUATION_LIMIT);
                let Some(step) = some_step(&position, ply * 7 % 50) else { break };
                assert_eq!(position.move_at(position.policy_index(step)), Some(step));
                position.play(step).unwrap();
                deployments += u32::from(position.deployment().is_some());
                if position.outcome(1).is_over() {
                    break;
                }
            }
        }
    });

    assert_eq!(blocks, 0);
    assert!(deployments > 0, "the play contains deployments");
}

/// The legal step with this number, or the last legal step.
fn some_step(position: &CoTuLenh, number: usize) -> Option<Step> {
    let mut seen = 0;
    let mut last = None;
    let _ = position.for_each_legal(|step| {
        seen += 1;
        last = Some(step);
        if seen > number { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    last
}
