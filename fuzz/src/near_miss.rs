//! Texts that differ from a valid one by a character or two.

use arbitrary::{Result, Unstructured};

/// Characters that the notations use, and a few that they do not.
const ALPHABET: &[u8] = b"abcdefghijkABCDEFGHIKLMNOPQRSTabnpqrw0123456789/()+-x@:>,.=#!*~& '_^\"";

/// The text after one to three edits: a character replaced, inserted, removed, doubled or swapped with the next.
pub(crate) fn near_miss_text(text: &str, u: &mut Unstructured<'_>) -> Result<String> {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..u.int_in_range(1..=3)? {
        let at = u.choose_index(chars.len() + 1)?;
        let new = char::from(*u.choose(ALPHABET)?);
        match u.int_in_range(0..=4)? {
            0 if at < chars.len() => chars[at] = new,
            1 if at < chars.len() => drop(chars.remove(at)),
            2 if at < chars.len() => chars.insert(at, chars[at]),
            3 if at + 1 < chars.len() => chars.swap(at, at + 1),
            _ => chars.insert(at, new),
        }
    }
    Ok(chars.into_iter().collect())
}
