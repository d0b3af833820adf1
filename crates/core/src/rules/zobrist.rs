//! Zobrist keys with fixed values.
//!
//! # Stability
//!
//! The keys of a seed are the outputs of [`SplitMix64`](crate::rules::Rng) and never change: files and caches may hold hashes
//! built from them. (Chess uses the keys of its move generator, whose version is pinned.)

/// The difference of two successive states.
const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// One step of the generator: returns the next state and the output.
#[must_use]
pub(crate) const fn splitmix64(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(GAMMA);
    let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, z ^ (z >> 31))
}

/// Returns `N` keys generated from a seed.
///
/// ```
/// const KEYS: [u64; 2] = sandtable_core::rules::zobrist::keys(0);
/// assert_eq!(KEYS, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
/// ```
#[must_use]
pub const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut state = seed;
    let mut i = 0;
    while i < N {
        (state, keys[i]) = splitmix64(state);
        i += 1;
    }
    keys
}

/// The keys of a seed, looked up by index.
///
/// They are a table, except on WebAssembly: random numbers do not compress, and computing a key costs less than
/// downloading it.
///
/// ```
/// use sandtable_core::rules::zobrist::{Keys, keys};
///
/// static KEYS: Keys<3> = Keys::new(7);
/// assert_eq!(keys::<3>(7), [KEYS.get(0), KEYS.get(1), KEYS.get(2)]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Keys<const N: usize> {
    #[cfg(not(target_family = "wasm"))]
    table: [u64; N],
    #[cfg(target_family = "wasm")]
    seed: u64,
}

impl<const N: usize> Keys<N> {
    /// The `N` keys generated from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        #[cfg(not(target_family = "wasm"))]
        return Self { table: keys(seed) };
        #[cfg(target_family = "wasm")]
        return Self { seed };
    }

    /// The key with this index.
    ///
    /// # Panics
    ///
    /// If there is a table and `index` is not less than `N`.
    #[inline]
    #[must_use]
    pub const fn get(&self, index: usize) -> u64 {
        #[cfg(not(target_family = "wasm"))]
        return self.table[index];
        #[cfg(target_family = "wasm")]
        return key(self.seed, index);
    }
}

/// One of the [`keys`] of a seed, computed by itself: the state of the generator is a counter.
#[cfg(any(test, target_family = "wasm"))]
const fn key(seed: u64, index: usize) -> u64 {
    splitmix64(seed.wrapping_add(GAMMA.wrapping_mul(index as u64))).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_match_the_published_generator() {
        // The first outputs of SplitMix64 from seed 1234567, as published with the algorithm.
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(keys::<5>(1_234_567), published);
    }

    #[test]
    fn computed_keys_equal_those_of_the_table() {
        for seed in [0, 7, u64::MAX] {
            let table = keys::<100>(seed);
            assert!((0..100).all(|index| key(seed, index) == table[index]), "seed {seed}");
        }
    }

    #[test]
    fn fewer_keys_are_a_prefix_of_more_keys() {
        assert_eq!(keys::<3>(7)[..], keys::<9>(7)[..3]);
    }
}
