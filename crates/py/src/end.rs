//! The end of a game: `Outcome`, `DrawOffer`, and restoring pickled games.

use pyo3::prelude::*;
use sandtable::core::rules::DrawAction;
use sandtable::core::{self, Player};

use crate::game::{create, player};
use crate::game_class::wrap;
use crate::{Int, value_error};

/// The outcome of a finished game: the winner, None in a draw, and the reason.
#[pyclass(frozen, get_all, eq, hash, module = "sandtable")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// The winner: 0, 1, or None in a draw.
    winner: Option<usize>,
    /// The reason, such as 'checkmate'.
    reason: String,
}

impl Outcome {
    /// Converts an outcome; `None` for a game in progress.
    pub(crate) fn of(outcome: core::Outcome<String>) -> Option<Self> {
        match outcome {
            core::Outcome::Ongoing => None,
            core::Outcome::Draw { reason } => Some(Self { winner: None, reason }),
            core::Outcome::Win { winner, reason } => Some(Self { winner: Some(winner.index()), reason }),
        }
    }
}

#[pymethods]
impl Outcome {
    #[new]
    const fn new(winner: Option<usize>, reason: String) -> Self {
        Self { winner, reason }
    }

    fn __getnewargs__(&self) -> (Option<usize>, &str) {
        (self.winner, &self.reason)
    }

    fn __repr__(&self) -> String {
        let winner = self.winner.map_or_else(|| "None".to_owned(), |winner| winner.to_string());
        format!("Outcome(winner={winner}, reason='{}')", self.reason)
    }
}

/// An open or declined draw offer: `status` is 'open' or 'declined', `player` the player who offered.
#[pyclass(frozen, eq, hash, module = "sandtable")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct DrawOffer {
    declined: bool,
    player: Player,
}

impl DrawOffer {
    /// Converts a draw offer; `None` if there is none.
    pub(crate) const fn of(offer: core::rules::DrawOffer) -> Option<Self> {
        match offer {
            core::rules::DrawOffer::None => None,
            core::rules::DrawOffer::Open(player) => Some(Self { declined: false, player }),
            core::rules::DrawOffer::Declined(player) => Some(Self { declined: true, player }),
        }
    }
}

impl From<&DrawOffer> for core::rules::DrawOffer {
    fn from(offer: &DrawOffer) -> Self {
        if offer.declined { Self::Declined(offer.player) } else { Self::Open(offer.player) }
    }
}

#[pymethods]
impl DrawOffer {
    #[new]
    fn new(status: &str, player: Int) -> PyResult<Self> {
        let declined = match status {
            "open" => false,
            "declined" => true,
            _ => return Err(value_error(format!("unknown status `{status}`: expected open or declined"))),
        };
        Ok(Self { declined, player: self::player(player.0)? })
    }

    fn __getnewargs__(&self) -> (&'static str, usize) {
        (self.status(), self.player())
    }

    /// The status: 'open' or 'declined'.
    #[getter]
    const fn status(&self) -> &'static str {
        if self.declined { "declined" } else { "open" }
    }

    /// The player who offered: 0 or 1.
    #[getter]
    fn player(&self) -> usize {
        self.player.index()
    }

    fn __repr__(&self) -> String {
        format!("DrawOffer(status='{}', player={})", self.status(), self.player())
    }
}

/// Parses the name of a draw action.
pub(crate) fn draw_action(name: &str) -> PyResult<DrawAction> {
    match name {
        "offer" => Ok(DrawAction::Offer),
        "retract" => Ok(DrawAction::Retract),
        "accept" => Ok(DrawAction::Accept),
        "decline" => Ok(DrawAction::Decline),
        _ => Err(value_error(format!(
            "unknown draw action `{name}`: expected offer, retract, accept or decline"
        ))),
    }
}

/// Rebuilds a pickled game from its first position, the moves played, the draw offer and the declared end.
#[pyfunction]
#[pyo3(name = "_restore")]
pub(crate) fn restore(
    py: Python<'_>,
    game: &str,
    rules: &str,
    text: &str,
    moves: Vec<String>,
    draw_offer: Option<&Bound<'_, DrawOffer>>,
    declared_end: Option<&Bound<'_, Outcome>>,
) -> PyResult<Py<PyAny>> {
    let mut game = create(game, Some(rules), Some(text))?;
    for text in moves {
        // Recorded games may continue after a draw by rule.
        game.replay(&text).map_err(value_error)?;
    }
    // Not `draw_action`: a finished game keeps its offer, which the text and the observation may show.
    game.set_draw_offer(draw_offer.map_or(core::rules::DrawOffer::None, |offer| offer.get().into()));
    if let Some(Outcome { winner, reason }) = declared_end.map(Bound::get) {
        let reason = reason.clone();
        let outcome = match winner {
            None => core::Outcome::Draw { reason },
            Some(winner) => core::Outcome::Win { winner: player(*winner as i128)?, reason },
        };
        game.declare(&outcome).map_err(value_error)?;
    }
    wrap(py, game)
}
