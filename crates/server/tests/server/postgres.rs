//! Several servers on one `PostgreSQL` database.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use sandtable_server::{Access, Config, Limits, StoreUrl};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::client::{TestServer, config, limits};
use crate::cluster::{Cluster, Durability};

/// The settings of an instance.
fn instance(url: &str, limits: &Limits) -> Config {
    // The data folder is not used.
    let mut config = config(Path::new("unused"));
    config.store = Some(url.parse::<StoreUrl>().expect("a URL"));
    config.limits = *limits;
    config
}

/// Two instances on a new database.
async fn two_instances(cluster: &Cluster) -> (TestServer, TestServer) {
    let url = cluster.database();
    let start = || TestServer::start_with(instance(&url, &Limits::default()));
    tokio::join!(start(), start())
}

/// An instance in a runtime of its own, which can end without a word.
fn mortal_instance(config: Config) -> (TestServer, Runtime) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let server = std::thread::scope(|scope| {
        scope.spawn(|| runtime.block_on(TestServer::start_with(config))).join().expect("the server starts")
    });
    (server, runtime)
}

fn is_over(game: &Value) -> bool {
    game["view"]["outcome"]["over"] == true
}

fn plies(game: &Value) -> usize {
    game["view"]["moves_played"].as_array().expect("a list").len()
}

#[tokio::test]
async fn two_instances_serve_one_game() {
    let Some(cluster) = Cluster::shared() else { return };
    let (first, second) = two_instances(cluster).await;
    let clock = json!({ "initial": 600_000, "increment": 0 });
    let id = first.create(json!({ "kind": "chess", "clock": clock })).await;
    let path = format!("/api/games/{id}");
    let mut watching = second.socket(&format!("{path}/socket")).await;
    watching.receive().await;
    let mut own = first.socket(&format!("{path}/socket")).await;
    own.receive().await;

    first.play(&id, "e4").await;
    let is_version = |version: u64| move |message: &Value| message["game"]["version"] == version;
    let seen = watching.receive_until(is_version(2)).await;
    assert_eq!(seen["game"]["clock"]["running"], "second");
    // A change that one instance has acknowledged is seen on the other at once, and a move for an old version is refused.
    let stale = json!({ "text": "d4", "version": 1 });
    let (status, body) = second.request(Method::POST, &format!("{path}/moves"), Some(stale)).await;
    assert_eq!((status, &body["code"]), (409, &json!("conflict")));
    second.post(&format!("{path}/moves"), json!({ "text": "e5", "version": 2 })).await;
    assert_eq!(plies(&first.get(&path).await), 2);
    own.receive_until(is_version(3)).await;
    for (server, text) in [(&first, "Nf3"), (&second, "Nc6"), (&first, "Bb5"), (&second, "a6")] {
        server.play(&id, text).await;
    }
    // Both show the same time.
    let (left, right) = tokio::join!(first.get(&path), second.get(&path));
    let time = |game: &Value| game["clock"]["left"]["first"].as_u64().unwrap();
    assert!(time(&left).abs_diff(time(&right)) < 2_000, "{} {}", left["clock"], right["clock"]);
    assert_eq!(left["view"], right["view"]);
    assert_eq!(first.get("/api/games").await, second.get("/api/games").await);

    // Of moves for one version on two instances, one is played.
    let version = left["version"].as_u64();
    let race = async |server: &TestServer, text| {
        let body = json!({ "text": text, "version": version });
        server.request(Method::POST, &format!("{path}/moves"), Some(body)).await.0
    };
    let (one, two, three) = tokio::join!(race(&first, "Ba4"), race(&second, "Bxc6"), race(&first, "d4"));
    let mut statuses = [one, two, three];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409]);

    let (status, _) = first.request(Method::DELETE, &path, None).await;
    assert_eq!(status, 204);
    let deleted = watching.receive_until(|message| message["type"] == "deleted").await;
    assert_eq!(deleted["type"], "deleted");
    assert_eq!(second.request(Method::GET, &path, None).await.0, 404);
}

#[tokio::test]
async fn players_on_two_instances_play_each_other() {
    const AN: &str = "a0000000000000000000000000000001";
    const BINH: &str = "b0000000000000000000000000000002";
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    let start = || {
        let mut config = instance(&url, &limits(|limits| limits.abandon_after = Duration::from_secs(1)));
        config.access = Access::Seats;
        TestServer::start_with(config)
    };
    let (first, second) = tokio::join!(start(), start());
    let (an, binh) = (first.guest(AN), second.guest(BINH));
    let seats = json!({ "first": { "type": "human", "name": "An" }, "second": { "type": "open" } });
    let new = json!({ "kind": "chess", "seats": seats, "chat": true, "lobby": true });
    let id = an.create(new).await;
    let path = format!("/api/games/{id}");
    let mut of_an = an.follow(&id).await;
    of_an.receive().await;

    // The lobby shows it while its creator is connected, to whatever instance.
    let waiting = async {
        while binh.get("/api/lobby").await.as_array().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waiting).await.expect("the challenge is listed");

    // A link of one instance takes the seat on the other, once.
    let link = an.post(&format!("{path}/invitation"), json!({})).await;
    let seat = json!({ "token": link["token"], "name": "Bình" });
    let joined = binh.post(&format!("{path}/seat"), seat.clone()).await;
    assert_eq!(joined["you"], json!(["second"]));
    assert_eq!(
        first.guest("c0000000000000000000000000000003").status(&format!("{path}/seat"), seat).await,
        403
    );
    let mut of_binh = binh.follow(&id).await;
    let shown = of_binh.receive().await;
    assert_eq!(shown["game"]["connected"], json!({ "first": true, "second": true }));
    of_an.receive_until(|message| message["connected"]["second"] == true).await;
    let mut watching = second.socket(&format!("{path}/socket")).await;
    watching.receive().await;

    let version = an.play(&id, "e4").await["version"].as_u64().unwrap();
    let is_version = |version: u64| move |message: &Value| message["game"]["version"] == version;
    of_binh.receive_until(is_version(version)).await;
    watching.receive_until(is_version(version)).await;
    binh.play(&id, "e5").await;
    of_an.receive_until(is_version(version + 1)).await;
    assert_eq!(an.status(&format!("{path}/moves"), json!({ "text": "Nf3", "version": version })).await, 409);
    an.post(&format!("{path}/chat"), json!({ "text": "Xin chào" })).await;
    let chat = of_binh.receive_until(|message| message["type"] == "chat").await;
    assert_eq!(chat["message"]["text"], "Xin chào");

    // A player who left the other instance has abandoned the game after the stated time.
    drop(of_binh);
    of_an.receive_until(|message| message["connected"]["second"] == false).await;
    let claim = json!({ "player": "first", "claim": "victory" });
    let claiming = async {
        while an.status(&format!("{path}/claim"), claim.clone()).await != 200 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), claiming).await.expect("a victory");
    let over = watching.receive_until(|message| is_over(&message["game"])).await;
    assert_eq!(over["game"]["view"]["outcome"]["winner"], "first");
}

#[tokio::test]
async fn a_dead_instance_is_replaced_within_seconds() {
    let Some(cluster) = Cluster::shared() else { return };
    let url = cluster.database();
    // Its engines never move.
    let (dead, runtime) = mortal_instance(instance(&url, &limits(|limits| limits.engine_workers = 0)));
    let clock = json!({ "initial": 2_000, "increment": 0 });
    let on_time = dead.create(json!({ "kind": "chess", "clock": clock })).await;
    let human = json!({ "type": "human" });
    let seats = json!({ "first": human, "second": { "type": "engine", "level": 1 } });
    let against_engine = dead.create(json!({ "kind": "chess", "seats": seats })).await;
    let survivor = TestServer::start_with(instance(&url, &Limits::default())).await;
    let mut watching = survivor.socket(&format!("/api/games/{against_engine}/socket")).await;
    watching.receive().await;
    dead.play(&against_engine, "e4").await;
    dead.play(&on_time, "e4").await;
    runtime.shutdown_background();
    let death = Instant::now();
    watching.receive_until(|message| message["game"]["version"] == 3).await;
    eprintln!("engine taken over after {:?}", death.elapsed());
    let over = survivor.wait_for(&on_time, is_over).await;
    eprintln!("flag fell after {:?}", death.elapsed());
    assert_eq!(over["view"]["outcome"]["reason"], "time forfeit");
    assert_eq!(over["clock"]["left"]["second"], 0);
}

/// A client that moves and takes back by turns, and what the server has acknowledged.
async fn play_on(server: Arc<TestServer>, stop: Arc<AtomicBool>) -> (String, u64, usize) {
    let id = loop {
        let new = json!({ "kind": "chess", "clock": { "initial": 3_600_000, "increment": 0 } });
        let (status, game) = server.request(Method::POST, "/api/games", Some(new)).await;
        if status == 201 {
            break game["id"].as_str().expect("an id").to_owned();
        }
        assert_eq!(status, 503, "{game}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let path = format!("/api/games/{id}");
    let (mut acknowledged, mut outages) = (1, 0);
    let mut version = 1_u64;
    while !stop.load(Ordering::Relaxed) {
        let (action, body) = if version % 2 == 1 {
            ("moves", json!({ "text": "e4", "version": version }))
        } else {
            ("undo", json!({ "version": version }))
        };
        let (status, game) = server.request(Method::POST, &format!("{path}/{action}"), Some(body)).await;
        match status {
            200 => {
                version = game["version"].as_u64().expect("a version");
                acknowledged = version;
            }
            // An earlier request of unknown result was executed.
            409 => {
                let (status, game) = server.request(Method::GET, &path, None).await;
                if status == 200 {
                    version = game["version"].as_u64().expect("a version");
                }
            }
            503 => {
                outages += 1;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            _ => panic!("{status} {game}"),
        }
    }
    (id, acknowledged, outages)
}

#[tokio::test]
async fn a_restart_of_the_database_loses_nothing_acknowledged() {
    let Some(cluster) = Cluster::start(Durability::Durable) else { return };
    let (first, second) = two_instances(&cluster).await;
    let (first, second) = (Arc::new(first), Arc::new(second));
    let stop = Arc::new(AtomicBool::new(false));
    let mut players = tokio::task::JoinSet::new();
    for server in [&first, &second, &first, &second] {
        players.spawn(play_on(Arc::clone(server), Arc::clone(&stop)));
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let cluster = tokio::task::spawn_blocking(move || {
        cluster.stop_server();
        cluster
    })
    .await
    .unwrap();
    // With the database away, requests are refused and the server lives.
    let (status, body) = first.request(Method::POST, "/api/games", Some(json!({ "kind": "chess" }))).await;
    assert_eq!((status, &body["code"]), (503, &json!("busy")));
    let ready = first.http.get(first.url("/api/ready")).send().await.unwrap();
    assert_eq!((ready.status().as_u16(), &ready.headers()["retry-after"]), (503, &"1".parse().unwrap()));
    assert_eq!(first.get("/api/health").await["name"], "sandtable");
    let cluster = tokio::task::spawn_blocking(move || {
        cluster.start_server();
        cluster
    })
    .await
    .unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    stop.store(true, Ordering::Relaxed);
    let results = players.join_all().await;
    assert!(results.iter().any(|(_, _, outages)| *outages > 0), "{results:?}");
    for (id, acknowledged, _) in &results {
        // The other instance has it too; a request of unknown result may have been executed.
        for server in [&first, &second] {
            let game = server.wait_for_status(id, 200).await;
            let version = game["version"].as_u64().unwrap();
            assert!((*acknowledged..=acknowledged + 1).contains(&version), "{version} of {acknowledged}");
            assert_eq!(plies(&game) as u64, (version + 1) % 2);
        }
    }
    drop(cluster);
}
