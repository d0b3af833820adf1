//! Extractors for JSON bodies, path parameters and query strings. They reject unknown input with an [`ErrorResponse`].

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use sandtable_contract::{ApiError, ErrorCode, from_json};
use serde::de::DeserializeOwned;

use crate::App;
use crate::error::{ErrorResponse, ServerError, rejected};

/// The text of a JSON body, read within [`Limits::io_timeout`](crate::Limits::io_timeout).
pub(crate) struct JsonText(pub(crate) String);

impl FromRequest<App> for JsonText {
    type Rejection = ErrorResponse;

    async fn from_request(request: Request, app: &App) -> Result<Self, ErrorResponse> {
        if !is_json(&request) {
            return Err(ApiError::new(ErrorCode::UnsupportedMediaType, &ServerError::ContentType).into());
        }
        let body = tokio::time::timeout(app.limits.io_timeout, Bytes::from_request(request, app));
        let Ok(body) = body.await else {
            return Err(ApiError::new(ErrorCode::RequestTimeout, &ServerError::BodyTimeout).into());
        };
        let body = body.map_err(|rejection: BytesRejection| match rejection.status().as_u16() {
            413 => ApiError::new(
                ErrorCode::PayloadTooLarge,
                &ServerError::BodyTooLarge { limit: app.limits.max_body },
            ),
            _ => rejected(rejection.body_text()),
        })?;
        let text = String::from_utf8(body.into()).map_err(|e| ApiError::malformed(&e.utf8_error()))?;
        Ok(Self(text))
    }
}

/// Whether the content type is `application/json`, with or without parameters.
fn is_json(request: &Request) -> bool {
    let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = content_type.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// A JSON body.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = ErrorResponse;

    async fn from_request(request: Request, app: &App) -> Result<Self, ErrorResponse> {
        let JsonText(text) = JsonText::from_request(request, app).await?;
        Ok(Self(from_json(&text)?))
    }
}

/// The one parameter of a path.
pub(crate) struct PathParam(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for PathParam {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ErrorResponse> {
        let reject = |rejection: PathRejection| rejected(rejection.body_text());
        let Path(value) = Path::from_request_parts(parts, state).await.map_err(reject)?;
        Ok(Self(value))
    }
}

/// The parameters of a query string.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ErrorResponse> {
        let reject = |rejection: QueryRejection| rejected(rejection.body_text());
        let Query(params) = Query::<T>::from_request_parts(parts, state).await.map_err(reject)?;
        Ok(Self(params))
    }
}
