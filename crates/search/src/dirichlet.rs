//! Random shares of a whole, for exploration at the root.

use std::f64::consts::TAU;

use sandtable_core::Rng;

/// `shares` random numbers that add up to 1, from the symmetric Dirichlet distribution: the smaller `alpha`, the more
/// a few of them have nearly all.
pub(crate) fn dirichlet(rng: &mut Rng, alpha: f64, shares: usize) -> Vec<f64> {
    let mut draws: Vec<f64> = (0..shares).map(|_| gamma(rng, alpha)).collect();
    let sum: f64 = draws.iter().sum();
    for draw in &mut draws {
        *draw /= sum;
    }
    draws
}

/// From the gamma distribution with that shape and scale 1, by the method of Marsaglia and Tsang.
fn gamma(rng: &mut Rng, shape: f64) -> f64 {
    if shape < 1.0 {
        // The method needs a shape of at least 1; a power of a uniform number brings it back down.
        return gamma(rng, shape + 1.0) * positive_unit(rng).powf(1.0 / shape).max(f64::MIN_POSITIVE);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && positive_unit(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// From the standard normal distribution, by the method of Box and Muller.
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * positive_unit(rng).ln()).sqrt() * (TAU * rng.unit()).cos()
}

/// A number above 0, up to 1.
const fn positive_unit(rng: &mut Rng) -> f64 {
    1.0 - rng.unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of many draws.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let n = 20_000;
        let draws: Vec<_> = (0..n).map(|_| draw()).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        (mean, draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n))
    }

    #[test]
    fn gamma_has_its_shape_as_mean_and_variance() {
        for shape in [0.3, 1.0, 4.5] {
            let mut rng = Rng::new(1);
            let (mean, variance) = moments(|| gamma(&mut rng, shape));
            assert!((mean / shape - 1.0).abs() < 0.05, "{shape}: mean {mean}");
            assert!((variance / shape - 1.0).abs() < 0.1, "{shape}: variance {variance}");
        }
    }

    #[test]
    fn shares_add_up_and_vary_with_alpha() {
        let mut rng = Rng::new(2);
        let largest = |alpha, rng: &mut Rng| {
            let sum: f64 = (0..200)
                .map(|_| {
                    let shares = dirichlet(rng, alpha, 20);
                    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                    assert!(shares.iter().all(|&share| share >= 0.0));
                    shares.into_iter().fold(0.0, f64::max)
                })
                .sum();
            sum / 200.0
        };
        assert!(largest(0.1, &mut rng) > 2.0 * largest(5.0, &mut rng));
    }
}
