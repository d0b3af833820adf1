//! The board editor: positions as cells and fields.

use sandtable_core::rules::DrawOffer;
use sandtable_core::view::{Arrange, Arrangement, ArrangementField, Fault, Palette, parse_counter};
use sandtable_core::{Describe, FromSetup as _, Player, Position};

use crate::notation::fen;
use crate::render::figure;
use crate::{Chess, DrawRules, Invalid, Piece, Role, Setup, Square, SquareError};

const CASTLING: ArrangementField =
    ArrangementField { name: "castling", default: "-", expected: "- or letters of KQkq, each at most once" };
const EN_PASSANT: ArrangementField = ArrangementField {
    name: "en-passant",
    default: "-",
    expected: "- or the square that a pawn has just passed over in a double step",
};
const HALFMOVES: ArrangementField = ArrangementField {
    name: "halfmoves",
    default: "0",
    expected: "the number of half-moves since the last capture or pawn move",
};
const FULLMOVES: ArrangementField =
    ArrangementField { name: "fullmoves", default: "1", expected: "the move number, starting at 1" };

/// An error in a cell of an arrangement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_cell")]
#[non_exhaustive]
pub enum CellError {
    /// The cell is not a square.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// The text is not the letter of a piece.
    #[error("unknown piece `{0}`: expected a letter of PNBRQK, in lower case for Black")]
    Piece(#[param(name = "text")] String),
}

impl Arrange for Chess {
    type CellError = CellError;

    const FIELDS: &'static [ArrangementField] = &[CASTLING, EN_PASSANT, HALFMOVES, FULLMOVES];

    fn palette(_: DrawRules) -> Palette {
        let names = |squares: &dyn Fn(Square) -> bool| {
            Square::all().filter(|&square| squares(square)).map(|square| square.to_string()).collect()
        };
        let pieces = Player::ALL.into_iter().flat_map(|owner| Role::ALL.map(|role| Piece { owner, role }));
        Palette {
            regions: vec![names(&|_| true), names(&|square| !square.is_on_end_rank())],
            figures: pieces.map(|piece| (figure(piece), usize::from(piece.role == Role::Pawn))).collect(),
        }
    }

    fn arrangement(&self, _: DrawOffer) -> Arrangement {
        let setup = self.to_setup();
        let cells = Square::all().filter_map(|square| {
            Some((square.to_string(), setup.board[square.index()]?.letter().to_string()))
        });
        let en_passant = setup.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
        let fields = [
            (CASTLING, fen::write_castling(&setup)),
            (EN_PASSANT, en_passant),
            (HALFMOVES, setup.halfmoves.to_string()),
            (FULLMOVES, setup.fullmoves.to_string()),
        ];
        Arrangement {
            cells: cells.collect(),
            turn: self.turn(),
            fields: fields.into_iter().map(|(field, text)| (field.name.to_owned(), text)).collect(),
        }
    }

    fn read_arrangement(
        arrangement: &Arrangement,
        _: DrawRules,
        faults: &mut Vec<Fault>,
    ) -> (Setup, DrawOffer) {
        let mut setup = Setup { turn: arrangement.turn, ..Setup::empty() };
        arrangement.read_cells(faults, |cell, letters| {
            let square: Square = cell.parse()?;
            let mut chars = letters.chars();
            let piece = chars.next().filter(|_| chars.as_str().is_empty()).and_then(Piece::from_letter);
            setup.board[square.index()] = Some(piece.ok_or_else(|| CellError::Piece(letters.to_owned()))?);
            Ok::<_, CellError>(())
        });
        arrangement.read_field::<Self, _>(&CASTLING, faults, |text| fen::parse_castling(text, &mut setup));
        let square = |text: &str| if text == "-" { Some(None) } else { text.parse().ok().map(Some) };
        setup.en_passant = arrangement.read_field::<Self, _>(&EN_PASSANT, faults, square).flatten();
        setup.halfmoves = arrangement.read_field::<Self, _>(&HALFMOVES, faults, parse_counter).unwrap_or(0);
        setup.fullmoves = arrangement.read_field::<Self, _>(&FULLMOVES, faults, parse_counter).unwrap_or(1);
        (setup, DrawOffer::None)
    }

    fn place_of(reason: &Invalid) -> Option<String> {
        let field = |field: ArrangementField| Some(field.name.to_owned());
        match reason {
            Invalid::PawnOnEndRank { square } => Some(square.to_string()),
            Invalid::CastlingWithoutKing { .. } | Invalid::CastlingWithoutRook { .. } => field(CASTLING),
            Invalid::EnPassantRank { .. }
            | Invalid::EnPassantWithoutPawn { .. }
            | Invalid::EnPassantBlocked { .. }
            | Invalid::EnPassantOtherCheck { .. }
            | Invalid::EnPassantClock { .. } => field(EN_PASSANT),
            Invalid::FullmovesZero => field(FULLMOVES),
            Invalid::NoKing { .. }
            | Invalid::Kings { .. }
            | Invalid::TooManyPawns { .. }
            | Invalid::TooManyPromoted { .. }
            | Invalid::OpponentInCheck { .. }
            | Invalid::TooManyCheckers { .. } => None,
        }
    }
}
