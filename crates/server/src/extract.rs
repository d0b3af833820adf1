//! Extractors for JSON bodies, path parameters and query strings. They reject unknown input with an [`ApiError`].

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::App;
use crate::error::{ApiError, ErrorCode};

/// A JSON body, read within [`Limits::io_timeout`](crate::Limits::io_timeout).
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let body = tokio::time::timeout(app.limits.io_timeout, Json::<T>::from_request(request, app));
        let Ok(body) = body.await else {
            return Err(ApiError::new(ErrorCode::RequestTimeout, "timed out reading the request body"));
        };
        let Json(body) = body.map_err(|rejection| match rejection {
            JsonRejection::MissingJsonContentType(_) => ApiError::new(
                ErrorCode::UnsupportedMediaType,
                "unsupported content type: expected application/json",
            ),
            JsonRejection::BytesRejection(e) if e.status().as_u16() == 413 => ApiError::new(
                ErrorCode::PayloadTooLarge,
                format!("request body too large: at most {} bytes", app.limits.max_body),
            ),
            other => ApiError::bad_request(other.body_text()),
        })?;
        Ok(Self(body))
    }
}

/// The one parameter of a path.
pub(crate) struct PathParam(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathParam {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let reject = |rejection: PathRejection| ApiError::bad_request(rejection.body_text());
        let Path(value) = Path::from_request_parts(parts, state).await.map_err(reject)?;
        Ok(Self(value))
    }
}

/// The parameters of a query string.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let reject = |rejection: QueryRejection| ApiError::bad_request(rejection.body_text());
        let Query(params) = Query::<T>::from_request_parts(parts, state).await.map_err(reject)?;
        Ok(Self(params))
    }
}
