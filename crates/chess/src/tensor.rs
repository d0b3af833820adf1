//! The canonical board: what a neural network sees, (8, 8, 18) values from the mover's view.

use sandtable_core::{
    DecodeError, Layout, Observe, Plane, PlaneCursor, PlaneReader, Player, Position as _, Shape, WrongLength,
};

use crate::setup::{Castling, Setup};
use crate::{EnPassant, Piece, Position, Role, Square, WHITE};

/// The planes in the order of the tensor.
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
    Plane::new("repetition", "everywhere 1/3, 2/3 or 1 at the first, second or a later occurrence"),
    Plane::new("en passant", "1 on the square that a pawn can legally take on"),
    Plane::new("own kingside castling", "everywhere 1 with the right, 0 without"),
    Plane::new("own queenside castling", "everywhere 1 with the right, 0 without"),
    Plane::new("opponent kingside castling", "everywhere 1 with the right, 0 without"),
    Plane::new("opponent queenside castling", "everywhere 1 with the right, 0 without"),
];

const REPETITION: usize = 12;
const EN_PASSANT: usize = 13;
const CASTLING: usize = 14;

/// The canonical board as nested arrays: `board[rank_index][file_index][plane]`.
pub type CanonicalBoard = [[[f32; 18]; 8]; 8];

/// Where a square stands in the mover's view: rank index × 8 + file index.
///
/// Rank index 0 is the far end of the board: rank 8 for White, rank 1 for Black. Files are never flipped. The
/// tensor and the policy share this frame.
#[must_use]
pub(crate) const fn cell(square: Square, mover: Player) -> usize {
    match mover {
        WHITE => square.flipped().index(),
        Player::Second => square.index(),
    }
}

/// The square of a cell: the inverse of [`cell`].
#[must_use]
pub(crate) const fn square_of(cell: usize, mover: Player) -> Option<Square> {
    match Square::new(cell as u8) {
        Some(square) if cell < Square::NUM => Some(match mover {
            WHITE => square.flipped(),
            Player::Second => square,
        }),
        _ => None,
    }
}

/// The value of the repetition plane: thirds, and no more than one.
fn repetition(occurrences: u32) -> f32 {
    match occurrences {
        0 | 1 => 1.0 / 3.0,
        2 => 2.0 / 3.0,
        _ => 1.0,
    }
}

impl Position {
    /// The canonical board of the position at its `occurrences`-th occurrence.
    #[must_use]
    pub fn canonical_board(&self, occurrences: u32) -> CanonicalBoard {
        let mut board = [[[0.0; 18]; 8]; 8];
        let out = board.as_flattened_mut().as_flattened_mut();
        self.write_canonical(occurrences, Layout::Hwc, EnPassant::Legal, out)
            .expect("the array has that shape");
        board
    }

    /// Writes the canonical board into the caller's slice, with the en-passant plane as wished.
    pub fn write_canonical(
        &self,
        occurrences: u32,
        layout: Layout,
        en_passant: EnPassant,
        out: &mut [f32],
    ) -> Result<(), WrongLength> {
        let mover = self.turn();
        let mut background = [0.0; PLANES.len()];
        background[REPETITION] = repetition(occurrences);
        for (player, plane) in [(mover, CASTLING), (!mover, CASTLING + 2)] {
            let Castling { king, queen } = self.castling()[player];
            background[plane] = f32::from(u8::from(king));
            background[plane + 1] = f32::from(u8::from(queen));
        }
        let mut planes = PlaneCursor::new(out, Self::SHAPE, layout, &background)?;
        for player in [mover, !mover] {
            for role in Role::ALL {
                planes.marks(self.squares(player, role).map(|square| cell(square, mover)));
            }
        }
        planes.constant();
        planes.marks(self.en_passant(en_passant).map(|square| cell(square, mover)));
        for _ in CASTLING..PLANES.len() {
            planes.constant();
        }
        planes.finish();
        Ok(())
    }
}

impl Observe for Position {
    const PLANES: &'static [Plane] = &PLANES;
    const SHAPE: Shape = Shape { rows: 8, cols: 8, planes: PLANES.len() };
    const ENCODING: &'static str = "chess-canonical-1";

    fn write_observation(
        &self,
        occurrences: u32,
        layout: Layout,
        out: &mut [f32],
    ) -> Result<(), WrongLength> {
        self.write_canonical(occurrences, layout, EnPassant::Legal, out)
    }

    fn decode_observation(
        observation: &[f32],
        layout: Layout,
        turn: Player,
    ) -> Result<(Setup, u32), DecodeError> {
        let tensor = PlaneReader::<Self>::new(observation, layout)?;
        let mut setup = Setup { turn, ..Setup::empty() };
        for (plane, (owner, role)) in
            [turn, !turn].into_iter().flat_map(|o| Role::ALL.map(|r| (o, r))).enumerate()
        {
            for cell in 0..Square::NUM {
                if tensor.flag(plane, cell)? {
                    let square = square_of(cell, turn).expect("a cell of the board");
                    if setup.board[square.index()].replace(Piece { owner, role }).is_some() {
                        return Err(tensor.fault(plane, cell, "another piece stands there"));
                    }
                }
            }
        }
        let occurrences = (1..=3).find(|&n| (tensor.value(REPETITION, 0) - repetition(n)).abs() < 1e-3);
        let occurrences = occurrences.ok_or_else(|| tensor.fault(REPETITION, 0, "it is 1/3, 2/3 or 1"))?;
        tensor.constant(REPETITION)?;
        for cell in 0..Square::NUM {
            if tensor.flag(EN_PASSANT, cell)?
                && setup.en_passant.replace(square_of(cell, turn).expect("a cell of the board")).is_some()
            {
                return Err(tensor.fault(EN_PASSANT, cell, "there is one square at most"));
            }
        }
        for (player, plane) in [(turn, CASTLING), (!turn, CASTLING + 2)] {
            tensor.constant(plane)?;
            tensor.constant(plane + 1)?;
            setup.castling[player] =
                Castling { king: tensor.flag(plane, 0)?, queen: tensor.flag(plane + 1, 0)? };
        }
        Ok((setup, occurrences))
    }
}
