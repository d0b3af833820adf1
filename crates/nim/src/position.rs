//! The rules of the game.

use std::ops::ControlFlow;

use sandtable_core::rules::{EndRule, Reason, SetupError, zobrist};
use sandtable_core::{ByPlayer, FromSetup, Outcome, Player, Position, Rules};

use crate::notation::NimError;

/// The number of counters at the start.
pub const PILE: u8 = 9;

/// The most counters that a move takes.
const MOST: Take = 3;

/// The rules: there is only one set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OneSet;

impl Rules for OneSet {
    const PRESETS: &'static [(&'static str, Self)] = &[("standard", Self)];
}

/// The rules that end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The mover took the last counter and wins.
    LastTaken,
    /// The third occurrence of a position is a draw.
    Threefold,
}

impl EndRule for Ending {
    const TEXTS: &'static [(Self, &'static str)] =
        &[(Self::LastTaken, "last taken"), (Self::Threefold, "threefold")];
}

/// A move: the number of counters taken; zero is a pass.
pub type Take = u8;

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Nim {
    /// The number of counters left.
    pub left: u8,
    /// The side to move.
    pub turn: Player,
    /// The player who took the last counter.
    pub winner: Option<Player>,
}

impl Position for Nim {
    type Move = Take;
    type Rules = OneSet;
    type Ending = Ending;

    const NAME: &'static str = "greedy-nim";
    const PLAYERS: ByPlayer<&'static str> = ByPlayer::new("First", "Second");
    const PLY_LIMIT: usize = 200;

    fn start(_: OneSet) -> Self {
        Self { left: PILE, turn: Player::First, winner: None }
    }

    fn rules(&self) -> OneSet {
        OneSet
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn for_each_legal<B>(&self, f: impl FnMut(Take) -> ControlFlow<B>) -> ControlFlow<B> {
        let moves = if self.left == 0 { 0 } else { self.left.min(MOST) + 1 };
        (0..moves).try_for_each(f)
    }

    fn play_unchecked(&mut self, take: Take) {
        self.left -= take;
        if self.left == 0 {
            self.winner = Some(self.turn);
        }
        if take != 1 {
            self.turn = !self.turn;
        }
    }

    fn outcome(&self, occurrences: u32) -> Outcome<Reason<Ending>> {
        match self.winner {
            Some(winner) => Outcome::Win { winner, reason: Reason::Rule(Ending::LastTaken) },
            None if occurrences >= 3 => Outcome::Draw { reason: Reason::Rule(Ending::Threefold) },
            None => Outcome::Ongoing,
        }
    }

    fn hash64(&self) -> u64 {
        const KEYS: [u64; 64] = zobrist::keys(9);
        let winner = self.winner.map_or(0, |winner| winner.index() + 1);
        KEYS[usize::from(self.left)] ^ KEYS[32 + self.turn.index()] ^ KEYS[40 + winner]
    }

    fn mirrored(&self) -> Self {
        Self { left: self.left, turn: !self.turn, winner: self.winner.map(Player::opponent) }
    }
}

impl FromSetup for Nim {
    /// Unchecked data has the same fields.
    type Setup = Self;
    type Invalid = NimError;

    fn from_setup(setup: &Self, _: OneSet) -> Result<Self, SetupError<NimError>> {
        let mut reasons = Vec::new();
        if setup.left > PILE {
            reasons.push(NimError::TooMany { found: setup.left });
        }
        if (setup.left == 0) != setup.winner.is_some() {
            reasons.push(NimError::Winner);
        }
        SetupError::check(reasons)?;
        Ok(setup.clone())
    }

    fn to_setup(&self) -> Self {
        self.clone()
    }
}
