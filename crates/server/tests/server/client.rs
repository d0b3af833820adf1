//! A server per test, and a client that validates every response.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::Method;
use sandtable_server::{Access, Config, Limits, Server};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::schema::{check_response, check_schema};

/// A timeout that only a hanging server exceeds.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The settings of a server on a free port.
pub(crate) fn config(folder: &Path) -> Config {
    let mut config = Config::new(folder.to_owned());
    config.listen.set_port(0);
    config.limits = limits(|_| {});
    config
}

/// Default limits with some changed; engines reply at once.
pub(crate) fn limits(change: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits::default();
    limits.reply_delay = Duration::ZERO;
    change(&mut limits);
    limits
}

/// A running server.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) metrics_address: Option<SocketAddr>,
    pub(crate) http: reqwest::Client,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl TestServer {
    /// Starts a server with its games in a folder.
    #[expect(clippy::large_types_passed_by_value, reason = "tests make limits for one server")]
    pub(crate) async fn start_in(folder: &Path, limits: Limits) -> Self {
        let mut config = config(folder);
        config.limits = limits;
        Self::start_with(config).await
    }

    /// Starts a server whose clients have quotas of their own, with a folder for this test only.
    #[expect(clippy::large_types_passed_by_value, reason = "tests make limits for one server")]
    pub(crate) async fn start_with_quotas(limits: Limits) -> (Self, TempDir) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut config = config(folder.path());
        (config.access, config.limits) = (Access::Seats, limits);
        (Self::start_with(config).await, folder)
    }

    /// Starts a server.
    pub(crate) async fn start_with(config: Config) -> Self {
        let server = Server::bind(config).await.expect("the server starts");
        let address = server.address().expect("the server is bound");
        let metrics_address = server.metrics_address().map(|address| address.expect("the listener is bound"));
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            let stop = async move {
                let _ = stopped.await;
            };
            server.run(stop).await;
        });
        Self { address, metrics_address, http: reqwest::Client::new(), stop: Some(stop), task }
    }

    /// Starts a server with a folder for this test only.
    pub(crate) async fn start() -> (Self, TempDir) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        (Self::start_in(folder.path(), limits(|_| {})).await, folder)
    }

    /// Stops the server and waits until it has shut down.
    pub(crate) async fn stop(mut self) {
        self.stop.take().expect("stopped once").send(()).expect("the server runs");
        tokio::time::timeout(TIMEOUT, self.task).await.expect("a timely shutdown").expect("no panic");
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sends a request, validates the response and returns its status and body.
    pub(crate) async fn request(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        self.guest("").request(method, path, body).await
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        self.guest("").get(path).await
    }

    /// Posts and expects success.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Value {
        self.guest("").post(path, body).await
    }

    /// Posts and expects an error; returns its status, code and message.
    pub(crate) async fn post_error(&self, path: &str, body: Value) -> (u16, String, String) {
        let (status, response) = self.request(Method::POST, path, Some(body.clone())).await;
        assert!(status >= 400, "{path} {body} succeeded: {response}");
        let text = |key: &str| response[key].as_str().expect("a string").to_owned();
        (status, text("code"), text("message"))
    }

    /// A TCP connection for raw bytes.
    pub(crate) async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.expect("a connection")
    }

    /// A TCP connection for raw bytes from another address of this machine, with a small buffer for what it does not read.
    pub(crate) async fn connect_from(&self, address: Ipv4Addr) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4_096).expect("the size is set");
        socket.bind((address, 0).into()).expect("a loopback address");
        socket.connect(self.address).await.expect("a connection")
    }

    /// Requests a path that no client library has normalised; returns the status, content type and body.
    pub(crate) async fn request_raw(&self, method: &str, path: &[u8]) -> (u16, String, String) {
        let mut stream = self.connect().await;
        let rest = format!(" HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address);
        let request = [method.as_bytes(), b" ", path, rest.as_bytes()].concat();
        stream.write_all(&request).await.expect("the request is sent");
        parse_response(&read_to_end(&mut stream).await)
    }

    /// Creates a game and returns its id.
    pub(crate) async fn create(&self, request: Value) -> String {
        self.guest("").create(request).await
    }

    /// Creates a game between two humans and returns its id.
    pub(crate) async fn create_kind(&self, kind: &str) -> String {
        self.create(json!({ "kind": kind })).await
    }

    /// Plays a move.
    pub(crate) async fn play(&self, id: &str, text: &str) -> Value {
        self.guest("").play(id, text).await
    }

    /// Polls a game until a condition holds.
    pub(crate) async fn wait_for(&self, id: &str, condition: impl Fn(&Value) -> bool) -> Value {
        let path = format!("/api/games/{id}");
        let waiting = async {
            loop {
                let game = self.get(&path).await;
                if condition(&game) {
                    return game;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, waiting).await.expect("the condition holds in time")
    }

    /// Polls a game until the server answers with a status.
    pub(crate) async fn wait_for_status(&self, id: &str, expected: u16) -> Value {
        let path = format!("/api/games/{id}");
        let waiting = async {
            loop {
                let (status, body) = self.request(Method::GET, &path, None).await;
                if status == expected {
                    return body;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, waiting).await.expect("the status in time")
    }

    /// Opens a WebSocket.
    pub(crate) async fn socket(&self, path: &str) -> TestSocket {
        let (stream, _) =
            connect_async(format!("ws://{}{path}", self.address)).await.expect("the socket opens");
        let schema = if path == "/api/analysis" { "AnalysisMessage" } else { "GameMessage" };
        TestSocket { stream, schema, game: Value::Null }
    }

    /// A client with this guest token on a server with seats; with an empty one, a client without a token.
    pub(crate) fn guest<'a>(&'a self, token: &str) -> Guest<'a> {
        Guest { server: self, token: token.to_owned() }
    }
}

/// Sends a request and validates the response.
async fn send(method: Method, path: &str, request: reqwest::RequestBuilder) -> (u16, Option<Value>) {
    let response = request.send().await.expect("a response");
    let status = response.status().as_u16();
    let text = response.text().await.expect("a body");
    let body = if text.is_empty() {
        None
    } else {
        Some(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{method} {path}: {e}: {text}")))
    };
    check_response(method.as_str(), path, status, body.as_ref());
    (status, body)
}

/// A client with a guest token.
pub(crate) struct Guest<'a> {
    pub(crate) server: &'a TestServer,
    token: String,
}

impl Guest<'_> {
    /// Sends a request, validates the response and returns its status and body.
    pub(crate) async fn request(&self, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
        let mut request = self.server.http.request(method.clone(), self.server.url(path));
        if !self.token.is_empty() {
            request = request.bearer_auth(&self.token);
        }
        if let Some(body) = &body {
            request = request.json(body);
        }
        let (status, body) = send(method, path, request).await;
        (status, body.unwrap_or(Value::Null))
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, body) = self.request(Method::GET, path, None).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Posts and expects success.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Value {
        let (status, response) = self.request(Method::POST, path, Some(body)).await;
        assert!((200..300).contains(&status), "{path}: {status} {response}");
        response
    }

    /// The status of a post.
    pub(crate) async fn status(&self, path: &str, body: Value) -> u16 {
        self.request(Method::POST, path, Some(body)).await.0
    }

    /// Creates a game and returns its id.
    pub(crate) async fn create(&self, request: Value) -> String {
        self.post("/api/games", request).await["id"].as_str().expect("an id").to_owned()
    }

    /// Plays a move.
    pub(crate) async fn play(&self, id: &str, text: &str) -> Value {
        self.post(&format!("/api/games/{id}/moves"), json!({ "text": text })).await
    }

    /// Opens the socket of a game.
    pub(crate) async fn follow(&self, id: &str) -> TestSocket {
        let url = format!("ws://{}/api/games/{id}/socket", self.server.address);
        let mut request = url.into_client_request().expect("a request");
        if !self.token.is_empty() {
            let bearer = format!("Bearer {}", self.token).parse().expect("a header value");
            request.headers_mut().insert("authorization", bearer);
        }
        let (stream, _) = connect_async(request).await.expect("the socket opens");
        TestSocket { stream, schema: "GameMessage", game: Value::Null }
    }
}

/// A client with another address of this machine and a guest token of its own.
pub(crate) fn http_from(address: Ipv4Addr) -> reqwest::Client {
    let token = format!("Bearer {:032x}", address.to_bits()).parse().expect("a header");
    let headers = [(reqwest::header::AUTHORIZATION, token)].into_iter().collect();
    let client = reqwest::Client::builder().local_address(IpAddr::V4(address)).default_headers(headers);
    client.build().expect("a client")
}

/// Everything until the server closes the connection.
pub(crate) async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let reading = stream.read_to_end(&mut bytes);
    tokio::time::timeout(TIMEOUT, reading).await.expect("closed in time").expect("readable");
    String::from_utf8(bytes).expect("UTF-8")
}

/// The status, content type and body of a raw response.
pub(crate) fn parse_response(response: &str) -> (u16, String, String) {
    let (head, body) =
        response.split_once("\r\n\r\n").unwrap_or_else(|| panic!("not a response: {response}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let content_type = head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or_default();
    (status, content_type.to_owned(), body.to_owned())
}

/// A WebSocket that validates every message.
pub(crate) struct TestSocket {
    stream: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
    schema: &'static str,
    /// The last game, to which a change adds moves.
    game: Value,
}

impl TestSocket {
    /// The next message; `None` once the server has closed the socket.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let message = tokio::time::timeout(TIMEOUT, self.stream.next()).await.expect("a timely message");
            match message {
                Some(Ok(Message::Text(text))) => {
                    let mut value: Value = serde_json::from_str(&text).expect("JSON");
                    check_schema(self.schema, &value);
                    self.complete(&mut value);
                    return Some(value);
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(other)) => panic!("{other:?}"),
            }
        }
    }

    /// Adds the moves that the client keeps to the game of a change.
    fn complete(&mut self, message: &mut Value) {
        // A client that asks for changes since a version has the game already.
        if let (Some(kept), Some(before)) =
            (message["kept"].as_u64(), self.game["view"]["moves_played"].as_array())
        {
            let kept = &before[..kept as usize];
            let moves = message["game"]["view"]["moves_played"].as_array_mut().expect("moves");
            moves.splice(..0, kept.iter().cloned());
        }
        if let Some(game) = message.get("game") {
            self.game = game.clone();
        }
    }

    /// The next message of an open socket.
    pub(crate) async fn receive(&mut self) -> Value {
        self.next().await.expect("the socket is open")
    }

    /// The next message for which a condition holds.
    pub(crate) async fn receive_until(&mut self, condition: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.receive().await;
            if condition(&message) {
                return message;
            }
        }
    }

    pub(crate) async fn send(&mut self, value: &Value) {
        self.send_text(&value.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.stream.send(Message::Text(text.into())).await.expect("the socket is open");
    }
}
