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
        (status, [(header::CONTENT_TYPE, "application/json")], to_json(&self.0)).into_response()
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
    #[error("too many open WebSockets")]
    TooManySockets,
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
