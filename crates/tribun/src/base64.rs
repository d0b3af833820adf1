//! The base64 text of a board: standard alphabet, padded, exactly one text per board.

use ::base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use ::base64::{DecodeError, DecodeSliceError, Engine as _};
use sandtable_core::Describe;

use crate::tile::Tile;

/// The length of the text: four characters for every three bytes, the last group padded.
pub(crate) const LENGTH: usize = Tile::CIDS.div_ceil(3) * 4;

/// The characters that pad the last group, which has one byte.
const PADDING: usize = 2;

const _: () = assert!(Tile::CIDS % 3 == 1);

/// A text that is not the base64 of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("tribun_base64")]
#[non_exhaustive]
pub enum Base64Error {
    /// The wrong number of characters.
    #[error("expected {LENGTH} base64 characters, found {0}")]
    Length(
        #[param(name = "expected", number, value = LENGTH)]
        #[param(name = "found")]
        usize,
    ),
    /// A character outside the alphabet, or misplaced padding.
    #[error("unexpected base64 character `{found}` at position {at}")]
    Character {
        /// The position of the character, counted from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// Set bits after the last byte.
    #[error("the last base64 character before the padding has unused bits set")]
    TrailingBits,
}

pub(crate) fn encode(bytes: &[u8; Tile::CIDS]) -> String {
    STANDARD.encode(bytes)
}

pub(crate) fn decode(text: &str) -> Result<[u8; Tile::CIDS], Base64Error> {
    let length = text.chars().count();
    if length != LENGTH {
        return Err(Base64Error::Length(length));
    }
    // One byte for each character, so that an offset is the number of a character.
    let ascii: Vec<u8> =
        text.chars().map(|found| if found.is_ascii() { found as u8 } else { b'?' }).collect();
    let character = |index: usize| {
        let found = text.chars().nth(index).expect("the length was checked");
        Base64Error::Character { at: index + 1, found }
    };
    let (symbols, padding) = ascii.split_at(LENGTH - PADDING);
    let mut bytes = [0; Tile::CIDS];
    let decoded = STANDARD_NO_PAD.decode_slice(symbols, &mut bytes);
    if let Err(DecodeSliceError::DecodeError(DecodeError::InvalidByte(index, _))) = decoded {
        return Err(character(index));
    }
    if let Some(index) = padding.iter().position(|&byte| byte != b'=') {
        return Err(character(symbols.len() + index));
    }
    // The length is right and all characters are, so this is the only other error.
    decoded.map_err(|_| Base64Error::TrailingBits)?;
    Ok(bytes)
}
