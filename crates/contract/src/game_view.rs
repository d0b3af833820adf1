//! A game as JSON: for a player or spectator, and in the list of games.
//!
//! A [`GameView`] has two parts. The [`SharedView`] is the same for everyone and changes with the version only, so a server
//! builds its JSON once per change. The [`LiveView`] depends on the requester and the moment, and is cheap.

use sandtable::core::record::Tags;
use serde::Serialize;

use crate::advice::AdviceCount;
use crate::clock::{ClockSettings, ClockView};
use crate::events::Rematch;
use crate::json::{Both, Side, to_json};
use crate::roles::Role;
use crate::seat::{Access, Seat};
use crate::session::Session;
use crate::view::{Listed, Outcome, View};

/// When a game was created and last changed, in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct Timestamps {
    /// When the game was created.
    pub created: u64,
    /// When the game was last changed.
    pub updated: u64,
}

/// Who is connected to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Presence {
    /// Whether the player follows the game now. Engines always do.
    pub connected: Both<bool>,
    /// The time from which the opponent of this player may claim the win, in milliseconds since 1970, if the player is gone.
    pub claim_from: Both<Option<u64>>,
}

impl Presence {
    /// Everyone is there.
    pub const ALL: Self = Self {
        connected: Both { first: true, second: true },
        claim_from: Both { first: None, second: None },
    };
}

/// A game as JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Game"))]
pub struct GameView<'a> {
    #[serde(flatten)]
    live: LiveView,
    #[serde(flatten)]
    state: SharedView<'a>,
}

/// The part of a game that depends on the requester and the moment.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveView {
    /// The time of the host, in milliseconds since 1970.
    now: u64,
    access: Access,
    /// The sides that the requester plays.
    you: Vec<Side>,
    clock: Option<ClockView>,
    #[serde(flatten)]
    presence: Presence,
}

impl LiveView {
    /// The game at a moment (`wall_time` since 1970, `now` on the monotonic clock) for a requester.
    #[must_use]
    pub fn of(
        session: &Session,
        access: Access,
        role: Role,
        presence: Presence,
        wall_time: u64,
        now: u64,
    ) -> Self {
        Self {
            now: wall_time,
            access,
            you: role.sides(&session.seats),
            clock: session.clock.as_ref().map(|clock| clock.view(now, session.is_engine_to_move())),
            presence,
        }
    }
}

/// The part of a game that is the same for everyone at one version.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[expect(clippy::struct_excessive_bools, reason = "the fields of a JSON object")]
pub struct SharedView<'a> {
    id: &'a str,
    version: u64,
    created: u64,
    updated: u64,
    seats: &'a Both<Seat>,
    thinking: bool,
    draw_offer: Option<Side>,
    /// The player whose draw offer was declined in this position.
    draw_declined: Option<Side>,
    /// The player who asks to take back a move.
    take_back_offer: Option<Side>,
    /// The reasons of the draws that the side to move may claim.
    claims: Vec<String>,
    /// Whether the players can still abort the game.
    abortable: bool,
    /// The next game between the same players.
    rematch: Option<&'a Rematch>,
    /// How often the players have asked for advice of an engine.
    advice: Both<AdviceCount>,
    /// Whether everyone can find the game in the list of games to watch.
    public: bool,
    /// Whether the lobby offers the open seat.
    lobby: bool,
    /// Whether the players can send each other messages.
    chat_enabled: bool,
    tags: Tags,
    // The last field: `GameJson` completes its list of moves.
    view: View,
}

impl<'a> SharedView<'a> {
    fn of(session: &'a Session, id: &'a str, timestamps: Timestamps, view: View) -> Self {
        Self {
            id,
            version: session.version,
            created: timestamps.created,
            updated: timestamps.updated,
            seats: &session.seats,
            thinking: session.engine_to_move().is_some(),
            draw_offer: session.draw_offer().map(Side::from),
            draw_declined: session.draw_declined().map(Side::from),
            take_back_offer: session.take_back_offer().map(Side::from),
            claims: session.game.claimable_draw().into_iter().collect(),
            abortable: session.is_abortable(),
            rematch: session.rematch.as_ref(),
            advice: session.advice,
            public: session.settings.public,
            lobby: session.in_lobby(),
            chat_enabled: session.settings.chat,
            tags: session.tags(),
            view,
        }
    }
}

impl<'a> GameView<'a> {
    /// The game on a host that is open to everyone, at a moment: `wall_time` since 1970, `now` on the monotonic clock.
    #[must_use]
    pub fn of(session: &'a Session, id: &'a str, timestamps: Timestamps, wall_time: u64, now: u64) -> Self {
        let view = View::of(&*session.game, session.moves_played.clone(), Listed::From(0));
        let live = LiveView::of(session, Access::Open, Role::Sole, Presence::ALL, wall_time, now);
        Self { live, state: SharedView::of(session, id, timestamps, view) }
    }
}

/// The JSON of the part of a game that everyone shares, at one version.
#[derive(Debug)]
pub struct GameJson {
    version: u64,
    /// The JSON up to the list of moves, which ends it.
    head: String,
    /// The JSON of the moves, and where each ends.
    moves: String,
    ends: Vec<usize>,
}

impl GameJson {
    const EMPTY_MOVES: &str = "]}}";

    /// Writes the JSON of a game.
    #[must_use]
    pub fn of(session: &Session, id: &str, timestamps: Timestamps) -> Self {
        let view = View::of(&*session.game, Vec::new(), Listed::From(0));
        let mut head = to_json(&SharedView::of(session, id, timestamps, view));
        debug_assert!(head.ends_with(Self::EMPTY_MOVES), "`view.moves_played` is the last field");
        head.truncate(head.len() - Self::EMPTY_MOVES.len());
        let (mut moves, mut ends) = (String::new(), Vec::with_capacity(session.moves_played.len()));
        for played in &session.moves_played {
            if !moves.is_empty() {
                moves.push(',');
            }
            moves.push_str(&to_json(played));
            ends.push(moves.len());
        }
        Self { version: session.version, head, moves, ends }
    }

    /// The version of the game.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The number of moves.
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.ends.len()
    }

    /// The number of moves at the start of the game that an earlier or later state of it shares.
    #[must_use]
    pub fn common_moves(&self, other: &Self) -> usize {
        let common = self.moves.bytes().zip(other.moves.bytes()).take_while(|(a, b)| a == b).count();
        self.ends.partition_point(|end| *end <= common)
    }

    /// The JSON of the game for a requester. `view.moves_played` has the moves from index `kept` on.
    #[must_use]
    pub fn with(&self, live: &LiveView, kept: usize) -> String {
        let live = to_json(live);
        // After the comma that separates the moves.
        let start =
            if kept == 0 { 0 } else { self.ends.get(kept - 1).map_or(self.moves.len(), |end| end + 1) };
        let moves = self.moves.get(start..).unwrap_or_default();
        let (live, head) = (&live[..live.len() - 1], &self.head[1..]);
        [live, ",", head, moves, Self::EMPTY_MOVES].concat()
    }
}

/// A game in the list of games, as JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameSummary<'a> {
    id: &'a str,
    version: u64,
    kind: &'static str,
    rules: &'static str,
    created: u64,
    updated: u64,
    seats: &'a Both<Seat>,
    turn: Side,
    plies: usize,
    position: String,
    outcome: Outcome,
    last_move: Option<&'a str>,
    /// The sides that the requester plays. A server adds them to each response, if guests hold seats.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    you: Option<Vec<Side>>,
    /// The time control. Games that have not changed since an earlier version of the server lack this field.
    #[cfg_attr(test, ts(optional = nullable))]
    clock: Option<ClockSettings>,
}

/// A game in the list whose summary cannot be read. It can be exported as stored, and deleted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DamagedGame<'a> {
    id: &'a str,
    created: u64,
    updated: u64,
    /// Always true.
    damaged: bool,
}

impl<'a> DamagedGame<'a> {
    /// A damaged game in the list.
    #[must_use]
    pub const fn new(id: &'a str, created: u64, updated: u64) -> Self {
        Self { id, created, updated, damaged: true }
    }
}

impl<'a> GameSummary<'a> {
    /// The game in the list.
    #[must_use]
    pub fn of(session: &'a Session, id: &'a str, timestamps: Timestamps) -> Self {
        let game = &*session.game;
        Self {
            id,
            version: session.version,
            kind: game.name(),
            rules: game.rules().unwrap_or_default(),
            created: timestamps.created,
            updated: timestamps.updated,
            seats: &session.seats,
            turn: game.turn().into(),
            plies: session.moves_played.len(),
            position: game.position_text(),
            outcome: Outcome::of(game),
            last_move: session.moves_played.last().map(|played| played.san.as_str()),
            you: None,
            clock: session.settings.clock,
        }
    }
}
