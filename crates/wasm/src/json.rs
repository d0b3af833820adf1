//! Values that cross the boundary as JSON. Their field names are those of the package's interface.

use std::borrow::Cow;

use sandtable::core::view::MoveDetails;
use sandtable::games::{MoveInfo, describe_outcome};
use sandtable::search::{Report, Score};
use sandtable::{AnyGame, GameKind, core};
use serde::Serialize;

/// Serialises a value.
pub(crate) fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values have a JSON form")
}

/// The constants of a kind of game.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Kind {
    name: &'static str,
    players: [&'static str; 2],
    rules: &'static [&'static str],
    observation_shape: [usize; 3],
    planes: Vec<&'static str>,
    encoding: &'static str,
    policy: &'static str,
    policy_size: usize,
    record_extension: &'static str,
}

impl Kind {
    pub(crate) fn of(kind: &GameKind) -> Self {
        Self {
            name: kind.name,
            players: [kind.players.first, kind.players.second],
            rules: kind.rules,
            observation_shape: kind.shape.extents(core::learn::Layout::Hwc),
            planes: kind.planes.iter().map(|plane| plane.name).collect(),
            encoding: kind.encoding,
            policy: kind.policy,
            policy_size: kind.policy_size,
            record_extension: kind.record_extension,
        }
    }
}

#[derive(Serialize)]
pub(crate) struct Outcome {
    winner: Option<usize>,
    reason: String,
    description: String,
}

impl Outcome {
    /// The outcome of a game; `None` while it is in progress.
    pub(crate) fn of(game: &dyn AnyGame) -> Option<Self> {
        let outcome = game.outcome();
        let description = describe_outcome(&outcome, game.players());
        let winner = outcome.winner().map(core::Player::index);
        match outcome {
            core::Outcome::Ongoing => None,
            core::Outcome::Win { reason, .. } | core::Outcome::Draw { reason } => {
                Some(Self { winner, reason, description })
            }
        }
    }
}

#[derive(Serialize)]
pub(crate) struct DrawOffer {
    status: &'static str,
    player: usize,
}

impl DrawOffer {
    pub(crate) const fn of(offer: core::rules::DrawOffer) -> Option<Self> {
        match offer {
            core::rules::DrawOffer::None => None,
            core::rules::DrawOffer::Open(player) => Some(Self { status: "open", player: player.index() }),
            core::rules::DrawOffer::Declined(player) => {
                Some(Self { status: "declined", player: player.index() })
            }
        }
    }
}

/// A legal move with its details.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LegalMove {
    text: String,
    san: String,
    action: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<u32>,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Cow<'static, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Cow<'static, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    group: Vec<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    deploys: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    takes: Option<Cow<'static, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    becomes: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    amount: Option<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shares: Vec<Share>,
}

#[derive(Serialize)]
struct Share {
    cell: Cow<'static, str>,
    amount: u8,
}

/// The legal moves of a game; with `from`, those of the figure on that cell.
pub(crate) fn legal_moves(game: &dyn AnyGame, from: Option<&str>) -> Vec<LegalMove> {
    let moves = game.legal_moves().into_iter().zip(game.move_details());
    let wanted = moves.filter(|(_, details)| from.is_none() || details.from.as_deref() == from);
    let legal_move = |(info, details): (MoveInfo, MoveDetails)| LegalMove {
        text: info.text,
        san: info.san,
        action: info.index.0,
        word: info.word,
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
    wanted.map(legal_move).collect()
}

/// A move that was played.
#[derive(Serialize)]
pub(crate) struct PlayedMove {
    player: usize,
    text: String,
    san: String,
    action: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<u32>,
}

impl From<sandtable::games::PlayedMove> for PlayedMove {
    fn from(played: sandtable::games::PlayedMove) -> Self {
        let MoveInfo { text, san, word, index } = played.info;
        Self { player: played.player.index(), text, san, action: index.0, word }
    }
}

/// A complete turn and the position after it.
#[derive(Serialize)]
pub(crate) struct Turn {
    text: String,
    moves: Vec<String>,
    position: String,
}

impl From<sandtable::games::TurnInfo> for Turn {
    fn from(turn: sandtable::games::TurnInfo) -> Self {
        Self { text: turn.text, moves: turn.moves, position: turn.position }
    }
}

/// The number of leaves below a root move.
#[derive(Serialize)]
pub(crate) struct Divided {
    #[serde(rename = "move")]
    pub(crate) root: String,
    pub(crate) nodes: u64,
}

/// A turn in progress.
#[derive(Serialize)]
pub(crate) struct TurnInProgress {
    from: String,
    pieces: Vec<&'static str>,
    steps: Vec<String>,
}

impl From<core::view::TurnInProgress> for TurnInProgress {
    fn from(turn: core::view::TurnInProgress) -> Self {
        Self { from: turn.from, pieces: turn.pieces, steps: turn.steps }
    }
}

/// What a search has found.
#[derive(Serialize)]
pub(crate) struct SearchInfo {
    depth: u32,
    seldepth: u32,
    nodes: u64,
    hashfull: u32,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    centipawns: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    moves: Vec<String>,
    san: Vec<String>,
}

impl SearchInfo {
    pub(crate) fn of(game: &dyn AnyGame, report: &Report<String>) -> Self {
        let line = |line: &sandtable::search::Line<String>| {
            let mut after = game.clone_box();
            let centipawns = if let Score::Centipawns(value) = line.score { Some(value) } else { None };
            Line {
                centipawns,
                mate: line.score.mate_in(),
                moves: line.moves.clone(),
                san: line.moves.iter().map_while(|text| after.replay(text).ok()).collect(),
            }
        };
        Self {
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes,
            hashfull: report.hashfull,
            lines: report.lines.iter().map(line).collect(),
        }
    }
}
