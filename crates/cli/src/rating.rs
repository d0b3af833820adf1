//! Elo of several players from the results of their games, by maximum likelihood.
//!
//! The model is that of Bradley and Terry: a player who is stronger by *d* Elo scores 1 / (1 + 10^(−d/400)) on average. A draw
//! counts as half a win and half a loss. Each pairing has one imaginary draw besides its games, so that a player who won all
//! games has a finite Elo.

use sandtable::search::elo::{Tally, to_score};

/// The games of two players, from the perspective of `a`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairing {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) tally: Tally,
}

/// The Elo of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rating {
    pub(crate) elo: f64,
    /// Half the width of the 95 % confidence interval, given the Elo of the fixed players.
    pub(crate) error: f64,
}

/// The Elo of each player; `None` for players whose games do not connect them to a fixed player.
pub(crate) fn ratings(players: usize, pairings: &[Pairing], fixed: &[(usize, f64)]) -> Vec<Option<Rating>> {
    let connected = connected(players, pairings, fixed);
    let is_fixed = |player: usize| fixed.iter().any(|(index, _)| *index == player);
    let free: Vec<usize> = (0..players).filter(|&player| connected[player] && !is_fixed(player)).collect();
    let start = fixed.first().map_or(0.0, |(_, elo)| *elo);
    let mut elo = vec![start; players];
    for (player, of_player) in fixed {
        elo[*player] = *of_player;
    }
    let mut covariance = Vec::new();
    // The likelihood is concave, so Newton's method finds its maximum; the bound keeps the first steps from overshooting.
    for _ in 0..200 {
        let (gradient, information) = derivatives(pairings, &elo, &free);
        covariance = inverse(information);
        let mut largest = 0.0f64;
        for (row, &player) in covariance.iter().zip(&free) {
            let step: f64 = row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            elo[player] += step.clamp(-200.0, 200.0);
            largest = largest.max(step.abs());
        }
        if largest < 1e-6 {
            break;
        }
    }
    let error = |player| {
        let index = free.iter().position(|of| *of == player);
        index.map_or(0.0, |index| 1.96 * covariance[index][index].sqrt())
    };
    let rating = |player: usize| connected[player].then(|| Rating { elo: elo[player], error: error(player) });
    (0..players).map(rating).collect()
}

/// Whether each player has a chain of games to a fixed player.
fn connected(players: usize, pairings: &[Pairing], fixed: &[(usize, f64)]) -> Vec<bool> {
    let mut connected = vec![false; players];
    for (player, _) in fixed {
        connected[*player] = true;
    }
    for _ in 0..players {
        for Pairing { a, b, tally } in pairings {
            if tally.games() > 0 && (connected[*a] || connected[*b]) {
                (connected[*a], connected[*b]) = (true, true);
            }
        }
    }
    connected
}

/// The gradient of the logarithm of the likelihood and the negative of its second derivatives, for the free players.
fn derivatives(pairings: &[Pairing], elo: &[f64], free: &[usize]) -> (Vec<f64>, Vec<Vec<f64>>) {
    const SCALE: f64 = std::f64::consts::LN_10 / 400.0;
    let mut gradient = vec![0.0; free.len()];
    let mut information = vec![vec![0.0; free.len()]; free.len()];
    let index = |player: usize| free.iter().position(|of| *of == player);
    for Pairing { a, b, tally } in pairings {
        if tally.games() == 0 {
            continue;
        }
        let tally = Tally { draws: tally.draws + 1, ..*tally };
        let games = f64::from(tally.games());
        let expected = to_score(elo[*a] - elo[*b]);
        let surplus = SCALE * games * (tally.score() - expected);
        let weight = SCALE * SCALE * games * expected * (1.0 - expected);
        for (player, sign) in [(*a, 1.0), (*b, -1.0)] {
            if let Some(i) = index(player) {
                gradient[i] += sign * surplus;
                information[i][i] += weight;
            }
        }
        if let (Some(i), Some(j)) = (index(*a), index(*b)) {
            information[i][j] -= weight;
            information[j][i] -= weight;
        }
    }
    (gradient, information)
}

/// The inverse of a symmetric positive definite matrix, by elimination; such a matrix needs no pivoting.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|j| f64::from(i == j)));
    }
    for i in 0..size {
        let pivot = matrix[i][i];
        matrix[i].iter_mut().for_each(|value| *value /= pivot);
        let row = matrix[i].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = other[i];
            other.iter_mut().zip(&row).for_each(|(value, above)| *value -= factor * above);
        }
    }
    matrix.into_iter().map(|row| row[size..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn pairing(a: usize, b: usize, wins: u32, draws: u32, losses: u32) -> Pairing {
        Pairing { a, b, tally: Tally { wins, draws, losses } }
    }

    fn elo(rating: Option<Rating>) -> f64 {
        rating.expect("a rated player").elo
    }

    #[test]
    fn two_players_have_the_difference_of_their_score() {
        // 74.5 of 99 games and the imaginary draw: 75 %, 400 log10(3) = 190.85 Elo.
        let found = ratings(2, &[pairing(1, 0, 74, 1, 24)], &[(0, 1000.0)]);
        assert!((elo(found[1]) - 1190.85).abs() < 0.01, "{found:?}");
        // 1.96 · 400 / ln 10 / √(100 · 0.75 · 0.25) = 78.63
        assert!((found[1].expect("rated").error - 78.63).abs() < 0.01, "{found:?}");
        assert_eq!(found[0], Some(Rating { elo: 1000.0, error: 0.0 }));
    }

    #[test]
    fn consistent_results_add_up() {
        let third = pairing(2, 0, 90, 0, 10);
        let pairings = [pairing(1, 0, 75, 0, 25), pairing(2, 1, 75, 0, 25), third];
        let found = ratings(3, &pairings, &[(0, 0.0)]);
        // 3/4 twice is 9 : 1, which is what the third pairing scored.
        assert!((elo(found[2]) - 2.0 * elo(found[1])).abs() < 15.0, "{found:?}");
        assert!((elo(found[2]) - 381.7).abs() < 15.0, "{found:?}");
        // More games, less doubt.
        let without = ratings(3, &pairings[..2], &[(0, 0.0)]);
        assert!(found[2].expect("rated").error < without[2].expect("rated").error);
    }

    #[test]
    fn a_player_who_won_all_games_has_a_finite_elo() {
        let found = ratings(2, &[pairing(0, 1, 40, 0, 0)], &[(1, 0.0)]);
        assert!((400.0..1200.0).contains(&elo(found[0])), "{found:?}");
    }

    #[test]
    fn two_anchors_pull_from_both_sides() {
        let pairings = [pairing(1, 0, 50, 0, 50), pairing(1, 2, 50, 0, 50)];
        let found = ratings(3, &pairings, &[(0, 1800.0), (2, 2000.0)]);
        assert!((elo(found[1]) - 1900.0).abs() < 0.01, "{found:?}");
        assert!((elo(found[0]) - 1800.0).abs() < 1e-9 && (elo(found[2]) - 2000.0).abs() < 1e-9);
    }

    #[test]
    fn players_without_games_have_no_elo() {
        let found = ratings(
            4,
            &[pairing(0, 1, 5, 0, 5), pairing(2, 3, 5, 0, 5), pairing(1, 2, 0, 0, 0)],
            &[(0, 0.0)],
        );
        assert!(found[0].is_some() && found[1].is_some() && found[2].is_none() && found[3].is_none());
    }
}
