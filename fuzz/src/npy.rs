//! Headers of `.npy` files.

use sandtable::training::npy::{HEADER_LEN, NpyError, header as write_header, parse_header};

/// Bytes are rejected with an offset inside them, or are a header that round-trips.
pub fn header(bytes: &[u8]) {
    let read = match parse_header(bytes) {
        Ok(read) => read,
        Err(error) => {
            match error {
                NpyError::Syntax { at, .. } => assert!(at <= bytes.len(), "{error}"),
                NpyError::Truncated(length) => assert_eq!(length, bytes.len()),
                _ => {}
            }
            return;
        }
    };
    assert!(read.data <= bytes.len(), "the values start at {} of {}", read.data, bytes.len());
    assert_eq!(read.values(), read.shape.iter().product::<usize>());
    // Our own headers have a fixed length, which some shapes exceed.
    if let Some(bytes) = write_header(&read.shape) {
        let again = parse_header(&bytes).unwrap_or_else(|e| panic!("{:?}: {e}", read.shape));
        assert_eq!((again.shape, again.data), (read.shape, HEADER_LEN));
    }
}
