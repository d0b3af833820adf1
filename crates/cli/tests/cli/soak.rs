//! A soak test of `serve`: an hour of concurrent clients, during which memory must not grow.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::serve::{ServerProcess, get, post};

const KINDS: [&str; 3] = ["chess", "cotulenh", "tribun"];

/// Counters of the work done, to check that every client worked.
#[derive(Default)]
struct Done {
    games: AtomicU64,
    moves: AtomicU64,
    received: AtomicU64,
    analyses: AtomicU64,
    lists: AtomicU64,
}

/// A client that repeats one kind of work.
#[derive(Clone)]
struct Client {
    http: reqwest::Client,
    url: String,
    until: Instant,
    done: Arc<Done>,
}

impl Client {
    fn is_running(&self) -> bool {
        Instant::now() < self.until
    }

    fn socket(&self, path: &str) -> String {
        format!("{}{path}", self.url.replacen("http", "ws", 1))
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        post(&self.http, &format!("{}{path}", self.url), body).await.expect("a success")
    }

    /// Plays random games of at most 20 moves, each with a clock and followed over a WebSocket; every fifth move is taken
    /// back and replayed. Abandoned games lose on time. Short games soon exceed what the server caches in memory.
    async fn play(self) {
        for number in 0_usize.. {
            if !self.is_running() {
                return;
            }
            let new =
                json!({ "kind": KINDS[number % 3], "clock": { "initial": 10_000, "increment": 1_000 } });
            let mut game = self.post("api/games", new).await;
            let path = format!("api/games/{}", game["id"].as_str().expect("an id"));
            let follower = tokio::spawn(self.clone().follow(format!("{path}/socket")));
            for ply in 0..20 {
                let moves = game["view"]["legal_moves"].as_array().expect("legal moves");
                let Some(legal) = moves.get((number * 31 + ply * 7) % moves.len().max(1)) else { break };
                let chosen = json!({ "index": legal["index"] });
                game = self.post(&format!("{path}/moves"), chosen.clone()).await;
                if ply % 5 == 4 && game["view"]["outcome"]["over"] == false {
                    self.post(&format!("{path}/undo"), json!({})).await;
                    game = self.post(&format!("{path}/moves"), chosen).await;
                }
                self.done.moves.fetch_add(1, Ordering::Relaxed);
            }
            follower.abort();
            self.done.games.fetch_add(1, Ordering::Relaxed);
        }
    }

    async fn follow(self, path: String) {
        let (mut socket, _) = connect_async(self.socket(&path)).await.expect("a socket");
        while let Some(Ok(message)) = socket.next().await {
            self.done.received.fetch_add(u64::from(message.is_text()), Ordering::Relaxed);
        }
    }

    /// Analyses start positions, reads a few reports and disconnects during the search.
    async fn analyse(self) {
        for number in 0_usize.. {
            if !self.is_running() {
                return;
            }
            let (mut socket, _) = connect_async(self.socket("api/analysis")).await.expect("a socket");
            let position = json!({ "kind": KINDS[number % 3] });
            let request =
                json!({ "type": "analyse", "id": number, "position": position, "lines": 1 + number % 5 });
            socket.send(Message::Text(request.to_string().into())).await.expect("an open socket");
            let mut reports = 0;
            while reports < 4 {
                let message = socket.next().await.expect("a message").expect("a valid one");
                reports += usize::from(message.to_text().is_ok_and(|text| text.contains("report")));
            }
            self.done.analyses.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reads the list of games page by page, fetches the last game of each page, and deletes it from the tenth page on.
    async fn browse(self) {
        while self.is_running() {
            let mut before = String::new();
            for page in 0.. {
                let games = get(&self.http, &format!("{}api/games?limit=20{before}", self.url)).await;
                let Some(last) = games.as_array().expect("a list").last() else { break };
                before = format!("&before={}", last["updated"]);
                let game = format!("{}api/games/{}", self.url, last["id"].as_str().expect("an id"));
                if page < 10 {
                    get(&self.http, &game).await;
                    get(&self.http, &format!("{game}/record")).await;
                } else {
                    self.http.delete(&game).send().await.expect("a response");
                }
            }
            self.done.lists.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Requests views and inspections of positions.
    async fn inspect(self) {
        for number in 0_usize.. {
            if !self.is_running() {
                return;
            }
            self.post("api/position", json!({ "kind": KINDS[number % 3] })).await;
            self.post("api/inspect", json!({ "kind": KINDS[number % 3] })).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The resident memory of a process, in KiB.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a status");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

#[test]
#[ignore = "takes an hour; set SANDTABLE_SOAK_SECONDS to change that"]
fn memory_is_steady_over_an_hour_of_play() {
    let seconds = std::env::var("SANDTABLE_SOAK_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3_600);
    let directory = tempfile::tempdir().expect("a directory");
    let server = ServerProcess::start(directory.path());
    let process = server.process.id();
    let (began, time) = (Instant::now(), Duration::from_secs(seconds));
    let done = Arc::<Done>::default();
    let client = Client {
        http: reqwest::Client::new(),
        url: server.url.clone(),
        until: began + time,
        done: Arc::clone(&done),
    };
    // Peak memory in each quarter of the time; the first quarter is a warm-up.
    let mut peaks = [0; 4];
    Runtime::new().expect("a runtime").block_on(async {
        let mut clients = tokio::task::JoinSet::new();
        for _ in 0..3 {
            clients.spawn(client.clone().play());
        }
        for _ in 0..2 {
            clients.spawn(client.clone().analyse());
        }
        clients.spawn(client.clone().browse());
        clients.spawn(client.clone().inspect());
        while client.is_running() {
            let quarter = (began.elapsed().as_millis() * 4 / time.as_millis()).min(3) as usize;
            peaks[quarter] = peaks[quarter].max(resident(process));
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        clients.join_all().await;
    });
    let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
    println!(
        "{seconds} s: {} games, {} moves, {} messages received, {} analyses, {} list reads; at most {peaks:?} KiB \
         in each quarter",
        count(&done.games),
        count(&done.moves),
        count(&done.received),
        count(&done.analyses),
        count(&done.lists),
    );
    for count in [&done.games, &done.moves, &done.received, &done.analyses, &done.lists] {
        assert!(count.load(Ordering::Relaxed) > 0, "a client did no work");
    }
    let [_, before, _, after] = peaks;
    assert!(after < before * 5 / 4 + 16 * 1024, "{before} KiB grew to {after} KiB");
    server.kill();
}
