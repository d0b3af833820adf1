//! A stored game: its settings, the events since, and the resulting state.
//!
//! A session is the fold of its log over its settings. Every change appends entries to the log; replaying the log restores
//! the session. Only the clock differs: it is stopped until [`Session::start_clock`], so downtime is charged to neither
//! player.

use std::sync::Arc;

use sandtable::core::{DrawAction, DrawOffer, Player, PolicyIndex, Tags};
use sandtable::{AnyGame, BoxedGame, GameOver, Level, find};
use serde::{Deserialize, Serialize};

use crate::clock::{ClockSettings, GameClock};
use crate::engine::{EngineDecision, EngineJob, EngineTask, unknown_level};
use crate::error::{ApiError, ErrorCode};
use crate::json::{Both, Side};
use crate::position_request::{MAX_MOVES, PositionRequest, check_move_length, too_many_moves};
use crate::records::Record;
use crate::request_error::{GameConflict, RequestError};
use crate::view::{Listed, Outcome, PlayedMove, View, played_since};

/// A seat: the human or engine that plays one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Seat {
    /// A person at the screen.
    Human {
        /// The name, for the record.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    /// An engine.
    Engine {
        /// The level, 0 to 9.
        level: u8,
    },
}

impl Default for Seat {
    fn default() -> Self {
        Self::Human { name: None }
    }
}

/// The settings of a new game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameSettings {
    pub(crate) position: PositionRequest,
    pub(crate) seats: Both<Seat>,
    pub(crate) clock: Option<ClockSettings>,
    pub(crate) tags: Tags,
}

/// A change of a game, as the log stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Event {
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
}

/// An action on a draw offer, as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "DrawAction"))]
#[serde(rename_all = "lowercase")]
pub enum DrawCommand {
    /// Offers a draw.
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

/// An event and the time left to the players after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    event: Event,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<Both<u64>>,
}

/// The entries of a change: one, except for a turn of several moves.
pub type LogEntries = Vec<LogEntry>;

/// A change as a client or an engine requests it.
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
    /// Ends the game if a player's time has run out.
    FlagFall,
    /// The decision of an engine.
    Engine {
        /// The decision.
        decision: EngineDecision,
    },
}

/// A stored game.
pub struct Session {
    settings: Arc<GameSettings>,
    game: BoxedGame,
    /// The moves played, in all their notations: computed once, not for every view.
    moves_played: Vec<PlayedMove>,
    version: u64,
    clock: Option<GameClock>,
}

impl Clone for Session {
    fn clone(&self) -> Self {
        Self {
            settings: Arc::clone(&self.settings),
            game: self.game.clone_box(),
            moves_played: self.moves_played.clone(),
            version: self.version,
            clock: self.clock.clone(),
        }
    }
}

impl Session {
    /// A new game.
    pub fn new(settings: GameSettings) -> Result<Self, ApiError> {
        for player in Player::ALL {
            if let Seat::Engine { level } = settings.seats.of(player)
                && find_level(*level).is_none()
            {
                return Err(unknown_level(*level));
            }
        }
        if settings.clock.is_some_and(|clock| !clock.is_valid()) {
            return Err(ApiError::bad_request(&RequestError::Clock));
        }
        let game = settings.position.game()?;
        let moves_played = played_since(&*game, 0).collect();
        let clock = settings.clock.map(GameClock::new);
        Ok(Self { settings: Arc::new(settings), game, moves_played, version: 1, clock })
    }

    /// Restores a game from its log, with a stopped clock.
    pub fn restore(settings: GameSettings, log: &[LogEntry]) -> Result<Self, ApiError> {
        let mut session = Self::new(settings)?;
        for LogEntry { event, left } in log {
            session.apply(event)?;
            if let (Some(clock), Some(left)) = (&mut session.clock, left) {
                match event {
                    Event::Move(_) => clock.restore_move((*left).into()),
                    Event::Undo(count) => clock.take_back(*count),
                    Event::UndoEnd | Event::Resign(_) | Event::Draw(..) | Event::FlagFall(_) => {}
                }
                clock.stop((*left).into());
            }
        }
        Ok(session)
    }

    /// The settings of the game.
    #[must_use]
    pub fn settings(&self) -> &GameSettings {
        &self.settings
    }

    /// The game with its moves.
    #[must_use]
    pub fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// The number of changes, plus one.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Rejects a change by a client that has seen another version.
    pub fn check_version(&self, expected: Option<u64>) -> Result<(), ApiError> {
        match expected {
            Some(expected) if expected != self.version => {
                Err(ApiError::conflict(&GameConflict::StaleVersion { expected, version: self.version }))
            }
            _ => Ok(()),
        }
    }

    /// Changes the game at a time of the monotonic clock, in milliseconds. After an error, the session must not be used.
    pub fn change(&mut self, change: &Change, now: u64) -> Result<LogEntries, ApiError> {
        match change {
            Change::Move { text: Some(text), index: None } => {
                self.check_human_to_move()?;
                check_move_length(text).map_err(illegal_move)?;
                self.play_text(text, now)
            }
            Change::Move { text: None, index: Some(index) } => {
                self.check_human_to_move()?;
                let text = self.game.move_text_at(PolicyIndex(*index)).map_err(illegal_move)?;
                self.play_text(&text, now)
            }
            Change::Move { .. } => Err(ApiError::bad_request(&RequestError::TextOrIndex)),
            Change::Undo => self.undo(now),
            Change::Resign { player } => self.resign((*player).into(), now),
            Change::Draw { player, action } => {
                self.check_human((*player).into())?;
                self.draw_action((*player).into(), *action, now)
            }
            Change::FlagFall => self.flag_fall(now),
            Change::Engine { decision: EngineDecision::Move { text } } => self.play_text(text, now),
            Change::Engine { decision: EngineDecision::Draw { player, action } } => {
                self.draw_action((*player).into(), *action, now)
            }
        }
    }

    fn check_human_to_move(&self) -> Result<(), ApiError> {
        self.check_ongoing()?;
        self.check_human(self.game.turn())
    }

    /// Plays a move or a complete turn for the side to move.
    fn play_text(&mut self, text: &str, now: u64) -> Result<LogEntries, ApiError> {
        if self.clock.as_ref().is_some_and(|clock| clock.expired(now).is_some()) {
            return Err(ApiError::conflict(&GameConflict::TimeOut));
        }
        let (mover, ply) = (self.game.turn(), self.moves_played.len());
        self.apply(&Event::Move(text.to_owned()))?;
        if self.moves_played.len() > MAX_MOVES {
            return Err(ApiError::conflict(&too_many_moves(self.moves_played.len())));
        }
        // The log has one entry per move, in the canonical notation and not as the client typed it.
        let steps: Vec<_> = self.moves_played[ply..].iter().map(|step| step.text.clone()).collect();
        self.version += steps.len() as u64 - 1;
        let mut entries = LogEntries::with_capacity(steps.len());
        for (number, step) in (1..).zip(&steps) {
            let turn = if number < steps.len() { mover } else { self.game.turn() };
            let is_over = number == steps.len() && self.game.is_over();
            if let Some(clock) = &mut self.clock {
                clock.record_move(turn, now);
                if !is_over {
                    clock.start(turn, now);
                }
            }
            entries.push(self.entry(Event::Move(step.clone()), now));
        }
        Ok(entries)
    }

    /// Takes back a declared end, or else the last move of a human and the engine moves after it. The clocks go back to the
    /// time left when the position arose, even after a loss on time.
    fn undo(&mut self, now: u64) -> Result<LogEntries, ApiError> {
        let count = if self.game.declared_end().is_some() { 0 } else { self.moves_to_take_back()? };
        let event = if count == 0 { Event::UndoEnd } else { Event::Undo(count) };
        self.apply(&event)?;
        if let Some(clock) = &mut self.clock {
            clock.take_back(count);
        }
        self.start_clock(now);
        Ok(vec![self.entry(event, now)])
    }

    /// The number of moves back to the last move of a human.
    fn moves_to_take_back(&self) -> Result<usize, ApiError> {
        let mut game = self.game.clone_box();
        let mut count = 0;
        while game.undo().is_some() {
            count += 1;
            if self.level(game.turn()).is_none() {
                return Ok(count);
            }
        }
        Err(ApiError::conflict(&GameConflict::NothingToTakeBack))
    }

    /// A human resigns.
    fn resign(&mut self, player: Player, now: u64) -> Result<LogEntries, ApiError> {
        self.check_ongoing()?;
        self.check_human(player)?;
        self.end(Event::Resign(player.into()), now)
    }

    /// A player offers, retracts, accepts or declines a draw.
    fn draw_action(
        &mut self,
        player: Player,
        command: DrawCommand,
        now: u64,
    ) -> Result<LogEntries, ApiError> {
        self.check_ongoing()?;
        let event = Event::Draw(player.into(), command);
        if command == DrawCommand::Accept {
            return self.end(event, now);
        }
        self.apply(&event)?;
        Ok(vec![self.entry(event, now)])
    }

    /// Ends the game if a player's time has run out.
    fn flag_fall(&mut self, now: u64) -> Result<LogEntries, ApiError> {
        let expired = self.clock.as_ref().and_then(|clock| clock.expired(now));
        let player = expired.ok_or_else(|| ApiError::conflict(&GameConflict::NoFlag))?;
        self.end(Event::FlagFall(player.into()), now)
    }

    fn end(&mut self, event: Event, now: u64) -> Result<LogEntries, ApiError> {
        self.apply(&event)?;
        if let Some(clock) = &mut self.clock {
            clock.stop(clock.left(now));
        }
        Ok(vec![self.entry(event, now)])
    }

    /// Applies an event to everything but the clock.
    fn apply(&mut self, event: &Event) -> Result<(), ApiError> {
        match event {
            Event::Move(text) => {
                self.game.play(text).map_err(illegal_move)?;
                self.moves_played.extend(played_since(&*self.game, self.moves_played.len()));
            }
            Event::Undo(count) => {
                for _ in 0..*count {
                    self.game.undo();
                }
                self.moves_played.truncate(self.moves_played.len().saturating_sub(*count));
            }
            Event::UndoEnd => {
                self.game.undo_declared_end();
            }
            Event::Resign(side) => self.game.resign((*side).into()),
            Event::Draw(side, command) => {
                self.game
                    .draw_action((*side).into(), (*command).into())
                    .map_err(|e| ApiError::conflict(&e))?;
            }
            Event::FlagFall(side) => self.game.flag_fall((*side).into()),
        }
        self.version += 1;
        Ok(())
    }

    fn entry(&self, event: Event, now: u64) -> LogEntry {
        LogEntry { event, left: self.clock.as_ref().map(|clock| clock.left(now).into()) }
    }

    /// Starts the clock of the side to move, unless the game is over.
    pub fn start_clock(&mut self, now: u64) {
        if let Some(clock) = &mut self.clock
            && !self.game.is_over()
        {
            clock.start(self.game.turn(), now);
        }
    }

    fn check_ongoing(&self) -> Result<(), ApiError> {
        GameOver::check(self.game.outcome(), self.game.players()).map_err(|e| ApiError::conflict(&e))
    }

    /// Rejects a request to act for a side that an engine plays.
    fn check_human(&self, player: Player) -> Result<(), ApiError> {
        match self.level(player) {
            None => Ok(()),
            Some(_) => {
                Err(ApiError::conflict(&GameConflict::EngineSeat { player: self.game.players()[player] }))
            }
        }
    }

    /// The level of the engine that plays a side, if one does.
    fn level(&self, player: Player) -> Option<Level> {
        match self.settings.seats.of(player) {
            Seat::Human { .. } => None,
            Seat::Engine { level } => find_level(*level),
        }
    }

    /// The level of the engine to move, if the game is not over.
    fn engine_to_move(&self) -> Option<Level> {
        let is_full = self.moves_played.len() >= MAX_MOVES;
        if self.game.is_over() || is_full { None } else { self.level(self.game.turn()) }
    }

    /// The player whose draw offer is open; `None` once the game is over.
    fn draw_offer(&self) -> Option<Player> {
        match self.game.draw_offer() {
            DrawOffer::Open(player) if !self.game.is_over() => Some(player),
            _ => None,
        }
    }

    /// The side that must answer a draw offer, if an engine plays it.
    fn engine_to_answer_draw(&self) -> Option<Player> {
        let opponent = !self.draw_offer()?;
        self.level(opponent).map(|_| opponent)
    }

    /// What an engine must do now, if anything.
    #[must_use]
    pub fn engine_task(&self, now: u64) -> Option<EngineTask> {
        if let Some(player) = self.engine_to_answer_draw() {
            return Some(EngineTask::AnswerDraw { player: player.into() });
        }
        let level = self.engine_to_move()?.number();
        Some(EngineTask::Move { level, time_left: self.time_to_flag(now) })
    }

    /// A task with the game it is about, for an engine that has no access to the session.
    #[must_use]
    pub fn engine_job(&self, now: u64) -> Option<EngineJob> {
        let settings = &self.settings.position;
        let position = PositionRequest {
            moves: self.moves_played.iter().map(|played| played.text.clone()).collect(),
            position: Some(self.game.first_position_text()),
            ..settings.clone()
        };
        Some(EngineJob { position, task: self.engine_task(now)? })
    }

    /// The time left to the side to move, if the clock runs.
    #[must_use]
    pub fn time_to_flag(&self, now: u64) -> Option<u64> {
        let clock = self.clock.as_ref()?;
        clock.running().map(|player| clock.left(now)[player])
    }

    /// The tags of the record: those of the settings, and the players' names where they are missing.
    fn tags(&self) -> Tags {
        let mut tags = self.settings.tags.clone();
        for player in Player::ALL {
            let colour = self.game.players()[player];
            let name = match self.settings.seats.of(player) {
                Seat::Human { name } => name.clone(),
                Seat::Engine { level } => Some(format!("Sandtable, level {level}")),
            };
            if let Some(name) = name
                && !tags.iter().any(|(tag, _)| tag == colour)
            {
                tags.push((colour.to_owned(), name));
            }
        }
        tags
    }

    /// The record of the game.
    ///
    /// # Panics
    /// Never: every game is of a registered kind.
    #[must_use]
    pub fn record(&self) -> Record {
        let kind = find(self.game.name()).expect("every game is of a registered kind");
        Record { record: self.game.record(&self.tags()), extension: kind.record_extension }
    }
}

fn illegal_move(error: impl Into<RequestError>) -> ApiError {
    ApiError::new(ErrorCode::IllegalMove, &error.into())
}

pub(crate) fn find_level(number: u8) -> Option<Level> {
    Level::all().find(|level| level.number() == number)
}

/// When a game was created and last changed, in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct Timestamps {
    /// When the game was created.
    pub created: u64,
    /// When the game was last changed.
    pub updated: u64,
}

/// A game as JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Game"))]
pub struct GameView<'a> {
    id: &'a str,
    version: u64,
    created: u64,
    updated: u64,
    now: u64,
    seats: &'a Both<Seat>,
    thinking: bool,
    clock: Option<ClockView>,
    draw_offer: Option<Side>,
    tags: Tags,
    view: View,
}

/// The clock of a game, in milliseconds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Clock"))]
pub(crate) struct ClockView {
    initial: u64,
    increment: u64,
    left: Both<u64>,
    running: Option<Side>,
}

impl<'a> GameView<'a> {
    /// The game at a moment: `wall_time` since 1970, `now` on the monotonic clock.
    #[must_use]
    pub fn of(session: &'a Session, id: &'a str, timestamps: Timestamps, wall_time: u64, now: u64) -> Self {
        let clock = session.clock.as_ref().map(|clock| ClockView {
            initial: clock.settings().initial,
            increment: clock.settings().increment,
            left: clock.left(now).into(),
            running: clock.running().map(Side::from),
        });
        Self {
            id,
            version: session.version,
            created: timestamps.created,
            updated: timestamps.updated,
            now: wall_time,
            seats: &session.settings.seats,
            thinking: session.engine_to_move().is_some(),
            clock,
            draw_offer: session.draw_offer().map(Side::from),
            tags: session.tags(),
            view: View::of(&*session.game, session.moves_played.clone(), Listed::From(0)),
        }
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
            seats: &session.settings.seats,
            turn: game.turn().into(),
            plies: session.moves_played.len(),
            position: game.position_text(),
            outcome: Outcome::of(game),
            last_move: session.moves_played.last().map(|played| played.san.as_str()),
        }
    }
}
