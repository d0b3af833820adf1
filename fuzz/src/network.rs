//! Files of evaluation networks.

use sandtable_chess::Chess;
use sandtable_core::search::Features;
use sandtable_cotulenh::CoTuLenh;
use sandtable_nnue::Network;
use sandtable_tribun::Tribun;

/// The length of the checksum at the end of a file.
const CHECKSUM: usize = 8;

/// A file is rejected, or is a network of one game that round-trips. Its checksum is corrected first: a fuzzer never finds one.
pub fn file(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    if let Some((body, checksum)) = bytes.split_last_chunk_mut::<CHECKSUM>() {
        *checksum = fnv1a(body).to_le_bytes();
    }
    read::<Chess>(&bytes);
    read::<CoTuLenh>(&bytes);
    read::<Tribun>(&bytes);
}

fn read<P: Features>(bytes: &[u8]) {
    let Ok(network) = Network::from_bytes::<P>(bytes) else { return };
    let written = network.to_bytes();
    // A row may have a code that is not the shortest one.
    assert!(written.len() <= bytes.len());
    assert_eq!(Network::from_bytes::<P>(&written).as_ref(), Ok(&network));
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}
