//! The clients of a soak test. Each repeats one kind of work until the time is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

const KINDS: [&str; 3] = ["chess", "cotulenh", "tribun"];
/// How long a player thinks. An hour of soak is not a load test: other programs share the machine.
const THINKING: Duration = Duration::from_millis(40);

/// Counters of the work done, to check that every client worked.
#[derive(Default)]
struct Done {
    guests: AtomicU64,
    games: AtomicU64,
    moves: AtomicU64,
    received: AtomicU64,
    chats: AtomicU64,
    take_backs: AtomicU64,
    rematches: AtomicU64,
    engine_games: AtomicU64,
    analyses: AtomicU64,
    lists: AtomicU64,
}

impl Done {
    fn counters(&self) -> [(&'static str, &AtomicU64); 10] {
        [
            ("guests", &self.guests),
            ("games", &self.games),
            ("moves", &self.moves),
            ("messages received", &self.received),
            ("chat messages", &self.chats),
            ("moves taken back", &self.take_backs),
            ("rematches", &self.rematches),
            ("games against engines", &self.engine_games),
            ("analyses", &self.analyses),
            ("list reads", &self.lists),
        ]
    }
}

fn add(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// What all clients share.
#[derive(Clone)]
pub(crate) struct Soak {
    url: String,
    until: Instant,
    done: Arc<Done>,
}

/// A guest: a browser with a token and an address of its own.
struct Guest {
    http: reqwest::Client,
    headers: HeaderMap,
    url: String,
}

impl Guest {
    fn new(soak: &Soak) -> Self {
        let number = soak.done.guests.fetch_add(1, Ordering::Relaxed);
        let [.., a, b, c] = number.to_be_bytes();
        let value = |text: String| HeaderValue::from_str(&text).expect("a header value");
        let mut headers = HeaderMap::new();
        headers.insert("authorization", value(format!("Bearer {:032x}", u128::from(number) + 1)));
        headers.insert("x-forwarded-for", value(format!("10.{a}.{b}.{c}")));
        let http = reqwest::Client::builder().default_headers(headers.clone()).build().expect("a client");
        Self { http, headers, url: soak.url.clone() }
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let response = self.http.post(format!("{}{path}", self.url)).json(&body).send().await;
        let response = response.expect("a response");
        let (status, text) = (response.status(), response.text().await.expect("a body"));
        assert!(status.is_success(), "{path} {body}: {status} {text}");
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    async fn get(&self, path: &str) -> Value {
        let response = self.http.get(format!("{}{path}", self.url)).send().await.expect("a response");
        let response = response.error_for_status().expect("a success");
        response.json().await.expect("JSON")
    }

    async fn socket(&self, path: &str) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
        let url = format!("{}{path}", self.url.replacen("http", "ws", 1));
        let mut request = url.into_client_request().expect("a request");
        for (name, value) in &self.headers {
            request.headers_mut().insert(name.clone(), value.clone());
        }
        connect_async(request).await.expect("a socket").0
    }

    /// Follows a game until the task is aborted.
    async fn follow(&self, path: &str, soak: &Soak) -> JoinHandle<()> {
        let (mut socket, done) = (self.socket(&format!("{path}/socket")).await, Arc::clone(&soak.done));
        tokio::spawn(async move {
            while let Some(Ok(message)) = socket.next().await {
                done.received.fetch_add(u64::from(message.is_text()), Ordering::Relaxed);
            }
        })
    }
}

/// A legal move of a game, different for different numbers; `None` if the game is over.
fn choose(game: &Value, number: usize) -> Option<Value> {
    let moves = game["view"]["legal_moves"].as_array().expect("legal moves");
    let legal = moves.get(number % moves.len().max(1))?;
    Some(json!({ "index": legal["index"] }))
}

fn path(game: &Value) -> String {
    format!("api/games/{}", game["id"].as_str().expect("an id"))
}

impl Soak {
    pub(crate) fn new(url: String, until: Instant) -> Self {
        Self { url, until, done: Arc::default() }
    }

    pub(crate) fn is_running(&self) -> bool {
        Instant::now() < self.until
    }

    /// The games, moves and messages so far.
    pub(crate) fn progress(&self) -> (u64, u64, u64) {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (count(&self.done.games), count(&self.done.moves), count(&self.done.received))
    }

    pub(crate) fn report(&self) -> String {
        let counters =
            self.done.counters().map(|(name, count)| format!("{} {name}", count.load(Ordering::Relaxed)));
        counters.join(", ")
    }

    pub(crate) fn assert_everything_was_done(&self) {
        for (name, count) in self.done.counters() {
            assert!(count.load(Ordering::Relaxed) > 0, "no {name}");
        }
    }

    /// Two guests play games of at most 24 moves, with clock, chat and a spectator. They take moves back, resign, agree to a
    /// rematch or leave, and lose on time. After ten games, two others take their places.
    pub(crate) async fn play(self, first_number: usize) {
        let mut guests = [Guest::new(&self), Guest::new(&self)];
        for number in first_number.. {
            if !self.is_running() {
                return;
            }
            if number % 10 == 9 {
                guests = [Guest::new(&self), Guest::new(&self)];
            }
            self.play_game(&guests, number).await;
            add(&self.done.games);
        }
    }

    async fn play_game(&self, guests: &[Guest; 2], number: usize) {
        let [first, second] = guests;
        let new = json!({
            "kind": KINDS[number % 3],
            "seats": { "first": { "type": "human", "name": "An" }, "second": { "type": "open" } },
            "clock": { "initial": 10_000, "increment": 1_000 },
            "public": true,
            "chat": true,
        });
        let path = path(&first.post("api/games", new).await);
        let link = first.post(&format!("{path}/invitation"), json!({})).await;
        let taken = json!({ "token": link["token"], "name": "Bình" });
        let mut game = second.post(&format!("{path}/seat"), taken).await;
        let spectator = Guest::new(self);
        let mut followers = Vec::new();
        for guest in [first, second, &spectator] {
            followers.push(guest.follow(&path, self).await);
        }
        for ply in 0..24 {
            let Some(chosen) = choose(&game, number * 31 + ply * 7) else { break };
            tokio::time::sleep(THINKING).await;
            let side = game["view"]["turn"].as_str().expect("a side").to_owned();
            let (mover, waiting, other) =
                if side == "first" { (first, second, "second") } else { (second, first, "first") };
            game = mover.post(&format!("{path}/moves"), chosen).await;
            add(&self.done.moves);
            let is_over = game["view"]["outcome"]["over"] == true;
            if ply % 6 == 5 {
                mover.post(&format!("{path}/chat"), json!({ "text": format!("move {ply}") })).await;
                waiting.get(&format!("{path}/chat")).await;
                add(&self.done.chats);
            }
            if ply % 8 == 7 && !is_over {
                let offer = json!({ "player": side, "action": "offer" });
                mover.post(&format!("{path}/take-back"), offer).await;
                let accept = json!({ "player": other, "action": "accept" });
                game = waiting.post(&format!("{path}/take-back"), accept).await;
                add(&self.done.take_backs);
            }
        }
        // Every fourth game is abandoned and lost on time.
        if number % 4 != 3 {
            if game["view"]["outcome"]["over"] == false {
                first.post(&format!("{path}/resign"), json!({ "player": "first" })).await;
            }
            let rematch = second.post(&format!("{path}/rematch"), json!({})).await;
            let next = format!("api/games/{}", rematch["id"].as_str().expect("an id"));
            first.post(&format!("{next}/abort"), json!({})).await;
            add(&self.done.rematches);
        }
        first.get(&format!("{path}/record")).await;
        for follower in followers {
            follower.abort();
        }
    }

    /// Plays short games against an engine.
    pub(crate) async fn play_engine(self) {
        let guest = Guest::new(&self);
        for number in 0_usize.. {
            if !self.is_running() {
                return;
            }
            let seats = json!({ "first": { "type": "human" }, "second": { "type": "engine", "level": 1 } });
            let mut game =
                guest.post("api/games", json!({ "kind": KINDS[number % 3], "seats": seats })).await;
            let path = path(&game);
            for ply in 0..6 {
                while game["view"]["outcome"]["over"] == false && game["view"]["turn"] != "first" {
                    tokio::time::sleep(THINKING).await;
                    game = guest.get(&path).await;
                }
                let Some(chosen) = choose(&game, number * 31 + ply * 7) else { break };
                game = guest.post(&format!("{path}/moves"), chosen).await;
            }
            let deleted = guest.http.delete(format!("{}{path}", self.url)).send().await.expect("a response");
            assert!(deleted.status().is_success(), "{deleted:?}");
            add(&self.done.engine_games);
        }
    }

    /// Analyses start positions, reads a few reports and disconnects during the search.
    pub(crate) async fn analyze(self) {
        let guest = Guest::new(&self);
        for number in 0_usize.. {
            if !self.is_running() {
                return;
            }
            let mut socket = guest.socket("api/analysis").await;
            let position = json!({ "kind": KINDS[number % 3] });
            let request =
                json!({ "type": "analyze", "id": number, "position": position, "lines": 1 + number % 5 });
            socket.send(Message::Text(request.to_string().into())).await.expect("an open socket");
            let mut reports = 0;
            while reports < 4 {
                let message = socket.next().await.expect("a message").expect("a valid one");
                reports += usize::from(message.to_text().is_ok_and(|text| text.contains("report")));
            }
            add(&self.done.analyses);
        }
    }

    /// Reads the lobby and the first pages of the public games, and the last game of each page.
    pub(crate) async fn browse(self) {
        let guest = Guest::new(&self);
        while self.is_running() {
            guest.get("api/lobby").await;
            guest.get("api/games").await;
            let mut before = String::new();
            for _ in 0..10 {
                let games = guest.get(&format!("api/games?scope=public&limit=20{before}")).await;
                let Some(last) = games.as_array().expect("a list").last() else { break };
                before = format!("&before={}", last["updated"]);
                guest.get(&path(last)).await;
                tokio::time::sleep(THINKING).await;
            }
            add(&self.done.lists);
            tokio::time::sleep(THINKING).await;
        }
    }

    /// Requests views and inspections of positions.
    pub(crate) async fn inspect(self) {
        let guest = Guest::new(&self);
        for number in 0_usize.. {
            if !self.is_running() {
                return;
            }
            guest.post("api/position", json!({ "kind": KINDS[number % 3] })).await;
            guest.post("api/inspect", json!({ "kind": KINDS[number % 3] })).await;
            tokio::time::sleep(THINKING).await;
        }
    }
}
