//! The changes of a game: as clients request them, and as the log stores them.

use sandtable::core::rules::DrawAction;
use serde::{Deserialize, Serialize};

use crate::advice::AdviceKind;
use crate::annotations::AnnotationsJson;
use crate::clock::TimeLeft;
use crate::engine::EngineDecision;
use crate::json::{Both, Side};
use crate::roles::Action;

/// A change of a game, as the log stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Event {
    /// A move, in the notation that programs exchange.
    Move(String),
    /// The number of moves taken back.
    Undo(usize),
    /// A declared end was taken back.
    UndoEnd,
    Resign(Side),
    Draw(Side, DrawCommand),
    /// A player's time ran out.
    FlagFall(Side),
    /// The time for the whole game ran out.
    GameTime,
    /// A guest took the open seat of a side, with this name.
    Join(Side, Option<String>),
    /// A player asked to take back a move, or answered. The log has an accepted request as `Undo`.
    TakeBack(Side, DrawCommand),
    /// A player claimed a draw by a rule of the game.
    ClaimDraw(Side),
    /// A player left the game, and the opponent claimed the win.
    Abandon(Side),
    /// The players started the next game.
    Rematch(Rematch),
    /// A player asked for advice of an engine.
    Advice(Side, AdviceKind),
    /// The game was reviewed after its end: the review as annotations.
    Review(AnnotationsJson),
}

/// The next game between the same players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Rematch {
    /// The id of the next game.
    pub id: String,
    /// The player who started it.
    pub by: Side,
}

/// An action on an offer: of a draw, or to take back a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DrawAction"))]
#[serde(rename_all = "lowercase")]
pub enum DrawCommand {
    /// Makes an offer.
    Offer,
    /// Takes one's own offer back.
    Retract,
    /// Accepts the opponent's offer.
    Accept,
    /// Declines the opponent's offer.
    Decline,
}

impl From<DrawCommand> for DrawAction {
    fn from(command: DrawCommand) -> Self {
        match command {
            DrawCommand::Offer => Self::Offer,
            DrawCommand::Retract => Self::Retract,
            DrawCommand::Accept => Self::Accept,
            DrawCommand::Decline => Self::Decline,
        }
    }
}

/// An event and the time left after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    pub(crate) event: Event,
    /// The time left to the players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<Both<u64>>,
    /// The time left for the whole game, if it is limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game_left: Option<u64>,
}

impl LogEntry {
    pub(crate) fn new(event: Event, left: Option<TimeLeft>) -> Self {
        let game_left = left.and_then(|left| left.game);
        Self { event, left: left.map(|left| left.players.into()), game_left }
    }

    pub(crate) fn left(&self) -> Option<TimeLeft> {
        Some(TimeLeft { players: self.left?.into(), game: self.game_left })
    }
}

/// The entries of a change: one, except for a turn of several moves.
pub type LogEntries = Vec<LogEntry>;

/// A change as a client, an engine or the host requests it.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Change {
    /// A move of a human, given by exactly one of the two.
    Move {
        /// A move or a complete turn, in any notation of the game.
        text: Option<String>,
        /// An index of the policy.
        index: Option<u32>,
    },
    /// Takes back a declared end, or else the last move of a human and the engine moves after it.
    Undo,
    /// A human resigns.
    Resign {
        /// The player who resigns.
        player: Side,
    },
    /// A human acts on a draw offer.
    Draw {
        /// The player who acts.
        player: Side,
        /// The action.
        action: DrawCommand,
    },
    /// A human asks another one to take back a move, or answers.
    TakeBack {
        /// The player who acts.
        player: Side,
        /// The action.
        action: DrawCommand,
    },
    /// The side to move claims a draw by a rule of the game.
    ClaimDraw {
        /// The player who claims it.
        player: Side,
    },
    /// A player has left the game: the opponent claims the win. The host has checked that the player is gone.
    Abandon {
        /// The player who has left.
        player: Side,
    },
    /// A guest takes the open seat.
    Join {
        /// The side of the seat.
        player: Side,
        /// The name of the guest.
        name: Option<String>,
    },
    /// The players start the next game, which the host has created.
    Rematch {
        /// The next game.
        rematch: Rematch,
    },
    /// A human asks for advice of an engine. The game counts it.
    Advice {
        /// The player who asks, who is to move.
        player: Side,
        /// The kind of advice.
        kind: AdviceKind,
    },
    /// The host has reviewed the game.
    Review {
        /// The review as annotations.
        annotations: AnnotationsJson,
    },
    /// Ends the game if a clock has run out.
    FlagFall,
    /// The decision of an engine.
    Engine {
        /// The decision.
        decision: EngineDecision,
    },
}

impl Change {
    /// The action whose permission the change needs.
    #[must_use]
    pub const fn action(&self) -> Action {
        match self {
            Self::Move { .. } => Action::Move,
            Self::Undo => Action::Undo,
            Self::Resign { player } => Action::Resign(*player),
            Self::Draw { player, .. } => Action::Draw(*player),
            Self::TakeBack { player, .. } => Action::TakeBack(*player),
            Self::ClaimDraw { player } => Action::ClaimDraw(*player),
            Self::Abandon { player } => Action::ClaimVictory(player.opponent()),
            Self::Join { .. } => Action::TakeSeat,
            Self::Rematch { .. } => Action::Rematch,
            Self::Advice { player, .. } => Action::Advice(*player),
            Self::Review { .. } => Action::StoreReview,
            Self::FlagFall => Action::Flag,
            Self::Engine { .. } => Action::Engine,
        }
    }
}
