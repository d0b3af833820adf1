//! CPU-bound work, kept off the threads that serve requests.

use sandtable_contract::ApiError;

use crate::error::internal;

/// Runs `work` on the blocking thread pool.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let span = tracing::Span::current();
    let result = tokio::task::spawn_blocking(move || span.in_scope(work)).await;
    result.unwrap_or_else(|e| Err(internal("a blocking task failed", &e)))
}
