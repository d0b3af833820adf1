//! Elo difference and sequential probability ratio test (SPRT) of a match.
//!
//! ```
//! use sandtable_search::elo::{Sprt, Tally, Verdict};
//!
//! let tally = Tally { wins: 35, draws: 32, losses: 9 };
//! assert_eq!(tally.elo().0.round(), 124.0);
//! assert_eq!(tally.verdict(Sprt { elo0: 0.0, elo1: 20.0 }), Verdict::Accepted);
//! ```

use std::str::FromStr;

/// The probability of a type I or type II error that the SPRT allows.
const ERROR_RATE: f64 = 0.05;

/// Wins, draws and losses of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won games.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Lost games.
    pub losses: u32,
}

/// A sequential test of H1, "the difference is `elo1`", against H0, "the difference is `elo0`".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of H0.
    pub elo0: f64,
    /// The difference of H1.
    pub elo1: f64,
}

/// The error for a text that is not two Elo differences.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid SPRT `{0}`: expected two Elo differences, the smaller first, such as 0,20")]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    /// Parses two Elo differences such as `0,20`.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let parts: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
        match parts.as_deref() {
            Some(&[elo0, elo1]) if elo0 < elo1 && elo0.abs() < 1000.0 && elo1.abs() < 1000.0 => {
                Ok(Self { elo0, elo1 })
            }
            _ => Err(SprtError(text.to_owned())),
        }
    }
}

/// The result of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// H1 is accepted.
    Accepted,
    /// H0 is accepted.
    Rejected,
    /// More games are needed.
    Open,
}

impl Tally {
    /// Counts a result: 1 for a win, 0 for a draw, −1 for a loss.
    pub const fn add(&mut self, result: i32) {
        match result {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// The number of games.
    #[must_use]
    pub const fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The mean score of a game, from 0 to 1.
    #[must_use]
    pub fn score(self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }

    /// The variance of the score of a single game.
    fn variance(self) -> f64 {
        let mean = self.score();
        let of = |count: u32, value: f64| f64::from(count) * (value - mean).powi(2);
        (of(self.wins, 1.0) + of(self.draws, 0.5) + of(self.losses, 0.0)) / f64::from(self.games().max(1))
    }

    /// The Elo difference and its 95 % confidence interval.
    #[must_use]
    pub fn elo(self) -> (f64, f64, f64) {
        let error = 1.96 * (self.variance() / f64::from(self.games().max(1))).sqrt();
        (to_elo(self.score()), to_elo(self.score() - error), to_elo(self.score() + error))
    }

    /// The log-likelihood ratio of H1 to H0, in the normal approximation of the trinomial model:
    /// `LLR = N (s1 − s0) (2 s − s0 − s1) / (2 σ²)`, where `s` is the mean score, `σ²` the variance of a game's score, and
    /// `s0` and `s1` are the expected scores of the two hypotheses.
    ///
    /// `s` and `σ²` include one imaginary draw, because the approximation is undefined without variance. `σ²` is at
    /// least the variance of one imaginary win and one imaginary loss among draws: a few equal results do not prove
    /// that all games end alike.
    #[must_use]
    pub fn log_likelihood_ratio(self, sprt: Sprt) -> f64 {
        let smoothed = Self { draws: self.draws + 1, ..self };
        let (s0, s1) = (to_score(sprt.elo0), to_score(sprt.elo1));
        let distance = 2.0f64.mul_add(smoothed.score(), -(s0 + s1));
        let variance = smoothed.variance().max(0.5 / f64::from(self.games() + 2));
        f64::from(self.games()) * (s1 - s0) * distance / (2.0 * variance)
    }

    /// Whether the test has ended, and how.
    #[must_use]
    pub fn verdict(self, sprt: Sprt) -> Verdict {
        let bound = ((1.0 - ERROR_RATE) / ERROR_RATE).ln();
        match self.log_likelihood_ratio(sprt) {
            ratio if ratio >= bound => Verdict::Accepted,
            ratio if ratio <= -bound => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }

    /// The tally with its Elo difference and the state of the test, in one line.
    #[must_use]
    pub fn to_text(self, sprt: Sprt) -> String {
        let Self { wins, draws, losses } = self;
        let (elo, low, high) = self.elo();
        format!(
            "+{wins} ={draws} -{losses}, {:.1} %, Elo {elo:+.0} [{low:+.0}, {high:+.0}]; SPRT({}, {}): LLR {:+.2}, {}",
            self.score() * 100.0,
            sprt.elo0,
            sprt.elo1,
            self.log_likelihood_ratio(sprt),
            self.verdict(sprt).name(),
        )
    }
}

impl Verdict {
    /// The name: `accepted`, `rejected` or `open`.
    #[must_use]
    pub const fn name(self) -> &'static str {
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

/// The expected score of a player who is stronger by this many Elo.
#[must_use]
pub fn to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPRT: Sprt = Sprt { elo0: 0.0, elo1: 20.0 };

    const fn tally(wins: u32, draws: u32, losses: u32) -> Tally {
        Tally { wins, draws, losses }
    }

    #[test]
    fn parses_sprt() {
        assert_eq!("0,20".parse(), Ok(Sprt { elo0: 0.0, elo1: 20.0 }));
        assert_eq!("-5, 5".parse(), Ok(Sprt { elo0: -5.0, elo1: 5.0 }));
        for bad in ["", "0", "5,0", "0,x", "0,1,2", "0,NaN"] {
            assert!(bad.parse::<Sprt>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_score_of_three_quarters_is_191_elo() {
        // 400 log10(0.75 / 0.25) = 400 log10(3) = 190.85
        let (elo, low, high) = tally(70, 10, 20).elo();
        assert!((elo - 190.85).abs() < 0.01, "{elo}");
        // σ² = (70 · 0.25² + 10 · 0.25² + 20 · 0.75²) / 100 = 0.1625, and 1.96 √(0.1625 / 100) = 0.07901, so the bounds
        // are 400 log10(0.67099 / 0.32901) = 123.80 and 400 log10(0.82901 / 0.17099) = 274.24.
        assert!((low - 123.80).abs() < 0.02 && (high - 274.24).abs() < 0.02, "{low} {high}");
    }

    #[test]
    fn the_log_likelihood_ratio_has_its_known_values() {
        // s0 = 1/2 and s1 = 3/4, since 400 log10(3) Elo are a score of 3/4. With one imaginary draw the 11 games are
        // +6 =4 −2, so s = 8/12 = 2/3 and σ² = (6 (1/3)² + 4 (1/6)² + 2 (2/3)²) / 12 = 5/36.
        // LLR = 11 · (3/4 − 1/2) · (4/3 − 5/4) / (2 · 5/36) = 11 · 1/48 · 18/5 = 33/40
        let sprt = Sprt { elo0: 0.0, elo1: 400.0 * 3.0f64.log10() };
        let ratio = tally(6, 3, 2).log_likelihood_ratio(sprt);
        assert!((ratio - 0.825).abs() < 1e-12, "{ratio}");

        // Losing those games is evidence against H1: s = 1/3, the same σ², and
        // LLR = 11 · 1/4 · (2/3 − 5/4) / (5/18) = −5.775. Mirroring both the results and the hypotheses flips the sign.
        let ratio = tally(2, 3, 6).log_likelihood_ratio(sprt);
        assert!((ratio + 5.775).abs() < 1e-12, "{ratio}");
        let ratio = tally(2, 3, 6).log_likelihood_ratio(Sprt { elo0: -sprt.elo1, elo1: 0.0 });
        assert!((ratio + 0.825).abs() < 1e-12, "{ratio}");
    }

    /// The match of `docs/engine.md` that was stopped early: s1 = 0.528751, s = 51.5 / 77 = 0.668831, σ² = 0.114353,
    /// LLR = 76 · 0.028751 · 0.308911 / 0.228706 = 2.951, just above the bound ln(0.95 / 0.05) = 2.944.
    #[test]
    fn the_verdict_changes_at_the_bound() {
        let ratio = tally(35, 32, 9).log_likelihood_ratio(SPRT);
        assert!((ratio - 2.951).abs() < 1e-3, "{ratio}");
        assert_eq!(tally(35, 32, 9).verdict(SPRT), Verdict::Accepted);
        assert_eq!(tally(34, 32, 9).verdict(SPRT), Verdict::Open);
        assert_eq!(tally(10, 10, 10).verdict(SPRT), Verdict::Open);
        assert_eq!(tally(0, 1, 0).verdict(SPRT), Verdict::Open, "a draw decides nothing");
        assert_eq!(tally(0, 40, 0).verdict(SPRT), Verdict::Open);
        assert_eq!(tally(0, 200, 0).verdict(SPRT), Verdict::Rejected);
        assert_eq!(tally(0, 0, 100).verdict(SPRT), Verdict::Rejected);
        assert_eq!(tally(100, 0, 0).verdict(SPRT), Verdict::Accepted);
    }

    #[test]
    fn extreme_scores_have_no_finite_elo() {
        assert!(tally(10, 10, 10).elo().0.abs() < 1e-9);
        assert!(tally(100, 0, 0).elo().0.is_infinite());
    }

    #[test]
    fn an_empty_match_does_not_divide_by_zero() {
        let text = Tally::default().to_text(SPRT);
        assert!(text.contains("+0 =0 -0") && text.contains("open"), "{text}");
    }
}
