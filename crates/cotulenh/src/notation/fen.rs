//! Positions as text.

use std::fmt::{self, Write as _};

use sandtable_core::{FromSetup, Player, SetupError, read_counter};

use super::lan;
use crate::{
    Board, Invalid, Kind, KindSet, Piece, Position, Rules, Setup, SetupDeployment, Square, Stack, StackError,
    Step,
};

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text does not follow the form.
    #[error("at character {}: {reason}", .at + 1)]
    Syntax {
        /// How many characters stand before the place.
        at: usize,
        /// What is wrong there.
        reason: FenReason,
    },
    /// The text is well-formed but no position.
    #[error(transparent)]
    Setup(#[from] SetupError<Invalid>),
}

/// What can be wrong with the form of a position's text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenReason {
    /// The board has too few or too many ranks.
    #[error("the board has {0} ranks instead of 12")]
    Ranks(usize),
    /// A rank has too few or too many squares.
    #[error("rank {rank} has {found} squares instead of 11")]
    Files {
        /// The rank.
        rank: u8,
        /// How many squares it has, counted as far as needed.
        found: usize,
    },
    /// A number of empty squares that no rank can have.
    #[error("{0} empty squares: a count is 1 to 11")]
    Count(String),
    /// A letter that is no piece.
    #[error("'{0}' is no piece: pieces are N F T E H C I M A G S")]
    Letter(char),
    /// A parenthesis within parentheses.
    #[error("a stack within a stack")]
    Nested,
    /// A stack that does not end.
    #[error("the stack that begins here is not closed")]
    Unclosed,
    /// A closing parenthesis without an opening one.
    #[error("')' closes no stack")]
    Unopened,
    /// Parentheses around nothing.
    #[error("a stack without pieces")]
    EmptyStack,
    /// A `+` without a piece after it.
    #[error("'+' stands before the letter of a heroic piece, and none follows")]
    DanglingPlus,
    /// Pieces that make no stack.
    #[error(transparent)]
    Stack(#[from] StackError),
    /// A stack that is not written carrier first.
    #[error("this stack is written {0}: carrier first, then in the order N F T E H C I M A G S")]
    StackOrder(Stack),
    /// Parentheses around a single piece.
    #[error("a single piece stands without parentheses")]
    NoStack,
    /// A field is missing.
    #[error("the {0} is missing")]
    Missing(&'static str),
    /// The turn is neither `r` nor `b`.
    #[error("the turn is r or b, not {0:?}")]
    Turn(String),
    /// One of the two unused fields is not `-`.
    #[error("this field is always -, not {0:?}")]
    Unused(String),
    /// A counter is not a number.
    #[error("the {name} is a number from 0 to 65535, not {text:?}")]
    Counter {
        /// Which one.
        name: &'static str,
        /// What stands there.
        text: String,
    },
    /// There is something after the last field.
    #[error("nothing follows the deployment, but here is {0:?}")]
    Surplus(String),
    /// The deployment is not of the form `origin:stay:step,step...`.
    #[error("a deployment in progress is written origin:stay:step,step... ({0})")]
    Deployment(String),
}

/// A field of the text with the number of characters before it.
#[derive(Clone, Copy)]
struct Field<'a> {
    at: usize,
    text: &'a str,
}

impl Field<'_> {
    fn error(&self, reason: FenReason) -> FenError {
        FenError::Syntax { at: self.at, reason }
    }
}

/// Splits at single spaces; runs of spaces count as one, as do those at either end.
fn fields(text: &str) -> impl Iterator<Item = Field<'_>> {
    let mut at = 0;
    text.split(' ').filter_map(move |part| {
        let field = Field { at, text: part };
        at += part.chars().count() + 1;
        (!part.is_empty()).then_some(field)
    })
}

/// Reads a position.
///
/// More lenient than the writer in one thing: fields may be separated by several spaces.
pub(crate) fn read(text: &str, rules: Rules) -> Result<Position, FenError> {
    let end = text.chars().count();
    let mut fields = fields(text);
    let mut next = |name| fields.next().ok_or(FenError::Syntax { at: end, reason: FenReason::Missing(name) });

    let board = read_placement(&next("board")?)?;
    let turn = next("turn")?;
    let turn = match turn.text {
        "r" => Player::First,
        "b" => Player::Second,
        other => return Err(turn.error(FenReason::Turn(other.into()))),
    };
    for name in ["third field (always -)", "fourth field (always -)"] {
        let unused = next(name)?;
        if unused.text != "-" {
            return Err(unused.error(FenReason::Unused(unused.text.into())));
        }
    }
    let halfmoves = read_number(&next("half-move clock")?, "half-move clock")?;
    let fullmoves = read_number(&next("full-move number")?, "full-move number")?;
    let mut setup = Setup { board, turn, halfmoves, fullmoves, deployment: None };
    let deployment = fields.next();
    if let Some(surplus) = fields.next() {
        return Err(surplus.error(FenReason::Surplus(surplus.text.into())));
    }
    let Some(field) = deployment else { return Ok(Position::from_setup(&setup, rules)?) };

    let complain = |what: String| field.error(FenReason::Deployment(what));
    let [origin, stay, steps] = split_deployment(field.text).map_err(complain)?;
    let origin: Square = origin.parse().map_err(|e| complain(format!("origin: {e}")))?;
    let mut steps: Vec<&str> = steps.split(',').collect();
    let pending = match steps[0].strip_prefix('*') {
        Some("") => return Err(complain("no piece is named after *".into())),
        Some(kinds) => {
            Some(lan::read_kinds(kinds).ok_or_else(|| complain(format!("*{kinds} names no pieces")))?)
        }
        None => None,
    };
    if pending.is_some() {
        steps.remove(0);
    }
    // The board is checked before its steps are read: they can only be read on a valid one.
    let head = SetupDeployment { origin, pending, steps: Vec::new() };
    SetupError::check(Setup { deployment: Some(head), ..setup.clone() }.complaints(rules))?;
    let before = Position::unchecked(&setup, rules);
    let steps = read_deployment_steps(&before, origin, pending, &steps).map_err(complain)?;
    setup.deployment = Some(SetupDeployment { origin, pending, steps });
    let position = Position::from_setup(&setup, rules)?;
    let stays = lan::stay_text(&position);
    if stays == stay { Ok(position) } else { Err(complain(format!("what stays is {stays}, not {stay}"))) }
}

fn read_number(field: &Field<'_>, name: &'static str) -> Result<u16, FenError> {
    read_counter(field.text).ok_or_else(|| field.error(FenReason::Counter { name, text: field.text.into() }))
}

fn read_placement(field: &Field<'_>) -> Result<Board, FenError> {
    let ranks = field.text.split('/').count();
    if ranks != usize::from(Square::RANKS) {
        return Err(field.error(FenReason::Ranks(ranks)));
    }
    let mut board = Board::EMPTY;
    let mut at = field.at;
    for (rank_index, text) in (0..).zip(field.text.split('/')) {
        read_rank(&Field { at, text }, rank_index, &mut board)?;
        at += text.chars().count() + 1;
    }
    Ok(board)
}

fn read_rank(field: &Field<'_>, rank_index: u8, board: &mut Board) -> Result<(), FenError> {
    let chars: Vec<char> = field.text.chars().collect();
    let error = |i: usize, reason| FenError::Syntax { at: field.at + i, reason };
    let too_many = |i, found| error(i, FenReason::Files { rank: Square::RANKS - rank_index, found });
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
                return Err(too_many(i - digits.len(), file));
            }
            continue;
        }
        let start = i;
        let stack = read_stack(&chars, &mut i).map_err(|(at, reason)| error(at, reason))?;
        let square = Square::at(file as u8, rank_index).ok_or_else(|| too_many(start, file + 1))?;
        board.set(square, Some(stack));
        file += 1;
    }
    if file < usize::from(Square::FILES) {
        return Err(too_many(chars.len(), file));
    }
    Ok(())
}

/// Reads a piece or a stack in parentheses that begins at `*i`, and moves `*i` behind it. An error says where it is.
fn read_stack(chars: &[char], i: &mut usize) -> Result<Stack, (usize, FenReason)> {
    let start = *i;
    if chars[start] != '(' {
        return Ok(Stack::of(&[read_piece(chars, i)?]).expect("a piece alone is a stack"));
    }
    *i += 1;
    let mut pieces = Vec::new();
    loop {
        match chars.get(*i) {
            None => return Err((start, FenReason::Unclosed)),
            Some('(') => return Err((*i, FenReason::Nested)),
            Some(')') => break,
            Some(_) => pieces.push(read_piece(chars, i)?),
        }
    }
    *i += 1;
    let stack = match pieces.len() {
        0 => return Err((start, FenReason::EmptyStack)),
        1 => return Err((start, FenReason::NoStack)),
        _ => Stack::of(&pieces).map_err(|e| (start, e.into()))?,
    };
    if !stack.flatten().eq(pieces) {
        return Err((start, FenReason::StackOrder(stack)));
    }
    Ok(stack)
}

/// Reads the text of one piece or stack, as a board writes it.
pub(crate) fn read_figure(text: &str) -> Result<Stack, String> {
    let chars: Vec<char> = text.chars().collect();
    let mut end = 0;
    if chars.is_empty() {
        return Err("there is no piece".to_owned());
    }
    let stack = read_stack(&chars, &mut end).map_err(|(_, reason)| reason.to_string())?;
    if end == chars.len() { Ok(stack) } else { Err(format!("more follows {stack}")) }
}

fn read_piece(chars: &[char], i: &mut usize) -> Result<Piece, (usize, FenReason)> {
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
        None => unreachable!("the caller has seen a character here"),
    }
}

/// Takes `origin:stay:step,step...` apart.
fn split_deployment(text: &str) -> Result<[&str; 3], String> {
    let body = text.strip_suffix("...").ok_or("it ends with three dots")?;
    let parts: Vec<&str> = body.splitn(3, ':').collect();
    parts.try_into().map_err(|_| "it has three parts, with colons between them".into())
}

fn read_deployment_steps(
    before: &Position,
    origin: Square,
    pending: Option<KindSet>,
    texts: &[&str],
) -> Result<Vec<Step>, String> {
    let mut position = before
        .with_deployment(origin, pending)
        .ok_or_else(|| format!("the player to move has no such pieces on {origin}"))?;
    let mut steps = Vec::new();
    for text in texts {
        if position.deployment().is_none() {
            return Err(format!("{text} comes after the end of the turn"));
        }
        let step =
            lan::parse_deployment_step(&position, origin, text).map_err(|e| format!("{text:?}: {e}"))?;
        steps.push(step);
        position.play_step(step);
    }
    Ok(steps)
}

/// Writes a position.
pub(crate) fn write(position: &Position) -> String {
    let setup = position.to_setup();
    let mut text = write_board_fields(&setup);
    if let Some(SetupDeployment { origin, pending, .. }) = setup.deployment {
        write!(text, " {origin}:{}:", lan::stay_text(position)).expect("a string takes all");
        let mut parts = Vec::new();
        if let Some(pending) = pending {
            parts.push(format!("*{}", lan::kinds_text(pending, KindSet::EMPTY)));
        }
        parts.extend(lan::deployment_steps_text(position));
        text += &parts.join(",");
        text += "...";
    }
    text
}

fn write_board_fields(setup: &Setup) -> String {
    let turn = if setup.turn == Player::First { 'r' } else { 'b' };
    format!("{:?} {turn} - - {} {}", setup.board, setup.halfmoves, setup.fullmoves)
}

/// Writes the first field of a FEN.
pub(crate) fn write_placement(board: &Board, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
