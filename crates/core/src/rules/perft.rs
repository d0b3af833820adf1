//! Perft: counts the leaves of the tree of legal moves, the classic test of a move generator.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

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

/// The depth up to which [`perft_until`] counts without asking whether to stop: asking is slow compared with a leaf.
const UNINTERRUPTED_DEPTH: u32 = 2;

/// [`perft`] that ends early, with `None`, once `stop` returns true.
fn perft_or_stop<P: Position>(position: &P, depth: u32, stop: &impl Fn() -> bool) -> Option<u64> {
    if depth <= UNINTERRUPTED_DEPTH {
        return (!stop()).then(|| perft(position, depth));
    }
    let mut nodes = 0;
    let stopped = position.for_each_legal(|m| match perft_or_stop(&position.after(m), depth - 1, stop) {
        Some(count) => {
            nodes += count;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    });
    stopped.is_continue().then_some(nodes)
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
    let count = |position: &P| Some(perft(position, depth - 1));
    divide_by(position, depth, threads, count, progress).expect("counting does not stop")
}

/// The root moves with the number of leaves that `count` finds below each of them; `None` if it returns `None`.
fn divide_by<P: Position>(
    position: &P,
    depth: u32,
    threads: usize,
    count_leaves: impl Fn(&P) -> Option<u64> + Sync,
    progress: impl Fn(&Divided<P::Move>) + Sync,
) -> Option<Vec<Divided<P::Move>>> {
    assert!(depth > 0, "divide needs a depth of at least 1");
    let roots = position.legal_moves();
    let counts: Vec<AtomicU64> = roots.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let work = || {
        // Threads take root moves one by one, because the sizes of their subtrees vary too much to divide in advance.
        while let Some((&root, count)) = {
            let i = next.fetch_add(1, Ordering::Relaxed);
            roots.get(i).zip(counts.get(i))
        } {
            let Some(nodes) = count_leaves(&position.after(root)) else {
                stopped.store(true, Ordering::Relaxed);
                return;
            };
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
    let divided = roots.into_iter().zip(counts);
    let divided = divided.map(|(root, nodes)| Divided { root, nodes: nodes.into_inner() }).collect();
    (!stopped.into_inner()).then_some(divided)
}

/// [`perft`] on `threads` threads.
#[must_use]
pub fn perft_threaded<P: Position>(position: &P, depth: u32, threads: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    divide(position, depth, threads, |_| ()).iter().map(|root| root.nodes).sum()
}

/// [`perft`] on `threads` threads that ends early, with `None`, once `stop` returns true.
#[must_use]
pub fn perft_until<P: Position>(
    position: &P,
    depth: u32,
    threads: usize,
    stop: &(impl Fn() -> bool + Sync + ?Sized),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let count = |position: &P| perft_or_stop(position, depth - 1, &|| stop());
    let divided = divide_by(position, depth, threads, count, |_| ())?;
    Some(divided.iter().map(|root| root.nodes).sum())
}
