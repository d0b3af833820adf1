//! The routes of the API. `openapi.yaml` describes each, and the tests check that both agree.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use sandtable::core::{Arrangement, Fault, Tags};
use sandtable::{GAMES, GameKind, Level, find};
use serde::{Deserialize, Serialize};

use crate::blocking::run_blocking;
use crate::clock::ClockSettings;
use crate::error::{ApiError, ErrorCode};
use crate::extract::{JsonBody, PathParam, QueryParams};
use crate::inspection::{Inspection, ShapeView};
use crate::json::{Both, Side, to_json};
use crate::position_request::{MAX_MOVES, PositionRequest, find_kind, rules_or_default, too_many_moves};
use crate::session::{DrawCommand, GameSettings, MoveChoice, Seat, Session};
use crate::socket::{PendingSocket, Upgrade};
use crate::view::{Figure, View, played_since};
use crate::{App, analysis, game_socket};

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/api/health", get(health))
        .route("/api/openapi.yaml", get(openapi))
        .route("/api/kinds", get(kinds))
        .route("/api/kinds/{kind}/palette", get(palette))
        .route("/api/position", post(position))
        .route("/api/inspect", post(inspect))
        .route("/api/setup", post(setup))
        .route("/api/records/read", post(read_record))
        .route("/api/records/write", post(write_record))
        .route("/api/games", get(list_games).post(create_game))
        .route("/api/games/{id}", get(game).delete(delete_game))
        .route("/api/games/{id}/moves", post(play))
        .route("/api/games/{id}/undo", post(undo))
        .route("/api/games/{id}/resign", post(resign))
        .route("/api/games/{id}/draw", post(draw))
        .route("/api/games/{id}/record", get(record))
        .route("/api/games/{id}/socket", get(open_game_socket))
        .route("/api/analysis", get(open_analysis_socket))
        .method_not_allowed_fallback(async || ApiError::method_not_allowed())
}

/// A response whose body is already serialised.
fn json(status: StatusCode, body: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Computes and serialises a response on the blocking thread pool.
async fn blocking_json<T: Serialize>(
    compute: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    run_blocking(move || Ok(json(StatusCode::OK, to_json(&compute()?)?))).await
}

#[derive(Serialize)]
struct Health {
    name: &'static str,
    version: &'static str,
}

async fn health() -> Json<Health> {
    Json(Health { name: "sandtable", version: env!("CARGO_PKG_VERSION") })
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/yaml")], include_str!("../openapi.yaml"))
}

#[derive(Serialize)]
struct Kind {
    name: &'static str,
    rules: Vec<&'static str>,
    players: Both<&'static str>,
    levels: usize,
    confirm_moves: bool,
    record_extension: &'static str,
    encoding: &'static str,
    shape: ShapeView,
    planes: Vec<Plane>,
    policy: Policy,
    fields: Vec<ArrangementField>,
}

#[derive(Serialize)]
struct Plane {
    name: &'static str,
    description: &'static str,
}

#[derive(Serialize)]
struct Policy {
    id: &'static str,
    size: usize,
}

#[derive(Serialize)]
struct ArrangementField {
    name: &'static str,
    default: &'static str,
    description: &'static str,
}

impl From<&GameKind> for Kind {
    fn from(kind: &GameKind) -> Self {
        let plane = |plane: &sandtable::core::Plane| Plane { name: plane.name, description: plane.values };
        let field = |field: &sandtable::core::ArrangementField| ArrangementField {
            name: field.name,
            default: field.default,
            description: field.expected,
        };
        Self {
            name: kind.name,
            rules: (kind.rules)(),
            players: kind.players.into(),
            levels: Level::all().count(),
            confirm_moves: kind.has_shares,
            record_extension: kind.record_extension,
            encoding: kind.encoding,
            shape: kind.shape.into(),
            planes: kind.planes.iter().map(plane).collect(),
            policy: Policy { id: kind.policy, size: kind.policy_size },
            fields: kind.fields.iter().map(field).collect(),
        }
    }
}

async fn kinds() -> Json<Vec<Kind>> {
    Json(GAMES.iter().map(Kind::from).collect())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PaletteParams {
    rules: Option<String>,
}

#[derive(Serialize)]
struct Palette {
    regions: Vec<Vec<String>>,
    figures: Vec<PaletteFigure>,
}

#[derive(Serialize)]
struct PaletteFigure {
    figure: Figure,
    region: usize,
}

async fn palette(
    PathParam(name): PathParam,
    QueryParams(params): QueryParams<PaletteParams>,
) -> Result<Response, ApiError> {
    blocking_json(move || {
        let not_found = |e: sandtable::UnknownName| ApiError::new(ErrorCode::NotFound, e);
        let kind = find(&name).map_err(not_found)?;
        let rules = rules_or_default(kind, params.rules.as_deref());
        let palette = kind.palette(rules).map_err(not_found)?;
        let figure = |(figure, region)| PaletteFigure { figure: Figure::of(figure), region };
        Ok(Palette { regions: palette.regions, figures: palette.figures.into_iter().map(figure).collect() })
    })
    .await
}

async fn position(JsonBody(request): JsonBody<PositionRequest>) -> Result<Response, ApiError> {
    blocking_json(move || {
        let game = request.game()?;
        Ok(View::of(&*game, played_since(&*game, 0).collect(), request.legal_moves))
    })
    .await
}

async fn inspect(JsonBody(request): JsonBody<PositionRequest>) -> Result<Response, ApiError> {
    blocking_json(move || Ok(Inspection::of(&*request.game()?))).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupRequest {
    kind: String,
    rules: Option<String>,
    cells: BTreeMap<String, String>,
    turn: Side,
    #[serde(default)]
    fields: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct SetupResponse {
    position: Option<String>,
    faults: Vec<FaultView>,
}

#[derive(Serialize)]
struct FaultView {
    text: String,
    place: Option<String>,
}

async fn setup(JsonBody(request): JsonBody<SetupRequest>) -> Result<Response, ApiError> {
    blocking_json(move || {
        let SetupRequest { kind, rules, cells, turn, fields } = request;
        let kind = find_kind(&kind)?;
        let arrangement = Arrangement { cells, turn: turn.into(), fields };
        let composed = kind.compose(&arrangement, rules_or_default(kind, rules.as_deref()));
        Ok(match composed.map_err(|e| ApiError::new(ErrorCode::InvalidPosition, e))? {
            Ok(game) => SetupResponse { position: Some(game.position_text()), faults: Vec::new() },
            Err(faults) => {
                let fault = |fault: Fault| FaultView { text: fault.text, place: fault.place };
                SetupResponse { position: None, faults: faults.into_iter().map(fault).collect() }
            }
        })
    })
    .await
}

/// The longest record, in bytes: enough for [`MAX_MOVES`] moves with comments, and short enough to parse quickly even if it
/// has moves only.
const MAX_RECORD_LENGTH: usize = 100_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadRecordRequest {
    kind: String,
    rules: Option<String>,
    record: String,
}

#[derive(Serialize)]
struct ParsedRecord {
    tags: Tags,
    view: View,
}

async fn read_record(JsonBody(request): JsonBody<ReadRecordRequest>) -> Result<Response, ApiError> {
    blocking_json(move || {
        let ReadRecordRequest { kind, rules, record } = request;
        let kind = find_kind(&kind)?;
        let invalid = |message: String| ApiError::new(ErrorCode::InvalidRecord, message);
        if record.len() > MAX_RECORD_LENGTH {
            let length = record.len();
            return Err(invalid(format!("record too long: {length} bytes, at most {MAX_RECORD_LENGTH}")));
        }
        let loaded = kind.load_record(&record, rules_or_default(kind, rules.as_deref()));
        let (game, tags) = loaded.map_err(|e| invalid(e.to_string()))?;
        if game.ply() > MAX_MOVES {
            return Err(invalid(too_many_moves(game.ply())));
        }
        Ok(ParsedRecord { tags, view: View::of(&*game, played_since(&*game, 0).collect(), true) })
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteRecordRequest {
    kind: String,
    rules: Option<String>,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    tags: Tags,
}

#[derive(Serialize)]
struct Record {
    record: String,
    extension: &'static str,
}

async fn write_record(JsonBody(request): JsonBody<WriteRecordRequest>) -> Result<Response, ApiError> {
    blocking_json(move || {
        let WriteRecordRequest { kind, rules, position, moves, tags } = request;
        let extension = find_kind(&kind)?.record_extension;
        let request = PositionRequest { kind, rules, position, moves, legal_moves: false };
        Ok(Record { record: request.game()?.record(&tags), extension })
    })
    .await
}

/// The most games in one page of the list.
const MAX_PAGE: u32 = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListParams {
    #[serde(default = "default_page")]
    limit: u32,
    before: Option<u64>,
}

const fn default_page() -> u32 {
    50
}

async fn list_games(
    State(app): State<App>,
    QueryParams(params): QueryParams<ListParams>,
) -> Result<Response, ApiError> {
    let limit = params.limit;
    if !(1..=MAX_PAGE).contains(&limit) {
        let message = format!("`limit` out of range: {limit}, expected 1 to {MAX_PAGE}");
        return Err(ApiError::bad_request(message));
    }
    let summaries = app.registry.list(limit, params.before).await?;
    Ok(json(StatusCode::OK, format!("[{}]", summaries.join(","))))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewGame {
    kind: String,
    rules: Option<String>,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    seats: Both<Seat>,
    clock: Option<ClockSettings>,
    #[serde(default)]
    tags: Tags,
}

/// The longest name of a player, in characters.
const MAX_NAME_LENGTH: usize = 80;
/// The most tags of a new game.
const MAX_TAGS: usize = 64;

async fn create_game(
    State(app): State<App>,
    JsonBody(request): JsonBody<NewGame>,
) -> Result<Response, ApiError> {
    let NewGame { kind, rules, position, moves, seats, clock, tags } = request;
    for seat in [&seats.first, &seats.second] {
        let Seat::Human { name: Some(name) } = seat else { continue };
        let length = name.chars().count();
        if length > MAX_NAME_LENGTH {
            let message = format!("player name too long: {length} characters, at most {MAX_NAME_LENGTH}");
            return Err(ApiError::bad_request(message));
        }
    }
    if tags.len() > MAX_TAGS {
        return Err(ApiError::bad_request(format!("too many tags: {}, at most {MAX_TAGS}", tags.len())));
    }
    let position = PositionRequest { kind, rules, position, moves, legal_moves: true };
    let game = app.registry.create(GameSettings { position, seats, clock, tags }).await?;
    Ok(json(StatusCode::CREATED, game.json))
}

async fn game(State(app): State<App>, PathParam(id): PathParam) -> Result<Response, ApiError> {
    Ok(json(StatusCode::OK, app.registry.game(&id).await?.json))
}

async fn delete_game(State(app): State<App>, PathParam(id): PathParam) -> Result<StatusCode, ApiError> {
    app.registry.delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn record(State(app): State<App>, PathParam(id): PathParam) -> Result<Json<Record>, ApiError> {
    let (record, extension) = app.registry.record(&id).await?;
    Ok(Json(Record { record, extension }))
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
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<MoveRequest>,
) -> Result<Response, ApiError> {
    let choice = match (request.text, request.index) {
        (Some(text), None) => MoveChoice::Text(text),
        (None, Some(index)) => MoveChoice::Index(index),
        _ => return Err(ApiError::bad_request("expected either `text` or `index`")),
    };
    let play = move |session: &mut Session, now| session.play(&choice, now);
    let game = app.registry.change(&id, request.version, play).await?;
    Ok(json(StatusCode::OK, game.json))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UndoRequest {
    version: Option<u64>,
}

async fn undo(
    State(app): State<App>,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<UndoRequest>,
) -> Result<Response, ApiError> {
    let game = app.registry.change(&id, request.version, Session::undo).await?;
    Ok(json(StatusCode::OK, game.json))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResignRequest {
    player: Side,
    version: Option<u64>,
}

async fn resign(
    State(app): State<App>,
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<ResignRequest>,
) -> Result<Response, ApiError> {
    let resign = move |session: &mut Session, now| session.resign(request.player.into(), now);
    let game = app.registry.change(&id, request.version, resign).await?;
    Ok(json(StatusCode::OK, game.json))
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
    PathParam(id): PathParam,
    JsonBody(request): JsonBody<DrawRequest>,
) -> Result<Response, ApiError> {
    let draw = move |session: &mut Session, now| {
        session.check_human(request.player.into())?;
        session.draw_action(request.player.into(), request.action, now)
    };
    let game = app.registry.change(&id, request.version, draw).await?;
    Ok(json(StatusCode::OK, game.json))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameSocketParams {
    since: Option<u64>,
}

async fn open_game_socket(
    State(app): State<App>,
    PathParam(id): PathParam,
    QueryParams(params): QueryParams<GameSocketParams>,
    upgrade: Upgrade,
) -> Result<Response, ApiError> {
    let socket = PendingSocket::new(&app, upgrade)?;
    let (game, updates) = app.registry.subscribe(&id).await?;
    Ok(socket.open(move |socket| game_socket::serve(socket, game, params.since, updates, app.shutdown)))
}

async fn open_analysis_socket(State(app): State<App>, upgrade: Upgrade) -> Result<Response, ApiError> {
    let socket = PendingSocket::new(&app, upgrade)?;
    let (pool, shutdown) = (Arc::clone(&app.analysis_pool), app.shutdown);
    Ok(socket.open(move |socket| analysis::serve(socket, pool, shutdown)))
}
