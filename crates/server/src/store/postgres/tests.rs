//! The tests of the store, on a throw-away cluster.

use std::sync::Arc;

use sandtable_contract::Both;
use sandtable_contract::Side::{First, Second};

use super::PostgresStore;
use crate::store::suite::{self, Fixture, append, create};
use crate::store::{Job, JobOwner, JobState, RemoteChange, Shared as _, Store, StoreError};

#[allow(dead_code, reason = "the integration tests use more of it")]
#[path = "../../../tests/server/cluster.rs"]
mod cluster;

use self::cluster::Cluster;

/// An empty database.
struct Database(String);

impl Fixture for Database {
    async fn new() -> Self {
        Self(Cluster::shared().expect("checked by the test").database())
    }

    async fn open(&self) -> Arc<dyn Store> {
        Arc::new(open(&self.0).await)
    }
}

async fn open(url: &str) -> PostgresStore {
    PostgresStore::open(url.parse().unwrap()).await.unwrap()
}

#[tokio::test]
async fn the_suite_of_stores() {
    if Cluster::shared().is_some() {
        suite::run_store_suite!(Database).await;
    }
}

/// The next news that are not about a new connection.
async fn next(changes: &mut tokio::sync::mpsc::UnboundedReceiver<RemoteChange>) -> RemoteChange {
    loop {
        match changes.recv().await.unwrap() {
            RemoteChange::Reconnected => {}
            change => return change,
        }
    }
}

/// Makes a write carry a job.
fn with_job(mut write: crate::store::Write, job_of_write: Option<Job>) -> crate::store::Write {
    match &mut write {
        crate::store::Write::Create { job, .. } | crate::store::Write::Append { job, .. } => {
            *job = job_of_write;
        }
        _ => unreachable!("only these have a job"),
    }
    write
}

#[tokio::test]
async fn instances_share_games_news_and_jobs() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    // Two instances that start at the same time create the tables once.
    let (first, second) = tokio::join!(open(&url), open(&url));
    let (mut first_news, mut second_news) = (first.take_changes().unwrap(), second.take_changes().unwrap());
    assert!(first.now().abs_diff(second.now()) < 1_000);
    let listening = [first_news.recv().await.unwrap(), second_news.recv().await.unwrap()];
    assert_eq!(listening, [RemoteChange::Reconnected, RemoteChange::Reconnected]);

    // A job belongs to the instance that wrote last.
    let started = first.now();
    let job = Some(Job { clock_started: Some(started), due: started + 60_000 });
    first.write(with_job(create("a", 1), job)).await.unwrap();
    let owner =
        async |store: &PostgresStore| store.shared_game("a", 0).await.unwrap().unwrap().job.unwrap().owner;
    let (this, other) = (JobOwner::This { is_expired: false }, JobOwner::Other { is_expired: false });
    assert_eq!((owner(&first).await, owner(&second).await), (this, other));
    second.write(with_job(append("a", 2, &["x"], 2), job)).await.unwrap();
    assert_eq!((owner(&first).await, owner(&second).await), (other, this));
    assert_eq!(next(&mut first_news).await, RemoteChange::Version { id: "a".to_owned(), version: 2 });
    let late = first.write(append("a", 2, &["y"], 3)).await;
    assert!(matches!(late, Err(StoreError::Stale)), "{late:?}");
    assert_eq!(second.own_jobs().await.unwrap(), ["a"]);
    let log_since = async |version| first.shared_game("a", version).await.unwrap().unwrap().game.log;
    assert_eq!((log_since(1).await, log_since(2).await), (vec!["x".to_owned()], Vec::new()));

    // An instance that ends without a word is replaced when its lease has run out, and nobody pays for the gap.
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    for store in [&first, &second] {
        super::locked(&store.tasks).pop().unwrap().abort();
    }
    let set_lease = "UPDATE instances SET lease = sandtable_now() + $2 WHERE id = $1";
    client.execute(set_lease, &[&first.instance, &3_600_000_i64]).await.unwrap();
    client.execute(set_lease, &[&second.instance, &-10_000_i64]).await.unwrap();
    assert_eq!(owner(&second).await, JobOwner::This { is_expired: true });
    assert_eq!(owner(&first).await, JobOwner::Other { is_expired: true });
    let orphan = first.write(append("a", 3, &["y"], 3)).await;
    assert!(matches!(orphan, Err(StoreError::Stale)), "claim first: {orphan:?}");
    first.claim("a").await.unwrap();
    let JobState { clock_started, owner } = first.shared_game("a", 2).await.unwrap().unwrap().job.unwrap();
    assert_eq!(owner, this);
    let shift = clock_started.unwrap() - started;
    assert!((10_000..60_000).contains(&shift), "{shift}");
    first.claim("a").await.unwrap();
    let again = first.shared_game("a", 2).await.unwrap().unwrap().job.unwrap();
    assert_eq!(again.clock_started, clock_started, "a job with a lease is not claimed");
    first.write(append("a", 3, &["y"], 3)).await.unwrap();
    assert!(first.own_jobs().await.unwrap().is_empty(), "the job ends with the change");

    // A player is present while an instance with a lease has a socket of theirs.
    let seen = async || {
        let presence = first.presence("a").await.unwrap();
        (presence.first.is_connected, presence.second.is_connected)
    };
    assert_eq!(first.presence("a").await.unwrap(), Both::default());
    first.set_connected("a", First, true).await.unwrap();
    assert_eq!(seen().await, (false, false), "only what other instances have");
    assert_eq!(first.connected(vec!["a".to_owned()]).await.unwrap(), [("a".to_owned(), First)]);
    second.set_connected("a", Second, true).await.unwrap();
    assert_eq!(seen().await, (false, false), "the lease of the second has run out");
    let gone = first.presence("a").await.unwrap().second.gone_since.unwrap();
    assert!((10_000..60_000).contains(&(first.now() - gone)), "gone since the lease ran out");
    client.execute(set_lease, &[&second.instance, &3_600_000_i64]).await.unwrap();
    assert_eq!(seen().await, (false, true));
    second.set_connected("a", Second, false).await.unwrap();
    assert_eq!(seen().await, (false, false));
    let gone = first.presence("a").await.unwrap().second.gone_since.unwrap();
    assert!(first.now() - gone < 10_000);

    // A closed instance gives its games up at once.
    let (third, fourth) = tokio::join!(open(&url), open(&url));
    let mut news = third.take_changes().unwrap();
    news.recv().await.unwrap();
    fourth.write(with_job(append("a", 4, &["z"], 4), job)).await.unwrap();
    fourth.close().await.unwrap();
    assert_eq!(next(&mut news).await, RemoteChange::Version { id: "a".to_owned(), version: 4 });
    assert_eq!(next(&mut news).await, RemoteChange::Claimed { id: "a".to_owned() });
}
