//! Single steps as text.
//!
//! LAN ([`write`]) has the pieces, the from-square, a separator and the target. SAN ([`write_san`]) leaves out as much of
//! the from-square as possible. One parser ([`parse`]) reads both: it finds the legal step that matches the text.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

use sandtable_core::view::{Attempt, Explain as _, Refusal, refusal};
use sandtable_core::{Describe, Position};

use crate::{CoTuLenh, Kind, KindSet, Obstacle, Square, SquareError, Stack, Step, StepKind};

/// The text of the step that ends a deployment.
pub(crate) const END: &str = "end";

/// The reason why a text is not a legal move or a legal turn in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_move")]
#[non_exhaustive]
pub enum MoveError {
    /// The text is empty.
    #[error("expected a move, found nothing")]
    Empty,
    /// The text does not begin with pieces.
    #[error("invalid move `{0}`: expected pieces first, as in T, +T or (FT)")]
    Pieces(#[param(name = "text")] String),
    /// The text is a complete deployment turn where a single step is expected.
    #[error("`{0}` is a complete turn: expected a single step, as in Fc4>e6, or end")]
    Turn(#[param(name = "text")] String),
    /// The text does not end with a square.
    #[error("invalid target square: {0}")]
    Target(#[param(message)] SquareError),
    /// The text between the pieces and the target is malformed.
    #[error(
        "invalid move: expected a from-square, > or one of x _ @ & between pieces and target, found `{0}`"
    )]
    Middle(#[param(name = "text")] String),
    /// The move is well-formed but illegal in the position.
    #[error("illegal move `{text}`: {reason}")]
    Illegal {
        /// The text.
        text: String,
        /// The reason why the move is illegal.
        #[param(message)]
        reason: IllegalReason,
    },
    /// Several legal moves match.
    #[error("ambiguous move `{text}`: could be {first} or {second}")]
    Ambiguous {
        /// The text.
        text: String,
        /// The LAN of one matching move.
        first: String,
        /// The LAN of another.
        second: String,
    },
    /// A deployment does not have the form `origin:stay:step,step`.
    #[error("invalid deployment `{0}`: expected origin:stay:step,step")]
    Deployment(#[param(name = "text")] String),
    /// The origin of a deployment is not a square.
    #[error("invalid origin square: {0}")]
    Origin(#[param(message)] SquareError),
    /// A step of a turn is wrong.
    #[error("step {number}: {error}")]
    Step {
        /// The number of the step, from 1.
        number: usize,
        /// The error in it.
        #[param(message)]
        error: Box<MoveError>,
    },
    /// A step follows the end of the turn.
    #[error("step {0} follows the end of the turn")]
    AfterTurn(#[param(name = "number")] usize),
    /// A turn is expected, and the steps do not complete one.
    #[error("`{0}` does not complete the turn: expected origin:stay:step,step, or end as the last step")]
    Incomplete(#[param(name = "text")] String),
    /// A deployment turn is given while a deployment is in progress.
    #[error("a deployment is in progress: expected its next step, or end")]
    InProgress,
    /// The pieces that stay on the origin are not those that the text names.
    #[error("expected {expected} to stay on {origin}, found {found}")]
    Stay {
        /// The origin of the deployment.
        origin: Square,
        /// The pieces that stay.
        expected: String,
        /// The pieces in the text.
        found: String,
    },
    /// The pieces have a legal step to the target, but its text differs: another kind of step, or other heroes.
    #[error("expected `{expected}`, found `{found}`")]
    Spelling {
        /// The text of the legal step.
        expected: String,
        /// The text that was given.
        found: String,
    },
}

/// The reason why a well-formed move is illegal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_illegal")]
#[non_exhaustive]
pub enum IllegalReason {
    /// The pieces cannot act, or not on the target.
    #[error(transparent)]
    Refused(#[from] Refusal<Obstacle>),
    /// The side to move has no stack with the pieces, or no such stack on the from-square of the text.
    #[error("the side to move has no matching {pieces}")]
    NoPieces {
        /// The pieces.
        pieces: String,
    },
    /// There is no deployment to end.
    #[error("no deployment is in progress")]
    NoDeployment,
}

impl StepKind {
    /// The separator between from-square and target.
    #[must_use]
    pub const fn separator(self) -> &'static str {
        match self {
            Self::Move => "",
            Self::Capture => "x",
            Self::StayCapture => "_",
            Self::SuicideCapture => "@",
            Self::Combine => "&",
        }
    }

    pub(crate) fn from_separator(separator: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.separator().chars().eq([separator]))
    }
}

/// Pieces of one stack, as text: carrier first, `+` before each hero, in parentheses if there are several.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Pieces {
    pub(crate) kinds: KindSet,
    pub(crate) heroes: KindSet,
}

impl Pieces {
    /// The pieces of a stack that are in a group.
    fn of(stack: Stack, group: KindSet) -> Self {
        Self { kinds: stack.kinds().intersection(group), heroes: stack.heroes().intersection(group) }
    }

    /// Pieces that a text names without their heroism.
    pub(crate) const fn plain(kinds: KindSet) -> Self {
        Self { kinds, heroes: KindSet::EMPTY }
    }

    /// Splits a text after the pieces that it begins with; `None` if these are not written as [`Display`](fmt::Display)
    /// writes them.
    fn split(text: &str) -> Option<(Self, &str)> {
        let mut pieces = Self::plain(KindSet::EMPTY);
        let several = text.strip_prefix('(');
        let mut rest = several.unwrap_or(text);
        loop {
            let letter = rest.strip_prefix('+').unwrap_or(rest);
            let kind = letter.chars().next().filter(char::is_ascii_uppercase).and_then(Kind::from_letter)?;
            pieces.kinds = pieces.kinds.with(kind);
            if rest.starts_with('+') {
                pieces.heroes = pieces.heroes.with(kind);
            }
            rest = &letter[1..];
            if several.is_none() {
                break;
            } else if let Some(end) = rest.strip_prefix(')') {
                rest = end;
                break;
            }
        }
        let written = &text[..text.len() - rest.len()];
        (pieces.to_string() == written).then_some((pieces, rest))
    }

    /// Parses the kinds of pieces without heroes.
    pub(crate) fn parse_plain(text: &str) -> Option<KindSet> {
        let (pieces, rest) = Self::split(text)?;
        (rest.is_empty() && pieces.heroes.is_empty()).then_some(pieces.kinds)
    }
}

impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.kinds.len() > 1 { ("(", ")") } else { ("", "") };
        f.write_str(open)?;
        for kind in self.kinds {
            let plus = if self.heroes.contains(kind) { "+" } else { "" };
            write!(f, "{plus}{}", kind.letter())?;
        }
        f.write_str(close)
    }
}

impl From<Stack> for Pieces {
    fn from(stack: Stack) -> Self {
        Self::of(stack, stack.kinds())
    }
}

/// The components of a step's text.
#[derive(Clone, Copy)]
pub(crate) struct StepText {
    pieces: Pieces,
    from: Square,
    deploys: bool,
    kind: StepKind,
    to: Square,
}

impl StepText {
    /// `None` for the end of a deployment.
    pub(crate) fn of(position: &CoTuLenh, step: Step) -> Option<Self> {
        let (from, to, group, kind) = match step {
            Step::Whole { from, to, kind } => (from, to, KindSet::ALL, kind),
            Step::Deploy { from, to, group, kind } => (from, to, group, kind),
            Step::End { .. } => return None,
        };
        let stack = position.board().get(from);
        let pieces = stack.map_or(Pieces::plain(KindSet::EMPTY), |stack| Pieces::of(stack, group));
        Some(Self { pieces, from, deploys: matches!(step, Step::Deploy { .. }), kind, to })
    }

    /// Everything except the from-square.
    const fn bare(self) -> (Pieces, bool, StepKind, Square) {
        (self.pieces, self.deploys, self.kind, self.to)
    }

    /// The text with `from` in place of the from-square.
    fn with_from(self, from: impl fmt::Display) -> String {
        let deploys = if self.deploys { ">" } else { "" };
        format!("{}{from}{deploys}{}{}", self.pieces, self.kind.separator(), self.to)
    }

    /// The text without the from-square, as in a deployment turn: `N>c5`.
    pub(crate) fn without_from(self) -> String {
        self.with_from("")
    }

    /// The text with as much of the from-square as distinguishes the step from otherwise equal steps from `rivals`.
    fn disambiguated(self, rivals: &[Square]) -> String {
        if rivals.is_empty() {
            self.without_from()
        } else if rivals.iter().all(|from| from.file() != self.from.file()) {
            self.with_from((b'a' + self.from.file()) as char)
        } else if rivals.iter().all(|from| from.rank() != self.from.rank()) {
            self.with_from(self.from.rank())
        } else {
            self.with_from(self.from)
        }
    }
}

/// Writes a step in LAN.
pub(crate) fn write(position: &CoTuLenh, step: Step) -> String {
    StepText::of(position, step).map_or_else(|| END.into(), |text| text.with_from(text.from))
}

/// Writes a step in SAN.
pub(crate) fn write_san(position: &CoTuLenh, step: Step) -> String {
    let Some(text) = StepText::of(position, step) else { return END.into() };
    let mut rivals = Vec::new();
    let _ = position.for_each_legal::<()>(|other| {
        if other.target() == Some(text.to)
            && let Some(other) = StepText::of(position, other)
            && other.from != text.from
            && other.bare() == text.bare()
        {
            rivals.push(other.from);
        }
        ControlFlow::Continue(())
    });
    text.disambiguated(&rivals)
}

/// Writes all legal steps in SAN, in their order.
pub(crate) fn write_sans(position: &CoTuLenh, legal: &[Step]) -> Vec<String> {
    let texts: Vec<_> = legal.iter().map(|&step| StepText::of(position, step)).collect();
    let mut alike: HashMap<_, Vec<Square>> = HashMap::new();
    for text in texts.iter().flatten() {
        alike.entry(text.bare()).or_default().push(text.from);
    }
    let san = |text: &Option<StepText>| {
        let Some(text) = text else { return END.into() };
        let rivals: Vec<_> = alike[&text.bare()].iter().copied().filter(|&from| from != text.from).collect();
        text.disambiguated(&rivals)
    };
    texts.iter().map(san).collect()
}

/// The part of the from-square that a text gives.
#[derive(Default)]
struct FromHint {
    file: Option<u8>,
    rank: Option<u8>,
}

impl FromHint {
    fn is_empty(&self) -> bool {
        self.file.is_none() && self.rank.is_none()
    }

    /// The from-square, if the text gives all of it.
    fn square(&self) -> Option<Square> {
        Square::from_coords(self.file?, self.rank?)
    }

    fn matches(&self, from: Square) -> bool {
        self.file.is_none_or(|file| file == from.file()) && self.rank.is_none_or(|rank| rank == from.rank())
    }

    fn parse(text: &str) -> Option<Self> {
        let file = text.chars().next().filter(char::is_ascii_lowercase);
        let digits = &text[file.map_or(0, char::len_utf8)..];
        let rank = if digits.is_empty() { None } else { Some(digits.parse().ok()?) };
        let file = file.map(|letter| letter as u8 - b'a');
        let exists =
            file.is_none_or(|file| file < Square::FILES) && rank.is_none_or(|rank| (1..=12).contains(&rank));
        (exists && !digits.starts_with(['0', '+'])).then_some(Self { file, rank })
    }
}

/// A parsed step that is not yet matched with a position.
struct Pattern {
    pieces: Pieces,
    from: FromHint,
    deploys: bool,
    kind: StepKind,
    to: Square,
}

impl Pattern {
    fn parse(text: &str) -> Result<Self, MoveError> {
        if text.is_empty() {
            return Err(MoveError::Empty);
        }
        let (pieces, rest) = Pieces::split(text).ok_or_else(|| MoveError::Pieces(text.into()))?;
        let to_start = rest
            .rfind(|c: char| !c.is_ascii_digit())
            .ok_or_else(|| MoveError::Target(rest.parse::<Square>().err().unwrap_or(SquareError::Missing)))?;
        let (middle, to) = rest.split_at(to_start);
        let to = to.parse().map_err(MoveError::Target)?;
        let mut hint = middle;
        let mut kind = StepKind::Move;
        if let Some(last) = hint.chars().next_back()
            && let Some(named) = StepKind::from_separator(last)
        {
            kind = named;
            hint = &hint[..hint.len() - last.len_utf8()];
        }
        let deploys = hint.ends_with('>');
        let hint = hint.strip_suffix('>').unwrap_or(hint);
        let from = FromHint::parse(hint).ok_or_else(|| MoveError::Middle(middle.into()))?;
        Ok(Self { pieces, from, deploys, kind, to })
    }

    fn matches(&self, text: StepText) -> bool {
        (self.pieces, self.deploys, self.kind, self.to) == text.bare() && self.from.matches(text.from)
    }

    /// Why no legal step matches `text`, the text of this pattern.
    fn error(&self, position: &CoTuLenh, text: &str) -> MoveError {
        let has_pieces = |&(_, stack): &(Square, Stack)| stack.kinds().contains_all(self.pieces.kinds);
        let stacks = position.board().pieces(position.turn()).filter(has_pieces).map(|(from, _)| from);
        let candidates = stacks.filter(|&from| self.from.matches(from));
        let mut reason = None;
        for from in self.from.square().into_iter().chain(candidates) {
            match step_between(position, from, self.pieces.kinds, self.to) {
                Ok(step) => {
                    return MoveError::Spelling { expected: write(position, step), found: text.into() };
                }
                Err(refusal) => _ = reason.get_or_insert(refusal.into()),
            }
        }
        let none = || IllegalReason::NoPieces { pieces: self.pieces.to_string() };
        MoveError::Illegal { text: text.into(), reason: reason.unwrap_or_else(none) }
    }
}

/// Parses a step in LAN or SAN. The result is legal.
pub(crate) fn parse(position: &CoTuLenh, text: &str) -> Result<Step, MoveError> {
    if text == END {
        return parse_end(position).map_err(|reason| MoveError::Illegal { text: text.into(), reason });
    }
    if text.contains(':') {
        return Err(MoveError::Turn(text.into()));
    }
    let pattern = Pattern::parse(text)?;
    let mut found: Option<Step> = None;
    let second = position.for_each_legal(|step| {
        if step.target() != Some(pattern.to)
            || !StepText::of(position, step).is_some_and(|text| pattern.matches(text))
        {
            return ControlFlow::Continue(());
        }
        match found.replace(step) {
            None => ControlFlow::Continue(()),
            Some(first) => ControlFlow::Break((first, step)),
        }
    });
    match (second, found) {
        (ControlFlow::Break((first, second)), _) => Err(MoveError::Ambiguous {
            text: text.into(),
            first: write(position, first),
            second: write(position, second),
        }),
        (_, Some(step)) => Ok(step),
        (_, None) => Err(pattern.error(position, text)),
    }
}

fn parse_end(position: &CoTuLenh) -> Result<Step, IllegalReason> {
    let from = position.deployment().ok_or(IllegalReason::NoDeployment)?.origin();
    let end = Step::End { from };
    if position.is_legal(end) { Ok(end) } else { Err(Refusal::Rule(position.obstacle_to_end(from)).into()) }
}

/// The legal step of `group` from one square to another, or the reason why a click on these squares is refused.
pub(crate) fn step_between(
    position: &CoTuLenh,
    from: Square,
    group: KindSet,
    to: Square,
) -> Result<Step, Refusal<Obstacle>> {
    let is_meant = |step: &Step| {
        step.target() == Some(to)
            && StepText::of(position, *step).is_some_and(|text| text.pieces.kinds == group)
    };
    if let Some(step) = position.legal_moves_from(from).into_iter().find(is_meant) {
        return Ok(step);
    }
    let group: Vec<_> = group.iter().map(Kind::name).collect();
    let click = Attempt { from: &from.to_string(), to: Some(&to.to_string()), group: &group };
    // A click on the from-square selects the stack, so the obstacle to a step onto it has to be asked for.
    let onto_itself = || position.obstacle(from, Some(to), &group).map(Refusal::Rule);
    Err(refusal(position, click).or_else(onto_itself).expect("a group without a legal step is refused"))
}

/// Parses a step of a deployment as turns write it, without the origin: `N>c5`. Needs no position, so the step may be
/// illegal and the heroism of its pieces is ignored.
pub(crate) fn parse_deploy_step(origin: Square, text: &str) -> Result<Step, MoveError> {
    let Pattern { pieces, from, deploys, kind, to } = Pattern::parse(text)?;
    if !deploys || !from.is_empty() {
        return Err(MoveError::Middle(text[pieces.to_string().len()..].into()));
    }
    Ok(Step::Deploy { from: origin, to, group: pieces.kinds, kind })
}
