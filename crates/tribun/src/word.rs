//! The action word: the wire form of an [`Event`] in 32 bits.
//!
//! ```text
//! opcode << 28 | payload, with the fields of the payload from bit 0 up
//! ```

use std::fmt;

use sandtable_core::rules::DrawAction;
use sandtable_core::{Describe, Player};
use strum::VariantArray as _;

use crate::action::{Action, Amount, Pair, Part, SplitHeights, SymCombine};
use crate::event::{End, Event};
use crate::tile::{Direction, Tile, TileError};
use crate::unit::Height;

/// An invalid action word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_word")]
#[non_exhaustive]
pub enum WordError {
    /// An opcode from 12 to 15.
    #[error("unknown opcode {0}: expected 0 to 11")]
    Opcode(#[param(name = "opcode")] u32),
    /// Set bits above the fields of the payload.
    #[error("unused bits {bits:#x} of {op} are set: expected 0")]
    UnusedBits {
        /// The opcode's name.
        op: &'static str,
        /// The bits above the fields, shifted down.
        #[param(value = format!("{bits:#x}"))]
        bits: u32,
    },
    /// A field with an invalid cid.
    #[error("invalid {field} of {op}: {error}")]
    Tile {
        /// The opcode's name.
        op: &'static str,
        /// The field's name.
        field: &'static str,
        /// The error in the cid.
        #[param(message)]
        error: TileError,
    },
    /// A field with another invalid value.
    #[error("invalid {field} of {op}: expected {expected}, found {value}")]
    Value {
        /// The opcode's name.
        op: &'static str,
        /// The field's name.
        field: &'static str,
        /// The value of the field.
        value: u32,
        /// The valid values.
        #[param(message)]
        expected: WordValues,
    },
}

/// The valid values of a field of an action word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Describe)]
#[code("tribun_word_values")]
#[non_exhaustive]
pub enum WordValues {
    /// A direction.
    Direction,
    /// A second direction.
    SecondDirection,
    /// No loser in a tie.
    NoLoser,
    /// The arrangement of the donors of a symmetric combination.
    Config,
    /// The gift of each donor of a symmetric combination.
    Gift,
    /// A height that a split can place, or none.
    SplitHeight,
}

impl fmt::Display for WordValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Direction => "a direction from 0 to 5",
            Self::SecondDirection => "a direction above dirA",
            Self::NoLoser => "0, because a tie by game time has no loser",
            Self::Config => "0, 1 or 2",
            Self::Gift => "0 for six donors, 0 or 1 for three",
            Self::SplitHeight => "0, 1, 2, 3, 4 or 6",
        })
    }
}

const OPCODE_SHIFT: u32 = 28;

/// What an action word says: its four highest bits.
#[derive(Clone, Copy, strum::VariantArray, strum::IntoStaticStr)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
enum Opcode {
    Move = 0,
    Kill = 1,
    Liberate = 2,
    Damage = 3,
    Enslave = 4,
    Combine = 5,
    SymCombine = 6,
    Split = 7,
    Backstabb = 8,
    AttackTribun = 9,
    Draw = 10,
    End = 11,
}

const TILE: u32 = 7;
const DIRECTION: u32 = 3;
const AMOUNT: u32 = 3;
const FLAG: u32 = 1;

/// Reads the fields of a payload, lowest first.
struct PayloadReader {
    op: &'static str,
    rest: u32,
}

impl PayloadReader {
    const fn take(&mut self, bits: u32) -> u32 {
        let value = self.rest & ((1 << bits) - 1);
        self.rest >>= bits;
        value
    }

    fn tile(&mut self, field: &'static str) -> Result<Tile, WordError> {
        Tile::from_cid(self.take(TILE) as u8).map_err(|error| WordError::Tile { op: self.op, field, error })
    }

    fn part(&mut self) -> Part {
        Part::ALL[self.take(FLAG) as usize]
    }

    fn player(&mut self) -> Player {
        Player::ALL[self.take(FLAG) as usize]
    }

    fn amount(&mut self) -> Amount {
        Amount::new(self.take(AMOUNT) as u8).expect("every 3-bit value is an amount")
    }

    fn direction(&mut self, field: &'static str) -> Result<Direction, WordError> {
        let value = self.take(DIRECTION);
        Direction::new(value as u8).ok_or_else(|| self.invalid(field, value, WordValues::Direction))
    }

    fn invalid(&self, field: &'static str, value: u32, expected: WordValues) -> WordError {
        WordError::Value { op: self.op, field, value, expected }
    }

    fn end(&self) -> Result<(), WordError> {
        if self.rest == 0 { Ok(()) } else { Err(WordError::UnusedBits { op: self.op, bits: self.rest }) }
    }
}

/// Writes the fields of a payload, lowest first.
struct PayloadWriter {
    word: u32,
    at: u32,
}

impl PayloadWriter {
    const fn new(opcode: Opcode) -> Self {
        Self { word: (opcode as u32) << OPCODE_SHIFT, at: 0 }
    }

    const fn put(mut self, bits: u32, value: u32) -> Self {
        self.word |= value << self.at;
        self.at += bits;
        self
    }

    const fn tile(self, tile: Tile) -> Self {
        self.put(TILE, tile.cid() as u32)
    }

    const fn direction(self, direction: Direction) -> Self {
        self.put(DIRECTION, direction as u32)
    }

    const fn amount(self, amount: Amount) -> Self {
        self.put(AMOUNT, amount.index() as u32)
    }
}

impl Action {
    /// The action word.
    #[must_use]
    pub fn word(self) -> u32 {
        let payload = match self {
            Self::Move { from, to, part } => {
                PayloadWriter::new(Opcode::Move).tile(from).tile(to).put(FLAG, part as u32)
            }
            Self::Kill { attacker, target, part } => {
                PayloadWriter::new(Opcode::Kill).tile(attacker).tile(target).put(FLAG, part as u32)
            }
            Self::Liberate { target } => PayloadWriter::new(Opcode::Liberate).tile(target),
            Self::Damage { target, loss } => PayloadWriter::new(Opcode::Damage).tile(target).amount(loss),
            Self::Enslave { attacker, target } => {
                PayloadWriter::new(Opcode::Enslave).tile(attacker).tile(target)
            }
            Self::Combine { center, donors, gifts } => {
                let [a, b] = donors.directions();
                PayloadWriter::new(Opcode::Combine)
                    .tile(center)
                    .direction(a)
                    .direction(b)
                    .amount(gifts[0])
                    .amount(gifts[1])
            }
            Self::SymCombine { center, form } => PayloadWriter::new(Opcode::SymCombine)
                .tile(center)
                .put(2, form.config().into())
                .put(2, u32::from(form.gift()) - 1),
            Self::Split { actor, heights } => heights
                .by_direction()
                .into_iter()
                .fold(PayloadWriter::new(Opcode::Split).tile(actor), |payload, height| {
                    payload.put(3, height.map_or(0, Height::value).into())
                }),
            Self::Backstabb { actor, direction } => {
                PayloadWriter::new(Opcode::Backstabb).tile(actor).direction(direction)
            }
            Self::AttackTribun { attacker, tribun, winner } => PayloadWriter::new(Opcode::AttackTribun)
                .tile(attacker)
                .tile(tribun)
                .put(FLAG, winner.index() as u32),
        };
        payload.word
    }
}

impl Event {
    /// The action word.
    #[must_use]
    pub fn word(self) -> u32 {
        let end = |kind, loser: Player| {
            PayloadWriter::new(Opcode::End).put(2, kind).put(FLAG, loser.index() as u32).word
        };
        match self {
            Self::Board(action) => action.word(),
            Self::Draw { actor, action } => {
                PayloadWriter::new(Opcode::Draw).put(2, action as u32).put(FLAG, actor.index() as u32).word
            }
            Self::End(End::Resign { loser }) => end(0, loser),
            Self::End(End::NoAction { loser }) => end(1, loser),
            Self::End(End::PlayerTime { loser }) => end(2, loser),
            Self::End(End::GameTime) => end(3, Player::First),
        }
    }

    /// Decodes an action word. The event need not be legal in any position.
    pub fn from_word(word: u32) -> Result<Self, WordError> {
        let opcode = word >> OPCODE_SHIFT;
        let opcode = *Opcode::VARIANTS.get(opcode as usize).ok_or(WordError::Opcode(opcode))?;
        let mut fields = PayloadReader { op: opcode.into(), rest: word & ((1 << OPCODE_SHIFT) - 1) };
        let event = read_event(opcode, &mut fields)?;
        fields.end()?;
        Ok(event)
    }
}

fn read_end(fields: &mut PayloadReader) -> Result<End, WordError> {
    let kind = fields.take(2);
    let loser = fields.player();
    Ok(match kind {
        0 => End::Resign { loser },
        1 => End::NoAction { loser },
        2 => End::PlayerTime { loser },
        _ if loser == Player::First => End::GameTime,
        _ => return Err(fields.invalid("loser", 1, WordValues::NoLoser)),
    })
}

fn read_event(opcode: Opcode, fields: &mut PayloadReader) -> Result<Event, WordError> {
    let action = match opcode {
        Opcode::Draw => {
            let action = DrawAction::ALL[fields.take(2) as usize];
            return Ok(Event::Draw { actor: fields.player(), action });
        }
        Opcode::End => return Ok(Event::End(read_end(fields)?)),
        Opcode::Move => {
            Action::Move { from: fields.tile("from")?, to: fields.tile("to")?, part: fields.part() }
        }
        Opcode::Kill => Action::Kill {
            attacker: fields.tile("attacker")?,
            target: fields.tile("target")?,
            part: fields.part(),
        },
        Opcode::Liberate => Action::Liberate { target: fields.tile("target")? },
        Opcode::Damage => Action::Damage { target: fields.tile("target")?, loss: fields.amount() },
        Opcode::Enslave => {
            Action::Enslave { attacker: fields.tile("attacker")?, target: fields.tile("target")? }
        }
        Opcode::Combine => {
            let center = fields.tile("centre")?;
            let (a, b) = (fields.direction("dirA")?, fields.direction("dirB")?);
            let donors = Pair::new(a, b)
                .ok_or_else(|| fields.invalid("dirB", b as u32, WordValues::SecondDirection))?;
            Action::Combine { center, donors, gifts: [fields.amount(), fields.amount()] }
        }
        Opcode::SymCombine => {
            let center = fields.tile("centre")?;
            let (config, gift) = (fields.take(2), fields.take(2) + 1);
            if config == 3 {
                return Err(fields.invalid("config", config, WordValues::Config));
            }
            let form = SymCombine::ALL
                .into_iter()
                .find(|form| (u32::from(form.config()), u32::from(form.gift())) == (config, gift))
                .ok_or_else(|| fields.invalid("gift - 1", gift - 1, WordValues::Gift))?;
            Action::SymCombine { center, form }
        }
        Opcode::Split => {
            let actor = fields.tile("actor")?;
            let mut heights = [None; Direction::NUM];
            for slot in &mut heights {
                *slot = match fields.take(3) {
                    0 => None,
                    value => Some(
                        Height::new(value as u8)
                            .ok_or_else(|| fields.invalid("height", value, WordValues::SplitHeight))?,
                    ),
                };
            }
            let heights = SplitHeights::new(heights).expect("3 bits cannot hold an 8");
            Action::Split { actor, heights }
        }
        Opcode::Backstabb => {
            Action::Backstabb { actor: fields.tile("actor")?, direction: fields.direction("direction")? }
        }
        Opcode::AttackTribun => Action::AttackTribun {
            attacker: fields.tile("attacker")?,
            tribun: fields.tile("tribun")?,
            winner: fields.player(),
        },
    };
    Ok(Event::Board(action))
}
