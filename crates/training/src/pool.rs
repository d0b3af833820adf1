//! A pool of threads that outlives a call.

use std::sync::Arc;

use rayon::iter::IndexedParallelIterator;
use rayon::iter::plumbing::{Producer, ProducerCallback};
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

    /// Calls `work` with each item, on some thread.
    pub(crate) fn for_each<I: IndexedParallelIterator>(
        &mut self,
        items: I,
        work: impl Fn(I::Item) + Send + Sync,
    ) {
        let pool = if self.threads <= 1 || items.len() <= 1 { None } else { self.start() };
        match pool {
            Some(pool) => pool.install(|| items.for_each(work)),
            None => items.with_producer(OnThisThread(work)),
        }
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

/// Calls a function with each item of a parallel iterator without a pool: rayon itself would start its global one.
struct OnThisThread<F>(F);

impl<T, F: Fn(T)> ProducerCallback<T> for OnThisThread<F> {
    type Output = ();

    fn callback<P: Producer<Item = T>>(self, producer: P) {
        producer.into_iter().for_each(self.0);
    }
}
