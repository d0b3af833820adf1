//! `serve` for an hour, with all that clients do at once: what it holds in memory does not grow.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::serve::{Served, get, post};

const KINDS: [&str; 3] = ["chess", "cotulenh", "tribun"];

/// What was done, to see that it was.
#[derive(Default)]
struct Done {
    games: AtomicU64,
    moves: AtomicU64,
    heard: AtomicU64,
    analyses: AtomicU64,
    lists: AtomicU64,
}

/// A client that does one kind of thing over and over.
#[derive(Clone)]
struct Client {
    http: reqwest::Client,
    url: String,
    until: Instant,
    done: Arc<Done>,
}

impl Client {
    fn goes_on(&self) -> bool {
        Instant::now() < self.until
    }

    fn socket(&self, path: &str) -> String {
        format!("{}{path}", self.url.replacen("http", "ws", 1))
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        post(&self.http, &format!("{}{path}", self.url), body).await.expect("a good answer")
    }

    /// Plays random games, one after the other: each followed by a socket, with a clock, every fifth move taken back and
    /// played again, to the end or to 20 moves. Then nobody looks at the game any more, and its time runs out. They are
    /// short so that soon there are more of them than the server keeps in memory.
    async fn play(self) {
        for number in 0_usize.. {
            if !self.goes_on() {
                return;
            }
            let new =
                json!({ "kind": KINDS[number % 3], "clock": { "initial": 10_000, "increment": 1_000 } });
            let mut game = self.post("api/games", new).await;
            let path = format!("api/games/{}", game["id"].as_str().expect("an id"));
            let following = tokio::spawn(self.clone().follow(format!("{path}/socket")));
            for ply in 0..20 {
                let actions = game["view"]["actions"].as_array().expect("actions");
                let Some(action) = actions.get((number * 31 + ply * 7) % actions.len().max(1)) else { break };
                let chosen = json!({ "index": action["index"] });
                game = self.post(&format!("{path}/moves"), chosen.clone()).await;
                if ply % 5 == 4 && game["view"]["outcome"]["over"] == false {
                    self.post(&format!("{path}/undo"), json!({})).await;
                    game = self.post(&format!("{path}/moves"), chosen).await;
                }
                self.done.moves.fetch_add(1, Ordering::Relaxed);
            }
            following.abort();
            self.done.games.fetch_add(1, Ordering::Relaxed);
        }
    }

    async fn follow(self, path: String) {
        let (mut socket, _) = connect_async(self.socket(&path)).await.expect("a socket");
        while let Some(Ok(message)) = socket.next().await {
            self.done.heard.fetch_add(u64::from(message.is_text()), Ordering::Relaxed);
        }
    }

    /// Analyses one start after the other, hears a few reports, and leaves in the middle.
    async fn analyse(self) {
        for number in 0_usize.. {
            if !self.goes_on() {
                return;
            }
            let (mut socket, _) = connect_async(self.socket("api/analysis")).await.expect("a socket");
            let said = json!({ "kind": KINDS[number % 3] });
            let request = json!({ "type": "analyse", "id": number, "said": said, "lines": 1 + number % 5 });
            socket.send(Message::Text(request.to_string().into())).await.expect("it is sent");
            let mut reports = 0;
            while reports < 4 {
                let message = socket.next().await.expect("a message").expect("a good one");
                reports += usize::from(message.to_text().is_ok_and(|text| text.contains("report")));
            }
            self.done.analyses.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reads the list of games page by page, looks at the last one of each, and deletes what lies behind the tenth.
    async fn browse(self) {
        while self.goes_on() {
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
                    self.http.delete(&game).send().await.expect("an answer");
                }
            }
            self.done.lists.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Looks at positions and into them.
    async fn look(self) {
        for number in 0_usize.. {
            if !self.goes_on() {
                return;
            }
            self.post("api/position", json!({ "kind": KINDS[number % 3] })).await;
            self.post("api/inspect", json!({ "kind": KINDS[number % 3] })).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// What a process holds in memory, in KiB.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a status");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

#[test]
#[ignore = "it plays for an hour; SANDTABLE_SOAK_SECONDS makes it another time"]
fn memory_is_steady_over_an_hour_of_play() {
    let seconds = std::env::var("SANDTABLE_SOAK_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3_600);
    let folder = tempfile::tempdir().expect("a folder");
    let server = Served::start(folder.path());
    let process = server.process.id();
    let (began, time) = (Instant::now(), Duration::from_secs(seconds));
    let done = Arc::<Done>::default();
    let client = Client {
        http: reqwest::Client::new(),
        url: server.url.clone(),
        until: began + time,
        done: Arc::clone(&done),
    };
    // The most that is held in each quarter of the time; the first one is for warming up.
    let mut most = [0; 4];
    Runtime::new().expect("a runtime").block_on(async {
        let mut busy = tokio::task::JoinSet::new();
        for _ in 0..3 {
            busy.spawn(client.clone().play());
        }
        for _ in 0..2 {
            busy.spawn(client.clone().analyse());
        }
        busy.spawn(client.clone().browse());
        busy.spawn(client.clone().look());
        while client.goes_on() {
            let quarter = (began.elapsed().as_millis() * 4 / time.as_millis()).min(3) as usize;
            most[quarter] = most[quarter].max(resident(process));
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        busy.join_all().await;
    });
    let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
    println!(
        "{seconds} s: {} games, {} moves, {} messages heard, {} analyses, {} readings of the list; at most {most:?} KiB \
         in each quarter",
        count(&done.games),
        count(&done.moves),
        count(&done.heard),
        count(&done.analyses),
        count(&done.lists),
    );
    for count in [&done.games, &done.moves, &done.heard, &done.analyses, &done.lists] {
        assert!(count.load(Ordering::Relaxed) > 0, "something was never done");
    }
    let [_, before, _, after] = most;
    assert!(after < before * 5 / 4 + 16 * 1024, "{before} KiB grew to {after} KiB");
    server.kill();
}
