//! Instruction counts, the same on every run: `cargo bench -p sandtable-nnue --bench instructions`.
//!
//! Requires valgrind, and `gungraun-runner` in the version of `gungraun` in the lock file.

#![expect(missing_docs, reason = "a benchmark has no public API")]

use std::hint::black_box;

use gungraun::prelude::*;
use sandtable_core::Game;
use sandtable_core::rules::{Rng, random_move};
use sandtable_core::search::Features;
use sandtable_nnue::train::{Settings, Trainer};
use sandtable_nnue::{Accumulator, Network};

/// The largest network of a game, and positions that follow one another, each with an accumulator.
type Path<P> = (Network, Vec<(P, Accumulator)>);

/// The path of random games, 200 moves in all.
fn path<P: Features>() -> Path<P> {
    let network = Trainer::new::<P>(Settings { hidden: 128, ..Settings::default() }).network::<P>(400);
    let (mut rng, mut path) = (Rng::new(5), Vec::new());
    let mut game = Game::<P>::new(P::Rules::default());
    while path.len() <= 200 {
        let mut accumulator = Accumulator::new(&network);
        accumulator.refresh(&network, game.position());
        path.push((game.position().clone(), accumulator));
        match random_move(game.position(), &mut rng) {
            Some(m) if !game.is_over() => game.play_unchecked(m),
            _ => game = Game::new(P::Rules::default()),
        }
    }
    (network, path)
}

/// Updates the accumulator and computes the score 200 times: divided by 200, the instructions of a node. Returns the path, so
/// that freeing it is not counted.
fn follow<P: Features>((network, mut path): Path<P>) -> Path<P> {
    let mut sum = 0;
    for ply in 1..path.len() {
        let (before, after) = path.split_at_mut(ply);
        let ((position, parent), (next, accumulator)) = (&before[ply - 1], &mut after[0]);
        accumulator.update(black_box(&network), parent, position, next);
        sum += accumulator.score(&network, next);
    }
    assert_ne!(black_box(sum), 0);
    (network, path)
}

#[library_benchmark]
#[bench::hidden_128(path())]
fn chess(path: Path<sandtable_chess::Chess>) -> Path<sandtable_chess::Chess> {
    follow(path)
}

#[library_benchmark]
#[bench::hidden_128(path())]
fn cotulenh(path: Path<sandtable_cotulenh::CoTuLenh>) -> Path<sandtable_cotulenh::CoTuLenh> {
    follow(path)
}

#[library_benchmark]
#[bench::hidden_128(path())]
fn tribun(path: Path<sandtable_tribun::Tribun>) -> Path<sandtable_tribun::Tribun> {
    follow(path)
}

library_benchmark_group!(name = nodes, benchmarks = [chess, cotulenh, tribun]);
main!(library_benchmark_groups = nodes);
