//! All that can be seen of a position, in one answer.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sandtable::core::{self, Arrangement, Diagram, Ground, Layout, MoveParts, Outline, Shape};
use sandtable::{AnyGame, GameKind, MoveInfo, find, in_words};
use serde::Serialize;

use crate::wire::{Both, Side};

#[derive(Debug, Serialize)]
pub(crate) struct View {
    kind: &'static str,
    rules: &'static str,
    players: Both<&'static str>,
    first_position: String,
    position: String,
    hash: String,
    occurrences: u32,
    turn: Side,
    check: Option<bool>,
    checked: Option<String>,
    pub(crate) outcome: Outcome,
    board: Board,
    arrangement: Arranged,
    pending: Option<Pending>,
    overlays: Vec<Overlay>,
    history: Vec<Played>,
    actions: Vec<Action>,
}

impl View {
    /// The view of a game whose moves are already known in all their forms.
    pub(crate) fn of(game: &dyn AnyGame, history: Vec<Played>, actions: bool) -> Self {
        let outcome = Outcome::of(game);
        let actions = if actions && !outcome.over { actions_of(game) } else { Vec::new() };
        Self {
            kind: game.name(),
            rules: game.rules().unwrap_or_default(),
            players: game.players().into(),
            first_position: game.first_position(),
            position: game.position(),
            hash: format!("{:016x}", game.hash64()),
            occurrences: game.occurrences(),
            turn: game.turn().into(),
            check: game.check(),
            checked: game.checked(),
            outcome,
            board: Board::of(game.diagram()),
            arrangement: Arranged::of(game.arrangement()),
            pending: game.pending().map(Pending::of),
            overlays: game.overlays().into_iter().map(Overlay::of).collect(),
            history,
            actions,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) over: bool,
    winner: Option<Side>,
    reason: Option<String>,
    words: String,
}

impl Outcome {
    pub(crate) fn of(game: &dyn AnyGame) -> Self {
        let outcome = game.outcome();
        let words = in_words(&outcome, game.players());
        let over = outcome.is_over();
        let (winner, reason) = match outcome {
            core::Outcome::Ongoing => (None, None),
            core::Outcome::Draw { reason } => (None, Some(reason)),
            core::Outcome::Win { winner, reason } => (Some(winner.into()), Some(reason)),
        };
        Self { over, winner, reason, words }
    }
}

#[derive(Debug, Serialize)]
struct Board {
    outline: &'static str,
    width: f32,
    height: f32,
    inks: Both<String>,
    cells: Vec<Cell>,
    labels: Vec<Label>,
}

#[derive(Debug, Serialize)]
struct Cell {
    name: String,
    index: String,
    x: f32,
    y: f32,
    ground: &'static str,
    terrain: Vec<&'static str>,
    figure: Option<Figure>,
    marked: bool,
}

#[derive(Debug, Serialize)]
struct Label {
    text: String,
    x: f32,
    y: f32,
}

#[derive(Debug, Serialize)]
pub(crate) struct Figure {
    owner: Side,
    letters: String,
    token: String,
    starred: bool,
    pieces: Vec<Piece>,
}

#[derive(Debug, Serialize)]
struct Piece {
    kind: &'static str,
    owner: Side,
    role: &'static str,
    height: Option<u8>,
    starred: bool,
    outlines: &'static [&'static str],
    symbol: &'static str,
}

impl Board {
    fn of(diagram: Diagram) -> Self {
        let ink = |[r, g, b]: [u8; 3]| format!("#{r:02x}{g:02x}{b:02x}");
        let cell = |cell: core::Cell| Cell {
            name: cell.name,
            index: cell.index,
            x: cell.x,
            y: cell.y,
            ground: match cell.ground {
                Ground::Light => "light",
                Ground::Dark => "dark",
                Ground::Gray => "gray",
                Ground::Water => "water",
                Ground::Mixed => "mixed",
                Ground::Land => "land",
            },
            terrain: cell.terrain,
            figure: cell.figure.map(Figure::of),
            marked: cell.marked,
        };
        let label = |label: core::Label| Label { text: label.text, x: label.x, y: label.y };
        Self {
            outline: match diagram.outline {
                Outline::Square => "square",
                Outline::Point => "point",
                Outline::Hexagon => "hexagon",
            },
            width: diagram.width,
            height: diagram.height,
            inks: Both { first: ink(diagram.inks.first), second: ink(diagram.inks.second) },
            cells: diagram.cells.into_iter().map(cell).collect(),
            labels: diagram.labels.into_iter().map(label).collect(),
        }
    }
}

impl Figure {
    pub(crate) fn of(figure: core::Figure) -> Self {
        let piece = |piece: core::FigurePiece| Piece {
            kind: piece.kind,
            owner: piece.owner.into(),
            role: match piece.role {
                core::Role::Alone => "alone",
                core::Role::Carrier => "carrier",
                core::Role::Passenger => "passenger",
                core::Role::Slave => "slave",
            },
            height: piece.height,
            starred: piece.starred,
            outlines: piece.outlines,
            symbol: piece.symbol,
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

#[derive(Debug, Serialize)]
struct Arranged {
    cells: BTreeMap<String, String>,
    turn: Side,
    fields: BTreeMap<String, String>,
}

impl Arranged {
    fn of(arrangement: Arrangement) -> Self {
        Self { cells: arrangement.cells, turn: arrangement.turn.into(), fields: arrangement.fields }
    }
}

#[derive(Debug, Serialize)]
struct Pending {
    from: String,
    pieces: Vec<&'static str>,
    steps: Vec<String>,
}

impl Pending {
    fn of(pending: core::Pending) -> Self {
        Self { from: pending.from, pieces: pending.pieces, steps: pending.steps }
    }
}

#[derive(Debug, Serialize)]
struct Overlay {
    name: &'static str,
    owner: Side,
    cells: Vec<Overlaid>,
}

#[derive(Debug, Serialize)]
struct Overlaid {
    cell: String,
    by: Vec<String>,
}

impl Overlay {
    fn of(overlay: core::Overlay) -> Self {
        let cells = overlay.cells.into_iter().map(|(cell, by)| Overlaid { cell, by });
        Self { name: overlay.name, owner: overlay.owner.into(), cells: cells.collect() }
    }
}

/// A move that was played.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Played {
    pub(crate) text: String,
    pub(crate) san: String,
    word: Option<u32>,
    index: u32,
    player: Side,
}

impl From<sandtable::Played> for Played {
    fn from(played: sandtable::Played) -> Self {
        let MoveInfo { text, san, word, index } = played.info;
        Self { text, san, word, index: index.0, player: played.player.into() }
    }
}

/// The moves of a game after the first `skipped`.
pub(crate) fn history(game: &dyn AnyGame, skipped: usize) -> impl Iterator<Item = Played> + use<> {
    game.played(skipped).into_iter().map(Played::from)
}

#[derive(Debug, Serialize)]
struct Action {
    text: String,
    san: String,
    word: Option<u32>,
    index: u32,
    kind: &'static str,
    from: Option<String>,
    to: Option<String>,
    group: Vec<&'static str>,
    deploys: bool,
    takes: Option<String>,
    becomes: Option<&'static str>,
    amount: Option<u8>,
    shares: Vec<Share>,
}

#[derive(Debug, Serialize)]
struct Share {
    cell: String,
    amount: u8,
}

fn actions_of(game: &dyn AnyGame) -> Vec<Action> {
    let action = |(info, parts): (MoveInfo, MoveParts)| Action {
        text: info.text,
        san: info.san,
        word: info.word,
        index: info.index.0,
        kind: parts.kind,
        from: parts.from,
        to: parts.to,
        group: parts.group,
        deploys: parts.deploys,
        takes: parts.takes,
        becomes: parts.becomes,
        amount: parts.amount,
        shares: parts.shares.into_iter().map(|s| Share { cell: s.cell, amount: s.amount }).collect(),
    };
    game.moves().into_iter().zip(game.move_parts()).map(action).collect()
}

/// What a neural network sees, and the raw forms.
#[derive(Debug, Serialize)]
pub(crate) struct Inside {
    encoding: &'static str,
    shape: Extents,
    frame: Vec<Option<String>>,
    planes: Vec<PlaneValues>,
    policy: LegalPolicy,
    position: String,
    hash: String,
    bytes: Option<Bytes>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Extents {
    rows: usize,
    cols: usize,
    planes: usize,
}

impl From<Shape> for Extents {
    fn from(shape: Shape) -> Self {
        Self { rows: shape.rows, cols: shape.cols, planes: shape.planes }
    }
}

#[derive(Debug, Serialize)]
struct PlaneValues {
    name: &'static str,
    means: &'static str,
    values: Vec<f32>,
}

#[derive(Debug, Serialize)]
struct LegalPolicy {
    id: &'static str,
    size: usize,
    legal: usize,
}

#[derive(Debug, Serialize)]
struct Bytes {
    hex: String,
    base64: String,
}

impl Inside {
    pub(crate) fn of(game: &dyn AnyGame) -> Self {
        let kind: &GameKind = find(game.name()).expect("the game is one of the table's");
        let mut values = vec![0.0; kind.shape.len()];
        game.write_observation(Layout::Chw, &mut values).expect("the shape is the game's");
        let mut frame = vec![None; kind.shape.cells()];
        for cell in game.diagram().cells {
            frame[cell.place] = Some(cell.name);
        }
        let planes = kind.planes.iter().zip(values.chunks_exact(kind.shape.cells()));
        let plane = |(plane, values): (&core::Plane, &[f32])| PlaneValues {
            name: plane.name,
            means: plane.values,
            values: values.to_vec(),
        };
        let bytes = game.bytes().map(|bytes| {
            let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
                write!(hex, "{byte:02x}").expect("a string takes all");
                hex
            });
            Bytes { hex, base64: BASE64_STANDARD.encode(&bytes) }
        });
        Self {
            encoding: kind.encoding,
            shape: kind.shape.into(),
            frame,
            planes: planes.map(plane).collect(),
            policy: LegalPolicy { id: kind.policy, size: kind.policy_size, legal: game.moves().len() },
            position: game.position(),
            hash: format!("{:016x}", game.hash64()),
            bytes,
        }
    }
}
