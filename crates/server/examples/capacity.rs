//! Measures how many games between two people a server carries.
//!
//! ```sh
//! cargo run --release -p sandtable-server --example capacity                      # a server of its own
//! cargo run --release -p sandtable-server --example capacity -- http://10.0.0.5:8080/ http://10.0.0.6:8080/
//! cargo run --release -p sandtable-server --example capacity -- --games 1000,2000 --seconds 60 --interval 2.5
//! ```
//!
//! Every game has two guests, each with a connection for requests and a game socket, and a move every 5 seconds. Moves are
//! sent when they are due, even if the server is slow, and latencies start when a move is due, so a server that falls
//! behind cannot hide it (no coordinated omission). With several URLs, the guests of a game use different ones.
//!
//! Limits count guests by address: a server given by URL must trust the address of this program as a proxy
//! (`--trust-proxy`), because every guest has its own `X-Forwarded-For`.

use std::collections::VecDeque;
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use sandtable::GameKind;
use sandtable::core::Player;
use sandtable::core::rules::Rng;
use sandtable_server::{Config, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// The p99 that a step must stay below.
const GOAL: Duration = Duration::from_millis(50);
/// How long a move may take before it counts as failed.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How many games are created at the same time.
const CREATED_AT_ONCE: usize = 16;

struct Options {
    /// The servers; empty for one of its own.
    urls: Vec<String>,
    /// The number of games in each step.
    games: Vec<usize>,
    /// How long a step is measured.
    time: Duration,
    /// The time between two moves of a game.
    interval: Duration,
    kind: &'static GameKind,
}

impl Options {
    fn parse() -> Result<Self> {
        let kind = |name: &str| sandtable::GAMES.iter().find(|kind| kind.name == name);
        let mut options = Self {
            urls: Vec::new(),
            games: vec![250, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000],
            time: Duration::from_secs(30),
            interval: Duration::from_secs(5),
            kind: kind("chess").ok_or("no chess")?,
        };
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{name} needs a value"));
            match name.as_str() {
                "--games" => {
                    options.games =
                        value()?.split(',').map(str::parse).collect::<std::result::Result<_, _>>()?;
                }
                "--seconds" => options.time = Duration::try_from_secs_f64(value()?.parse()?)?,
                "--interval" => options.interval = Duration::try_from_secs_f64(value()?.parse()?)?,
                "--kind" => options.kind = kind(&value()?).ok_or("unknown kind")?,
                url if url.starts_with("http://") => options.urls.push(url.trim_end_matches('/').to_owned()),
                other => return Err(format!("unknown argument `{other}`").into()),
            }
        }
        Ok(options)
    }
}

fn main() -> Result<()> {
    let mut options = Options::parse()?;
    rlimit::increase_nofile_limit(u64::MAX)?;
    if !options.urls.is_empty() {
        return tokio::runtime::Runtime::new()?.block_on(measure_all(&options));
    }
    let folder = tempfile::tempdir()?;
    let mut config = Config::new(folder.path().to_owned());
    config.listen.set_port(0);
    config.trusted_proxies = vec!["127.0.0.1".parse()?];
    // Its own runtime keeps the server apart from the client, as a separate process would.
    let server = tokio::runtime::Runtime::new()?;
    let bound = server.block_on(Server::bind(config))?;
    options.urls.push(format!("http://{}", bound.address()?));
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = server.spawn(bound.run(async move {
        let _ = stopped.await;
    }));
    tokio::runtime::Runtime::new()?.block_on(measure_all(&options))?;
    drop(stop);
    server.block_on(running)?;
    Ok(())
}

/// Adds games step by step until the goal is missed.
async fn measure_all(options: &Options) -> Result<()> {
    let plies = plies(options);
    let records: Vec<_> = (0..32).map(|seed| record(options.kind, seed, plies)).collect::<Result<_>>()?;
    let records: Vec<Arc<[Move]>> = records.into_iter().map(Into::into).collect();
    let stats = Arc::<Stats>::default();
    let mut best = 0;
    let mut playing = 0;
    println!("games  moves/s  answer p50  p99  max (ms)  opponent p50  p99  max (ms)  failed");
    for &games in &options.games {
        let mut waiting: VecDeque<_> = (playing..games).collect();
        let mut creating = tokio::task::JoinSet::new();
        while !(waiting.is_empty() && creating.is_empty()) {
            while creating.len() < CREATED_AT_ONCE
                && let Some(number) = waiting.pop_front()
            {
                let urls = &options.urls;
                let hosts = [number, number + 1].map(|n| urls[n % urls.len()]["http://".len()..].to_owned());
                creating.spawn(Game::create(hosts, options.kind.name));
            }
            if let Some(created) = creating.join_next().await {
                let (game, record) = (created??, Arc::clone(&records[playing % records.len()]));
                tokio::spawn(game.play(record, options.interval, Arc::clone(&stats)));
                playing += 1;
            }
        }
        // Every game has moved once before the measurement.
        tokio::time::sleep(options.interval).await;
        stats.take();
        tokio::time::sleep(options.time).await;
        if !stats.take().print(games, options.time) {
            break;
        }
        best = games;
    }
    println!("most games with a p99 below {} ms: {best}", GOAL.as_millis());
    Ok(())
}

/// The moves that the first games play until the last step ends.
fn plies(options: &Options) -> usize {
    let steps = options.games.len() as u32;
    // Creating the games takes time too.
    let total = (options.time + options.interval + Duration::from_secs(20)) * steps;
    (total.as_millis() / options.interval.as_millis().max(1)) as usize + 10
}

/// A move and the index of the guest who plays it: players need not alternate.
type Move = (usize, String);

/// The moves of a random game.
fn record(kind: &GameKind, seed: u64, plies: usize) -> Result<Vec<Move>> {
    let mut rng = Rng::new(seed);
    for _ in 0..10_000 {
        let mut game = kind.start(kind.rules[0])?;
        let mut moves = Vec::new();
        while moves.len() < plies
            && let Some(text) = game.random_move(&mut rng)
        {
            let side = usize::from(game.turn() == Player::Second);
            game.play(&text)?;
            moves.push((side, text));
        }
        if moves.len() == plies {
            return Ok(moves);
        }
    }
    Err(format!("no random game has {plies} moves: measure fewer or shorter steps").into())
}

/// The latencies measured since the last look.
#[derive(Default)]
struct Stats {
    answers: Mutex<Vec<Duration>>,
    opponents: Mutex<Vec<Duration>>,
    failed: AtomicU64,
}

impl Stats {
    fn take(&self) -> Self {
        let take = |times: &Mutex<Vec<Duration>>| {
            Mutex::new(std::mem::take(&mut *times.lock().unwrap_or_else(PoisonError::into_inner)))
        };
        let failed = AtomicU64::new(self.failed.swap(0, Ordering::Relaxed));
        Self { answers: take(&self.answers), opponents: take(&self.opponents), failed }
    }

    fn add(times: &Mutex<Vec<Duration>>, time: Duration) {
        times.lock().unwrap_or_else(PoisonError::into_inner).push(time);
    }

    /// Counts a game that cannot go on, and tells why the first one cannot.
    fn fail(&self, error: &dyn Error) {
        if self.failed.fetch_add(1, Ordering::Relaxed) == 0 {
            eprintln!("a move failed: {error}");
        }
    }

    /// Prints a step, and returns whether it met the goal.
    fn print(self, games: usize, time: Duration) -> bool {
        let sorted = |times: Mutex<Vec<Duration>>| {
            let mut times = times.into_inner().unwrap_or_else(PoisonError::into_inner);
            times.sort();
            times
        };
        let (answers, opponents, failed) =
            (sorted(self.answers), sorted(self.opponents), self.failed.into_inner());
        let ms = |times: &[Duration], per_mille: usize| {
            let at = times.len().saturating_sub(1) * per_mille / 1_000;
            times.get(at).map_or(f64::NAN, |time| time.as_secs_f64() * 1e3)
        };
        println!(
            "{games:5}  {:7.1}  {:10.1}  {:5.1}  {:6.1}  {:12.1}  {:5.1}  {:6.1}  {failed:6}",
            f64::from(answers.len() as u32) / time.as_secs_f64(),
            ms(&answers, 500),
            ms(&answers, 990),
            ms(&answers, 1_000),
            ms(&opponents, 500),
            ms(&opponents, 990),
            ms(&opponents, 1_000),
        );
        let goal = GOAL.as_secs_f64() * 1e3;
        failed == 0 && ms(&answers, 990) < goal && ms(&opponents, 990) < goal
    }
}

/// A guest with a connection for requests.
struct Guest {
    host: String,
    /// The lines of a request that identify the guest.
    headers: [(&'static str, String); 2],
    stream: BufReader<TcpStream>,
}

impl Guest {
    async fn connect(host: String) -> Result<Self> {
        let (high, low) = (getrandom::u64()?, getrandom::u64()?);
        let [.., a, b, c] = low.to_be_bytes();
        let stream = connect(&host).await?;
        let headers = [
            ("authorization", format!("Bearer {high:016x}{low:016x}")),
            ("x-forwarded-for", format!("10.{a}.{b}.{c}")),
        ];
        Ok(Self { host, headers, stream: BufReader::new(stream) })
    }

    /// Posts JSON and returns the body of the response. The client shares the processors with the server, so it does no more
    /// than it must.
    async fn post(&mut self, path: &str, body: &Value) -> Result<Vec<u8>> {
        let body = body.to_string();
        let [(authorization, token), (forwarded, address)] = &self.headers;
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\n{authorization}: {token}\r\n{forwarded}: {address}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let (mut line, mut length, mut status) = (String::new(), 0, None);
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err("the connection was closed".into());
            }
            let text = line.trim_end().to_ascii_lowercase();
            if status.is_none() {
                status = Some(text.split(' ').nth(1).ok_or("no status")?.to_owned());
            } else if let Some(value) = text.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            } else if text.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        match status {
            Some(status) if status.starts_with('2') => Ok(body),
            status => Err(format!("{path}: {status:?} {}", String::from_utf8_lossy(&body)).into()),
        }
    }

    /// Opens a game socket, and returns the last version it has received and when.
    async fn follow(&self, id: &str) -> Result<watch::Receiver<(u64, Instant)>> {
        let mut request = format!("ws://{}/api/games/{id}/socket", self.host).into_client_request()?;
        for (name, value) in &self.headers {
            request.headers_mut().insert(*name, value.parse()?);
        }
        let (mut socket, _) = client_async(request, connect(&self.host).await?).await?;
        let (sender, seen) = watch::channel((0, Instant::now()));
        tokio::spawn(async move {
            while let Some(Ok(message)) = socket.next().await {
                if let Some(version) = message.to_text().ok().and_then(version) {
                    sender.send_replace((version, Instant::now()));
                }
            }
        });
        Ok(seen)
    }
}

async fn connect(host: &str) -> Result<TcpStream> {
    let stream = TcpStream::connect(host).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// The version in a message, without parsing all of it.
fn version(message: &str) -> Option<u64> {
    let (_, rest) = message.split_once("\"version\":")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

struct Game {
    id: String,
    version: u64,
    guests: [Guest; 2],
    seen: [watch::Receiver<(u64, Instant)>; 2],
}

impl Game {
    /// Creates a game; a second guest takes the other seat with an invitation.
    async fn create(hosts: [String; 2], kind: &str) -> Result<Self> {
        let [first, second] = hosts;
        let (mut first, mut second) = (Guest::connect(first).await?, Guest::connect(second).await?);
        let seats = json!({ "first": { "type": "human" }, "second": { "type": "open" } });
        let clock = json!({ "initial": 3_600_000, "increment": 5_000 });
        let new = json!({ "kind": kind, "seats": seats, "clock": clock });
        let game: Value = serde_json::from_slice(&first.post("/api/games", &new).await?)?;
        let id = game["id"].as_str().ok_or("a game without an id")?.to_owned();
        let path = format!("/api/games/{id}");
        let invitation = first.post(&format!("{path}/invitation"), &json!({})).await?;
        let invitation: Value = serde_json::from_slice(&invitation)?;
        let seat = second.post(&format!("{path}/seat"), &json!({ "token": invitation["token"] })).await?;
        let game: Value = serde_json::from_slice(&seat)?;
        let version = game["version"].as_u64().ok_or("a game without a version")?;
        let seen = [first.follow(&id).await?, second.follow(&id).await?];
        Ok(Self { id, version, guests: [first, second], seen })
    }

    /// Plays the moves of a record, one every `interval`.
    async fn play(mut self, record: Arc<[Move]>, interval: Duration, stats: Arc<Stats>) {
        let path = format!("/api/games/{}/moves", self.id);
        // Games are spread evenly, not in step.
        let phase = interval * (getrandom::u32().unwrap_or(0) % 1_000) / 1_000;
        let mut due = Instant::now() + phase;
        for next in record.iter() {
            tokio::time::sleep_until(due.into()).await;
            match tokio::time::timeout(TIMEOUT, self.play_move(&path, next, due, &stats)).await {
                Ok(Ok(())) => {}
                Ok(Err(e)) => return stats.fail(&*e),
                Err(e) => return stats.fail(&e),
            }
            due += interval;
        }
    }

    async fn play_move(
        &mut self,
        path: &str,
        (mover, text): &Move,
        due: Instant,
        stats: &Stats,
    ) -> Result<()> {
        self.guests[*mover].post(path, &json!({ "text": text, "version": self.version })).await?;
        Stats::add(&stats.answers, due.elapsed());
        self.version += 1;
        let expected = self.version;
        let seen = *self.seen[1 - mover].wait_for(|(version, _)| *version >= expected).await?;
        Stats::add(&stats.opponents, seen.1.saturating_duration_since(due));
        Ok(())
    }
}
