//! Positions as an editor shows them: figures on cells, and everything else in fields.

use std::collections::BTreeMap;
use std::fmt;

use crate::rules::DrawOffer;
use crate::view::{Codes, Figure, Message, Render};
use crate::{Describe, FromSetup, Notation, Player, Position};

/// An unchecked position as plain text, cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// The letters of the figure on each occupied cell, by cell name.
    pub cells: BTreeMap<String, String>,
    /// The player to move.
    pub turn: Player,
    /// The value of each field, by field name. A missing field has its default value.
    pub fields: BTreeMap<String, String>,
}

impl Arrangement {
    /// Calls `put` with every cell and the letters of its figure; its errors become faults of the cell.
    pub fn read_cells<E: Describe>(
        &self,
        faults: &mut Vec<Fault>,
        mut put: impl FnMut(&str, &str) -> Result<(), E>,
    ) {
        for (cell, letters) in &self.cells {
            if let Err(error) = put(cell, letters) {
                faults.push(Fault::new(Some(cell.clone()), &error));
            }
        }
    }

    /// Parses the value of a field of `P`, or its default; a value that `read` rejects becomes a fault of the field.
    pub fn read_field<P: Position, T>(
        &self,
        field: &ArrangementField,
        faults: &mut Vec<Fault>,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.fields.get(field.name).map_or(field.default, String::as_str);
        let value = read(text);
        if value.is_none() {
            let error = ArrangeError::InvalidField { game: P::NAME, field: *field, text: text.to_owned() };
            faults.push(Fault::new(Some(field.name.to_owned()), &error));
        }
        value
    }
}

/// Parses a number below 2¹⁶ that consists of digits only; `str::parse` would also accept a sign.
#[must_use]
pub fn parse_counter(text: &str) -> Option<u16> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// A property of a position other than its figures and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrangementField {
    /// The name.
    pub name: &'static str,
    /// The default value.
    pub default: &'static str,
    /// The values that the field accepts, as the words after "expected" in an error message.
    pub expected: &'static str,
}

impl ArrangementField {
    /// The code of [`expected`](Self::expected) in a game.
    #[must_use]
    pub fn code(&self, game: &str) -> String {
        format!("field.{game}.{}", self.name)
    }
}

/// The values that a field of a game accepts.
struct Expected {
    game: &'static str,
    field: ArrangementField,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.field.expected)
    }
}

impl Describe for Expected {
    fn message(&self) -> Message {
        Message::new(self.field.code(self.game))
    }

    /// The codes depend on the game: they are those of [`Arrange::FIELDS`].
    fn collect_codes(_: &mut Codes) {}
}

/// An error in an arrangement that every game has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("arrangement")]
#[non_exhaustive]
pub enum ArrangeError {
    /// A field with a value that it does not accept.
    #[error("invalid {} `{text}`: expected {}", field.name, field.expected)]
    InvalidField {
        /// The name of the game.
        #[param(skip)]
        game: &'static str,
        /// The field.
        #[param(term, value = field.name)]
        #[param(name = "expected", message = Expected, value = Expected { game, field: *field })]
        field: ArrangementField,
        /// The value.
        text: String,
    },
    /// A field that the game does not have.
    #[error("unknown field `{name}`: expected {}", known.join(", "))]
    UnknownField {
        /// The name.
        name: String,
        /// The names of the fields.
        #[param(list)]
        known: Vec<&'static str>,
    },
}

/// A fault of an arrangement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The name of the cell or field, if the fault concerns one.
    pub place: Option<String>,
    /// The description of the fault.
    pub text: String,
    /// The description as a message that can be translated.
    pub message: Message,
}

impl Fault {
    /// The fault at a place that an error describes.
    #[must_use]
    pub fn new(place: Option<String>, error: &impl Describe) -> Self {
        Self { place, text: error.to_string(), message: error.message() }
    }
}

/// The figures that can be placed on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Sets of cells, by their names.
    pub regions: Vec<Vec<String>>,
    /// Each figure with the index of the region it may stand in.
    pub figures: Vec<(Figure, usize)>,
}

/// The only field of a game whose positions are not composed figure by figure: the text of the position.
const POSITION: ArrangementField = ArrangementField {
    name: "position",
    default: "",
    expected: "the text of a position with this player to move",
};

/// A position that an editor can compose figure by figure.
///
/// By default there are no figures to place, and a field holds the text of the position.
pub trait Arrange: FromSetup + Notation + Render {
    /// The error in the text of a cell.
    type CellError: Describe;

    /// The fields of an arrangement.
    const FIELDS: &'static [ArrangementField] = &[POSITION];

    /// Every figure that these rules allow, and where it may stand.
    #[must_use]
    fn palette(_rules: Self::Rules) -> Palette {
        Palette { regions: Vec::new(), figures: Vec::new() }
    }

    /// The position as an arrangement. During a turn in progress, this is the position before the turn.
    #[must_use]
    fn arrangement(&self, offer: DrawOffer) -> Arrangement {
        let text = self.to_text_with_offer(offer);
        Arrangement {
            cells: BTreeMap::new(),
            turn: self.turn(),
            fields: [(POSITION.name.to_owned(), text)].into(),
        }
    }

    /// Parses an arrangement that has only known fields. Parts that cannot be parsed are left out of the setup and
    /// reported as faults.
    fn read_arrangement(
        arrangement: &Arrangement,
        rules: Self::Rules,
        faults: &mut Vec<Fault>,
    ) -> (Self::Setup, DrawOffer) {
        let read = |text: &str| {
            let read = Self::from_text_with_offer(text, rules).ok();
            read.filter(|(position, _)| position.turn() == arrangement.turn)
        };
        let read = arrangement.read_field::<Self, _>(&POSITION, faults, read);
        let (position, offer) = read.unwrap_or_else(|| (Self::start(rules), DrawOffer::None));
        (position.to_setup(), offer)
    }

    /// The name of the cell or field that a reason concerns, if it concerns one.
    #[must_use]
    fn place_of(_reason: &Self::Invalid) -> Option<String> {
        None
    }
}

/// Converts an arrangement to a position and its draw offer, or returns *all* faults: every part that cannot be parsed,
/// and every reason why the rest is not a valid position.
pub fn compose<P: Arrange>(arrangement: &Arrangement, rules: P::Rules) -> Result<(P, DrawOffer), Vec<Fault>> {
    let mut faults = Vec::new();
    for name in arrangement.fields.keys() {
        if !P::FIELDS.iter().any(|field| field.name == name) {
            let known: Vec<_> = P::FIELDS.iter().map(|field| field.name).collect();
            let error = ArrangeError::UnknownField { name: name.clone(), known };
            faults.push(Fault::new(Some(name.clone()), &error));
        }
    }
    let (setup, offer) = P::read_arrangement(arrangement, rules, &mut faults);
    match P::from_setup(&setup, rules) {
        Ok(position) if faults.is_empty() => Ok((position, offer)),
        Ok(_) => Err(faults),
        Err(error) => {
            let invalid = |reason| Fault::new(P::place_of(reason), reason);
            faults.extend(error.reasons().iter().map(invalid));
            Err(faults)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_digits_alone() {
        assert_eq!(
            ["0", "7", "150", "65535"].map(parse_counter),
            [Some(0), Some(7), Some(150), Some(u16::MAX)]
        );
        for text in ["", "-1", "+1", " 1", "1.0", "65536", "x"] {
            assert_eq!(parse_counter(text), None, "{text}");
        }
    }
}
