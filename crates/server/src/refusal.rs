//! What a client hears when something cannot be done.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Why a request is refused, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Code {
    BadRequest,
    BadPosition,
    IllegalMove,
    BadRecord,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    TooSlow,
    Conflict,
    TooLarge,
    Unsupported,
    Busy,
    Internal,
}

impl Code {
    const fn status(self) -> StatusCode {
        match self {
            Self::BadRequest => StatusCode::BAD_REQUEST,
            Self::BadPosition | Self::IllegalMove | Self::BadRecord => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::Conflict => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unsupported => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// What is wrong is often quoted, and what is wrong may be long; so many characters of it will do.
const MAX_MESSAGE: usize = 1_000;

/// A request that is refused: what is wrong, for programs and for people.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Refusal {
    #[serde(rename = "error")]
    pub(crate) code: Code,
    pub(crate) message: String,
}

impl Refusal {
    #[expect(clippy::needless_pass_by_value, reason = "errors and texts are handed over alike")]
    pub(crate) fn new(code: Code, message: impl ToString) -> Self {
        let mut message = message.to_string();
        if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        Self { code, message }
    }

    pub(crate) fn conflict(message: impl ToString) -> Self {
        Self::new(Code::Conflict, message)
    }

    pub(crate) fn no_game() -> Self {
        Self::new(Code::NotFound, "there is no such game")
    }

    pub(crate) fn method_not_allowed() -> Self {
        Self::new(Code::MethodNotAllowed, "this path does not take that method")
    }

    /// A fault of ours: the log says which, the client only that there was one.
    pub(crate) fn internal(what: &str, why: &dyn std::fmt::Display) -> Self {
        tracing::error!(%why, "{what}");
        Self::new(Code::Internal, "the server could not do this; its log says why")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.code.status(), Json(self)).into_response()
    }
}
