//! The weights of a network, and the file that holds them.

use sandtable_core::Features;

/// The value of a fully active hidden neuron.
pub(crate) const ONE: i16 = 255;
/// The value of an output weight of 1.
pub(crate) const OUTPUT_ONE: i16 = 64;
/// The largest absolute value of an output weight: its product with [`ONE`] fits into 16 bits.
pub(crate) const MAX_OUTPUT: i16 = i8::MAX as i16;
/// The hidden layer is computed in blocks of this many neurons.
pub(crate) const BLOCK: usize = 16;
/// The largest hidden layer: the sum of its outputs fits into 32 bits.
pub(crate) const MAX_HIDDEN: usize = 128;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"SANDNET1";

/// An evaluation network of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    pub(crate) feature_set: String,
    pub(crate) features: usize,
    pub(crate) hidden: usize,
    /// The score, in centipawns, of an output of 1.
    pub(crate) scale: i32,
    /// The weights of the hidden layer: a row for each feature, then the biases.
    pub(crate) rows: Vec<i16>,
    /// By stage: the weights of the output for the mover's half of the hidden layer, then for the opponent's.
    pub(crate) output: Vec<i16>,
    /// By stage: the bias of the output.
    pub(crate) output_bias: Vec<i32>,
}

/// The reason why bytes are not a network for a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The bytes are not a network.
    #[error("not an evaluation network: it must begin with `SANDNET1`")]
    Magic,
    /// The bytes end too early, or too late.
    #[error("the network has {found} bytes, but its header says {expected}")]
    Length {
        /// The number of bytes that the header implies.
        expected: usize,
        /// The number of bytes.
        found: usize,
    },
    /// The checksum is wrong.
    #[error("the network is damaged: its checksum is wrong")]
    Checksum,
    /// A size or weight that no network has.
    #[error("the network is not valid: {0}")]
    Invalid(&'static str),
    /// The network is for other features.
    #[error("the network is for `{found}`, not for `{expected}`")]
    FeatureSet {
        /// The feature set of the game.
        expected: &'static str,
        /// The feature set of the network.
        found: String,
    },
}

impl Network {
    /// A network whose scores are all 0.
    ///
    /// # Panics
    ///
    /// If `hidden` is not a multiple of 16 from 16 to 128.
    #[must_use]
    pub fn zero<P: Features>(hidden: usize, scale: i32) -> Self {
        assert!(is_valid_size(hidden), "a hidden layer has a multiple of 16 neurons, at most 128");
        Self {
            feature_set: P::FEATURE_SET.to_owned(),
            features: P::FEATURES,
            hidden,
            scale,
            rows: vec![0; (P::FEATURES + 1) * hidden],
            output: vec![0; P::STAGES * 2 * hidden],
            output_bias: vec![0; P::STAGES],
        }
    }

    /// The number of neurons of the hidden layer, for each player.
    #[must_use]
    pub const fn hidden(&self) -> usize {
        self.hidden
    }

    /// The id of the features.
    #[must_use]
    pub fn feature_set(&self) -> &str {
        &self.feature_set
    }

    /// Whether the network is for this game.
    #[must_use]
    pub fn is_for<P: Features>(&self) -> bool {
        self.feature_set == P::FEATURE_SET
    }

    /// The weights of a feature.
    #[inline]
    pub(crate) fn row(&self, feature: usize) -> &[i16] {
        &self.rows[feature * self.hidden..][..self.hidden]
    }

    /// The biases of the hidden layer.
    pub(crate) fn bias(&self) -> &[i16] {
        self.row(self.features)
    }

    /// The score of two halves of the hidden layer in a stage of the game, in centipawns.
    #[inline]
    pub(crate) fn score(&self, mover: &[i16], opponent: &[i16], stage: usize) -> i32 {
        let weights = &self.output[stage * 2 * self.hidden..][..2 * self.hidden];
        let (for_mover, for_opponent) = weights.split_at(self.hidden);
        let sum = half(mover, for_mover) + half(opponent, for_opponent);
        let output = sum / i32::from(ONE) + self.output_bias[stage];
        let score = i64::from(output) * i64::from(self.scale) / (i64::from(ONE) * i64::from(OUTPUT_ONE));
        score as i32
    }

    /// The network as the bytes of a file.
    ///
    /// All numbers have the lowest byte first: the magic, the length of the name of the feature set (one byte) and the name,
    /// then as 32-bit numbers the features, the hidden neurons, the stages and the scale; the weights of the hidden layer,
    /// its biases and the output weights (16 bits each), the biases of the output (32 bits each), and the FNV-1a hash of all
    /// bytes before it (64 bits).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.feature_set.len() as u8);
        bytes.extend_from_slice(self.feature_set.as_bytes());
        for number in [self.features, self.hidden, self.output_bias.len()] {
            bytes.extend_from_slice(&(number as u32).to_le_bytes());
        }
        bytes.extend_from_slice(&self.scale.to_le_bytes());
        for weight in self.rows.iter().chain(&self.output) {
            bytes.extend_from_slice(&weight.to_le_bytes());
        }
        for bias in &self.output_bias {
            bytes.extend_from_slice(&bias.to_le_bytes());
        }
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file: a network for the game of `P`.
    pub fn from_bytes<P: Features>(bytes: &[u8]) -> Result<Self, NetworkError> {
        let found = bytes.len();
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
        let mut take = |length: usize| {
            rest.split_off(..length).ok_or(NetworkError::Length { expected: found + 1, found })
        };
        let name_length = usize::from(take(1)?[0]);
        let name = String::from_utf8_lossy(take(name_length)?).into_owned();
        if name != P::FEATURE_SET {
            return Err(NetworkError::FeatureSet { expected: P::FEATURE_SET, found: name });
        }
        let mut number = || take(4).map(|bytes| i32::from_le_bytes(bytes.try_into().expect("four bytes")));
        let sizes = [number()?, number()?, number()?].map(|size| usize::try_from(size).unwrap_or(0));
        let scale = number()?;
        let [features, hidden, stages] = sizes;
        if features != P::FEATURES || stages != P::STAGES {
            return Err(NetworkError::Invalid("its numbers of features or stages are not those of the game"));
        }
        if !is_valid_size(hidden) {
            return Err(NetworkError::Invalid(
                "its hidden layer must have a multiple of 16 neurons, at most 128",
            ));
        }
        if !(1..=10_000).contains(&scale) {
            return Err(NetworkError::Invalid("its scale must be from 1 to 10,000"));
        }
        let (rows, outputs) = ((features + 1) * hidden, stages * 2 * hidden);
        let expected = found - rest.len() + 2 * (rows + outputs) + 4 * stages + 8;
        if expected != found {
            return Err(NetworkError::Length { expected, found });
        }
        let (body, stored) = bytes.split_at(found - 8);
        if checksum(body).to_le_bytes() != *stored {
            return Err(NetworkError::Checksum);
        }
        let (weights, biases) = rest[..rest.len() - 8].split_at(2 * (rows + outputs));
        let mut weights = weights.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let network = Self {
            feature_set: name,
            features,
            hidden,
            scale,
            rows: weights.by_ref().take(rows).collect(),
            output: weights.collect(),
            output_bias: biases
                .chunks_exact(4)
                .map(|four| i32::from_le_bytes([four[0], four[1], four[2], four[3]]))
                .collect(),
        };
        network.check(P::MAX_FEATURES)?;
        Ok(network)
    }

    /// Checks that no sum overflows in a position with at most `max_features` features.
    pub(crate) fn check(&self, max_features: usize) -> Result<(), NetworkError> {
        for neuron in 0..self.hidden {
            let mut column: Vec<i64> = (0..self.features)
                .map(|feature| i64::from(self.rows[feature * self.hidden + neuron]).abs())
                .collect();
            column.sort_unstable_by_key(|weight| std::cmp::Reverse(*weight));
            let sum = column.iter().take(max_features).sum::<i64>() + i64::from(self.bias()[neuron]).abs();
            if sum > i64::from(i16::MAX) {
                return Err(NetworkError::Invalid("the weights of its hidden layer are too large"));
            }
        }
        if self.output.iter().any(|weight| weight.unsigned_abs() > MAX_OUTPUT.unsigned_abs()) {
            return Err(NetworkError::Invalid("its output weights must be from -127 to 127"));
        }
        if self.output_bias.iter().any(|bias| bias.unsigned_abs() > 1 << 16) {
            return Err(NetworkError::Invalid("the biases of its output are too large"));
        }
        Ok(())
    }
}

const fn is_valid_size(hidden: usize) -> bool {
    hidden > 0 && hidden <= MAX_HIDDEN && hidden.is_multiple_of(BLOCK)
}

/// The sum of the squares of the clipped values, weighted.
#[inline]
fn half(values: &[i16], weights: &[i16]) -> i32 {
    let mut sums = [0; BLOCK];
    for (values, weights) in values.chunks_exact(BLOCK).zip(weights.chunks_exact(BLOCK)) {
        for i in 0..BLOCK {
            let value = values[i].clamp(0, ONE);
            // At most 255 · 127, so that the product fits into 16 bits.
            sums[i] += i32::from(value) * i32::from(value.wrapping_mul(weights[i]));
        }
    }
    sums.iter().sum()
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}
