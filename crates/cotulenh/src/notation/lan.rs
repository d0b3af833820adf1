//! Single steps as text.
//!
//! LAN ([`text`]) writes the pieces, the from-square, a separator and the target. SAN ([`san`]) leaves out as much of the
//! from-square as it can. One parser ([`parse`]) reads both: it finds the legal step that matches the text.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

use sandtable_core::Position as _;

use sandtable_core::Describe;

use crate::{Kind, KindSet, Position, Square, SquareError, Stack, Step, StepKind};

/// The text of the step that ends a deployment.
pub(crate) const END: &str = "end";

/// The reason why a text is not a legal move or a legal turn in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_move")]
#[non_exhaustive]
pub enum LanError {
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
    #[error("illegal move `{0}`")]
    Illegal(#[param(name = "text")] String),
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
        error: Box<LanError>,
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
    /// A step does not mark exactly its heroic pieces.
    #[error("expected `{expected}`, found `{found}`")]
    Heroism {
        /// The text of the step.
        expected: String,
        /// The text that was given.
        found: String,
    },
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

/// The text of pieces: carrier first, `+` before each hero, in parentheses if there are several.
pub(crate) fn kinds_text(kinds: KindSet, heroes: KindSet) -> String {
    let plus = |kind| heroes.contains(kind).then_some('+');
    let pieces: String =
        kinds.iter().flat_map(|kind| plus(kind).into_iter().chain([kind.letter()])).collect();
    if kinds.len() > 1 { format!("({pieces})") } else { pieces }
}

pub(crate) fn stack_text(stack: Option<Stack>) -> String {
    stack.map_or_else(|| "-".into(), |stack| kinds_text(stack.kinds(), stack.heroes()))
}

/// Parses [`kinds_text`] without heroes; `None` if the text is malformed or names no piece.
pub(crate) fn parse_kinds(text: &str) -> Option<KindSet> {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let kinds: Option<KindSet> = inner.chars().map(Kind::from_letter).collect();
    kinds.filter(|&kinds| !kinds.is_empty() && kinds_text(kinds, KindSet::EMPTY) == text)
}

/// The text of the group that makes a step.
fn group_text(position: &Position, from: Square, group: Option<KindSet>) -> String {
    let stack = position.board().get(from);
    let group = stack.map(|stack| group.unwrap_or(stack.kinds()).common(stack.kinds()));
    stack.zip(group).map_or_else(String::new, |(stack, group)| kinds_text(group, stack.heroes()))
}

/// The components of a step's text.
pub(crate) struct StepText {
    pieces: String,
    from: Square,
    deploys: bool,
    kind: StepKind,
    to: Square,
}

impl StepText {
    /// `None` for the end of a deployment.
    pub(crate) fn of(position: &Position, step: Step) -> Option<Self> {
        match step {
            Step::Whole { from, to, kind } => {
                Some(Self { pieces: group_text(position, from, None), from, deploys: false, kind, to })
            }
            Step::Deploy { from, to, group, kind } => {
                Some(Self { pieces: group_text(position, from, Some(group)), from, deploys: true, kind, to })
            }
            Step::End { .. } => None,
        }
    }

    /// The text with `from` in place of the from-square.
    fn with_from(&self, from: impl fmt::Display) -> String {
        let deploys = if self.deploys { ">" } else { "" };
        format!("{}{from}{deploys}{}{}", self.pieces, self.kind.separator(), self.to)
    }

    /// The text without the from-square, as in a deployment turn: `N>c5`.
    pub(crate) fn without_from(&self) -> String {
        self.with_from("")
    }

    /// The text with as much of the from-square as distinguishes it from steps with the same `bare` text that start on
    /// `rivals`.
    fn disambiguated(&self, rivals: &[Square], bare: String) -> String {
        if rivals.is_empty() {
            bare
        } else if rivals.iter().all(|from| from.file() != self.from.file()) {
            self.with_from((b'a' + self.from.file()) as char)
        } else if rivals.iter().all(|from| from.rank() != self.from.rank()) {
            self.with_from(self.from.rank())
        } else {
            self.with_from(self.from)
        }
    }
}

/// The LAN of a step.
pub(crate) fn text(position: &Position, step: Step) -> String {
    StepText::of(position, step).map_or_else(|| END.into(), |text| text.with_from(text.from))
}

/// The SAN of a step.
pub(crate) fn san(position: &Position, step: Step) -> String {
    let Some(text) = StepText::of(position, step) else { return END.into() };
    let bare = text.without_from();
    let mut rivals = Vec::new();
    let _ = position.for_each_legal::<()>(|other| {
        if other.target() == Some(text.to)
            && let Some(other) = StepText::of(position, other)
            && other.from != text.from
            && other.without_from() == bare
        {
            rivals.push(other.from);
        }
        ControlFlow::Continue(())
    });
    text.disambiguated(&rivals, bare)
}

/// The SAN of all legal steps, in their order.
pub(crate) fn sans(position: &Position, legal: &[Step]) -> Vec<String> {
    let bare = |&step: &Step| StepText::of(position, step).map(|text| (text.without_from(), text));
    let steps: Vec<_> = legal.iter().map(bare).collect();
    let mut alike: HashMap<&str, Vec<Square>> = HashMap::new();
    for (bare, text) in steps.iter().flatten() {
        alike.entry(bare).or_default().push(text.from);
    }
    let san = |step: &Option<(String, StepText)>| {
        let Some((bare, text)) = step else { return END.into() };
        let rivals: Vec<_> = alike[bare.as_str()].iter().copied().filter(|&from| from != text.from).collect();
        text.disambiguated(&rivals, bare.clone())
    };
    steps.iter().map(san).collect()
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
struct Pattern<'a> {
    pieces: &'a str,
    from: FromHint,
    deploys: bool,
    kind: StepKind,
    to: Square,
}

impl<'a> Pattern<'a> {
    fn parse(text: &'a str) -> Result<Self, LanError> {
        let pieces_end = pieces_len(text).ok_or_else(|| LanError::Pieces(text.into()))?;
        let (pieces, rest) = text.split_at(pieces_end);
        let to_start = rest
            .rfind(|c: char| !c.is_ascii_digit())
            .ok_or_else(|| LanError::Target(rest.parse::<Square>().err().unwrap_or(SquareError::Missing)))?;
        let (middle, to) = rest.split_at(to_start);
        let to = to.parse().map_err(LanError::Target)?;
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
        let from = FromHint::parse(hint).ok_or_else(|| LanError::Middle(middle.into()))?;
        Ok(Self { pieces, from, deploys, kind, to })
    }

    fn matches(&self, text: &StepText) -> bool {
        self.to == text.to
            && self.kind == text.kind
            && self.deploys == text.deploys
            && self.from.matches(text.from)
            && self.pieces == text.pieces
    }
}

/// The length of the piece text (`T`, `+T`, `(F+T)`) that a text begins with.
fn pieces_len(text: &str) -> Option<usize> {
    let piece = |text: &str| {
        let plus = usize::from(text.starts_with('+'));
        let letter = text[plus..].chars().next().filter(char::is_ascii_uppercase)?;
        Kind::from_letter(letter).map(|_| plus + 1)
    };
    let Some(inner) = text.strip_prefix('(') else { return piece(text) };
    let mut len = 0;
    while let Some(more) = piece(&inner[len..]) {
        len += more;
    }
    (len > 0 && inner[len..].starts_with(')')).then_some(len + 2)
}

/// Parses a step in LAN or SAN. The result is legal.
pub(crate) fn parse(position: &Position, text: &str) -> Result<Step, LanError> {
    if text.is_empty() {
        return Err(LanError::Empty);
    }
    if text == END {
        let end = position.deployment().map(|deployment| Step::End { from: deployment.origin() });
        return end.filter(|&end| position.is_legal(end)).ok_or_else(|| LanError::Illegal(text.into()));
    }
    if text.contains(':') {
        return Err(LanError::Turn(text.into()));
    }
    let pattern = Pattern::parse(text)?;
    let mut found: Option<Step> = None;
    let second = position.for_each_legal(|step| {
        if step.target() != Some(pattern.to)
            || !StepText::of(position, step).is_some_and(|text| pattern.matches(&text))
        {
            return ControlFlow::Continue(());
        }
        match found.replace(step) {
            None => ControlFlow::Continue(()),
            Some(first) => ControlFlow::Break((first, step)),
        }
    });
    match (second, found) {
        (ControlFlow::Break((first, second)), _) => Err(LanError::Ambiguous {
            text: text.into(),
            first: self::text(position, first),
            second: self::text(position, second),
        }),
        (_, Some(step)) => Ok(step),
        (_, None) => Err(LanError::Illegal(text.into())),
    }
}

/// Parses a step of a deployment as turns write it, without the origin: `N>c5`. Needs no position, so the step may be
/// illegal and the heroism of its pieces is ignored.
pub(crate) fn parse_deploy_step(origin: Square, text: &str) -> Result<Step, LanError> {
    if text.is_empty() {
        return Err(LanError::Empty);
    }
    let Pattern { pieces, from, deploys, kind, to } = Pattern::parse(text)?;
    let plain: String = pieces.chars().filter(|&c| c != '+').collect();
    let group = parse_kinds(&plain).ok_or_else(|| LanError::Pieces(text.into()))?;
    if !deploys || !from.is_empty() {
        return Err(LanError::Middle(text[pieces.len()..].into()));
    }
    Ok(Step::Deploy { from: origin, to, group, kind })
}
