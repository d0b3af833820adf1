//! Complete turns as text: a whole move, or a [deployment](super::deployment).

use sandtable_core::Position;

use super::lan::MoveError;
use super::{deployment, lan};
use crate::{CoTuLenh, Step};

/// Writes a complete turn as records do: the SAN of a whole move, or a deployment. The rest of a turn in progress is
/// written as the LAN of its steps, separated by spaces.
pub(crate) fn write(position: &CoTuLenh, steps: &[Step]) -> String {
    if position.deployment().is_none() {
        return write_first(position, steps).0;
    }
    let mut after = *position;
    let texts = steps.iter().map(|&step| {
        let text = lan::write(&after, step);
        after.play_unchecked(step);
        text
    });
    texts.collect::<Vec<_>>().join(" ")
}

/// Writes the first turn of a line, and returns the number of its steps. In a line that begins within a deployment, the
/// rest of that turn is written step by step.
pub(crate) fn write_first(position: &CoTuLenh, line: &[Step]) -> (String, usize) {
    match line[0] {
        step if position.deployment().is_some() => (lan::write(position, step), 1),
        Step::Deploy { from, .. } => deployment::write(position, from, line),
        step => (lan::write_san(position, step), 1),
    }
}

/// Parses a complete turn: the inverse of [`write`]. Also accepts its steps one by one, separated by spaces.
///
/// The steps are legal one after the other, and the last of them completes the turn.
pub(crate) fn parse(position: &CoTuLenh, text: &str) -> Result<Vec<Step>, MoveError> {
    if text.contains(':') {
        return deployment::parse(position, text);
    }
    let mut after = *position;
    let mut steps = Vec::new();
    for (number, word) in (1..).zip(text.split(' ')) {
        if number > 1 && after.deployment().is_none() {
            return Err(MoveError::AfterTurn(number));
        }
        let step = lan::parse(&after, word)?;
        steps.push(step);
        after.play_unchecked(step);
    }
    if after.deployment().is_some() { Err(MoveError::Incomplete(text.into())) } else { Ok(steps) }
}
