//! Time: perft with bulk counting, and the observation beside a copy of as many bytes.

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use sandtable_core::{Evaluate, Layout, Notation, Observe, PolicyIndexed, Position as _, perft};
use sandtable_cotulenh::{Position, Rules};

const MIDDLEGAME: &str = "2a3c4/2n2h1h3/6s2a1/4g1(ft)1g1i/2(ni)e2mt1e1/11/3(NI)3T3/3E1(TM)4f/4G1A1G(ES)1/9A1/N4H1H1F1/6C4 \
                          b - - 15 17";

fn middlegame() -> Position {
    Position::from_text(MIDDLEGAME, Rules::STANDARD).expect("the middlegame is a position")
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for (name, position, depth, count) in [
        ("start", Position::start(Rules::STANDARD), 3, 1_578_791),
        ("middlegame", middlegame(), 3, 1_748_253),
    ] {
        group.throughput(Throughput::Elements(count));
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert_eq!(perft(black_box(&position), depth), count));
        });
    }
    group.finish();
}

fn tensors(criterion: &mut Criterion) {
    let position = middlegame();
    let mut values = vec![0.0_f32; Position::SHAPE.len()];
    position.write_observation(1, Layout::Hwc, &mut values).expect("the slice has the length of the shape");
    let source = values.clone();

    let mut group = criterion.benchmark_group("tensor");
    group.throughput(Throughput::Bytes(size_of_val(&source[..]) as u64));
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| black_box(&mut values).copy_from_slice(black_box(&source)));
    });
    for (name, layout) in [("observation hwc", Layout::Hwc), ("observation chw", Layout::Chw)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(&position).write_observation(1, layout, black_box(&mut values)));
        });
    }
    position.write_observation(1, Layout::Hwc, &mut values).expect("the slice has the length of the shape");
    assert_eq!(values, source);
    group.finish();

    let mut mask = vec![false; Position::POLICY_SIZE];
    criterion.bench_function("mask", |bencher| {
        bencher.iter(|| black_box(&position).write_mask(black_box(&mut mask)));
    });
    assert_eq!(mask.iter().filter(|legal| **legal).count() as u64, position.count_legal());
}

fn play(criterion: &mut Criterion) {
    let position = middlegame();
    let steps = position.legal_moves();
    assert_eq!(steps.len(), 161);
    criterion.bench_function("play every step", |bencher| {
        bencher.iter_batched(
            || position,
            |position| {
                steps.iter().fold(0, |hash, &step| {
                    let mut after = position;
                    after.play_unchecked(step);
                    hash ^ after.hash64()
                })
            },
            BatchSize::SmallInput,
        );
    });
}

/// What a search asks at every leaf, beside the list of all steps.
fn leaves(criterion: &mut Criterion) {
    let position = middlegame();
    let mut group = criterion.benchmark_group("leaf");
    group.bench_function("evaluate", |bencher| bencher.iter(|| black_box(&position).evaluate()));
    group.bench_function("captures", |bencher| {
        bencher.iter(|| {
            black_box(&position).for_each_noisy::<()>(false, |step| {
                black_box(step);
                ControlFlow::Continue(())
            })
        });
    });
    group.bench_function("steps", |bencher| {
        bencher.iter(|| {
            black_box(&position).for_each_legal::<()>(|step| {
                black_box(step);
                ControlFlow::Continue(())
            })
        });
    });
    group.finish();
}

criterion_group!(benches, steps, tensors, play, leaves);
criterion_main!(benches);
