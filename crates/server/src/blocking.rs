//! CPU-bound work, kept off the threads that serve requests.
//!
//! Jobs wait for a worker on the async side, so a job whose client has hung up leaves the queue at once. A client has at
//! most half of the workers: the jobs of others do not wait behind its own.

use std::sync::{Arc, LazyLock};

use sandtable_contract::ApiError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::internal;

tokio::task_local! {
    /// Limits the jobs of the client whose request the task serves.
    static CLIENT_JOBS: Arc<Semaphore>;
}

/// The workers of all servers in this process: they share its processors.
static WORKERS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(2 * jobs_per_client())));

/// The number of processors, which takes a while to find out.
static PROCESSORS: LazyLock<usize> =
    LazyLock::new(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));

/// How many jobs of one client may run at the same time.
pub(crate) fn jobs_per_client() -> usize {
    *PROCESSORS
}

/// Runs a request whose blocking jobs are limited by `jobs`.
pub(crate) async fn with_client_jobs<T>(jobs: Arc<Semaphore>, request: impl Future<Output = T>) -> T {
    CLIENT_JOBS.scope(jobs, request).await
}

/// Runs `work` on the blocking thread pool once a worker is free. If the future is dropped before that, `work` never runs.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let client_permit = match CLIENT_JOBS.try_with(Arc::clone) {
        Ok(jobs) => Some(permit(jobs).await?),
        // A task of the server itself, such as loading a game.
        Err(_) => None,
    };
    let worker = permit(Arc::clone(&WORKERS)).await?;
    let span = tracing::Span::current();
    let job = move || {
        // The permits count threads: a job that has started keeps them even if nobody waits for its result.
        let _permits = (client_permit, worker);
        span.in_scope(work)
    };
    let result = tokio::task::spawn_blocking(job).await;
    result.unwrap_or_else(|e| Err(internal("a blocking task failed", &e)))
}

async fn permit(semaphore: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    semaphore.acquire_owned().await.map_err(|e| internal("no worker for a blocking task", &e))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_job_whose_request_is_dropped_in_the_queue_never_runs() {
        let (jobs, runs) = (Arc::new(Semaphore::new(1)), Arc::new(AtomicUsize::new(0)));
        let (release, released) = mpsc::channel::<()>();
        let (started, mut has_started) = tokio::sync::mpsc::channel(1);
        let running = tokio::spawn(with_client_jobs(
            Arc::clone(&jobs),
            run_blocking(move || {
                started.blocking_send(()).unwrap();
                Ok(released.recv())
            }),
        ));
        has_started.recv().await.unwrap();
        let queued: Vec<_> = (0..100)
            .map(|_| {
                let runs = Arc::clone(&runs);
                let job = run_blocking(move || Ok(runs.fetch_add(1, Ordering::SeqCst)));
                tokio::spawn(with_client_jobs(Arc::clone(&jobs), job))
            })
            .collect();
        // Another client is served while the jobs of the first one wait.
        let other = with_client_jobs(Arc::new(Semaphore::new(1)), run_blocking(|| Ok(7)));
        assert_eq!(tokio::time::timeout(Duration::from_secs(20), other).await.unwrap(), Ok(7));
        for task in &queued {
            task.abort();
        }
        for task in queued {
            assert!(task.await.unwrap_err().is_cancelled());
        }
        release.send(()).unwrap();
        running.await.unwrap().unwrap().unwrap();
        with_client_jobs(jobs, run_blocking(|| Ok(()))).await.unwrap();
        assert_eq!(runs.load(Ordering::SeqCst), 0, "abandoned jobs ran");
    }
}
