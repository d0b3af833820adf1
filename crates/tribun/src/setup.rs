//! Setups: positions as unchecked data, and their validation.

use sandtable_core::rules::SetupError;
use sandtable_core::{ByPlayer, Describe, FromSetup, Player, Position};

use crate::board::Board;
use crate::position::{Tribun, player_name};
use crate::rules::Rules;
use crate::tile::{Tile, TileError};
use crate::unit::{Unit, UnitError};

/// A position as plain data, which may be invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The unit byte of every cid, 0 for an empty tile.
    pub board: [u8; Tile::CIDS],
    /// The side to move.
    pub turn: Player,
    /// Whether the tribun of the side to move has been attacked, which loses the game.
    pub attacked: bool,
}

/// A reason why a setup is not a valid position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_setup")]
#[non_exhaustive]
pub enum Invalid {
    /// An invalid unit byte.
    #[error("invalid unit byte {byte:#04x} at cid {cid}: {error}")]
    Unit {
        /// The cid of the byte.
        cid: u8,
        /// The byte.
        #[param(value = format!("{byte:#04x}"))]
        byte: u8,
        /// The error in the byte.
        #[param(message)]
        error: UnitError,
    },
    /// A unit byte at a cid without a tile.
    #[error("unit byte {byte:#04x} outside the board: {error}")]
    OffBoard {
        /// The byte.
        #[param(value = format!("{byte:#04x}"))]
        byte: u8,
        /// The error in the cid.
        #[param(message)]
        error: TileError,
    },
    /// A side with no tribun or several.
    #[error("{} has {count} tribuns: expected exactly one", player_name(*player))]
    Tribuns {
        /// The side.
        #[param(term, value = player_name(*player))]
        player: Player,
        /// The number of its tribuns.
        count: usize,
    },
    /// A tribun marked as attacked that no enemy unit reaches.
    #[error("{}'s tribun is not attacked: no enemy unit reaches it", player_name(*player))]
    NotAttacked {
        /// The side of the tribun.
        #[param(term, value = player_name(*player))]
        player: Player,
    },
}

/// The units of a board by cid, and the tiles of the tribuns.
type Units = ([Option<Unit>; Tile::CIDS], ByPlayer<Tile>);

/// Validates the unit bytes of a board and reports every reason why they are invalid.
pub(crate) fn check_board(bytes: &[u8; Tile::CIDS]) -> Result<Units, SetupError<Invalid>> {
    let mut reasons = Vec::new();
    let mut units = [None; Tile::CIDS];
    let mut tribuns = ByPlayer::new(Vec::new(), Vec::new());
    for (cid, (&byte, unit)) in (0..).zip(bytes.iter().zip(&mut units)) {
        match (Tile::from_cid(cid), Unit::from_byte(byte)) {
            (_, Ok(None)) => {}
            (Err(error), _) => reasons.push(Invalid::OffBoard { byte, error }),
            (_, Err(error)) => reasons.push(Invalid::Unit { cid, byte, error }),
            (Ok(tile), Ok(Some(found))) => {
                *unit = Some(found);
                if found.is_tribun() {
                    tribuns[found.owner()].push(tile);
                }
            }
        }
    }
    for player in Player::ALL {
        if tribuns[player].len() != 1 {
            reasons.push(Invalid::Tribuns { player, count: tribuns[player].len() });
        }
    }
    SetupError::check(reasons)?;
    Ok((units, ByPlayer::from_fn(|player| tribuns[player][0])))
}

impl FromSetup for Tribun {
    type Setup = Setup;
    type Invalid = Invalid;

    fn from_setup(setup: &Setup, rules: Rules) -> Result<Self, SetupError<Invalid>> {
        let position = Self::new(Board::from_bytes(&setup.board)?, setup.turn, rules);
        if !setup.attacked {
            return Ok(position);
        }
        let not_attacked =
            || SetupError::check(vec![Invalid::NotAttacked { player: setup.turn }]).map(|()| position);
        position.lost_by_attack().map_or_else(not_attacked, Ok)
    }

    fn to_setup(&self) -> Setup {
        Setup { board: self.board().to_bytes(), turn: self.turn(), attacked: self.is_tribun_attacked() }
    }
}
