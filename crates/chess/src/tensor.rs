//! The canonical board: the (8, 8, 18) observation of a position from the mover's perspective.

use sandtable_core::learn::{
    Canvas, DecodeError, Layout, Plane, PlaneCursor, PlaneReader, Shape, SliceCanvas, WrongLength,
};
use sandtable_core::rules::Context;
use sandtable_core::{Observe, Player, Position};

use crate::frame::{Frame, SIZE};
use crate::{CastlingRights, Chess, EnPassant, Piece, Role, Setup, Square};

/// The planes, in order.
const PLANES: [Plane; 18] = [
    Plane::new("own pawns", "1 where one stands"),
    Plane::new("own knights", "1 where one stands"),
    Plane::new("own bishops", "1 where one stands"),
    Plane::new("own rooks", "1 where one stands"),
    Plane::new("own queens", "1 where one stands"),
    Plane::new("own king", "1 where it stands"),
    Plane::new("opponent pawns", "1 where one stands"),
    Plane::new("opponent knights", "1 where one stands"),
    Plane::new("opponent bishops", "1 where one stands"),
    Plane::new("opponent rooks", "1 where one stands"),
    Plane::new("opponent queens", "1 where one stands"),
    Plane::new("opponent king", "1 where it stands"),
    Plane::new("repetition", "constant: 1/3, 2/3 or 1 at the first, second or a later occurrence"),
    Plane::new("en passant", "1 on the target square of a legal en passant capture"),
    Plane::new("own kingside castling", "constant: 1 with the right, 0 without"),
    Plane::new("own queenside castling", "constant: 1 with the right, 0 without"),
    Plane::new("opponent kingside castling", "constant: 1 with the right, 0 without"),
    Plane::new("opponent queenside castling", "constant: 1 with the right, 0 without"),
];

const REPETITION: usize = 12;
const EN_PASSANT: usize = 13;
const CASTLING: usize = 14;
/// The planes of the castling rights.
pub(crate) const CASTLING_PLANES: [usize; 4] = [CASTLING, CASTLING + 1, CASTLING + 2, CASTLING + 3];

/// The canonical board as nested arrays: `board[rank_index][file_index][plane]`.
pub type CanonicalBoard = [[[f32; PLANES.len()]; SIZE]; SIZE];

/// The value of the repetition plane: occurrences in thirds, at most 1.
fn repetition(occurrences: u32) -> f32 {
    match occurrences {
        0 | 1 => 1.0 / 3.0,
        2 => 2.0 / 3.0,
        _ => 1.0,
    }
}

impl Chess {
    /// Writes the canonical board into a slice, with a choice of when to mark the en passant square.
    pub fn write_canonical(
        &self,
        context: Context,
        layout: Layout,
        en_passant: EnPassant,
        out: &mut [f32],
    ) -> Result<(), WrongLength> {
        self.draw_canonical(context, en_passant, SliceCanvas::new(out, Self::SHAPE, layout)?);
        Ok(())
    }

    #[inline]
    fn draw_canonical(&self, context: Context, en_passant: EnPassant, canvas: impl Canvas) {
        let (mover, frame) = (self.turn(), Frame::of(self.turn()));
        let mut background = [0.0; PLANES.len()];
        background[REPETITION] = repetition(context.occurrences);
        for (player, plane) in [(mover, CASTLING), (!mover, CASTLING + 2)] {
            let CastlingRights { kingside, queenside } = self.castling()[player];
            background[plane] = f32::from(u8::from(kingside));
            background[plane + 1] = f32::from(u8::from(queenside));
        }
        let mut planes = PlaneCursor::new(canvas, &background);
        for player in [mover, !mover] {
            for role in Role::ALL {
                planes.marks(self.pieces(player, role).iter().map(|square| frame.cell(square)));
            }
        }
        planes.constant();
        planes.marks(self.en_passant(en_passant).map(|square| frame.cell(square)));
        for _ in CASTLING..PLANES.len() {
            planes.constant();
        }
        planes.finish();
    }
}

impl Observe for Chess {
    const PLANES: &'static [Plane] = &PLANES;
    const SHAPE: Shape = Shape { rows: SIZE, cols: SIZE, planes: PLANES.len() };
    const ENCODING: &'static str = "chess-canonical-1";

    fn draw_observation(&self, context: Context, canvas: impl Canvas) {
        self.draw_canonical(context, EnPassant::Legal, canvas);
    }

    fn decode_observation(
        observation: &[f32],
        layout: Layout,
        turn: Player,
    ) -> Result<(Setup, Context), DecodeError> {
        let tensor = PlaneReader::<Self>::new(observation, layout)?;
        let (frame, mut setup) = (Frame::of(turn), Setup { turn, ..Setup::empty() });
        for (plane, (owner, role)) in
            [turn, !turn].into_iter().flat_map(|o| Role::ALL.map(|r| (o, r))).enumerate()
        {
            for cell in 0..Square::NUM {
                if tensor.flag(plane, cell)? {
                    let square = frame.square(cell);
                    if setup.board[square.index()].replace(Piece { owner, role }).is_some() {
                        return Err(tensor.error(plane, cell, "0, because another piece is on this square"));
                    }
                }
            }
        }
        let occurrences = (1..=3).find(|&n| (tensor.value(REPETITION, 0) - repetition(n)).abs() < 1e-3);
        let occurrences = occurrences.ok_or_else(|| tensor.error(REPETITION, 0, "1/3, 2/3 or 1"))?;
        tensor.constant(REPETITION)?;
        for cell in 0..Square::NUM {
            if tensor.flag(EN_PASSANT, cell)? && setup.en_passant.replace(frame.square(cell)).is_some() {
                return Err(tensor.error(EN_PASSANT, cell, "0, because another square is marked"));
            }
        }
        for (player, plane) in [(turn, CASTLING), (!turn, CASTLING + 2)] {
            tensor.constant(plane)?;
            tensor.constant(plane + 1)?;
            setup.castling[player] =
                CastlingRights { kingside: tensor.flag(plane, 0)?, queenside: tensor.flag(plane + 1, 0)? };
        }
        Ok((setup, Context::repeated(occurrences)))
    }
}
