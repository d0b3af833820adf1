//! Malformed requests and frames over every path: no internal error, no panic.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sandtable::core::rules::Rng;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::client::{TestServer, limits};
use crate::schema::{OPENAPI, paths};

static PANICS: AtomicUsize = AtomicUsize::new(0);

/// A time that only a hanging server exceeds.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Makes up requests and frames.
struct Generator {
    rng: Rng,
    /// Paths with their methods and, if they have one, an example of a body.
    operations: Vec<(String, String, Option<Value>)>,
    /// The id of an existing game.
    id: String,
}

impl Generator {
    fn new(seed: u64, id: &str) -> Self {
        let example = |path: &str, method: &str| {
            let content = &OPENAPI["paths"][path][method.to_lowercase()]["requestBody"]["content"];
            let content = &content["application/json"];
            let examples = content["examples"].as_object();
            let example = examples.and_then(|examples| Some(examples.values().next()?["value"].clone()));
            example.or_else(|| content["example"].is_object().then(|| content["example"].clone()))
        };
        let operations = paths().into_iter().flat_map(|(path, methods)| {
            methods.into_iter().map(move |method| (path.clone(), example(&path, &method), method))
        });
        let operations = operations.map(|(path, example, method)| (path, method, example)).collect();
        Self { rng: Rng::new(seed), operations, id: id.to_owned() }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound)
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }

    fn bytes(&mut self, longest: usize) -> Vec<u8> {
        let length = self.below(longest + 1);
        (0..length).map(|_| self.below(256) as u8).collect()
    }

    /// A value that is often of the wrong type or out of range.
    fn value(&mut self) -> Value {
        match self.below(12) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(-1),
            3 => json!(u64::MAX),
            4 => json!(1e308),
            5 => json!("\u{0}\u{202e}é"),
            6 => json!("x".repeat(self.below(5_000))),
            7 => json!([]),
            8 => json!([[[{}]]]),
            9 => json!({ "type": "engine", "level": 255 }),
            10 => json!(self.pick(&["chess", "cotulenh", "tribun", "first", "e4", "0000", "b3-e5", "offer"])),
            _ => json!(String::from_utf8_lossy(&self.bytes(40))),
        }
    }

    /// Replaces, adds or removes a part of a JSON value.
    fn mutate(&mut self, value: &mut Value) {
        let new = self.value();
        match value {
            Value::Object(object) if !object.is_empty() && !self.one_in(6) => {
                let keys: Vec<_> = object.keys().cloned().collect();
                let key = &keys[self.below(keys.len())];
                match self.below(4) {
                    0 => drop(object.remove(key)),
                    1 => drop(object.insert(format!("{key}x"), new)),
                    2 => drop(object.insert(key.clone(), new)),
                    _ => self.mutate(&mut object[key]),
                }
            }
            Value::Array(array) if !array.is_empty() && !self.one_in(4) => {
                let index = self.below(array.len());
                if self.one_in(3) { array.push(new) } else { self.mutate(&mut array[index]) }
            }
            Value::String(text) if !self.one_in(3) => {
                let at = text.char_indices().map(|(at, _)| at).nth(self.below(text.len() + 1)).unwrap_or(0);
                text.insert_str(at, self.pick(&["", "x", "9", "\u{7f}", "=", "*", ",", "/", "é"]));
            }
            _ => *value = new,
        }
    }

    fn body(&mut self, example: Option<&Value>) -> Vec<u8> {
        let mut value = example.cloned().unwrap_or_else(|| self.value());
        for _ in 0..self.below(4) {
            self.mutate(&mut value);
        }
        let mut bytes = value.to_string().into_bytes();
        match self.below(8) {
            0 => bytes = self.bytes(300),
            1 => bytes.truncate(self.below(bytes.len() + 1)),
            2 if !bytes.is_empty() => {
                let at = self.below(bytes.len());
                bytes[at] = self.below(256) as u8;
            }
            _ => {}
        }
        bytes
    }

    fn path(&mut self, template: &str) -> String {
        let id = match self.below(8) {
            0 => "%ff".to_owned(),
            1 => "..%2f..".to_owned(),
            2 => "x".repeat(self.below(3_000)),
            3 => "0123456789ab".to_owned(),
            _ => self.id.clone(),
        };
        let kind = self.pick(&["chess", "cotulenh", "tribun", "go", "%00", "%F0%9F%98%80"]);
        let mut path = template.replace("{id}", &id).replace("{kind}", kind);
        if self.one_in(4) {
            let name = self.pick(&["limit", "before", "since", "rules", "scope", "%", "a[]"]);
            let value =
                self.pick(&["0", "-1", "99999999999999999999", "%ff", "", "x", "standard", "1&limit=2"]);
            path.extend(["?", name, "=", value]);
        }
        if self.one_in(10) {
            path.push_str(self.pick(&["/", "//", "/x", "#", "?", "\u{e9}", "%zz", "\t"]));
        }
        path
    }

    /// A request, malformed in some way or other.
    fn request(&mut self) -> Vec<u8> {
        if self.one_in(20) {
            return self.bytes(600);
        }
        let number = self.below(self.operations.len());
        let (template, method, example) = self.operations[number].clone();
        let method = match self.below(12) {
            0 => self.pick(&[
                "GET", "POST", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "\u{1}",
            ]),
            _ => method.as_str(),
        };
        let path = self.path(&template);
        let version = if self.one_in(30) { "HTTP/9.9" } else { "HTTP/1.1" };
        let body = if method == "GET" && !self.one_in(10) { Vec::new() } else { self.body(example.as_ref()) };
        let mut head = format!("{method} {path} {version}\r\n");
        if !self.one_in(20) {
            head.push_str("host: localhost\r\n");
        }
        if !self.one_in(8) {
            head.push_str("content-type: application/json\r\n");
        }
        let is_chunked = self.one_in(12);
        match self.below(10) {
            0 => head.push_str("content-length: 99999999999999999999\r\n"),
            1 => head.extend(["content-length: ", &(body.len() + 3).to_string(), "\r\n"]),
            _ if is_chunked => head.push_str("transfer-encoding: chunked\r\n"),
            _ => head.extend(["content-length: ", &body.len().to_string(), "\r\n"]),
        }
        if self.one_in(8) {
            head.push_str(self.pick(&[
                "origin: http://evil.example\r\n",
                "host: localhost\r\n",
                "cookie: sandtable-guest=zz; sandtable-guest=\"\r\n",
                "authorization: Bearer \u{7f}\r\n",
                "authorization: Bearer 00000000000000000000000000000000\r\n",
                "x-forwarded-for: , ,,[::\r\n",
                "expect: 100-continue\r\n",
                "connection: upgrade\r\nupgrade: websocket\r\n",
                "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 12\r\nsec-websocket-key: x\r\n",
                " folded: x\r\n",
                "no colon\r\n",
            ]));
        }
        head.push_str("\r\n");
        let mut request = head.into_bytes();
        if is_chunked && !self.one_in(4) {
            request.extend(format!("{:x}\r\n", body.len()).into_bytes());
            request.extend(&body);
            request.extend(b"\r\n0\r\n\r\n");
        } else {
            request.extend(&body);
        }
        if self.one_in(15) {
            request.truncate(self.below(request.len() + 1));
        }
        request
    }

    /// A WebSocket frame, malformed in some way or other.
    fn frame(&mut self) -> Vec<u8> {
        if self.one_in(10) {
            return self.bytes(80);
        }
        let mut message = json!({ "type": "analyze", "id": 1, "kind": "chess", "time": 20, "lines": 1 });
        for _ in 0..self.below(3) {
            self.mutate(&mut message);
        }
        let payload = if self.one_in(4) { self.bytes(200) } else { message.to_string().into_bytes() };
        let opcode = if self.one_in(3) { self.below(256) as u8 } else { 0x81 };
        let mask = if self.one_in(10) { 0 } else { 0x80 };
        let mut frame = vec![opcode];
        match payload.len() {
            _ if self.one_in(20) => {
                frame.extend([mask | 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
            }
            length @ 0..126 => frame.push(mask | length as u8),
            length => frame.extend([mask | 0x7e, (length >> 8) as u8, length as u8]),
        }
        if mask != 0 {
            frame.extend([0; 4]);
        }
        frame.extend(payload);
        frame
    }
}

/// The statuses of all responses that a connection sent.
fn statuses(response: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(response);
    text.split("HTTP/1.1 ").skip(1).filter_map(|rest| rest.get(..3)?.parse().ok()).collect()
}

/// Sends bytes and returns everything that comes back.
async fn exchange(server: &TestServer, bytes: &[u8]) -> Vec<u8> {
    let mut stream = server.connect().await;
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(bytes).await;
    let _ = stream.shutdown().await;
    let mut response = Vec::new();
    let _ = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut response)).await.expect("closed in time");
    response
}

async fn survives(seed: u64, requests: usize, sockets: usize) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        hook(info);
    }));
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| {
        (l.io_timeout, l.head_timeout) = (Duration::from_millis(500), Duration::from_millis(500));
        l.total.requests_per_second = 100_000;
        (l.total.games, l.total.engine_games, l.total.stored_bytes_per_hour) = (1 << 20, 1 << 20, 1 << 40);
    });
    let server = TestServer::start_in(folder.path(), limits).await;
    let id = server.create_kind("chess").await;
    let mut generator = Generator::new(seed, &id);
    let is_ok = |statuses: &[u16]| statuses.iter().all(|status| *status < 500);
    for number in 0..requests {
        let request = generator.request();
        let response = exchange(&server, &request).await;
        let text = || (String::from_utf8_lossy(&request), String::from_utf8_lossy(&response));
        assert!(is_ok(&statuses(&response)), "request {number}: {:#?}", text());
        if number % 50 == 49 {
            // Some requests delete the game.
            generator.id = server.create_kind(["chess", "cotulenh", "tribun"][number % 3]).await;
        }
    }
    for number in 0..sockets {
        let path = if number % 2 == 0 {
            "/api/analysis".to_owned()
        } else {
            format!("/api/games/{}/socket", generator.id)
        };
        let mut bytes = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        .into_bytes();
        for _ in 0..=generator.below(4) {
            bytes.extend(generator.frame());
        }
        let response = exchange(&server, &bytes).await;
        let first = statuses(&response).first().copied();
        assert!(first.is_none_or(|status| matches!(status, 101 | 404)), "socket {number}: {first:?}");
    }
    server.get("/api/health").await;
    server.stop().await;
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "something panicked");
}

#[tokio::test]
async fn malformed_requests_and_frames() {
    survives(1, 400, 100).await;
}

#[tokio::test]
#[ignore = "takes minutes"]
async fn twenty_thousand_malformed_requests_and_frames() {
    survives(2, 15_000, 5_000).await;
}
