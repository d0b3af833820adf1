//! The choice of a limited level among the lines of its search.

use std::cmp::Reverse;

use sandtable_core::rules::Rng;
use sandtable_search::Score;

use super::Skill;

/// The index of the line that a level plays, given the scores of all lines, best first; `None` without a line.
///
/// - A win in this turn is played, and in a lost position the longest defence.
/// - A move that loses more than the level's bound is not played. So a forced win that the search saw is kept, and a
///   move that loses by force is played only if all moves lose by force.
/// - The level plays the line with the best score after noise.
pub(super) fn choose(scores: &[Score], skill: &Skill, rng: &mut Rng) -> Option<usize> {
    let best = *scores.first()?;
    if matches!(best, Score::Win(1) | Score::Loss(_)) {
        return Some(0);
    }
    let tolerated = scores.iter().take_while(|score| value(best) - value(**score) <= skill.max_loss);
    let judged = tolerated.enumerate().map(|(index, score)| (value(*score) + noise(skill.noise, rng), index));
    judged.max_by_key(|&(judged, index)| (judged, Reverse(index))).map(|(_, index)| index)
}

/// The indices of the moves that the level considers: each move is overlooked with probability `overlook`, but at least
/// one is kept.
pub(super) fn seen(indices: &[usize], skill: &Skill, rng: &mut Rng) -> Vec<usize> {
    let mut seen = indices.to_vec();
    seen.retain(|_| rng.below(100) >= skill.overlook);
    if seen.is_empty() && !indices.is_empty() {
        seen.push(indices[rng.below(indices.len())]);
    }
    seen
}

/// A score in centipawns. Forced results are far beyond every evaluation, and a turn of distance is worth a pawn.
fn value(score: Score) -> i32 {
    const FORCED: i32 = 100_000;
    let distance = |turns: u32| FORCED - 100 * turns.min(200).cast_signed();
    match score {
        Score::Centipawns(value) => value,
        Score::Win(turns) => distance(turns),
        Score::Loss(turns) => -distance(turns),
    }
}

/// A random number with mean 0 and about this standard deviation: the sum of three uniform numbers. Integers, so that
/// every machine computes the same.
fn noise(deviation: u32, rng: &mut Rng) -> i32 {
    let uniform = |rng: &mut Rng| rng.below(2 * deviation as usize + 1) as u32;
    (0..3).map(|_| uniform(rng).cast_signed() - deviation.cast_signed()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SKILL: Skill = Skill { overlook: 25, depth: None, nodes: 0, lines: 6, noise: 50, max_loss: 200 };

    /// How often each line is chosen in 10,000 choices.
    fn counts(scores: &[Score], skill: &Skill) -> Vec<usize> {
        let mut counts = vec![0; scores.len()];
        for seed in 0..10_000 {
            counts[choose(scores, skill, &mut Rng::new(seed)).expect("there are lines")] += 1;
        }
        counts
    }

    fn centipawns(values: &[i32]) -> Vec<Score> {
        values.iter().map(|value| Score::Centipawns(*value)).collect()
    }

    #[test]
    fn better_lines_are_chosen_more_often_and_none_beyond_the_bound() {
        let counts = counts(&centipawns(&[40, 20, -30, -150, -161, -900]), &SKILL);
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > counts[3], "{counts:?}");
        assert!(counts[3] > 0 && counts[4..] == [0, 0], "{counts:?}");
    }

    #[test]
    fn moves_are_overlooked_as_often_as_the_level_says_but_never_all() {
        let mut rng = Rng::new(1);
        let indices: Vec<usize> = (0..10_000).map(|index| 3 * index).collect();
        let some = seen(&indices, &SKILL, &mut rng);
        assert!((7_300..7_700).contains(&some.len()), "{}", some.len());
        assert!(some.is_sorted() && some.iter().all(|index| index % 3 == 0));
        assert_eq!(seen(&indices, &Skill { overlook: 0, ..SKILL }, &mut rng), indices);
        let blind = Skill { overlook: 100, ..SKILL };
        let last: std::collections::HashSet<_> =
            (0..100).flat_map(|_| seen(&indices[..3], &blind, &mut rng)).collect();
        assert_eq!(last, [0, 3, 6].into());
        assert_eq!(seen(&[], &blind, &mut rng), []);
    }

    #[test]
    fn without_noise_the_best_line_is_played() {
        assert_eq!(counts(&centipawns(&[50, 0]), &Skill { noise: 0, ..SKILL }), [10_000, 0]);
    }

    #[test]
    fn noise_has_its_mean_and_deviation() {
        let mut rng = Rng::new(1);
        let values: Vec<f64> = (0..10_000).map(|_| f64::from(noise(100, &mut rng))).collect();
        let mean = values.iter().sum::<f64>() / 10_000.0;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 4.0 && (variance.sqrt() - 100.0).abs() < 3.0, "{mean} {variance}");
        assert_eq!(noise(0, &mut rng), 0);
    }

    #[test]
    fn a_win_in_this_turn_is_played() {
        let careless = Skill { noise: 1_000, max_loss: 1_000, ..SKILL };
        assert_eq!(counts(&[Score::Win(1), Score::Win(1), Score::Win(3)], &careless)[0], 10_000);
    }

    #[test]
    fn a_forced_win_is_kept() {
        let counts = counts(&[Score::Win(3), Score::Win(5), Score::Centipawns(900)], &SKILL);
        assert!(counts[0] > 0 && counts[1] > 0 && counts[2] == 0, "{counts:?}");
    }

    #[test]
    fn no_level_walks_into_a_forced_loss() {
        let careless = Skill { noise: 1_000, max_loss: 5_000, ..SKILL };
        assert_eq!(counts(&[Score::Centipawns(-900), Score::Loss(2)], &careless), [10_000, 0]);
        assert_eq!(counts(&[Score::Loss(6), Score::Loss(2)], &careless), [10_000, 0]);
    }

    #[test]
    fn the_choice_depends_on_the_generator_alone() {
        let scores = centipawns(&[30, 20, 10, 0]);
        for seed in 0..100 {
            let [first, second] = [(); 2].map(|()| choose(&scores, &SKILL, &mut Rng::new(seed)));
            assert_eq!(first, second);
        }
        assert_eq!(choose(&[], &SKILL, &mut Rng::new(0)), None);
    }
}
