//! A store that measures another one.

use std::sync::Arc;
use std::time::Instant;

use super::{ChatMessage, ListQuery, ListedGame, Reply, Shared, Store, StoredGame, Write};
use crate::metrics::{DatabaseOperation, Metrics};

/// A store whose reads and writes are timed. The time of a write includes its wait in the queue.
pub(crate) struct MeasuredStore {
    inner: Arc<dyn Store>,
    metrics: Arc<Metrics>,
}

impl MeasuredStore {
    pub(crate) fn new(inner: Arc<dyn Store>, metrics: Arc<Metrics>) -> Self {
        Self { inner, metrics }
    }

    fn measure<'a, T>(&'a self, operation: DatabaseOperation, reply: Reply<'a, T>) -> Reply<'a, T>
    where
        T: Send + 'a,
    {
        Box::pin(async move {
            let began = Instant::now();
            let result = reply.await;
            self.metrics.used_database(operation, began.elapsed(), result.is_ok());
            result
        })
    }
}

impl Store for MeasuredStore {
    fn last_timestamp(&self) -> u64 {
        self.inner.last_timestamp()
    }

    fn write(&self, write: Write) -> Reply<'_, ()> {
        self.measure(DatabaseOperation::Write, self.inner.write(write))
    }

    fn game<'a>(&'a self, id: &'a str) -> Reply<'a, Option<StoredGame>> {
        self.measure(DatabaseOperation::Read, self.inner.game(id))
    }

    fn list(&self, query: ListQuery) -> Reply<'_, Vec<ListedGame>> {
        self.measure(DatabaseOperation::Read, self.inner.list(query))
    }

    fn chat<'a>(&'a self, id: &'a str) -> Reply<'a, Vec<ChatMessage>> {
        self.measure(DatabaseOperation::Read, self.inner.chat(id))
    }

    fn ready(&self) -> Reply<'_, ()> {
        self.inner.ready()
    }

    fn on_restore(&self, callback: Box<dyn Fn() + Send + Sync>) {
        self.inner.on_restore(callback);
    }

    fn close(&self) -> Reply<'_, ()> {
        self.inner.close()
    }

    fn shared(&self) -> Option<&dyn Shared> {
        self.inner.shared()
    }
}
