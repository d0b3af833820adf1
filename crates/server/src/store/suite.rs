//! The tests that every [`Store`] passes: `store_suite!(F)` runs them on the stores that a [`Fixture`] opens.

use std::sync::Arc;

use sandtable_contract::{Both, Side};

use super::{Flags, ListQuery, MAX_CHAT, Scope, SeatUpdate, Store, StoreError, StoredSeat, TokenHash, Write};

/// An empty database for one test.
pub(crate) trait Fixture {
    async fn new() -> Self;
    /// Opens a store on the database. At most one is open at a time.
    async fn open(&self) -> Arc<dyn Store>;
}

/// The names of the tests.
macro_rules! with_store_tests {
    ($then:ident!($($fixture:tt)*)) => {
        $crate::store::suite::$then! {
            $($fixture)*:
            a_new_game_is_read_back
            a_log_grows_by_one_version_per_entry
            a_write_for_another_version_is_stale
            a_link_takes_a_seat_once
            a_lobby_seat_is_taken_without_a_link
            lists_have_the_games_of_their_scope
            pages_skip_no_game
            chat_keeps_the_last_messages
            a_deleted_game_leaves_nothing
            concurrent_appends_have_one_winner
            an_opened_store_has_what_a_closed_one_wrote
        }
    };
}
pub(crate) use with_store_tests;

/// A test function for each test.
macro_rules! store_suite {
    ($fixture:ident: $($test:ident)*) => {
        $(
            #[tokio::test]
            async fn $test() {
                let fixture = <$fixture as $crate::store::suite::Fixture>::new().await;
                $crate::store::suite::$test(&fixture).await;
            }
        )*
    };
    ($fixture:ident) => {
        $crate::store::suite::with_store_tests!(store_suite!($fixture));
    };
}
pub(crate) use store_suite;

/// All tests in one future, for a database that is slow to start.
macro_rules! run_store_suite {
    ($fixture:ident: $($test:ident)*) => {
        async {
            $(
                let fixture = <$fixture as $crate::store::suite::Fixture>::new().await;
                $crate::store::suite::$test(&fixture).await;
            )*
        }
    };
    ($fixture:ident) => {
        $crate::store::suite::with_store_tests!(run_store_suite!($fixture))
    };
}
pub(crate) use run_store_suite;

/// The hash of no token.
pub(crate) const fn hash(byte: u8) -> TokenHash {
    TokenHash([byte; 32])
}

/// A new game without holders.
pub(crate) fn create(id: &str, at: u64) -> Write {
    create_with(id, at, Both::default(), Flags::default())
}

fn create_with(id: &str, at: u64, seats: Both<StoredSeat>, flags: Flags) -> Write {
    let summary = format!(r#"{{"id":"{id}"}}"#);
    Write::Create {
        id: id.to_owned(),
        settings: r#"{"a":"b"}"#.to_owned(),
        summary,
        seats,
        flags,
        at,
        job: None,
    }
}

/// Entries for a game without holders.
pub(crate) fn append(id: &str, first_number: u64, entries: &[&str], at: u64) -> Write {
    append_with(id, first_number, entries, at, None, Flags::default())
}

fn append_with(
    id: &str,
    first_number: u64,
    entries: &[&str],
    at: u64,
    seat: Option<SeatUpdate>,
    flags: Flags,
) -> Write {
    let entries = entries.iter().map(|&entry| entry.to_owned()).collect();
    let summary = format!(r#"{{"id":"{id}","at":{at}}}"#);
    Write::Append { id: id.to_owned(), first_number, entries, summary, seat, flags, at, job: None }
}

/// A page with all games of a test.
pub(crate) const fn all_games() -> ListQuery {
    ListQuery { scope: Scope::All, limit: 1_000, before: None }
}

async fn ids(store: &dyn Store, query: ListQuery) -> Vec<String> {
    store.list(query).await.unwrap().into_iter().map(|game| game.id).collect()
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "called with temporary values")]
fn assert_stale(result: Result<(), StoreError>) {
    assert!(matches!(result, Err(StoreError::Stale)), "{result:?}");
}

const PUBLIC: Flags = Flags { public: true, lobby: false };
const IN_LOBBY: Flags = Flags { public: false, lobby: true };

/// The first seat held, and an invitation for the second one.
fn invitation() -> Both<StoredSeat> {
    Both {
        first: StoredSeat { holder: Some(hash(1)), link: None },
        second: StoredSeat { holder: None, link: Some(hash(2)) },
    }
}

pub(crate) async fn a_new_game_is_read_back(fixture: &impl Fixture) {
    let store = fixture.open().await;
    store.ready().await.unwrap();
    assert_eq!(store.last_timestamp(), 0);
    store.write(create_with("a", 5, invitation(), PUBLIC)).await.unwrap();
    let game = store.game("a").await.unwrap().unwrap();
    assert_eq!((game.settings.as_str(), game.log.len()), (r#"{"a":"b"}"#, 0));
    assert_eq!((game.seats, game.flags, game.created, game.updated), (invitation(), PUBLIC, 5, 5));
    assert_eq!(store.game("b").await.unwrap(), None);
    let twice = store.write(create("a", 6)).await;
    assert!(matches!(twice, Err(StoreError::Database(_))), "{twice:?}");
}

pub(crate) async fn a_log_grows_by_one_version_per_entry(fixture: &impl Fixture) {
    let store = fixture.open().await;
    store.write(create("a", 1)).await.unwrap();
    store.write(append_with("a", 2, &["2", "3"], 4, None, PUBLIC)).await.unwrap();
    store.write(append_with("a", 4, &["4"], 5, None, IN_LOBBY)).await.unwrap();
    let game = store.game("a").await.unwrap().unwrap();
    assert_eq!((game.log.join(" ").as_str(), game.version, game.flags), ("2 3 4", 4, IN_LOBBY));
    assert_eq!((game.created, game.updated), (1, 5));
    assert_eq!(store.list(all_games()).await.unwrap()[0].summary, r#"{"id":"a","at":5}"#);
}

pub(crate) async fn a_write_for_another_version_is_stale(fixture: &impl Fixture) {
    let store = fixture.open().await;
    store.write(create("a", 1)).await.unwrap();
    store.write(append("a", 2, &["2", "3"], 2)).await.unwrap();
    for first_number in [1, 2, 3, 5] {
        assert_stale(store.write(append("a", first_number, &["x"], 3)).await);
    }
    assert_stale(store.write(append("unknown", 2, &["x"], 3)).await);
    assert_stale(store.write(Write::Link { id: "unknown".to_owned(), side: Side::First, hash: None }).await);
    let chat = Write::Chat { id: "unknown".to_owned(), side: Side::First, text: "hi".to_owned(), at: 3 };
    assert_stale(store.write(chat).await);
    let game = store.game("a").await.unwrap().unwrap();
    assert_eq!((game.log.join(" ").as_str(), game.updated), ("2 3", 2));
}

pub(crate) async fn a_link_takes_a_seat_once(fixture: &impl Fixture) {
    let store = fixture.open().await;
    store.write(create_with("a", 1, invitation(), PUBLIC)).await.unwrap();
    let take = |number, holder, link| {
        let seat = SeatUpdate { side: Side::Second, holder: hash(holder), link: Some(hash(link)) };
        append_with("a", number, &["join"], 2, Some(seat), PUBLIC)
    };
    assert_stale(store.write(take(2, 3, 9)).await);
    assert!(store.game("a").await.unwrap().unwrap().log.is_empty(), "half of a write");
    store.write(take(2, 3, 2)).await.unwrap();
    assert_stale(store.write(take(3, 4, 2)).await);
    let second = || async { store.game("a").await.unwrap().unwrap().seats.second };
    assert_eq!(second().await, StoredSeat { holder: Some(hash(3)), link: None });
    // A transfer changes the holder without an entry.
    store.write(Write::Link { id: "a".to_owned(), side: Side::Second, hash: Some(hash(5)) }).await.unwrap();
    let seat = SeatUpdate { side: Side::Second, holder: hash(6), link: Some(hash(5)) };
    let transfer = append_with("a", 3, &[], 3, Some(seat), PUBLIC);
    store.write(transfer.clone()).await.unwrap();
    assert_stale(store.write(transfer).await);
    assert_eq!(second().await, StoredSeat { holder: Some(hash(6)), link: None });
}

pub(crate) async fn a_lobby_seat_is_taken_without_a_link(fixture: &impl Fixture) {
    let store = fixture.open().await;
    store.write(create_with("a", 1, invitation(), IN_LOBBY)).await.unwrap();
    let seat = |holder| Some(SeatUpdate { side: Side::Second, holder: hash(holder), link: None });
    store.write(append_with("a", 2, &["join"], 2, seat(3), PUBLIC)).await.unwrap();
    assert_stale(store.write(append_with("a", 2, &["join"], 3, seat(4), PUBLIC)).await);
    let game = store.game("a").await.unwrap().unwrap();
    assert_eq!(game.seats.second, StoredSeat { holder: Some(hash(3)), link: None });
    assert_eq!(game.flags, PUBLIC);
}

pub(crate) async fn lists_have_the_games_of_their_scope(fixture: &impl Fixture) {
    let store = fixture.open().await;
    store.write(create("nobody", 1)).await.unwrap();
    store.write(create_with("public", 2, invitation(), PUBLIC)).await.unwrap();
    store.write(create_with("lobby", 3, invitation(), IN_LOBBY)).await.unwrap();
    let both = StoredSeat { holder: Some(hash(7)), link: None };
    store.write(create_with("both", 4, Both { first: both, second: both }, Flags::default())).await.unwrap();
    let list = async |scope| ids(&*store, ListQuery { scope, limit: 9, before: None }).await;
    assert_eq!(list(Scope::All).await, ["both", "lobby", "public", "nobody"]);
    assert_eq!(list(Scope::Public).await, ["public"]);
    assert_eq!(list(Scope::Lobby).await, ["lobby"]);
    assert_eq!(list(Scope::Holder(hash(1))).await, ["lobby", "public"]);
    assert_eq!(list(Scope::Holder(hash(7))).await, ["both"]);
    assert!(list(Scope::Holder(hash(2))).await.is_empty(), "a link is no holder");
    let games = store.list(all_games()).await.unwrap();
    assert_eq!(games[0].holders, Both { first: Some(hash(7)), second: Some(hash(7)) });
    assert_eq!(games[1].holders, Both { first: Some(hash(1)), second: None });
    assert_eq!((games[1].created, games[1].updated), (3, 3));
}

pub(crate) async fn pages_skip_no_game(fixture: &impl Fixture) {
    let store = fixture.open().await;
    for at in 1..=7 {
        store.write(create_with(&at.to_string(), at, invitation(), PUBLIC)).await.unwrap();
    }
    for scope in [Scope::All, Scope::Public, Scope::Holder(hash(1))] {
        let (mut before, mut seen) = (None, Vec::new());
        loop {
            let page = store.list(ListQuery { scope, limit: 3, before }).await.unwrap();
            let Some(last) = page.last() else { break };
            before = Some(last.updated);
            seen.extend(page.into_iter().map(|game| game.id));
        }
        assert_eq!(seen.concat(), "7654321");
    }
    assert_eq!(ids(&*store, ListQuery { before: Some(u64::MAX), ..all_games() }).await.len(), 7);
}

pub(crate) async fn chat_keeps_the_last_messages(fixture: &impl Fixture) {
    let store = fixture.open().await;
    store.write(create("a", 1)).await.unwrap();
    store.write(create("b", 2)).await.unwrap();
    let total = u64::from(MAX_CHAT) + 3;
    for number in 1..=total {
        let (id, side) = ("a".to_owned(), if number % 2 == 0 { Side::First } else { Side::Second });
        store
            .write(Write::Chat { id, side, text: format!("ch\u{1ea1}o {number}"), at: number })
            .await
            .unwrap();
    }
    let chat = store.chat("a").await.unwrap();
    assert_eq!(chat.len() as u32, MAX_CHAT);
    assert_eq!(chat[0].number, 4);
    let last = chat.last().unwrap();
    assert_eq!((last.number, last.at, last.side), (total, total, Side::Second));
    assert_eq!(last.text, format!("ch\u{1ea1}o {total}"));
    assert!(store.chat("b").await.unwrap().is_empty());
    assert_eq!(store.game("a").await.unwrap().unwrap().updated, 1);
    store.write(append("a", 2, &["x"], 200)).await.expect("chat does not raise the version");
}

pub(crate) async fn a_deleted_game_leaves_nothing(fixture: &impl Fixture) {
    let store = fixture.open().await;
    let create = || create_with("a", 1, invitation(), PUBLIC);
    store.write(create()).await.unwrap();
    store.write(append("a", 2, &["2"], 2)).await.unwrap();
    let (id, side) = ("a".to_owned(), Side::First);
    store.write(Write::Chat { id, side, text: "hi".to_owned(), at: 3 }).await.unwrap();
    store.write(Write::Delete { id: "a".to_owned() }).await.unwrap();
    assert_eq!(store.game("a").await.unwrap(), None);
    assert!(ids(&*store, ListQuery { scope: Scope::Holder(hash(1)), ..all_games() }).await.is_empty());
    store.write(create()).await.unwrap();
    assert!(store.game("a").await.unwrap().unwrap().log.is_empty());
    assert!(store.chat("a").await.unwrap().is_empty());
}

pub(crate) async fn concurrent_appends_have_one_winner(fixture: &impl Fixture) {
    let store = fixture.open().await;
    store.write(create("a", 1)).await.unwrap();
    let mut writes = tokio::task::JoinSet::new();
    for at in 2..12 {
        let store = Arc::clone(&store);
        writes.spawn(async move { store.write(append("a", 2, &["x"], at)).await });
    }
    let results = writes.join_all().await;
    let (won, lost): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!(won.len(), 1);
    lost.into_iter().for_each(assert_stale);
    assert_eq!(store.game("a").await.unwrap().unwrap().log, ["x"]);
}

pub(crate) async fn an_opened_store_has_what_a_closed_one_wrote(fixture: &impl Fixture) {
    let first = fixture.open().await;
    first.write(create("a", 7)).await.unwrap();
    first.write(append("a", 2, &["x"], 8)).await.unwrap();
    let stored = first.game("a").await.unwrap();
    first.close().await.unwrap();
    assert!(matches!(first.write(create("b", 9)).await, Err(StoreError::Closed)));
    assert!(matches!(first.list(all_games()).await, Err(StoreError::Closed)));
    assert!(matches!(first.ready().await, Err(StoreError::Closed)));
    let second = fixture.open().await;
    assert_eq!(second.last_timestamp(), 8);
    assert_eq!(second.game("a").await.unwrap(), stored);
}
