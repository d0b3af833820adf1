//! The header of an array file: nothing panics, and what is read can be written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sandtable::npy::{HEADER_LEN, header, parse_header};

fuzz_target!(|bytes: &[u8]| {
    let Ok(read) = parse_header(bytes) else { return };
    assert!(read.data <= bytes.len(), "values begin behind the header");
    let _ = read.values();
    // Headers of our own have a fixed length, which some shapes exceed.
    if let Some(bytes) = header(&read.shape) {
        let again = parse_header(&bytes).expect("what is written is read");
        assert_eq!((again.shape, again.data), (read.shape, HEADER_LEN));
    }
});
