//! Chances of a win, a draw and a loss, for the option `UCI_ShowWDL`.

use sandtable::search::Score;

/// The scale of each game in centipawns; see [`permille`].
const SCALES: &[(&str, f64)] = &[("chess", 400.0), ("cotulenh", 400.0), ("tribun", 400.0)];
/// The scale of a game that [`SCALES`] does not list.
const DEFAULT_SCALE: f64 = 400.0;

/// Returns the chances of a win, a draw and a loss for the side to move, per mille.
pub(super) fn wdl(game: &str, score: Score) -> [u32; 3] {
    let scale = SCALES.iter().find(|(name, _)| *name == game).map_or(DEFAULT_SCALE, |&(_, scale)| scale);
    match score {
        Score::Centipawns(value) => permille(value, scale),
        Score::Win(_) => [1000, 0, 0],
        Score::Loss(_) => [0, 0, 1000],
    }
}

/// A win is as likely as not with a lead of half the scale, and ten times as likely as not with another whole scale:
/// a logistic curve. A loss is a win of the other side, and the rest are draws.
fn permille(centipawns: i32, scale: f64) -> [u32; 3] {
    let chance = |lead: f64| 1000.0 / (1.0 + 10_f64.powf(0.5 - lead / scale));
    let lead = f64::from(centipawns);
    #[expect(clippy::cast_sign_loss, reason = "a chance is not negative")]
    let [win, loss] = [chance(lead), chance(-lead)].map(|chance| chance.round() as u32);
    [win, 1000 - win - loss, loss]
}

#[cfg(test)]
mod tests {
    use sandtable::GAMES;

    use super::*;

    #[test]
    fn chances_follow_the_score() {
        assert_eq!(wdl("chess", Score::Centipawns(0)), [240, 520, 240]);
        assert_eq!(permille(200, 400.0), [500, 409, 91]);
        assert_eq!(permille(-600, 400.0), [10, 81, 909]);
        assert_eq!(permille(100, 200.0), [500, 409, 91]);
        assert_eq!(wdl("tribun", Score::Win(7)), [1000, 0, 0]);
        assert_eq!(wdl("tribun", Score::Loss(0)), [0, 0, 1000]);
    }

    #[test]
    fn chances_are_symmetric_and_add_up() {
        for kind in GAMES {
            let mut last = 0;
            for centipawns in (-31_000..=31_000).step_by(7) {
                let [win, draw, loss] = wdl(kind.name, Score::Centipawns(centipawns));
                assert_eq!(win + draw + loss, 1000, "{centipawns}");
                assert_eq!(wdl(kind.name, Score::Centipawns(-centipawns)), [loss, draw, win]);
                assert!(win >= last, "{centipawns}");
                last = win;
            }
        }
    }
}
