//! The writer: writes that arrive together share one transaction, and so one flush to disk.

use std::sync::Arc;

use futures_util::future::join_all;
use sandtable_contract::Side;
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Error, Row};

use super::connection::{Session, Slot, answer};
use crate::store::{Job, MAX_CHAT, Result, StoreError, TokenHash, Write};

/// The most writes in one transaction.
const BATCH: usize = 256;

/// A queued write and where its result goes.
pub(super) type Queued = (Write, oneshot::Sender<Result<()>>);

/// Writes the queue until all senders are gone.
pub(super) async fn run(config: Arc<Config>, instance: i64, mut queue: mpsc::Receiver<Queued>) {
    let slot = Slot::new(config);
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        // Two instances that write the same games lock them in the same order: no deadlock. The sort is stable, so the
        // writes of one game stay in order.
        batch.sort_by(|(first, _), (second, _)| first.id().cmp(second.id()));
        let (writes, senders): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
        for (sender, result) in senders.into_iter().zip(write_batch(&slot, instance, &writes).await) {
            // The receiver is gone if the request was cancelled.
            let _ = sender.send(result);
        }
    }
}

/// Writes a batch in one transaction. If a write breaks it, writes each alone, so that only the faulty ones fail.
async fn write_batch(slot: &Slot, instance: i64, writes: &[Write]) -> Vec<Result<()>> {
    match write_together(slot, instance, writes).await {
        Ok(results) => results,
        Err(StoreError::Database(_)) if writes.len() > 1 => {
            let mut results = Vec::with_capacity(writes.len());
            for alone in writes.chunks(1) {
                let result = write_together(slot, instance, alone).await;
                results.push(result.and_then(|mut results| results.remove(0)));
            }
            results
        }
        Err(StoreError::Database(error)) => vec![Err(StoreError::Database(error))],
        // Nothing was written, or nobody knows: the games are read again.
        Err(error) => {
            let reason = error.to_string();
            writes.iter().map(|_| Err(StoreError::Unavailable(reason.clone()))).collect()
        }
    }
}

/// Writes in one transaction. The result of each: stale, or written.
async fn write_together(slot: &Slot, instance: i64, writes: &[Write]) -> Result<Vec<Result<()>>> {
    let session = slot.session().await?;
    let result = answer(transaction(&session, instance, writes)).await;
    if matches!(result, Err(StoreError::Unavailable(_))) {
        slot.abandon(&session).await;
    }
    Ok(result?.into_iter().zip(writes).map(|(changed, write)| outcome(changed, write)).collect())
}

/// Sends the whole transaction, then waits for its answers: one round trip, whatever the number of writes. The client sends
/// when a future is first polled, here in the order of the code.
async fn transaction(
    session: &Session,
    instance: i64,
    writes: &[Write],
) -> std::result::Result<Vec<bool>, Error> {
    let client = &session.client;
    let writes = join_all(writes.iter().map(|write| execute(session, instance, write)));
    let (begun, written, committed) = tokio::join!(
        biased;
        client.batch_execute("BEGIN"),
        writes,
        client.batch_execute("COMMIT"),
    );
    begun?;
    // The first error is the cause of all later ones. `COMMIT` then rolls back.
    let written = written.into_iter().collect::<std::result::Result<_, _>>()?;
    committed?;
    Ok(written)
}

/// Executes a write; false if it changed no row.
async fn execute(session: &Session, instance: i64, write: &Write) -> std::result::Result<bool, Error> {
    let (client, statements) = (&session.client, &session.statements);
    let changed = |rows: Vec<Row>| !rows.is_empty();
    match write {
        Write::Create { id, settings, summary, seats, flags, at, job } => {
            let (at, job) = (at.cast_signed(), JobColumns::of(*job));
            let params: &[&(dyn ToSql + Sync)] = &[
                id,
                settings,
                summary,
                &flags.public,
                &flags.lobby,
                &at,
                &bytes(seats.first.holder.as_ref()),
                &bytes(seats.first.link.as_ref()),
                &bytes(seats.second.holder.as_ref()),
                &bytes(seats.second.link.as_ref()),
                &instance,
                &job.started,
                &job.due,
            ];
            client.query(&statements.create, params).await.map(changed)
        }
        Write::Append { id, first_number, entries, summary, seat, flags, at, job } => {
            let (at, job) = (at.cast_signed(), JobColumns::of(*job));
            let expected = first_number.cast_signed() - 1;
            let side = seat.map(|seat| side_column(seat.side));
            let holder = bytes(seat.as_ref().map(|seat| &seat.holder));
            let link = bytes(seat.as_ref().and_then(|seat| seat.link.as_ref()));
            let params: &[&(dyn ToSql + Sync)] = &[
                id,
                &expected,
                entries,
                summary,
                &flags.public,
                &flags.lobby,
                &at,
                &side,
                &holder,
                &link,
                &instance,
                &job.started,
                &job.due,
            ];
            let append = client.query(&statements.append, params);
            // Only the version protects a change without a seat; a seat is a row of its own.
            let rows = if seat.is_some() { after_lock(session, id, append).await? } else { append.await? };
            Ok(changed(rows))
        }
        Write::Link { id, side, hash } => {
            let side = side_column(*side);
            client.query(&statements.link, &[id, &side, &bytes(hash.as_ref()), &instance]).await.map(changed)
        }
        Write::Chat { id, side, text, at } => {
            let (at, side, kept) = (at.cast_signed(), side_column(*side), i64::from(MAX_CHAT));
            let params: &[&(dyn ToSql + Sync)] = &[id, &at, &side, text, &kept, &instance];
            after_lock(session, id, client.query(&statements.chat, params)).await.map(changed)
        }
        Write::Delete { id } => client.query(&statements.delete, &[id, &instance]).await.map(changed),
    }
}

/// Executes a statement after locking a game: the statement then sees what earlier writers of the game have committed.
async fn after_lock(
    session: &Session,
    id: &String,
    statement: impl Future<Output = std::result::Result<Vec<Row>, Error>>,
) -> std::result::Result<Vec<Row>, Error> {
    let params: [&(dyn ToSql + Sync); 1] = [id];
    let lock = session.client.execute(&session.statements.lock, &params);
    tokio::try_join!(biased; lock, statement).map(|(_, rows)| rows)
}

/// What a write that was executed comes to.
fn outcome(changed: bool, write: &Write) -> Result<()> {
    match write {
        _ if changed => Ok(()),
        Write::Create { id, .. } => Err(StoreError::Database(format!("the game {id} exists").into())),
        Write::Delete { .. } => Ok(()),
        Write::Append { .. } | Write::Link { .. } | Write::Chat { .. } => Err(StoreError::Stale),
    }
}

/// A job as columns: both `None` without a job.
struct JobColumns {
    started: Option<i64>,
    due: Option<i64>,
}

impl JobColumns {
    fn of(job: Option<Job>) -> Self {
        Self {
            started: job.and_then(|job| job.clock_started).map(u64::cast_signed),
            due: job.map(|job| job.due.cast_signed()),
        }
    }
}

fn bytes(hash: Option<&TokenHash>) -> Option<&[u8]> {
    hash.map(|hash| &hash.0[..])
}

/// A side in the database: 0 or 1.
pub(super) const fn side_column(side: Side) -> i16 {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}
