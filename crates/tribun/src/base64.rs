//! The base64 text of a board: standard alphabet, padded, exactly one text per board.
//!
//! Written by hand because the length is fixed and errors name the offending character.

use sandtable_core::Describe;

use crate::tile::Tile;

/// The length of the text: four characters for every three bytes, the last group padded.
pub(crate) const LENGTH: usize = Tile::CIDS.div_ceil(3) * 4;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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
    let mut text = String::with_capacity(LENGTH);
    for chunk in bytes.chunks(3) {
        let mut group = [0; 4];
        group[1..=chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes(group);
        for i in 0..4 {
            let sextet = bits >> (18 - 6 * i) & 63;
            text.push(if i <= chunk.len() { char::from(ALPHABET[sextet as usize]) } else { '=' });
        }
    }
    text
}

pub(crate) fn decode(text: &str) -> Result<[u8; Tile::CIDS], Base64Error> {
    let length = text.chars().count();
    if length != LENGTH {
        return Err(Base64Error::Length(length));
    }
    let mut bytes = [0; Tile::CIDS];
    let mut characters = text.chars().zip(1..);
    for chunk in bytes.chunks_mut(3) {
        let mut bits = 0;
        for i in 0..4 {
            let (found, at) = characters.next().expect("the length was checked");
            let sextet = if i <= chunk.len() {
                ALPHABET.iter().position(|&c| char::from(c) == found)
            } else {
                (found == '=').then_some(0)
            };
            bits = bits << 6 | sextet.ok_or(Base64Error::Character { at, found })? as u32;
        }
        let [_, group @ ..] = bits.to_be_bytes();
        let (kept, rest) = group.split_at(chunk.len());
        if rest.iter().any(|&byte| byte != 0) {
            return Err(Base64Error::TrailingBits);
        }
        chunk.copy_from_slice(kept);
    }
    Ok(bytes)
}
