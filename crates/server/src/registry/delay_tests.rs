//! Neither storage delay nor lag within its bound is charged to a player.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sandtable_contract::{Access, Both, Change, NewGame, Session, from_json};
use serde_json::Value;
use tempfile::TempDir;

use super::Registry;
use crate::Limits;
use crate::metrics::Metrics;
use crate::store::{
    ChatMessage, ListQuery, ListedGame, Reply, Shared, SqliteStore, Store, StoredGame, TokenHash, Write,
};

const AN: Option<TokenHash> = Some(TokenHash([1; 32]));
const BINH: Option<TokenHash> = Some(TokenHash([2; 32]));

/// A store whose writes take this many milliseconds longer.
struct SlowStore {
    inner: SqliteStore,
    delay: AtomicU64,
}

impl Store for SlowStore {
    fn last_timestamp(&self) -> u64 {
        self.inner.last_timestamp()
    }

    fn write(&self, write: Write) -> Reply<'_, ()> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(self.delay.load(Ordering::Relaxed))).await;
            self.inner.write(write).await
        })
    }

    fn game<'a>(&'a self, id: &'a str) -> Reply<'a, Option<StoredGame>> {
        self.inner.game(id)
    }

    fn list(&self, query: ListQuery) -> Reply<'_, Vec<ListedGame>> {
        self.inner.list(query)
    }

    fn chat<'a>(&'a self, id: &'a str) -> Reply<'a, Vec<ChatMessage>> {
        self.inner.chat(id)
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

/// A game of chess between An and Bình, after one move of each.
struct Fixture {
    registry: Arc<Registry>,
    store: Arc<SlowStore>,
    id: String,
    _folder: TempDir,
}

impl Fixture {
    async fn new(initial: u64, lag_credit: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inner = SqliteStore::open(folder.path(), Duration::from_secs(5)).unwrap();
        let store = Arc::new(SlowStore { inner, delay: AtomicU64::new(0) });
        let limits = Limits { lag_credit: Duration::from_millis(lag_credit), ..Limits::default() };
        let registry =
            Registry::new(Arc::clone(&store) as _, Access::Seats, &limits, Arc::new(Metrics::new()));
        let request = format!(r#"{{"kind":"chess","clock":{{"initial":{initial}}}}}"#);
        let settings = from_json::<NewGame>(&request).unwrap().settings(Access::Seats).unwrap();
        let session = Session::new(settings).unwrap();
        let game = registry.create_game(session, Both { first: AN, second: BINH }).await.unwrap();
        let fixture = Self { registry, store, id: game.id().to_owned(), _folder: folder };
        fixture.play(AN, "e4").await;
        fixture.play(BINH, "e5").await;
        fixture
    }

    async fn play(&self, guest: Option<TokenHash>, text: &str) -> Value {
        let change = Change::Move { text: Some(text.to_owned()), index: None };
        let game = self.registry.change(&self.id, guest, None, change).await;
        serde_json::from_str(&game.unwrap_or_else(|e| panic!("{text}: {e}"))).unwrap()
    }
}

#[tokio::test]
async fn storage_delay_is_charged_to_nobody() {
    let fixture = Fixture::new(2_000, 0).await;
    fixture.store.delay.store(2_500, Ordering::Relaxed);
    let began = Instant::now();
    let game = fixture.play(AN, "Nf3").await;
    assert!(began.elapsed() > Duration::from_secs(2), "the store was slow");
    assert_eq!(
        (&game["clock"]["running"], &game["view"]["outcome"]["over"]),
        (&"second".into(), &false.into())
    );
    let left = game["clock"]["left"]["second"].as_u64().unwrap();
    assert!(left > 1_000, "{left}: the clock has just started");
    assert!(game["clock"]["left"]["first"].as_u64().unwrap() > 0, "{}", game["clock"]);
    fixture.store.delay.store(0, Ordering::Relaxed);
    fixture.play(BINH, "Nc6").await;
}

#[tokio::test]
async fn lag_is_credited_within_its_bound() {
    for (round_trip, credit) in [(300, 300), (60_000, 500)] {
        let fixture = Fixture::new(60_000, 500).await;
        let lag = Arc::new(AtomicU64::new(round_trip));
        let _socket = fixture.registry.subscribe(&fixture.id, AN, lag).await.unwrap();
        fixture.play(AN, "Nf3").await;
        let began = Instant::now();
        let before = fixture.play(BINH, "Nc6").await["clock"]["left"]["first"].as_u64().unwrap();
        tokio::time::sleep(Duration::from_millis(700)).await;
        let left = fixture.play(AN, "Bb5").await["clock"]["left"]["first"].as_u64().unwrap();
        let at_most = began.elapsed().as_millis() as u64;
        let used = before - left;
        assert!(used >= 700 - credit, "{used} with a round trip of {round_trip}");
        assert!(used <= at_most - credit, "{used} of {at_most} with a round trip of {round_trip}");
    }
}

#[tokio::test]
async fn a_flag_waits_for_a_move_that_may_be_on_its_way() {
    let fixture = Fixture::new(1_000, 30_000).await;
    let lag = Arc::new(AtomicU64::new(20_000));
    let _socket = fixture.registry.subscribe(&fixture.id, AN, lag).await.unwrap();
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let game = fixture.play(AN, "Nf3").await;
    assert_eq!(game["view"]["outcome"]["over"], false);
}
