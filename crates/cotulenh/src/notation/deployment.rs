//! Deployments as text: `origin:stay:step,step`, as in `c3:T:N>c5,F>xe5`.
//!
//! `stay` names the pieces on the origin after the steps, or is `-`. A final `end` is not written. A deployment in
//! progress ends with `...`. In a FEN the first step may instead be the pending pieces, `*T`, if the earlier steps are
//! unknown.

use sandtable_core::view::Refusal;
use sandtable_core::{Player, Position};

use super::fen::FenReason;
use super::lan::{self, END, MoveError, Pieces, StepText};
use crate::{CoTuLenh, Obstacle, SetupDeployment, Square, Step};

/// The end of the text of a deployment in progress.
const UNFINISHED: &str = "...";

/// The parts of a deployment's text, before any position is consulted.
struct Parts<'a> {
    origin: Square,
    stay: &'a str,
    steps: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    fn split(text: &'a str) -> Result<Self, MoveError> {
        let parts: Vec<&str> = text.splitn(3, ':').collect();
        let [origin, stay, steps] = parts[..] else { return Err(MoveError::Deployment(text.into())) };
        let origin = origin.parse().map_err(MoveError::Origin)?;
        Ok(Self { origin, stay, steps: steps.split(',').collect() })
    }

    /// Compares the pieces that `owner` has on the origin in `after` with those that the text names.
    fn check_stay(&self, after: &CoTuLenh, owner: Player) -> Result<(), MoveError> {
        let expected = stay_text(after, self.origin, owner);
        if self.stay == expected {
            return Ok(());
        }
        Err(MoveError::Stay { origin: self.origin, expected, found: self.stay.into() })
    }
}

/// The text of the pieces that `owner` has on the origin of a deployment.
fn stay_text(position: &CoTuLenh, origin: Square, owner: Player) -> String {
    let stack = position.board().get(origin).filter(|stack| stack.owner() == owner);
    stack.map_or_else(|| "-".into(), |stack| Pieces::from(stack).to_string())
}

/// Compares the text of a step with the writer's text.
fn check_step(position: &CoTuLenh, step: Step, found: &str) -> Result<(), MoveError> {
    let expected = StepText::of(position, step).map_or_else(String::new, StepText::without_from);
    if expected == found { Ok(()) } else { Err(MoveError::Spelling { expected, found: found.into() }) }
}

fn in_step(number: usize) -> impl FnOnce(MoveError) -> MoveError {
    move |error| MoveError::Step { number, error: Box::new(error) }
}

/// Parses the deployment of a complete turn. The steps are legal one after the other; the last of them is `end` if the
/// turn needs it.
pub(crate) fn parse(position: &CoTuLenh, text: &str) -> Result<Vec<Step>, MoveError> {
    parse_steps(position, text, true)
}

/// Parses a deployment that may be in progress, as a record writes it.
pub(crate) fn parse_recorded(position: &CoTuLenh, text: &str) -> Result<Vec<Step>, MoveError> {
    match text.strip_suffix(UNFINISHED) {
        Some(text) => parse_steps(position, text, false),
        None => parse(position, text),
    }
}

fn parse_steps(position: &CoTuLenh, text: &str, complete: bool) -> Result<Vec<Step>, MoveError> {
    if position.deployment().is_some() {
        return Err(MoveError::InProgress);
    }
    let parts = Parts::split(text)?;
    let mut after = *position;
    let mut steps = Vec::new();
    for (number, text) in (1..).zip(&parts.steps) {
        if number > 1 && after.deployment().is_none() {
            return Err(MoveError::AfterTurn(number));
        }
        let step = parse_legal_step(&after, parts.origin, text).map_err(in_step(number))?;
        steps.push(step);
        after.play_unchecked(step);
    }
    if complete && after.deployment().is_some() {
        let end = lan::parse(&after, END).map_err(in_step(steps.len() + 1))?;
        steps.push(end);
        after.play_unchecked(end);
    }
    parts.check_stay(&after, position.turn())?;
    Ok(steps)
}

fn parse_legal_step(position: &CoTuLenh, origin: Square, text: &str) -> Result<Step, MoveError> {
    let mut step = lan::parse_deploy_step(origin, text)?;
    if let Step::Deploy { group, to, .. } = step
        && !position.is_legal(step)
    {
        let illegal =
            |reason: Refusal<Obstacle>| MoveError::Illegal { text: text.into(), reason: reason.into() };
        step = lan::step_between(position, origin, group, to).map_err(illegal)?;
    }
    check_step(position, step, text)?;
    Ok(step)
}

/// Writes the deployment that a line begins with, and returns the number of its steps.
pub(crate) fn write(position: &CoTuLenh, origin: Square, line: &[Step]) -> (String, usize) {
    let mut after = *position;
    let mut texts = Vec::new();
    let mut len = 0;
    for &step in line {
        texts.extend(StepText::of(&after, step).map(StepText::without_from));
        after.play_unchecked(step);
        len += 1;
        if after.deployment().is_none() {
            break;
        }
    }
    let unfinished = if after.deployment().is_some() { UNFINISHED } else { "" };
    let stay = stay_text(&after, origin, position.turn());
    (format!("{origin}:{stay}:{}{unfinished}", texts.join(",")), len)
}

/// A deployment in progress as a FEN writes it.
pub(crate) struct InProgress<'a> {
    parts: Parts<'a>,
    /// The deployment, which may be illegal.
    pub(crate) setup: SetupDeployment,
}

impl<'a> InProgress<'a> {
    /// Parses the text without consulting a position.
    pub(crate) fn parse(text: &'a str) -> Result<Self, FenReason> {
        let text = text.strip_suffix(UNFINISHED).ok_or(FenReason::Unfinished)?;
        let mut parts = Parts::split(text)?;
        let mut pending = None;
        if let Some(pieces) = parts.steps[0].strip_prefix('*') {
            pending = Some(Pieces::parse_plain(pieces).ok_or_else(|| FenReason::Pending(pieces.into()))?);
            parts.steps.remove(0);
        }
        let origin = parts.origin;
        let step =
            |(number, text): (usize, &&str)| lan::parse_deploy_step(origin, text).map_err(in_step(number));
        let steps = (1..).zip(&parts.steps).map(step).collect::<Result<_, _>>()?;
        Ok(Self { parts, setup: SetupDeployment { origin, pending, steps } })
    }

    /// Checks the redundant parts of the text against the position: the heroism of the pieces in the steps, and the
    /// pieces that stay.
    pub(crate) fn check(&self, position: &CoTuLenh) -> Result<(), MoveError> {
        let mut texts = self.parts.steps.iter();
        for_each_step(position, |before, step| {
            texts.next().map_or(Ok(()), |text| check_step(before, step, text))
        })?;
        self.parts.check_stay(position, position.turn())
    }
}

/// Calls `f` with each step of the deployment in progress and the position before the step, until `f` fails.
fn for_each_step<E>(
    position: &CoTuLenh,
    mut f: impl FnMut(&CoTuLenh, Step) -> Result<(), E>,
) -> Result<(), E> {
    let Some(deployment) = position.deployment() else { return Ok(()) };
    let mut before = position.before_deployment_steps();
    for step in deployment.steps() {
        f(&before, step)?;
        before.play_unchecked(step);
    }
    Ok(())
}

/// The texts of the steps made so far in the deployment in progress.
pub(crate) fn step_texts(position: &CoTuLenh) -> Vec<String> {
    let mut texts = Vec::new();
    let _ = for_each_step::<()>(position, |before, step| {
        texts.extend(StepText::of(before, step).map(StepText::without_from));
        Ok(())
    });
    texts
}

/// Writes the deployment in progress, as in a FEN.
pub(crate) fn write_in_progress(position: &CoTuLenh) -> Option<String> {
    let deployment = position.deployment()?;
    let pending = deployment.base_pending().map(|kinds| format!("*{}", Pieces::plain(kinds)));
    let parts: Vec<_> = pending.into_iter().chain(step_texts(position)).collect();
    let origin = deployment.origin();
    let stay = stay_text(position, origin, position.turn());
    Some(format!("{origin}:{stay}:{}{UNFINISHED}", parts.join(",")))
}
