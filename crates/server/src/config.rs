//! The settings of a server: where it listens, who may use it and what stands in front of it.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use axum::http::Uri;
use axum::http::uri::Scheme;
use sandtable::engine::PolicyEngine;
use sandtable_contract::Access;

use crate::{Limits, StoreUrl};

/// The settings of a server.
///
/// ```
/// use sandtable_server::{Access, Config};
///
/// let mut config = Config::new("games".into());
/// assert!(config.listen.ip().is_loopback());
/// assert_eq!(config.effective_access(), Access::Open);
/// config.public_url = Some("https://table.example".parse()?);
/// assert_eq!(config.effective_access(), Access::Seats);
/// # Ok::<(), sandtable_server::InvalidPublicUrl>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The folder for the games, created if it does not exist.
    pub data_dir: PathBuf,
    /// The database that several instances share. Without one, the games are in the data folder.
    pub store: Option<StoreUrl>,
    /// Who may do what. A server that other people can reach always has seats: see
    /// [`effective_access`](Self::effective_access).
    pub access: Access,
    /// The URL under which browsers reach the server, if a reverse proxy stands in front of it. Its host name is allowed,
    /// and links and cookies use it.
    pub public_url: Option<PublicUrl>,
    /// The proxies whose forwarding headers are believed.
    pub trusted_proxies: Vec<Network>,
    /// Host names that requests may use. `localhost`, IP addresses and the host of the public URL are always allowed.
    pub allowed_hosts: Vec<String>,
    /// The address for `GET /metrics`. Nothing else is served there, and it needs no authentication: keep it private.
    pub metrics_listen: Option<SocketAddr>,
    /// The networks that analyze positions besides the built-in engine: at most one for the rules of a game.
    pub networks: Vec<PolicyEngine>,
    /// Resource limits.
    pub limits: Limits,
}

impl Config {
    /// The default port.
    pub const DEFAULT_PORT: u16 = 8080;

    /// The default settings: listens on the loopback interface only, open to everyone on this machine.
    #[must_use]
    pub fn new(data_dir: PathBuf) -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, Self::DEFAULT_PORT)),
            data_dir,
            store: None,
            access: Access::Open,
            public_url: None,
            trusted_proxies: Vec::new(),
            allowed_hosts: Vec::new(),
            metrics_listen: None,
            networks: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// The access mode of the server: seats if it is set, if the server listens beyond the loopback interface, or if a
    /// proxy stands in front of it.
    #[must_use]
    pub fn effective_access(&self) -> Access {
        let reachable = !self.listen.ip().to_canonical().is_loopback();
        if reachable || self.public_url.is_some() || !self.trusted_proxies.is_empty() {
            Access::Seats
        } else {
            self.access
        }
    }
}

/// An IP address, or a network in CIDR notation.
///
/// ```
/// use sandtable_server::Network;
///
/// let network: Network = "10.1.0.0/16".parse()?;
/// assert!(network.contains("10.1.2.3".parse().unwrap()));
/// assert!(!network.contains("10.2.0.1".parse().unwrap()));
/// # Ok::<(), sandtable_server::InvalidNetwork>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u32,
}

/// The text is neither an IP address nor a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid network `{text}`: expected an IP address or a network such as 10.0.0.0/8 or fd00::/8")]
pub struct InvalidNetwork {
    text: String,
}

impl Network {
    /// Tests whether an address belongs to the network. An IPv4 address mapped to IPv6 counts as IPv4.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                (network.to_bits() ^ address.to_bits()).leading_zeros() >= self.prefix
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                (network.to_bits() ^ address.to_bits()).leading_zeros() >= self.prefix
            }
            _ => false,
        }
    }
}

impl FromStr for Network {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, InvalidNetwork> {
        let invalid = || InvalidNetwork { text: text.to_owned() };
        let (address, prefix) = text.split_once('/').map_or((text, None), |(a, prefix)| (a, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| invalid())?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            None => longest,
            // `parse` accepts a sign.
            Some(digits) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
                digits.parse().ok().filter(|prefix| *prefix <= longest).ok_or_else(invalid)?
            }
            Some(_) => return Err(invalid()),
        };
        Ok(Self { address, prefix })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.prefix)
    }
}

/// The URL under which browsers reach the server: `https://table.example`.
///
/// ```
/// use sandtable_server::PublicUrl;
///
/// let url: PublicUrl = "https://Table.example:443/".parse()?;
/// assert_eq!((url.origin(), url.host(), url.is_https()), ("https://table.example", "table.example", true));
/// # Ok::<(), sandtable_server::InvalidPublicUrl>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    origin: String,
    host: String,
    is_https: bool,
}

/// The text is not a URL of a server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid public URL `{text}`: expected a scheme and a host without a path, such as https://table.example"
)]
pub struct InvalidPublicUrl {
    text: String,
}

impl PublicUrl {
    /// The origin as browsers write it: scheme, host in lower case, and the port unless it is the scheme's own.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The host name or address, without brackets and port.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Tests whether browsers reach the server over TLS.
    #[must_use]
    pub const fn is_https(&self) -> bool {
        self.is_https
    }
}

impl FromStr for PublicUrl {
    type Err = InvalidPublicUrl;

    fn from_str(text: &str) -> Result<Self, InvalidPublicUrl> {
        let parse = || {
            // The parser drops a fragment without an error.
            let uri: Uri = (!text.contains('#')).then(|| text.parse().ok())??;
            let (scheme, authority) = (uri.scheme()?, uri.authority()?);
            let is_https = *scheme == Scheme::HTTPS;
            let is_valid = (is_https || *scheme == Scheme::HTTP)
                && !authority.host().is_empty()
                && matches!(uri.path(), "" | "/")
                && uri.query().is_none();
            let host = authority.host().to_ascii_lowercase();
            let default_port = if is_https { 443 } else { 80 };
            let port = match authority.as_str().strip_prefix(authority.host())? {
                "" => None,
                port => Some(port.strip_prefix(':')?.parse::<u16>().ok()?),
            };
            let origin = match port.filter(|port| *port != default_port) {
                None => format!("{scheme}://{host}"),
                Some(port) => format!("{scheme}://{host}:{port}"),
            };
            let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
            is_valid.then_some(Self { origin, host, is_https })
        };
        parse().ok_or_else(|| InvalidPublicUrl { text: text.to_owned() })
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_contain_the_addresses_with_their_prefix() {
        let contains = |network: &str, address: &str| {
            network.parse::<Network>().unwrap().contains(address.parse().unwrap())
        };
        assert!(contains("192.0.2.7", "192.0.2.7") && !contains("192.0.2.7", "192.0.2.6"));
        assert!(contains("192.0.2.129/25", "192.0.2.255") && !contains("192.0.2.129/25", "192.0.2.1"));
        assert!(contains("0.0.0.0/0", "203.0.113.9") && !contains("0.0.0.0/0", "2001:db8::1"));
        assert!(contains("127.0.0.1", "::ffff:127.0.0.1"));
        assert!(contains("2001:db8::/32", "2001:db8:1::9") && !contains("2001:db8::/32", "2001:db9::"));
        for text in ["", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/+8", "::/129", "10.0.0/8", "proxy", "::1/8/8"]
        {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }

    #[test]
    fn public_urls_are_origins() {
        for (text, origin) in [
            ("http://table.example:80", "http://table.example"),
            ("https://table.example:8443/", "https://table.example:8443"),
            ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
        ] {
            assert_eq!(text.parse::<PublicUrl>().unwrap().origin(), origin);
        }
        for text in [
            "",
            "table.example",
            "ftp://table.example",
            "https://table.example/games",
            "https://table.example/?a",
            "https://table.example/#a",
            "https://me@table.example",
            "https://table.example:",
            "https://table.example:99999",
            "https://:443",
        ] {
            assert!(text.parse::<PublicUrl>().is_err(), "{text}");
        }
    }

    #[test]
    fn seats_are_on_as_soon_as_others_can_reach_the_server() {
        let access = |change: fn(&mut Config)| {
            let mut config = Config::new(PathBuf::new());
            change(&mut config);
            config.effective_access()
        };
        assert_eq!(access(|_| ()), Access::Open);
        assert_eq!(access(|config| config.listen.set_ip("::1".parse().unwrap())), Access::Open);
        assert_eq!(access(|config| config.access = Access::Seats), Access::Seats);
        assert_eq!(access(|config| config.listen.set_ip("0.0.0.0".parse().unwrap())), Access::Seats);
        assert_eq!(access(|config| config.public_url = "http://a.example".parse().ok()), Access::Seats);
        assert_eq!(
            access(|config| config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]),
            Access::Seats
        );
    }
}
