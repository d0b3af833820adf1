//! The weights of a network, and the file that holds them.

use sandtable_core::search::Features;
use wide::{i16x8, i32x4};

use crate::rice;

/// The value of a fully active hidden neuron.
pub(crate) const ONE: i16 = 255;
/// The value of an output weight of 1.
pub(crate) const OUTPUT_ONE: i16 = 64;
/// The largest absolute value of an output weight: its product with [`ONE`] fits into 16 bits.
pub(crate) const MAX_OUTPUT: i16 = i8::MAX as i16;
/// The hidden layer is computed in blocks of this many neurons.
pub(crate) const BLOCK: usize = 16;
/// Neurons that are computed together. A block fits into registers, so a sum of several rows is written once.
pub(crate) type Block = [i16; BLOCK];
/// The largest hidden layer: the sum of its outputs fits into 32 bits.
pub(crate) const MAX_HIDDEN: usize = 128;

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"SANDNET2";

/// An evaluation network of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    pub(crate) feature_set: String,
    pub(crate) features: usize,
    pub(crate) hidden: usize,
    /// The score, in centipawns, of an output of 1.
    pub(crate) scale: i32,
    /// Whether the score corrects the hand-made evaluation, to which it is added.
    pub(crate) corrects_hand_made: bool,
    /// The weights of the hidden layer: a row for each feature, then the biases.
    pub(crate) rows: Vec<Block>,
    /// By stage: the weights of the output for the mover's half of the hidden layer, then for the opponent's.
    pub(crate) output: Vec<Block>,
    /// By stage: the bias of the output.
    pub(crate) output_bias: Vec<i32>,
}

/// The reason why bytes are not a network for a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The bytes are not a network.
    #[error("not an evaluation network: it must begin with `SANDNET2`")]
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
            corrects_hand_made: false,
            rows: vec![[0; BLOCK]; (P::FEATURES + 1) * hidden / BLOCK],
            output: vec![[0; BLOCK]; P::STAGES * 2 * hidden / BLOCK],
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

    /// Whether the score corrects the hand-made evaluation of the game, to which it must be added; otherwise it stands alone.
    #[must_use]
    pub const fn corrects_hand_made(&self) -> bool {
        self.corrects_hand_made
    }

    /// Whether the network is for this game.
    #[must_use]
    pub fn is_for<P: Features>(&self) -> bool {
        self.feature_set == P::FEATURE_SET
    }

    /// The weights of a feature.
    #[inline]
    pub(crate) fn row(&self, feature: usize) -> &[Block] {
        let blocks = self.hidden / BLOCK;
        &self.rows[feature * blocks..][..blocks]
    }

    /// The biases of the hidden layer.
    pub(crate) fn bias(&self) -> &[Block] {
        self.row(self.features)
    }

    /// The score of two halves of the hidden layer in a stage of the game, in centipawns.
    #[inline]
    pub(crate) fn score(&self, mover: &[Block], opponent: &[Block], stage: usize) -> i32 {
        let blocks = self.hidden / BLOCK;
        let weights = &self.output[stage * 2 * blocks..][..2 * blocks];
        let (for_mover, for_opponent) = weights.split_at(blocks);
        let sum = half(mover, for_mover) + half(opponent, for_opponent);
        let output = sum / i32::from(ONE) + self.output_bias[stage];
        let score = i64::from(output) * i64::from(self.scale) / (i64::from(ONE) * i64::from(OUTPUT_ONE));
        score as i32
    }

    /// The network as the bytes of a file.
    ///
    /// All numbers have the lowest byte first: the magic, the length of the name of the feature set (one byte) and the name,
    /// then as 32-bit numbers the features, the hidden neurons, the stages, the scale, the base and the number of the bytes that
    /// follow for the hidden layer; the weights of the hidden layer and its biases (Rice codes, see below); the output
    /// weights (8 bits each), the biases of the output (32 bits each), and the FNV-1a hash of all bytes before it (64 bits).
    ///
    /// Most weights of the hidden layer are small, so each row has codes of its own length. It begins with a parameter *k*
    /// (4 bits). A weight is folded to 2*w* if it is not negative and to −2*w* − 1 if it is; the folded number divided by
    /// 2^*k* follows as that many ones and a zero, and its remainder as *k* bits. Bits fill a byte from the lowest to the
    /// highest.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let rows = rice::encode(self.rows.as_flattened(), self.hidden);
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.feature_set.len() as u8);
        bytes.extend_from_slice(self.feature_set.as_bytes());
        for number in [self.features, self.hidden, self.output_bias.len()] {
            bytes.extend_from_slice(&(number as u32).to_le_bytes());
        }
        bytes.extend_from_slice(&self.scale.to_le_bytes());
        bytes.extend_from_slice(&u32::from(self.corrects_hand_made).to_le_bytes());
        bytes.extend_from_slice(&(rows.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&rows);
        bytes.extend(self.output.as_flattened().iter().map(|weight| weight.to_le_bytes()[0]));
        for bias in &self.output_bias {
            bytes.extend_from_slice(&bias.to_le_bytes());
        }
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The checksum of the network, which is the last eight bytes of its file: networks with the same id are the same.
    #[must_use]
    pub fn id(&self) -> u64 {
        let bytes = self.to_bytes();
        checksum(&bytes[..bytes.len() - 8])
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
        let base = number()?;
        let coded = usize::try_from(number()?).unwrap_or(0);
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
        if !(0..=1).contains(&base) {
            return Err(NetworkError::Invalid("its base must be 0 (none) or 1 (the hand-made evaluation)"));
        }
        let outputs = stages * 2 * hidden;
        let expected = found - rest.len() + coded + outputs + 4 * stages + 8;
        if expected != found {
            return Err(NetworkError::Length { expected, found });
        }
        let (body, stored) = bytes.split_at(found - 8);
        if checksum(body).to_le_bytes() != *stored {
            return Err(NetworkError::Checksum);
        }
        let mut network = Self::zero::<P>(hidden, scale);
        network.corrects_hand_made = base == 1;
        let (rows, rest) = rest.split_at(coded);
        let (output, biases) = rest.split_at(outputs);
        rice::decode(rows, network.rows.as_flattened_mut(), hidden)
            .ok_or(NetworkError::Invalid("the codes of its hidden layer are cut off, or too many"))?;
        for (weight, byte) in network.output.as_flattened_mut().iter_mut().zip(output) {
            *weight = i16::from(byte.cast_signed());
        }
        for (bias, four) in network.output_bias.iter_mut().zip(biases.as_chunks().0) {
            *bias = i32::from_le_bytes(*four);
        }
        network.check(P::MAX_FEATURES)?;
        Ok(network)
    }

    /// Checks that no sum overflows in a position with at most `max_features` features.
    pub(crate) fn check(&self, max_features: usize) -> Result<(), NetworkError> {
        let (weights, biases) = self.rows.as_flattened().split_at(self.features * self.hidden);
        for (neuron, bias) in biases.iter().enumerate() {
            let column = weights.iter().skip(neuron).step_by(self.hidden);
            let mut column: Vec<u16> = column.map(|weight| weight.unsigned_abs()).collect();
            let largest = match column.len().checked_sub(max_features) {
                Some(rest @ 1..) => column.select_nth_unstable(rest - 1).2,
                _ => &mut column[..],
            };
            let sum =
                largest.iter().chain([&bias.unsigned_abs()]).map(|weight| u32::from(*weight)).sum::<u32>();
            if sum > i16::MAX.unsigned_abs().into() {
                return Err(NetworkError::Invalid("the weights of its hidden layer are too large"));
            }
        }
        let outputs = self.output.as_flattened();
        if outputs.iter().any(|weight| weight.unsigned_abs() > MAX_OUTPUT.unsigned_abs()) {
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
///
/// With explicit vectors: the compiler finds no fast form of this sum by itself. The result is the same on every machine.
#[inline]
fn half(values: &[Block], weights: &[Block]) -> i32 {
    let (zero, one) = (i16x8::splat(0), i16x8::splat(ONE));
    let mut sums = i32x4::splat(0);
    for (values, weights) in values.iter().zip(weights) {
        for (value, weight) in values.as_chunks().0.iter().zip(weights.as_chunks().0) {
            let value = i16x8::new(*value).max(zero).min(one);
            // At most 255 · 127, so that the product with the weight fits into 16 bits.
            sums += value.dot(value * i16x8::new(*weight));
        }
    }
    sums.reduce_add()
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}
