//! A position as an editor arranges it.

use sandtable_core::{
    Arrange, Arrangement, Fault, Field, FromSetup as _, Palette, Player, Position as _, read_counter,
};

use crate::draw::figure;
use crate::notation::fen;
use crate::{DrawRules, Invalid, Piece, Position, Role, Setup, Square};

const CASTLING: Field = Field {
    name: "castling",
    default: "-",
    means: "who may still castle where: letters of KQkq, capital for White, or -",
};
const EN_PASSANT: Field = Field {
    name: "en-passant",
    default: "-",
    means: "the square that a pawn has just passed over in a double step, or -",
};
const HALFMOVES: Field = Field {
    name: "halfmoves",
    default: "0",
    means: "half-moves since the last capture or pawn's move, a number",
};
const FULLMOVES: Field =
    Field { name: "fullmoves", default: "1", means: "the number of the move, counted from 1" };

impl Arrange for Position {
    const FIELDS: &'static [Field] = &[CASTLING, EN_PASSANT, HALFMOVES, FULLMOVES];

    fn palette(_: DrawRules) -> Palette {
        let names = |squares: &dyn Fn(Square) -> bool| {
            Square::all().filter(|&square| squares(square)).map(|square| square.to_string()).collect()
        };
        let pieces = Player::ALL.into_iter().flat_map(|owner| Role::ALL.map(|role| Piece { owner, role }));
        Palette {
            regions: vec![names(&|_| true), names(&|square| !matches!(square.rank(), 0 | 7))],
            figures: pieces.map(|piece| (figure(piece), usize::from(piece.role == Role::Pawn))).collect(),
        }
    }

    fn arrangement(&self) -> Arrangement {
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

    fn read_arrangement(arrangement: &Arrangement, faults: &mut Vec<Fault>) -> Setup {
        let mut setup = Setup { turn: arrangement.turn, ..Setup::empty() };
        arrangement.read_cells(faults, |cell, letters| {
            let square: Square = cell.parse().map_err(|e: crate::SquareError| e.to_string())?;
            let mut chars = letters.chars();
            let piece = chars.next().filter(|_| chars.as_str().is_empty()).and_then(Piece::from_letter);
            let none = || format!("`{letters}` is no piece: one letter of PNBRQK, small for Black");
            setup.board[square.index()] = Some(piece.ok_or_else(none)?);
            Ok(())
        });
        arrangement.read_field(&CASTLING, faults, |text| fen::parse_castling(text, &mut setup));
        let square = |text: &str| if text == "-" { Some(None) } else { text.parse().ok().map(Some) };
        setup.en_passant = arrangement.read_field(&EN_PASSANT, faults, square).flatten();
        setup.halfmoves = arrangement.read_field(&HALFMOVES, faults, read_counter).unwrap_or(0);
        setup.fullmoves = arrangement.read_field(&FULLMOVES, faults, read_counter).unwrap_or(1);
        setup
    }

    fn place_of(reason: &Invalid) -> Option<String> {
        let field = |field: Field| Some(field.name.to_owned());
        match reason {
            Invalid::PawnOnEndRank { square } => Some(square.to_string()),
            Invalid::CastlingWithoutKing { .. } | Invalid::CastlingWithoutRook { .. } => field(CASTLING),
            Invalid::EnPassantRank { .. }
            | Invalid::EnPassantWithoutPawn { .. }
            | Invalid::EnPassantBlocked { .. }
            | Invalid::EnPassantOtherCheck { .. }
            | Invalid::EnPassantClock { .. } => field(EN_PASSANT),
            Invalid::FullmovesZero => field(FULLMOVES),
            Invalid::Kings { .. }
            | Invalid::TooManyPawns { .. }
            | Invalid::TooManyPromoted { .. }
            | Invalid::OpponentInCheck { .. }
            | Invalid::TooManyCheckers { .. } => None,
        }
    }
}
