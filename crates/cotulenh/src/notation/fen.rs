//! Positions as text.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use sandtable_core::rules::SetupError;
use sandtable_core::view::parse_counter;
use sandtable_core::{Describe, FromSetup, Player, Position};

use super::deployment::{self, InProgress};
use super::lan::MoveError;
use crate::{Board, CoTuLenh, Invalid, Kind, Piece, Rules, Setup, Square, Stack, StackError};

/// The reason why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_fen")]
#[non_exhaustive]
pub enum PositionError {
    /// The text is malformed.
    #[error("at character {}: {reason}", .at + 1)]
    Syntax {
        /// The number of characters before the error.
        #[param(number, value = at + 1)]
        at: usize,
        /// The error.
        #[param(message)]
        reason: FenReason,
    },
    /// The text is well-formed, but the position is invalid.
    #[error(transparent)]
    Setup(#[from] SetupError<Invalid>),
}

/// A syntax error in the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_fen")]
#[non_exhaustive]
pub enum FenReason {
    /// The board has too few or too many ranks.
    #[error("expected 12 ranks, found {0}")]
    Ranks(#[param(name = "found")] usize),
    /// A rank has too few or too many squares.
    #[error("expected 11 squares on rank {rank}, found {found}")]
    Files {
        /// The rank.
        rank: u8,
        /// The number of squares up to the error.
        found: usize,
    },
    /// A count of empty squares is out of range.
    #[error("invalid number of empty squares {0}: expected 1 to 11")]
    Count(#[param(name = "text")] String),
    /// A character is not a piece letter.
    #[error("unknown piece `{0}`: expected one of N F T E H C I M A G S")]
    Letter(#[param(name = "letter")] char),
    /// A parenthesis inside parentheses.
    #[error("nested parenthesis: a stack cannot contain a stack")]
    Nested,
    /// A stack is not closed.
    #[error("unclosed parenthesis")]
    Unclosed,
    /// A closing parenthesis without an opening one.
    #[error("unmatched closing parenthesis")]
    Unopened,
    /// Empty parentheses.
    #[error("empty parentheses: expected the pieces of a stack")]
    EmptyStack,
    /// A `+` without a piece after it.
    #[error("expected a piece letter after `+`")]
    DanglingPlus,
    /// The pieces in parentheses do not form a stack.
    #[error(transparent)]
    Stack(#[from] StackError),
    /// A stack is not written carrier first.
    #[error("wrong order of pieces: expected {0}, carrier first, then in the order N F T E H C I M A G S")]
    StackOrder(#[param(name = "stack")] Stack),
    /// Parentheses around a single piece.
    #[error("expected a single piece without parentheses")]
    SinglePiece,
    /// A field is missing.
    #[error("missing {0}")]
    Missing(#[param(name = "field", message)] FenField),
    /// The turn is neither `r` nor `b`.
    #[error("invalid turn `{0}`: expected r or b")]
    Turn(#[param(name = "text")] String),
    /// One of the two unused fields is not `-`.
    #[error("invalid field `{0}`: expected -")]
    Unused(#[param(name = "text")] String),
    /// A counter is not a number.
    #[error("invalid {name} `{text}`: expected a number from 0 to 65535")]
    Counter {
        /// The name of the counter.
        #[param(message)]
        name: FenField,
        /// The text of the field.
        text: String,
    },
    /// Text after the last field.
    #[error("unexpected `{0}` after the last field")]
    Trailing(#[param(name = "text")] String),
    /// The deployment in progress does not end with `...`.
    #[error("expected `...` at the end of the deployment in progress")]
    Unfinished,
    /// The pending pieces after `*` are malformed.
    #[error("invalid pending pieces `{0}`: expected pieces after *, as in *T or *(FT)")]
    Pending(#[param(name = "text")] String),
    /// The deployment in progress is malformed or does not fit the position.
    #[error(transparent)]
    Deployment(#[from] MoveError),
}

/// A field of the text of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Describe)]
#[code("cotulenh_fen_field")]
pub enum FenField {
    /// The pieces on the board.
    Board,
    /// The side to move.
    Turn,
    /// The first unused field.
    Third,
    /// The second unused field.
    Fourth,
    /// The number of turns since the last capture.
    HalfMoves,
    /// The full-move number.
    FullMoves,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Board => "board",
            Self::Turn => "turn",
            Self::Third => "third field (always -)",
            Self::Fourth => "fourth field (always -)",
            Self::HalfMoves => "half-move clock",
            Self::FullMoves => "full-move number",
        })
    }
}

/// A part of the text with the number of characters before it.
#[derive(Clone, Copy)]
struct Token<'a> {
    at: usize,
    text: &'a str,
}

impl Token<'_> {
    fn error(&self, reason: impl Into<FenReason>) -> PositionError {
        PositionError::Syntax { at: self.at, reason: reason.into() }
    }
}

/// Splits a text at runs of spaces; leading and trailing spaces are ignored.
fn fields(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    text.split(' ').filter_map(move |part| {
        let field = Token { at, text: part };
        at += part.chars().count() + 1;
        (!part.is_empty()).then_some(field)
    })
}

/// Parses a position.
///
/// More lenient than the writer in one respect: runs of spaces separate fields.
pub(crate) fn parse(text: &str, rules: Rules) -> Result<CoTuLenh, PositionError> {
    let end = text.chars().count();
    let mut fields = fields(text);
    let mut next =
        |name| fields.next().ok_or(PositionError::Syntax { at: end, reason: FenReason::Missing(name) });

    let placement = parse_placement(&next(FenField::Board)?)?;
    let turn = next(FenField::Turn)?;
    let turn = match turn.text {
        "r" => Player::First,
        "b" => Player::Second,
        other => return Err(turn.error(FenReason::Turn(other.into()))),
    };
    for name in [FenField::Third, FenField::Fourth] {
        let unused = next(name)?;
        if unused.text != "-" {
            return Err(unused.error(FenReason::Unused(unused.text.into())));
        }
    }
    let halfmoves = parse_number(&next(FenField::HalfMoves)?, FenField::HalfMoves)?;
    let fullmoves = parse_number(&next(FenField::FullMoves)?, FenField::FullMoves)?;
    let deployment = fields.next();
    if let Some(trailing) = fields.next() {
        return Err(trailing.error(FenReason::Trailing(trailing.text.into())));
    }
    let mut setup = Setup { placement, turn, halfmoves, fullmoves, deployment: None };
    match deployment {
        None => Ok(CoTuLenh::from_setup(&setup, rules)?),
        Some(field) => {
            let deployment = InProgress::parse(field.text).map_err(|reason| field.error(reason))?;
            setup.deployment = Some(deployment.setup.clone());
            let position = CoTuLenh::from_setup(&setup, rules)?;
            deployment.check(&position).map_err(|error| field.error(error))?;
            Ok(position)
        }
    }
}

fn parse_number(field: &Token<'_>, name: FenField) -> Result<u16, PositionError> {
    parse_counter(field.text).ok_or_else(|| field.error(FenReason::Counter { name, text: field.text.into() }))
}

fn parse_placement(field: &Token<'_>) -> Result<BTreeMap<Square, Stack>, PositionError> {
    let ranks = field.text.split('/').count();
    if ranks != usize::from(Square::RANKS) {
        return Err(field.error(FenReason::Ranks(ranks)));
    }
    let mut placement = BTreeMap::new();
    let mut at = field.at;
    for (rank, text) in (1..=Square::RANKS).rev().zip(field.text.split('/')) {
        parse_rank(&Token { at, text }, rank, &mut placement)?;
        at += text.chars().count() + 1;
    }
    Ok(placement)
}

/// Parses one rank.
fn parse_rank(
    field: &Token<'_>,
    rank: u8,
    placement: &mut BTreeMap<Square, Stack>,
) -> Result<(), PositionError> {
    let chars: Vec<char> = field.text.chars().collect();
    let error = |i: usize, reason| PositionError::Syntax { at: field.at + i, reason };
    let wrong_length = |i, found| error(i, FenReason::Files { rank, found });
    let mut file = 0_usize;
    let mut i = 0;
    while i < chars.len() {
        if chars[i].is_ascii_digit() {
            let digits: String = chars[i..].iter().take_while(|c| c.is_ascii_digit()).collect();
            match digits.parse::<usize>() {
                Ok(count @ 1..=11) if !digits.starts_with('0') => file += count,
                _ => return Err(error(i, FenReason::Count(digits))),
            }
            i += digits.len();
            if file > usize::from(Square::FILES) {
                return Err(wrong_length(i - digits.len(), file));
            }
            continue;
        }
        let start = i;
        let stack = parse_stack(&chars, &mut i).map_err(|(at, reason)| error(at, reason))?;
        let square = Square::from_coords(file as u8, rank).ok_or_else(|| wrong_length(start, file + 1))?;
        placement.insert(square, stack);
        file += 1;
    }
    if file < usize::from(Square::FILES) {
        return Err(wrong_length(chars.len(), file));
    }
    Ok(())
}

/// Parses a piece, or a stack in parentheses, that begins at `*i`, and advances `*i` past it. Errors come with their
/// place.
fn parse_stack(chars: &[char], i: &mut usize) -> Result<Stack, (usize, FenReason)> {
    let start = *i;
    if chars[start] != '(' {
        return Ok(Stack::of(&[parse_piece(chars, i)?]).expect("a single piece is a stack"));
    }
    *i += 1;
    let mut pieces = Vec::new();
    loop {
        match chars.get(*i) {
            None => return Err((start, FenReason::Unclosed)),
            Some('(') => return Err((*i, FenReason::Nested)),
            Some(')') => break,
            Some(_) => pieces.push(parse_piece(chars, i)?),
        }
    }
    *i += 1;
    let stack = match pieces.len() {
        0 => return Err((start, FenReason::EmptyStack)),
        1 => return Err((start, FenReason::SinglePiece)),
        _ => Stack::of(&pieces).map_err(|e| (start, e.into()))?,
    };
    if !stack.flatten().eq(pieces) {
        return Err((start, FenReason::StackOrder(stack)));
    }
    Ok(stack)
}

/// The reason why a text is not a single piece or stack.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_figure")]
#[non_exhaustive]
pub enum FigureError {
    /// The text is empty.
    #[error("expected a piece")]
    Missing,
    /// The text is malformed.
    #[error(transparent)]
    Stack(#[from] FenReason),
    /// Text after the piece or stack.
    #[error("unexpected text after {0}")]
    Trailing(#[param(name = "stack")] Stack),
}

/// Parses the text of a single piece or stack.
pub(crate) fn parse_figure(text: &str) -> Result<Stack, FigureError> {
    let chars: Vec<char> = text.chars().collect();
    let mut end = 0;
    if chars.is_empty() {
        return Err(FigureError::Missing);
    }
    let stack = parse_stack(&chars, &mut end).map_err(|(_, reason)| reason)?;
    if end == chars.len() { Ok(stack) } else { Err(FigureError::Trailing(stack)) }
}

fn parse_piece(chars: &[char], i: &mut usize) -> Result<Piece, (usize, FenReason)> {
    let heroic = chars[*i] == '+';
    if heroic {
        *i += 1;
    }
    match chars.get(*i) {
        Some(&letter) if letter.is_ascii_alphabetic() => {
            let kind = Kind::from_letter(letter).ok_or((*i, FenReason::Letter(letter)))?;
            let owner = if letter.is_ascii_uppercase() { Player::First } else { Player::Second };
            *i += 1;
            Ok(Piece { owner, kind, heroic })
        }
        _ if heroic => Err((*i - 1, FenReason::DanglingPlus)),
        Some(')') => Err((*i, FenReason::Unopened)),
        Some(&letter) => Err((*i, FenReason::Letter(letter))),
        None => unreachable!("the caller checked that there is a character"),
    }
}

/// Writes a position.
pub(crate) fn write(position: &CoTuLenh) -> String {
    let turn = if position.turn() == Player::First { 'r' } else { 'b' };
    let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
    let mut text = String::new();
    write_placement(position.before_deployment_steps().board(), &mut text)
        .and_then(|()| write!(text, " {turn} - - {halfmoves} {fullmoves}"))
        .expect("writing to a string cannot fail");
    if let Some(deployment) = deployment::write_in_progress(position) {
        text.push(' ');
        text.push_str(&deployment);
    }
    text
}

/// Writes the placement field of a FEN.
pub(crate) fn write_placement(board: &Board, f: &mut impl fmt::Write) -> fmt::Result {
    let mut empty = 0;
    for square in Square::all() {
        if square.file() == 0 && square.rank_index() > 0 {
            f.write_char('/')?;
        }
        let stack = board.get(square);
        let last = square.file() == Square::FILES - 1;
        empty += u8::from(stack.is_none());
        if empty > 0 && (stack.is_some() || last) {
            write!(f, "{empty}")?;
            empty = 0;
        }
        if let Some(stack) = stack {
            write!(f, "{stack}")?;
        }
    }
    Ok(())
}
