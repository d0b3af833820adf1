//! Perft: counts the leaves of the tree of legal moves, the classic test of a move generator.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::Position;

/// The maximum depth for [`perft`], which recurses once per ply: a much larger depth would overflow the stack.
pub const MAX_PERFT_DEPTH: u32 = 100;

/// The number of legal move sequences of length `depth`. Bulk counting: the last ply is counted, not played.
///
/// A sequence that ends the game before `depth` is not counted. A depth beyond [`MAX_PERFT_DEPTH`] may overflow the
/// stack.
#[must_use]
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal(),
        _ => {
            let mut nodes = 0;
            let _ = position.for_each_legal::<()>(|m| {
                // Not `after`: returning the position adds a copy, which is measurable here.
                let mut next = position.clone();
                next.play_unchecked(m);
                nodes += perft(&next, depth - 1);
                ControlFlow::Continue(())
            });
            nodes
        }
    }
}

/// A root move with its number of leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divided<M> {
    /// The root move.
    pub root: M,
    /// The number of leaves below it.
    pub nodes: u64,
}

/// [`perft`] split by root move, on `threads` threads. Calls `progress` after each root move.
///
/// The result does not depend on the number of threads; the order of the `progress` calls does.
///
/// # Panics
///
/// If `depth` is 0.
#[must_use]
pub fn divide<P: Position>(
    position: &P,
    depth: u32,
    threads: usize,
    progress: impl Fn(&Divided<P::Move>) + Sync,
) -> Vec<Divided<P::Move>> {
    assert!(depth > 0, "divide needs a depth of at least 1");
    let roots = position.legal_moves();
    let counts: Vec<AtomicU64> = roots.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        // Threads take root moves one by one, because the sizes of their subtrees vary too much to divide in advance.
        while let Some((&root, count)) = {
            let i = next.fetch_add(1, Ordering::Relaxed);
            roots.get(i).zip(counts.get(i))
        } {
            let nodes = perft(&position.after(root), depth - 1);
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
