//! SHA-256 (FIPS 180-4), with which the vectors identify sets of positions.

/// The digest of a message, in hexadecimal.
pub(crate) fn hex(message: &[u8]) -> String {
    let mut state: [u32; 8] = std::array::from_fn(|i| fraction(prime(i), 2));
    let constants: [u32; 64] = std::array::from_fn(|i| fraction(prime(i), 3));
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - message.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let length = padded.len() - 8;
    padded[length..].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        compress(&mut state, block, &constants);
    }
    state.map(|word| format!("{word:08x}")).concat()
}

fn compress(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut w = [0_u32; 64];
    for (word, bytes) in w.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes(bytes.try_into().unwrap());
    }
    for i in 16..64 {
        let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
    }
    let mut v = *state;
    for i in 0..64 {
        let s1 = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
        let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
        let first = v[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(constants[i]).wrapping_add(w[i]);
        let s0 = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
        let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        v.rotate_right(1);
        v[4] = v[4].wrapping_add(first);
        v[0] = first.wrapping_add(s0).wrapping_add(majority);
    }
    for (word, change) in state.iter_mut().zip(v) {
        *word = word.wrapping_add(change);
    }
}

/// The `i`th prime, from 0.
fn prime(i: usize) -> u64 {
    (2..).filter(|n| (2..*n).all(|d| n % d != 0)).nth(i).unwrap()
}

/// The first 32 bits of the fractional part of the `degree`th root of a small number.
fn fraction(n: u64, degree: u32) -> u32 {
    // The greatest r with r^degree ≤ n · 2^(32 · degree), by bisection.
    let target = u128::from(n) << (32 * degree);
    let (mut low, mut high) = (0_u128, 1 << 40);
    while high - low > 1 {
        let middle = u128::midpoint(low, high);
        if middle.pow(degree) <= target { low = middle } else { high = middle }
    }
    low as u32
}

#[test]
fn published_examples() {
    assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
