//! Actions as text that people and programs read alike.
//!
//! ```text
//! f6-g7          a unit goes            f6s-g7   its slave leads
//! f6xg7          kill                   f6sxg7   the slave's part kills
//! f6+g7          enslave                g7~      liberate
//! g7-2           damage 2               f6#k11   attack the tribun
//! 2e5+1f7>f6     combine: 2 from e5 and 1 from f7 make a unit on f6; with three or six donors, symmetrically
//! f6>1g7+2f5     split: 1 to g7 and 2 to f5
//! f6!g7          backstabb: step to g7
//! ```

use std::fmt;

use sandtable_core::Player;

use crate::action::{Action, Amount, Pair, Part, Parts, Ring};
use crate::event::Event;
use crate::tile::{Direction, Tile, TileTextError};
use crate::unit::Height;
use crate::word::WordError;

/// Why a text is no action, or none that is legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// It has no known form.
    #[error(
        "`{0}` is no action: write one such as f6-g7, f6xg7, f6+g7, g7~, g7-2, f6#k11, 2e5+1f7>f6, f6>1g7+2f5, f6!g7"
    )]
    Form(String),
    /// No tile.
    #[error(transparent)]
    Tile(#[from] TileTextError),
    /// A number that is none of the kind.
    #[error("`{0}` is not an amount from 1 to 8")]
    Amount(String),
    /// A part that cannot be put down.
    #[error("`{0}` is not the height of a part: 1, 2, 3, 4 or 6")]
    Part(String),
    /// Two tiles that should touch.
    #[error("{0} and {1} do not touch")]
    NotAdjacent(Tile, Tile),
    /// A tile that is named twice.
    #[error("{0} is named twice")]
    Twice(Tile),
    /// Donors that form neither a pair nor a ring.
    #[error(
        "these donors do not combine: two give, or six around the centre give 1 each, or three of every second give the same 1 or 2"
    )]
    Donors,
    /// A number that is no action word.
    #[error(transparent)]
    Word(#[from] WordError),
    /// A word that says something else.
    #[error("{word:#010x} is not an action on the board")]
    NotOnBoard {
        /// The word.
        word: u32,
    },
    /// An action that the rules do not allow here.
    #[error("{action} is not legal in this position")]
    Illegal {
        /// The action.
        action: Action,
    },
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lead = |part| if part == Part::Slave { "s" } else { "" };
        match *self {
            Self::Move { from, to, part } => write!(f, "{from}{}-{to}", lead(part)),
            Self::Kill { attacker, target, part } => write!(f, "{attacker}{}x{target}", lead(part)),
            Self::Liberate { target } => write!(f, "{target}~"),
            Self::Damage { target, loss } => write!(f, "{target}-{}", loss.value()),
            Self::Enslave { attacker, target } => write!(f, "{attacker}+{target}"),
            Self::Combine { centre, donors, gifts } => {
                let gifts = donors.directions().into_iter().zip(gifts.map(Amount::value));
                write_amounts(f, centre, gifts)?;
                write!(f, ">{centre}")
            }
            Self::SymCombine { centre, ring } => {
                write_amounts(f, centre, ring.donors().iter().map(|&direction| (direction, ring.gift())))?;
                write!(f, ">{centre}")
            }
            Self::Split { actor, parts } => {
                write!(f, "{actor}>")?;
                write_amounts(f, actor, parts.placed().map(|(direction, part)| (direction, part.value())))
            }
            Self::Backstabb { actor, direction } => {
                write!(f, "{actor}!")?;
                write_neighbour(f, actor, direction)
            }
            Self::AttackTribun { attacker, tribun, .. } => write!(f, "{attacker}#{tribun}"),
        }
    }
}

fn write_amounts(
    f: &mut fmt::Formatter<'_>,
    centre: Tile,
    amounts: impl Iterator<Item = (Direction, u8)>,
) -> fmt::Result {
    for (i, (direction, amount)) in amounts.enumerate() {
        write!(f, "{}{amount}", if i == 0 { "" } else { "+" })?;
        write_neighbour(f, centre, direction)?;
    }
    Ok(())
}

/// A neighbour off the board, which no legal action has, is still written so that a person sees what is wrong.
fn write_neighbour(f: &mut fmt::Formatter<'_>, tile: Tile, direction: Direction) -> fmt::Result {
    match tile.neighbour(direction) {
        Some(there) => write!(f, "{there}"),
        None => write!(f, "({direction} of {tile})"),
    }
}

/// Reads an action of `mover`. Whether it is legal is not asked here.
pub(super) fn read(text: &str, mover: Player) -> Result<Action, MoveTextError> {
    let form = || MoveTextError::Form(text.to_owned());
    if let Some(word) = read_word(text) {
        return match Event::from_word(word)? {
            Event::Board(action) => Ok(action),
            _ => Err(MoveTextError::NotOnBoard { word }),
        };
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let (donors, centre) = text.split_once('>').ok_or_else(form)?;
        return read_combination(donors, Tile::named(centre)?);
    }
    let is_tile = |c: char| matches!(c, 'a'..='k' | '0'..='9');
    let end = text.find(|c| !is_tile(c)).filter(|&end| end > 0).ok_or_else(form)?;
    let (tile, rest) = text.split_at(end);
    let tile = Tile::named(tile)?;
    let (part, rest) = match rest.strip_prefix('s') {
        Some(rest) => (Part::Slave, rest),
        None => (Part::Primary, rest),
    };
    let mut characters = rest.chars();
    let sign = characters.next().ok_or_else(form)?;
    let object = characters.as_str();
    match (sign, part) {
        ('-', Part::Primary) if object.starts_with(|c: char| c.is_ascii_digit()) => {
            let loss = read_amount(object)?;
            Ok(Action::Damage { target: tile, loss })
        }
        ('-', part) => Ok(Action::Move { from: tile, to: Tile::named(object)?, part }),
        ('x', part) => Ok(Action::Kill { attacker: tile, target: Tile::named(object)?, part }),
        ('+', Part::Primary) => Ok(Action::Enslave { attacker: tile, target: Tile::named(object)? }),
        ('~', Part::Primary) if object.is_empty() => Ok(Action::Liberate { target: tile }),
        ('!', Part::Primary) => {
            let direction = direction(tile, Tile::named(object)?)?;
            Ok(Action::Backstabb { actor: tile, direction })
        }
        ('#', Part::Primary) => {
            Ok(Action::AttackTribun { attacker: tile, tribun: Tile::named(object)?, winner: mover })
        }
        ('>', Part::Primary) => read_split(tile, object),
        _ => Err(form()),
    }
}

/// A number, hexadecimal with `0x` or decimal; anything else is text.
fn read_word(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) if !hex.starts_with('+') => u32::from_str_radix(hex, 16).ok(),
        Some(_) => None,
        None if text.starts_with('+') => None,
        None => text.parse().ok(),
    }
}

fn read_amount(text: &str) -> Result<Amount, MoveTextError> {
    Amount::all()
        .find(|amount| amount.value().to_string() == text)
        .ok_or_else(|| MoveTextError::Amount(text.to_owned()))
}

fn direction(from: Tile, to: Tile) -> Result<Direction, MoveTextError> {
    from.direction_to(to).ok_or(MoveTextError::NotAdjacent(from, to))
}

/// The amounts of `2e5+1f7` by their directions from `centre`.
fn read_amounts(text: &str, centre: Tile) -> Result<[Option<Amount>; Direction::NUM], MoveTextError> {
    let mut amounts = [None; Direction::NUM];
    for item in text.split('+') {
        let digits = item.find(|c: char| !c.is_ascii_digit()).unwrap_or(item.len());
        let (amount, tile) = item.split_at(digits);
        let tile = Tile::named(tile)?;
        let slot = &mut amounts[direction(centre, tile)?.index()];
        if slot.replace(read_amount(amount)?).is_some() {
            return Err(MoveTextError::Twice(tile));
        }
    }
    Ok(amounts)
}

fn read_combination(donors: &str, centre: Tile) -> Result<Action, MoveTextError> {
    let amounts = read_amounts(donors, centre)?;
    let given: Vec<_> = Direction::ALL
        .into_iter()
        .zip(amounts)
        .filter_map(|(direction, amount)| Some((direction, amount?)))
        .collect();
    if let &[(a, first), (b, second)] = given.as_slice() {
        let donors = Pair::new(a, b).expect("the directions come in order");
        return Ok(Action::Combine { centre, donors, gifts: [first, second] });
    }
    let is_ring = |ring: &Ring| {
        given.len() == ring.donors().len()
            && given.iter().all(|(at, gift)| ring.donors().contains(at) && gift.value() == ring.gift())
    };
    let ring = Ring::ALL.into_iter().find(is_ring).ok_or(MoveTextError::Donors)?;
    Ok(Action::SymCombine { centre, ring })
}

fn read_split(actor: Tile, text: &str) -> Result<Action, MoveTextError> {
    let mut heights = [None; Direction::NUM];
    for (height, amount) in heights.iter_mut().zip(read_amounts(text, actor)?) {
        if let Some(amount) = amount {
            let part = Height::new(amount.value()).filter(|part| Parts::HEIGHTS.contains(part));
            *height = Some(part.ok_or_else(|| MoveTextError::Part(amount.value().to_string()))?);
        }
    }
    Ok(Action::Split { actor, parts: Parts::new(heights).expect("8 was refused") })
}
