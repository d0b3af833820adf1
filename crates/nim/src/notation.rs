//! Text of positions, moves and turns.
//!
//! A position is its counters, the side to move and the winner: `9 first -`. A move is the number of counters taken, a turn
//! its moves joined by commas: `1,1,2`.

use sandtable_core::record::PlainRecords;
use sandtable_core::rules::SetupError;
use sandtable_core::{Describe, FromSetup as _, Notation, Player, Position};

use crate::position::{Nim, OneSet, PILE, Take};

/// An error in a position or a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("nim")]
pub enum NimError {
    /// More counters than at the start.
    #[error("expected at most {PILE} counters, found {found}")]
    TooMany {
        /// The number of counters.
        found: u8,
    },
    /// A winner with counters left, or no winner without counters.
    #[error("a game has a winner if and only if the pile is empty")]
    Winner,
    /// A malformed position.
    #[error("invalid position `{0}`: expected counters, side to move and winner, such as `9 first -`")]
    Text(#[param(name = "text")] String),
    /// A malformed or illegal move.
    #[error("invalid move `{0}`: expected the number of counters to take, at most 3 and at most those left")]
    Move(#[param(name = "text")] String),
}

impl Notation for Nim {
    type PositionError = SetupError<NimError>;
    type MoveError = NimError;
    type Records = PlainRecords;

    const RECORD_EXTENSION: &'static str = "nim";

    fn to_text(&self) -> String {
        let winner = self.winner.map_or("-", player_text);
        format!("{} {} {winner}", self.left, player_text(self.turn))
    }

    fn from_text(text: &str, rules: OneSet) -> Result<Self, SetupError<NimError>> {
        let setup = parse_setup(text).ok_or_else(|| SetupError::one(NimError::Text(text.to_owned())))?;
        Self::from_setup(&setup, rules)
    }

    fn move_text(&self, take: Take) -> String {
        take.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Take, NimError> {
        let legal = text.parse().ok().filter(|&take| self.is_legal(take));
        legal.ok_or_else(|| NimError::Move(text.to_owned()))
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Take>, NimError> {
        let mut position = self.clone();
        let mut moves = Vec::new();
        for take in text.split(',') {
            if position.turn != self.turn {
                return Err(NimError::Move(take.to_owned()));
            }
            moves.push(position.parse_move(take)?);
            position.play_unchecked(moves[moves.len() - 1]);
        }
        Ok(moves)
    }

    fn turn_text(&self, moves: &[Take]) -> String {
        moves.iter().map(Take::to_string).collect::<Vec<_>>().join(",")
    }
}

fn player_text(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

fn parse_setup(text: &str) -> Option<Nim> {
    let player = |text: &str| Player::ALL.into_iter().find(|&player| player_text(player) == text);
    let mut fields = text.split(' ');
    let (left, turn, winner) = (fields.next()?, fields.next()?, fields.next()?);
    let winner = if winner == "-" { None } else { Some(player(winner)?) };
    let setup = Nim { left: left.parse().ok()?, turn: player(turn)?, winner };
    fields.next().is_none().then_some(setup)
}
