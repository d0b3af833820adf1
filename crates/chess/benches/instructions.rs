//! Instruction counts, the same on every run: `cargo bench -p sandtable-chess --bench instructions`.
//!
//! Needs valgrind and the version of `gungraun-runner` that matches `gungraun` in the lock file.

#![expect(missing_docs, reason = "benchmarks have no public API")]

mod generator;
mod positions;

use std::hint::black_box;

use generator::generator_perft;
use gungraun::prelude::*;
use positions::positions;
use sandtable_chess::Chess;
use sandtable_core::learn::Layout;
use sandtable_core::rules::{Context, perft};
use sandtable_core::{Observe, PolicyIndexed, Position};

/// Small enough for valgrind, large enough to include all kinds of positions.
const COUNT: usize = 256;

struct Batch {
    positions: Vec<(Chess, Context)>,
    out: Vec<f32>,
    mask: Vec<bool>,
}

fn batch() -> Batch {
    Batch {
        positions: positions(COUNT),
        out: vec![f32::NAN; COUNT * Chess::SHAPE.len()],
        mask: vec![false; Chess::POLICY_SIZE],
    }
}

#[library_benchmark]
#[bench::hwc(args = (Layout::Hwc), setup = with_layout)]
#[bench::chw(args = (Layout::Chw), setup = with_layout)]
fn encode_256((mut batch, layout): (Batch, Layout)) -> Batch {
    let rows = batch.out.chunks_exact_mut(Chess::SHAPE.len());
    for ((position, context), row) in black_box(&batch.positions).iter().zip(rows) {
        position.write_observation(*context, layout, row).expect("the slice has the right length");
    }
    assert!(!batch.out[batch.out.len() - 1].is_nan());
    batch
}

fn with_layout(layout: Layout) -> (Batch, Layout) {
    (batch(), layout)
}

#[library_benchmark]
#[bench::all(args = (), setup = batch)]
fn mask_256(mut batch: Batch) -> Batch {
    for (position, _) in black_box(&batch.positions) {
        position.write_mask(&mut batch.mask).expect("the slice has the right length");
    }
    let legal = batch.mask.iter().filter(|legal| **legal).count() as u64;
    assert_eq!(legal, batch.positions[COUNT - 1].0.count_legal());
    batch
}

#[library_benchmark]
fn perft_4_ours() -> u64 {
    let nodes = perft(black_box(&Chess::default()), 4);
    assert_eq!(nodes, 197_281);
    nodes
}

#[library_benchmark]
fn perft_4_generator() -> u64 {
    let nodes = generator_perft(black_box(4));
    assert_eq!(nodes, 197_281);
    nodes
}

library_benchmark_group!(name = chess, benchmarks = [encode_256, mask_256, perft_4_ours, perft_4_generator]);
main!(library_benchmark_groups = chess);
