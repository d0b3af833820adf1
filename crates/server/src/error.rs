//! Errors as HTTP responses.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use sandtable_contract::{ApiError, ErrorCode, to_json};

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

/// An internal error. The details go to the log, not to the client.
pub(crate) fn internal(context: &str, error: &dyn std::fmt::Display) -> ApiError {
    tracing::error!(%error, "{context}");
    ApiError::new(ErrorCode::Internal, "internal error: see the server log")
}

pub(crate) fn method_not_allowed() -> ErrorResponse {
    ApiError::new(ErrorCode::MethodNotAllowed, "method not allowed for this path").into()
}
