//! Counting the leaves of the tree of legal moves: the classic proof of a move generator.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::Position;

/// The greatest depth to ask [`perft`] for. No count gets near it, but the way down is walked at once, a frame of the
/// stack for each ply: much deeper, the stack would overflow.
pub const MAX_PERFT_DEPTH: u32 = 100;

/// The number of move sequences of length `depth`. The last ply is counted, not played.
///
/// A depth beyond [`MAX_PERFT_DEPTH`] may overflow the stack.
///
/// A sequence that ends the game early counts at the depth at which it ends, and not below.
#[must_use]
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal(),
        _ => {
            let mut nodes = 0;
            let _ = position.for_each_legal::<()>(|m| {
                // Cloned and played in place: a copy more would be felt.
                let mut next = position.clone();
                next.play_unchecked(m);
                nodes += perft(&next, depth - 1);
                ControlFlow::Continue(())
            });
            nodes
        }
    }
}

/// A root move with the number of sequences that begin with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divided<M> {
    /// The root move.
    pub root: M,
    /// Its share of the count.
    pub nodes: u64,
}

/// [`perft`] told apart by root move, on `threads` threads. `progress` hears each root move that is done.
///
/// The answer does not depend on the number of threads; the order in which `progress` hears does.
///
/// # Panics
///
/// At depth 0, where there is no root move.
#[must_use]
pub fn divide<P: Position>(
    position: &P,
    depth: u32,
    threads: usize,
    progress: impl Fn(&Divided<P::Move>) + Sync,
) -> Vec<Divided<P::Move>> {
    assert!(depth > 0, "depth 0 has no root moves");
    let roots = position.legal_moves();
    let counts: Vec<AtomicU64> = roots.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        // Root moves are handed out one by one: their trees differ too much in size to be dealt out beforehand.
        while let Some((&root, count)) = {
            let i = next.fetch_add(1, Ordering::Relaxed);
            roots.get(i).zip(counts.get(i))
        } {
            let nodes = perft(&after(position, root), depth - 1);
            count.store(nodes, Ordering::Relaxed);
            progress(&Divided { root, nodes });
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    roots.into_iter().zip(counts).map(|(root, nodes)| Divided { root, nodes: nodes.into_inner() }).collect()
}

/// [`perft`] on `threads` threads.
#[must_use]
pub fn perft_threaded<P: Position>(position: &P, depth: u32, threads: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    divide(position, depth, threads, |_| ()).iter().map(|root| root.nodes).sum()
}

fn after<P: Position>(position: &P, m: P::Move) -> P {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}
