//! What a neural network sees of a position: planes over the 11 × 11 grid of cids, from the mover's view.
//!
//! White sees the board with both coordinates negated, so that either side's own units advance the same way.

use sandtable_core::{
    DecodeError, DrawTalk, Layout, Observe, Plane, PlaneCursor, PlaneReader, Player, Position as _, Shape,
    WrongLength,
};

use crate::position::Position;
use crate::setup::Setup;
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};

/// Rows and columns of the grid.
const SIDE: usize = 11;

/// The planes in order: the board, heights of the mover's and the enemy's primaries and slaves, tribuns, draw offers.
const PLANES: [Plane; 31] = [
    Plane::new("board", "1 on the 91 tiles"),
    Plane::new("own 1", "1 where an own unit has height 1"),
    Plane::new("own 2", "1 where an own unit has height 2"),
    Plane::new("own 3", "1 where an own unit has height 3"),
    Plane::new("own 4", "1 where an own unit has height 4"),
    Plane::new("own 6", "1 where an own unit has height 6"),
    Plane::new("own 8", "1 where an own unit has height 8"),
    Plane::new("enemy 1", "1 where an enemy unit has height 1"),
    Plane::new("enemy 2", "1 where an enemy unit has height 2"),
    Plane::new("enemy 3", "1 where an enemy unit has height 3"),
    Plane::new("enemy 4", "1 where an enemy unit has height 4"),
    Plane::new("enemy 6", "1 where an enemy unit has height 6"),
    Plane::new("enemy 8", "1 where an enemy unit has height 8"),
    Plane::new("own slave 1", "1 where an own unit holds a slave of height 1"),
    Plane::new("own slave 2", "1 where an own unit holds a slave of height 2"),
    Plane::new("own slave 3", "1 where an own unit holds a slave of height 3"),
    Plane::new("own slave 4", "1 where an own unit holds a slave of height 4"),
    Plane::new("own slave 6", "1 where an own unit holds a slave of height 6"),
    Plane::new("own slave 8", "1 where an own unit holds a slave of height 8"),
    Plane::new("enemy slave 1", "1 where an enemy unit holds a slave of height 1"),
    Plane::new("enemy slave 2", "1 where an enemy unit holds a slave of height 2"),
    Plane::new("enemy slave 3", "1 where an enemy unit holds a slave of height 3"),
    Plane::new("enemy slave 4", "1 where an enemy unit holds a slave of height 4"),
    Plane::new("enemy slave 6", "1 where an enemy unit holds a slave of height 6"),
    Plane::new("enemy slave 8", "1 where an enemy unit holds a slave of height 8"),
    Plane::new("own tribun", "1 where the own tribun stands"),
    Plane::new("enemy tribun", "1 where the enemy tribun stands"),
    Plane::new("own offer", "1 everywhere if the mover's draw offer is open"),
    Plane::new("enemy offer", "1 everywhere if the enemy's draw offer is open"),
    Plane::new("own declined", "1 everywhere if the mover was declined and may not offer"),
    Plane::new("enemy declined", "1 everywhere if the enemy was declined and may not offer"),
];

/// The planes of heights: own and enemy primaries, own and enemy slaves.
const HEIGHTS: usize = 1;
const PRIMARIES: usize = 0;
const SLAVES: usize = 2 * Height::NUM;
const TRIBUNS: usize = HEIGHTS + 4 * Height::NUM;
const TALK: usize = TRIBUNS + 2;

/// The place of a tile in the mover's frame, which policy indices share.
pub(crate) fn framed(tile: Tile, mover: Player) -> Tile {
    match mover {
        Player::First => tile,
        Player::Second => tile.mirrored(),
    }
}

/// What was said about a draw, as the four last planes: own and enemy offer, own and enemy block.
fn talk_planes(talk: DrawTalk, mover: Player) -> [bool; 4] {
    let says = |kind: fn(Player) -> DrawTalk| [talk == kind(mover), talk == kind(!mover)];
    let ([own_offer, enemy_offer], [own_block, enemy_block]) =
        (says(DrawTalk::Offered), says(DrawTalk::Declined));
    [own_offer, enemy_offer, own_block, enemy_block]
}

impl Observe for Position {
    const PLANES: &'static [Plane] = &PLANES;
    const SHAPE: Shape = Shape { rows: SIDE, cols: SIDE, planes: PLANES.len() };
    const ENCODING: &'static str = "tribun-observation-1";

    /// Repetition means nothing in Tribun: the number of occurrences leaves no trace.
    fn write_observation(
        &self,
        _occurrences: u32,
        layout: Layout,
        out: &mut [f32],
    ) -> Result<(), WrongLength> {
        let mover = self.turn();
        let mut heights = [TileSet::EMPTY; 4 * Height::NUM];
        for player in Player::ALL {
            let side = if player == mover { 0 } else { Height::NUM };
            for (tile, unit) in self.board().units(player) {
                let tile = framed(tile, mover);
                heights[PRIMARIES + side + unit.primary().index() - 1].insert(tile);
                if let Some(slave) = unit.slave() {
                    heights[SLAVES + side + slave.index() - 1].insert(tile);
                }
            }
        }

        let talk = talk_planes(self.talk(), mover);
        let mut background = [0.0; PLANES.len()];
        for (value, said) in background[TALK..].iter_mut().zip(talk) {
            *value = f32::from(u8::from(said));
        }
        let mut planes = PlaneCursor::new(out, Self::SHAPE, layout, &background)?;
        planes.marks(TileSet::BOARD.iter().map(Tile::index));
        for set in heights {
            planes.marks(set.iter().map(Tile::index));
        }
        for player in [mover, !mover] {
            planes.marks([framed(self.board().tribun(player), mover).index()]);
        }
        for _ in talk {
            planes.constant();
        }
        planes.finish();
        Ok(())
    }

    fn decode_observation(
        observation: &[f32],
        layout: Layout,
        turn: Player,
    ) -> Result<(Setup, u32), DecodeError> {
        let reader = Reader(PlaneReader::new(observation, layout)?);
        let mut board = [0; Tile::CIDS];
        for cid in 0..Tile::CIDS {
            let tile = Tile::from_cid(cid as u8).ok();
            reader.expect(0, cid, tile.is_some(), "it is 1 on the tiles and 0 off them")?;
            match tile {
                Some(tile) => {
                    board[framed(tile, turn).index()] = reader.unit(cid, turn)?.map_or(0, Unit::byte);
                }
                None => {
                    for plane in HEIGHTS..TALK {
                        reader.expect(plane, cid, false, "nothing stands off the board")?;
                    }
                }
            }
        }
        Ok((Setup { board, turn, talk: reader.talk(turn)?, attacked: false }, 1))
    }
}

/// An observation being read back.
struct Reader<'a>(PlaneReader<'a, Position>);

impl Reader<'_> {
    fn expect(&self, plane: usize, cell: usize, set: bool, why: &'static str) -> Result<(), DecodeError> {
        if self.0.flag(plane, cell)? == set { Ok(()) } else { Err(self.0.fault(plane, cell, why)) }
    }

    /// The one height of six planes that is set on a cell.
    fn height(&self, first: usize, cell: usize) -> Result<Option<Height>, DecodeError> {
        let mut found = None;
        for (plane, height) in (first..).zip(Height::ALL) {
            if self.0.flag(plane, cell)? && found.replace(height).is_some() {
                return Err(self.0.fault(plane, cell, "a unit has one height"));
            }
        }
        Ok(found)
    }

    fn unit(&self, cell: usize, turn: Player) -> Result<Option<Unit>, DecodeError> {
        let mut found = None;
        for (side, owner) in [turn, !turn].into_iter().enumerate() {
            let primaries = HEIGHTS + PRIMARIES + side * Height::NUM;
            let slaves = HEIGHTS + SLAVES + side * Height::NUM;
            let slave = self.height(slaves, cell)?;
            let is_tribun = self.0.flag(TRIBUNS + side, cell)?;
            let Some(height) = self.height(primaries, cell)? else {
                if let Some(slave) = slave {
                    let plane = slaves + slave.index() - 1;
                    return Err(self.0.fault(plane, cell, "a slave needs a unit that holds it"));
                }
                if is_tribun {
                    return Err(self.0.fault(TRIBUNS + side, cell, "a tribun has a height"));
                }
                continue;
            };
            let unit = match (is_tribun, slave) {
                (false, slave) => Unit::with_slave(owner, height, slave),
                (true, None) => Some(Unit::tribun(owner, height)),
                (true, Some(_)) => None,
            };
            let plane = primaries + height.index() - 1;
            let unit = unit.ok_or_else(|| self.0.fault(plane, cell, "no such unit can hold that slave"))?;
            if found.replace(unit).is_some() {
                return Err(self.0.fault(plane, cell, "a tile holds one unit"));
            }
        }
        Ok(found)
    }

    fn talk(&self, turn: Player) -> Result<DrawTalk, DecodeError> {
        let candidates = [
            DrawTalk::Silent,
            DrawTalk::Offered(turn),
            DrawTalk::Offered(!turn),
            DrawTalk::Declined(turn),
            DrawTalk::Declined(!turn),
        ];
        let mut said = [false; 4];
        for (plane, said) in (TALK..).zip(&mut said) {
            *said = self.0.flag(plane, 0)?;
            for cell in 1..Tile::CIDS {
                self.expect(plane, cell, *said, "the plane is the same everywhere")?;
            }
        }
        candidates
            .into_iter()
            .find(|&talk| talk_planes(talk, turn) == said)
            .ok_or_else(|| self.0.fault(TALK, 0, "at most one of the draw planes is 1"))
    }
}
