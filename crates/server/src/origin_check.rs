//! Rejects requests from pages of other sites.
//!
//! A browser sends the origin of the page (`Origin`) and the host name in the URL (`Host`). A page of another site has a
//! different `Origin`. In a DNS rebinding attack, the attacker's name resolves to this machine, and the `Host` is that name.
//! Host names other than `localhost` must therefore be allowed one by one; IP addresses cannot be rebound and are always
//! allowed.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use sandtable_contract::{ApiError, ErrorCode};

use crate::error::{ErrorResponse, ServerError};
use crate::{App, Config};

/// Middleware that checks the `Host` and `Origin` headers.
pub(crate) async fn check_origin(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, ErrorResponse> {
    check(request.headers(), request.uri(), &app.config)?;
    Ok(next.run(request).await)
}

fn check(headers: &HeaderMap, uri: &Uri, config: &Config) -> Result<(), ApiError> {
    let forbidden = |error: ServerError| Err(ApiError::new(ErrorCode::Forbidden, &error));
    if headers.get_all(header::HOST).iter().nth(1).is_some() {
        // A proxy in front may have used the other one.
        return Err(ApiError::bad_request(&ServerError::SeveralHosts));
    }
    if headers.get_all(header::ORIGIN).iter().nth(1).is_some() {
        return Err(ApiError::bad_request(&ServerError::SeveralOrigins));
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(host) = host.or_else(|| uri.authority().map(axum::http::uri::Authority::as_str)) else {
        return forbidden(ServerError::MissingHost);
    };
    if !is_allowed(host, config) {
        return forbidden(ServerError::UnknownHost { host: host.to_owned() });
    }
    let is_own = |origin: &str| {
        // A proxy may replace the host name.
        origin.split_once("://").is_some_and(|(_, authority)| authority == host)
            || config.public_url.as_ref().is_some_and(|url| url.origin() == origin)
    };
    match headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default()) {
        None => Ok(()),
        Some(origin) if is_own(origin) => Ok(()),
        Some(origin) => forbidden(ServerError::ForbiddenOrigin { origin: origin.to_owned() }),
    }
}

fn is_allowed(host: &str, config: &Config) -> bool {
    let (name, port) = match host.strip_prefix('[') {
        Some(v6) => v6.split_once(']').unwrap_or_default(),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // Otherwise, `localhost:80@evil.example` would pass and appear in links.
    if !(port.is_empty() || port.strip_prefix(':').is_some_and(is_port)) {
        return false;
    }
    name.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || config.allowed_hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
        || config.public_url.as_ref().is_some_and(|url| url.host().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_accepted(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        let mut config = Config::new("games".into());
        config.allowed_hosts = vec!["table.example".to_owned()];
        config.public_url = Some("https://public.example".parse().unwrap());
        check(&headers, &Uri::from_static("/"), &config).is_ok()
    }

    #[test]
    fn accepts_addresses_localhost_and_allowed_names_as_hosts() {
        for host in ["localhost", "localhost:1", "127.0.0.1:8080", "[::1]:8080", "[::1]", "Table.Example:80"]
        {
            assert!(is_accepted(host, None), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:80",
            "",
            ":80",
            "[evil]:1",
            "[::1].evil.example",
            "[::1]evil.example:80",
            "[::1",
            "localhost:80@evil.example",
            "localhost:@evil.example:80",
            "localhost@evil.example",
            "localhost:port",
            "localhost:",
        ] {
            assert!(!is_accepted(host, None), "{host}");
        }
    }

    #[test]
    fn accepts_only_its_own_origin() {
        assert!(is_accepted("localhost:8080", Some("http://localhost:8080")));
        assert!(is_accepted("table.example", Some("https://table.example")));
        assert!(is_accepted("public.example", Some("https://public.example")));
        assert!(is_accepted("127.0.0.1:8080", Some("https://public.example")));
        assert!(!is_accepted("127.0.0.1:8080", Some("http://public.example")));
        for origin in ["null", "", "http://localhost:8081", "http://evil.example", "localhost:8080"] {
            assert!(!is_accepted("localhost:8080", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn rejects_a_second_origin() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "localhost".parse().unwrap());
        headers.append(header::ORIGIN, "http://localhost".parse().unwrap());
        let config = Config::new("games".into());
        assert!(check(&headers, &Uri::from_static("/"), &config).is_ok());
        headers.append(header::ORIGIN, "http://evil.example".parse().unwrap());
        let error = check(&headers, &Uri::from_static("/"), &config).unwrap_err();
        assert_eq!(error.detail().code, "server.several_origins");
    }
}
