//! Guests: clients without an account, known by a random token.
//!
//! A browser keeps its token in a cookie that scripts cannot read; a program may send one of its own in the `Authorization`
//! header. The server stores and logs only the SHA-256 of a token.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use sandtable_contract::{Access, ApiError};
use sha2::{Digest as _, Sha256};

use crate::App;
use crate::error::{ErrorResponse, internal};
use crate::seat_error::SeatError;
use crate::store::TokenHash;

/// The name of the cookie.
const COOKIE: &str = "sandtable-guest";
/// How long a browser keeps the cookie after its last use, in seconds: a year.
const MAX_AGE: u32 = 365 * 24 * 3_600;
/// The length of a token: 128 bits as hexadecimal digits.
const TOKEN_LENGTH: usize = 32;

/// A secret of 128 random bits: 32 hexadecimal digits in lower case. It has no `Debug`, so it cannot reach the log.
pub(crate) struct Token(String);

impl Token {
    /// A new random token.
    pub(crate) fn random() -> Result<Self, ApiError> {
        let mut bytes = [0; TOKEN_LENGTH / 2];
        getrandom::fill(&mut bytes).map_err(|e| internal("the system has no random numbers", &e))?;
        Ok(Self(format!("{:0width$x}", u128::from_be_bytes(bytes), width = TOKEN_LENGTH)))
    }

    /// The token that a client sent, if it has the right form.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == TOKEN_LENGTH && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// What the server stores.
    pub(crate) fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(self.0.as_bytes()).into())
    }

    /// The secret itself, for the client.
    pub(crate) fn reveal(self) -> String {
        self.0
    }
}

/// The token of a request: from the `Authorization` header, or else from the cookie.
fn token(headers: &HeaderMap) -> Result<Option<Token>, ApiError> {
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    // Other schemes belong to a proxy in front of the server.
    if let Some(bearer) = authorization.and_then(|value| value.strip_prefix("Bearer ")) {
        let token = Token::parse(bearer.trim());
        return token.map(Some).ok_or_else(|| ApiError::bad_request(&SeatError::InvalidToken));
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    Ok(pairs.find(|(name, _)| *name == COOKIE).and_then(|(_, value)| Token::parse(value)))
}

/// The guest of a request on a server with seats, if the request has a valid token.
pub(crate) fn guest(app: &App, headers: &HeaderMap) -> Option<TokenHash> {
    let token = match app.config.access {
        Access::Open => None,
        Access::Seats => token(headers).ok().flatten(),
    };
    token.map(|token| token.hash())
}

/// The client of a request, as far as it is known. On a server without seats, nobody is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requester {
    pub(crate) guest: Option<TokenHash>,
}

impl FromRequestParts<App> for Requester {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ErrorResponse> {
        let guest = match app.config.access {
            Access::Open => None,
            Access::Seats => token(&parts.headers)?.map(|token| token.hash()),
        };
        Ok(Self { guest })
    }
}

/// A client that gets a token if it has none.
pub(crate) struct Identity {
    pub(crate) guest: Option<TokenHash>,
    cookie: Option<HeaderValue>,
}

impl FromRequestParts<App> for Identity {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ErrorResponse> {
        let requester = Requester::from_request_parts(parts, app).await?;
        if requester.guest.is_some() || app.config.access == Access::Open {
            return Ok(Self { guest: requester.guest, cookie: None });
        }
        let token = Token::random()?;
        let is_https = app.config.public_url.as_ref().is_some_and(crate::PublicUrl::is_https);
        let guest = Some(token.hash());
        Ok(Self { guest, cookie: Some(cookie(token, is_https)?) })
    }
}

impl Identity {
    /// Adds the new token, if there is one, to a response.
    pub(crate) fn remember(self, mut response: Response) -> Response {
        if let Some(cookie) = self.cookie {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }
}

fn cookie(token: Token, is_https: bool) -> Result<HeaderValue, ApiError> {
    let secure = if is_https { "; Secure" } else { "" };
    let cookie =
        format!("{COOKIE}={}; HttpOnly; SameSite=Strict; Path=/; Max-Age={MAX_AGE}{secure}", token.reveal());
    let mut value =
        HeaderValue::try_from(cookie).map_err(|e| internal("a cookie is not a header value", &e))?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_32_hexadecimal_digits() {
        let token = Token::random().unwrap();
        let hash = token.hash();
        let text = token.reveal();
        assert_eq!(Token::parse(&text).map(|token| token.hash()), Some(hash));
        assert_ne!(Token::random().unwrap().reveal(), text);
        for text in ["", "0123", &"A".repeat(32), &"g".repeat(32), &"0".repeat(33)] {
            assert!(Token::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_token_comes_from_the_header_or_else_from_the_cookie() {
        let (first, second) = ("1".repeat(32), "2".repeat(32));
        let hash = |text: &str| Token::parse(text).map(|token| token.hash());
        let mut headers = HeaderMap::new();
        assert!(token(&headers).unwrap().is_none());
        headers.insert(header::COOKIE, format!("theme=dark; {COOKIE}={first}").parse().unwrap());
        assert_eq!(token(&headers).unwrap().map(|token| token.hash()), hash(&first));
        headers.insert(header::AUTHORIZATION, "Basic dXNlcjpwYXNz".parse().unwrap());
        assert_eq!(token(&headers).unwrap().map(|token| token.hash()), hash(&first));
        headers.insert(header::AUTHORIZATION, format!("Bearer {second}").parse().unwrap());
        assert_eq!(token(&headers).unwrap().map(|token| token.hash()), hash(&second));
        headers.insert(header::AUTHORIZATION, "Bearer me".parse().unwrap());
        assert!(token(&headers).is_err());
    }

    #[test]
    fn the_cookie_is_secure_behind_https() {
        let attributes = |is_https| {
            let value = cookie(Token::random().unwrap(), is_https).unwrap();
            value.to_str().unwrap().split_once("; ").unwrap().1.to_owned()
        };
        assert_eq!(attributes(false), "HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000");
        assert_eq!(attributes(true), "HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000; Secure");
    }
}
