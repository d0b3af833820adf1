//! The routes of the API. `openapi.yaml` describes each, and the tests check that both agree.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use sandtable_contract::{
    AdviceKind, ApiError, Change, DrawCommand, ErrorCode, GameReview, NewGame, Record, Route, Side, respond,
    to_json,
};
use serde::{Deserialize, Serialize};

use crate::analysis::Searches;
use crate::blocking::run_blocking;
use crate::clients::Client;
use crate::error::{ErrorResponse, ServerError, method_not_allowed};
use crate::extract::{JsonBody, JsonText, PathParam, QueryParams};
use crate::guests::{Identity, Requester};
use crate::metrics::SocketKind;
use crate::raw_game::RawGame;
use crate::registry::Listing;
use crate::socket::{PendingSocket, Upgrade};
use crate::{App, analysis, game_socket, seats_api};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/api/health", get(health))
        .route("/api/ready", get(ready))
        .route("/api/openapi.yaml", get(openapi))
        .route("/api/me", get(seats_api::me))
        .route("/api/lobby", get(seats_api::lobby))
        .route("/api/kinds", get(kinds))
        .route("/api/kinds/{kind}/palette", get(palette))
        .route("/api/position", post(position))
        .route("/api/inspect", post(inspect))
        .route("/api/refusal", post(refusal))
        .route("/api/setup", post(setup))
        .route("/api/records/read", post(read_record))
        .route("/api/records/write", post(write_record))
        .route("/api/games", get(list_games).post(create_game))
        .route("/api/games/{id}", get(game).delete(delete_game))
        .route("/api/games/{id}/moves", post(play))
        .route("/api/games/{id}/undo", post(undo))
        .route("/api/games/{id}/resign", post(resign))
        .route("/api/games/{id}/draw", post(draw))
        .route("/api/games/{id}/advice", post(advice))
        .route("/api/games/{id}/take-back", post(seats_api::take_back))
        .route("/api/games/{id}/claim", post(seats_api::claim))
        .route("/api/games/{id}/abort", post(seats_api::abort))
        .route("/api/games/{id}/rematch", post(seats_api::rematch))
        .route("/api/games/{id}/invitation", post(seats_api::invite))
        .route("/api/games/{id}/transfer", post(seats_api::transfer))
        .route("/api/games/{id}/seat", post(seats_api::take_seat))
        .route("/api/games/{id}/chat", get(seats_api::chat).post(seats_api::send_chat))
        .route("/api/games/{id}/record", get(record))
        .route("/api/games/{id}/review", get(review))
        .route("/api/games/{id}/raw", get(raw))
        .route("/api/games/{id}/socket", get(open_game_socket))
        .route("/api/analysis", get(open_analysis_socket))
        .method_not_allowed_fallback(async || method_not_allowed())
}

/// A response whose body is already serialised.
pub(crate) fn json(status: StatusCode, body: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

#[derive(Serialize)]
struct Health {
    name: &'static str,
    version: &'static str,
}

async fn health() -> Json<Health> {
    Json(Health { name: "sandtable", version: env!("CARGO_PKG_VERSION") })
}

/// Fails before the server stops, so that a load balancer sends no more requests.
async fn ready(State(app): State<App>) -> Result<Json<Health>, ErrorResponse> {
    if *app.shutdown.borrow() {
        return Err(ApiError::new(ErrorCode::Busy, &ServerError::ShuttingDown).into());
    }
    app.registry.ready().await?;
    Ok(health().await)
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/yaml")], include_str!("../openapi.yaml"))
}

/// Answers a request that needs no stored game, on the blocking thread pool.
async fn stateless(route: Route, body: String) -> Result<Response, ErrorResponse> {
    Ok(json(StatusCode::OK, run_blocking(move || respond(route, &body)).await?))
}

async fn kinds() -> Result<Response, ErrorResponse> {
    stateless(Route::Kinds, String::new()).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PaletteParams {
    rules: Option<String>,
}

async fn palette(
    PathParam(kind): PathParam,
    QueryParams(PaletteParams { rules }): QueryParams<PaletteParams>,
) -> Result<Response, ErrorResponse> {
    stateless(Route::Palette, serde_json::json!({ "kind": kind, "rules": rules }).to_string()).await
}

async fn position(JsonText(body): JsonText) -> Result<Response, ErrorResponse> {
    stateless(Route::Position, body).await
}

async fn inspect(JsonText(body): JsonText) -> Result<Response, ErrorResponse> {
    stateless(Route::Inspect, body).await
}

async fn refusal(JsonText(body): JsonText) -> Result<Response, ErrorResponse> {
    stateless(Route::Refusal, body).await
}

async fn setup(JsonText(body): JsonText) -> Result<Response, ErrorResponse> {
    stateless(Route::Setup, body).await
}

async fn read_record(JsonText(body): JsonText) -> Result<Response, ErrorResponse> {
    stateless(Route::ReadRecord, body).await
}

async fn write_record(JsonText(body): JsonText) -> Result<Response, ErrorResponse> {
    stateless(Route::WriteRecord, body).await
}

/// The most games in one page of the list.
const MAX_PAGE: u32 = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListParams {
    #[serde(default = "default_page")]
    limit: u32,
    before: Option<u64>,
    #[serde(default)]
    scope: ListScope,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ListScope {
    #[default]
    Own,
    Public,
}

const fn default_page() -> u32 {
    50
}

async fn list_games(
    State(app): State<App>,
    requester: Requester,
    QueryParams(params): QueryParams<ListParams>,
) -> Result<Response, ErrorResponse> {
    let limit = params.limit;
    if !(1..=MAX_PAGE).contains(&limit) {
        return Err(ApiError::bad_request(&ServerError::Limit { limit, maximum: MAX_PAGE }).into());
    }
    let listing = match params.scope {
        ListScope::Own => Listing::Own,
        ListScope::Public => Listing::Public,
    };
    let summaries = app.registry.list(listing, requester.guest, limit, params.before).await?;
    Ok(json(StatusCode::OK, format!("[{}]", summaries.join(","))))
}

async fn create_game(
    State(app): State<App>,
    client: Client,
    identity: Identity,
    JsonBody(request): JsonBody<NewGame>,
) -> Result<Response, ErrorResponse> {
    let settings = request.settings(app.config.access)?;
    let stored_bytes = to_json(&settings).len() as u64;
    let permit = app.clients.admit_game(client, settings.has_engine(), stored_bytes)?;
    let game = app.registry.create(settings, identity.guest, permit).await?;
    Ok(identity.remember(json(StatusCode::CREATED, game)))
}

async fn game(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
) -> Result<Response, ErrorResponse> {
    Ok(json(StatusCode::OK, app.registry.game(&id, requester.guest).await?))
}

async fn delete_game(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
) -> Result<StatusCode, ErrorResponse> {
    app.registry.delete(&id, requester.guest).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn record(State(app): State<App>, PathParam(id): PathParam) -> Result<Json<Record>, ErrorResponse> {
    Ok(Json(app.registry.record(&id).await?))
}

async fn review(
    State(app): State<App>,
    PathParam(id): PathParam,
) -> Result<Json<Option<GameReview>>, ErrorResponse> {
    Ok(Json(app.registry.review(&id).await?))
}

async fn raw(State(app): State<App>, PathParam(id): PathParam) -> Result<Json<RawGame>, ErrorResponse> {
    Ok(Json(app.registry.raw(&id).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveRequest {
    text: Option<String>,
    index: Option<u32>,
    version: Option<u64>,
}

async fn play(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<MoveRequest>,
) -> Result<Response, ErrorResponse> {
    let change = Change::Move { text: request.text, index: request.index };
    let game = app.registry.change(&id, requester.guest, request.version, change).await?;
    Ok(json(StatusCode::OK, game))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UndoRequest {
    version: Option<u64>,
}

async fn undo(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<UndoRequest>,
) -> Result<Response, ErrorResponse> {
    let game = app.registry.change(&id, requester.guest, request.version, Change::Undo).await?;
    Ok(json(StatusCode::OK, game))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResignRequest {
    player: Side,
    version: Option<u64>,
}

async fn resign(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<ResignRequest>,
) -> Result<Response, ErrorResponse> {
    let change = Change::Resign { player: request.player };
    let game = app.registry.change(&id, requester.guest, request.version, change).await?;
    Ok(json(StatusCode::OK, game))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawRequest {
    player: Side,
    action: DrawCommand,
    version: Option<u64>,
}

async fn draw(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<DrawRequest>,
) -> Result<Response, ErrorResponse> {
    let change = Change::Draw { player: request.player, action: request.action };
    let game = app.registry.change(&id, requester.guest, request.version, change).await?;
    Ok(json(StatusCode::OK, game))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdviceRequest {
    player: Side,
    kind: AdviceKind,
    version: Option<u64>,
}

async fn advice(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<AdviceRequest>,
) -> Result<Response, ErrorResponse> {
    let change = Change::Advice { player: request.player, kind: request.kind };
    let game = app.registry.change(&id, requester.guest, request.version, change).await?;
    Ok(json(StatusCode::OK, game))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameSocketParams {
    since: Option<u64>,
}

async fn open_game_socket(
    State(app): State<App>,
    requester: Requester,
    PathParam(id): PathParam,
    QueryParams(params): QueryParams<GameSocketParams>,
    upgrade: Upgrade,
) -> Result<Response, ErrorResponse> {
    let socket = PendingSocket::new(&app, SocketKind::Game, upgrade)?;
    let subscription = app.registry.subscribe(&id, requester.guest, socket.round_trip()).await?;
    Ok(socket.open(move |socket| game_socket::serve(socket, subscription, params.since, app.shutdown)))
}

async fn open_analysis_socket(
    State(app): State<App>,
    client: Client,
    upgrade: Upgrade,
) -> Result<Response, ErrorResponse> {
    let socket = PendingSocket::new(&app, SocketKind::Analysis, upgrade)?;
    Ok(socket.open(move |socket| analysis::serve(socket, Searches::of(&app, client), app.shutdown)))
}
