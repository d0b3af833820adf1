//! The games in a `PostgreSQL` database, which several instances of the server share.
//!
//! A change is written by one statement that expects a version, so of two instances that change a game at the same time one
//! is [`Stale`](StoreError::Stale). Writes that arrive together share one transaction. The database notifies the other
//! instances of every change.
//!
//! Each instance has a lease. A game that waits for a clock or an engine has a job, which belongs to the instance that wrote
//! the last change. When the lease of an instance runs out, the others take over its jobs.

mod clock;
mod connection;
mod lease;
mod schema;
mod statements;
#[cfg(test)]
mod tests;
mod writer;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sandtable_contract::{Both, Side};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio_postgres::{Config, Row};

use self::clock::DatabaseClock;
use self::connection::{Pool, answer, open};
use self::lease::{LEASE, Lease};
use self::statements::Statements;
use self::writer::{Queued, side_column};
use super::{
    ChatMessage, Flags, JobOwner, JobState, ListQuery, ListedGame, RemoteChange, Reply, Result, Scope,
    Shared, SharedGame, Store, StoreError, StoredGame, StoredPresence, StoredSeat, TokenHash, Write,
};

/// The connections for reading.
const READERS: usize = 4;
/// The most writes in the queue.
const QUEUE: usize = 1_024;
/// How long closing waits for the writer and the lease.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(1_200);

/// The games in a `PostgreSQL` database.
pub(crate) struct PostgresStore {
    instance: i64,
    readers: Pool,
    /// `None` once the store is closed.
    queue: Mutex<Option<mpsc::Sender<Queued>>>,
    clock: Arc<DatabaseClock>,
    changes: Mutex<Option<mpsc::UnboundedReceiver<RemoteChange>>>,
    last_timestamp: u64,
    close: watch::Sender<bool>,
    /// The writer, then the lease.
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl PostgresStore {
    /// Connects to a database; creates or migrates its tables if necessary.
    pub(crate) async fn open(mut config: Config) -> Result<Self> {
        config.application_name("sandtable").connect_timeout(Duration::from_secs(3));
        config.keepalives_idle(Duration::from_secs(10)).tcp_user_timeout(Duration::from_secs(10));
        let config = Arc::new(config);
        let mut client = open(&config, None).await?;
        schema::migrate(&mut client).await?;
        let statements = answer(Statements::prepare(&client)).await?;
        let asked = Instant::now();
        let time = answer(client.query_one(&statements.ready, &[])).await?.get(0);
        let clock = Arc::new(DatabaseClock::new(asked, time));
        let last = "SELECT coalesce(max(updated), 0) FROM games";
        let last_timestamp = answer(client.query_one(last, &[])).await?.get::<_, i64>(0).cast_unsigned();
        let instance = answer(client.query_one(&statements.register, &[&LEASE])).await?.get(0);
        let (queue, queued) = mpsc::channel(QUEUE);
        let (changes, receiver) = mpsc::unbounded_channel();
        let (close, closed) = watch::channel(false);
        let writer = tokio::spawn(writer::run(Arc::clone(&config), instance, queued));
        let lease =
            Lease { config: Arc::clone(&config), instance, clock: Arc::clone(&clock), changes, closed };
        let lease = tokio::spawn(lease.run());
        Ok(Self {
            instance,
            readers: Pool::new(&config, READERS),
            queue: Mutex::new(Some(queue)),
            clock,
            changes: Mutex::new(Some(receiver)),
            last_timestamp,
            close,
            tasks: Mutex::new(vec![writer, lease]),
        })
    }

    /// Runs a statement, unless the store is closed.
    async fn read(
        &self,
        statement: fn(&Statements) -> &tokio_postgres::Statement,
        params: &[&(dyn tokio_postgres::types::ToSql + Sync)],
    ) -> Result<Vec<Row>> {
        if *self.close.borrow() {
            return Err(StoreError::Closed);
        }
        self.readers.query(statement, params).await
    }

    async fn read_game(&self, id: &str, since: u64) -> Result<Option<SharedGame>> {
        let rows = self.read(|statements| &statements.game, &[&id, &since.cast_signed()]).await?;
        rows.first().map(|row| self.game_of(row)).transpose()
    }

    fn game_of(&self, row: &Row) -> Result<SharedGame> {
        let seat = |holder, link| -> Result<StoredSeat> {
            Ok(StoredSeat { holder: hash(row, holder)?, link: hash(row, link)? })
        };
        let job = match column::<Option<i64>>(row, 11)? {
            None => None,
            Some(owner) => {
                let is_expired = column(row, 12)?;
                let owner = if owner == self.instance {
                    JobOwner::This { is_expired }
                } else {
                    JobOwner::Other { is_expired }
                };
                let clock_started = column::<Option<i64>>(row, 10)?.map(i64::cast_unsigned);
                Some(JobState { clock_started, owner })
            }
        };
        let game = StoredGame {
            version: unsigned(row, 0)?,
            settings: column(row, 1)?,
            log: column(row, 13)?,
            seats: Both { first: seat(6, 7)?, second: seat(8, 9)? },
            flags: Flags { public: column(row, 2)?, lobby: column(row, 3)? },
            created: unsigned(row, 4)?,
            updated: unsigned(row, 5)?,
        };
        Ok(SharedGame { game, job })
    }
}

impl Store for PostgresStore {
    fn last_timestamp(&self) -> u64 {
        self.last_timestamp
    }

    fn write(&self, write: Write) -> Reply<'_, ()> {
        Box::pin(async {
            let queue = locked(&self.queue).clone().ok_or(StoreError::Closed)?;
            let (sender, result) = oneshot::channel();
            queue.send((write, sender)).await.map_err(|_| StoreError::Closed)?;
            result.await.map_err(|_| StoreError::Closed)?
        })
    }

    fn game<'a>(&'a self, id: &'a str) -> Reply<'a, Option<StoredGame>> {
        Box::pin(async { Ok(self.read_game(id, 0).await?.map(|shared| shared.game)) })
    }

    fn list(&self, query: ListQuery) -> Reply<'_, Vec<ListedGame>> {
        Box::pin(async move {
            let before = query.before.and_then(|at| i64::try_from(at).ok()).unwrap_or(i64::MAX);
            let limit = i64::from(query.limit);
            let rows = match &query.scope {
                Scope::All => self.read(|statements| &statements.list_all, &[&before, &limit]).await?,
                Scope::Public => self.read(|statements| &statements.list_public, &[&before, &limit]).await?,
                Scope::Lobby => self.read(|statements| &statements.list_lobby, &[&before, &limit]).await?,
                Scope::Holder(guest) => {
                    let params: &[&(dyn tokio_postgres::types::ToSql + Sync)] =
                        &[&before, &limit, &&guest.0[..]];
                    self.read(|statements| &statements.list_held, params).await?
                }
            };
            rows.iter().map(listed_game).collect()
        })
    }

    fn chat<'a>(&'a self, id: &'a str) -> Reply<'a, Vec<ChatMessage>> {
        Box::pin(async move {
            let rows = self.read(|statements| &statements.messages, &[&id]).await?;
            rows.iter().map(chat_message).collect()
        })
    }

    fn ready(&self) -> Reply<'_, ()> {
        Box::pin(async { self.read(|statements| &statements.ready, &[]).await.map(drop) })
    }

    fn close(&self) -> Reply<'_, ()> {
        Box::pin(async {
            drop(locked(&self.queue).take());
            let mut tasks = std::mem::take(&mut *locked(&self.tasks)).into_iter();
            // Queued writes first: the lease ends after them.
            let writer = tasks.next();
            let finish = async {
                if let Some(writer) = writer {
                    let _ = writer.await;
                }
                self.close.send_replace(true);
                for task in tasks {
                    let _ = task.await;
                }
            };
            let finished = tokio::time::timeout(CLOSE_TIMEOUT, finish).await;
            self.close.send_replace(true);
            finished.map_err(|_| StoreError::Unavailable("the database did not answer".to_owned()))
        })
    }

    fn shared(&self) -> Option<&dyn Shared> {
        Some(self)
    }
}

impl Shared for PostgresStore {
    fn take_changes(&self) -> Option<mpsc::UnboundedReceiver<RemoteChange>> {
        locked(&self.changes).take()
    }

    fn now(&self) -> u64 {
        self.clock.now()
    }

    fn versions(&self, ids: Vec<String>) -> Reply<'_, Vec<(String, u64)>> {
        Box::pin(async move {
            let rows = self.read(|statements| &statements.versions, &[&ids]).await?;
            rows.iter().map(|row| Ok((column(row, 0)?, unsigned(row, 1)?))).collect()
        })
    }

    fn shared_game<'a>(&'a self, id: &'a str, since: u64) -> Reply<'a, Option<SharedGame>> {
        Box::pin(self.read_game(id, since))
    }

    fn claim<'a>(&'a self, id: &'a str) -> Reply<'a, ()> {
        Box::pin(async move {
            self.read(|statements| &statements.claim_game, &[&id, &self.instance]).await.map(drop)
        })
    }

    fn restart_clock<'a>(&'a self, id: &'a str, started: u64) -> Reply<'a, ()> {
        Box::pin(async move {
            let started = started.cast_signed();
            self.read(|statements| &statements.restart_clock, &[&id, &self.instance, &started])
                .await
                .map(drop)
        })
    }

    fn own_jobs(&self) -> Reply<'_, Vec<String>> {
        Box::pin(async {
            let rows = self.read(|statements| &statements.own_jobs, &[&self.instance]).await?;
            rows.iter().map(|row| column(row, 0)).collect()
        })
    }

    fn set_connected<'a>(&'a self, id: &'a str, side: Side, is_connected: bool) -> Reply<'a, ()> {
        Box::pin(async move {
            let params: &[&(dyn tokio_postgres::types::ToSql + Sync)] =
                &[&id, &side_column(side), &self.instance, &is_connected];
            self.read(|statements| &statements.connect, params).await.map(drop)
        })
    }

    fn connected(&self, ids: Vec<String>) -> Reply<'_, Vec<(String, Side)>> {
        Box::pin(async move {
            let rows = self.read(|statements| &statements.connected, &[&ids]).await?;
            rows.iter().map(|row| Ok((column(row, 0)?, side(row, 1)?))).collect()
        })
    }

    fn presence<'a>(&'a self, id: &'a str) -> Reply<'a, Both<StoredPresence>> {
        Box::pin(async move {
            let mut presence = Both::<StoredPresence>::default();
            for row in &self.read(|statements| &statements.presence, &[&id, &self.instance]).await? {
                let is_connected = column(row, 1)?;
                let gone_since = if is_connected { None } else { Some(unsigned(row, 2)?) };
                let found = StoredPresence { is_connected, gone_since };
                match side(row, 0)? {
                    Side::First => presence.first = found,
                    Side::Second => presence.second = found,
                }
            }
            Ok(presence)
        })
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn column<'a, T: tokio_postgres::types::FromSql<'a>>(row: &'a Row, index: usize) -> Result<T> {
    Ok(row.try_get(index)?)
}

/// An unsigned number in the database: a timestamp or a number that counts from 1.
fn unsigned(row: &Row, index: usize) -> Result<u64> {
    Ok(column::<i64>(row, index)?.cast_unsigned())
}

fn side(row: &Row, index: usize) -> Result<Side> {
    Ok(if column::<i16>(row, index)? == 0 { Side::First } else { Side::Second })
}

fn hash(row: &Row, index: usize) -> Result<Option<TokenHash>> {
    let Some(bytes) = column::<Option<&[u8]>>(row, index)? else { return Ok(None) };
    let hash = bytes.try_into().map_err(|_| StoreError::Database("a hash is not of 32 bytes".into()))?;
    Ok(Some(TokenHash(hash)))
}

fn listed_game(row: &Row) -> Result<ListedGame> {
    Ok(ListedGame {
        id: column(row, 0)?,
        summary: column(row, 1)?,
        created: unsigned(row, 2)?,
        updated: unsigned(row, 3)?,
        holders: Both { first: hash(row, 4)?, second: hash(row, 5)? },
    })
}

fn chat_message(row: &Row) -> Result<ChatMessage> {
    Ok(ChatMessage {
        number: unsigned(row, 0)?,
        at: unsigned(row, 1)?,
        side: side(row, 2)?,
        text: column(row, 3)?,
    })
}
