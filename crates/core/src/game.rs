//! A position with its past: moves, undo, repetition, and an end that the players declare.

use crate::{Answer, DrawAct, DrawError, DrawTalk, EndReason, IllegalMove, Outcome, Player, Position};

/// Why a move could not be played in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError<R> {
    /// The rules do not allow the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The game has ended.
    #[error("the game is over")]
    Over(Outcome<R>),
}

/// A game being played: the current position, how it came about, and how often it has occurred.
///
/// # Equality
///
/// Two games are equal if they went through equal positions by the same moves and ended the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game<P: Position> {
    current: P,
    now: Standing,
    past: Vec<Past<P>>,
    /// The hash of every position so far, the current one last: what repetition scans before it compares.
    keys: Vec<u64>,
    declared: Option<Outcome<P::Reason>>,
    /// What was said about a draw, in games whose positions do not show it.
    said: DrawTalk,
}

/// What the past says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standing {
    /// How often the position has occurred, itself included.
    occurrences: u32,
    /// How many of the positions right before it could still be equal to it.
    reversible: usize,
}

impl Standing {
    const FIRST: Self = Self { occurrences: 1, reversible: 0 };
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Past<P: Position> {
    position: P,
    standing: Standing,
    played: P::Move,
}

impl<P: Position> Game<P> {
    /// A game from the start position.
    #[must_use]
    pub fn new(rules: P::Rules) -> Self {
        Self::from_position(P::start(rules))
    }

    /// A game that begins with `position`, which has occurred once.
    #[must_use]
    pub fn from_position(position: P) -> Self {
        let keys = vec![position.hash64()];
        Self {
            current: position,
            now: Standing::FIRST,
            past: Vec::new(),
            keys,
            declared: None,
            said: DrawTalk::Silent,
        }
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &P {
        &self.current
    }

    /// The position that the game began with.
    #[must_use]
    pub fn first_position(&self) -> &P {
        self.past.first().map_or(&self.current, |past| &past.position)
    }

    /// Every position before the current one, oldest first, with the move played in it.
    pub fn past(&self) -> impl ExactSizeIterator<Item = (&P, P::Move)> + DoubleEndedIterator {
        self.past.iter().map(|past| (&past.position, past.played))
    }

    /// The moves played so far.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = P::Move> + DoubleEndedIterator {
        self.past.iter().map(|past| past.played)
    }

    /// How many moves have been played.
    #[must_use]
    pub const fn ply(&self) -> usize {
        self.past.len()
    }

    /// How often the current position has occurred in this game, itself included.
    #[must_use]
    pub const fn occurrences(&self) -> u32 {
        self.now.occurrences
    }

    /// Who is to move.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.current.turn()
    }

    /// How the game stands: as the players declared, or else as the rules say.
    #[must_use]
    pub fn outcome(&self) -> Outcome<P::Reason> {
        self.declared.unwrap_or_else(|| self.current.outcome(self.now.occurrences))
    }

    /// The legal moves; none once the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<P::Move> {
        if self.outcome().is_over() { Vec::new() } else { self.current.legal_moves() }
    }

    /// Plays a move.
    ///
    /// An illegal move, or any move after the end, leaves the game as it was.
    pub fn play(&mut self, m: P::Move) -> Result<(), PlayError<P::Reason>> {
        let outcome = self.outcome();
        if outcome.is_over() {
            return Err(PlayError::Over(outcome));
        }
        self.replay(m)?;
        Ok(())
    }

    /// Plays a move of a game that was played elsewhere: as [`play`](Self::play), but it goes on after a draw that
    /// the rules would have called, as the players of many a record did.
    pub fn replay(&mut self, m: P::Move) -> Result<(), IllegalMove> {
        if !self.current.is_legal(m) {
            return Err(IllegalMove);
        }
        let before = self.current.clone();
        self.current.play_unchecked(m);
        if self.said == DrawTalk::Offered(!before.turn()) {
            // Who moves has not taken the offer up.
            self.said = DrawTalk::Silent;
        }
        let reversible = if self.current.cuts_history(&before) { 0 } else { self.now.reversible + 1 };
        self.past.push(Past { position: before, standing: self.now, played: m });
        self.declared = None;

        let key = self.current.hash64();
        let candidates = self.past.len() - reversible..;
        let earlier = self.keys[candidates.clone()].iter().zip(&self.past[candidates]);
        let seen =
            earlier.filter(|(k, past)| **k == key && past.position.same_position(&self.current)).count();
        self.keys.push(key);
        self.now = Standing { occurrences: seen as u32 + 1, reversible };
        Ok(())
    }

    /// Changes the current position between moves in something that [`Position::same_position`] does not see, such as
    /// an offer that the players make. Taking back a move brings back the position it was played in, offers included.
    ///
    /// # Panics
    ///
    /// If the position is no longer the same to the rules: only moves do that.
    pub fn amend(&mut self, change: impl FnOnce(&mut P)) {
        let mut amended = self.current.clone();
        change(&mut amended);
        assert!(amended.same_position(&self.current), "a position is changed by moves alone");
        self.current = amended;
    }

    /// Takes back a declared end: the game goes on where it was. Says whether there was one.
    pub fn retract(&mut self) -> bool {
        self.declared.take().is_some()
    }

    /// Takes back the last move, and a declared end with it. Says which move it was; `None` at the beginning.
    pub fn undo(&mut self) -> Option<P::Move> {
        let past = self.past.pop()?;
        self.keys.pop();
        self.current = past.position;
        self.now = past.standing;
        self.declared = None;
        self.said = DrawTalk::Silent;
        Some(past.played)
    }

    /// What was said about a draw, as far as it still matters.
    ///
    /// A position that shows it ([`Position::shown_talk`]) decides how long it does. Otherwise an offer ends when the
    /// player who could have taken it up moves.
    #[must_use]
    pub fn talk(&self) -> DrawTalk {
        self.current.shown_talk().unwrap_or(self.said)
    }

    /// `actor` says something about a draw. What cannot be said now leaves the game as it was, and so does anything after
    /// the end.
    pub fn discuss(&mut self, actor: Player, act: DrawAct) -> Result<(), DrawError> {
        match self.talk().after(actor, act)? {
            Answer::Agreed => self.agree_draw(),
            Answer::Talk(talk) if self.current.shown_talk().is_some() => {
                self.amend(|position| position.show_talk(talk));
            }
            Answer::Talk(talk) => self.said = talk,
        }
        Ok(())
    }

    /// `player` has used up the time. A game that is over stays as it is.
    pub fn flag(&mut self, player: Player) {
        self.declare(Outcome::Win { winner: !player, reason: P::Reason::TIME });
    }

    /// `player` gives up. A game that is over stays as it is.
    pub fn resign(&mut self, player: Player) {
        self.declare(Outcome::Win { winner: !player, reason: P::Reason::RESIGNATION });
    }

    /// Both agree to a draw. A game that is over stays as it is.
    pub fn agree_draw(&mut self) {
        self.declare(Outcome::Draw { reason: P::Reason::AGREEMENT });
    }

    /// Ends the game as told (a flag that fell, a draw that was claimed). A game that is over stays as it is.
    pub fn declare(&mut self, outcome: Outcome<P::Reason>) {
        if !self.outcome().is_over() {
            self.declared = Some(outcome);
        }
    }
}

impl<P: Position> Default for Game<P> {
    fn default() -> Self {
        Self::new(P::Rules::default())
    }
}
