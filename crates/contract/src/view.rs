//! The view of a position: everything that a client needs to show it and to offer its legal moves, in one response.

use std::borrow::Cow;
use std::collections::BTreeMap;

use sandtable::core::view::{Arrangement, Diagram, MoveDetails};
use sandtable::games::{MoveInfo, describe_outcome};
use sandtable::{AnyGame, core};
use serde::Serialize;

use crate::error::ApiError;
use crate::json::{Both, Side};
use crate::position_request::PositionRequest;

/// A position with its board, outcome, moves played and legal moves.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct View {
    kind: &'static str,
    rules: &'static str,
    players: Both<&'static str>,
    first_position: String,
    position: String,
    hash: String,
    occurrences: u32,
    turn: Side,
    in_check: Option<bool>,
    /// The cell of the figure in check.
    cell_in_check: Option<String>,
    outcome: Outcome,
    board: Board,
    arrangement: ArrangementView,
    turn_in_progress: Option<TurnInProgress>,
    overlays: Vec<Overlay>,
    /// At most [`MAX_LEGAL_MOVES`]; a position request with `legal_offset` asks for the next ones.
    legal_moves: Vec<LegalMove>,
    /// The number of all legal moves.
    legal_count: u32,
    // The last field: `GameJson` completes it.
    moves_played: Vec<PlayedMove>,
}

/// The most legal moves in a view. Some Tribun positions have tens of thousands, which take megabytes.
const MAX_LEGAL_MOVES: usize = 4_096;

/// Which legal moves a view lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    None,
    /// The moves from this index on.
    From(usize),
}

impl View {
    /// The view of a game. `moves_played` comes from the caller, because a session keeps it between views.
    pub(crate) fn of(game: &dyn AnyGame, moves_played: Vec<PlayedMove>, listed: Listed) -> Self {
        let (legal_moves, legal_count) = match listed {
            Listed::None => (Vec::new(), game.count_legal() as u32),
            Listed::From(offset) => legal_moves(game, offset),
        };
        Self {
            kind: game.name(),
            rules: game.rules().unwrap_or_default(),
            players: game.players().into(),
            first_position: game.first_position_text(),
            position: game.position_text(),
            hash: format!("{:016x}", game.hash64()),
            occurrences: game.occurrences(),
            turn: game.turn().into(),
            in_check: game.in_check(),
            cell_in_check: game.cell_in_check(),
            outcome: Outcome::of(game),
            board: Board::of(game.diagram()),
            arrangement: ArrangementView::of(game.arrangement()),
            turn_in_progress: game.turn_in_progress().map(TurnInProgress::of),
            overlays: game.overlays().into_iter().map(Overlay::of).collect(),
            moves_played,
            legal_moves,
            legal_count,
        }
    }
}

/// The view of the position that a request is about.
pub(crate) fn view(request: &PositionRequest) -> Result<View, ApiError> {
    let game = request.game()?;
    Ok(View::of(&*game, played_since(&*game, 0).collect(), request.listed()))
}

/// The outcome of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Outcome {
    over: bool,
    winner: Option<Side>,
    reason: Option<String>,
    description: String,
}

impl Outcome {
    pub(crate) fn of(game: &dyn AnyGame) -> Self {
        let outcome = game.outcome();
        let description = describe_outcome(&outcome, game.players());
        let over = outcome.is_over();
        let (winner, reason) = match outcome {
            core::Outcome::Ongoing => (None, None),
            core::Outcome::Draw { reason } => (None, Some(reason)),
            core::Outcome::Win { winner, reason } => (Some(winner.into()), Some(reason)),
        };
        Self { over, winner, reason, description }
    }
}

/// The board as a picture.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Board {
    outline: Outline,
    width: f32,
    height: f32,
    inks: Both<String>,
    cells: Vec<Cell>,
    #[cfg_attr(test, ts(inline))]
    labels: Vec<Label>,
    /// The landscape, from bottom to top; it replaces the grounds of the cells.
    #[cfg_attr(test, ts(inline))]
    scenery: Vec<Scenery>,
}

/// A part of the landscape.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Scenery {
    #[cfg_attr(test, ts(inline))]
    kind: SceneryKind,
    /// SVG path data in hundredths of a cell.
    path: &'static str,
}

/// A kind of landscape.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
enum SceneryKind {
    Relief,
    Water,
    Swell,
    Wave,
    Bridge,
}

/// The shape of the cells.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outline {
    Square,
    Point,
    Hexagon,
}

/// The ground of a cell, which decides its colour.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Ground {
    Light,
    Dark,
    Gray,
    Water,
    Mixed,
    Land,
}

/// The role of a piece within a figure.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    Alone,
    Carrier,
    Passenger,
    Slave,
}

/// A cell of the board.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Cell {
    name: String,
    index: String,
    x: f32,
    y: f32,
    ground: Ground,
    terrain: Vec<&'static str>,
    figure: Option<Figure>,
    marked: bool,
}

/// A coordinate beside the board.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Label {
    text: String,
    x: f32,
    y: f32,
}

/// What stands on a cell.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Figure {
    owner: Side,
    letters: String,
    token: String,
    starred: bool,
    /// The leading piece first; the others are drawn on top of it.
    pieces: Vec<Piece>,
}

/// A piece of a figure.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Piece {
    kind: &'static str,
    owner: Side,
    role: Role,
    /// The place in the box of the figure; null if the piece fills it.
    #[cfg_attr(test, ts(inline))]
    place: Option<Place>,
    height: Option<u8>,
    starred: bool,
    /// SVG path data in a box of 100 × 100: the body, then details on it.
    outlines: &'static [&'static str],
    /// SVG path data drawn on the body with the even-odd rule; empty if there is none.
    symbol: &'static str,
    /// SVG path data of the mark of a special rank; empty if there is none.
    badge: &'static str,
}

/// Where a piece stands in the box of its figure: an offset, and a size in percent.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Place {
    x: i8,
    y: i8,
    scale: u8,
}

impl Board {
    fn of(diagram: Diagram) -> Self {
        let ink = |[r, g, b]: [u8; 3]| format!("#{r:02x}{g:02x}{b:02x}");
        let cell = |cell: core::view::Cell| Cell {
            name: cell.name,
            index: cell.index,
            x: cell.x,
            y: cell.y,
            ground: match cell.ground {
                core::view::Ground::Light => Ground::Light,
                core::view::Ground::Dark => Ground::Dark,
                core::view::Ground::Gray => Ground::Gray,
                core::view::Ground::Water => Ground::Water,
                core::view::Ground::Mixed => Ground::Mixed,
                core::view::Ground::Land => Ground::Land,
            },
            terrain: cell.terrain,
            figure: cell.figure.map(Figure::of),
            marked: cell.marked,
        };
        let label = |label: core::view::Label| Label { text: label.text, x: label.x, y: label.y };
        Self {
            outline: match diagram.outline {
                core::view::Outline::Square => Outline::Square,
                core::view::Outline::Point => Outline::Point,
                core::view::Outline::Hexagon => Outline::Hexagon,
            },
            width: diagram.width,
            height: diagram.height,
            inks: Both { first: ink(diagram.inks.first), second: ink(diagram.inks.second) },
            cells: diagram.cells.into_iter().map(cell).collect(),
            labels: diagram.labels.into_iter().map(label).collect(),
            scenery: diagram.scenery.into_iter().map(Scenery::of).collect(),
        }
    }
}

impl Scenery {
    fn of(core::view::Scenery { kind, path }: core::view::Scenery) -> Self {
        let kind = match kind {
            core::view::SceneryKind::Relief => SceneryKind::Relief,
            core::view::SceneryKind::Water => SceneryKind::Water,
            core::view::SceneryKind::Swell => SceneryKind::Swell,
            core::view::SceneryKind::Wave => SceneryKind::Wave,
            core::view::SceneryKind::Bridge => SceneryKind::Bridge,
        };
        Self { kind, path }
    }
}

impl Figure {
    pub(crate) fn of(figure: core::view::Figure) -> Self {
        let piece = |piece: core::view::FigurePiece| Piece {
            kind: piece.kind,
            owner: piece.owner.into(),
            role: match piece.role {
                core::view::PieceRole::Alone => Role::Alone,
                core::view::PieceRole::Carrier => Role::Carrier,
                core::view::PieceRole::Passenger => Role::Passenger,
                core::view::PieceRole::Slave => Role::Slave,
            },
            place: piece.place.map(|core::view::Place { x, y, scale }| Place { x, y, scale }),
            height: piece.height,
            starred: piece.starred,
            outlines: piece.outlines,
            symbol: piece.symbol,
            badge: piece.badge,
        };
        Self {
            owner: figure.owner.into(),
            letters: figure.letters,
            token: figure.token,
            starred: figure.starred,
            pieces: figure.pieces.into_iter().map(piece).collect(),
        }
    }
}

/// A position as an editor shows it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Arrangement"))]
pub(crate) struct ArrangementView {
    cells: BTreeMap<String, String>,
    turn: Side,
    fields: BTreeMap<String, String>,
}

impl ArrangementView {
    fn of(arrangement: Arrangement) -> Self {
        Self { cells: arrangement.cells, turn: arrangement.turn.into(), fields: arrangement.fields }
    }
}

/// A turn of which some steps are made.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TurnInProgress {
    from: String,
    pieces: Vec<&'static str>,
    steps: Vec<String>,
}

impl TurnInProgress {
    fn of(turn: core::view::TurnInProgress) -> Self {
        Self { from: turn.from, pieces: turn.pieces, steps: turn.steps }
    }
}

/// Cells to highlight, such as the zones of air defence.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Overlay {
    name: &'static str,
    owner: Side,
    /// The kinds of enemy pieces that it concerns.
    concerns: &'static [&'static str],
    #[cfg_attr(test, ts(inline))]
    cells: Vec<OverlayCell>,
}

/// A highlighted cell and the cells that cause it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct OverlayCell {
    cell: String,
    sources: Vec<String>,
}

impl Overlay {
    fn of(overlay: core::view::Overlay) -> Self {
        let cells = overlay.cells.into_iter().map(|(cell, sources)| OverlayCell { cell, sources });
        Self {
            name: overlay.name,
            owner: overlay.owner.into(),
            concerns: overlay.concerns,
            cells: cells.collect(),
        }
    }
}

/// A move that was played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayedMove {
    pub text: String,
    pub san: String,
    action_word: Option<u32>,
    index: u32,
    pub player: Side,
}

impl From<sandtable::games::PlayedMove> for PlayedMove {
    fn from(played: sandtable::games::PlayedMove) -> Self {
        let MoveInfo { text, san, word, index } = played.info;
        Self { text, san, action_word: word, index: index.0, player: played.player.into() }
    }
}

/// The moves played since a ply.
pub(crate) fn played_since(game: &dyn AnyGame, ply: usize) -> impl Iterator<Item = PlayedMove> + use<> {
    game.played_since(ply).into_iter().map(PlayedMove::from)
}

/// A legal move with its details. No two legal moves of a position have the same details.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LegalMove {
    text: String,
    san: String,
    action_word: Option<u32>,
    index: u32,
    kind: &'static str,
    from: Option<Cow<'static, str>>,
    to: Option<Cow<'static, str>>,
    group: Vec<&'static str>,
    deploys: bool,
    takes: Option<Cow<'static, str>>,
    becomes: Option<&'static str>,
    amount: Option<u8>,
    shares: Vec<Share>,
}

/// A part of a move that affects another cell.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Share {
    cell: Cow<'static, str>,
    amount: u8,
}

/// The legal moves from an index on, and the number of all legal moves.
fn legal_moves(game: &dyn AnyGame, offset: usize) -> (Vec<LegalMove>, u32) {
    let legal_move = |(info, details): (MoveInfo, MoveDetails)| LegalMove {
        text: info.text,
        san: info.san,
        action_word: info.word,
        index: info.index.0,
        kind: details.kind,
        from: details.from,
        to: details.to,
        group: details.group,
        deploys: details.deploys,
        takes: details.takes,
        becomes: details.becomes,
        amount: details.amount,
        shares: details.shares.into_iter().map(|s| Share { cell: s.cell, amount: s.amount }).collect(),
    };
    let page = game.legal_page(offset, MAX_LEGAL_MOVES);
    (page.moves.into_iter().map(legal_move).collect(), page.count as u32)
}
