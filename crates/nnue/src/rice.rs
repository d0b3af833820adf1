//! Rice codes of the weights of the hidden layer: see [`Network::to_bytes`](crate::Network::to_bytes).

/// The bits of the parameter of a row.
const PARAMETER_BITS: u32 = 4;

/// The codes of `weights` in rows of `width`.
pub(crate) fn encode(weights: &[i16], width: usize) -> Vec<u8> {
    let mut writer = Writer::default();
    for row in weights.chunks(width) {
        let length = |k: &u32| row.iter().map(|weight| (fold(*weight) >> k) + k).sum::<u32>();
        let k = (0..1 << PARAMETER_BITS).min_by_key(length).expect("there are several parameters");
        writer.push(k, PARAMETER_BITS);
        for weight in row.iter().copied().map(fold) {
            for _ in 0..weight >> k {
                writer.push(1, 1);
            }
            writer.push(0, 1);
            writer.push(weight & ((1 << k) - 1), k);
        }
    }
    writer.finish()
}

/// Decodes all of `weights`, in rows of `width`. Returns `None` if there are too few or too many bytes, or they are not
/// valid codes.
pub(crate) fn decode(bytes: &[u8], weights: &mut [i16], width: usize) -> Option<()> {
    let mut reader = Reader { bytes, bits: 0, available: 0 };
    for row in weights.chunks_mut(width) {
        let k = reader.take(PARAMETER_BITS)?;
        for weight in row {
            let quotient = reader.ones()?;
            let folded = u64::from(quotient) << k | u64::from(reader.take(k)?);
            *weight = unfold(u16::try_from(folded).ok()?);
        }
    }
    // Only padding of the last byte may be left.
    (reader.bytes.is_empty() && reader.available < 8 && reader.bits == 0).then_some(())
}

/// The sign in the lowest bit keeps small weights small.
fn fold(weight: i16) -> u32 {
    u32::from((weight << 1 ^ weight >> 15).cast_unsigned())
}

const fn unfold(folded: u16) -> i16 {
    (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed()
}

/// Bits, from the lowest to the highest of each byte.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    bits: u64,
    pending: u32,
}

impl Writer {
    /// Appends the lowest `count` bits of `bits`.
    fn push(&mut self, bits: u32, count: u32) {
        self.bits |= u64::from(bits) << self.pending;
        self.pending += count;
        while self.pending >= 8 {
            self.bytes.push(self.bits as u8);
            self.bits >>= 8;
            self.pending -= 8;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        if self.pending > 0 {
            self.bytes.push(self.bits as u8);
        }
        self.bytes
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    bits: u64,
    available: u32,
}

impl Reader<'_> {
    /// Makes at least `count` bits available.
    fn fill(&mut self, count: u32) -> Option<()> {
        while self.available < count {
            let byte = *self.bytes.split_off_first()?;
            self.bits |= u64::from(byte) << self.available;
            self.available += 8;
        }
        Some(())
    }

    fn take(&mut self, count: u32) -> Option<u32> {
        self.fill(count)?;
        let taken = self.bits & ((1 << count) - 1);
        self.bits >>= count;
        self.available -= count;
        Some(taken as u32)
    }

    /// The number of ones before the next zero.
    fn ones(&mut self) -> Option<u32> {
        let mut ones = 0;
        while self.take(1)? == 1 {
            ones += 1;
        }
        Some(ones)
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::rules::Rng;

    use super::*;

    /// Rows of weights of different sizes, the limits included.
    fn weights() -> Vec<i16> {
        let mut rng = Rng::new(1);
        let random = (0..16).flat_map(|size| (0..32).map(move |_| size));
        let random: Vec<_> = random.map(|size| (rng.next_u64() as i16) >> size).collect();
        [[0; 32], [i16::MIN; 32], [i16::MAX; 32]].concat().into_iter().chain(random).collect()
    }

    #[test]
    fn codes_are_decoded_exactly() {
        let weights = weights();
        let bytes = encode(&weights, 32);
        let mut decoded = vec![0; weights.len()];
        assert_eq!(decode(&bytes, &mut decoded, 32), Some(()));
        assert_eq!(decoded, weights);
        assert_eq!(decode(&bytes[..bytes.len() - 1], &mut decoded, 32), None);
        assert_eq!(decode(&[&bytes[..], &[0]].concat(), &mut decoded, 32), None);
        assert_eq!(decode(&[0xFF; 2000], &mut decoded, 32), None);
    }

    #[test]
    fn small_weights_have_short_codes() {
        // A parameter of four bits, and one bit for each weight.
        assert_eq!(encode(&[0; 128], 128).len(), (4usize + 128).div_ceil(8));
        let small: Vec<_> = (0..128).map(|i| i % 17 - 8).collect();
        assert!(encode(&small, 128).len() < 90);
    }
}
