//! Faults of the disk and of other programs: nothing acknowledged is lost, and the games that are not affected go on.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::writer::{Job, write_batch};
use super::{SqliteStore, archive, migrate};
use crate::store::suite::{all_games, append, create};
use crate::store::{Result, Store, StoreError, Write};

const DATABASE: &str = "games.sqlite";

fn open(folder: &Path) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(folder, Duration::from_secs(5)).unwrap())
}

#[track_caller]
fn assert_missing(result: &Result<()>, file: &str) {
    assert!(
        matches!(result, Err(StoreError::Missing { file: found }) if found.ends_with(file)),
        "{result:?}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_after_the_folder_was_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    store.write(create("a", 1)).await.unwrap();
    fs::remove_dir_all(folder.path()).unwrap();
    assert_missing(&store.write(append("a", 2, &["lost"], 2)).await, DATABASE);
    assert_missing(&store.ready().await, DATABASE);
    assert!(store.game("a").await.unwrap().unwrap().log.is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_while_the_database_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let (path, moved) = (folder.path().join(DATABASE), folder.path().join("moved"));
    store.write(create("a", 1)).await.unwrap();
    fs::rename(&path, &moved).unwrap();
    fs::copy(&moved, &path).unwrap();
    assert_missing(&store.write(append("a", 2, &["lost"], 2)).await, DATABASE);
    fs::rename(&moved, &path).unwrap();
    store.ready().await.unwrap();
    store.write(append("a", 2, &["kept"], 3)).await.unwrap();
    assert_eq!(store.game("a").await.unwrap().unwrap().log, ["kept"]);
}

#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_after_the_wal_was_deleted() {
    for file in ["games.sqlite-wal", "games.sqlite-shm"] {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        store.write(create("a", 1)).await.unwrap();
        fs::remove_file(folder.path().join(file)).unwrap();
        assert_missing(&store.write(append("a", 2, &["lost"], 2)).await, file);
    }
}

#[tokio::test]
async fn a_locked_database_fails_all_waiting_writes_at_one_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let timeout = Duration::from_millis(400);
    let store = Arc::new(SqliteStore::open(folder.path(), timeout).unwrap());
    store.write(create("a", 1)).await.unwrap();
    let other = Connection::open(folder.path().join(DATABASE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let started = Instant::now();
    let mut writes = JoinSet::new();
    for number in 0..300 {
        let store = Arc::clone(&store);
        writes.spawn(async move { store.write(create(&format!("b{number}"), 2 + number)).await });
    }
    while !writes.is_empty() {
        // Reads do not wait.
        tokio::time::timeout(Duration::from_secs(5), store.game("a")).await.unwrap().unwrap().unwrap();
        let result = writes.join_next().await.unwrap().unwrap();
        assert!(matches!(result, Err(StoreError::Locked)), "{result:?}");
    }
    // One wait for each write would be two minutes.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert!(matches!(store.ready().await, Err(StoreError::Locked)));
    other.execute_batch("ROLLBACK").unwrap();
    store.ready().await.unwrap();
    store.write(append("a", 2, &["kept"], 900)).await.unwrap();
    assert_eq!(store.list(all_games()).await.unwrap().len(), 1);
}

fn job(write: Write) -> Job {
    Job { write: Some(write), queued: Instant::now(), reply: oneshot::channel().0 }
}

#[test]
fn on_a_full_disk_only_what_does_not_fit_fails() {
    let mut connection = Connection::open_in_memory().unwrap();
    migrate(&mut connection).unwrap();
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    connection.pragma_update(None, "max_page_count", pages + 1).unwrap();
    let long = "x".repeat(100_000);
    let batch = [job(create("a", 1)), job(append("a", 2, &[&long], 2)), job(append("a", 2, &["kept"], 3))];
    let results = write_batch(&mut connection, &batch, Duration::from_secs(5));
    assert!(matches!(results[..], [Ok(()), Err(StoreError::Full), Ok(())]), "{results:?}");
    let stored = super::statements::game(&connection, "a").unwrap().unwrap();
    assert_eq!(stored.log, ["kept"]);
}

#[test]
fn a_read_only_database_is_reported_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(DATABASE);
    super::create(&path).unwrap();
    let mut connection = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let batch = [job(create("a", 1)), job(create("b", 2))];
    let results = write_batch(&mut connection, &batch, Duration::from_secs(5));
    assert!(matches!(results[..], [Err(StoreError::ReadOnly), Err(StoreError::ReadOnly)]), "{results:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_under_load_leaves_no_wal() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..5 {
        let store = open(folder.path());
        let mut load = JoinSet::new();
        for client in 0..20 {
            let store = Arc::clone(&store);
            load.spawn(async move {
                let id = format!("{round}-{client}");
                let mut number = 1;
                let mut result = store.write(create(&id, number)).await;
                while result.is_ok() {
                    number += 1;
                    result = store.write(append(&id, number, &["entry"], number)).await;
                    let _ = store.list(all_games()).await;
                }
                assert!(matches!(result, Err(StoreError::Closed)), "{result:?}");
                (id, number - 1)
            });
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        store.close().await.unwrap();
        assert!(!folder.path().join("games.sqlite-wal").exists(), "round {round}");
        let written = load.join_all().await;
        let store = open(folder.path());
        for (id, version) in written {
            let stored = store.game(&id).await.unwrap().map_or(0, |game| game.version);
            assert!(stored == version || stored == version + 1, "{id}: {stored} of {version}");
        }
        store.close().await.unwrap();
    }
}

#[test]
fn an_empty_file_is_not_a_new_database() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(DATABASE), "").unwrap();
    let error = SqliteStore::open(folder.path(), Duration::ZERO).err();
    assert!(matches!(error, Some(StoreError::Empty)), "{error:?}");
}

#[test]
fn a_wal_without_its_database_is_not_a_new_database() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.sqlite-wal"), "a move").unwrap();
    let error = SqliteStore::open(folder.path(), Duration::ZERO).err();
    assert!(matches!(error, Some(StoreError::OnlyWal)), "{error:?}");
}

#[test]
fn a_file_that_is_no_database_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(DATABASE), "not a database".repeat(1_000)).unwrap();
    let error = SqliteStore::open(folder.path(), Duration::ZERO).err().unwrap();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    assert!(error.to_string().contains("sandtable restore FILE"), "{error}");
}

#[tokio::test]
async fn games_survive_garbage_in_other_pages() {
    const GARBAGE: usize = 64 << 10;
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    let entries: Vec<_> = (0..20).map(|number| format!("{number} {}", "x".repeat(200))).collect();
    let entries: Vec<_> = entries.iter().map(String::as_str).collect();
    for number in 0..200 {
        let id = format!("game{number}");
        store.write(create(&id, 2 * number + 1)).await.unwrap();
        store.write(append(&id, 2, &entries, 2 * number + 2)).await.unwrap();
    }
    store.close().await.unwrap();
    let path = folder.path().join(DATABASE);
    let sound = fs::read(&path).unwrap();
    let (mut refused, mut served) = (0, 0);
    for offset in (0..sound.len() - GARBAGE).step_by(sound.len() / 12) {
        let mut bytes = sound.clone();
        bytes[offset..offset + GARBAGE].fill(0xa5);
        fs::write(&path, bytes).unwrap();
        let store = match SqliteStore::open(folder.path(), Duration::from_secs(5)) {
            Ok(store) => store,
            Err(error) => {
                assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
                refused += 1;
                continue;
            }
        };
        let listed = store.list(all_games()).await.unwrap();
        assert_eq!(listed.len(), 200, "offset {offset}");
        let mut readable = 0;
        for game in listed {
            match store.game(&game.id).await {
                Ok(stored) => readable += usize::from(stored.unwrap().log == entries),
                Err(error) => assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}"),
            }
        }
        assert!((1..200).contains(&readable), "offset {offset}: {readable}");
        served += 1;
        store.close().await.unwrap();
    }
    assert!(served > refused, "{served} served, {refused} refused");
}

#[tokio::test]
async fn a_garbled_summary_garbles_no_other_game() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(folder.path());
    for (id, at) in [("a", 1), ("b", 2), ("c", 3)] {
        store.write(create(id, at)).await.unwrap();
    }
    let other = Connection::open(folder.path().join(DATABASE)).unwrap();
    other.execute("UPDATE games SET summary = CAST(x'7b22ff' AS TEXT) WHERE id = 'b'", []).unwrap();
    let listed = store.list(all_games()).await.unwrap();
    assert_eq!(listed.iter().map(|game| game.id.as_str()).collect::<String>(), "cba");
    let json = listed[1].clone().into_json(None);
    assert_eq!(json, r#"{"id":"b","created":2,"updated":2,"damaged":true}"#);
}

/// A database with `games` games, which another thread of the test may be writing.
async fn populated(folder: &Path, games: u64) -> Arc<SqliteStore> {
    let store = open(folder);
    for number in 0..games {
        store.write(create(&format!("game{number}"), number + 1)).await.unwrap();
    }
    store
}

#[tokio::test]
async fn a_backup_is_one_state_although_the_server_writes() {
    let folder = tempfile::tempdir().unwrap();
    let store = populated(folder.path(), 50).await;
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let writing = tokio::spawn({
        let (store, stop) = (Arc::clone(&store), Arc::clone(&stop));
        async move {
            let mut number = 2;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                let at = 1_000 + 2 * number;
                store.write(append("game0", number, &["x"], at)).await.unwrap();
                store.write(append("game1", number, &["x"], at + 1)).await.unwrap();
                number += 1;
            }
        }
    });
    let (from, file) = (folder.path().to_owned(), folder.path().join("copy.sqlite"));
    for replace in [false, true, true] {
        let (from, file) = (from.clone(), file.clone());
        let copying = tokio::task::spawn_blocking(move || archive::backup(&from, &file, replace, |_, _| {}));
        assert_eq!(copying.await.unwrap().unwrap().games, 50);
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    writing.await.unwrap();
    let copy = tempfile::tempdir().unwrap();
    fs::copy(&file, copy.path().join(DATABASE)).unwrap();
    let copy = open(copy.path());
    let length = async |id| copy.game(id).await.unwrap().unwrap().log.len();
    let (first, second) = (length("game0").await, length("game1").await);
    assert!(first == second || first == second + 1, "{first} and {second}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5, "database, WAL, index, lock and copy");
}

#[tokio::test]
async fn a_backup_replaces_no_file_unless_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.sqlite");
    let backup = |file: &Path, replace| archive::backup(folder.path(), file, replace, |_, _| {});
    let error = backup(&file, false).unwrap_err().to_string();
    assert!(error.contains("games.sqlite not found"), "{error}");
    let _store = populated(folder.path(), 1).await;
    fs::write(&file, "precious").unwrap();
    let error = backup(&file, false).unwrap_err().to_string();
    assert!(error.contains("copy.sqlite exists: use --force"), "{error}");
    assert_eq!(fs::read(&file).unwrap(), b"precious");
    backup(&file, true).unwrap();
    let error = backup(&folder.path().join(DATABASE), true).unwrap_err().to_string();
    assert!(error.contains("is the database of the server"), "{error}");
    let error = backup(&folder.path().join("no/copy.sqlite"), true).unwrap_err().to_string();
    assert!(error.contains("no/copy.sqlite"), "{error}");
}

#[tokio::test]
async fn restores_a_backup_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.sqlite");
    let store = populated(folder.path(), 3).await;
    archive::backup(folder.path(), &file, false, |_, _| {}).unwrap();
    store.write(create("later", 9)).await.unwrap();
    store.close().await.unwrap();
    // As after `kill -9`: the WAL belongs to the database that is replaced.
    fs::write(folder.path().join("games.sqlite-wal"), "a WAL").unwrap();
    assert_eq!(archive::restore(folder.path(), &file, |_, _| {}).unwrap().games, 3);
    let store = open(folder.path());
    assert_eq!(store.list(all_games()).await.unwrap().len(), 3);
    store.close().await.unwrap();
    let kept = Connection::open(folder.path().join("games.sqlite.before-restore")).unwrap();
    let games: i64 = kept.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap();
    assert_eq!(games, 4);
    // Into a new folder, and from an old schema.
    let old = tempfile::tempdir().unwrap();
    let connection = Connection::open(old.path().join("old.sqlite")).unwrap();
    connection.execute_batch(include_str!("../../../tests/schema-1.sql")).unwrap();
    let new = old.path().join("a/b");
    assert_eq!(archive::restore(&new, &old.path().join("old.sqlite"), |_, _| {}).unwrap().games, 1);
    open(&new).game("oldgame").await.unwrap().unwrap();
}

#[tokio::test]
async fn a_running_server_restores_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.sqlite");
    let store = populated(folder.path(), 3).await;
    let restored = Arc::new(tokio::sync::Notify::new());
    store.on_restore(Box::new({
        let restored = Arc::clone(&restored);
        move || restored.notify_one()
    }));
    archive::backup(folder.path(), &file, false, |_, _| {}).unwrap();
    store.write(append("game0", 2, &["undone"], 9)).await.unwrap();
    store.write(create("later", 10)).await.unwrap();
    let from = (folder.path().to_owned(), file.clone());
    let restoring = tokio::task::spawn_blocking(move || archive::restore(&from.0, &from.1, |_, _| {}));
    assert_eq!(restoring.await.unwrap().unwrap().games, 3);
    restored.notified().await;
    assert_eq!(store.list(all_games()).await.unwrap().len(), 3);
    assert!(store.game("game0").await.unwrap().unwrap().log.is_empty());
    store.write(append("game0", 2, &["kept"], 11)).await.unwrap();
    store.ready().await.unwrap();
    store.close().await.unwrap();
    let store = open(folder.path());
    assert_eq!(store.game("game0").await.unwrap().unwrap().log, ["kept"]);
}

#[tokio::test]
async fn restores_only_what_is_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let store = populated(folder.path(), 2).await;
    let file = folder.path().join("copy.sqlite");
    let restore = || archive::restore(folder.path(), &file, |_, _| {}).unwrap_err().to_string();
    assert!(restore().contains("cannot read"), "{}", restore());
    fs::write(&file, "").unwrap();
    assert!(restore().contains("the file is empty"), "{}", restore());
    fs::write(&file, "not a database".repeat(1_000)).unwrap();
    assert!(restore().contains("not a database"), "{}", restore());
    fs::remove_file(&file).unwrap();
    Connection::open(&file).unwrap().execute_batch("CREATE TABLE games (id)").unwrap();
    assert!(restore().contains("no games of Sandtable"), "{}", restore());
    // A request that nobody has checked.
    fs::write(folder.path().join("restore.sqlite"), "not a database".repeat(1_000)).unwrap();
    store.write(append("game0", 2, &["kept"], 9)).await.unwrap();
    let answer = fs::read_to_string(folder.path().join("restore.result")).unwrap();
    assert!(answer.contains("damaged"), "{answer}");
    assert!(!folder.path().join("restore.sqlite").exists());
    assert_eq!(store.list(all_games()).await.unwrap().len(), 2);
    store.close().await.unwrap();
}
