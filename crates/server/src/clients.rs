//! Who a client is, and how much of each resource it uses.
//!
//! A client is a guest or, without a guest token, an address; the addresses of an IPv6 network of 64 bits count as one.
//! Tokens cost nothing, so the guests of one address share [`GUESTS_PER_ADDRESS`] times the quotas of a client.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use sandtable_contract::{ApiError, ErrorCode};
use tokio::sync::Semaphore;

use crate::App;
use crate::blocking::jobs_per_client;
use crate::error::{ErrorResponse, ServerError, internal};
use crate::limits::Quotas;

/// How many guests' quotas the guests of one address share.
const GUESTS_PER_ADDRESS: u64 = 4;
/// After how many seconds a client over a quota should try again, if it depends on what the client closes or ends.
const RETRY_AFTER: u64 = 5;
/// A quota per second allows this many seconds' worth at once.
const BURST_SECONDS: u64 = 5;
/// The table is searched for clients without usage when it has grown to twice its size after the last search, and to at
/// least this size.
const MIN_CLEANUP: usize = 1_024;

/// A resource that is in use until its [`Permit`] is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    Connections,
    Sockets,
    ResponseBytes,
    Games,
    EngineGames,
}

impl Resource {
    const COUNT: usize = 5;

    const fn quota(self, quotas: &Quotas) -> u64 {
        match self {
            Self::Connections => quotas.connections,
            Self::Sockets => quotas.sockets,
            Self::ResponseBytes => quotas.response_bytes,
            Self::Games => quotas.games,
            Self::EngineGames => quotas.engine_games,
        }
    }

    const fn error(self, seconds: u64) -> ServerError {
        match self {
            Self::Connections => ServerError::TooManyConnections { seconds },
            Self::Sockets => ServerError::TooManySockets { seconds },
            Self::ResponseBytes => ServerError::TooManyUnread { seconds },
            Self::Games => ServerError::TooManyGames { seconds },
            Self::EngineGames => ServerError::TooManyEngineGames { seconds },
        }
    }
}

/// A resource that is used up and comes back with time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rate {
    Requests,
    StoredBytes,
}

impl Rate {
    const COUNT: usize = 2;

    /// How much may be used at once, and the time in which that much comes back.
    const fn burst(self, quotas: &Quotas) -> (u64, Duration) {
        match self {
            Self::Requests => {
                (quotas.requests_per_second.saturating_mul(BURST_SECONDS), Duration::from_secs(BURST_SECONDS))
            }
            Self::StoredBytes => (quotas.stored_bytes_per_hour, Duration::from_hours(1)),
        }
    }

    const fn error(self, seconds: u64) -> ServerError {
        match self {
            Self::Requests => ServerError::TooManyRequests { seconds },
            Self::StoredBytes => ServerError::TooMuchStored { seconds },
        }
    }
}

/// The hash of a guest's token.
type GuestId = [u8; 32];

/// A client's address, or its network in IPv6, where every customer has one of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct AddressKey(IpAddr);

impl AddressKey {
    fn new(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

/// What usage is counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Guest(GuestId),
    /// The requests of an address without a guest token.
    Anonymous(AddressKey),
    /// All requests of an address.
    Address(AddressKey),
}

/// A client of the server. Handlers take it as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    address: AddressKey,
    guest: Option<GuestId>,
}

impl Client {
    /// A client without a guest token.
    pub(crate) fn anonymous(address: IpAddr) -> Self {
        Self { address: AddressKey::new(address), guest: None }
    }

    /// The guest with this id at the same address.
    #[must_use]
    pub(crate) const fn with_guest(self, guest: GuestId) -> Self {
        Self { guest: Some(guest), ..self }
    }

    /// A name for the client in queues: that of its address, because a new guest token would be a new place in a queue.
    pub(crate) fn name(self) -> Arc<str> {
        self.address.0.to_string().into()
    }

    fn key(self) -> Key {
        self.guest.map_or(Key::Anonymous(self.address), Key::Guest)
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ErrorResponse> {
        let client = parts.extensions.get().copied();
        client.ok_or_else(|| internal("a request has no client", &parts.uri).into())
    }
}

/// What a client, an address or all clients together use.
#[derive(Debug)]
struct Usage {
    held: [u64; Resource::COUNT],
    /// For each rate, when its burst is available again as a whole.
    full_at: [Instant; Rate::COUNT],
    /// Limits how many blocking jobs run at the same time.
    jobs: Arc<Semaphore>,
}

impl Usage {
    fn new(now: Instant) -> Self {
        let jobs = Arc::new(Semaphore::new(jobs_per_client()));
        Self { held: [0; Resource::COUNT], full_at: [now; Rate::COUNT], jobs }
    }

    /// Whether it is the same as new.
    fn is_idle(&self, now: Instant) -> bool {
        self.held.iter().all(|held| *held == 0)
            && self.full_at.iter().all(|full_at| *full_at <= now)
            && Arc::strong_count(&self.jobs) == 1
    }
}

#[derive(Debug)]
struct Table {
    usage: HashMap<Key, Usage>,
    total: Usage,
    /// The size of `usage` at which clients without usage are removed.
    cleanup_at: usize,
}

impl Table {
    fn usage(&mut self, key: Key, now: Instant) -> &mut Usage {
        if self.usage.len() >= self.cleanup_at {
            self.usage.retain(|_, usage| !usage.is_idle(now));
            self.cleanup_at = (2 * self.usage.len()).max(MIN_CLEANUP);
        }
        self.usage.entry(key).or_insert_with(|| Usage::new(now))
    }
}

/// The usage of all clients.
#[derive(Debug)]
pub(crate) struct Clients {
    per_client: Quotas,
    total: Quotas,
    table: Mutex<Table>,
}

/// The levels at which a client's usage is limited: for each, whose usage it is and how many times the quota applies.
fn levels(client: Client) -> [(Key, u64); 2] {
    [(client.key(), 1), (Key::Address(client.address), GUESTS_PER_ADDRESS)]
}

/// The same for a client that may be unknown: the connections of a proxy belong to many clients and count in total only.
fn known_levels(client: Option<Client>) -> impl Iterator<Item = (Key, u64)> {
    client.into_iter().flat_map(levels)
}

impl Clients {
    pub(crate) fn new(per_client: Quotas, total: Quotas) -> Arc<Self> {
        let table =
            Table { usage: HashMap::new(), total: Usage::new(Instant::now()), cleanup_at: MIN_CLEANUP };
        Arc::new(Self { per_client, total, table: Mutex::new(table) })
    }

    /// Takes one of a resource.
    pub(crate) fn acquire(
        self: &Arc<Self>,
        client: impl Into<Option<Client>>,
        resource: Resource,
    ) -> Result<Permit, ApiError> {
        self.acquire_many(client, resource, 1)
    }

    /// Takes an amount of a resource, if neither the client, nor its address, nor all clients together have too much.
    pub(crate) fn acquire_many(
        self: &Arc<Self>,
        client: impl Into<Option<Client>>,
        resource: Resource,
        amount: u64,
    ) -> Result<Permit, ApiError> {
        let client = client.into();
        let (mut table, now) = (self.table(), Instant::now());
        let fits = |usage: &Usage, quota: u64| usage.held[resource as usize] + amount <= quota;
        let quota = resource.quota(&self.per_client);
        let is_within = fits(&table.total, resource.quota(&self.total))
            && known_levels(client)
                .all(|(key, times)| fits(table.usage(key, now), quota.saturating_mul(times)));
        if !is_within {
            return Err(too_many(&resource.error(RETRY_AFTER), RETRY_AFTER));
        }
        table.total.held[resource as usize] += amount;
        for (key, _) in known_levels(client) {
            table.usage(key, now).held[resource as usize] += amount;
        }
        Ok(Permit { clients: Arc::clone(self), client, resource, amount })
    }

    /// Uses up an amount of a resource that comes back with time.
    pub(crate) fn charge(&self, client: Client, rate: Rate, amount: u64) -> Result<(), ApiError> {
        let (mut table, now) = (self.table(), Instant::now());
        let mut wait = Duration::ZERO;
        let mut charged = [now; 3];
        for (level, charged) in charged.iter_mut().enumerate() {
            let (full_at, quotas, times) = match levels(client).get(level) {
                Some(&(key, times)) => {
                    (table.usage(key, now).full_at[rate as usize], &self.per_client, times)
                }
                None => (table.total.full_at[rate as usize], &self.total, 1),
            };
            let (burst, time) = rate.burst(quotas);
            *charged = full_at.max(now) + cost(amount, burst.saturating_mul(times), time);
            wait = wait.max((*charged - now).saturating_sub(time));
        }
        if wait > Duration::ZERO {
            let seconds = wait.as_secs() + 1;
            return Err(too_many(&rate.error(seconds), seconds));
        }
        let [own, address, total] = charged;
        for ((key, _), full_at) in levels(client).into_iter().zip([own, address]) {
            table.usage(key, now).full_at[rate as usize] = full_at;
        }
        table.total.full_at[rate as usize] = total;
        Ok(())
    }

    /// The semaphore that limits a client's blocking jobs. The guests of an address share it: they are short, and a new
    /// token would be a new place in the queue.
    pub(crate) fn jobs(&self, client: Client) -> Arc<Semaphore> {
        Arc::clone(&self.table().usage(Key::Address(client.address), Instant::now()).jobs)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a new game takes of its creator's quotas, until it is over or leaves memory.
#[derive(Debug)]
pub(crate) struct GamePermit {
    client: Client,
    _game: Permit,
    _engine_game: Option<Permit>,
}

impl GamePermit {
    /// The name of the creator in queues.
    pub(crate) fn client_name(&self) -> Arc<str> {
        self.client.name()
    }
}

impl Clients {
    /// Takes what a new game needs: a game, one with an engine if it has one, and the bytes that are stored of it.
    pub(crate) fn admit_game(
        self: &Arc<Self>,
        client: Client,
        has_engine: bool,
        stored_bytes: u64,
    ) -> Result<GamePermit, ApiError> {
        let game = self.acquire(client, Resource::Games)?;
        let engine_game = has_engine.then(|| self.acquire(client, Resource::EngineGames)).transpose()?;
        self.charge(client, Rate::StoredBytes, stored_bytes)?;
        Ok(GamePermit { client, _game: game, _engine_game: engine_game })
    }
}

/// The time in which an amount comes back, if `burst` comes back in `time`.
fn cost(amount: u64, burst: u64, time: Duration) -> Duration {
    let nanos = time.as_nanos() * u128::from(amount) / u128::from(burst.max(1));
    // At most a year, which is added to a time below.
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)).min(Duration::from_hours(24 * 365))
}

fn too_many(error: &ServerError, seconds: u64) -> ApiError {
    ApiError::new(ErrorCode::TooManyRequests, error).with_retry_after(seconds)
}

/// A part of a resource that a client has in use. Dropping it gives it back.
#[derive(Debug)]
pub(crate) struct Permit {
    clients: Arc<Clients>,
    client: Option<Client>,
    resource: Resource,
    amount: u64,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let (mut table, now) = (self.clients.table(), Instant::now());
        table.total.held[self.resource as usize] -= self.amount;
        for (key, _) in known_levels(self.client) {
            table.usage(key, now).held[self.resource as usize] -= self.amount;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn clients(change: impl FnOnce(&mut Quotas, &mut Quotas)) -> Arc<Clients> {
        let Limits { mut per_client, mut total, .. } = Limits::default();
        change(&mut per_client, &mut total);
        Clients::new(per_client, total)
    }

    fn client(address: &str) -> Client {
        Client::anonymous(address.parse().unwrap())
    }

    #[test]
    fn a_permit_is_given_back_when_it_is_dropped() {
        let clients = clients(|per_client, total| (per_client.sockets, total.sockets) = (2, 3));
        let acquire = |address| clients.acquire(client(address), Resource::Sockets);
        let (first, second) = (acquire("192.0.2.1").unwrap(), acquire("192.0.2.1").unwrap());
        let error = acquire("192.0.2.1").unwrap_err();
        assert_eq!((error.code(), error.retry_after()), (ErrorCode::TooManyRequests, Some(RETRY_AFTER)));
        let other = acquire("192.0.2.2").unwrap();
        assert!(acquire("192.0.2.2").is_err(), "the total is used up");
        assert!(clients.acquire(None, Resource::Sockets).is_err(), "the total is used up");
        drop(first);
        let third = acquire("192.0.2.1").unwrap();
        assert!(acquire("192.0.2.1").is_err());
        drop((second, third, other));
        assert!(clients.table().usage.values().all(|usage| usage.is_idle(Instant::now())));
    }

    #[test]
    fn an_ipv6_network_of_64_bits_is_one_client() {
        let clients = clients(|per_client, _| per_client.sockets = 1);
        let acquire = |address| clients.acquire(client(address), Resource::Sockets);
        let _first = acquire("2001:db8:0:1::1").unwrap();
        assert!(acquire("2001:db8:0:1:ffff::2").is_err());
        let _other = acquire("2001:db8:0:2::1").unwrap();
        let _v4 = acquire("192.0.2.1").unwrap();
        assert!(acquire("::ffff:192.0.2.1").is_err());
    }

    #[test]
    fn the_guests_of_an_address_have_quotas_of_their_own_up_to_a_bound() {
        let clients = clients(|per_client, _| per_client.games = 1);
        let address = client("192.0.2.1");
        let guest = |number: u8| clients.acquire(address.with_guest([number; 32]), Resource::Games);
        let permits: Vec<_> = (0..4).map(|number| guest(number).unwrap()).collect();
        assert!(guest(0).is_err(), "the quota of a guest");
        assert!(guest(9).is_err(), "the quota of the address");
        assert!(clients.acquire(address, Resource::Games).is_err(), "the quota of the address");
        let jobs = |client| clients.jobs(client);
        assert!(Arc::ptr_eq(&jobs(address), &jobs(address.with_guest([7; 32]))), "a token is no new place");
        drop(permits);
        let _anonymous = clients.acquire(address, Resource::Games).unwrap();
        guest(0).unwrap();
    }

    #[test]
    fn a_rate_allows_a_burst_and_then_says_when_to_try_again() {
        // An hour for one byte: no test takes that long.
        let clients = clients(|per_client, _| per_client.stored_bytes_per_hour = 10);
        let charge = |address, amount| clients.charge(client(address), Rate::StoredBytes, amount);
        charge("192.0.2.1", 4).unwrap();
        charge("192.0.2.1", 6).unwrap();
        let error = charge("192.0.2.1", 1).unwrap_err();
        assert_eq!(error.code(), ErrorCode::TooManyRequests);
        assert!((300..=361).contains(&error.retry_after().unwrap()), "{error:?}");
        // A rejected charge costs nothing.
        assert_eq!(charge("192.0.2.1", 1).unwrap_err().retry_after(), error.retry_after());
        charge("192.0.2.2", 10).unwrap();
        assert!(charge("192.0.2.3", 11).is_err(), "more than the burst");
    }

    #[test]
    fn clients_without_usage_are_forgotten() {
        let clients = clients(|_, _| ());
        let _held = clients.acquire(client("192.0.2.1"), Resource::Games).unwrap();
        for number in 0..10_000_u32 {
            let address = std::net::Ipv4Addr::from_bits(number);
            drop(clients.acquire(Client::anonymous(address.into()), Resource::Games).unwrap());
        }
        assert!(clients.table().usage.len() <= MIN_CLEANUP + 2);
        assert!(clients.table().usage.contains_key(&client("192.0.2.1").key()));
    }
}
