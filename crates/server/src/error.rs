//! Errors as HTTP responses.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use sandtable_contract::{ApiError, ErrorCode, to_json};
use sandtable_core::Describe;

/// An error as an HTTP response.
#[derive(Debug)]
pub(crate) struct ErrorResponse(ApiError);

impl From<ApiError> for ErrorResponse {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.code().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry_after = self.0.retry_after().map(|seconds| [(header::RETRY_AFTER, seconds)]);
        let body = to_json(&self.0);
        let mut response =
            (status, [(header::CONTENT_TYPE, "application/json")], retry_after, body).into_response();
        if self.0.code() == ErrorCode::TooManyRequests {
            response.extensions_mut().insert(ExceededLimit(self.0));
        }
        response
    }
}

/// The error of a response 429, for the metrics.
#[derive(Clone)]
pub(crate) struct ExceededLimit(ApiError);

impl ExceededLimit {
    /// The code of the exceeded limit.
    pub(crate) fn code(&self) -> &str {
        &self.0.detail().code
    }
}

/// The errors of the server that the contract does not have.
#[derive(Debug, thiserror::Error, Describe)]
#[code("server")]
pub(crate) enum ServerError {
    #[error("method not allowed for this path")]
    MethodNotAllowed,
    #[error("unsupported content type: expected application/json")]
    ContentType,
    #[error("timed out reading the request body")]
    BodyTimeout,
    #[error("request body too large: at most {limit} bytes")]
    BodyTooLarge { limit: usize },
    /// A request that the HTTP library rejects, in its words.
    #[error("{text}")]
    Rejected { text: String },
    #[error("`limit` out of range: {limit}, expected 1 to {maximum}")]
    Limit { limit: u32, maximum: u32 },
    #[error("expected a text message")]
    TextExpected,
    #[error("too many open connections: close some, or try again in {seconds} s")]
    TooManyConnections { seconds: u64 },
    #[error("too many open WebSockets: close some, or try again in {seconds} s")]
    TooManySockets { seconds: u64 },
    #[error("too many requests: try again in {seconds} s")]
    TooManyRequests { seconds: u64 },
    #[error("too many unread responses: read them, or try again in {seconds} s")]
    TooManyUnread { seconds: u64 },
    #[error("too many unfinished games: finish or delete one, or try again in {seconds} s")]
    TooManyGames { seconds: u64 },
    #[error("too many unfinished games with an engine: finish or delete one, or try again in {seconds} s")]
    TooManyEngineGames { seconds: u64 },
    #[error("too much stored: try again in {seconds} s")]
    TooMuchStored { seconds: u64 },
    #[error("several Host headers: expected one")]
    SeveralHosts,
    #[error("several Origin headers: expected one")]
    SeveralOrigins,
    #[error("too many analyses at the same time: at most {limit} for each client, so stop one first")]
    TooManyAnalyses { limit: usize },
    #[error("missing Host header")]
    MissingHost,
    #[error("unknown host `{host}`: allow it with --allow-host")]
    UnknownHost { host: String },
    #[error("origin `{origin}` is not allowed")]
    ForbiddenOrigin { origin: String },
    #[error("the game is being reloaded: try again")]
    Reloading,
    #[error("the server is shutting down")]
    ShuttingDown,
    #[error("the game database was deleted or replaced while the server was running: restart the server")]
    StorageMissing,
    #[error("another program has locked the game database: nothing was changed, try again later")]
    StorageLocked,
    #[error("the server's disk is full: nothing was changed, try again later")]
    StorageFull,
    #[error("the game database is read-only: nothing was changed, tell the server's operator")]
    StorageReadOnly,
    #[error("the server's disk cannot be read or written: nothing was changed, try again later")]
    StorageFailed,
    #[error("the game database is not available: try again in a moment")]
    DatabaseUnavailable,
    #[error("game `{id}` is damaged and cannot be opened: export it from /api/games/{id}/raw, or delete it")]
    GameDamaged { id: String },
    #[error("internal error: see the server log")]
    Internal,
}

/// A request that the HTTP library rejects.
pub(crate) fn rejected(text: String) -> ApiError {
    ApiError::bad_request(&ServerError::Rejected { text })
}

/// An internal error. The details go to the log, not to the client.
pub(crate) fn internal(context: &str, error: &dyn std::fmt::Display) -> ApiError {
    tracing::error!(%error, "{context}");
    ApiError::new(ErrorCode::Internal, &ServerError::Internal)
}

pub(crate) fn method_not_allowed() -> ErrorResponse {
    ApiError::new(ErrorCode::MethodNotAllowed, &ServerError::MethodNotAllowed).into()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::{env, fs};

    use sandtable::games::complete_games;
    use sandtable_core::view::Codes;

    use super::*;

    /// What the page translates: the codes of all messages with their parameters, and the planes by encoding.
    fn catalog() -> String {
        let mut codes = Codes::default();
        sandtable_contract::collect_codes(&mut codes);
        ServerError::collect_codes(&mut codes);
        crate::seat_error::SeatError::collect_codes(&mut codes);
        let quoted = |text: &str| serde_json::to_string(text).expect("a string is JSON");
        let code = |(code, params): (&str, &[&str])| {
            let params: Vec<_> = params.iter().map(|param| quoted(param)).collect();
            format!("    {}: [{}]", quoted(code), params.join(", "))
        };
        let codes: Vec<_> = codes.iter().map(code).collect();
        let planes = complete_games().map(|kind| {
            let mut planes = format!("    {}: {{\n", quoted(kind.encoding));
            let lines: Vec<_> = kind
                .planes
                .iter()
                .map(|plane| format!("      {}: {}", quoted(plane.name), quoted(plane.values)))
                .collect();
            write!(planes, "{}\n    }}", lines.join(",\n")).expect("writing to a string cannot fail");
            planes
        });
        let planes: Vec<_> = planes.collect();
        format!(
            "{{\n  \"codes\": {{\n{}\n  }},\n  \"planes\": {{\n{}\n  }}\n}}\n",
            codes.join(",\n"),
            planes.join(",\n")
        )
    }

    #[test]
    fn the_list_of_codes_for_the_page_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/i18n/codes.json");
        let catalog = catalog();
        if env::var_os("UPDATE_GENERATED").is_some() {
            fs::write(path, &catalog).expect("the file can be written");
        }
        let found = fs::read_to_string(path).unwrap_or_default();
        assert!(
            found == catalog,
            "web/src/i18n/codes.json is stale: run `UPDATE_GENERATED=1 cargo test -p sandtable-server --lib codes`"
        );
    }
}
