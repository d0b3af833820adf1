//! Complete turns as text: a whole move, or a deployment `c3:T:N>c5,F>xe5`.

use sandtable_core::{FromSetup, Position as _};

use super::lan::{self, END, LanError, StepText};
use crate::{Position, Square, Step};

/// The parts of `origin:stay:step,step`, before any position is consulted.
pub(crate) struct DeploymentText<'a> {
    pub(crate) origin: Square,
    /// The pieces that stand on the origin afterwards.
    pub(crate) stay: &'a str,
    pub(crate) steps: Vec<&'a str>,
}

impl<'a> DeploymentText<'a> {
    pub(crate) fn split(text: &'a str) -> Result<Self, LanError> {
        let parts: Vec<&str> = text.splitn(3, ':').collect();
        let [origin, stay, steps] = parts[..] else { return Err(LanError::Deployment(text.into())) };
        let origin = origin.parse().map_err(LanError::Origin)?;
        Ok(Self { origin, stay, steps: steps.split(',').collect() })
    }

    /// Compares the pieces that stay with those that the text names.
    pub(crate) fn check_stay(&self, expected: String) -> Result<(), LanError> {
        if self.stay == expected {
            return Ok(());
        }
        Err(LanError::Stay { origin: self.origin, expected, found: self.stay.into() })
    }
}

/// Compares the text of a step with the writer's text: `+` must mark the heroes.
pub(crate) fn check_step_text(expected: String, found: &str) -> Result<(), LanError> {
    if expected == found { Ok(()) } else { Err(LanError::Heroism { expected, found: found.into() }) }
}

fn in_step(number: usize) -> impl FnOnce(LanError) -> LanError {
    move |error| LanError::Step { number, error: Box::new(error) }
}

/// Parses the steps of a deployment's text without consulting a position.
pub(crate) fn parse_deploy_steps(origin: Square, texts: &[&str]) -> Result<Vec<Step>, LanError> {
    let parse =
        |(number, text): (usize, &&str)| lan::parse_deploy_step(origin, text).map_err(in_step(number));
    (1..).zip(texts).map(parse).collect()
}

/// The texts of the steps made so far in the deployment in progress.
pub(crate) fn deploy_step_texts(position: &Position) -> Vec<String> {
    let Some(deployment) = position.to_setup().deployment else { return Vec::new() };
    step_texts(&position.before_deployment_steps(), &deployment.steps).0
}

/// The texts of the steps of a deployment, without a final `end`, and the position after them.
fn step_texts(position: &Position, steps: &[Step]) -> (Vec<String>, Position) {
    let mut after = *position;
    let mut texts = Vec::new();
    for &step in steps {
        texts.extend(StepText::of(&after, step).map(|text| text.without_from()));
        after.play_unchecked(step);
    }
    (texts, after)
}

/// The text of the mover's pieces on the origin of the deployment in progress.
pub(crate) fn stay_text(position: &Position) -> String {
    lan::stack_text(position.deployment().and_then(|deployment| position.board().get(deployment.origin())))
}

/// The text of the pieces that `before`'s side to move has left on the origin of its deployment.
fn stay_text_after(before: &Position, after: &Position, origin: Square) -> String {
    lan::stack_text(after.board().get(origin).filter(|stack| stack.owner() == before.turn()))
}

/// The text of a deployment that begins in the position: `c3:T:N>c5,F>xe5`. A final `end` is not written.
pub(crate) fn deployment_text(position: &Position, origin: Square, steps: &[Step]) -> String {
    let (texts, after) = step_texts(position, steps);
    format!("{origin}:{}:{}", stay_text_after(position, &after, origin), texts.join(","))
}

/// The text of a complete turn as records write it: the SAN of a whole move, or a deployment. The rest of a turn in
/// progress is written as the LAN of its steps, separated by spaces.
pub(crate) fn turn_text(position: &Position, steps: &[Step]) -> String {
    if position.deployment().is_some() {
        let mut after = *position;
        let texts = steps.iter().map(|&step| {
            let text = lan::text(&after, step);
            after.play_unchecked(step);
            text
        });
        return texts.collect::<Vec<_>>().join(" ");
    }
    match steps.first() {
        Some(&Step::Deploy { from, .. }) => deployment_text(position, from, steps),
        Some(&step) => lan::san(position, step),
        None => String::new(),
    }
}

/// Parses a complete turn: the inverse of [`turn_text`]. Also accepts its steps one by one, separated by spaces.
///
/// The steps are legal one after the other, and the last of them completes the turn.
pub(crate) fn parse_turn(position: &Position, text: &str) -> Result<Vec<Step>, LanError> {
    if text.contains(':') {
        return parse_deployment(position, text, true);
    }
    let mut after = *position;
    let mut steps = Vec::new();
    for (number, word) in (1..).zip(text.split(' ')) {
        if number > 1 && after.deployment().is_none() {
            return Err(LanError::AfterTurn(number));
        }
        let step = lan::parse(&after, word)?;
        steps.push(step);
        after.play_unchecked(step);
    }
    if after.deployment().is_some() { Err(LanError::Incomplete(text.into())) } else { Ok(steps) }
}

/// Parses `origin:stay:step,step`. If `complete`, the deployment must complete the turn, and the returned steps include
/// a final `end` if one is needed.
pub(crate) fn parse_deployment(
    position: &Position,
    text: &str,
    complete: bool,
) -> Result<Vec<Step>, LanError> {
    if position.deployment().is_some() {
        return Err(LanError::InProgress);
    }
    let parts = DeploymentText::split(text)?;
    let mut after = *position;
    let mut steps = Vec::new();
    for (number, text) in (1..).zip(&parts.steps) {
        if number > 1 && after.deployment().is_none() {
            return Err(LanError::AfterTurn(number));
        }
        let step = parse_legal_deploy_step(&after, parts.origin, text).map_err(in_step(number))?;
        steps.push(step);
        after.play_unchecked(step);
    }
    if complete && after.deployment().is_some() {
        let step = lan::parse(&after, END).map_err(in_step(steps.len() + 1))?;
        steps.push(step);
        after.play_unchecked(step);
    }
    parts.check_stay(stay_text_after(position, &after, parts.origin))?;
    Ok(steps)
}

fn parse_legal_deploy_step(position: &Position, origin: Square, text: &str) -> Result<Step, LanError> {
    let step = lan::parse_deploy_step(origin, text)?;
    if !position.is_legal(step) {
        return Err(LanError::Illegal(text.into()));
    }
    let expected = StepText::of(position, step).map(|text| text.without_from());
    check_step_text(expected.unwrap_or_default(), text)?;
    Ok(step)
}
