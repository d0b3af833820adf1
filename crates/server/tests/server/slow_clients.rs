//! Clients that send slowly, read nothing or never finish: they are disconnected, and others are served meanwhile.

use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::client::{TestServer, http_from, limits, parse_response, read_to_end};
use crate::positions::RICH;

/// The client that misbehaves. The test's own client is at 127.0.0.1.
const SLOW: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// A time that only a hanging server exceeds.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Waits until the server has closed a connection, and discards what it sent.
async fn wait_until_closed(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    // A reset is a close, too: the server may have unread bytes.
    let _ = tokio::time::timeout(TIMEOUT, stream.read_to_end(&mut bytes)).await.expect("closed in time");
}

fn rich_request() -> Vec<u8> {
    let body = json!({ "kind": "tribun", "position": RICH }).to_string();
    let head = "POST /api/position HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ";
    format!("{head}{}\r\n\r\n{body}", body.len()).into_bytes()
}

#[tokio::test]
async fn unread_responses_do_not_fill_the_memory() {
    let limits = limits(|l| {
        // Room for one rich response. The first unread ones must not be closed before there are two.
        (l.per_client.response_bytes, l.io_timeout) = (3 << 19, Duration::from_secs(3));
    });
    let (server, _folder) = TestServer::start_with_quotas(limits).await;
    // Without a guest token, so that its requests and the raw ones count for one client.
    let slow = reqwest::Client::builder().local_address(std::net::IpAddr::V4(SLOW)).build().unwrap();
    let mut unread = Vec::new();
    let refused = async {
        loop {
            let mut stream = server.connect_from(SLOW).await;
            // More than the buffers of the connection hold: the send buffer of the server is bounded.
            stream.write_all(&rich_request()).await.unwrap();
            unread.push(stream);
            let request = slow.post(server.url("/api/position"));
            let response = request.json(&json!({ "kind": "tribun", "position": RICH })).send().await.unwrap();
            if response.status() == 429 {
                return response;
            }
            response.bytes().await.unwrap();
        }
    };
    let response = tokio::time::timeout(TIMEOUT, refused).await.expect("a limit");
    assert!(response.headers().contains_key("retry-after"));
    assert!(response.text().await.unwrap().contains("server.too_many_unread"));
    server.post("/api/position", json!({ "kind": "tribun", "position": RICH })).await;
    // The server closes the connections and frees the memory while nothing is read.
    let freed = async {
        loop {
            let request = slow.post(server.url("/api/position"));
            let response = request.json(&json!({ "kind": "tribun", "position": RICH })).send().await.unwrap();
            if response.status() == 200 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, freed).await.expect("closed connections no longer count");
}

#[tokio::test]
async fn a_connection_that_reads_nothing_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| l.io_timeout = Duration::from_millis(300));
    let server = TestServer::start_in(folder.path(), limits).await;
    let mut stream = server.connect_from(SLOW).await;
    let writing = async {
        // The server stops reading requests while their responses cannot be written.
        while stream.write_all(&rich_request()).await.is_ok() {}
    };
    tokio::time::timeout(TIMEOUT, writing).await.expect("the server closes the connection");
}

/// Opens a WebSocket by hand, so that nothing reads from it.
async fn raw_socket(server: &TestServer, path: &str) -> TcpStream {
    raw_socket_from(server, SLOW, path).await
}

async fn raw_socket_from(server: &TestServer, address: Ipv4Addr, path: &str) -> TcpStream {
    let mut stream = server.connect_from(address).await;
    let head = format!(
        "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    stream
}

/// A ping with the longest payload, masked with zeros.
fn ping() -> Vec<u8> {
    [&[0x89, 0x80 | 0x7d, 0, 0, 0, 0][..], &[7; 125]].concat()
}

#[tokio::test]
async fn a_socket_that_sends_pings_and_reads_nothing_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| {
        (l.io_timeout, l.socket_messages_per_second) = (Duration::from_millis(300), 1_000_000);
        // An unanswered ping of the server must not be what closes the socket.
        l.ping_interval = Duration::from_mins(10);
    });
    let server = TestServer::start_in(folder.path(), limits).await;
    let mut socket = raw_socket(&server, "/api/analysis").await;
    let flood = async {
        let pings = ping().repeat(100);
        while socket.write_all(&pings).await.is_ok() {}
    };
    tokio::time::timeout(TIMEOUT, flood).await.expect("the server closes the socket");
    server.get("/api/health").await;
}

#[tokio::test]
async fn the_buffers_of_sockets_count_as_unread() {
    let (server, _folder) =
        TestServer::start_with_quotas(limits(|l| l.per_client.response_bytes = 5 << 20)).await;
    let id = server.create(json!({ "kind": "tribun", "position": RICH })).await;
    let path = format!("/api/games/{id}/socket");
    let first = async |address| {
        let mut socket = raw_socket_from(&server, address, &path).await;
        let mut bytes = vec![0; 64 * 1024];
        // The server closes a socket for which there is no room, without a message.
        let length = tokio::time::timeout(TIMEOUT, socket.read(&mut bytes)).await.expect("read").unwrap_or(0);
        (socket, String::from_utf8_lossy(&bytes[..length]).contains(r#""type":"game""#))
    };
    let mut open = Vec::new();
    let full = async {
        loop {
            let (socket, has_game) = first(SLOW).await;
            if !has_game {
                break;
            }
            open.push(socket);
        }
    };
    tokio::time::timeout(TIMEOUT, full).await.expect("a limit");
    assert!((2..=5).contains(&open.len()), "{}", open.len());
    assert!(first(Ipv4Addr::LOCALHOST).await.1, "another client");
}

#[tokio::test]
async fn a_socket_with_too_many_messages_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| l.socket_messages_per_second = 2);
    let server = TestServer::start_in(folder.path(), limits).await;
    let id = server.create_kind("chess").await;
    for path in ["/api/analysis".to_owned(), format!("/api/games/{id}/socket")] {
        let mut socket = raw_socket(&server, &path).await;
        // Ten at once, and two more for each second.
        for _ in 0..9 {
            socket.write_all(&ping()).await.unwrap();
        }
        let flood = async {
            while socket.write_all(&ping()).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(TIMEOUT, flood).await.expect("the server closes the socket");
    }
}

/// Opens connections that send `bytes` and nothing more, with the limits of a small server. Meanwhile another client is
/// served, and later the same client again.
async fn unfinished_connections(count: usize, bytes: &[u8]) {
    let limits = limits(|l| {
        (l.per_client.connections, l.head_timeout) = (count as u64 / 2, Duration::from_secs(3));
    });
    let (server, _folder) = TestServer::start_with_quotas(limits).await;
    let mut streams = Vec::with_capacity(count);
    for _ in 0..count {
        let mut stream = server.connect_from(SLOW).await;
        // A refused connection may be closed already.
        let _ = stream.write_all(bytes).await;
        streams.push(stream);
        if streams.len() % 100 == 0 {
            server.get("/api/health").await;
        }
    }
    let guest = server.guest(&"9".repeat(32));
    let id = guest.create(json!({ "kind": "chess" })).await;
    guest.play(&id, "e4").await;
    for stream in &mut streams {
        wait_until_closed(stream).await;
    }
    let response = http_from(SLOW).get(server.url("/api/health")).send().await.unwrap();
    assert_eq!(response.status(), 200, "closed connections no longer count");
}

#[tokio::test]
async fn half_open_heads_do_not_keep_others_out() {
    unfinished_connections(200, b"GET /api/health HTTP/1.1\r\nhost: localhost\r\nx-").await;
}

#[tokio::test]
async fn idle_connections_do_not_keep_others_out() {
    unfinished_connections(200, b"").await;
}

#[tokio::test]
#[ignore = "needs 4,000 file descriptors"]
async fn two_thousand_half_open_heads() {
    unfinished_connections(2_000, b"GET /api/health HTTP/1.1\r\nhost: localhost\r\nx-").await;
}

#[tokio::test]
#[ignore = "needs 10,000 file descriptors"]
async fn five_thousand_idle_connections() {
    unfinished_connections(5_000, b"").await;
}

#[tokio::test]
async fn a_request_head_has_its_own_timeout() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| l.head_timeout = Duration::from_millis(500));
    let server = TestServer::start_in(folder.path(), limits).await;
    let request = b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n";
    // A connection may be idle between requests for longer than a head may take.
    let mut stream = server.connect().await;
    for _ in 0..2 {
        stream.write_all(request).await.unwrap();
        let mut response = [0; 4_096];
        let length = stream.read(&mut response).await.unwrap();
        assert!(response[..length].starts_with(b"HTTP/1.1 200"), "{response:?}");
        tokio::time::sleep(Duration::from_millis(800)).await;
    }
    // Bytes that keep coming do not extend the time for the head.
    let drip = async {
        while stream.write_all(b"G").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let began = Instant::now();
    tokio::time::timeout(TIMEOUT, drip).await.expect("closed");
    assert!(began.elapsed() < limits.idle_timeout);
}

#[tokio::test]
async fn a_request_head_has_a_longest_length() {
    let (server, _folder) = TestServer::start().await;
    for (length, expected) in [(15_000, 200), (17_000, 431), (200_000, 431)] {
        let mut stream = server.connect().await;
        let filler = "x".repeat(length);
        let head = format!(
            "GET /api/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-filler: {filler}\r\n\r\n"
        );
        // The server may close the connection before it has read everything.
        let _ = stream.write_all(head.as_bytes()).await;
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response).await;
        let response = String::from_utf8(response).unwrap();
        assert!(response.is_empty() || parse_response(&response).0 == expected, "{length}: {response}");
        assert!(expected != 200 || !response.is_empty());
    }
}

#[tokio::test]
#[ignore = "keeps all processors busy for seconds"]
async fn abandoned_imports_do_not_keep_others_waiting() {
    let (server, _folder) = TestServer::start_with_quotas(limits(|l| l.per_client.connections = 1_000)).await;
    let record = "Nf3 Nf6 Ng1 Ng8 ".repeat(1_250);
    let body = json!({ "kind": "chess", "record": record }).to_string();
    let head = "POST /api/records/read HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ";
    let request = format!("{head}{}\r\n\r\n{body}", body.len());
    let mut streams = Vec::new();
    for _ in 0..600 {
        let mut stream = server.connect_from(SLOW).await;
        stream.write_all(request.as_bytes()).await.unwrap();
        streams.push(stream);
    }
    let began = Instant::now();
    server.post("/api/position", json!({ "kind": "chess" })).await;
    let answered = began.elapsed();
    drop(streams);
    let began = Instant::now();
    server.stop().await;
    let stopped = began.elapsed();
    assert!(answered < Duration::from_secs(5), "{answered:?}");
    assert!(stopped < Duration::from_secs(5), "{stopped:?}");
}

#[tokio::test]
async fn a_server_with_stuck_requests_stops() {
    let folder = tempfile::tempdir().unwrap();
    let limits = limits(|l| l.shutdown_timeout = Duration::from_millis(200));
    let server = TestServer::start_in(folder.path(), limits).await;
    let mut stuck = server.connect().await;
    let head = "POST /api/position HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{";
    stuck.write_all(head.as_bytes()).await.unwrap();
    // The server has accepted the connection once it has answered a later one.
    server.get("/api/health").await;
    server.stop().await;
    assert_eq!(read_to_end(&mut stuck).await, "");
}
