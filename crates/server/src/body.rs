//! The bodies, paths and parameters of requests: read strictly, refused in words.

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::App;
use crate::refusal::{Code, Refusal};

/// A JSON body that comes in time.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refusal> {
        let body = tokio::time::timeout(app.limits.patience, Json::<T>::from_request(request, app));
        let Ok(body) = body.await else {
            return Err(Refusal::new(Code::TooSlow, "the body took too long to come"));
        };
        let Json(body) = body.map_err(|rejection| match rejection {
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

/// The name in a path.
pub(crate) struct InPath(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for InPath {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let refuse = |rejection: PathRejection| Refusal::new(Code::BadRequest, rejection.body_text());
        let Path(name) = Path::from_request_parts(parts, state).await.map_err(refuse)?;
        Ok(Self(name))
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
