//! Reviews of games.

use std::path::PathBuf;

use pyo3::prelude::*;
use sandtable::BoxedGame;
use sandtable::core::Player;
use sandtable::core::record::{Annotations, Tags};
use sandtable::engine::review::{Assessment, Judgement, ReviewScore, ReviewSettings};

use crate::game::{Game, shared};
use crate::search::{Watch, evaluation};
use crate::{at_least, int};

/// What the engine thinks of a position, from the perspective of player 0.
#[pyclass(frozen, get_all, eq, module = "sandtable")]
#[derive(PartialEq, Clone)]
pub(crate) struct Assessed {
    /// The score in centipawns; None if a win is forced.
    centipawns: Option<i32>,
    /// Turns until player 0 wins, negative if player 1 does, 0 if the game is won; None if no win is forced.
    mate: Option<i32>,
    /// The expected score of player 0: 1 for a win, 0.5 for a draw, 0 for a loss.
    expected: f64,
}

#[pymethods]
impl Assessed {
    fn __repr__(&self) -> String {
        let score = match (self.centipawns, self.mate) {
            (Some(centipawns), _) => format!("{centipawns}"),
            (None, mate) => format!("#{}", mate.unwrap_or_default()),
        };
        format!("Assessed({score}, expected={:.3})", self.expected)
    }
}

impl From<Assessment> for Assessed {
    fn from(assessment: Assessment) -> Self {
        let (centipawns, mate) = match assessment.score {
            ReviewScore::Centipawns(centipawns) => (Some(centipawns), None),
            ReviewScore::Mate(turns) => (None, Some(turns)),
        };
        Self { centipawns, mate, expected: assessment.expected }
    }
}

/// A turn and its judgement.
#[pyclass(frozen, get_all, eq, module = "sandtable")]
#[derive(PartialEq, Clone)]
pub(crate) struct ReviewedTurn {
    /// The number of the turn as records count.
    number: usize,
    /// The player.
    player: usize,
    /// The turn as records write it.
    text: String,
    /// The moves of the game that are the turn: those from the first number up to the second, which is not included.
    plies: (usize, usize),
    /// The position after the turn.
    after: Assessed,
    /// The expected score that the turn loses, compared with the best turn.
    loss: f64,
    /// "inaccuracy", "mistake" or "blunder"; None for a good turn.
    judgement: Option<&'static str>,
    /// A better turn and the line that follows it, as records write turns; empty for a good turn.
    better: Vec<String>,
    /// The position after the better turn; None for a good turn.
    after_better: Option<Assessed>,
}

#[pymethods]
impl ReviewedTurn {
    fn __repr__(&self) -> String {
        let (dots, judgement) =
            (if self.player == 0 { "." } else { "..." }, self.judgement.unwrap_or("good"));
        format!("ReviewedTurn({}{dots} {}, {judgement}, loss={:.3})", self.number, self.text, self.loss)
    }
}

impl From<&sandtable::engine::review::ReviewedTurn> for ReviewedTurn {
    fn from(turn: &sandtable::engine::review::ReviewedTurn) -> Self {
        Self {
            number: turn.number,
            player: turn.player.index(),
            text: turn.text.clone(),
            plies: (turn.plies.start, turn.plies.end),
            after: turn.after.into(),
            loss: turn.loss,
            judgement: turn.judgement.map(Judgement::name),
            better: turn.better.as_ref().map_or_else(Vec::new, |better| better.turns.clone()),
            after_better: turn.better.as_ref().map(|better| better.after.into()),
        }
    }
}

/// A reviewed game, from `sandtable.review`.
#[pyclass(frozen, module = "sandtable")]
pub(crate) struct Review {
    review: sandtable::engine::review::Review,
    game: BoxedGame,
}

#[pymethods]
impl Review {
    /// The first position.
    #[getter]
    fn start(&self) -> Assessed {
        self.review.start.into()
    }

    /// The complete turns of the game.
    #[getter]
    fn turns(&self) -> Vec<ReviewedTurn> {
        self.review.turns.iter().map(ReviewedTurn::from).collect()
    }

    /// The turns that are inaccuracies, mistakes or blunders.
    #[getter]
    fn errors(&self) -> Vec<ReviewedTurn> {
        self.review.turns.iter().filter(|turn| turn.judgement.is_some()).map(ReviewedTurn::from).collect()
    }

    /// The accuracy of both players in per cent; None for a player without turns.
    #[getter]
    fn accuracy(&self) -> (Option<f64>, Option<f64>) {
        (self.review.accuracy(Player::First), self.review.accuracy(Player::Second))
    }

    /// The names of the players.
    #[getter]
    fn players(&self) -> (&'static str, &'static str) {
        let players = self.game.players();
        (players[Player::First], players[Player::Second])
    }

    /// The record of the game with the review: evaluations, glyphs and better lines.
    #[pyo3(signature = (tags=None))]
    fn record(&self, tags: Option<Tags>) -> PyResult<String> {
        let mut annotations = Annotations::default();
        self.review.annotate(&mut annotations);
        let record = self.game.annotated_record(&tags.unwrap_or_default(), &annotations);
        record.map_err(crate::value_error)
    }

    /// Plots the expected score of player 0 with the errors of both players, and returns the axes. Needs matplotlib.
    #[pyo3(signature = (ax=None))]
    fn plot<'py>(slf: &Bound<'py, Self>, ax: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("sandtable._plot")?.call_method1("plot_review", (slf, ax))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.review == other.review && self.game.is_same_game(&*other.game)
    }

    fn __repr__(&self) -> String {
        let accuracy = |player| match self.review.accuracy(player) {
            Some(accuracy) => format!("{accuracy:.1} %"),
            None => "no turns".to_owned(),
        };
        let [first, second] =
            Player::ALL.map(|player| format!("{}: {}", self.game.players()[player], accuracy(player)));
        format!("Review({} turns, {first}, {second})", self.review.turns.len())
    }
}

/// Reviews a game with the engine: what every turn loses, which turns are errors and what is better.
///
/// `nodes` is the number of nodes for each position, `threads` the number of positions searched at the same time, which does not
/// change the result. `eval` is the evaluation: the network of the game by default, `"hand"` for the hand-made one, or the
/// path of a network file. Ctrl-C stops the review with `KeyboardInterrupt`. Releases the global interpreter lock.
///
/// >>> import sandtable
/// >>> game, tags = sandtable.ChessGame.from_record("1. f3 e5 2. g4 Qh4# 0-1")
/// >>> review = sandtable.review(game, nodes=2_000)
/// >>> [(turn.text, turn.judgement) for turn in review.errors if turn.loss > 0.4]
/// [('g4', 'blunder')]
#[pyfunction]
#[pyo3(signature = (game, nodes=10_000, threads=1, eval=None))]
pub(crate) fn review(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    #[pyo3(from_py_with = int)] nodes: i128,
    #[pyo3(from_py_with = int)] threads: i128,
    eval: Option<PathBuf>,
) -> PyResult<Review> {
    let nodes = at_least("nodes", nodes, 1)? as u64;
    let settings = ReviewSettings::default().with_nodes(nodes).with_threads(crate::threads(threads)?);
    // Review a copy, so that other threads can use the game meanwhile.
    let game = shared(game)?.game.clone_box();
    let evaluation = evaluation(game.name(), eval.as_deref())?;
    let watch = Watch::new(None);
    let stop = || watch.should_stop();
    let reviewed =
        py.detach(|| sandtable::engine::review::review(&*game, &evaluation, &settings, &stop, &mut |_| ()));
    watch.finish()?;
    let review = reviewed.map_err(crate::value_error)?;
    Ok(Review { review, game })
}
