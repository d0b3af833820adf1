//! Run time of the hot paths. Every benchmark asserts its result.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sandtable_core::learn::Layout;
use sandtable_core::rules::{Context, Rng, perft, play_random_moves};
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::{Game, Notation, Observe, PolicyIndexed, Position};
use sandtable_tribun::{Rules, Tribun, TribunGame};

/// A position from the middle of a random game.
fn middle_game() -> Tribun {
    let mut game: TribunGame = Game::new(Rules::STANDARD);
    play_random_moves(&mut game, &mut Rng::new(3), 80);
    *game.position()
}

fn counting(criterion: &mut Criterion) {
    let start = Tribun::start(Rules::STANDARD);
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(70_223));
    group.bench_function("start, depth 2", |b| b.iter(|| assert_eq!(perft(black_box(&start), 2), 70_223)));
    group.sample_size(10).throughput(Throughput::Elements(17_783_949));
    group
        .bench_function("start, depth 3", |b| b.iter(|| assert_eq!(perft(black_box(&start), 3), 17_783_949)));
    group.finish();
}

fn listing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("actions");
    for (name, position) in [("start", Tribun::start(Rules::STANDARD)), ("middle game", middle_game())] {
        let actions = position.count_legal();
        group.throughput(Throughput::Elements(actions));
        group.bench_function(format!("count, {name}"), |b| {
            b.iter(|| assert_eq!(black_box(&position).count_legal(), actions));
        });
        let value = position.view().evaluate();
        group.bench_function(format!("evaluate, {name}"), |b| {
            b.iter(|| assert_eq!(black_box(&position).view().evaluate(), value));
        });
        group.bench_function(format!("list, {name}"), |b| {
            b.iter(|| assert_eq!(black_box(&position).legal_moves().len() as u64, actions));
        });
    }
    group.finish();
}

fn encoding(criterion: &mut Criterion) {
    let position = middle_game();
    let mut group = criterion.benchmark_group("encode");
    let mut observation = vec![0.0; Tribun::SHAPE.len()];
    let units = 91.0 + observation_units(&position);
    group.bench_function("observation", |b| {
        b.iter(|| {
            black_box(&position).write_observation(Context::FIRST, Layout::Hwc, &mut observation).unwrap();
            assert!((observation.iter().sum::<f32>() - units).abs() < 0.5);
        });
    });
    let mut mask = vec![false; Tribun::POLICY_SIZE];
    group.bench_function("mask", |b| {
        b.iter(|| {
            black_box(&position).write_mask(&mut mask).unwrap();
            assert!(mask[position.policy_index(position.legal_moves()[0]).index()]);
        });
    });
    let text = position.to_text();
    group.bench_function("parse position text", |b| {
        b.iter(|| assert_eq!(Tribun::from_text(black_box(&text), Rules::STANDARD), Ok(position)));
    });
    group.finish();
}

/// The number of ones for the units of a position: one each, one for a slave, one for a tribun.
fn observation_units(position: &Tribun) -> f32 {
    let ones = sandtable_core::Player::ALL.into_iter().flat_map(|player| position.board().units(player));
    let ones = ones.map(|(_, unit)| 1 + u8::from(unit.slave().is_some()) + u8::from(unit.is_tribun()));
    ones.map(f32::from).sum()
}

criterion_group!(benches, counting, listing, encoding);
criterion_main!(benches);
