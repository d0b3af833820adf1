//! The bodies and parameters of requests: read strictly, refused in words.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::refusal::{Code, Refusal};

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let Json(body) =
            Json::<T>::from_request(request, state).await.map_err(|rejection| match rejection {
                JsonRejection::MissingJsonContentType(_) => {
                    Refusal::new(Code::Unsupported, "the body must be sent as application/json")
                }
                JsonRejection::BytesRejection(e) if e.status().as_u16() == 413 => {
                    Refusal::new(Code::TooLarge, "the body is too large")
                }
                other => Refusal::new(Code::BadRequest, other.body_text()),
            })?;
        Ok(Self(body))
    }
}

/// The parameters behind a question mark.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let refuse = |rejection: QueryRejection| Refusal::new(Code::BadRequest, rejection.body_text());
        let Query(asked) = Query::<T>::from_request_parts(parts, state).await.map_err(refuse)?;
        Ok(Self(asked))
    }
}
