//! Units: heights, tribuns, slaves, and the byte that a unit is on the wire and in memory.

use std::fmt;
use std::num::NonZeroU8;

use sandtable_core::Player;

/// A height that a unit can have. Five and seven do not exist.
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

    /// The height of that value; none for 5, 7 and whatever else is no height.
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

    /// The greatest height that is not above `value`; none for 0.
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

    /// Its number in a unit byte, 1 to 6; 0 is no height.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The height with that number in a unit byte.
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

/// The slave property: can a unit of height `primary` hold a slave of height `slave`?
#[must_use]
pub const fn can_hold(primary: Height, slave: Height) -> bool {
    primary.value() <= 4 && 2 * primary.value() >= slave.value()
}

/// A unit: a primary height of one colour, perhaps a tribun, perhaps with an enemy unit as its slave.
///
/// It is kept as its wire byte: bits 0–2 the primary height's index, bits 3–5 the slave's, bit 6 the colour, bit 7 the
/// tribun. Every `Unit` is valid: it has a primary, a tribun has no slave, and [`can_hold`] is true of a slave.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unit(NonZeroU8);

/// Why a byte is no unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// Index 7 stands for no height.
    #[error("height index 7 is not in use")]
    HeightIndex,
    /// A slave, a tribun flag or a colour, but nobody to bear it.
    #[error("a unit needs a primary height")]
    NoPrimary,
    /// A tribun holds no slave.
    #[error("a tribun has no slave")]
    TribunWithSlave,
    /// The slave property is violated.
    #[error("a unit of height {primary} cannot hold a slave of height {slave}")]
    SlaveProperty {
        /// The height above.
        primary: Height,
        /// The height below.
        slave: Height,
    },
}

/// Why a text is no unit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitTextError {
    /// It is not of the form.
    #[error(
        "`{0}` is not a unit: write a height (1, 2, 3, 4, 6, 8), then `/` and a slave's height, or `*` for a tribun"
    )]
    Form(String),
    /// It says what no unit can be.
    #[error("`{text}` is not a unit: {error}")]
    Unit {
        /// The text.
        text: String,
        /// What is wrong.
        error: UnitError,
    },
}

const SLAVE_SHIFT: u8 = 3;
const COLOUR_BIT: u8 = 1 << 6;
const TRIBUN_BIT: u8 = 1 << 7;

impl Unit {
    /// A unit without a slave.
    #[must_use]
    pub const fn new(owner: Player, height: Height) -> Self {
        match Self::with_slave(owner, height, None) {
            Some(unit) => unit,
            None => unreachable!(),
        }
    }

    /// A tribun.
    #[must_use]
    pub const fn tribun(owner: Player, height: Height) -> Self {
        Self(Self::new(owner, height).0.saturating_add(TRIBUN_BIT))
    }

    /// A unit with or without a slave, if it can hold it.
    #[must_use]
    pub const fn with_slave(owner: Player, height: Height, slave: Option<Height>) -> Option<Self> {
        let slave = match slave {
            Some(slave) if can_hold(height, slave) => slave as u8,
            Some(_) => return None,
            None => 0,
        };
        let colour = match owner {
            Player::First => 0,
            Player::Second => COLOUR_BIT,
        };
        match NonZeroU8::new(height as u8 | slave << SLAVE_SHIFT | colour) {
            Some(byte) => Some(Self(byte)),
            None => None,
        }
    }

    /// The unit that a byte stands for; `None` is the empty tile.
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

    /// The unit's byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self.0.get()
    }

    /// Who commands it.
    #[must_use]
    pub const fn owner(self) -> Player {
        if self.byte() & COLOUR_BIT == 0 { Player::First } else { Player::Second }
    }

    /// Is it a tribun?
    #[must_use]
    pub const fn is_tribun(self) -> bool {
        self.byte() & TRIBUN_BIT != 0
    }

    /// Its own height.
    #[must_use]
    pub const fn primary(self) -> Height {
        match Height::from_index(self.byte() & 7) {
            Some(height) => height,
            None => unreachable!(),
        }
    }

    /// The height of its slave.
    #[must_use]
    pub const fn slave(self) -> Option<Height> {
        Height::from_index(self.byte() >> SLAVE_SHIFT & 7)
    }

    /// Primary height, slave and rank without the colour: an index below [`Unit::KINDS`].
    pub(crate) const fn kind(self) -> usize {
        let byte = self.byte();
        (byte & 0x3F | (byte & TRIBUN_BIT) >> 1) as usize
    }

    /// The length of a table by [`kind`](Self::kind).
    pub(crate) const KINDS: usize = 128;

    /// The primary alone, without its slave.
    #[must_use]
    pub(crate) const fn unburdened(self) -> Self {
        match NonZeroU8::new(self.byte() & !(7 << SLAVE_SHIFT)) {
            Some(byte) => Self(byte),
            None => unreachable!(),
        }
    }

    /// What stays when the primary is gone: the slave, free and on its own side again.
    #[must_use]
    pub(crate) fn liberated(self) -> Option<Self> {
        self.slave().map(|slave| Self::new(!self.owner(), slave))
    }

    /// What stays when the primary's height becomes `height`: the unit, or its liberated slave at height 0.
    ///
    /// # Panics
    ///
    /// If that is no height, or one that cannot hold the slave.
    pub(crate) fn reduced_to(self, height: u8) -> Option<Self> {
        if height == 0 {
            return self.liberated();
        }
        let height = Height::new(height).expect("what is left is a height");
        Some(Self::with_slave(self.owner(), height, self.slave()).expect("what is left can hold the slave"))
    }

    /// The unit of the other colour.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        // The colour bit alone never makes the byte zero: a unit has a primary.
        match NonZeroU8::new(self.byte() ^ COLOUR_BIT) {
            Some(byte) => Self(byte),
            None => unreachable!(),
        }
    }

    /// Reads what [`Display`](fmt::Display) writes, for the side that commands the unit.
    pub fn from_text(owner: Player, text: &str) -> Result<Self, UnitTextError> {
        let height = |part| {
            let found = Height::ALL.into_iter().find(|height| height.to_string() == part);
            found.ok_or_else(|| UnitTextError::Form(text.to_owned()))
        };
        let wrong = |error| UnitTextError::Unit { text: text.to_owned(), error };
        let (body, is_tribun) = text.strip_suffix('*').map_or((text, false), |body| (body, true));
        match (body.split_once('/'), is_tribun) {
            (None, false) => Ok(Self::new(owner, height(body)?)),
            (None, true) => Ok(Self::tribun(owner, height(body)?)),
            (Some(_), true) => Err(wrong(UnitError::TribunWithSlave)),
            (Some((primary, slave)), false) => {
                let (primary, slave) = (height(primary)?, height(slave)?);
                Self::with_slave(owner, primary, Some(slave))
                    .ok_or_else(|| wrong(UnitError::SlaveProperty { primary, slave }))
            }
        }
    }
}

/// The height, then `/` and the slave's height, or `*` for a tribun. The colour is not written.
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
        let colour = if self.owner() == Player::First { "black" } else { "white" };
        write!(f, "{colour} {self}")
    }
}
