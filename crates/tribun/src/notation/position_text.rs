//! A position as one line.
//!
//! ```text
//! black:a1=1*,b2=3,f6=3/2 white:k11=1* b offer:w
//! BASE64 b
//! ```
//!
//! Black's units, White's units, who is to move, what was said about a draw (`-`, `offer:` or `declined:` and a side), and
//! `#` if the tribun of the player to move has been attacked.

use sandtable_core::{DrawTalk, FromSetup, Player, Position as _, SetupError};

use crate::base64::{self, Base64Error};
use crate::position::Position;
use crate::rules::Rules;
use crate::setup::{Invalid, Setup};
use crate::tile::{Tile, TileTextError};
use crate::unit::{Unit, UnitTextError};

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionTextError {
    /// Something is missing at the end.
    #[error("the text ends where {0} should follow")]
    Missing(&'static str),
    /// The second field of the readable form is another.
    #[error("`{0}` stands where White's units should: they begin with `white:`")]
    NotWhite(String),
    /// A unit without a tile, or a tile without a unit.
    #[error("`{0}` is not a unit on a tile, as in `f6=3/2`")]
    Placement(String),
    /// No tile.
    #[error(transparent)]
    Tile(#[from] TileTextError),
    /// No unit.
    #[error(transparent)]
    Unit(#[from] UnitTextError),
    /// Two units on one tile.
    #[error("two units stand on {0}")]
    Twice(Tile),
    /// No base64.
    #[error(transparent)]
    Base64(#[from] Base64Error),
    /// No player.
    #[error("`{0}` is nobody's turn: `b` is Black's and `w` is White's")]
    Turn(String),
    /// Nothing that can have been said.
    #[error("`{0}` is no draw offer: write `-`, `offer:b`, `offer:w`, `declined:b` or `declined:w`")]
    Talk(String),
    /// More text than a position has.
    #[error("`{0}` follows the end of the position")]
    Trailing(String),
    /// What is written is no position.
    #[error(transparent)]
    Invalid(#[from] SetupError<Invalid>),
}

const BLACK: &str = "black:";
const WHITE: &str = "white:";
const ATTACKED: &str = "#";

pub(super) fn write(position: &Position) -> String {
    let side = |player| {
        let units = position.board().units(player);
        units.map(|(tile, unit)| format!("{tile}={unit}")).collect::<Vec<_>>().join(",")
    };
    let (black, white) = (side(Player::First), side(Player::Second));
    let (turn, talk) = (write_player(position.turn()), write_talk(position.talk()));
    let end = if position.is_tribun_attacked() { " #" } else { "" };
    format!("{BLACK}{black} {WHITE}{white} {turn} {talk}{end}")
}

pub(super) fn read(text: &str, rules: Rules) -> Result<Position, PositionTextError> {
    let mut fields = text.split_whitespace().peekable();
    let first = fields.next().ok_or(PositionTextError::Missing("a board"))?;
    let board = if let Some(black) = first.strip_prefix(BLACK) {
        let second = fields.next().ok_or(PositionTextError::Missing("White's units"))?;
        let white = second.strip_prefix(WHITE).ok_or_else(|| PositionTextError::NotWhite(second.into()))?;
        read_units(black, white)?
    } else {
        base64::decode(first)?
    };
    let turn = fields.next().ok_or(PositionTextError::Missing("`b` or `w` for the turn"))?;
    let turn = read_player(turn).ok_or_else(|| PositionTextError::Turn(turn.into()))?;
    let talk = match fields.next_if(|&field| field != ATTACKED) {
        Some(talk) => read_talk(talk).ok_or_else(|| PositionTextError::Talk(talk.into()))?,
        None => DrawTalk::Silent,
    };
    let attacked = fields.next_if_eq(&ATTACKED).is_some();
    if let Some(trailing) = fields.next() {
        return Err(PositionTextError::Trailing(trailing.into()));
    }
    Ok(Position::from_setup(&Setup { board, turn, talk, attacked }, rules)?)
}

fn read_units(black: &str, white: &str) -> Result<[u8; Tile::CIDS], PositionTextError> {
    let mut bytes = [0; Tile::CIDS];
    for (owner, units) in Player::ALL.into_iter().zip([black, white]) {
        for placed in units.split(',').filter(|_| !units.is_empty()) {
            let (tile, unit) =
                placed.split_once('=').ok_or_else(|| PositionTextError::Placement(placed.into()))?;
            let (tile, unit) = (Tile::named(tile)?, Unit::from_text(owner, unit)?);
            if bytes[tile.index()] != 0 {
                return Err(PositionTextError::Twice(tile));
            }
            bytes[tile.index()] = unit.byte();
        }
    }
    Ok(bytes)
}

const fn write_player(player: Player) -> &'static str {
    match player {
        Player::First => "b",
        Player::Second => "w",
    }
}

fn read_player(text: &str) -> Option<Player> {
    Player::ALL.into_iter().find(|&player| write_player(player) == text)
}

pub(crate) fn write_talk(talk: DrawTalk) -> String {
    match talk {
        DrawTalk::Silent => "-".to_owned(),
        DrawTalk::Offered(player) => format!("offer:{}", write_player(player)),
        DrawTalk::Declined(player) => format!("declined:{}", write_player(player)),
    }
}

pub(crate) fn read_talk(text: &str) -> Option<DrawTalk> {
    match text.split_once(':') {
        None if text == "-" => Some(DrawTalk::Silent),
        Some(("offer", player)) => read_player(player).map(DrawTalk::Offered),
        Some(("declined", player)) => read_player(player).map(DrawTalk::Declined),
        _ => None,
    }
}
