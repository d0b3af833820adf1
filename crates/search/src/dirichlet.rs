//! The Dirichlet distribution, for exploration noise at the root.

use std::f64::consts::TAU;

use sandtable_core::rules::Rng;

/// Samples numbers that add up to 1 from the symmetric Dirichlet distribution. A small `alpha` concentrates the mass on a
/// few of them.
pub(crate) fn dirichlet(rng: &mut Rng, alpha: f64, draws: &mut [f64]) {
    for draw in &mut *draws {
        *draw = gamma(rng, alpha);
    }
    let sum: f64 = draws.iter().sum();
    for draw in draws {
        *draw /= sum;
    }
}

/// Samples the gamma distribution with scale 1 (Marsaglia and Tsang).
fn gamma(rng: &mut Rng, shape: f64) -> f64 {
    if shape < 1.0 {
        // The method needs a shape of at least 1; the power of a uniform sample corrects for the increase.
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

/// Samples the standard normal distribution (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * positive_unit(rng).ln()).sqrt() * (TAU * rng.unit()).cos()
}

/// Samples a uniform number from (0, 1].
const fn positive_unit(rng: &mut Rng) -> f64 {
    1.0 - rng.unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the mean and variance of many draws.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let n = 20_000;
        let draws: Vec<_> = (0..n).map(|_| draw()).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        (mean, draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n))
    }

    #[test]
    fn mean_and_variance_of_gamma_equal_its_shape() {
        for shape in [0.3, 1.0, 4.5] {
            let mut rng = Rng::new(1);
            let (mean, variance) = moments(|| gamma(&mut rng, shape));
            assert!((mean / shape - 1.0).abs() < 0.05, "{shape}: mean {mean}");
            assert!((variance / shape - 1.0).abs() < 0.1, "{shape}: variance {variance}");
        }
    }

    #[test]
    fn samples_add_up_to_one_and_small_alpha_concentrates_them() {
        let mut rng = Rng::new(2);
        let largest = |alpha, rng: &mut Rng| {
            let sum: f64 = (0..200)
                .map(|_| {
                    let mut shares = [0.0; 20];
                    dirichlet(rng, alpha, &mut shares);
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
