//! Review of a game: every turn judged by the engine.
//!
//! ```
//! use sandtable_engine::Evaluation;
//! use sandtable_engine::review::{Judgement, ReviewSettings, review};
//! use sandtable_games::find;
//!
//! let record = find("chess")?.load_record("1. f3 e5 2. g4 Qh4# 0-1", "standard")?;
//! let settings = ReviewSettings::default().with_nodes(2_000);
//! let review = review(&*record.game, &Evaluation::Default, &settings, &|| false, &mut |_| ())?;
//! assert_eq!(review.turns[2].judgement, Some(Judgement::Blunder));
//! assert_eq!(review.turns[3].loss, 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How turns are judged
//!
//! A turn of several moves, such as a deployment, is judged as a whole. The positions between the turns are searched with the
//! same number of nodes; the [`WinCurve`] of the game turns scores into expected
//! scores, 1 for a win and 0.5 for a draw. The *loss* of a turn is the expected score of the best turn minus that of the turn
//! that was played. If it is large enough to matter, it is measured again: the positions after both turns are searched with
//! twice the nodes, because a search of the position before them sees one turn less; the smaller loss counts. A turn that leads
//! to the same position as the engine's choice loses nothing.
//!
//! [`WinCurve`]: sandtable_core::search::WinCurve

mod annotate;
mod judge;
mod turns;

use std::fmt;
use std::ops::Range;

use sandtable_core::{ByPlayer, Player};

pub use annotate::read_review;
pub use judge::{compare_turns, review};

/// A turn that loses this much of the expected score is an inaccuracy.
pub const INACCURACY: f64 = 0.05;
/// A turn that loses this much is a mistake.
pub const MISTAKE: f64 = 0.10;
/// A turn that loses this much is a blunder.
pub const BLUNDER: f64 = 0.20;

/// How fast the accuracy of a turn falls with its loss: a turn that loses 0.154 has an accuracy of 50 %.
const ACCURACY_DECAY: f64 = 4.5;

/// Settings of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReviewSettings {
    /// The number of nodes for each position.
    pub nodes: u64,
    /// The number of positions that are searched at the same time; 0 counts as 1. It does not change the result.
    pub threads: usize,
}

impl ReviewSettings {
    /// The number of nodes for each position unless told otherwise.
    pub const DEFAULT_NODES: u64 = 10_000;

    /// Sets the number of nodes for each position.
    #[must_use]
    pub const fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }

    /// Sets the number of positions that are searched at the same time.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }
}

impl Default for ReviewSettings {
    fn default() -> Self {
        Self { nodes: Self::DEFAULT_NODES, threads: 1 }
    }
}

/// How much of a review is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewProgress {
    /// The finished part of [`total`](Self::total).
    pub done: usize,
    /// The value of [`done`](Self::done) at the end; the same for all reports of a review.
    pub total: usize,
}

/// The error for a review that was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the review was interrupted")]
pub struct Interrupted;

/// A reviewed game.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// The assessment of the first position.
    pub start: Assessment,
    /// The complete turns of the game.
    pub turns: Vec<ReviewedTurn>,
}

/// A turn and its judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedTurn {
    /// The number of the turn as records count.
    pub number: usize,
    /// The player.
    pub player: Player,
    /// The moves of the game that are the turn.
    pub plies: Range<usize>,
    /// The turn as records write it.
    pub text: String,
    /// The assessment of the position after the turn.
    pub after: Assessment,
    /// The expected score that the turn loses, compared with the best turn: 0 to 1.
    pub loss: f64,
    /// Whether the turn is an error, and how serious it is.
    pub judgement: Option<Judgement>,
    /// A better turn, if this one is an error.
    pub better: Option<Better>,
}

/// A better turn and the line that follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Better {
    /// The turns of the line as records write them, the better turn first.
    pub turns: Vec<String>,
    /// The moves of the line, in the form that programs exchange.
    pub moves: Vec<String>,
    /// The number of moves that are the better turn.
    pub turn_len: usize,
    /// The assessment of the position after the better turn.
    pub after: Assessment,
}

/// A turn compared with a better one: see [`compare_turns`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The assessment of the position after the turn.
    pub after: Assessment,
    /// The assessment of the position after the better turn.
    pub better_after: Assessment,
    /// The expected score that the turn loses, compared with the better one: 0 to 1.
    pub loss: f64,
    /// Whether the turn is an error, and how serious it is.
    pub judgement: Option<Judgement>,
}

/// What the engine thinks of a position, from the perspective of the *first* player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// The score.
    pub score: ReviewScore,
    /// The expected score of the first player: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub expected: f64,
}

impl Assessment {
    /// The expected score of a player.
    #[must_use]
    pub fn expected_for(self, player: Player) -> f64 {
        if player == Player::First { self.expected } else { 1.0 - self.expected }
    }
}

/// A score from the perspective of the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewScore {
    /// A score in centipawns.
    Centipawns(i32),
    /// The first player mates in this many turns; the second one if it is negative. 0 if the game is over and won.
    Mate(i32),
}

/// Writes `0.35` or `-1.20` for centipawns, `#3` and `#-2` for mates, as `[%eval …]` in a record has it.
impl fmt::Display for ReviewScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(n) => {
                let sign = if *n < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", n.abs() / 100, n.abs() % 100)
            }
            Self::Mate(n) => write!(f, "#{n}"),
        }
    }
}

/// How serious an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// A loss of at least [`INACCURACY`], written `?!`.
    Inaccuracy,
    /// A loss of at least [`MISTAKE`], written `?`.
    Mistake,
    /// A loss of at least [`BLUNDER`], written `??`.
    Blunder,
}

impl Judgement {
    /// Every judgement, the least serious first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The judgement of a turn with this loss.
    #[must_use]
    pub fn of_loss(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|judgement| loss >= judgement.threshold())
    }

    /// The smallest loss with this judgement.
    #[must_use]
    pub const fn threshold(self) -> f64 {
        match self {
            Self::Inaccuracy => INACCURACY,
            Self::Mistake => MISTAKE,
            Self::Blunder => BLUNDER,
        }
    }

    /// The name: "inaccuracy", "mistake" or "blunder".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// The suffix in the text of a turn: `?!`, `?` or `??`.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The numeric annotation glyph: 6, 2 or 4.
    #[must_use]
    pub const fn glyph(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

impl Review {
    /// The accuracy of a player in per cent: the mean of 100·e^(−4.5·loss) over the player's turns. `None` without turns.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a game has few turns")]
    pub fn accuracy(&self, player: Player) -> Option<f64> {
        let turns = self.turns.iter().filter(|turn| turn.player == player);
        let (count, sum) = turns.fold((0_usize, 0.0), |(count, sum), turn| {
            (count + 1, sum + (-ACCURACY_DECAY * turn.loss).exp())
        });
        (count > 0).then(|| 100.0 * sum / count as f64)
    }

    /// The number of turns of a player with a judgement.
    #[must_use]
    pub fn count(&self, player: Player, judgement: Judgement) -> usize {
        let is_counted = |turn: &&ReviewedTurn| turn.player == player && turn.judgement == Some(judgement);
        self.turns.iter().filter(is_counted).count()
    }

    /// The accuracy of both players.
    #[must_use]
    pub fn accuracies(&self) -> ByPlayer<Option<f64>> {
        ByPlayer::new(self.accuracy(Player::First), self.accuracy(Player::Second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_follow_the_loss() {
        let judged = [0.0, 0.049, 0.05, 0.099, 0.1, 0.199, 0.2, 1.0].map(Judgement::of_loss);
        let [inaccuracy, mistake, blunder] = Judgement::ALL.map(Some);
        assert_eq!(judged, [None, None, inaccuracy, inaccuracy, mistake, mistake, blunder, blunder]);
    }

    #[test]
    fn accuracy_is_the_mean_over_the_turns() {
        let after = Assessment { score: ReviewScore::Centipawns(0), expected: 0.5 };
        let turn = |player, loss| ReviewedTurn {
            number: 1,
            player,
            plies: 0..1,
            text: String::new(),
            after,
            loss,
            judgement: Judgement::of_loss(loss),
            better: None,
        };
        let turns = vec![
            turn(Player::First, 0.0),
            turn(Player::Second, 1.0),
            turn(Player::First, 0.5_f64.ln() / -4.5),
        ];
        let review = Review { start: after, turns };
        assert!((review.accuracy(Player::First).unwrap() - 75.0).abs() < 1e-9);
        assert!(review.accuracies()[Player::Second].unwrap() < 2.0);
        assert_eq!(review.count(Player::Second, Judgement::Blunder), 1);
        assert_eq!(Review { start: after, turns: Vec::new() }.accuracy(Player::First), None);
    }
}
