//! What the results of a match say about strength.

use serde_json::{Value, json};

/// The probability of either error that a sequential test allows.
const ERROR: f64 = 0.05;

/// Wins, draws and losses of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
}

/// A sequential test of "stronger by `more` Elo" against "stronger by `less`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sprt {
    pub(crate) less: f64,
    pub(crate) more: f64,
}

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Stronger by `more`.
    Accepted,
    /// Not stronger than `less`.
    Rejected,
    /// Too few games.
    Open,
}

impl Tally {
    /// Counts a result: 1 won, 0 drawn, −1 lost.
    pub(crate) fn add(&mut self, value: f32) {
        match value {
            v if v > 0.0 => self.wins += 1,
            v if v < 0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    pub(crate) const fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points.
    pub(crate) fn score(self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }

    /// The variance of a single game's result.
    fn variance(self) -> f64 {
        let mean = self.score();
        let of = |count: u32, value: f64| f64::from(count) * (value - mean).powi(2);
        (of(self.wins, 1.0) + of(self.draws, 0.5) + of(self.losses, 0.0)) / f64::from(self.games().max(1))
    }

    /// The difference in Elo, and the ends of the interval that holds it with 95 %.
    pub(crate) fn elo(self) -> (f64, f64, f64) {
        let error = 1.96 * (self.variance() / f64::from(self.games().max(1))).sqrt();
        (to_elo(self.score()), to_elo(self.score() - error), to_elo(self.score() + error))
    }

    /// The logarithm of how much likelier the results are if the difference is `more` than if it is `less`.
    pub(crate) fn log_likelihood_ratio(self, sprt: Sprt) -> f64 {
        // A match without any variance yet says nothing by this approximation: a draw is imagined on top.
        let imagined = Self { draws: self.draws + 1, ..self };
        let (less, more) = (to_score(sprt.less), to_score(sprt.more));
        let distance = 2.0f64.mul_add(imagined.score(), -(less + more));
        f64::from(self.games()) * (more - less) * distance / (2.0 * imagined.variance().max(1e-6))
    }

    pub(crate) fn verdict(self, sprt: Sprt) -> Verdict {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        match self.log_likelihood_ratio(sprt) {
            ratio if ratio >= bound => Verdict::Accepted,
            ratio if ratio <= -bound => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }

    pub(crate) fn to_json(self, sprt: Sprt) -> Value {
        let (elo, low, high) = self.elo();
        let finite = |value: f64| value.is_finite().then_some(value);
        json!({
            "games": self.games(), "wins": self.wins, "draws": self.draws, "losses": self.losses,
            "score": self.score(),
            "elo": finite(elo), "elo_low": finite(low), "elo_high": finite(high),
            "sprt": { "elo0": sprt.less, "elo1": sprt.more, "llr": self.log_likelihood_ratio(sprt),
                      "verdict": self.verdict(sprt).name() },
        })
    }

    pub(crate) fn to_text(self, sprt: Sprt) -> String {
        let Self { wins, draws, losses } = self;
        let (elo, low, high) = self.elo();
        format!(
            "+{wins} ={draws} -{losses}, {:.1} %, Elo {elo:+.0} [{low:+.0}, {high:+.0}]; SPRT({}, {}): LLR {:+.2}, {}",
            self.score() * 100.0,
            sprt.less,
            sprt.more,
            self.log_likelihood_ratio(sprt),
            self.verdict(sprt).name(),
        )
    }
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Open => "open",
        }
    }
}

fn to_elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

fn to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPRT: Sprt = Sprt { less: 0.0, more: 20.0 };

    #[test]
    fn three_quarters_of_the_points_are_191_elo() {
        let (elo, low, high) = Tally { wins: 70, draws: 10, losses: 20 }.elo();
        assert!((elo - 190.8).abs() < 0.1, "{elo}");
        assert!(low < elo && elo < high && low > 100.0 && high < 310.0, "{low} {high}");
    }

    #[test]
    fn an_even_match_says_nothing_and_a_clean_one_everything() {
        assert!((Tally { wins: 10, draws: 10, losses: 10 }.elo().0).abs() < 1e-9);
        assert_eq!(Tally { wins: 10, draws: 10, losses: 10 }.verdict(SPRT), Verdict::Open);
        assert!(Tally { wins: 100, draws: 0, losses: 0 }.elo().0.is_infinite());
        assert_eq!(Tally { wins: 100, draws: 0, losses: 0 }.verdict(SPRT), Verdict::Accepted);
        assert_eq!(Tally { wins: 0, draws: 0, losses: 100 }.verdict(SPRT), Verdict::Rejected);
    }

    #[test]
    fn nothing_played_is_no_division_by_zero() {
        let text = Tally::default().to_text(SPRT);
        assert!(text.contains("+0 =0 -0") && text.contains("open"), "{text}");
    }
}
