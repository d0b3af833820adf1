//! Work that takes a while, away from the threads that answer.

use crate::refusal::Refusal;

/// Does something on a thread where it hinders nobody.
pub(crate) async fn work<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|e| Err(Refusal::internal("a task failed", &e)))
}
