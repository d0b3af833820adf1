//! Why a figure cannot act: the reasons that an interface shows beside it.

use std::error::Error;
use std::str::FromStr;

use crate::view::{Message, MoveDetails, Render};
use crate::{Describe, Player, Position};

/// A move that a user has tried: a figure, its target, and the pieces of the figure that act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt<'a> {
    /// The cell of the figure.
    pub from: &'a str,
    /// The target; `None` asks why the figure cannot act at all.
    pub to: Option<&'a str>,
    /// The pieces of the figure that act, as [`MoveDetails::group`](crate::view::MoveDetails::group) names them; empty for any
    /// of them.
    pub group: &'a [&'a str],
}

/// A position that explains why a figure cannot act.
pub trait Explain: Position {
    /// A cell of the board, parsed from its name.
    type Cell: Clone + PartialEq + FromStr;
    /// The rules of this game that can stand in the way of a move.
    type Obstacle: Error + Describe;

    /// The owner of the figure on a cell.
    #[must_use]
    fn owner(&self, cell: Self::Cell) -> Option<Player>;

    /// Why the mover's figure on `from` cannot act on `to`, or cannot act at all if `to` is `None`.
    ///
    /// `None` if a legal move does this with some of the pieces in `group`, or with any pieces if `group` is empty.
    #[must_use]
    fn obstacle(&self, from: Self::Cell, to: Option<Self::Cell>, group: &[&str]) -> Option<Self::Obstacle>;
}

/// The obstacle in a game that does not explain its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("unexplained")]
#[non_exhaustive]
pub enum Unexplained {
    /// The figure cannot act at all.
    #[error("This has no legal move")]
    NoMove,
    /// The figure cannot act on the target.
    #[error("This move is not legal")]
    NotLegal,
}

impl Unexplained {
    /// The owner of the figure on a cell of the diagram.
    #[must_use]
    pub fn owner(position: &impl Render, cell: &str) -> Option<Player> {
        let cells = position.diagram(None).cells;
        let found = cells.into_iter().find(|there| there.name == cell);
        found?.figure.map(|figure| figure.owner)
    }

    /// The answer of [`Explain::obstacle`], from the details of all legal moves.
    #[must_use]
    pub fn obstacle(position: &impl Render, from: &str, to: Option<&str>, group: &[&str]) -> Option<Self> {
        let acts = |m: &MoveDetails| {
            m.from.as_deref() == Some(from)
                && to.is_none_or(|to| [&m.to, &m.takes].into_iter().any(|cell| cell.as_deref() == Some(to)))
                && (group.is_empty() || m.group.iter().all(|piece| group.contains(piece)))
        };
        let legal = position.legal_moves().into_iter().any(|m| acts(&position.move_details(m)));
        (!legal).then_some(if to.is_some() { Self::NotLegal } else { Self::NoMove })
    }
}

/// The reason why an [`Attempt`] is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("refusal")]
#[non_exhaustive]
pub enum Refusal<O: Error> {
    /// The board has no cell with this name.
    #[error("There is no cell `{cell}` on this board")]
    UnknownCell {
        /// The name.
        cell: String,
    },
    /// There is no figure on the cell.
    #[error("Nothing stands on {cell}")]
    Empty {
        /// The name of the cell.
        cell: String,
    },
    /// The figure belongs to the player who is not to move.
    #[error("This belongs to {owner}, and it is {mover}'s turn")]
    OtherPlayer {
        /// The owner of the figure.
        #[param(term)]
        owner: &'static str,
        /// The side to move.
        #[param(term)]
        mover: &'static str,
    },
    /// A rule of the game.
    #[error(transparent)]
    Rule(O),
}

/// The reason why an attempt is not a legal move of an ongoing game; `None` if the attempt is legal.
pub fn refusal<P: Explain>(position: &P, attempt: Attempt<'_>) -> Option<Refusal<P::Obstacle>> {
    let cell = |name: &str| name.parse().map_err(|_| Refusal::UnknownCell { cell: name.to_owned() });
    let find = || {
        let from: P::Cell = cell(attempt.from)?;
        let to = attempt.to.map(cell).transpose()?.filter(|to| *to != from);
        match position.owner(from.clone()) {
            None => Err(Refusal::Empty { cell: attempt.from.to_owned() }),
            Some(owner) if owner != position.turn() => {
                let (owner, mover) = (P::PLAYERS[owner], P::PLAYERS[position.turn()]);
                Err(Refusal::OtherPlayer { owner, mover })
            }
            Some(_) => Ok(position.obstacle(from, to, attempt.group).map(Refusal::Rule)),
        }
    };
    find().unwrap_or_else(Some)
}

/// A reason as text and as a message that can be translated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The reason in English: one sentence without a full stop.
    pub text: String,
    /// The code and the parameters.
    pub message: Message,
}

impl Explanation {
    /// The explanation that a value describes.
    #[must_use]
    pub fn new(reason: &impl Describe) -> Self {
        Self { text: reason.to_string(), message: reason.message() }
    }
}
