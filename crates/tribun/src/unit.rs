//! Units: heights, tribuns, slaves, and the unit byte, which is both the wire form and the form in memory.

use std::fmt;
use std::num::NonZeroU8;

use sandtable_core::{Describe, Player};

/// The height of a unit: 1, 2, 3, 4, 6 or 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Height {
    /// 1
    One = 1,
    /// 2
    Two,
    /// 3
    Three,
    /// 4
    Four,
    /// 6
    Six,
    /// 8
    Eight,
}

impl Height {
    /// The number of heights.
    pub const NUM: usize = 6;
    /// All heights, lowest first.
    pub const ALL: [Self; Self::NUM] =
        [Self::One, Self::Two, Self::Three, Self::Four, Self::Six, Self::Eight];

    /// Returns the height with this value, or `None` if no unit can have it.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        match value {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            3 => Some(Self::Three),
            4 => Some(Self::Four),
            6 => Some(Self::Six),
            8 => Some(Self::Eight),
            _ => None,
        }
    }

    /// Returns the greatest height up to `value`, or `None` for 0.
    #[must_use]
    pub const fn at_most(value: u8) -> Option<Self> {
        match value {
            0 => None,
            5 => Some(Self::Four),
            7 => Some(Self::Six),
            8.. => Some(Self::Eight),
            _ => Self::new(value),
        }
    }

    /// The height as a number: 1, 2, 3, 4, 6 or 8.
    #[must_use]
    pub const fn value(self) -> u8 {
        [0, 1, 2, 3, 4, 6, 8][self as usize]
    }

    /// The index of the height in a unit byte, 1 to 6.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the height with this index in a unit byte.
    const fn from_index(index: u8) -> Option<Self> {
        if 1 <= index && index <= Self::NUM as u8 { Some(Self::ALL[index as usize - 1]) } else { None }
    }
}

impl fmt::Display for Height {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.value(), f)
    }
}

impl fmt::Debug for Height {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The slave property: returns whether a unit of height `primary` can hold a slave of height `slave`.
#[must_use]
pub const fn can_hold(primary: Height, slave: Height) -> bool {
    primary.value() <= 4 && 2 * primary.value() >= slave.value()
}

/// A unit: its owner, its primary height, whether it is a tribun, and the height of its slave.
///
/// Stored as the unit byte: bits 0–2 the index of the primary height, bits 3–5 the index of the slave's height, bit 6 the
/// colour, bit 7 the tribun flag. Every `Unit` is valid: a tribun has no slave, and any other unit
/// [can hold](can_hold) its slave.
///
/// ```
/// use sandtable_core::Player;
/// use sandtable_tribun::{Height, Unit};
///
/// let unit = Unit::from_text(Player::Second, "3/2")?;
/// assert_eq!((unit.primary(), unit.slave()), (Height::Three, Some(Height::Two)));
/// assert_eq!(Unit::from_byte(unit.byte()), Ok(Some(unit)));
/// # Ok::<(), sandtable_tribun::UnitTextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unit(NonZeroU8);

/// An invalid unit byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_unit")]
#[non_exhaustive]
pub enum UnitError {
    /// A height index of 7.
    #[error("height index 7 is reserved: heights have indices 1 to 6")]
    HeightIndex,
    /// A slave, a tribun flag or a colour without a primary height.
    #[error("a unit needs a primary height")]
    NoPrimary,
    /// A tribun with a slave.
    #[error("a tribun cannot hold a slave")]
    TribunWithSlave,
    /// A slave that violates [the slave property](can_hold).
    #[error("a unit of height {primary} cannot hold a slave of height {slave}")]
    SlaveProperty {
        /// The height of the holder.
        primary: Height,
        /// The height of the slave.
        slave: Height,
    },
}

/// A text that is not a unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_unit")]
#[non_exhaustive]
pub enum UnitTextError {
    /// A text of another form.
    #[error(
        "invalid unit `{0}`: expected a height (1, 2, 3, 4, 6 or 8), then `/` and the slave's height, or `*` for a tribun"
    )]
    Form(#[param(name = "text")] String),
    /// A combination of heights and flags that no unit can have.
    #[error("invalid unit `{text}`: {error}")]
    Unit {
        /// The text.
        text: String,
        /// The error in it.
        #[param(message)]
        error: UnitError,
    },
}

const SLAVE_SHIFT: u8 = 3;
const COLOR_BIT: u8 = 1 << 6;
const TRIBUN_BIT: u8 = 1 << 7;

impl Unit {
    /// Creates a unit without a slave.
    #[must_use]
    pub const fn new(owner: Player, height: Height) -> Self {
        match Self::with_slave(owner, height, None) {
            Some(unit) => unit,
            None => unreachable!(),
        }
    }

    /// Creates a tribun.
    #[must_use]
    pub const fn tribun(owner: Player, height: Height) -> Self {
        Self(Self::new(owner, height).0.saturating_add(TRIBUN_BIT))
    }

    /// Creates a unit with an optional slave, or returns `None` if it cannot hold the slave.
    #[must_use]
    pub const fn with_slave(owner: Player, height: Height, slave: Option<Height>) -> Option<Self> {
        let slave = match slave {
            Some(slave) if can_hold(height, slave) => slave as u8,
            Some(_) => return None,
            None => 0,
        };
        let color = match owner {
            Player::First => 0,
            Player::Second => COLOR_BIT,
        };
        match NonZeroU8::new(height as u8 | slave << SLAVE_SHIFT | color) {
            Some(byte) => Some(Self(byte)),
            None => None,
        }
    }

    /// Decodes a unit byte; `None` is the empty tile.
    pub const fn from_byte(byte: u8) -> Result<Option<Self>, UnitError> {
        let Some(nonzero) = NonZeroU8::new(byte) else { return Ok(None) };
        let (primary, slave) = (byte & 7, byte >> SLAVE_SHIFT & 7);
        if primary == 7 || slave == 7 {
            return Err(UnitError::HeightIndex);
        }
        let Some(primary) = Height::from_index(primary) else { return Err(UnitError::NoPrimary) };
        if let Some(slave) = Height::from_index(slave) {
            if byte & TRIBUN_BIT != 0 {
                return Err(UnitError::TribunWithSlave);
            }
            if !can_hold(primary, slave) {
                return Err(UnitError::SlaveProperty { primary, slave });
            }
        }
        Ok(Some(Self(nonzero)))
    }

    /// The unit byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self.0.get()
    }

    /// The player who controls the unit.
    #[must_use]
    pub const fn owner(self) -> Player {
        if self.byte() & COLOR_BIT == 0 { Player::First } else { Player::Second }
    }

    /// Returns whether the unit is a tribun.
    #[must_use]
    pub const fn is_tribun(self) -> bool {
        self.byte() & TRIBUN_BIT != 0
    }

    /// The primary height.
    #[must_use]
    pub const fn primary(self) -> Height {
        match Height::from_index(self.byte() & 7) {
            Some(height) => height,
            None => unreachable!(),
        }
    }

    /// The height of the slave, if any.
    #[must_use]
    pub const fn slave(self) -> Option<Height> {
        Height::from_index(self.byte() >> SLAVE_SHIFT & 7)
    }

    /// The unit byte without its colour bit: an index below [`Unit::KINDS`].
    pub(crate) const fn kind(self) -> usize {
        let byte = self.byte();
        (byte & 0x3F | (byte & TRIBUN_BIT) >> 1) as usize
    }

    /// The length of a table indexed by [`kind`](Self::kind).
    pub(crate) const KINDS: usize = 128;

    /// The unit without its slave.
    #[must_use]
    pub(crate) const fn without_slave(self) -> Self {
        match NonZeroU8::new(self.byte() & !(7 << SLAVE_SHIFT)) {
            Some(byte) => Self(byte),
            None => unreachable!(),
        }
    }

    /// The slave as a unit of its original side, which remains when the primary is gone.
    #[must_use]
    pub(crate) fn liberated(self) -> Option<Self> {
        self.slave().map(|slave| Self::new(!self.owner(), slave))
    }

    /// The unit with another primary height, or its liberated slave if `height` is 0.
    ///
    /// # Panics
    ///
    /// If `height` is not valid, or too low to hold the slave.
    pub(crate) fn reduced_to(self, height: u8) -> Option<Self> {
        if height == 0 {
            return self.liberated();
        }
        let height = Height::new(height).expect("the remainder is a valid height");
        Some(Self::with_slave(self.owner(), height, self.slave()).expect("the remainder can hold the slave"))
    }

    /// The same unit of the other player.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        // Never zero, because every unit has a primary height.
        match NonZeroU8::new(self.byte() ^ COLOR_BIT) {
            Some(byte) => Self(byte),
            None => unreachable!(),
        }
    }

    /// Parses the text that [`Display`](fmt::Display) writes, for a unit of `owner`.
    pub fn from_text(owner: Player, text: &str) -> Result<Self, UnitTextError> {
        let height = |part| {
            let found = Height::ALL.into_iter().find(|height| height.to_string() == part);
            found.ok_or_else(|| UnitTextError::Form(text.to_owned()))
        };
        let invalid = |error| UnitTextError::Unit { text: text.to_owned(), error };
        let (body, is_tribun) = text.strip_suffix('*').map_or((text, false), |body| (body, true));
        match (body.split_once('/'), is_tribun) {
            (None, false) => Ok(Self::new(owner, height(body)?)),
            (None, true) => Ok(Self::tribun(owner, height(body)?)),
            (Some(_), true) => Err(invalid(UnitError::TribunWithSlave)),
            (Some((primary, slave)), false) => {
                let (primary, slave) = (height(primary)?, height(slave)?);
                Self::with_slave(owner, primary, Some(slave))
                    .ok_or_else(|| invalid(UnitError::SlaveProperty { primary, slave }))
            }
        }
    }
}

/// Writes the height, then `/` and the slave's height, or `*` for a tribun; the colour is left out.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.primary())?;
        if let Some(slave) = self.slave() {
            write!(f, "/{slave}")?;
        }
        if self.is_tribun() { f.write_str("*") } else { Ok(()) }
    }
}

impl fmt::Debug for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let color = if self.owner() == Player::First { "black" } else { "white" };
        write!(f, "{color} {self}")
    }
}
