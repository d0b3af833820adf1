//! FEN: a position on one line.
//!
//! ```
//! use sandtable_chess::notation::fen;
//! use sandtable_chess::{DrawRules, Chess};
//!
//! let position = Chess::from_fen("4k3/8/8/8/8/8/8/4K2R w K -", DrawRules::default())?;
//! assert_eq!(position.to_fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
//! // A setup need not be a valid position.
//! assert_eq!(fen::write(&fen::parse("8/8/8/8/8/8/8/8 w - - 0 1")?), "8/8/8/8/8/8/8/8 w - - 0 1");
//! # Ok::<(), fen::PositionError>(())
//! ```
//!
//! The writer is strict: six fields separated by one space, castling rights in the order `KQkq`, and an en passant
//! square only if a pawn can legally capture there (or, on request, after every double step). The parser also accepts:
//!
//! - any ASCII white space between the fields and at both ends;
//! - missing counters (`0 1`) and counters with leading zeros;
//! - castling rights in any order;
//! - an en passant square on which no pawn can capture.

use std::fmt::Write as _;

use sandtable_core::rules::SetupError;
use sandtable_core::view::parse_counter;
use sandtable_core::{Describe, FromSetup};

use crate::setup::{Invalid, Setup};
use crate::{BLACK, Chess, DrawRules, EnPassant, Piece, Square, WHITE};

/// The start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The reason why a text is not the FEN of a valid position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("chess_fen")]
#[non_exhaustive]
pub enum PositionError {
    /// The number of fields is neither 4 nor 6.
    #[error(
        "expected 6 FEN fields (board, side to move, castling, en passant, half-move clock, move number), found {0}"
    )]
    Fields(#[param(name = "found")] usize),
    /// The board does not have eight ranks.
    #[error("expected 8 ranks, found {0}")]
    Ranks(#[param(name = "found")] usize),
    /// A rank does not have eight files.
    #[error("rank {rank}: expected 8 files, found {files}")]
    Files {
        /// The rank, 1 to 8.
        rank: usize,
        /// The number of files it has.
        files: usize,
    },
    /// A character is neither a piece nor a number of empty squares.
    #[error("rank {rank}: unexpected `{found}`: expected a piece (pnbrqk, PNBRQK) or a digit from 1 to 8")]
    Character {
        /// The rank, 1 to 8.
        rank: usize,
        /// The character.
        found: char,
    },
    /// Two digits follow each other.
    #[error("rank {rank}: expected one digit for consecutive empty squares, found two")]
    AdjacentDigits {
        /// The rank, 1 to 8.
        rank: usize,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("invalid side to move `{0}`: expected w or b")]
    Turn(#[param(name = "text")] String),
    /// The castling field is neither `-` nor a subset of `KQkq`.
    #[error("invalid castling rights `{0}`: expected - or letters of KQkq, each at most once")]
    Castling(#[param(name = "text")] String),
    /// The en passant field is neither `-` nor a square.
    #[error("invalid en passant square `{0}`: expected - or a square such as e3")]
    EnPassant(#[param(name = "text")] String),
    /// The half-move clock is not a number from 0 to 65535.
    #[error("invalid half-move clock `{0}`: expected a number from 0 to 65535")]
    Halfmoves(#[param(name = "text")] String),
    /// The move number is not a number up to 65535.
    #[error("invalid move number `{0}`: expected a number from 1 to 65535")]
    Fullmoves(#[param(name = "text")] String),
    /// The text is well-formed, but the position is not valid.
    #[error(transparent)]
    Invalid(#[from] SetupError<Invalid>),
}

impl Chess {
    /// Parses a FEN.
    pub fn from_fen(fen: &str, rules: DrawRules) -> Result<Self, PositionError> {
        Ok(Self::from_setup(&parse(fen)?, rules)?)
    }

    /// The FEN, with an en passant square only if a pawn can legally capture there.
    #[must_use]
    pub fn to_fen(&self) -> String {
        write(&self.to_setup())
    }

    /// The FEN, with a choice of when to include the en passant square.
    #[must_use]
    pub fn to_fen_with(&self, en_passant: EnPassant) -> String {
        write(&Setup { en_passant: self.en_passant(en_passant), ..self.to_setup() })
    }
}

/// Parses a FEN without validating the position.
pub fn parse(fen: &str) -> Result<Setup, PositionError> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let (position, counters) = match fields[..] {
        [board, turn, castling, en_passant] => ([board, turn, castling, en_passant], ["0", "1"]),
        [board, turn, castling, en_passant, half, full] => {
            ([board, turn, castling, en_passant], [half, full])
        }
        _ => return Err(PositionError::Fields(fields.len())),
    };
    let [board, turn, castling, en_passant] = position;
    let mut setup = Setup::empty();
    parse_board(board, &mut setup.board)?;
    setup.turn = match turn {
        "w" => WHITE,
        "b" => BLACK,
        _ => return Err(PositionError::Turn(turn.to_owned())),
    };
    parse_castling(castling, &mut setup).ok_or_else(|| PositionError::Castling(castling.to_owned()))?;
    if en_passant != "-" {
        setup.en_passant =
            Some(en_passant.parse().map_err(|_| PositionError::EnPassant(en_passant.to_owned()))?);
    }
    setup.halfmoves =
        parse_counter(counters[0]).ok_or_else(|| PositionError::Halfmoves(counters[0].to_owned()))?;
    setup.fullmoves =
        parse_counter(counters[1]).ok_or_else(|| PositionError::Fullmoves(counters[1].to_owned()))?;
    Ok(setup)
}

fn parse_board(text: &str, board: &mut [Option<Piece>; Square::NUM]) -> Result<(), PositionError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(PositionError::Ranks(ranks.len()));
    }
    for (row, text) in ranks.into_iter().enumerate() {
        let rank = 8 - row;
        let (mut file, mut after_digit) = (0, false);
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(0 | 9) => return Err(PositionError::Character { rank, found: letter }),
                Some(_) if after_digit => return Err(PositionError::AdjacentDigits { rank }),
                Some(empty) => file += empty as usize,
                None => {
                    let piece =
                        Piece::from_letter(letter).ok_or(PositionError::Character { rank, found: letter })?;
                    if let Some(square) = Square::from_coords(file, rank) {
                        board[square.index()] = Some(piece);
                    }
                    file += 1;
                }
            }
            after_digit = letter.is_ascii_digit();
        }
        if file != 8 {
            return Err(PositionError::Files { rank, files: file });
        }
    }
    Ok(())
}

/// Sets the castling rights of a FEN field. `None` if the field is malformed.
pub(crate) fn parse_castling(text: &str, setup: &mut Setup) -> Option<()> {
    if text == "-" {
        return Some(());
    }
    for letter in text.chars() {
        let right = match letter {
            'K' => &mut setup.castling[WHITE].kingside,
            'Q' => &mut setup.castling[WHITE].queenside,
            'k' => &mut setup.castling[BLACK].kingside,
            'q' => &mut setup.castling[BLACK].queenside,
            _ => return None,
        };
        if std::mem::replace(right, true) {
            return None;
        }
    }
    Some(())
}

/// Returns the FEN of a setup, valid or not.
#[must_use]
pub fn write(setup: &Setup) -> String {
    let mut fen = String::with_capacity(90);
    for rank in (1..=8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match Square::from_coords(file, rank).and_then(|square| setup.board[square.index()]) {
                None => empty += 1,
                Some(piece) => {
                    push_digit(&mut fen, std::mem::take(&mut empty));
                    fen.push(piece.letter());
                }
            }
        }
        push_digit(&mut fen, empty);
        fen.push(if rank > 1 { '/' } else { ' ' });
    }
    fen.push(if setup.turn == WHITE { 'w' } else { 'b' });
    fen.push(' ');
    fen += &write_castling(setup);
    match setup.en_passant {
        Some(square) => write!(fen, " {square}"),
        None => write!(fen, " -"),
    }
    .and_then(|()| write!(fen, " {} {}", setup.halfmoves, setup.fullmoves))
    .expect("writing to a String cannot fail");
    fen
}

/// The castling rights as a FEN field.
pub(crate) fn write_castling(setup: &Setup) -> String {
    let (white, black) = (setup.castling[WHITE], setup.castling[BLACK]);
    let rights =
        [(white.kingside, 'K'), (white.queenside, 'Q'), (black.kingside, 'k'), (black.queenside, 'q')];
    let letters: String = rights.iter().filter(|(right, _)| *right).map(|(_, letter)| letter).collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

fn push_digit(fen: &mut String, empty: u32) {
    fen.extend(char::from_digit(empty, 10).filter(|_| empty > 0));
}
