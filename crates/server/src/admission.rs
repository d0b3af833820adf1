//! The first thing that happens to a request: who sends it, and whether the client has too much under way.

use std::net::SocketAddr;

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use sandtable_contract::ApiError;

use crate::App;
use crate::blocking::with_client_jobs;
use crate::clients::{Client, Permit, Rate, Resource};
use crate::error::{ErrorResponse, internal};
use crate::forwarded::client_address;
use crate::guests::guest;
use crate::store::TokenHash;

/// Responses up to this size are not counted: the number of connections limits them well enough.
const SMALL_RESPONSE: u64 = 16 * 1024;

/// Middleware that identifies the client and limits its requests, its blocking jobs and the responses that it has not read.
pub(crate) async fn admit(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let response = async {
        let client = client(&app, &request)?;
        app.clients.charge(client, Rate::Requests, 1)?;
        request.extensions_mut().insert(client);
        let response = with_client_jobs(app.clients.jobs(client), next.run(request)).await;
        count_unread(&app, client, response).await
    };
    response.await.unwrap_or_else(|e| ErrorResponse::from(e).into_response())
}

/// The client that sends a request.
fn client(app: &App, request: &Request) -> Result<Client, ApiError> {
    let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>() else {
        return Err(internal("a request has no peer", &request.uri()));
    };
    let address = client_address(peer.ip(), request.headers(), &app.config.trusted_proxies);
    let client = Client::anonymous(address);
    Ok(match guest(app, request.headers()) {
        Some(TokenHash(guest)) => client.with_guest(guest),
        None => client,
    })
}

/// Counts the bytes of a response until they are written. A response beyond the quota is replaced by an error.
async fn count_unread(app: &App, client: Client, response: Response) -> Result<Response, ApiError> {
    let Some(size @ SMALL_RESPONSE..) = response.body().size_hint().exact() else { return Ok(response) };
    let permit = app.clients.acquire_many(client, Resource::ResponseBytes, size)?;
    let (head, body) = response.into_parts();
    // A body of known size is in memory already, in one piece.
    let bytes = to_bytes(body, usize::MAX).await.map_err(|e| internal("cannot read a response", &e))?;
    let counted = Bytes::from_owner(CountedBytes { bytes, _permit: permit });
    Ok(Response::from_parts(head, Body::from(counted)))
}

/// Bytes that are counted as long as they are in memory, wherever the HTTP library keeps them.
struct CountedBytes {
    bytes: Bytes,
    _permit: Permit,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
