//! Times, each with a baseline from the same run: `cargo bench -p sandtable-chess --bench time`.
//!
//! Each benchmark checks its result.

mod generator;
mod positions;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use generator::generator_perft;
use positions::positions;
use sandtable_chess::{Chess, Setup};
use sandtable_core::learn::Layout;
use sandtable_core::rules::{Context, perft};
use sandtable_core::{FromSetup as _, Observe, PolicyIndexed, Position};

/// The positions of a batch.
const BATCH: usize = 4096;

const LAYOUTS: [(&str, Layout); 2] = [("hwc", Layout::Hwc), ("chw", Layout::Chw)];

/// The perft depths and their node counts.
const NODES: [(u32, u64); 2] = [(4, 197_281), (5, 4_865_609)];

fn one_position(c: &mut Criterion) {
    let mut group = c.benchmark_group("one position");
    let positions = positions(256);
    for (name, layout) in LAYOUTS {
        let mut out = vec![f32::NAN; Chess::SHAPE.len()];
        for (position, context) in &positions {
            position.write_observation(*context, layout, &mut out).expect("the slice has the right length");
            let decoded = Chess::decode_observation(&out, layout, position.turn());
            let setup = Setup { halfmoves: 0, fullmoves: 1, ..position.to_setup() };
            assert_eq!(decoded, Ok((setup, Context::repeated(context.occurrences.min(3)))));
        }
        let mut next = positions.iter().cycle();
        group.bench_function(format!("encode {name}"), |b| {
            b.iter(|| {
                let (position, context) = next.next().expect("the iterator cycles");
                black_box(position)
                    .write_observation(*context, layout, &mut out)
                    .expect("the slice has the right length");
                black_box(&out);
            });
        });
    }
    let mut mask = vec![false; Chess::POLICY_SIZE];
    for (position, _) in &positions {
        position.write_mask(&mut mask).expect("the slice has the right length");
        assert_eq!(mask.iter().filter(|legal| **legal).count() as u64, position.count_legal());
    }
    let mut next = positions.iter().cycle();
    group.bench_function("mask", |b| {
        b.iter(|| {
            let (position, _) = next.next().expect("the iterator cycles");
            black_box(position).write_mask(&mut mask).expect("the slice has the right length");
            black_box(&mask);
        });
    });
    group.finish();
}

/// Compares encoding with a copy of the same number of bytes, into memory that is already mapped.
fn batch(c: &mut Criterion) {
    let mut group = c.benchmark_group("4096 positions");
    let positions = positions(BATCH);
    let length = BATCH * Chess::SHAPE.len();
    let (mut encoded, mut copied) = (vec![f32::NAN; length], vec![f32::NAN; length]);
    group.throughput(Throughput::Bytes(size_of_val(&encoded[..]) as u64));
    for (name, layout) in LAYOUTS {
        let mut encode = |positions: &[(Chess, Context)]| {
            let rows = encoded.chunks_exact_mut(Chess::SHAPE.len());
            for ((position, context), row) in positions.iter().zip(rows) {
                position.write_observation(*context, layout, row).expect("the slice has the right length");
            }
            black_box(&encoded);
        };
        encode(&positions);
        group.bench_function(format!("encode {name}"), |b| b.iter(|| encode(black_box(&positions))));
        for ((position, context), slice) in positions.iter().zip(encoded.chunks(Chess::SHAPE.len())) {
            let mut single = vec![f32::NAN; Chess::SHAPE.len()];
            position
                .write_observation(*context, layout, &mut single)
                .expect("the slice has the right length");
            assert_eq!(slice, single);
        }
    }
    let mut copy = |from: &[f32]| {
        copied.copy_from_slice(from);
        black_box(&copied);
    };
    copy(&encoded);
    group.bench_function("memcpy", |b| b.iter(|| copy(black_box(&encoded))));
    assert_eq!(copied, encoded);
    group.finish();
}

fn perft_of_the_start_position(c: &mut Criterion) {
    for (depth, nodes) in NODES {
        let mut group = c.benchmark_group(format!("perft {depth}"));
        group.sample_size(20).throughput(Throughput::Elements(nodes));
        let start = Chess::default();
        group.bench_function("sandtable", |b| b.iter(|| assert_eq!(perft(black_box(&start), depth), nodes)));
        group.bench_function("cozy-chess", |b| {
            b.iter(|| assert_eq!(generator_perft(black_box(depth)), nodes));
        });
        group.finish();
    }
}

criterion_group!(benches, one_position, batch, perft_of_the_start_position);
criterion_main!(benches);
