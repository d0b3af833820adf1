//! A game that is kept: how it began, what happened since, and how it stands.
//!
//! A session is the fold of its entries over its beginning. What happens makes an entry; reading the entries back makes the
//! same session again, but for its clock, which rests with what was left until the game goes on.

use std::sync::Arc;

use sandtable::core::{DrawAct, DrawTalk, Player, PolicyIndex, Tags};
use sandtable::{BoxedGame, Level, find, in_words};
use serde::{Deserialize, Serialize};

use crate::clock::{Control, GameClock};
use crate::refusal::{Code, Refusal};
use crate::said::{MAX_MOVE, MAX_MOVES, Said};
use crate::view::{Outcome, Played, View, history};
use crate::wire::{Both, Side};

/// Who plays a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "who", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum PlayedBy {
    Person {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    Engine {
        level: u8,
    },
}

impl Default for PlayedBy {
    fn default() -> Self {
        Self::Person { name: None }
    }
}

/// How a game began.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Beginning {
    pub(crate) said: Said,
    pub(crate) players: Both<PlayedBy>,
    pub(crate) clock: Option<Control>,
    pub(crate) tags: Tags,
}

/// Something that happened in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum What {
    /// A move, in the form that programs exchange.
    Move(String),
    /// That many moves were taken back.
    Undo(usize),
    /// A declared end was taken back.
    Retract,
    Resign(Side),
    Draw(Side, Act),
    /// A player's time ran out.
    Flag(Side),
}

/// Something to say about a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Act {
    Offer,
    Retract,
    Accept,
    Decline,
}

impl From<Act> for DrawAct {
    fn from(act: Act) -> Self {
        match act {
            Act::Offer => Self::Offer,
            Act::Retract => Self::Retract,
            Act::Accept => Self::Accept,
            Act::Decline => Self::Decline,
        }
    }
}

/// What happened, and what the players had left of their time then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) what: What,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<Both<u64>>,
}

/// A move, as a client chooses it.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    Text(String),
    Index(u32),
}

/// A game that is kept.
pub(crate) struct Session {
    pub(crate) beginning: Arc<Beginning>,
    pub(crate) game: BoxedGame,
    /// The moves of the game in all their forms, which are not made anew for every view.
    history: Vec<Played>,
    pub(crate) version: u64,
    clock: Option<GameClock>,
}

impl Clone for Session {
    fn clone(&self) -> Self {
        Self {
            beginning: Arc::clone(&self.beginning),
            game: self.game.clone_box(),
            history: self.history.clone(),
            version: self.version,
            clock: self.clock.clone(),
        }
    }
}

impl Session {
    /// A game at its beginning.
    pub(crate) fn begin(beginning: Arc<Beginning>) -> Result<Self, Refusal> {
        for player in Player::ALL {
            if let PlayedBy::Engine { level } = beginning.players.of(player)
                && level_of(*level).is_none()
            {
                return Err(Refusal::new(
                    Code::BadRequest,
                    format!("there is no level {level}: levels are 0 to 9"),
                ));
            }
        }
        if beginning.clock.is_some_and(|control| !control.is_sensible()) {
            let why = "a clock has from one second to one month, and as much for each turn";
            return Err(Refusal::new(Code::BadRequest, why));
        }
        let game = beginning.said.game()?;
        let history = history(&*game, 0).collect();
        let clock = beginning.clock.map(GameClock::new);
        Ok(Self { beginning, game, history, version: 1, clock })
    }

    /// The game after what has happened; its clock rests.
    pub(crate) fn resume(beginning: Arc<Beginning>, entries: &[Entry]) -> Result<Self, Refusal> {
        let mut session = Self::begin(beginning)?;
        for Entry { what, left } in entries {
            session.happen(what)?;
            if let (Some(clock), Some(left)) = (&mut session.clock, left) {
                match what {
                    What::Move(_) => clock.recall_move((*left).into()),
                    What::Undo(count) => clock.take_back(*count),
                    What::Retract | What::Resign(_) | What::Draw(..) | What::Flag(_) => {}
                }
                clock.rest((*left).into());
            }
        }
        Ok(session)
    }

    /// A person plays a move.
    pub(crate) fn play(&mut self, choice: &Choice, now: u64) -> Result<Entry, Refusal> {
        self.check_goes_on()?;
        let turn = self.game.turn();
        self.check_person(turn)?;
        let text = match choice {
            Choice::Text(text) if text.len() > MAX_MOVE => {
                return Err(Refusal::new(Code::IllegalMove, "the text is longer than any move"));
            }
            Choice::Text(text) => text.clone(),
            Choice::Index(index) => {
                let found = self.game.text_at(PolicyIndex(*index));
                found.map_err(|e| Refusal::new(Code::IllegalMove, e.to_string()))?
            }
        };
        self.move_on(&text, now)
    }

    /// Whoever is to move plays a move.
    pub(crate) fn move_on(&mut self, text: &str, now: u64) -> Result<Entry, Refusal> {
        if self.clock.as_ref().is_some_and(|clock| clock.expired(now).is_some()) {
            return Err(Refusal::conflict("the time has run out"));
        }
        if self.is_full() {
            return Err(Refusal::conflict(format!("no game has more than {MAX_MOVES} moves")));
        }
        self.happen(&What::Move(text.to_owned()))?;
        let played = self.history.last().map_or_else(String::new, |played| played.text.clone());
        if let Some(clock) = &mut self.clock {
            clock.mark_move(self.game.turn(), now);
        }
        self.go_on(now);
        // The text that was played, not the one that was typed: it is read again by the same program for ever.
        Ok(self.entry(What::Move(played), now))
    }

    /// Takes back a declared end, or else the last move of a person with what engines answered. The players get the time that
    /// they had when the position came about, even after a loss on time.
    pub(crate) fn undo(&mut self, now: u64) -> Result<Entry, Refusal> {
        let count = if self.game.clone_box().retract() { 0 } else { self.moves_to_take_back()? };
        let what = if count == 0 { What::Retract } else { What::Undo(count) };
        self.happen(&what)?;
        if let Some(clock) = &mut self.clock {
            clock.take_back(count);
        }
        self.go_on(now);
        Ok(self.entry(what, now))
    }

    /// How many moves there are back to the last one of a person.
    fn moves_to_take_back(&self) -> Result<usize, Refusal> {
        let mut game = self.game.clone_box();
        let mut count = 0;
        while game.undo().is_some() {
            count += 1;
            if self.level(game.turn()).is_none() {
                return Ok(count);
            }
        }
        Err(Refusal::conflict("there is no move to take back"))
    }

    /// A person gives up.
    pub(crate) fn resign(&mut self, player: Player, now: u64) -> Result<Entry, Refusal> {
        self.check_goes_on()?;
        self.check_person(player)?;
        self.end(What::Resign(player.into()), now)
    }

    /// A player says something about a draw.
    pub(crate) fn discuss(&mut self, player: Player, act: Act, now: u64) -> Result<Entry, Refusal> {
        self.check_goes_on()?;
        let what = What::Draw(player.into(), act);
        if act == Act::Accept {
            return self.end(what, now);
        }
        self.happen(&what)?;
        Ok(self.entry(what, now))
    }

    /// The time of a player has run out, if it has.
    pub(crate) fn flag(&mut self, now: u64) -> Result<Entry, Refusal> {
        let expired = self.clock.as_ref().and_then(|clock| clock.expired(now));
        let player = expired.ok_or_else(|| Refusal::conflict("there is time left"))?;
        self.end(What::Flag(player.into()), now)
    }

    fn end(&mut self, what: What, now: u64) -> Result<Entry, Refusal> {
        self.happen(&what)?;
        if let Some(clock) = &mut self.clock {
            clock.rest(clock.left(now));
        }
        Ok(self.entry(what, now))
    }

    /// Lets something happen; the clock is for the caller.
    fn happen(&mut self, what: &What) -> Result<(), Refusal> {
        match what {
            What::Move(text) => {
                self.game.play(text).map_err(|e| Refusal::new(Code::IllegalMove, e))?;
                self.history.extend(history(&*self.game, self.history.len()));
            }
            What::Undo(count) => {
                for _ in 0..*count {
                    self.game.undo();
                }
                self.history.truncate(self.history.len().saturating_sub(*count));
            }
            What::Retract => {
                self.game.retract();
            }
            What::Resign(side) => self.game.resign((*side).into()),
            What::Draw(side, act) => {
                self.game.discuss((*side).into(), (*act).into()).map_err(Refusal::conflict)?;
            }
            What::Flag(side) => self.game.flag((*side).into()),
        }
        self.version += 1;
        Ok(())
    }

    fn entry(&self, what: What, now: u64) -> Entry {
        Entry { what, left: self.clock.as_ref().map(|clock| clock.left(now).into()) }
    }

    /// The clock runs if the game does.
    pub(crate) fn go_on(&mut self, now: u64) {
        if let Some(clock) = &mut self.clock
            && !self.game.outcome().is_over()
        {
            clock.go_on(self.game.turn(), now);
        }
    }

    /// Are there as many moves as any game may have?
    fn is_full(&self) -> bool {
        self.history.len() >= MAX_MOVES
    }

    pub(crate) fn check_goes_on(&self) -> Result<(), Refusal> {
        let outcome = self.game.outcome();
        if !outcome.is_over() {
            return Ok(());
        }
        Err(Refusal::conflict(format!("the game is over: {}", in_words(&outcome, self.game.players()))))
    }

    pub(crate) fn check_person(&self, player: Player) -> Result<(), Refusal> {
        match self.level(player) {
            None => Ok(()),
            Some(_) => {
                Err(Refusal::conflict(format!("{} is played by the engine", self.game.players()[player])))
            }
        }
    }

    /// The level of the engine that plays a side, if one does.
    pub(crate) fn level(&self, player: Player) -> Option<Level> {
        match self.beginning.players.of(player) {
            PlayedBy::Person { .. } => None,
            PlayedBy::Engine { level } => level_of(*level),
        }
    }

    /// The engine that is to move in a game that goes on.
    pub(crate) fn engine_to_move(&self) -> Option<Level> {
        if self.game.outcome().is_over() || self.is_full() { None } else { self.level(self.game.turn()) }
    }

    /// The engine that has been offered a draw.
    pub(crate) fn engine_asked(&self) -> Option<(Player, Level)> {
        let DrawTalk::Offered(offerer) = self.game.talk() else { return None };
        if self.game.outcome().is_over() { None } else { self.level(!offerer).map(|level| (!offerer, level)) }
    }

    /// What the player to move has left, if the clock runs.
    pub(crate) fn time_to_flag(&self, now: u64) -> Option<u64> {
        let clock = self.clock.as_ref()?;
        clock.running().map(|player| clock.left(now)[player])
    }

    /// The tags of the game's record: those that were given, and the players' names where they are missing.
    pub(crate) fn tags(&self) -> Tags {
        let mut tags = self.beginning.tags.clone();
        for player in Player::ALL {
            let colour = self.game.players()[player];
            let name = match self.beginning.players.of(player) {
                PlayedBy::Person { name } => name.clone(),
                PlayedBy::Engine { level } => Some(format!("Sandtable, level {level}")),
            };
            if let Some(name) = name
                && !tags.iter().any(|(tag, _)| tag == colour)
            {
                tags.push((colour.to_owned(), name));
            }
        }
        tags
    }

    /// The record of the game, and the ending of a file for it.
    pub(crate) fn record(&self) -> (String, &'static str) {
        let kind = find(self.game.name()).expect("the game is one of the table's");
        (self.game.record(&self.tags()), kind.record_extension)
    }
}

fn level_of(number: u8) -> Option<Level> {
    Level::all().find(|level| level.number() == number)
}

/// When a game was begun and changed, in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dates {
    pub(crate) created: u64,
    pub(crate) updated: u64,
}

/// A game as it stands.
#[derive(Debug, Serialize)]
pub(crate) struct GameState<'a> {
    id: &'a str,
    version: u64,
    created: u64,
    updated: u64,
    now: u64,
    players: &'a Both<PlayedBy>,
    thinking: bool,
    clock: Option<ClockState>,
    offer: Option<Side>,
    tags: Tags,
    view: View,
}

#[derive(Debug, Serialize)]
struct ClockState {
    initial: u64,
    increment: u64,
    left: Both<u64>,
    running: Option<Side>,
}

impl<'a> GameState<'a> {
    /// The game at a moment, by the calendar (`wall`) and by the clock (`now`).
    pub(crate) fn of(session: &'a Session, id: &'a str, dates: Dates, wall: u64, now: u64) -> Self {
        let clock = session.clock.as_ref().map(|clock| ClockState {
            initial: clock.control().initial,
            increment: clock.control().increment,
            left: clock.left(now).into(),
            running: clock.running().map(Side::from),
        });
        let offer = match session.game.talk() {
            DrawTalk::Offered(player) if !session.game.outcome().is_over() => Some(player.into()),
            _ => None,
        };
        Self {
            id,
            version: session.version,
            created: dates.created,
            updated: dates.updated,
            now: wall,
            players: &session.beginning.players,
            thinking: session.engine_to_move().is_some(),
            clock,
            offer,
            tags: session.tags(),
            view: View::of(&*session.game, session.history.clone(), true),
        }
    }
}

/// A game in a list.
#[derive(Debug, Serialize)]
pub(crate) struct Summary<'a> {
    id: &'a str,
    version: u64,
    kind: &'static str,
    rules: &'static str,
    created: u64,
    updated: u64,
    players: &'a Both<PlayedBy>,
    turn: Side,
    plies: usize,
    position: String,
    outcome: Outcome,
    last: Option<&'a str>,
}

impl<'a> Summary<'a> {
    pub(crate) fn of(session: &'a Session, id: &'a str, dates: Dates) -> Self {
        let game = &*session.game;
        Self {
            id,
            version: session.version,
            kind: game.name(),
            rules: game.rules().unwrap_or_default(),
            created: dates.created,
            updated: dates.updated,
            players: &session.beginning.players,
            turn: game.turn().into(),
            plies: session.history.len(),
            position: game.position(),
            outcome: Outcome::of(game),
            last: session.history.last().map(|played| played.san.as_str()),
        }
    }
}
