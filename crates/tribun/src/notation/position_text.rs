//! The text of a position, on one line.
//!
//! ```text
//! black:a1=1*,b2=3,f6=3/2 white:k11=1* b offer:w
//! BASE64 b
//! ```
//!
//! Black's units, White's units, the side to move, the draw offer (`-`, or `offer:` or `declined:` and a side), and `#` if the
//! tribun of the side to move has been attacked.

use std::fmt;

use sandtable_core::rules::{DrawOffer, SetupError};
use sandtable_core::{Describe, FromSetup, Player, Position};

use crate::base64::{self, Base64Error};
use crate::position::Tribun;
use crate::rules::Rules;
use crate::setup::{Invalid, Setup};
use crate::tile::{Tile, TileTextError};
use crate::unit::{Unit, UnitTextError};

/// A text that is not a valid position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_position")]
#[non_exhaustive]
pub enum PositionError {
    /// A missing field.
    #[error("expected {0}, found the end of the position")]
    Missing(#[param(name = "field", message)] PositionField),
    /// Another field in place of White's units.
    #[error("expected White's units (`white:…`), found `{0}`")]
    NotWhite(#[param(name = "text")] String),
    /// A unit without a tile, or a tile without a unit.
    #[error("invalid unit `{0}`: expected a tile, `=` and a unit, such as `f6=3/2`")]
    Placement(#[param(name = "text")] String),
    /// An invalid tile.
    #[error(transparent)]
    Tile(#[from] TileTextError),
    /// An invalid unit.
    #[error(transparent)]
    Unit(#[from] UnitTextError),
    /// Two units on one tile.
    #[error("tile {0} holds two units: expected at most one")]
    Twice(#[param(name = "tile")] Tile),
    /// Invalid base64.
    #[error(transparent)]
    Base64(#[from] Base64Error),
    /// An invalid side to move.
    #[error("invalid side to move `{0}`: expected b or w")]
    Turn(#[param(name = "text")] String),
    /// An invalid draw offer.
    #[error("invalid draw offer `{0}`: expected -, offer:b, offer:w, declined:b or declined:w")]
    DrawOffer(#[param(name = "text")] String),
    /// Text after the last field.
    #[error("unexpected `{0}` after the position")]
    Trailing(#[param(name = "text")] String),
    /// An invalid setup.
    #[error(transparent)]
    Invalid(#[from] SetupError<Invalid>),
}

/// A field of the text of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Describe)]
#[code("tribun_position_field")]
pub enum PositionField {
    /// The units of Black, or the base64 of a board.
    Board,
    /// The units of White.
    White,
    /// The side to move.
    Turn,
}

impl fmt::Display for PositionField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "the units or the base64 of a board",
            Self::White => "White's units",
            Self::Turn => "the side to move, b or w",
        })
    }
}

const BLACK: &str = "black:";
const WHITE: &str = "white:";
const ATTACKED: &str = "#";

pub(super) fn write(position: &Tribun, offer: DrawOffer) -> String {
    let side = |player| {
        let units = position.board().units(player);
        units.map(|(tile, unit)| format!("{tile}={unit}")).collect::<Vec<_>>().join(",")
    };
    let (black, white) = (side(Player::First), side(Player::Second));
    let (turn, offer) = (player_letter(position.turn()), write_offer(offer));
    let end = if position.is_tribun_attacked() { " #" } else { "" };
    format!("{BLACK}{black} {WHITE}{white} {turn} {offer}{end}")
}

pub(super) fn parse(text: &str, rules: Rules) -> Result<(Tribun, DrawOffer), PositionError> {
    let mut fields = text.split_whitespace().peekable();
    let first = fields.next().ok_or(PositionError::Missing(PositionField::Board))?;
    let board = if let Some(black) = first.strip_prefix(BLACK) {
        let second = fields.next().ok_or(PositionError::Missing(PositionField::White))?;
        let white = second.strip_prefix(WHITE).ok_or_else(|| PositionError::NotWhite(second.into()))?;
        parse_units(black, white)?
    } else {
        base64::decode(first)?
    };
    let turn = fields.next().ok_or(PositionError::Missing(PositionField::Turn))?;
    let turn = parse_player(turn).ok_or_else(|| PositionError::Turn(turn.into()))?;
    let offer = match fields.next_if(|&field| field != ATTACKED) {
        Some(offer) => parse_offer(offer).ok_or_else(|| PositionError::DrawOffer(offer.into()))?,
        None => DrawOffer::None,
    };
    let attacked = fields.next_if_eq(&ATTACKED).is_some();
    if let Some(trailing) = fields.next() {
        return Err(PositionError::Trailing(trailing.into()));
    }
    Ok((Tribun::from_setup(&Setup { board, turn, attacked }, rules)?, offer))
}

fn parse_units(black: &str, white: &str) -> Result<[u8; Tile::CIDS], PositionError> {
    let mut bytes = [0; Tile::CIDS];
    for (owner, units) in Player::ALL.into_iter().zip([black, white]) {
        for placed in units.split(',').filter(|_| !units.is_empty()) {
            let (tile, unit) =
                placed.split_once('=').ok_or_else(|| PositionError::Placement(placed.into()))?;
            let (tile, unit) = (Tile::from_name(tile)?, Unit::from_text(owner, unit)?);
            if bytes[tile.index()] != 0 {
                return Err(PositionError::Twice(tile));
            }
            bytes[tile.index()] = unit.byte();
        }
    }
    Ok(bytes)
}

const fn player_letter(player: Player) -> &'static str {
    match player {
        Player::First => "b",
        Player::Second => "w",
    }
}

fn parse_player(text: &str) -> Option<Player> {
    Player::ALL.into_iter().find(|&player| player_letter(player) == text)
}

pub(crate) fn write_offer(offer: DrawOffer) -> String {
    match offer {
        DrawOffer::None => "-".to_owned(),
        DrawOffer::Open(player) => format!("offer:{}", player_letter(player)),
        DrawOffer::Declined(player) => format!("declined:{}", player_letter(player)),
    }
}

pub(crate) fn parse_offer(text: &str) -> Option<DrawOffer> {
    match text.split_once(':') {
        None if text == "-" => Some(DrawOffer::None),
        Some(("offer", player)) => parse_player(player).map(DrawOffer::Open),
        Some(("declined", player)) => parse_player(player).map(DrawOffer::Declined),
        _ => None,
    }
}
