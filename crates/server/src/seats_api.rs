//! The handlers of requests about guests, seats, offers, claims and the chat. `api.rs` routes them.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use sandtable_contract::{
    Access, ApiError, Change, ChatMessage, DrawCommand, Link, Me, OfferedNetwork, Side,
};
use serde::Deserialize;

use crate::App;
use crate::api::json;
use crate::error::{ErrorResponse, internal};
use crate::extract::{JsonBody, PathParam};
use crate::guests::{Identity, Requester, Token};
use crate::seat_error::SeatError;

pub(crate) async fn me(State(app): State<App>, requester: Requester) -> Json<Me> {
    let networks = app.config.networks.iter().map(|engine| OfferedNetwork {
        kind: engine.network().game().to_owned(),
        rules: engine.network().rules().to_owned(),
    });
    let networks = networks.collect();
    Json(Me { access: app.config.access, guest: requester.guest.is_some(), networks })
}

pub(crate) async fn lobby(State(app): State<App>, requester: Requester) -> Result<Response, ErrorResponse> {
    let games = app.registry.lobby(requester.guest).await?;
    Ok(json(StatusCode::OK, format!("[{}]", games.join(","))))
}

/// The link of a token: absolute, with the address that the client uses unless the server knows its public one.
fn link(app: &App, headers: &HeaderMap, id: &str, token: Token) -> Link {
    let host = || headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let origin = match &app.config.public_url {
        Some(url) => url.origin().to_owned(),
        None => format!("http://{}", host()),
    };
    let token = token.reveal();
    Link { url: format!("{origin}/#/join/{id}/{token}"), token }
}

pub(crate) async fn invite(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    headers: HeaderMap,
) -> Result<Json<Link>, ErrorResponse> {
    let token = app.registry.invite(&id, requester.guest).await?;
    Ok(Json(link(&app, &headers, &id, token)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TransferRequest {
    player: Side,
}

pub(crate) async fn transfer(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    headers: HeaderMap,
    JsonBody(request): JsonBody<TransferRequest>,
) -> Result<Json<Link>, ErrorResponse> {
    let token = app.registry.transfer(&id, requester.guest, request.player).await?;
    Ok(Json(link(&app, &headers, &id, token)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatRequest {
    token: Option<String>,
    name: Option<String>,
}

pub(crate) async fn take_seat(
    State(app): State<App>,
    identity: Identity,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<SeatRequest>,
) -> Result<Response, ErrorResponse> {
    if app.config.access == Access::Open {
        return Err(ApiError::conflict(&SeatError::NoneOpen).into());
    }
    let guest = identity.guest.ok_or_else(|| internal("a guest has no identity", &"seats are on"))?;
    let link = match request.token {
        None => None,
        Some(token) => {
            let token = Token::parse(&token).ok_or_else(|| ApiError::forbidden(&SeatError::InvalidLink))?;
            Some(token.hash())
        }
    };
    let game = app.registry.take_seat(&id, guest, link, request.name).await?;
    Ok(identity.remember(json(StatusCode::OK, game)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakeBackRequest {
    player: Side,
    action: DrawCommand,
    version: Option<u64>,
}

pub(crate) async fn take_back(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<TakeBackRequest>,
) -> Result<Response, ErrorResponse> {
    let change = Change::TakeBack { player: request.player, action: request.action };
    let game = app.registry.change(&id, requester.guest, request.version, change).await?;
    Ok(json(StatusCode::OK, game))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimRequest {
    player: Side,
    claim: Claim,
    version: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Claim {
    Draw,
    Victory,
}

pub(crate) async fn claim(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<ClaimRequest>,
) -> Result<Response, ErrorResponse> {
    let ClaimRequest { player, claim, version } = request;
    let game = match claim {
        Claim::Draw => {
            app.registry.change(&id, requester.guest, version, Change::ClaimDraw { player }).await?
        }
        Claim::Victory => app.registry.claim_victory(&id, requester.guest, version, player).await?,
    };
    Ok(json(StatusCode::OK, game))
}

pub(crate) async fn abort(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
) -> Result<StatusCode, ErrorResponse> {
    app.registry.abort(&id, requester.guest).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn rematch(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
) -> Result<Response, ErrorResponse> {
    Ok(json(StatusCode::OK, app.registry.rematch(&id, requester.guest).await?))
}

pub(crate) async fn chat(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
) -> Result<Json<Vec<ChatMessage>>, ErrorResponse> {
    Ok(Json(app.registry.chat(&id, requester.guest).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChatRequest {
    text: String,
}

pub(crate) async fn send_chat(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<ChatRequest>,
) -> Result<(StatusCode, Json<ChatMessage>), ErrorResponse> {
    let message = app.registry.send_chat(&id, requester.guest, request.text).await?;
    Ok((StatusCode::CREATED, Json(message)))
}
