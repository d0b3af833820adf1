//! A server of its own for each test, and a client that trusts nothing it says.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::Method;
use sandtable_server::{Config, Limits, Server};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::description::{check_response, check_schema};

/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running server.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) http: reqwest::Client,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl Running {
    /// Starts a server on a free port, with its games in that folder.
    pub(crate) async fn start_in(folder: &Path, limits: Limits) -> Self {
        let config = Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            limits,
            ..Config::new(folder.to_owned())
        };
        let server = Server::bind(config).await.expect("the server starts");
        let address = server.address().expect("it listens");
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            let stop = async move {
                let _ = stopped.await;
            };
            server.run(stop).await;
        });
        Self { address, http: reqwest::Client::new(), stop: Some(stop), task }
    }

    /// Starts a server for one test.
    pub(crate) async fn start() -> (Self, TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        (Self::start_in(folder.path(), Limits::default()).await, folder)
    }

    /// Stops the server and waits until it has.
    pub(crate) async fn stop(mut self) {
        self.stop.take().expect("it is stopped once").send(()).expect("it runs");
        tokio::time::timeout(PATIENCE, self.task).await.expect("it stops in time").expect("it stops well");
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Asks, checks the answer against the description, and gives status and body.
    pub(crate) async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let mut request = self.http.request(method.clone(), self.url(path));
        if let Some(body) = &body {
            request = request.json(body);
        }
        let response = request.send().await.expect("an answer");
        let status = response.status().as_u16();
        let text = response.text().await.expect("a body");
        let body = if text.is_empty() {
            None
        } else {
            Some(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{method} {path}: {e}: {text}")))
        };
        check_response(method.as_str(), path, status, body.as_ref());
        (status, body.unwrap_or(Value::Null))
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, body) = self.ask(Method::GET, path, None).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Posts and expects success.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.ask(Method::POST, path, Some(body)).await;
        assert!((200..300).contains(&status), "{path}: {status} {answer}");
        answer
    }

    /// Posts and expects a refusal: its status and code.
    pub(crate) async fn refused(&self, path: &str, body: Value) -> (u16, String, String) {
        let (status, answer) = self.ask(Method::POST, path, Some(body.clone())).await;
        assert!(status >= 400, "{path} {body} was not refused: {answer}");
        let text = |key: &str| answer[key].as_str().expect("a text").to_owned();
        (status, text("error"), text("message"))
    }

    /// A connection of its own, on which bytes can be sent as they are.
    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("a connection")
    }

    /// Asks for a path that no client library has tidied up: the status, the content type and the body.
    pub(crate) async fn ask_raw(&self, method: &str, path: &[u8]) -> (u16, String, String) {
        let mut stream = self.connect().await;
        let rest = format!(" HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address);
        stream
            .write_all(&[method.as_bytes(), b" ", path, rest.as_bytes()].concat())
            .await
            .expect("it is sent");
        parse_answer(&read_to_end(&mut stream).await)
    }

    /// Begins a game between two people.
    pub(crate) async fn begin(&self, kind: &str) -> String {
        let game = self.post("/api/games", json!({ "kind": kind })).await;
        game["id"].as_str().expect("an id").to_owned()
    }

    /// Plays a move.
    pub(crate) async fn play(&self, id: &str, text: &str) -> Value {
        self.post(&format!("/api/games/{id}/moves"), json!({ "text": text })).await
    }

    /// Asks again and again until a game is as wished.
    pub(crate) async fn wait_for(&self, id: &str, wish: impl Fn(&Value) -> bool) -> Value {
        let path = format!("/api/games/{id}");
        let waiting = async {
            loop {
                let game = self.get(&path).await;
                if wish(&game) {
                    return game;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, waiting).await.expect("the game becomes as wished")
    }

    /// Opens a socket.
    pub(crate) async fn socket(&self, path: &str) -> Socket {
        let (stream, _) =
            connect_async(format!("ws://{}{path}", self.address)).await.expect("a socket opens");
        Socket { stream, schema: if path == "/api/analysis" { "AnalysisMessage" } else { "GameMessage" } }
    }
}

/// All that comes until the server closes the connection.
pub(crate) async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let reading = stream.read_to_end(&mut bytes);
    tokio::time::timeout(PATIENCE, reading).await.expect("an end").expect("bytes");
    String::from_utf8(bytes).expect("text")
}

/// The status, the content type and the body of an answer.
pub(crate) fn parse_answer(answer: &str) -> (u16, String, String) {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let kind = head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or_default();
    (status, kind.to_owned(), body.to_owned())
}

/// A socket whose messages are held against the description.
pub(crate) struct Socket {
    stream: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
    schema: &'static str,
}

impl Socket {
    /// The next message; none when the server has closed the socket.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let message =
                tokio::time::timeout(PATIENCE, self.stream.next()).await.expect("a message in time");
            match message {
                Some(Ok(Message::Text(text))) => {
                    let value = serde_json::from_str(&text).expect("a message is JSON");
                    check_schema(self.schema, &value);
                    return Some(value);
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(other)) => panic!("{other:?}"),
            }
        }
    }

    /// The next message, which must come.
    pub(crate) async fn hear(&mut self) -> Value {
        self.next().await.expect("the socket is open")
    }

    /// Hears until a message is as wished.
    pub(crate) async fn hear_until(&mut self, wish: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.hear().await;
            if wish(&message) {
                return message;
            }
        }
    }

    pub(crate) async fn say(&mut self, value: &Value) {
        self.say_text(&value.to_string()).await;
    }

    pub(crate) async fn say_text(&mut self, text: &str) {
        self.stream.send(Message::Text(text.into())).await.expect("the socket is open");
    }
}
