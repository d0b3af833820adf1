//! The observation tensor: planes over the 11 × 11 grid of cids, in the mover's frame.

use sandtable_core::learn::{Canvas, DecodeError, Layout, Plane, PlaneCursor, PlaneReader, Shape};
use sandtable_core::rules::{Context, DrawOffer};
use sandtable_core::{Observe, Player, Position};

use crate::frame::Frame;
use crate::position::Tribun;
use crate::setup::Setup;
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};

/// The number of rows and of columns.
const SIDE: usize = 11;

/// The planes in order: board, primary heights, slave heights, tribuns, draw offers; own before enemy.
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

/// The first plane of heights: own and enemy primaries, then own and enemy slaves.
const HEIGHTS: usize = 1;
const PRIMARIES: usize = 0;
const SLAVES: usize = 2 * Height::NUM;
const TRIBUNS: usize = HEIGHTS + 4 * Height::NUM;
const OFFERS: usize = TRIBUNS + 2;

/// The values of the draw-offer planes: own and enemy offer open, own and enemy offer declined.
fn offer_planes(offer: DrawOffer, mover: Player) -> [bool; 4] {
    [DrawOffer::Open(mover), DrawOffer::Open(!mover), DrawOffer::Declined(mover), DrawOffer::Declined(!mover)]
        .map(|state| offer == state)
}

impl Observe for Tribun {
    const PLANES: &'static [Plane] = &PLANES;
    const SHAPE: Shape = Shape { rows: SIDE, cols: SIDE, planes: PLANES.len() };
    const ENCODING: &'static str = "tribun-observation-1";

    /// Shows the draw offer of the context. Tribun has no repetition rule, so the number of occurrences is not shown.
    fn draw_observation(&self, context: Context, canvas: impl Canvas) {
        let (mover, frame) = (self.turn(), Frame::of(self.turn()));
        let offers = offer_planes(context.draw_offer, mover);
        let mut background = [0.0; PLANES.len()];
        for (value, set) in background[OFFERS..].iter_mut().zip(offers) {
            *value = f32::from(u8::from(set));
        }
        let mut planes = PlaneCursor::new(canvas, &background);
        planes.fixed(TileSet::ALL.iter().map(Tile::index));
        planes.marks_among(4 * Height::NUM, |marker| {
            for (owner, side) in [(mover, 0), (!mover, Height::NUM)] {
                for (tile, unit) in self.board().units(owner) {
                    let cell = frame.cell(tile);
                    marker.mark(PRIMARIES + side + unit.primary().index() - 1, cell);
                    if let Some(slave) = unit.slave() {
                        marker.mark(SLAVES + side + slave.index() - 1, cell);
                    }
                }
            }
        });
        for player in [mover, !mover] {
            planes.marks([frame.cell(self.board().tribun(player))]);
        }
        for _ in offers {
            planes.constant();
        }
        planes.finish();
    }

    fn decode_observation(
        observation: &[f32],
        layout: Layout,
        turn: Player,
    ) -> Result<(Setup, Context), DecodeError> {
        let reader = Reader(PlaneReader::new(observation, layout)?);
        let (frame, mut board) = (Frame::of(turn), [0; Tile::CIDS]);
        for cid in 0..Tile::CIDS {
            let tile = Tile::from_cid(cid as u8).ok();
            reader.expect(0, cid, tile.is_some(), "1 on the tiles, 0 elsewhere")?;
            match tile {
                Some(tile) => {
                    board[frame.cell(tile)] = reader.unit(cid, turn)?.map_or(0, Unit::byte);
                }
                None => {
                    for plane in HEIGHTS..OFFERS {
                        reader.expect(plane, cid, false, "0 outside the board")?;
                    }
                }
            }
        }
        let draw_offer = reader.draw_offer(turn)?;
        Ok((Setup { board, turn, attacked: false }, Context { draw_offer, ..Context::FIRST }))
    }
}

/// A reader of units and draw offers.
struct Reader<'a>(PlaneReader<'a, Tribun>);

impl Reader<'_> {
    fn expect(
        &self,
        plane: usize,
        cell: usize,
        set: bool,
        expected: &'static str,
    ) -> Result<(), DecodeError> {
        if self.0.flag(plane, cell)? == set { Ok(()) } else { Err(self.0.error(plane, cell, expected)) }
    }

    /// The height whose plane is set on a cell, among the six planes from `first`.
    fn height(&self, first: usize, cell: usize) -> Result<Option<Height>, DecodeError> {
        let mut found = None;
        for (plane, height) in (first..).zip(Height::ALL) {
            if self.0.flag(plane, cell)? && found.replace(height).is_some() {
                return Err(self.0.error(plane, cell, "one height per unit"));
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
                    return Err(self.0.error(plane, cell, "a unit that holds the slave"));
                }
                if is_tribun {
                    return Err(self.0.error(TRIBUNS + side, cell, "a tribun with a height"));
                }
                continue;
            };
            let unit = match (is_tribun, slave) {
                (false, slave) => Unit::with_slave(owner, height, slave),
                (true, None) => Some(Unit::tribun(owner, height)),
                (true, Some(_)) => None,
            };
            let plane = primaries + height.index() - 1;
            let unit = unit.ok_or_else(|| self.0.error(plane, cell, "a unit that can hold its slave"))?;
            if found.replace(unit).is_some() {
                return Err(self.0.error(plane, cell, "one unit per tile"));
            }
        }
        Ok(found)
    }

    fn draw_offer(&self, turn: Player) -> Result<DrawOffer, DecodeError> {
        let states = [
            DrawOffer::None,
            DrawOffer::Open(turn),
            DrawOffer::Open(!turn),
            DrawOffer::Declined(turn),
            DrawOffer::Declined(!turn),
        ];
        let mut planes = [false; 4];
        for (plane, set) in (OFFERS..).zip(&mut planes) {
            *set = self.0.flag(plane, 0)?;
            self.0.constant(plane)?;
        }
        states
            .into_iter()
            .find(|&state| offer_planes(state, turn) == planes)
            .ok_or_else(|| self.0.error(OFFERS, 0, "at most one draw-offer plane set"))
    }
}
