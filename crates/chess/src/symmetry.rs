//! The reflection of the board left to right, of positions without castling rights.

use sandtable_core::learn::{PolicyIndex, Symmetric};
use sandtable_core::{FromSetup as _, Position};

use crate::factors::{ARRIVAL, DEPARTURE, UNDERPROMOTION};
use crate::frame::{self, Frame};
use crate::policy::{self, reflected_line};
use crate::tensor::CASTLING_PLANES;
use crate::{BLACK, CastlingRights, Chess, EnPassant, Setup, Square, WHITE};

impl Symmetric for Chess {
    const SYMMETRIES: usize = 2;
    const ASYMMETRIC_PLANES: &'static [usize] = &CASTLING_PLANES;

    /// `None` with castling rights: the king and the rooks cannot castle from reflected squares.
    fn reflection(&self) -> Option<Self> {
        let before = Setup { en_passant: self.en_passant(EnPassant::Always), ..self.to_setup() };
        if [WHITE, BLACK].iter().any(|&player| before.castling[player] != CastlingRights::NONE) {
            return None;
        }
        let mut setup = before.clone();
        for square in Square::all() {
            setup.board[reflected_square(square).index()] = before.board[square.index()];
        }
        setup.en_passant = before.en_passant.map(reflected_square);
        Some(Self::from_setup(&setup, self.rules()).expect("the reflection of a valid position is valid"))
    }

    fn reflected_cell(cell: usize) -> usize {
        frame::reflected_cell(cell)
    }

    fn reflected_index(index: PolicyIndex) -> PolicyIndex {
        policy::reflected_index(index)
    }

    fn reflected_plane(plane: usize) -> usize {
        match plane {
            UNDERPROMOTION.. => plane,
            ARRIVAL.. => ARRIVAL + reflected_line(plane - ARRIVAL),
            _ => DEPARTURE + reflected_line(plane - DEPARTURE),
        }
    }
}

/// The square with the files reversed.
fn reflected_square(square: Square) -> Square {
    let frame = Frame::of(BLACK);
    frame.square(frame::reflected_cell(frame.cell(square)))
}
