//! A pool of threads that outlives a call.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Threads that share the work on many items. Results do not depend on their number.
///
/// The threads start with the first call that uses them. A forked process has the memory of a pool but not its threads: it
/// starts its own.
#[derive(Debug)]
pub(crate) struct Pool {
    threads: usize,
    /// The pool, and the process that started it.
    started: Option<(u32, Arc<ThreadPool>)>,
}

impl Pool {
    pub(crate) const fn new(threads: usize) -> Self {
        Self { threads, started: None }
    }

    /// Calls `work` with pieces of `items`, each on some thread. `split` divides a piece after a number of items.
    pub(crate) fn run<T: Send>(
        &mut self,
        items: T,
        len: usize,
        split: impl Fn(T, usize) -> (T, T) + Sync,
        work: impl Fn(T) + Sync,
    ) {
        if self.threads <= 1 || len <= 1 {
            return work(items);
        }
        // Several pieces for each thread, because items differ in their work.
        let piece = len.div_ceil(self.threads * 4);
        match self.start() {
            Some(pool) => pool.install(|| divide(items, len, piece, &split, &work)),
            None => work(items),
        }
    }

    /// [`run`](Self::run) for a slice: calls `work` with each item.
    pub(crate) fn for_each<T: Send>(&mut self, items: &mut [T], work: impl Fn(&mut T) + Sync) {
        let len = items.len();
        self.run(items, len, |items, at| items.split_at_mut(at), |items| items.iter_mut().for_each(&work));
    }

    /// The pool of this process; `None` if the operating system refuses to start threads.
    fn start(&mut self) -> Option<Arc<ThreadPool>> {
        let process = std::process::id();
        if let Some((owner, pool)) = &self.started {
            if *owner == process {
                return Some(pool.clone());
            }
            self.leave_to_owner();
        }
        let name = |number| format!("sandtable {number}");
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).thread_name(name).build().ok()?;
        let pool = Arc::new(pool);
        self.started = Some((process, pool.clone()));
        Some(pool)
    }

    /// Forgets the pool of another process: dropping it would wake threads that this process does not have.
    fn leave_to_owner(&mut self) {
        if self.started.as_ref().is_some_and(|(owner, _)| *owner != std::process::id()) {
            std::mem::forget(self.started.take());
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.leave_to_owner();
    }
}

fn divide<T: Send>(
    items: T,
    len: usize,
    piece: usize,
    split: &(impl Fn(T, usize) -> (T, T) + Sync),
    work: &(impl Fn(T) + Sync),
) {
    if len <= piece {
        return work(items);
    }
    let half = len / 2;
    let (first, second) = split(items, half);
    rayon::join(
        || divide(first, half, piece, split, work),
        || divide(second, len - half, piece, split, work),
    );
}
