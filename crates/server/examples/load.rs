//! Measures the latency of the server on loopback: `cargo run --release -p sandtable-server --example load`.
//!
//! Requests are sent at a fixed rate of 500 per second, even if earlier ones are still pending. The latency of a request
//! starts when it is due, so a server that falls behind cannot hide it (no coordinated omission). One second of the same
//! load warms up the server before each measurement.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use sandtable::core::rules::Rng;
use sandtable::{GAMES, GameKind};
use sandtable_server::{Config, Server};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

const RATE: u32 = 500;
const SECONDS: u32 = 10;
/// The number of analyses measured per game.
const ANALYSES: usize = 50;
/// The number of analyses that another client asks for.
const QUEUED_ANALYSES: usize = 300;
/// The number of moves measured per game beside them.
const MOVES: usize = 500;
/// The number of random games searched for the position with the most legal moves.
const RANDOM_GAMES: usize = 30;

fn main() -> Result<()> {
    serve(|_| {}, measure_all)?;
    // Behind a proxy, clients have addresses of their own and quotas.
    let proxy = "127.0.0.1".parse()?;
    serve(|config| config.trusted_proxies = vec![proxy], measure_beside_analyses)
}

/// Starts a server, measures it and stops it.
fn serve<M: Future<Output = Result<()>>>(
    change: impl FnOnce(&mut Config),
    measure: impl FnOnce(SocketAddr) -> M,
) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut config = Config::new(folder.path().to_owned());
    config.listen.set_port(0);
    change(&mut config);
    // Its own runtime keeps the server apart from the client, as a separate process would.
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

/// Moves of one client while another has asked for 300 analyses.
async fn measure_beside_analyses(address: SocketAddr) -> Result<()> {
    let mut analyses = Vec::new();
    for _ in 0..QUEUED_ANALYSES {
        let mut request = format!("ws://{address}/api/analysis").into_client_request()?;
        request.headers_mut().insert("x-forwarded-for", "192.0.2.1".parse()?);
        // Beyond its quota of sockets the client is refused.
        if let Ok((mut socket, _)) = connect_async(request).await {
            let analyze = json!({ "type": "analyze", "id": 1, "position": { "kind": "cotulenh" } });
            socket.send(Message::Text(analyze.to_string().into())).await?;
            analyses.push(socket);
        }
    }
    let http = reqwest::Client::new();
    let post = |url: String, body: Value| {
        let request = http.post(url).bearer_auth("0123456789abcdef0123456789abcdef");
        request.header("x-forwarded-for", "192.0.2.2").json(&body).send()
    };
    let games = format!("http://{address}/api/games");
    for kind in GAMES {
        let mut times = Vec::new();
        let mut game = Value::Null;
        for _ in 0..MOVES {
            if first_move(&game).is_null() {
                // Both sides are this client's.
                game = body(post(games.clone(), json!({ "kind": kind.name })).await?).await?;
            }
            let url = format!("{games}/{}/moves", game["id"].as_str().unwrap_or_default());
            let began = Instant::now();
            game = body(post(url, json!({ "index": first_move(&game) })).await?).await?;
            times.push(began.elapsed());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        print(&format!("{}: a move beside {QUEUED_ANALYSES} analyses of another client", kind.name), times);
    }
    Ok(())
}

async fn measure_all(address: SocketAddr) -> Result<()> {
    let http = reqwest::Client::new();
    let base = format!("http://{address}");
    for kind in GAMES {
        let start = json!({ "kind": kind.name });
        let (position, count) = most_legal_moves(kind)?;
        let largest = json!({ "kind": kind.name, "position": position });
        for (name, body) in
            [("the start position".to_owned(), start), (format!("a position with {count} moves"), largest)]
        {
            let (http, url) = (http.clone(), format!("{base}/api/position"));
            let send = move |_| {
                let request = http.post(&url).json(&body).send();
                async move {
                    // Parsing the JSON would measure the client.
                    request.await?.error_for_status()?.bytes().await?;
                    Ok(())
                }
            };
            print(&format!("{}: view of {name}", kind.name), measure(send).await?);
        }
    }
    for kind in GAMES {
        // As many games as requests per second: each game gets one move per second.
        let mut games = Vec::new();
        for _ in 0..RATE {
            let new = http.post(format!("{base}/api/games")).json(&json!({ "kind": kind.name }));
            let game = body(new.send().await?).await?;
            let id = game["id"].as_str().unwrap_or_default();
            games.push((format!("{base}/api/games/{id}/moves"), first_move(&game)));
        }
        let games: Arc<Vec<_>> = Arc::new(games.into_iter().map(tokio::sync::Mutex::new).collect());
        let http = http.clone();
        let send = move |number: u32| {
            let (http, games) = (http.clone(), Arc::clone(&games));
            async move {
                let mut game = games[(number % RATE) as usize].lock().await;
                let request = http.post(&game.0).json(&json!({ "index": game.1 }));
                game.1 = first_move(&body(request.send().await?).await?);
                Ok(())
            }
        };
        print(&format!("{}: a move in one of {RATE} games, on disk", kind.name), measure(send).await?);
    }
    for kind in GAMES {
        first_report(address, kind.name).await?;
        let mut times = Vec::new();
        for _ in 0..ANALYSES {
            times.push(first_report(address, kind.name).await?);
        }
        print(&format!("{}: first report of an analysis", kind.name), times);
    }
    Ok(())
}

/// The JSON body of a successful response.
async fn body(response: reqwest::Response) -> Result<Value> {
    Ok(response.error_for_status()?.json().await?)
}

/// The policy index of the first legal move.
fn first_move(game: &Value) -> Value {
    game["view"]["legal_moves"][0]["index"].clone()
}

/// The position with the most legal moves in some random games, and their number.
fn most_legal_moves(kind: &GameKind) -> Result<(String, u64)> {
    let mut rng = Rng::new(1);
    let mut largest = (String::new(), 0);
    for _ in 0..RANDOM_GAMES {
        let mut game = kind.start(kind.rules[0])?;
        while let Some(text) = game.random_move(&mut rng) {
            game.play(&text)?;
            if game.count_legal() > largest.1 {
                largest = (game.position_text(), game.count_legal());
            }
        }
    }
    Ok(largest)
}

/// Warms up, then measures the latency of each request.
async fn measure<F, R>(send: F) -> Result<Vec<Duration>>
where
    F: Fn(u32) -> R,
    R: Future<Output = Result<()>> + Send + 'static,
{
    send_at_rate(1, &send).await?;
    send_at_rate(SECONDS, &send).await
}

/// Sends requests at the fixed rate and returns the time from each one's due time to its response.
async fn send_at_rate<F, R>(seconds: u32, send: F) -> Result<Vec<Duration>>
where
    F: Fn(u32) -> R,
    R: Future<Output = Result<()>> + Send + 'static,
{
    let start = Instant::now() + Duration::from_millis(100);
    let mut pending = Vec::new();
    for number in 0..RATE * seconds {
        let due = start + Duration::from_secs(1) * number / RATE;
        tokio::time::sleep_until(due.into()).await;
        let request = send(number);
        pending.push(tokio::spawn(async move {
            request.await?;
            Result::Ok(due.elapsed())
        }));
    }
    let mut times = Vec::new();
    for request in pending {
        times.push(request.await??);
    }
    Ok(times)
}

/// The time from opening a socket to the first report.
async fn first_report(address: SocketAddr, kind: &str) -> Result<Duration> {
    let began = Instant::now();
    let (mut socket, _) = connect_async(format!("ws://{address}/api/analysis")).await?;
    let request = json!({ "type": "analyze", "id": 1, "position": { "kind": kind } });
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

fn print(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |per_mille: usize| times[(times.len() - 1) * per_mille / 1_000].as_secs_f64() * 1e3;
    println!(
        "{name}: median {:.2} ms, 99 % within {:.2} ms, all {} within {:.2} ms",
        at(500),
        at(990),
        times.len(),
        at(1_000)
    );
}
