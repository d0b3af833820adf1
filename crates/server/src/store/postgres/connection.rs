//! Connections to the database, reopened after a failure.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, mpsc};
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Notification, Row, Socket, Statement};

use super::statements::Statements;
use crate::store::{Result, StoreError};

/// How long connecting may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long the answer of a statement may take: a dead network must not keep requests waiting.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// After a failed attempt to connect, requests fail at once for this time.
const RETRY_AFTER: Duration = Duration::from_millis(200);

/// What every session sets: a commit returns when it is on disk, and a statement that takes too long ends.
const SESSION: &str = "SET synchronous_commit = on; SET statement_timeout = 5000; SET lock_timeout = 4000; \
                       SET idle_in_transaction_session_timeout = 10000";

impl From<tokio_postgres::Error> for StoreError {
    /// The database's refusal of a statement is an error; a lost or refused connection, or a database that is starting,
    /// stopping or overloaded, is not the statement's fault.
    fn from(error: tokio_postgres::Error) -> Self {
        let class = error.code().map(|state| state.code().get(..2).unwrap_or_default());
        match class {
            // Connection exceptions, resources, lock timeouts, operator intervention, system errors.
            None | Some("08" | "53" | "55" | "57" | "58") => Self::Unavailable(describe(&error)),
            Some(_) => Self::Database(describe(&error).into()),
        }
    }
}

/// The error with its cause, which tokio-postgres leaves out.
pub(super) fn describe(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

fn unavailable(reason: &str) -> StoreError {
    StoreError::Unavailable(reason.to_owned())
}

/// Opens a connection. Notifications go to `notifications`.
pub(super) async fn open(
    config: &Config,
    notifications: Option<mpsc::UnboundedSender<Notification>>,
) -> Result<Client> {
    let connecting = async {
        let (client, connection) = config.connect(NoTls).await?;
        tokio::spawn(drive(connection, notifications));
        client.batch_execute(SESSION).await?;
        Ok(client)
    };
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
    connected.unwrap_or_else(|_| Err(unavailable("timed out connecting to the database")))
}

/// Exchanges messages until the client is dropped or the connection breaks.
async fn drive(
    mut connection: Connection<Socket, NoTlsStream>,
    notifications: Option<mpsc::UnboundedSender<Notification>>,
) {
    loop {
        match std::future::poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notification(notification))) => {
                if let Some(notifications) = &notifications
                    && notifications.send(notification).is_err()
                {
                    return;
                }
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                tracing::warn!(error = describe(&error), "lost a connection to the database");
                return;
            }
            None => return,
        }
    }
}

/// A connection with its prepared statements.
pub(super) struct Session {
    pub(super) client: Client,
    pub(super) statements: Statements,
}

/// Waits for an answer, but not for ever.
pub(super) async fn answer<T>(
    answer: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
) -> Result<T> {
    match tokio::time::timeout(ANSWER_TIMEOUT, answer).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(unavailable("timed out waiting for the database")),
    }
}

/// A slot for a connection that is opened when it is needed.
pub(super) struct Slot {
    config: Arc<Config>,
    state: Mutex<SlotState>,
}

#[derive(Default)]
struct SlotState {
    session: Option<Arc<Session>>,
    failed: Option<Instant>,
}

impl Slot {
    pub(super) fn new(config: Arc<Config>) -> Self {
        Self { config, state: Mutex::default() }
    }

    /// The connection, opened again if it broke.
    pub(super) async fn session(&self) -> Result<Arc<Session>> {
        let mut state = self.state.lock().await;
        if let Some(session) = &state.session
            && !session.client.is_closed()
        {
            return Ok(Arc::clone(session));
        }
        state.session = None;
        if state.failed.is_some_and(|failed| failed.elapsed() < RETRY_AFTER) {
            return Err(unavailable("the database is not reachable"));
        }
        let opened = async {
            let client = open(&self.config, None).await?;
            let statements = Statements::prepare(&client).await?;
            Ok(Arc::new(Session { client, statements }))
        };
        let opened: Result<_> = opened.await;
        state.failed = opened.is_err().then(Instant::now);
        state.session = opened.as_ref().ok().cloned();
        opened
    }

    /// Abandons a connection that did not answer, unless it has been replaced.
    pub(super) async fn abandon(&self, session: &Arc<Session>) {
        let mut state = self.state.lock().await;
        if state.session.as_ref().is_some_and(|current| Arc::ptr_eq(current, session)) {
            state.session = None;
        }
    }
}

/// A few connections, used in turn. Each pipelines the statements of many requests.
pub(super) struct Pool {
    slots: Vec<Slot>,
    next: AtomicUsize,
}

impl Pool {
    pub(super) fn new(config: &Arc<Config>, size: usize) -> Self {
        let slots = (0..size).map(|_| Slot::new(Arc::clone(config))).collect();
        Self { slots, next: AtomicUsize::new(0) }
    }

    /// Runs a statement on one of the connections.
    pub(super) async fn query(
        &self,
        statement: fn(&Statements) -> &Statement,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>> {
        let slot = &self.slots[self.next.fetch_add(1, Ordering::Relaxed) % self.slots.len()];
        let session = slot.session().await?;
        let rows = answer(session.client.query(statement(&session.statements), params)).await;
        if matches!(rows, Err(StoreError::Unavailable(_))) {
            slot.abandon(&session).await;
        }
        rows
    }
}
