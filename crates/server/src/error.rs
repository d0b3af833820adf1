//! The errors of the API: a code for programs and a message for people.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The kind of an error, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ErrorCode {
    BadRequest,
    InvalidPosition,
    IllegalMove,
    InvalidRecord,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    RequestTimeout,
    Conflict,
    PayloadTooLarge,
    UnsupportedMediaType,
    Busy,
    Internal,
}

impl ErrorCode {
    const fn status(self) -> StatusCode {
        match self {
            Self::BadRequest => StatusCode::BAD_REQUEST,
            Self::InvalidPosition | Self::IllegalMove | Self::InvalidRecord => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
            Self::Conflict => StatusCode::CONFLICT,
            Self::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// The longest message, in characters: messages quote the client's input, which may be long.
const MAX_MESSAGE: usize = 1_000;

/// An error response.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ApiError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl ApiError {
    #[expect(clippy::needless_pass_by_value, reason = "callers pass errors and strings alike")]
    pub(crate) fn new(code: ErrorCode, message: impl ToString) -> Self {
        let mut message = message.to_string();
        if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        Self { code, message }
    }

    pub(crate) fn bad_request(message: impl ToString) -> Self {
        Self::new(ErrorCode::BadRequest, message)
    }

    pub(crate) fn conflict(message: impl ToString) -> Self {
        Self::new(ErrorCode::Conflict, message)
    }

    pub(crate) fn game_not_found(id: &str) -> Self {
        Self::new(ErrorCode::NotFound, format!("game `{id}` not found"))
    }

    pub(crate) fn method_not_allowed() -> Self {
        Self::new(ErrorCode::MethodNotAllowed, "method not allowed for this path")
    }

    /// An internal error. The details go to the log, not to the client.
    pub(crate) fn internal(context: &str, error: &dyn std::fmt::Display) -> Self {
        tracing::error!(%error, "{context}");
        Self::new(ErrorCode::Internal, "internal error: see the server log")
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.code.status(), Json(self)).into_response()
    }
}
