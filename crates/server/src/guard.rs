//! Who may ask: pages of this server, programs without a page, and nobody else's pages.
//!
//! A browser tells a page's origin and the host that it believes to talk to. Another site's page has another origin; a site
//! whose name was made to point here has its own name as host. Names other than `localhost` must therefore be allowed one by
//! one; addresses need not, since nobody can make one point elsewhere.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Uri, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::App;
use crate::refusal::{Code, Refusal};

pub(crate) async fn guard(State(app): State<App>, request: Request, next: Next) -> Result<Response, Refusal> {
    check(request.headers(), request.uri(), &app.hosts)?;
    Ok(next.run(request).await)
}

fn check(headers: &HeaderMap, uri: &Uri, allowed: &[String]) -> Result<(), Refusal> {
    let forbid = |why: String| Err(Refusal::new(Code::Forbidden, why));
    let named = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let Some(host) = named.or_else(|| uri.authority().map(axum::http::uri::Authority::as_str)) else {
        return forbid("the request names no host".to_owned());
    };
    if !is_allowed(host, allowed) {
        return forbid(format!("`{host}` is not a name of this server (see --allow-host)"));
    }
    match headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default()) {
        None => Ok(()),
        Some(origin) if origin.split_once("://").is_some_and(|(_, authority)| authority == host) => Ok(()),
        Some(origin) => forbid(format!("pages of `{origin}` may not use this server")),
    }
}

fn is_allowed(host: &str, allowed: &[String]) -> bool {
    let name = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        check(&headers, &Uri::from_static("/"), &["table.example".to_owned()]).is_ok()
    }

    #[test]
    fn addresses_localhost_and_allowed_names_are_hosts() {
        for host in ["localhost", "localhost:1", "127.0.0.1:8080", "[::1]:8080", "[::1]", "Table.Example:80"]
        {
            assert!(checked(host, None), "{host}");
        }
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", ":80", "[evil]:1"]
        {
            assert!(!checked(host, None), "{host}");
        }
    }

    #[test]
    fn only_our_own_pages_are_origins() {
        assert!(checked("localhost:8080", Some("http://localhost:8080")));
        assert!(checked("table.example", Some("https://table.example")));
        for origin in ["null", "", "http://localhost:8081", "http://evil.example", "localhost:8080"] {
            assert!(!checked("localhost:8080", Some(origin)), "{origin}");
        }
    }
}
