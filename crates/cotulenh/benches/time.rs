//! Wall-clock time: `cargo bench -p sandtable-cotulenh --bench time`.
//!
//! The observation is compared with a copy of the same number of bytes.

mod positions;

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use positions::{middlegame, start};
use sandtable_core::learn::Layout;
use sandtable_core::rules::{Context, perft};
use sandtable_core::{Observe, PolicyIndexed, Position};
use sandtable_cotulenh::CoTuLenh;

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for (name, position, depth, count) in
        [("start", start(), 3, 1_578_791), ("middlegame", middlegame(), 3, 1_748_253)]
    {
        group.throughput(Throughput::Elements(count));
        group.bench_function(name, |bencher| {
            bencher.iter(|| assert_eq!(perft(black_box(&position), depth), count));
        });
    }
    group.finish();
}

fn tensors(criterion: &mut Criterion) {
    let position = middlegame();
    let mut values = vec![0.0_f32; CoTuLenh::SHAPE.len()];
    position
        .write_observation(Context::FIRST, Layout::Hwc, &mut values)
        .expect("the slice has the length of an observation");
    let source = values.clone();

    let mut group = criterion.benchmark_group("tensor");
    group.throughput(Throughput::Bytes(size_of_val(&source[..]) as u64));
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| black_box(&mut values).copy_from_slice(black_box(&source)));
    });
    for (name, layout) in [("observation hwc", Layout::Hwc), ("observation chw", Layout::Chw)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                black_box(&position).write_observation(Context::FIRST, layout, black_box(&mut values))
            });
        });
    }
    position
        .write_observation(Context::FIRST, Layout::Hwc, &mut values)
        .expect("the slice has the length of an observation");
    assert_eq!(values, source);
    group.finish();

    let mut mask = vec![false; CoTuLenh::POLICY_SIZE];
    position.write_mask(&mut mask).expect("the slice has the length of the policy");
    assert_eq!(mask.iter().filter(|legal| **legal).count() as u64, position.count_legal());
    criterion.bench_function("mask", |bencher| {
        bencher.iter(|| black_box(&position).write_mask(black_box(&mut mask)));
    });
}

fn play(criterion: &mut Criterion) {
    let position = middlegame();
    let steps = position.legal_moves();
    assert_eq!(steps.len(), 161);
    criterion.bench_function("play every step", |bencher| {
        bencher.iter_batched(
            || position,
            |position| steps.iter().fold(0, |hash, &step| hash ^ position.after(step).hash64()),
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(benches, steps, tensors, play);
criterion_main!(benches);
