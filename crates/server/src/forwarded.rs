//! The address of a client behind reverse proxies.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, header};

use crate::config::Network;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address of the client: the peer of the connection or, if that is a trusted proxy, the last address in the
/// forwarding header that is not a trusted proxy. Addresses further left are what the client claims.
///
/// `X-Forwarded-For` takes precedence over `Forwarded`, because most proxies set it and pass the other one on unchanged.
pub(crate) fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut address = peer.to_canonical();
    if !is_trusted(address) {
        return address;
    }
    let is_simple = headers.contains_key(X_FORWARDED_FOR);
    let name = if is_simple { X_FORWARDED_FOR } else { header::FORWARDED };
    // Several headers are one list; an entry that is not readable hides everything left of it.
    let lines: Vec<_> = headers.get_all(name).iter().map(|line| line.to_str().unwrap_or_default()).collect();
    for entry in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
        let node = if is_simple { Some(entry.trim()) } else { for_node(entry) };
        let Some(next) = node.and_then(parse_node) else { return address };
        address = next;
        if !is_trusted(address) {
            return address;
        }
    }
    address
}

/// The node of `for=` in an entry of the `Forwarded` header (RFC 7239).
fn for_node(entry: &str) -> Option<&str> {
    let pairs = entry.split(';').filter_map(|pair| pair.split_once('='));
    let mut nodes = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    Some(nodes.next()?.1.trim().trim_matches('"'))
}

/// An address with or without a port. IPv6 addresses may have brackets.
fn parse_node(node: &str) -> Option<IpAddr> {
    let bare = node.strip_prefix('[').and_then(|node| node.strip_suffix(']')).unwrap_or(node);
    let address = bare.parse().ok().or_else(|| Some(node.parse::<SocketAddr>().ok()?.ip()))?;
    Some(IpAddr::to_canonical(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The address of a client of a server that trusts two networks.
    fn address(peer: &str, headers: &[(HeaderName, &str)]) -> String {
        let trusted = ["10.0.0.0/8", "fd00::/8"].map(|network| network.parse().unwrap());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        client_address(peer.parse().unwrap(), &map, &trusted).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let claim = [(X_FORWARDED_FOR, "192.0.2.1")];
        assert_eq!(address("203.0.113.5", &claim), "203.0.113.5");
        assert_eq!(address("10.0.0.1", &claim), "192.0.2.1");
        assert_eq!(address("::ffff:10.0.0.1", &claim), "192.0.2.1");
        assert_eq!(address("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn the_last_untrusted_address_is_the_client() {
        for (entries, expected) in [
            ("198.51.100.9, 192.0.2.1", "192.0.2.1"),
            ("198.51.100.9, 192.0.2.1, 10.1.1.1", "192.0.2.1"),
            ("10.2.2.2,10.1.1.1", "10.2.2.2"),
            ("192.0.2.1:4711", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]:80, fd00::7", "2001:db8::1"),
            // Everything left of nonsense is a claim.
            ("192.0.2.1, unknown, 10.1.1.1", "10.1.1.1"),
            ("", "10.0.0.1"),
        ] {
            assert_eq!(address("10.0.0.1", &[(X_FORWARDED_FOR, entries)]), expected, "{entries}");
        }
        let two = [(X_FORWARDED_FOR, "198.51.100.9"), (X_FORWARDED_FOR, "192.0.2.1")];
        assert_eq!(address("10.0.0.1", &two), "192.0.2.1");
    }

    #[test]
    fn reads_the_standard_header() {
        for (entries, expected) in [
            ("for=192.0.2.1;proto=https;by=10.0.0.1", "192.0.2.1"),
            ("for=198.51.100.9, proto=https; For=\"192.0.2.1:80\"", "192.0.2.1"),
            ("for=\"[2001:db8::1]:4711\", for=10.1.1.1", "2001:db8::1"),
            ("for=_hidden", "10.0.0.1"),
            ("by=192.0.2.1", "10.0.0.1"),
        ] {
            assert_eq!(address("10.0.0.1", &[(header::FORWARDED, entries)]), expected, "{entries}");
        }
        let both = [(header::FORWARDED, "for=198.51.100.9"), (X_FORWARDED_FOR, "192.0.2.1")];
        assert_eq!(address("10.0.0.1", &both), "192.0.2.1");
    }
}
