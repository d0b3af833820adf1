//! Chances of a win, a draw and a loss, for the option `UCI_ShowWDL`.

use sandtable::core::search::WinCurve;
use sandtable::search::Score;

/// Returns the chances of a win, a draw and a loss for the side to move, per mille. `curve` is that of the game
/// ([`win_curve`](sandtable::games::AnySearch::win_curve)).
pub(super) fn wdl(curve: WinCurve, score: Score) -> [u32; 3] {
    match score {
        Score::Centipawns(value) => permille(value, curve),
        Score::Win(_) => [1000, 0, 0],
        Score::Loss(_) => [0, 0, 1000],
    }
}

/// A win has a curve of its own, a loss is a win of the other side, and the rest are draws. Two numbers fix the curve of wins: half
/// of the games are drawn at an even score, and there the expected score rises as steeply as that of the game, 1 / (4 · scale).
fn permille(centipawns: i32, curve: WinCurve) -> [u32; 3] {
    /// The share of wins at an even score.
    const EVEN: f64 = 0.25;
    let wins = WinCurve::new(4.0 * EVEN * (1.0 - EVEN) * curve.scale);
    let at_even = wins.centipawns(EVEN);
    let chance = |lead: f64| 1000.0 * wins.expected(lead + at_even);
    let lead = f64::from(centipawns);
    #[expect(clippy::cast_sign_loss, reason = "a chance is not negative")]
    let [win, loss] = [chance(lead), chance(-lead)].map(|chance| chance.round() as u32);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_follow_the_score() {
        assert_eq!(wdl(WinCurve::new(210.0), Score::Centipawns(0)), [250, 500, 250]);
        // The width is 300: a lead of 300 · ln 3 makes a win as likely as not.
        assert_eq!(permille(330, WinCurve::new(400.0)), [500, 400, 100]);
        assert_eq!(permille(165, WinCurve::new(200.0)), [500, 400, 100]);
        assert_eq!(permille(-989, WinCurve::new(400.0)), [12, 88, 900]);
        assert_eq!(wdl(WinCurve::new(410.0), Score::Win(7)), [1000, 0, 0]);
        assert_eq!(wdl(WinCurve::new(410.0), Score::Loss(0)), [0, 0, 1000]);
    }

    #[test]
    fn the_expected_score_rises_like_that_of_the_game() {
        let expected = |centipawns| {
            let [win, draw, _] = permille(centipawns, WinCurve::new(400.0));
            f64::from(win) / 1000.0 + f64::from(draw) / 2000.0
        };
        for centipawns in [-200, -50, 0, 100, 200] {
            let difference = (expected(centipawns) - WinCurve::new(400.0).expected(centipawns.into())).abs();
            assert!(difference < 0.01, "{difference} at {centipawns}");
        }
    }

    #[test]
    fn chances_are_symmetric_and_add_up() {
        for scale in [210.0, 410.0, 740.0] {
            let mut last = 0;
            for centipawns in (-31_000..=31_000).step_by(7) {
                let [win, draw, loss] = wdl(WinCurve::new(scale), Score::Centipawns(centipawns));
                assert_eq!(win + draw + loss, 1000, "{centipawns}");
                assert_eq!(wdl(WinCurve::new(scale), Score::Centipawns(-centipawns)), [loss, draw, win]);
                assert!(win >= last, "{centipawns}");
                last = win;
            }
        }
    }
}
