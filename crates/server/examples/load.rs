//! How fast the server answers on loopback: `cargo run --release -p sandtable-server --example load`.
//!
//! Requests are sent by a timetable, 500 a second, whether or not earlier ones are answered, and each is measured from the
//! moment it was due until its answer has been read: a server that falls behind cannot hide it. A second of the same goes
//! before each measurement.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use sandtable::core::Rng;
use sandtable::{GAMES, GameKind};
use sandtable_server::{Config, Server};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const RATE: u32 = 500;
const SECONDS: u32 = 10;
/// How many first lines of analyses are measured in each game.
const ANALYSES: usize = 50;
/// How many random games are searched for the position with the most moves.
const SEARCHED: usize = 30;

fn main() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let config =
        Config { listen: SocketAddr::from(([127, 0, 0, 1], 0)), ..Config::new(folder.path().to_owned()) };
    // The server has a runtime of its own, as it would have in a process of its own.
    let server = tokio::runtime::Runtime::new()?;
    let bound = server.block_on(Server::bind(config))?;
    let address = bound.address()?;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = server.spawn(bound.run(async move {
        let _ = stopped.await;
    }));
    tokio::runtime::Runtime::new()?.block_on(measure(address))?;
    let _ = stop.send(());
    server.block_on(running)?;
    Ok(())
}

async fn measure(address: SocketAddr) -> Result<()> {
    let http = reqwest::Client::new();
    let base = format!("http://{address}");
    for kind in GAMES {
        let start = json!({ "kind": kind.name });
        let (position, count) = richest(kind)?;
        let richest = json!({ "kind": kind.name, "position": position });
        for (what, said) in [("the start".to_owned(), start), (format!("a position of {count}"), richest)] {
            let (http, url) = (http.clone(), format!("{base}/api/position"));
            let ask = move |_| {
                let request = http.post(&url).json(&said).send();
                async move {
                    // What is measured is the server, not how fast this program reads JSON.
                    request.await?.error_for_status()?.bytes().await?;
                    Ok(())
                }
            };
            tell(&format!("{}: all moves of {what} with their view", kind.name), measured(ask).await?);
        }
    }
    for kind in GAMES {
        // As many games as a second has requests, each of which gets a move a second.
        let mut games = Vec::new();
        for _ in 0..RATE {
            let game = answer(
                http.post(format!("{base}/api/games")).json(&json!({ "kind": kind.name })).send().await?,
            )
            .await?;
            games.push((
                format!("{base}/api/games/{}/moves", game["id"].as_str().unwrap_or_default()),
                first_move(&game),
            ));
        }
        let games: Arc<Vec<_>> = Arc::new(games.into_iter().map(tokio::sync::Mutex::new).collect());
        let http = http.clone();
        let ask = move |number: u32| {
            let (http, games) = (http.clone(), Arc::clone(&games));
            async move {
                let mut game = games[(number % RATE) as usize].lock().await;
                let after =
                    answer(http.post(&game.0).json(&json!({ "index": game.1 })).send().await?).await?;
                game.1 = first_move(&after);
                Ok(())
            }
        };
        tell(&format!("{}: a move in one of {RATE} games, on disk", kind.name), measured(ask).await?);
    }
    for kind in GAMES {
        first_line(address, kind.name).await?;
        let mut times = Vec::new();
        for _ in 0..ANALYSES {
            times.push(first_line(address, kind.name).await?);
        }
        tell(&format!("{}: the first line of an analysis", kind.name), times);
    }
    Ok(())
}

/// The answer to a request, which must be a good one.
async fn answer(response: reqwest::Response) -> Result<Value> {
    Ok(response.error_for_status()?.json().await?)
}

/// The index of a move that is there.
fn first_move(game: &Value) -> Value {
    game["view"]["actions"][0]["index"].clone()
}

/// The position with the most moves of some random games, and how many it has.
fn richest(kind: &GameKind) -> Result<(String, u64)> {
    let mut rng = Rng::new(1);
    let mut richest = (String::new(), 0);
    for _ in 0..SEARCHED {
        let mut game = kind.start((kind.rules)()[0])?;
        while let Some(text) = game.random_move(&mut rng) {
            game.play(&text)?;
            // A view of a game that is over has no moves.
            if !game.is_over() && game.count_moves() > richest.1 {
                richest = (game.position(), game.count_moves());
            }
        }
    }
    Ok(richest)
}

/// Warms up, and measures.
async fn measured<F, R>(ask: F) -> Result<Vec<Duration>>
where
    F: Fn(u32) -> R,
    R: Future<Output = Result<()>> + Send + 'static,
{
    timetable(1, &ask).await?;
    timetable(SECONDS, &ask).await
}

/// Sends requests by the timetable, and gives how long after its due moment each was answered.
async fn timetable<F, R>(seconds: u32, ask: F) -> Result<Vec<Duration>>
where
    F: Fn(u32) -> R,
    R: Future<Output = Result<()>> + Send + 'static,
{
    let start = Instant::now() + Duration::from_millis(100);
    let mut asked = Vec::new();
    for number in 0..RATE * seconds {
        let due = start + Duration::from_secs(1) * number / RATE;
        tokio::time::sleep_until(due.into()).await;
        let request = ask(number);
        asked.push(tokio::spawn(async move {
            request.await?;
            Result::Ok(due.elapsed())
        }));
    }
    let mut times = Vec::new();
    for request in asked {
        times.push(request.await??);
    }
    Ok(times)
}

/// How long it takes from the opening of a socket to the first line of play.
async fn first_line(address: SocketAddr, kind: &str) -> Result<Duration> {
    let began = Instant::now();
    let (mut socket, _) = connect_async(format!("ws://{address}/api/analysis")).await?;
    let request = json!({ "type": "analyse", "id": 1, "said": { "kind": kind } });
    socket.send(Message::Text(request.to_string().into())).await?;
    while let Some(message) = socket.next().await {
        if let Message::Text(text) = message?
            && serde_json::from_str::<Value>(&text)?["type"] == "report"
        {
            return Ok(began.elapsed());
        }
    }
    Err("the socket was closed".into())
}

fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |per_mille: usize| times[(times.len() - 1) * per_mille / 1_000].as_secs_f64() * 1e3;
    println!(
        "{what}: median {:.2} ms, 99 % within {:.2} ms, all {} within {:.2} ms",
        at(500),
        at(990),
        times.len(),
        at(1_000)
    );
}
