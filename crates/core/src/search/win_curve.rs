//! The curve from scores to expected scores.

/// The logistic curve from the score of a search, in centipawns, to the expected score of the game: 1 for a win, ½ for a draw, 0
/// for a loss.
///
/// ```
/// use sandtable_core::search::WinCurve;
///
/// let curve = WinCurve::new(210.0);
/// assert_eq!(curve.expected(0.0), 0.5);
/// assert!((curve.expected(210.0) - 0.731).abs() < 1e-3);
/// assert!((curve.centipawns(curve.expected(-90.0)) + 90.0).abs() < 1e-9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinCurve {
    /// The score at which the odds of winning are e to 1, in centipawns.
    pub scale: f64,
}

impl WinCurve {
    /// The curve with this scale.
    #[must_use]
    pub const fn new(scale: f64) -> Self {
        Self { scale }
    }

    /// The expected score at a score in centipawns.
    #[must_use]
    pub fn expected(self, centipawns: f64) -> f64 {
        1.0 / (1.0 + (-centipawns / self.scale).exp())
    }

    /// The expected value at a score in centipawns: 1 for a win, 0 for a draw, −1 for a loss.
    #[must_use]
    pub fn value(self, centipawns: f64) -> f64 {
        2.0 * self.expected(centipawns) - 1.0
    }

    /// The score in centipawns at which the expected score is `expected`.
    #[must_use]
    pub fn centipawns(self, expected: f64) -> f64 {
        self.scale * (expected / (1.0 - expected)).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_scores_of_both_players_add_up_to_one() {
        let curve = WinCurve::new(400.0);
        for centipawns in [0.0, 35.0, 400.0, 20_000.0] {
            let sum = curve.expected(centipawns) + curve.expected(-centipawns);
            assert!((sum - 1.0).abs() < 1e-12);
        }
    }
}
