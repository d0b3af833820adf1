//! The text of actions.
//!
//! ```text
//! f6-g7          move by the primary    f6s-g7   move by the slave
//! f6xg7          kill by the primary    f6sxg7   kill by the slave
//! f6+g7          enslave                g7~      liberate
//! g7-2           damage 2               f6#k11   attack the tribun
//! 2e5+1f7>f6     combine 2 from e5 and 1 from f7 on f6; a symmetric combination has three or six donors
//! f6>1g7+2f5     split: 1 on g7 and 2 on f5
//! f6!g7          backstab: move to g7
//! ```

use std::fmt::{self, Write as _};

use sandtable_core::{Describe, Player};

use crate::action::{Action, Amount, Pair, Part, SplitHeights, SymCombine};
use crate::event::Event;
use crate::tile::{Direction, Tile, TileTextError};
use crate::unit::Height;
use crate::word::WordError;

/// A text that is not a legal action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_move")]
#[non_exhaustive]
pub enum MoveError {
    /// A text of an unknown form.
    #[error(
        "invalid action `{0}`: expected a form such as f6-g7, f6xg7, f6+g7, g7~, g7-2, f6#k11, 2e5+1f7>f6, f6>1g7+2f5 or f6!g7"
    )]
    Form(#[param(name = "text")] String),
    /// An invalid tile.
    #[error(transparent)]
    Tile(#[from] TileTextError),
    /// An amount out of range.
    #[error("invalid amount `{0}`: expected 1 to 8")]
    Amount(#[param(name = "text")] String),
    /// A height that a split cannot place.
    #[error("invalid split height `{0}`: expected 1, 2, 3, 4 or 6")]
    SplitHeight(#[param(name = "text")] String),
    /// Two tiles that must be adjacent.
    #[error("{0} and {1} are not adjacent")]
    NotAdjacent(#[param(name = "first")] Tile, #[param(name = "second")] Tile),
    /// A tile that occurs twice.
    #[error("tile {0} occurs twice")]
    Twice(#[param(name = "tile")] Tile),
    /// Donors that form neither a pair nor a symmetric combination.
    #[error(
        "invalid donors: expected two, six that give 1 each, or three alternate neighbours that all give 1 or all give 2"
    )]
    Donors,
    /// An invalid action word.
    #[error(transparent)]
    Word(#[from] WordError),
    /// The action word of a draw offer or an end.
    #[error("action word {word:#010x} is not a board action: expected an opcode from 0 to 9")]
    NotOnBoard {
        /// The word.
        #[param(value = format!("{word:#010x}"))]
        word: u32,
    },
    /// An action that is not legal in the position.
    #[error("{action} is not legal in this position")]
    Illegal {
        /// The action.
        action: Action,
    },
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = |part| if part == Part::Slave { "s" } else { "" };
        match *self {
            Self::Move { from, to, part } => write_all(f, &[from.name(), suffix(part), "-", to.name()]),
            Self::Kill { attacker, target, part } => {
                write_all(f, &[attacker.name(), suffix(part), "x", target.name()])
            }
            Self::Liberate { target } => write_all(f, &[target.name(), "~"]),
            Self::Damage { target, loss } => write_all(f, &[target.name(), "-", digit(loss.value())]),
            Self::Enslave { attacker, target } => write_all(f, &[attacker.name(), "+", target.name()]),
            Self::Combine { center, donors, gifts } => {
                let gifts = donors.directions().into_iter().zip(gifts.map(Amount::value));
                write_amounts(f, center, gifts)?;
                write_all(f, &[">", center.name()])
            }
            Self::SymCombine { center, form } => {
                write_amounts(f, center, form.donors().iter().map(|&direction| (direction, form.gift())))?;
                write_all(f, &[">", center.name()])
            }
            Self::Split { actor, heights } => {
                write_all(f, &[actor.name(), ">"])?;
                write_amounts(
                    f,
                    actor,
                    heights.placed().map(|(direction, height)| (direction, height.value())),
                )
            }
            Self::Backstabb { actor, direction } => {
                write_all(f, &[actor.name(), "!"])?;
                write_neighbor(f, actor, direction)
            }
            Self::AttackTribun { attacker, tribun, .. } => {
                write_all(f, &[attacker.name(), "#", tribun.name()])
            }
        }
    }
}

/// Writes texts without the cost of `write!`: a view has the text of every legal action.
fn write_all(f: &mut fmt::Formatter<'_>, texts: &[&str]) -> fmt::Result {
    texts.iter().try_for_each(|text| f.write_str(text))
}

/// The text of an amount or a height, which has one digit.
fn digit(amount: u8) -> &'static str {
    let at = usize::from(amount);
    &"0123456789"[at..=at]
}

fn write_amounts(
    f: &mut fmt::Formatter<'_>,
    center: Tile,
    amounts: impl Iterator<Item = (Direction, u8)>,
) -> fmt::Result {
    for (i, (direction, amount)) in amounts.enumerate() {
        write_all(f, &[if i == 0 { "" } else { "+" }, digit(amount)])?;
        write_neighbor(f, center, direction)?;
    }
    Ok(())
}

/// Writes the name of a neighbour, or a description if it is off the board, as in an illegal action.
fn write_neighbor(f: &mut fmt::Formatter<'_>, tile: Tile, direction: Direction) -> fmt::Result {
    match tile.neighbor(direction) {
        Some(there) => f.write_str(there.name()),
        None => write!(f, "({direction} of {tile})"),
    }
}

/// The text of an action, in one allocation.
pub(super) fn write(action: Action) -> String {
    // Longer than the text of every action except for splits and combinations of many units.
    let mut text = String::with_capacity(16);
    write!(text, "{action}").expect("writing to a string cannot fail");
    text
}

/// Parses an action of `mover`, which need not be legal.
pub(super) fn parse(text: &str, mover: Player) -> Result<Action, MoveError> {
    let form = || MoveError::Form(text.to_owned());
    if let Some(word) = parse_word(text) {
        return match Event::from_word(word)? {
            Event::Board(action) => Ok(action),
            _ => Err(MoveError::NotOnBoard { word }),
        };
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let (donors, center) = text.split_once('>').ok_or_else(form)?;
        return parse_combination(donors, Tile::from_name(center)?);
    }
    let is_tile = |c: char| matches!(c, 'a'..='k' | '0'..='9');
    let end = text.find(|c| !is_tile(c)).filter(|&end| end > 0).ok_or_else(form)?;
    let (tile, rest) = text.split_at(end);
    let tile = Tile::from_name(tile)?;
    let (part, rest) = match rest.strip_prefix('s') {
        Some(rest) => (Part::Slave, rest),
        None => (Part::Primary, rest),
    };
    let mut characters = rest.chars();
    let sign = characters.next().ok_or_else(form)?;
    let object = characters.as_str();
    match (sign, part) {
        ('-', Part::Primary) if object.starts_with(|c: char| c.is_ascii_digit()) => {
            let loss = parse_amount(object)?;
            Ok(Action::Damage { target: tile, loss })
        }
        ('-', part) => Ok(Action::Move { from: tile, to: Tile::from_name(object)?, part }),
        ('x', part) => Ok(Action::Kill { attacker: tile, target: Tile::from_name(object)?, part }),
        ('+', Part::Primary) => Ok(Action::Enslave { attacker: tile, target: Tile::from_name(object)? }),
        ('~', Part::Primary) if object.is_empty() => Ok(Action::Liberate { target: tile }),
        ('!', Part::Primary) => {
            let direction = direction(tile, Tile::from_name(object)?)?;
            Ok(Action::Backstabb { actor: tile, direction })
        }
        ('#', Part::Primary) => {
            Ok(Action::AttackTribun { attacker: tile, tribun: Tile::from_name(object)?, winner: mover })
        }
        ('>', Part::Primary) => parse_split(tile, object),
        _ => Err(form()),
    }
}

/// Parses an action word, hexadecimal with `0x` or decimal.
fn parse_word(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) if !hex.starts_with('+') => u32::from_str_radix(hex, 16).ok(),
        Some(_) => None,
        None if text.starts_with('+') => None,
        None => text.parse().ok(),
    }
}

fn parse_amount(text: &str) -> Result<Amount, MoveError> {
    Amount::all()
        .find(|amount| amount.value().to_string() == text)
        .ok_or_else(|| MoveError::Amount(text.to_owned()))
}

fn direction(from: Tile, to: Tile) -> Result<Direction, MoveError> {
    from.direction_to(to).ok_or(MoveError::NotAdjacent(from, to))
}

/// Parses the amounts of `2e5+1f7`, by their directions from `center`.
fn parse_amounts(text: &str, center: Tile) -> Result<[Option<Amount>; Direction::NUM], MoveError> {
    let mut amounts = [None; Direction::NUM];
    for item in text.split('+') {
        let digits = item.find(|c: char| !c.is_ascii_digit()).unwrap_or(item.len());
        let (amount, tile) = item.split_at(digits);
        let tile = Tile::from_name(tile)?;
        let slot = &mut amounts[direction(center, tile)?.index()];
        if slot.replace(parse_amount(amount)?).is_some() {
            return Err(MoveError::Twice(tile));
        }
    }
    Ok(amounts)
}

fn parse_combination(donors: &str, center: Tile) -> Result<Action, MoveError> {
    let amounts = parse_amounts(donors, center)?;
    let given: Vec<_> = Direction::ALL
        .into_iter()
        .zip(amounts)
        .filter_map(|(direction, amount)| Some((direction, amount?)))
        .collect();
    if let &[(a, first), (b, second)] = given.as_slice() {
        let donors = Pair::new(a, b).expect("directions are ascending");
        return Ok(Action::Combine { center, donors, gifts: [first, second] });
    }
    let is_given = |form: &SymCombine| {
        given.len() == form.donors().len()
            && given.iter().all(|(at, gift)| form.donors().contains(at) && gift.value() == form.gift())
    };
    let form = SymCombine::ALL.into_iter().find(is_given).ok_or(MoveError::Donors)?;
    Ok(Action::SymCombine { center, form })
}

fn parse_split(actor: Tile, text: &str) -> Result<Action, MoveError> {
    let mut heights = [None; Direction::NUM];
    for (height, amount) in heights.iter_mut().zip(parse_amounts(text, actor)?) {
        if let Some(amount) = amount {
            let placed =
                Height::new(amount.value()).filter(|height| SplitHeights::PLACEABLE.contains(height));
            *height = Some(placed.ok_or_else(|| MoveError::SplitHeight(amount.value().to_string()))?);
        }
    }
    Ok(Action::Split { actor, heights: SplitHeights::new(heights).expect("8 is not placeable") })
}
