//! FEN: a position as one line.
//!
//! The writer is strict: six fields, one space between them, castling in the order `KQkq`, and an en-passant square
//! only if a pawn can legally take there (or after every double step, on request). The reader also takes, and says
//! so here: any ASCII white space between fields and at the ends; both counters missing (`0 1` then) or with leading
//! zeros; castling letters in any order; an en-passant square where nothing can take.

use std::fmt::Write as _;

use sandtable_core::{FromSetup, SetupError, read_counter};

use crate::setup::{Castling, Invalid, Setup};
use crate::{BLACK, DrawRules, EnPassant, Piece, Position, Square, WHITE};

/// The start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why a text is not the FEN of a position of chess.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// There are not four or six fields.
    #[error("a FEN has 6 fields (board, turn, castling, en passant, half-moves, moves); here are {0}")]
    Fields(usize),
    /// The board does not have eight ranks.
    #[error("the board has {0} ranks instead of 8")]
    Ranks(usize),
    /// A rank does not have eight files.
    #[error("rank {rank} has {files} files instead of 8")]
    Files {
        /// The rank, 1 to 8.
        rank: usize,
        /// How many files it has.
        files: usize,
    },
    /// Not a piece and not a number of empty squares.
    #[error("rank {rank}: `{letter}` is neither a piece (pnbrqk, PNBRQK) nor a number from 1 to 8")]
    Letter {
        /// The rank, 1 to 8.
        rank: usize,
        /// What stands there.
        letter: char,
    },
    /// Two numbers side by side, which should be one.
    #[error("rank {rank}: two numbers side by side")]
    AdjacentNumbers {
        /// The rank, 1 to 8.
        rank: usize,
    },
    /// The turn is not `w` or `b`.
    #[error("the turn is `{0}` instead of w or b")]
    Turn(String),
    /// The castling field is not `-` or some of `KQkq`.
    #[error("the castling rights are `{0}` instead of - or some of KQkq, each once")]
    Castling(String),
    /// The en-passant field is not `-` or a square.
    #[error("the en-passant square is `{0}` instead of - or a square")]
    EnPassant(String),
    /// The half-move clock is not a number from 0 to 65535.
    #[error("the half-move clock is `{0}` instead of a number from 0 to 65535")]
    Halfmoves(String),
    /// The move number is not a number up to 65535.
    #[error("the move number is `{0}` instead of a number from 1 to 65535")]
    Fullmoves(String),
    /// It is written well, but it is not a position of chess.
    #[error(transparent)]
    Invalid(#[from] SetupError<Invalid>),
}

impl Position {
    /// Reads a FEN.
    pub fn from_fen(fen: &str, rules: DrawRules) -> Result<Self, FenError> {
        Ok(Self::from_setup(&parse(fen)?, rules)?)
    }

    /// The FEN, with an en-passant square only if a pawn can legally take there.
    #[must_use]
    pub fn to_fen(&self) -> String {
        write(&self.to_setup())
    }

    /// The FEN, with the en-passant square as wished.
    #[must_use]
    pub fn to_fen_with(&self, en_passant: EnPassant) -> String {
        write(&Setup { en_passant: self.en_passant(en_passant), ..self.to_setup() })
    }
}

/// Reads a FEN without asking whether it is a position of chess.
pub fn parse(fen: &str) -> Result<Setup, FenError> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let (position, counters) = match fields[..] {
        [board, turn, castling, en_passant] => ([board, turn, castling, en_passant], ["0", "1"]),
        [board, turn, castling, en_passant, half, full] => {
            ([board, turn, castling, en_passant], [half, full])
        }
        _ => return Err(FenError::Fields(fields.len())),
    };
    let [board, turn, castling, en_passant] = position;
    let mut setup = Setup::empty();
    parse_board(board, &mut setup.board)?;
    setup.turn = match turn {
        "w" => WHITE,
        "b" => BLACK,
        _ => return Err(FenError::Turn(turn.to_owned())),
    };
    parse_castling(castling, &mut setup).ok_or_else(|| FenError::Castling(castling.to_owned()))?;
    if en_passant != "-" {
        setup.en_passant = Some(en_passant.parse().map_err(|_| FenError::EnPassant(en_passant.to_owned()))?);
    }
    setup.halfmoves = read_counter(counters[0]).ok_or_else(|| FenError::Halfmoves(counters[0].to_owned()))?;
    setup.fullmoves = read_counter(counters[1]).ok_or_else(|| FenError::Fullmoves(counters[1].to_owned()))?;
    Ok(setup)
}

fn parse_board(text: &str, board: &mut [Option<Piece>; Square::NUM]) -> Result<(), FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::Ranks(ranks.len()));
    }
    for (row, text) in ranks.into_iter().enumerate() {
        let rank = 8 - row;
        let (mut file, mut after_number) = (0, false);
        for letter in text.chars() {
            match letter.to_digit(10) {
                Some(0 | 9) => return Err(FenError::Letter { rank, letter }),
                Some(_) if after_number => return Err(FenError::AdjacentNumbers { rank }),
                Some(empty) => file += empty as usize,
                None => {
                    let piece = Piece::from_letter(letter).ok_or(FenError::Letter { rank, letter })?;
                    if let Some(square) = Square::at(file, rank - 1) {
                        board[square.index()] = Some(piece);
                    }
                    file += 1;
                }
            }
            after_number = letter.is_ascii_digit();
        }
        if file != 8 {
            return Err(FenError::Files { rank, files: file });
        }
    }
    Ok(())
}

pub(crate) fn parse_castling(text: &str, setup: &mut Setup) -> Option<()> {
    if text == "-" {
        return Some(());
    }
    for letter in text.chars() {
        let right = match letter {
            'K' => &mut setup.castling[WHITE].king,
            'Q' => &mut setup.castling[WHITE].queen,
            'k' => &mut setup.castling[BLACK].king,
            'q' => &mut setup.castling[BLACK].queen,
            _ => return None,
        };
        if std::mem::replace(right, true) {
            return None;
        }
    }
    Some(())
}

/// Writes a setup, valid or not, as a FEN.
#[must_use]
pub fn write(setup: &Setup) -> String {
    let mut fen = String::with_capacity(90);
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match Square::at(file, rank).and_then(|square| setup.board[square.index()]) {
                None => empty += 1,
                Some(piece) => {
                    push_number(&mut fen, std::mem::take(&mut empty));
                    fen.push(piece.letter());
                }
            }
        }
        push_number(&mut fen, empty);
        fen.push(if rank > 0 { '/' } else { ' ' });
    }
    fen.push(if setup.turn == WHITE { 'w' } else { 'b' });
    fen.push(' ');
    fen += &write_castling(setup);
    match setup.en_passant {
        Some(square) => write!(fen, " {square}"),
        None => write!(fen, " -"),
    }
    .and_then(|()| write!(fen, " {} {}", setup.halfmoves, setup.fullmoves))
    .expect("a String takes everything");
    fen
}

pub(crate) fn write_castling(setup: &Setup) -> String {
    let Castling { king: white_king, queen: white_queen } = setup.castling[WHITE];
    let Castling { king: black_king, queen: black_queen } = setup.castling[BLACK];
    let rights = [(white_king, 'K'), (white_queen, 'Q'), (black_king, 'k'), (black_queen, 'q')];
    let letters: String = rights.iter().filter(|(right, _)| *right).map(|(_, letter)| letter).collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

fn push_number(fen: &mut String, empty: u32) {
    fen.extend(char::from_digit(empty, 10).filter(|_| empty > 0));
}
