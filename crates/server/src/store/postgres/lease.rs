//! The lease of this instance: renewed every second, so that another instance takes over its games soon after it ends.
//!
//! The connection of the lease also listens for the notifications of other instances.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, watch};
use tokio_postgres::{Client, Config, Notification};

use super::clock::DatabaseClock;
use super::connection::{answer, open};
use super::statements::{CHANNEL, Statements};
use crate::store::{RemoteChange, Result, StoreError};

/// How long a lease lasts after it was renewed, in milliseconds.
pub(super) const LEASE: i64 = 3_000;
/// How often the lease is renewed and games without a lease are claimed.
const INTERVAL: Duration = Duration::from_secs(1);
/// The most games claimed at once; the next claim follows at once.
const CLAIMS: u32 = 64;
/// When an instance that owns nothing is forgotten, in milliseconds.
const FORGET_AFTER: i64 = 24 * 3_600_000;

/// What the lease needs.
pub(super) struct Lease {
    pub(super) config: Arc<Config>,
    pub(super) instance: i64,
    pub(super) clock: Arc<DatabaseClock>,
    pub(super) changes: mpsc::UnboundedSender<RemoteChange>,
    /// True once the store closes.
    pub(super) closed: watch::Receiver<bool>,
}

impl Lease {
    /// Keeps the lease and listens, until the store closes. Reconnects after a failure.
    pub(super) async fn run(self) {
        let mut closed = self.closed.clone();
        loop {
            let connected = self.connect().await;
            let ended = match connected {
                Ok(mut link) => self.keep(&mut link).await,
                Err(error) => Err(error),
            };
            match ended {
                Ok(()) => return,
                Err(error) => tracing::warn!(%error, "the lease of this instance could not be renewed"),
            }
            tokio::select! {
                () = tokio::time::sleep(INTERVAL / 4) => {}
                () = is_closed(&mut closed) => return,
            }
        }
    }

    async fn connect(&self) -> Result<Link> {
        // Unbounded, like the queue of changes: nothing may delay the lease.
        let (sender, notifications) = mpsc::unbounded_channel();
        let client = open(&self.config, Some(sender)).await?;
        answer(client.batch_execute(&format!("LISTEN {CHANNEL}"))).await?;
        let statements = answer(Statements::prepare(&client)).await?;
        answer(client.execute(&statements.register_again, &[&self.instance])).await?;
        Ok(Link { client, statements, notifications })
    }

    /// Renews and claims every second, and passes notifications on. Returns once the store has closed.
    async fn keep(&self, link: &mut Link) -> Result<()> {
        // Notifications may have been missed, and writes may have failed.
        self.renew(link).await?;
        self.send(RemoteChange::Reconnected);
        let mut closed = self.closed.clone();
        let mut interval = tokio::time::interval(INTERVAL);
        interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = is_closed(&mut closed) => {
                    answer(link.client.query(&link.statements.release, &[&self.instance])).await?;
                    return Ok(());
                }
                _ = interval.tick() => {
                    self.renew(link).await?;
                    self.claim(link).await?;
                }
                notification = link.notifications.recv() => match notification {
                    Some(notification) => self.pass_on(link, &notification).await?,
                    None => return Err(StoreError::Unavailable("the connection is closed".to_owned())),
                },
            }
        }
    }

    /// Renews the lease. If it had run out, the time since is charged to nobody.
    async fn renew(&self, link: &Link) -> Result<()> {
        let Link { client, statements, .. } = link;
        let transaction = async {
            client.batch_execute("BEGIN").await?;
            let asked = Instant::now();
            let row = client.query_one(&statements.lease, &[&self.instance]).await?;
            let (lease, now): (i64, i64) = (row.get(0), row.get(1));
            self.clock.measured(asked, now);
            if lease < now {
                tracing::warn!(milliseconds = now - lease, "the lease of this instance had run out");
                client.query(&statements.shift, &[&self.instance, &(now - lease)]).await?;
            }
            client.execute(&statements.renew, &[&self.instance, &LEASE]).await?;
            client.batch_execute("COMMIT").await?;
            Ok(lease < now)
        };
        if answer(transaction).await? {
            self.send(RemoteChange::Reconnected);
        }
        Ok(())
    }

    /// Takes over games of instances whose lease has run out.
    async fn claim(&self, link: &Link) -> Result<()> {
        let Link { client, statements, .. } = link;
        let limit = i64::from(CLAIMS);
        loop {
            let claimed = answer(client.query(&statements.claim, &[&self.instance, &limit])).await?;
            for row in &claimed {
                self.send(RemoteChange::Claimed { id: row.get(0) });
            }
            if claimed.len() < CLAIMS as usize {
                break;
            }
        }
        for row in answer(client.query(&statements.disconnect, &[&self.instance])).await? {
            self.send(RemoteChange::Presence { id: row.get(0) });
        }
        answer(client.execute(&statements.forget, &[&FORGET_AFTER])).await?;
        Ok(())
    }

    async fn pass_on(&self, link: &Link, notification: &Notification) -> Result<()> {
        match parse(notification.payload()) {
            Some((instance, _)) if instance == self.instance => {}
            Some((_, Notice::Released)) => self.claim(link).await?,
            Some((_, Notice::Change(change))) => self.send(change),
            None => tracing::warn!(payload = notification.payload(), "unknown notification"),
        }
        Ok(())
    }

    fn send(&self, change: RemoteChange) {
        // The receiver is gone once the server has shut down.
        let _ = self.changes.send(change);
    }
}

/// Waits until the store closes.
async fn is_closed(closed: &mut watch::Receiver<bool>) {
    // An error means that the store is gone.
    let _ = closed.wait_for(|closed| *closed).await;
}

/// The connection of the lease.
struct Link {
    client: Client,
    statements: Statements,
    notifications: mpsc::UnboundedReceiver<Notification>,
}

/// What a notification tells.
#[derive(Debug, PartialEq, Eq)]
enum Notice {
    Change(RemoteChange),
    /// An instance has stopped and gives up its games.
    Released,
}

/// Parses `INSTANCE:KIND:GAME`.
fn parse(payload: &str) -> Option<(i64, Notice)> {
    let mut parts = payload.splitn(3, ':');
    let instance = parts.next()?.parse().ok()?;
    let (kind, id) = (parts.next()?, parts.next()?.to_owned());
    let (kind, number) = kind.split_at_checked(1)?;
    let change = match kind {
        "v" => RemoteChange::Version { id, version: number.parse().ok()? },
        "s" => RemoteChange::Seats { id },
        "t" => RemoteChange::Job { id },
        "c" => RemoteChange::Chat { id, number: number.parse().ok()? },
        "p" => RemoteChange::Presence { id },
        "d" => RemoteChange::Deleted { id },
        "o" => return Some((instance, Notice::Released)),
        _ => return None,
    };
    Some((instance, Notice::Change(change)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_notifications() {
        let id = "k3".to_owned();
        let change = |change| Some((7, Notice::Change(change)));
        assert_eq!(parse("7:v12:k3"), change(RemoteChange::Version { id: id.clone(), version: 12 }));
        assert_eq!(parse("7:c3:k3"), change(RemoteChange::Chat { id: id.clone(), number: 3 }));
        assert_eq!(parse("7:d:k3"), change(RemoteChange::Deleted { id }));
        assert_eq!(parse("7:o:"), Some((7, Notice::Released)));
        for payload in ["", "7", "7:v12", "x:v12:k3", "7:v:k3", "7:q:k3", "7::k3"] {
            assert_eq!(parse(payload), None, "{payload}");
        }
    }
}
