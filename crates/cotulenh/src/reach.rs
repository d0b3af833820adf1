//! Ranges of movement and capture.

use crate::Kind;

/// A range along ranks and files, and one along diagonals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    pub(crate) straight: u8,
    pub(crate) diagonal: u8,
}

impl Reach {
    /// The length of the board.
    const FAR: u8 = 11;

    /// The longest range of a capture, that of a heroic Navy or Air Force.
    pub(crate) const LONGEST_CAPTURE: u8 = 5;

    /// The longest range of a capture in all directions.
    pub(crate) const LONGEST: Self = Self::new(Self::LONGEST_CAPTURE, Self::LONGEST_CAPTURE);

    const fn new(straight: u8, diagonal: u8) -> Self {
        Self { straight, diagonal }
    }

    pub(crate) const fn along(self, diagonal: bool) -> u8 {
        if diagonal { self.diagonal } else { self.straight }
    }
}

impl Kind {
    /// The range of moves of this kind.
    pub(crate) const fn moves(self, heroic: bool) -> Reach {
        let Reach { straight, diagonal } = match self {
            Self::Commander => Reach::new(Reach::FAR, 0),
            Self::Infantry | Self::Engineer | Self::AntiAir => Reach::new(1, 0),
            Self::Militia => Reach::new(1, 1),
            Self::Tank => Reach::new(2, 0),
            Self::Artillery => Reach::new(3, 3),
            Self::Missile => Reach::new(2, 1),
            Self::AirForce | Self::Navy => Reach::new(4, 4),
            Self::Headquarters => Reach::new(0, 0),
        };
        match (self, heroic) {
            (_, false) => Reach::new(straight, diagonal),
            (Self::Commander, true) => Reach::new(Reach::FAR, Reach::FAR),
            (Self::Missile, true) => Reach::new(straight + 1, diagonal + 1),
            (_, true) => Reach::new(straight + 1, straight + 1),
        }
    }

    /// The range of captures of this kind, against a Navy-carried stack or any other.
    pub(crate) const fn captures(self, heroic: bool, navy_target: bool) -> Reach {
        match self {
            Self::Commander => Reach::new(1, heroic as u8),
            Self::Navy if !navy_target => Reach::new(3 + heroic as u8, 3 + heroic as u8),
            _ => self.moves(heroic),
        }
    }

    /// Whether this kind captures over other pieces.
    pub(crate) const fn captures_over(self) -> bool {
        matches!(self, Self::Artillery | Self::Missile | Self::AirForce | Self::Navy)
    }
}
