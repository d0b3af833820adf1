//! A position as a client says it: a kind, rules, a text and moves.

use sandtable::{BoxedGame, GameKind, find};
use serde::{Deserialize, Serialize};

use crate::refusal::{Code, Refusal};

/// No game that was ever played is longer.
pub(crate) const MAX_MOVES: usize = 5_000;
/// No move is longer.
pub(crate) const MAX_MOVE: usize = 200;
/// No position is longer: a base64 board and the longest readable one stay well below.
const MAX_POSITION: usize = 4_000;

/// A position, said by how it came about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    pub(crate) kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) position: Option<String>,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
    /// Are the legal actions wanted?
    #[serde(default = "yes", skip_serializing)]
    pub(crate) actions: bool,
}

const fn yes() -> bool {
    true
}

impl Said {
    /// The game with that past.
    pub(crate) fn game(&self) -> Result<BoxedGame, Refusal> {
        let kind = kind(&self.kind)?;
        let rules = rules(kind, self.rules.as_deref());
        let wrong = |e: sandtable::Error| Refusal::new(Code::BadPosition, e);
        let mut game = match self.position.as_deref() {
            None => kind.start(rules).map_err(wrong)?,
            Some(text) if text.len() > MAX_POSITION => {
                return Err(Refusal::new(Code::BadPosition, "the text is longer than any position"));
            }
            Some(text) => kind.parse(text, rules).map_err(wrong)?,
        };
        if self.moves.len() > MAX_MOVES {
            let why = format!("{} moves are more than the {MAX_MOVES} of any game", self.moves.len());
            return Err(Refusal::new(Code::IllegalMove, why));
        }
        for (number, text) in (1..).zip(&self.moves) {
            let refuse = |why: &dyn std::fmt::Display| {
                Refusal::new(Code::IllegalMove, format!("move {number}: {why}"))
            };
            if text.len() > MAX_MOVE {
                return Err(refuse(&"the text is longer than any move"));
            }
            game.replay(text).map_err(|e| refuse(&e))?;
        }
        Ok(game)
    }
}

/// The kind of that name.
pub(crate) fn kind(name: &str) -> Result<&'static GameKind, Refusal> {
    find(name).map_err(|e| Refusal::new(Code::BadPosition, e))
}

/// The rules that are said, or the kind's default.
pub(crate) fn rules<'a>(kind: &GameKind, said: Option<&'a str>) -> &'a str {
    said.unwrap_or_else(|| (kind.rules)()[0])
}
