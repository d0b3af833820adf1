//! The resource limits of a server.

use std::time::Duration;

/// The resource limits of a server. `docs/server.md` explains them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// What one client may use. Without seats, a client may use as much as all clients together.
    pub per_client: Quotas,
    /// What all clients together may use.
    pub total: Quotas,
    /// The longest request head, in bytes: the request line and the headers. At least 8 KiB.
    pub max_head: usize,
    /// The longest request body, in bytes.
    pub max_body: usize,
    /// How many engines may search for a move at the same time, with one thread each; others wait. With more threads,
    /// correspondingly fewer may, but at least one.
    pub engine_workers: usize,
    /// How many threads an engine at full strength searches with.
    pub engine_threads: usize,
    /// How many engines at full strength keep their transposition tables, of 16 MiB each, for the next move of their games.
    pub kept_engines: usize,
    /// The shortest time between a move and the reply of an engine, so that the player sees the own move land.
    pub reply_delay: Duration,
    /// How many analyses may search at the same time; others wait.
    pub analysis_workers: usize,
    /// The most analyses of one client, running and waiting.
    pub analyses_per_client: usize,
    /// The longest analysis.
    pub analysis_time: Duration,
    /// The transposition table of an analysis, in MiB.
    pub analysis_hash_mib: usize,
    /// How long a client may take to send a request head, counted from its first byte; the first one counts from the
    /// start of the connection.
    pub head_timeout: Duration,
    /// How long a client may take to send a request body or to read a WebSocket message, and how long it may read nothing
    /// of a response.
    pub io_timeout: Duration,
    /// How long a connection may stay open between two requests. Clients with a connection pool should use a shorter
    /// timeout.
    pub idle_timeout: Duration,
    /// How often sockets are pinged.
    pub ping_interval: Duration,
    /// How long a change of a game waits for another program that has locked the database.
    pub store_timeout: Duration,
    /// A guest without a game socket for this long has abandoned the game: the opponent may claim the win.
    pub abandon_after: Duration,
    /// The most time that a move is credited for the lag of the mover's connection.
    pub lag_credit: Duration,
    /// How many messages a second a client may send on a socket, pings included. A socket may send as many as in five
    /// seconds at once.
    pub socket_messages_per_second: u32,
    /// How long pending requests may take once the server shuts down.
    pub shutdown_timeout: Duration,
}

/// How much of each resource may be in use. Beyond it, requests get 429 `too_many_requests`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quotas {
    /// Open connections, including those that are sockets.
    pub connections: u64,
    /// Open sockets.
    pub sockets: u64,
    /// Requests a second; as many as in five seconds may come at once.
    pub requests_per_second: u64,
    /// Bytes of responses that the client has not read yet.
    pub response_bytes: u64,
    /// Games that are in memory and not over, by their creator.
    pub games: u64,
    /// The same, of the games with an engine.
    pub engine_games: u64,
    /// Bytes of new games that are stored within an hour.
    pub stored_bytes_per_hour: u64,
}

impl Default for Limits {
    /// Half of the processors for engines and half for analyses, at least one each.
    fn default() -> Self {
        const MIB: u64 = 1 << 20;
        let half = std::thread::available_parallelism().map_or(1, |n| (n.get() / 2).max(1));
        Self {
            per_client: Quotas {
                connections: 256,
                sockets: 64,
                requests_per_second: 60,
                response_bytes: 16 * MIB,
                games: 200,
                engine_games: 16,
                stored_bytes_per_hour: 16 * MIB,
            },
            total: Quotas {
                connections: 10_000,
                sockets: 8_192,
                requests_per_second: 5_000,
                response_bytes: 128 * MIB,
                games: 20_000,
                engine_games: 512,
                stored_bytes_per_hour: 1_024 * MIB,
            },
            max_head: 16 * 1024,
            max_body: 256 * 1024,
            engine_workers: half,
            engine_threads: 1,
            kept_engines: 8,
            reply_delay: Duration::from_millis(500),
            analysis_workers: half,
            analyses_per_client: 16,
            analysis_time: Duration::from_mins(2),
            analysis_hash_mib: 32,
            head_timeout: Duration::from_secs(10),
            io_timeout: Duration::from_secs(20),
            idle_timeout: Duration::from_secs(100),
            ping_interval: Duration::from_secs(20),
            store_timeout: Duration::from_secs(5),
            socket_messages_per_second: 40,
            abandon_after: Duration::from_mins(1),
            lag_credit: Duration::from_millis(500),
            shutdown_timeout: Duration::from_secs(3),
        }
    }
}
