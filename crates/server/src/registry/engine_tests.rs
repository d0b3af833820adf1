//! Engines between their moves: who keeps a table, and for how long.

use std::sync::Arc;
use std::time::Duration;

use sandtable_contract::{Access, Both, Change, NewGame, Session, from_json};
use serde_json::Value;
use tempfile::TempDir;

use super::Registry;
use crate::Limits;
use crate::metrics::Metrics;
use crate::store::SqliteStore;

/// A server that keeps one engine.
struct Fixture {
    registry: Arc<Registry>,
    _folder: TempDir,
}

impl Fixture {
    fn new(engine_threads: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(folder.path(), Duration::from_secs(5)).unwrap();
        let limits =
            Limits { reply_delay: Duration::ZERO, kept_engines: 1, engine_threads, ..Limits::default() };
        let registry = Registry::new(Arc::new(store), Access::Open, &limits, Arc::new(Metrics::new()));
        Self { registry, _folder: folder }
    }

    /// A game of a human against a level, after a move of each. An engine has at most 100 ms for a move.
    async fn game(&self, level: u8) -> String {
        let request = format!(
            r#"{{"kind":"chess","clock":{{"initial":3000}},"seats":{{"first":{{"type":"human"}},"second":{{"type":"engine","level":{level}}}}}}}"#
        );
        let settings = from_json::<NewGame>(&request).unwrap().settings(Access::Open).unwrap();
        let session = Session::new(settings).unwrap();
        let game = self.registry.create_game(session, Both::default()).await.unwrap();
        let id = game.id().to_owned();
        let played = self.change(&id, Change::Move { text: Some("e4".to_owned()), index: None }).await;
        let version = played["version"].as_u64().unwrap();
        while game.version() == version {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        id
    }

    async fn change(&self, id: &str, change: Change) -> Value {
        let game = self.registry.change(id, None, None, change).await;
        serde_json::from_str(&game.unwrap_or_else(|e| panic!("{e}"))).unwrap()
    }

    fn kept(&self) -> Vec<String> {
        self.registry.engines().kept().ids()
    }
}

#[tokio::test]
async fn an_engine_at_full_strength_is_kept_until_its_game_ends() {
    let server = Fixture::new(2);
    let first = server.game(9).await;
    assert_eq!(server.kept(), [first.as_str()]);
    let weak = server.game(3).await;
    assert_eq!(server.kept(), [first.as_str()], "level 3 needs no engine between its moves");
    let second = server.game(9).await;
    assert_eq!(server.kept(), [second.as_str()], "there is room for one");
    let resign = || from_json::<Change>(r#"{"type":"resign","player":"first"}"#).unwrap();
    server.change(&weak, resign()).await;
    assert_eq!(server.kept(), [second.as_str()]);
    server.change(&second, resign()).await;
    assert!(server.kept().is_empty());
}

#[tokio::test]
async fn the_engine_of_a_deleted_game_is_dropped() {
    let server = Fixture::new(1);
    let id = server.game(9).await;
    assert_eq!(server.kept(), [id.as_str()]);
    server.registry.delete(&id, None).await.unwrap();
    assert!(server.kept().is_empty());
}
