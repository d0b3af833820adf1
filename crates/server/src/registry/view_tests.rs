//! Views are built off the threads that serve requests.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sandtable_contract::{Access, Both, GameJson, NewGame, Session, Timestamps, from_json};

use super::Registry;
use crate::Limits;
use crate::metrics::Metrics;
use crate::store::SqliteStore;

/// A position with 45,261 actions, of which a view lists the first 4,096.
const RICH: &str = "black:a1=1*,a3=8,a5=8,b2=8,b7=8,c1=8,c4=8,c6=8,d3=8,d8=8,e2=8,e7=8,e10=8,f4=8,f6=8,f9=8,g3=8,g8=8,\
    g11=6,h5=8,h7=8,h11=8,i4=8,i10=8,j6=8,j8=8,k10=3 white:k11=1* b -";

fn rich_session() -> Session {
    let request = format!(r#"{{"kind":"tribun","position":"{RICH}"}}"#);
    Session::new(from_json::<NewGame>(&request).unwrap().settings(Access::Open).unwrap()).unwrap()
}

/// The longest time that other tasks of this thread wait while `work` runs.
async fn longest_wait(work: impl Future) -> Duration {
    let mut work = std::pin::pin!(work);
    let (mut longest, mut last) = (Duration::ZERO, Instant::now());
    loop {
        let done = tokio::select! {
            biased;
            _ = &mut work => true,
            () = tokio::task::yield_now() => false,
        };
        longest = longest.max(last.elapsed());
        last = Instant::now();
        if done {
            return longest;
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_rich_game_does_not_hold_up_other_requests() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(folder.path(), Duration::from_secs(5)).unwrap());
    let registry = Registry::new(store, Access::Open, &Limits::default(), Arc::new(Metrics::new()));
    let session = rich_session();
    let timestamps = Timestamps { created: 1, updated: 1 };
    let on_this_thread = longest_wait(async { GameJson::of(&session, "id", timestamps) }).await;
    let game = registry.create_game(session, Both::default()).await.unwrap();
    let id = game.id().to_owned();
    drop(game);
    // A busy machine may stop this thread at any time, so one undisturbed attempt is enough. A view that is built on this
    // thread holds it up every time.
    let mut shortest = Duration::MAX;
    for _ in 0..20 {
        registry.evict_all().await;
        shortest = shortest.min(longest_wait(registry.game(&id, None)).await);
        if shortest < on_this_thread / 4 {
            return;
        }
    }
    panic!("others waited for {shortest:?}; a view takes {on_this_thread:?}");
}
