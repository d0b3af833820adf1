//! The paths of the API. Each is described in `openapi.yaml`, and the tests hold the two together.

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

use crate::App;
use crate::analysis::converse;
use crate::body::{Asked, Body, InPath};
use crate::clock::Control;
use crate::hall::Snapshot;
use crate::refusal::{Code, Refusal};
use crate::said::{MAX_MOVES, Said, kind, rules};
use crate::session::{Act, Beginning, Choice, PlayedBy, Session};
use crate::socket::{Opening, Upgrade};
use crate::view::{Extents, Figure, Inside, View, history};
use crate::wire::{Both, Side, to_json};
use crate::work::work;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/api/health", get(health))
        .route("/api/openapi.yaml", get(description))
        .route("/api/kinds", get(kinds))
        .route("/api/kinds/{kind}/palette", get(palette))
        .route("/api/position", post(position))
        .route("/api/inspect", post(inspect))
        .route("/api/setup", post(setup))
        .route("/api/records/read", post(read_record))
        .route("/api/records/write", post(write_record))
        .route("/api/games", get(games).post(new_game))
        .route("/api/games/{id}", get(game).delete(delete_game))
        .route("/api/games/{id}/moves", post(play))
        .route("/api/games/{id}/undo", post(undo))
        .route("/api/games/{id}/resign", post(resign))
        .route("/api/games/{id}/draw", post(draw))
        .route("/api/games/{id}/record", get(record))
        .route("/api/games/{id}/socket", get(follow))
        .route("/api/analysis", get(analysis))
        .method_not_allowed_fallback(async || Refusal::method_not_allowed())
}

#[derive(Serialize)]
struct Health {
    name: &'static str,
    version: &'static str,
}

async fn health() -> Json<Health> {
    Json(Health { name: "sandtable", version: env!("CARGO_PKG_VERSION") })
}

async fn description() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/yaml")], include_str!("../openapi.yaml"))
}

#[derive(Serialize)]
struct Kind {
    name: &'static str,
    rules: Vec<&'static str>,
    players: Both<&'static str>,
    levels: usize,
    confirms: bool,
    record_extension: &'static str,
    encoding: &'static str,
    shape: Extents,
    planes: Vec<Plane>,
    policy: Policy,
    fields: Vec<Field>,
}

#[derive(Serialize)]
struct Plane {
    name: &'static str,
    values: &'static str,
}

#[derive(Serialize)]
struct Policy {
    id: &'static str,
    size: usize,
}

#[derive(Serialize)]
struct Field {
    name: &'static str,
    default: &'static str,
    means: &'static str,
}

impl From<&GameKind> for Kind {
    fn from(kind: &GameKind) -> Self {
        let field = |f: &sandtable::core::Field| Field { name: f.name, default: f.default, means: f.means };
        Self {
            name: kind.name,
            rules: (kind.rules)(),
            players: kind.players.into(),
            levels: Level::all().count(),
            confirms: kind.shares,
            record_extension: kind.record_extension,
            encoding: kind.encoding,
            shape: kind.shape.into(),
            planes: kind.planes.iter().map(|p| Plane { name: p.name, values: p.values }).collect(),
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
struct AskedRules {
    rules: Option<String>,
}

#[derive(Serialize)]
struct Palette {
    regions: Vec<Vec<String>>,
    figures: Vec<Placeable>,
}

#[derive(Serialize)]
struct Placeable {
    figure: Figure,
    region: usize,
}

async fn palette(InPath(name): InPath, Asked(asked): Asked<AskedRules>) -> Result<Response, Refusal> {
    worked(move || {
        let missing = |e: sandtable::Unknown| Refusal::new(Code::NotFound, e);
        let kind = find(&name).map_err(missing)?;
        let palette = kind.palette(rules(kind, asked.rules.as_deref())).map_err(missing)?;
        let figures = palette.figures.into_iter();
        let figures = figures.map(|(figure, region)| Placeable { figure: Figure::of(figure), region });
        Ok(Palette { regions: palette.regions, figures: figures.collect() })
    })
    .await
}

/// An answer that is long enough to be written down where the work is done.
async fn worked<T: Serialize>(
    answer: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    work(move || Ok(json(StatusCode::OK, to_json(&answer()?)?))).await
}

async fn position(Body(said): Body<Said>) -> Result<Response, Refusal> {
    worked(move || {
        let game = said.game()?;
        let history = history(&*game, 0).collect();
        Ok(View::of(&*game, history, said.actions))
    })
    .await
}

async fn inspect(Body(said): Body<Said>) -> Result<Response, Refusal> {
    worked(move || Ok(Inside::of(&*said.game()?))).await
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
struct SetupAnswer {
    position: Option<String>,
    reasons: Vec<Reason>,
}

#[derive(Serialize)]
struct Reason {
    text: String,
    r#where: Option<String>,
}

async fn setup(Body(request): Body<SetupRequest>) -> Result<Response, Refusal> {
    worked(move || {
        let SetupRequest { kind: name, rules: named, cells, turn, fields } = request;
        let kind = kind(&name)?;
        let arrangement = Arrangement { cells, turn: turn.into(), fields };
        let composed = kind.compose(&arrangement, rules(kind, named.as_deref()));
        Ok(match composed.map_err(|e| Refusal::new(Code::BadPosition, e))? {
            Ok(game) => SetupAnswer { position: Some(game.position()), reasons: Vec::new() },
            Err(faults) => {
                let reason = |fault: Fault| Reason { text: fault.text, r#where: fault.place };
                SetupAnswer { position: None, reasons: faults.into_iter().map(reason).collect() }
            }
        })
    })
    .await
}

/// No record is longer, in bytes: it has room for a game of as many moves as any game has, with words about them, and does
/// not take long to read even if it has moves alone.
const MAX_RECORD: usize = 100_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadRecord {
    kind: String,
    rules: Option<String>,
    record: String,
}

#[derive(Serialize)]
struct Loaded {
    tags: Tags,
    view: View,
}

async fn read_record(Body(request): Body<ReadRecord>) -> Result<Response, Refusal> {
    worked(move || {
        let kind = kind(&request.kind)?;
        if request.record.len() > MAX_RECORD {
            let why = format!("{} bytes are more than the {MAX_RECORD} of any record", request.record.len());
            return Err(Refusal::new(Code::BadRecord, why));
        }
        let loaded = kind.load_record(&request.record, rules(kind, request.rules.as_deref()));
        let (game, tags) = loaded.map_err(|e| Refusal::new(Code::BadRecord, e))?;
        if game.ply() > MAX_MOVES {
            let why = format!("{} moves are more than the {MAX_MOVES} of any game", game.ply());
            return Err(Refusal::new(Code::BadRecord, why));
        }
        let history = history(&*game, 0).collect();
        Ok(Loaded { tags, view: View::of(&*game, history, true) })
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteRecord {
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

async fn write_record(Body(request): Body<WriteRecord>) -> Result<Response, Refusal> {
    worked(move || {
        let WriteRecord { kind: name, rules, position, moves, tags } = request;
        let extension = kind(&name)?.record_extension;
        let said = Said { kind: name, rules, position, moves, actions: false };
        Ok(Record { record: said.game()?.record(&tags), extension })
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    #[serde(default = "page")]
    limit: u32,
    before: Option<u64>,
}

const fn page() -> u32 {
    50
}

/// JSON that is already text.
fn json(status: StatusCode, text: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn games(State(app): State<App>, Asked(listed): Asked<Listed>) -> Result<Response, Refusal> {
    if !(1..=200).contains(&listed.limit) {
        return Err(Refusal::new(Code::BadRequest, "the limit is from 1 to 200"));
    }
    let summaries = app.hall.list(listed.limit, listed.before).await?;
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
    players: Both<PlayedBy>,
    clock: Option<Control>,
    #[serde(default)]
    tags: Tags,
}

/// No name is longer, in characters.
const MAX_NAME: usize = 80;
/// No record has more tags.
const MAX_TAGS: usize = 64;

async fn new_game(State(app): State<App>, Body(new): Body<NewGame>) -> Result<Response, Refusal> {
    let NewGame { kind, rules, position, moves, players, clock, tags } = new;
    for player in [&players.first, &players.second] {
        if matches!(player, PlayedBy::Person { name: Some(name) } if name.chars().count() > MAX_NAME) {
            return Err(Refusal::new(Code::BadRequest, format!("a name has at most {MAX_NAME} characters")));
        }
    }
    if tags.len() > MAX_TAGS {
        return Err(Refusal::new(Code::BadRequest, format!("a record has at most {MAX_TAGS} tags")));
    }
    let said = Said { kind, rules, position, moves, actions: true };
    let game = app.hall.begin(Beginning { said, players, clock, tags }).await?;
    Ok(json(StatusCode::CREATED, game.json))
}

async fn game(State(app): State<App>, InPath(id): InPath) -> Result<Response, Refusal> {
    Ok(json(StatusCode::OK, app.hall.game(&id).await?.json))
}

async fn delete_game(State(app): State<App>, InPath(id): InPath) -> Result<StatusCode, Refusal> {
    app.hall.delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn record(State(app): State<App>, InPath(id): InPath) -> Result<Json<Record>, Refusal> {
    let (record, extension) = app.hall.record(&id).await?;
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
    InPath(id): InPath,
    Body(request): Body<MoveRequest>,
) -> Result<Response, Refusal> {
    let choice = match (request.text, request.index) {
        (Some(text), None) => Choice::Text(text),
        (None, Some(index)) => Choice::Index(index),
        _ => return Err(Refusal::new(Code::BadRequest, "a move has either a text or an index")),
    };
    let act = move |session: &mut Session, now| session.play(&choice, now);
    changed(app.hall.change(&id, request.version, act).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Versioned {
    version: Option<u64>,
}

async fn undo(
    State(app): State<App>,
    InPath(id): InPath,
    Body(request): Body<Versioned>,
) -> Result<Response, Refusal> {
    changed(app.hall.change(&id, request.version, Session::undo).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Resign {
    player: Side,
    version: Option<u64>,
}

async fn resign(
    State(app): State<App>,
    InPath(id): InPath,
    Body(request): Body<Resign>,
) -> Result<Response, Refusal> {
    let act = move |session: &mut Session, now| session.resign(request.player.into(), now);
    changed(app.hall.change(&id, request.version, act).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawRequest {
    player: Side,
    act: Act,
    version: Option<u64>,
}

async fn draw(
    State(app): State<App>,
    InPath(id): InPath,
    Body(request): Body<DrawRequest>,
) -> Result<Response, Refusal> {
    let act = move |session: &mut Session, now| {
        session.check_person(request.player.into())?;
        session.discuss(request.player.into(), request.act, now)
    };
    changed(app.hall.change(&id, request.version, act).await?)
}

#[expect(clippy::unnecessary_wraps, reason = "it ends handlers that can refuse")]
fn changed(game: Snapshot) -> Result<Response, Refusal> {
    Ok(json(StatusCode::OK, game.json))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Since {
    since: Option<u64>,
}

async fn follow(
    State(app): State<App>,
    InPath(id): InPath,
    Asked(asked): Asked<Since>,
    upgrade: Upgrade,
) -> Result<Response, Refusal> {
    let opening = Opening::new(&app, upgrade)?;
    let (game, news) = app.hall.follow(&id).await?;
    Ok(opening.open(move |socket| crate::follow::follow(socket, game, asked.since, news, app.stopping)))
}

async fn analysis(State(app): State<App>, upgrade: Upgrade) -> Result<Response, Refusal> {
    let opening = Opening::new(&app, upgrade)?;
    let (analysts, stopping) = (Arc::clone(&app.analysts), app.stopping);
    Ok(opening.open(move |socket| converse(socket, analysts, stopping)))
}
