//! A stored game: its settings, the events since, and the resulting state.
//!
//! A session is the fold of its log over its settings. Every change appends entries to the log; replaying the log restores
//! the session. Only the clock differs: it is stopped until [`Session::start_clock`], so downtime is charged to neither
//! player.

use std::sync::Arc;

use sandtable::core::Player;
use sandtable::core::learn::PolicyIndex;
use sandtable::core::record::{Annotations, Tags};
use sandtable::core::rules::{DrawOffer, Expired};
use sandtable::engine::Level;
use sandtable::games::GameOver;
use sandtable::{AnyGame, BoxedGame, find};

use crate::advice::{AdviceCount, AdviceKind, is_advice_tag};
use crate::clock::GameClock;
use crate::engine::{EngineDecision, EngineJob, EngineTask, game_seed, unknown_level};
use crate::error::{ApiError, ErrorCode};
use crate::events::{Change, DrawCommand, Event, LogEntries, LogEntry, Rematch};
use crate::json::{Both, Side};
use crate::new_game::GameSettings;
use crate::position_request::{MAX_MOVES, PositionRequest, check_move_length, too_many_moves};
use crate::records::Record;
use crate::request_error::{GameConflict, RequestError};
use crate::roles::{Role, may};
use crate::seat::{Access, Seat, check_name};
use crate::view::{PlayedMove, played_since};

/// The number of moves from which a game cannot be aborted any more.
const ABORT_MOVES: usize = 2;

/// A stored game.
#[derive(Clone)]
pub struct Session {
    pub(crate) settings: Arc<GameSettings>,
    pub(crate) seats: Both<Seat>,
    pub(crate) game: SessionGame,
    /// The moves played, in all their notations: computed once, not for every view.
    pub(crate) moves_played: Vec<PlayedMove>,
    /// The number of moves that the game was created with.
    first_moves: usize,
    pub(crate) version: u64,
    pub(crate) clock: Option<GameClock>,
    /// Whether a clock ended the game.
    flag_fell: bool,
    /// The player who asks to take back a move.
    take_back_offer: Option<Player>,
    pub(crate) rematch: Option<Rematch>,
    /// The number of moves that had been played when a draw offer was last declined.
    declined_at: Option<usize>,
    pub(crate) advice: Both<AdviceCount>,
    /// The review of the finished game, as annotations of its moves.
    pub(crate) review: Option<Arc<Annotations<String>>>,
}

/// A game that can be cloned.
pub(crate) struct SessionGame(BoxedGame);

impl Clone for SessionGame {
    fn clone(&self) -> Self {
        Self(self.0.clone_box())
    }
}

impl std::ops::Deref for SessionGame {
    type Target = dyn AnyGame;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl std::ops::DerefMut for SessionGame {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

impl Session {
    /// A new game. It must not be over before its first move; a finished game with its moves can be stored.
    pub fn new(settings: GameSettings) -> Result<Self, ApiError> {
        let session = Self::with_settings(settings)?;
        match GameOver::check(session.game.outcome(), session.game.players()) {
            Err(end) if session.moves_played.is_empty() => {
                Err(ApiError::new(ErrorCode::InvalidPosition, &RequestError::OverAtStart { end }))
            }
            _ => Ok(session),
        }
    }

    /// A game without events. Earlier versions stored games that were over before they began.
    fn with_settings(settings: GameSettings) -> Result<Self, ApiError> {
        for player in Player::ALL {
            if let Seat::Engine { level } = settings.seats.of(player)
                && find_level(*level).is_none()
            {
                return Err(unknown_level(*level));
            }
        }
        let seats = settings.seats.clone();
        if Player::ALL.iter().any(|player| *seats.of(*player) == Seat::Open)
            && !Player::ALL.iter().any(|player| matches!(seats.of(*player), Seat::Human { .. }))
        {
            return Err(ApiError::bad_request(&RequestError::OpenSeats));
        }
        if settings.clock.is_some_and(|clock| !clock.is_valid()) {
            return Err(ApiError::bad_request(&RequestError::Clock));
        }
        let game = settings.position.game()?;
        let moves_played: Vec<_> = played_since(&*game, 0).collect();
        Ok(Self {
            clock: settings.clock.map(GameClock::new),
            settings: Arc::new(settings),
            seats,
            game: SessionGame(game),
            first_moves: moves_played.len(),
            moves_played,
            version: 1,
            flag_fell: false,
            take_back_offer: None,
            rematch: None,
            declined_at: None,
            advice: Both::default(),
            review: None,
        })
    }

    /// Restores a game from its log, with a stopped clock.
    pub fn restore(settings: GameSettings, log: &[LogEntry]) -> Result<Self, ApiError> {
        let mut session = Self::with_settings(settings)?;
        session.replay(log)?;
        Ok(session)
    }

    /// Applies later entries of the log, and stops the clock.
    pub fn replay(&mut self, log: &[LogEntry]) -> Result<(), ApiError> {
        for entry in log {
            self.apply(&entry.event)?;
            if let (Some(clock), Some(left)) = (&mut self.clock, entry.left()) {
                match entry.event {
                    Event::Move(_) => clock.restore_move(left),
                    Event::Undo(count) => clock.take_back(count),
                    _ => {}
                }
                clock.stop(left);
            }
        }
        Ok(())
    }

    /// The settings of the game.
    #[must_use]
    pub fn settings(&self) -> &GameSettings {
        &self.settings
    }

    /// The seats, with the guests who have taken one since the game was created.
    #[must_use]
    pub const fn seats(&self) -> &Both<Seat> {
        &self.seats
    }

    /// The side whose seat is open, if one is.
    #[must_use]
    pub fn open_side(&self) -> Option<Side> {
        [Side::First, Side::Second].into_iter().find(|side| *self.seats.side(*side) == Seat::Open)
    }

    /// Whether the game is offered in the lobby.
    #[must_use]
    pub fn in_lobby(&self) -> bool {
        self.settings.lobby && self.open_side().is_some()
    }

    /// The next game between the same players, once it exists.
    #[must_use]
    pub const fn rematch(&self) -> Option<&Rematch> {
        self.rematch.as_ref()
    }

    /// The game with its moves.
    #[must_use]
    pub fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.is_over()
    }

    /// The number of moves played, including those that the game was created with.
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.moves_played.len()
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

    /// Rejects a change that the requester may not make: by their role, or because it is not their turn.
    pub fn check_role(&self, access: Access, role: Role, change: &Change) -> Result<(), ApiError> {
        may(role, change.action()).map_err(|e| ApiError::forbidden(&e))?;
        match (role, change) {
            (Role::Host(side) | Role::Player(side), Change::Move { .. })
                if !self.game.is_over() && self.game.turn() != side.into() =>
            {
                Err(ApiError::conflict(&GameConflict::NotYourTurn))
            }
            (_, Change::Undo) if access == Access::Seats && self.flag_fell => {
                Err(ApiError::conflict(&GameConflict::FlagStays))
            }
            _ => Ok(()),
        }
    }

    /// Rejects an attempt to abort a game in which both players have moved.
    pub fn check_abortable(&self) -> Result<(), ApiError> {
        if self.is_abortable() { Ok(()) } else { Err(ApiError::conflict(&GameConflict::NotAbortable)) }
    }

    pub(crate) fn is_abortable(&self) -> bool {
        !self.game.is_over() && self.moves_played.len().saturating_sub(self.first_moves) < ABORT_MOVES
    }

    /// The settings of the next game: the same, with the players swapped.
    pub fn rematch_settings(&self) -> Result<GameSettings, ApiError> {
        if !self.game.is_over() {
            return Err(ApiError::conflict(&GameConflict::NotOver));
        }
        let players = self.game.players();
        let is_of_player =
            |tag: &str| tag == players.first || tag == players.second || is_advice_tag(tag, players);
        let mut settings = (*self.settings).clone();
        settings.tags.retain(|(tag, _)| !is_of_player(tag));
        settings.seats = self.seats.clone().swapped();
        settings.lobby = false;
        Ok(settings)
    }

    /// Changes the game at a time of the monotonic clock, in milliseconds. After an error, the session must not be used.
    ///
    /// The clock is stopped afterwards: [`start_clock`](Self::start_clock) starts it when the change has been stored.
    pub fn change(&mut self, change: &Change, now: u64) -> Result<LogEntries, ApiError> {
        let entries = self.change_running(change, now)?;
        if let Some(clock) = &mut self.clock {
            clock.pause(now);
        }
        Ok(entries)
    }

    fn change_running(&mut self, change: &Change, now: u64) -> Result<LogEntries, ApiError> {
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
                if *action == DrawCommand::Offer && self.has_engine_declined((*player).into()) {
                    return Err(ApiError::conflict(&GameConflict::DrawDeclined));
                }
                self.draw_action((*player).into(), *action, now)
            }
            Change::TakeBack { player, action } => self.take_back_action((*player).into(), *action, now),
            Change::ClaimDraw { player } => self.claim_draw((*player).into(), now),
            Change::Abandon { player } => self.abandon((*player).into(), now),
            Change::Join { player, name } => self.join(*player, name.as_deref(), now),
            Change::Rematch { rematch } => self.start_rematch(rematch, now),
            Change::Advice { player, kind } => self.ask_for_advice(*player, *kind, now),
            Change::Review { annotations } => self.store_review(annotations, now),
            Change::FlagFall => self.flag_fall(now),
            Change::Engine { decision: EngineDecision::Move { text } } => self.play_text(text, now),
            Change::Engine { decision: EngineDecision::Draw { player, action } } => {
                self.draw_action((*player).into(), *action, now)
            }
        }
    }

    fn check_human_to_move(&self) -> Result<(), ApiError> {
        self.check_playing()?;
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
            if let Some(clock) = &mut self.clock {
                clock.record_move(turn, now);
                if number < steps.len() {
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
        self.take_back(count, now)
    }

    /// Takes back this many moves, or a declared end if it is 0.
    fn take_back(&mut self, count: usize, now: u64) -> Result<LogEntries, ApiError> {
        let event = if count == 0 { Event::UndoEnd } else { Event::Undo(count) };
        self.apply(&event)?;
        if let Some(clock) = &mut self.clock {
            clock.take_back(count);
        }
        Ok(vec![self.entry(event, now)])
    }

    /// The number of moves back to the last move of a human.
    fn moves_to_take_back(&self) -> Result<usize, ApiError> {
        self.moves_back_to(|player| self.level(player).is_none())
    }

    /// The number of moves back to the last move of a player for whom the condition holds.
    fn moves_back_to(&self, condition: impl Fn(Player) -> bool) -> Result<usize, ApiError> {
        let played = self.moves_played.iter().rev().zip(1..);
        let count =
            played.filter(|(played, _)| condition(played.player.into())).map(|(_, count)| count).next();
        count.ok_or_else(|| ApiError::conflict(&GameConflict::NothingToTakeBack))
    }

    /// A player asks the opponent to take back a move, retracts the request, or answers the opponent's.
    fn take_back_action(
        &mut self,
        player: Player,
        command: DrawCommand,
        now: u64,
    ) -> Result<LogEntries, ApiError> {
        self.check_playing()?;
        if Player::ALL.iter().any(|player| self.level(*player).is_some()) {
            return Err(ApiError::conflict(&GameConflict::NobodyToAsk));
        }
        match (command, self.take_back_offer) {
            (DrawCommand::Offer, None) => {
                self.moves_back_to(|mover| mover == player)?;
            }
            (DrawCommand::Accept, Some(offerer)) if offerer != player => {
                return self.take_back(self.moves_back_to(|mover| mover == offerer)?, now);
            }
            (DrawCommand::Retract, Some(offerer)) if offerer == player => {}
            (DrawCommand::Decline, Some(offerer)) if offerer != player => {}
            (DrawCommand::Offer, Some(_)) => return Err(ApiError::conflict(&GameConflict::TakeBackOpen)),
            (_, None) => return Err(ApiError::conflict(&GameConflict::NoTakeBack)),
            (DrawCommand::Accept | DrawCommand::Decline, Some(_)) => {
                return Err(ApiError::conflict(&GameConflict::OwnTakeBack));
            }
            (DrawCommand::Retract, Some(_)) => {
                return Err(ApiError::conflict(&GameConflict::OpponentsTakeBack));
            }
        }
        self.append(Event::TakeBack(player.into(), command), now)
    }

    /// The side to move claims a draw.
    fn claim_draw(&mut self, player: Player, now: u64) -> Result<LogEntries, ApiError> {
        self.check_playing()?;
        self.check_human(player)?;
        if self.game.turn() != player {
            return Err(ApiError::conflict(&GameConflict::ClaimOnOwnTurn));
        }
        self.end(Event::ClaimDraw(player.into()), now)
    }

    /// A player has left the game and loses.
    fn abandon(&mut self, player: Player, now: u64) -> Result<LogEntries, ApiError> {
        self.check_playing()?;
        self.check_human(player)?;
        self.end(Event::Abandon(player.into()), now)
    }

    /// A guest takes the open seat.
    fn join(&mut self, side: Side, name: Option<&str>, now: u64) -> Result<LogEntries, ApiError> {
        let name = name.map(str::trim).filter(|name| !name.is_empty());
        name.map_or(Ok(()), check_name)?;
        self.append(Event::Join(side, name.map(str::to_owned)), now)
    }

    /// The players start the next game.
    fn start_rematch(&mut self, rematch: &Rematch, now: u64) -> Result<LogEntries, ApiError> {
        if !self.game.is_over() {
            return Err(ApiError::conflict(&GameConflict::NotOver));
        }
        self.append(Event::Rematch(rematch.clone()), now)
    }

    /// A human to move asks for advice.
    fn ask_for_advice(&mut self, side: Side, kind: AdviceKind, now: u64) -> Result<LogEntries, ApiError> {
        self.check_playing()?;
        self.check_human(side.into())?;
        if self.game.turn() != side.into() {
            return Err(ApiError::conflict(&GameConflict::AdviceOnOwnTurn));
        }
        self.append(Event::Advice(side, kind), now)
    }

    /// A human resigns.
    fn resign(&mut self, player: Player, now: u64) -> Result<LogEntries, ApiError> {
        self.check_playing()?;
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
        self.check_playing()?;
        let event = Event::Draw(player.into(), command);
        if command == DrawCommand::Accept { self.end(event, now) } else { self.append(event, now) }
    }

    /// Ends the game if a clock has run out.
    fn flag_fall(&mut self, now: u64) -> Result<LogEntries, ApiError> {
        let expired = self.clock.as_ref().and_then(|clock| clock.expired(now));
        let event = match expired {
            Some(Expired::Player(player)) => Event::FlagFall(player.into()),
            Some(Expired::Game) => Event::GameTime,
            None => return Err(ApiError::conflict(&GameConflict::NoFlag)),
        };
        self.end(event, now)
    }

    /// Applies an event that leaves the clock as it is.
    pub(crate) fn append(&mut self, event: Event, now: u64) -> Result<LogEntries, ApiError> {
        self.apply(&event)?;
        Ok(vec![self.entry(event, now)])
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
        // A request to take back a move lapses with the next event that is not about the draw offer or advice.
        let take_back_offer = match event {
            Event::TakeBack(side, DrawCommand::Offer) => Some((*side).into()),
            Event::Draw(_, DrawCommand::Offer | DrawCommand::Retract | DrawCommand::Decline)
            | Event::Advice(..) => self.take_back_offer,
            _ => None,
        };
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
                self.flag_fell = false;
            }
            Event::UndoEnd => {
                self.game.undo_declared_end();
                self.flag_fell = false;
            }
            Event::Resign(side) => self.game.resign((*side).into()),
            Event::Draw(side, command) => {
                let player = (*side).into();
                // An engine makes no offers, so it must not keep its opponent waiting for one.
                if *command == DrawCommand::Offer
                    && self.game.draw_offer() == DrawOffer::Declined(player)
                    && self.level(!player).is_some()
                {
                    self.game.set_draw_offer(DrawOffer::None);
                }
                if *command == DrawCommand::Decline {
                    self.declined_at = Some(self.moves_played.len());
                }
                self.game
                    .draw_action((*side).into(), (*command).into())
                    .map_err(|e| ApiError::conflict(&e))?;
            }
            Event::FlagFall(side) => {
                self.game.flag_fall((*side).into());
                self.flag_fell = true;
            }
            Event::GameTime => {
                self.game.end_game_time();
                self.flag_fell = true;
            }
            Event::Join(side, name) => match self.seats.side_mut(*side) {
                seat @ Seat::Open => *seat = Seat::Human { name: name.clone() },
                _ => return Err(ApiError::conflict(&GameConflict::SeatTaken)),
            },
            Event::TakeBack(..) => {}
            Event::ClaimDraw(_) => {
                let claimed = self.game.claim_draw();
                claimed.ok_or_else(|| ApiError::conflict(&GameConflict::NothingToClaim))?;
            }
            Event::Abandon(side) => self.game.abandon((*side).into()),
            Event::Rematch(_) if self.rematch.is_some() => {
                return Err(ApiError::conflict(&GameConflict::RematchStarted));
            }
            Event::Rematch(rematch) => self.rematch = Some(rematch.clone()),
            Event::Advice(side, kind) => self.advice.count(*side, *kind),
            Event::Review(annotations) => self.apply_review(annotations),
        }
        // A review is about a finished game.
        if !self.game.is_over() {
            self.review = None;
        }
        self.take_back_offer = take_back_offer;
        self.version += 1;
        Ok(())
    }

    fn entry(&self, event: Event, now: u64) -> LogEntry {
        LogEntry::new(event, self.clock.as_ref().map(|clock| clock.left(now)))
    }

    /// Pauses the clock: [`start_clock`](Self::start_clock) resumes it.
    pub fn pause_clock(&mut self, now: u64) {
        if let Some(clock) = &mut self.clock {
            clock.pause(now);
        }
    }

    /// Tests whether the clock is paused.
    #[must_use]
    pub fn is_clock_paused(&self) -> bool {
        self.clock.as_ref().is_some_and(GameClock::is_paused)
    }

    /// Tests whether an engine is to move.
    #[must_use]
    pub fn is_engine_to_move(&self) -> bool {
        self.engine_to_move().is_some()
    }

    /// Tests whether engines play both sides.
    #[must_use]
    pub fn is_between_engines(&self) -> bool {
        Player::ALL.into_iter().all(|player| self.level(player).is_some())
    }

    /// Starts the clock of the side to move, or resumes it, unless the game is over.
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

    /// Rejects a change of a game that is over or waits for a player.
    fn check_playing(&self) -> Result<(), ApiError> {
        self.check_ongoing()?;
        match self.open_side() {
            None => Ok(()),
            Some(_) => Err(ApiError::conflict(&GameConflict::SeatOpen)),
        }
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
        match self.seats.of(player) {
            Seat::Human { .. } | Seat::Open => None,
            Seat::Engine { level } => find_level(*level),
        }
    }

    /// The level of the engine to move, if the game is not over.
    pub(crate) fn engine_to_move(&self) -> Option<Level> {
        let is_full = self.moves_played.len() >= MAX_MOVES;
        let is_waiting = self.open_side().is_some();
        if self.game.is_over() || is_full || is_waiting { None } else { self.level(self.game.turn()) }
    }

    /// The player whose draw offer is open; `None` once the game is over.
    pub(crate) fn draw_offer(&self) -> Option<Player> {
        match self.game.draw_offer() {
            DrawOffer::Open(player) if !self.game.is_over() => Some(player),
            _ => None,
        }
    }

    /// The player whose draw offer was declined in this position.
    pub(crate) fn draw_declined(&self) -> Option<Player> {
        match self.game.draw_offer() {
            DrawOffer::Declined(player)
                if !self.game.is_over() && self.declined_at == Some(self.moves_played.len()) =>
            {
                Some(player)
            }
            _ => None,
        }
    }

    /// Whether an engine has declined the player's draw offer in this position.
    fn has_engine_declined(&self, player: Player) -> bool {
        self.draw_declined() == Some(player) && self.level(!player).is_some()
    }

    /// The player who asks to take back a move; `None` once the game is over.
    pub(crate) fn take_back_offer(&self) -> Option<Player> {
        self.take_back_offer.filter(|_| !self.game.is_over())
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
    pub fn engine_job(&self, id: &str, now: u64) -> Option<EngineJob> {
        let task = self.engine_task(now)?;
        let position = self.position_request();
        Some(EngineJob { position, task, seed: game_seed(id), delay: task.reply_delay() })
    }

    /// The start of the game and all its moves.
    pub(crate) fn position_request(&self) -> PositionRequest {
        PositionRequest {
            moves: self.moves_played.iter().map(|played| played.text.clone()).collect(),
            position: Some(self.game.first_position_text()),
            ..self.settings.position.clone()
        }
    }

    /// The time until the clock of the side to move or of the whole game runs out, if the clock runs.
    #[must_use]
    pub fn time_to_flag(&self, now: u64) -> Option<u64> {
        self.clock.as_ref()?.time_to_flag(now)
    }

    /// The time until a clock runs out if it starts now, after a change that has not been written yet.
    #[must_use]
    pub fn time_to_flag_from(&self, now: u64) -> Option<u64> {
        let mut clock = self.clock.clone().filter(|_| !self.game.is_over())?;
        clock.start(self.game.turn(), now);
        clock.time_to_flag(now)
    }

    /// The tags of the record: those of the settings, the players' names where they are missing, and the advice they got.
    pub(crate) fn tags(&self) -> Tags {
        let mut tags = self.settings.tags.clone();
        for player in Player::ALL {
            let color = self.game.players()[player];
            let name = match self.seats.of(player) {
                Seat::Human { name } => name.clone(),
                Seat::Open => None,
                Seat::Engine { level } => Some(format!("Sandtable, level {level}")),
            };
            if let Some(name) = name
                && !tags.iter().any(|(tag, _)| tag == color)
            {
                tags.push((color.to_owned(), name));
            }
        }
        self.advice.add_tags(&mut tags, self.game.players());
        tags
    }

    /// The record of the game, with its review if there is one.
    ///
    /// # Panics
    /// Never: every game is of a registered kind.
    #[must_use]
    pub fn record(&self) -> Record {
        let kind = find(self.game.name()).expect("every game is of a registered kind");
        let tags = self.tags();
        let reviewed =
            self.review.as_deref().and_then(|review| self.game.annotated_record(&tags, review).ok());
        let record = reviewed.unwrap_or_else(|| self.game.record(&tags));
        Record { record, extension: kind.record_extension }
    }
}

fn illegal_move(error: impl Into<RequestError>) -> ApiError {
    ApiError::new(ErrorCode::IllegalMove, &error.into())
}

pub(crate) fn find_level(number: u8) -> Option<Level> {
    Level::all().find(|level| level.number() == number)
}
