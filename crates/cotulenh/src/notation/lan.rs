//! Steps and turns as text.
//!
//! A step is written `piece text`, from, separator, to ([LAN](text)); or without the from-square as far as it is not
//! needed ([SAN](san)). Both are read by one parser, which looks for the legal step that the text describes.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::ops::ControlFlow;

use sandtable_core::{FromSetup, Position as _};

use crate::{Action, Kind, KindSet, Position, Square, SquareError, Stack, Step};

/// The text of the step that ends a deployment.
const END: &str = "end";

/// Why a text is not a legal step here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LanError {
    /// There is no text.
    #[error("a step is missing")]
    Empty,
    /// It does not begin with pieces.
    #[error("a step begins with its pieces, as in T, +T or (FT), not with {0:?}")]
    Pieces(String),
    /// It is a whole deployment.
    #[error("{0:?} is a deployment in one word: type its steps one by one, as in Fc4>e6, then end")]
    Deployment(String),
    /// It does not end with a square.
    #[error("a step ends with its target square: {0}")]
    Target(SquareError),
    /// What stands between the pieces and the target makes no sense.
    #[error("{0:?} between the pieces and the target is no from-square, with > or one of x _ @ & after it")]
    Middle(String),
    /// The step is well-formed, but the rules do not allow it here.
    #[error("{0} is not a legal step here")]
    Illegal(String),
    /// Several legal steps fit.
    #[error("{text} may be {first} or {second}")]
    Ambiguous {
        /// What was read.
        text: String,
        /// One step it may be.
        first: String,
        /// Another.
        second: String,
    },
}

impl Action {
    /// The sign between from and to.
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

    fn from_separator(separator: char) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.separator().chars().eq([separator]))
    }
}

/// Kinds carrier first, each with its `+`, in parentheses if there are several.
pub(crate) fn kinds_text(kinds: KindSet, heroes: KindSet) -> String {
    let plus = |kind| heroes.contains(kind).then_some('+');
    let pieces: String =
        kinds.iter().flat_map(|kind| plus(kind).into_iter().chain([kind.letter()])).collect();
    if kinds.len() > 1 { format!("({pieces})") } else { pieces }
}

fn stack_text(stack: Option<Stack>) -> String {
    stack.map_or_else(|| "-".into(), |stack| kinds_text(stack.kinds(), stack.heroes()))
}

/// Reads [`kinds_text`] without heroes.
pub(crate) fn read_kinds(text: &str) -> Option<KindSet> {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let kinds: Option<KindSet> = inner.chars().map(Kind::from_letter).collect();
    kinds.filter(|&kinds| kinds_text(kinds, KindSet::EMPTY) == text)
}

/// The group that makes a step: where it stands and its text, each piece with its heroism.
fn mover(position: &Position, from: Square, group: Option<KindSet>) -> String {
    let stack = position.board().get(from);
    let group = stack.map(|stack| group.unwrap_or(stack.kinds()).common(stack.kinds()));
    stack.zip(group).map_or_else(String::new, |(stack, group)| kinds_text(group, stack.heroes()))
}

/// The parts of a step's text.
struct Parts {
    pieces: String,
    from: Square,
    deploys: bool,
    action: Action,
    to: Square,
}

impl Parts {
    /// `None` for the end of a deployment.
    fn of(position: &Position, step: Step) -> Option<Self> {
        match step {
            Step::Whole { from, to, action } => {
                Some(Self { pieces: mover(position, from, None), from, deploys: false, action, to })
            }
            Step::Deploy { from, to, group, action } => {
                Some(Self { pieces: mover(position, from, Some(group)), from, deploys: true, action, to })
            }
            Step::End { .. } => None,
        }
    }

    /// The text with `from` in place of the from-square.
    fn with_from(&self, from: impl fmt::Display) -> String {
        let deploys = if self.deploys { ">" } else { "" };
        format!("{}{from}{deploys}{}{}", self.pieces, self.action.separator(), self.to)
    }

    /// The text with as much of the from-square as tells it from steps with the same `bare` text from `rivals`.
    fn told_from(&self, rivals: &[Square], bare: String) -> String {
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
    Parts::of(position, step).map_or_else(|| END.into(), |parts| parts.with_from(parts.from))
}

/// The SAN of a step: from-square only as far as another legal step with the same text needs it.
pub(crate) fn san(position: &Position, step: Step) -> String {
    let Some(parts) = Parts::of(position, step) else { return END.into() };
    let bare = parts.with_from("");
    let mut rivals = Vec::new();
    let _ = position.for_each_legal::<()>(|other| {
        if other.target() == Some(parts.to)
            && let Some(other) = Parts::of(position, other)
            && other.from != parts.from
            && other.with_from("") == bare
        {
            rivals.push(other.from);
        }
        ControlFlow::Continue(())
    });
    parts.told_from(&rivals, bare)
}

/// The SAN of all legal steps, in their order.
pub(crate) fn sans(position: &Position, legal: &[Step]) -> Vec<String> {
    let bare = |&step: &Step| Parts::of(position, step).map(|parts| (parts.with_from(""), parts));
    let steps: Vec<_> = legal.iter().map(bare).collect();
    let mut alike: HashMap<&str, Vec<Square>> = HashMap::new();
    for (bare, parts) in steps.iter().flatten() {
        alike.entry(bare).or_default().push(parts.from);
    }
    let san = |step: &Option<(String, Parts)>| {
        let Some((bare, parts)) = step else { return END.into() };
        let rivals: Vec<_> =
            alike[bare.as_str()].iter().copied().filter(|&from| from != parts.from).collect();
        parts.told_from(&rivals, bare.clone())
    };
    steps.iter().map(san).collect()
}

/// What a text says of the from-square.
#[derive(Default)]
struct FromHint {
    file: Option<u8>,
    rank: Option<u8>,
}

impl FromHint {
    fn fits(&self, from: Square) -> bool {
        self.file.is_none_or(|file| file == from.file()) && self.rank.is_none_or(|rank| rank == from.rank())
    }

    fn read(text: &str) -> Option<Self> {
        let file = text.chars().next().filter(char::is_ascii_lowercase);
        let digits = &text[file.map_or(0, char::len_utf8)..];
        let rank = if digits.is_empty() { None } else { Some(digits.parse().ok()?) };
        let file = file.map(|letter| letter as u8 - b'a');
        // A whole square is checked by its own parser; a file or a rank alone must exist.
        let exists =
            file.is_none_or(|file| file < Square::FILES) && rank.is_none_or(|rank| (1..=12).contains(&rank));
        (exists && !digits.starts_with(['0', '+'])).then_some(Self { file, rank })
    }
}

/// A step's text taken apart, before any position is asked.
struct Described<'a> {
    pieces: &'a str,
    from: FromHint,
    deploys: bool,
    action: Action,
    to: Square,
}

impl<'a> Described<'a> {
    fn read(text: &'a str) -> Result<Self, LanError> {
        let pieces_end = pieces_len(text).ok_or_else(|| LanError::Pieces(text.into()))?;
        let (pieces, rest) = text.split_at(pieces_end);
        let to_start = rest
            .rfind(|c: char| !c.is_ascii_digit())
            .ok_or_else(|| LanError::Target(rest.parse::<Square>().err().unwrap_or(SquareError::Missing)))?;
        let (middle, to) = rest.split_at(to_start);
        let to = to.parse().map_err(LanError::Target)?;
        let mut hint = middle;
        let mut action = Action::Move;
        if let Some(last) = hint.chars().next_back()
            && let Some(named) = Action::from_separator(last)
        {
            action = named;
            hint = &hint[..hint.len() - last.len_utf8()];
        }
        let deploys = hint.ends_with('>');
        let hint = hint.strip_suffix('>').unwrap_or(hint);
        let from = FromHint::read(hint).ok_or_else(|| LanError::Middle(middle.into()))?;
        Ok(Self { pieces, from, deploys, action, to })
    }

    fn fits(&self, parts: &Parts) -> bool {
        self.to == parts.to
            && self.action == parts.action
            && self.deploys == parts.deploys
            && self.from.fits(parts.from)
            && self.pieces == parts.pieces
    }
}

/// The length of the piece text at the beginning: `T`, `+T`, `(F+T)`.
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

/// Reads a step in LAN or SAN. What it returns is legal.
pub(crate) fn parse(position: &Position, text: &str) -> Result<Step, LanError> {
    if text.is_empty() {
        return Err(LanError::Empty);
    }
    if text == END {
        let end = position.deployment().map(|deployment| Step::End { from: deployment.origin() });
        return end.filter(|&end| position.is_legal(end)).ok_or_else(|| LanError::Illegal(text.into()));
    }
    if text.contains(':') {
        return Err(LanError::Deployment(text.into()));
    }
    let described = Described::read(text)?;
    let mut found: Option<Step> = None;
    let second = position.for_each_legal(|step| {
        if step.target() != Some(described.to)
            || !Parts::of(position, step).is_some_and(|p| described.fits(&p))
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

/// Reads a step of a deployment as a turn's text holds it, without the origin: `N>c5`.
pub(crate) fn parse_deployment_step(
    position: &Position,
    origin: Square,
    text: &str,
) -> Result<Step, LanError> {
    let pieces_end = pieces_len(text).ok_or_else(|| LanError::Pieces(text.into()))?;
    let (pieces, rest) = text.split_at(pieces_end);
    if !rest.starts_with('>') {
        return Err(LanError::Middle(rest.into()));
    }
    parse(position, &format!("{pieces}{origin}{rest}"))
}

/// The steps made so far in the deployment in progress, each as [`parse_deployment_step`] reads it.
pub(crate) fn deployment_steps_text(position: &Position) -> Vec<String> {
    let Some(deployment) = position.to_setup().deployment else { return Vec::new() };
    let mut replayed = position.before_deployment_steps();
    let mut texts = Vec::new();
    for step in deployment.steps {
        texts.extend(Parts::of(&replayed, step).map(|parts| parts.with_from("")));
        replayed.play_step(step);
    }
    texts
}

/// What stands on the origin of the deployment in progress.
pub(crate) fn stay_text(position: &Position) -> String {
    stack_text(position.deployment().and_then(|deployment| position.board().get(deployment.origin())))
}

/// Why a text is not a legal turn here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// A step of it is wrong.
    #[error("step {number}: {error}")]
    Step {
        /// The number of the step, from 1.
        number: usize,
        /// What is wrong with it.
        error: LanError,
    },
    /// A deployment is already in progress.
    #[error("a turn is read at its beginning, and here a deployment is in progress")]
    Midway,
    /// It is not of the form `origin:stay:step,step`.
    #[error("a deployment turn is written origin:stay:step,step ({0})")]
    Form(String),
    /// It names something else to stay than what does.
    #[error("what stays on {origin} is {stays}, not {said}")]
    Stay {
        /// Where the stack stood.
        origin: Square,
        /// What stays.
        stays: String,
        /// What the text says.
        said: String,
    },
}

/// The LAN of a complete turn that begins here: one whole move, or `c3:T:N>c5,F>xe5`.
///
/// Only a deployment with a last `end` has one in its steps; a text does not show it.
pub(crate) fn turn_text(position: &Position, steps: &[Step]) -> String {
    let Some(&Step::Deploy { from: origin, .. }) = steps.first() else {
        return steps.iter().map(|&step| text(position, step)).collect();
    };
    let mut after = *position;
    let mut texts = Vec::new();
    for &step in steps {
        texts.extend(Parts::of(&after, step).map(|parts| parts.with_from("")));
        after.play_step(step);
    }
    let stays = after.board().get(origin).filter(|stack| stack.owner() == position.turn());
    let mut turn = String::new();
    write!(turn, "{origin}:{}:{}", stack_text(stays), texts.join(",")).expect("a string takes all");
    turn
}

/// Reads the LAN of a complete turn that begins here. The steps it returns are legal one after the other, and the
/// last of them ends the turn.
pub(crate) fn parse_turn(position: &Position, text: &str) -> Result<Vec<Step>, TurnError> {
    if text.contains(':') {
        return parse_deployment(position, text, true);
    }
    if position.deployment().is_some() {
        return Err(TurnError::Midway);
    }
    let step = parse(position, text).map_err(|error| TurnError::Step { number: 1, error })?;
    match step {
        Step::Deploy { from, .. } => Err(TurnError::Form(format!("begin with {from}:"))),
        _ => Ok(vec![step]),
    }
}

/// Reads a deployment that does not go on to the end of the turn.
pub(crate) fn parse_unfinished_turn(position: &Position, text: &str) -> Result<Vec<Step>, TurnError> {
    parse_deployment(position, text, false)
}

fn parse_deployment(position: &Position, text: &str, complete: bool) -> Result<Vec<Step>, TurnError> {
    if position.deployment().is_some() {
        return Err(TurnError::Midway);
    }
    let parts: Vec<&str> = text.splitn(3, ':').collect();
    let [origin, said, texts] = parts[..] else {
        return Err(TurnError::Form("it has three parts, with colons between them".into()));
    };
    let origin: Square = origin.parse().map_err(|e| TurnError::Form(format!("origin: {e}")))?;
    let mut after = *position;
    let mut steps = Vec::new();
    for (number, text) in (1..).zip(texts.split(',')) {
        if number > 1 && after.deployment().is_none() {
            return Err(TurnError::Form(format!("step {number} comes after the end of the turn")));
        }
        let step =
            parse_deployment_step(&after, origin, text).map_err(|error| TurnError::Step { number, error })?;
        steps.push(step);
        after.play_step(step);
    }
    if complete && after.deployment().is_some() {
        let number = steps.len() + 1;
        let step = parse(&after, END).map_err(|error| TurnError::Step { number, error })?;
        steps.push(step);
        after.play_step(step);
    }
    let stays = stack_text(after.board().get(origin).filter(|stack| stack.owner() == position.turn()));
    if stays == said { Ok(steps) } else { Err(TurnError::Stay { origin, stays, said: said.into() }) }
}
