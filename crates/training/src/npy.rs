//! Headers of `.npy` files with observations: little-endian `f32` in C order.
//!
//! All headers have the same length, so that an array can be written before its number of rows is known and the header
//! filled in at the end.
//!
//! ```
//! use sandtable_training::npy::{header, parse_header};
//!
//! let bytes = header(&[3, 8, 8, 18]).unwrap();
//! assert_eq!(parse_header(&bytes)?.shape, [3, 8, 8, 18]);
//! # Ok::<(), sandtable_training::npy::NpyError>(())
//! ```

use std::fmt;

/// The length in bytes of a header from [`header`].
pub const HEADER_LEN: usize = 128;

const MAGIC: &[u8] = b"\x93NUMPY";
/// The length of the magic, the version (two bytes) and the header length (two bytes).
const PREFIX: usize = 10;
/// The maximum length of a header; those that `NumPy` writes for plain arrays are much shorter.
const MAX_LEN: usize = 64 * 1024;

/// Returns the header of an array of this shape; `None` if the shape does not fit into [`HEADER_LEN`] bytes. The shape of
/// observations always fits.
#[must_use]
pub fn header(shape: &[usize]) -> Option<[u8; HEADER_LEN]> {
    let dict = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {}, }}", Tuple(shape));
    if PREFIX + dict.len() >= HEADER_LEN {
        return None;
    }
    let mut bytes = [b' '; HEADER_LEN];
    bytes[..6].copy_from_slice(MAGIC);
    bytes[6..8].copy_from_slice(&[1, 0]);
    bytes[8..10].copy_from_slice(&((HEADER_LEN - PREFIX) as u16).to_le_bytes());
    bytes[PREFIX..PREFIX + dict.len()].copy_from_slice(dict.as_bytes());
    bytes[HEADER_LEN - 1] = b'\n';
    Some(bytes)
}

/// Formats a tuple as Python does, with a comma after a single element.
struct Tuple<'a>(&'a [usize]);

impl fmt::Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extents: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        let comma = if extents.len() == 1 { "," } else { "" };
        write!(f, "({}{comma})", extents.join(", "))
    }
}

/// A parsed header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The shape of the array.
    pub shape: Vec<usize>,
    /// The offset of the first value.
    pub data: usize,
}

impl Header {
    /// The number of values.
    #[must_use]
    pub fn values(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Why a header cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NpyError {
    /// The file does not start with the magic of an `.npy` file.
    #[error("not an .npy file: expected \\x93NUMPY at the start")]
    Magic,
    /// The file ends within the header.
    #[error("truncated .npy header: the file ends after {0} bytes")]
    Truncated(usize),
    /// The version of the format is not supported.
    #[error("unsupported .npy version {0}.{1}: expected 1.0, 2.0 or 3.0")]
    Version(u8, u8),
    /// The header is too long.
    #[error("invalid .npy header length {0}: expected at most 65536 bytes")]
    TooLong(usize),
    /// The header is not a dictionary with the three keys.
    #[error("invalid .npy header at byte {at}: expected {expected}")]
    Syntax {
        /// The offset from the start of the file.
        at: usize,
        /// What the parser expected there.
        expected: &'static str,
    },
    /// The values are not little-endian `f32`.
    #[error("unsupported value type `{0}`: expected float32 (<f4)")]
    Type(String),
    /// The array is in Fortran order.
    #[error("unsupported Fortran order: expected C order")]
    FortranOrder,
    /// The shape has more values than the address space.
    #[error("the shape is too large for the address space")]
    TooLarge,
}

/// Parses the header at the start of a file.
pub fn parse_header(bytes: &[u8]) -> Result<Header, NpyError> {
    if !bytes.starts_with(MAGIC) {
        let cut_short = !bytes.is_empty() && MAGIC.starts_with(bytes);
        return Err(if cut_short { NpyError::Truncated(bytes.len()) } else { NpyError::Magic });
    }
    let truncated = || NpyError::Truncated(bytes.len());
    let version = bytes.get(6..8).ok_or_else(truncated)?;
    let (start, length) = match version {
        [1, 0] => {
            let length: [u8; 2] = bytes.get(8..10).ok_or_else(truncated)?.try_into().expect("two bytes");
            (10, usize::from(u16::from_le_bytes(length)))
        }
        [2 | 3, 0] => {
            let length: [u8; 4] = bytes.get(8..12).ok_or_else(truncated)?.try_into().expect("four bytes");
            (12, u32::from_le_bytes(length) as usize)
        }
        other => return Err(NpyError::Version(other[0], other[1])),
    };
    if length > MAX_LEN {
        return Err(NpyError::TooLong(length));
    }
    let text = bytes.get(start..start + length).ok_or_else(truncated)?;
    let mut dict = Dict { text, at: 0, start };
    let shape = dict.shape()?;
    let values = shape.iter().try_fold(4_usize, |product, &extent| product.checked_mul(extent.max(1)));
    values.ok_or(NpyError::TooLarge)?;
    Ok(Header { shape, data: start + length })
}

/// A parser of the dictionary of a header.
struct Dict<'a> {
    text: &'a [u8],
    at: usize,
    start: usize,
}

impl<'a> Dict<'a> {
    fn shape(&mut self) -> Result<Vec<usize>, NpyError> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect("{", "{")?;
        while !self.accept("}") {
            match self.string()? {
                "descr" => {
                    self.expect(":", ":")?;
                    descr = Some(self.string()?);
                }
                "fortran_order" => {
                    self.expect(":", ":")?;
                    fortran = Some(self.boolean()?);
                }
                "shape" => {
                    self.expect(":", ":")?;
                    shape = Some(self.tuple()?);
                }
                _ => return Err(self.missing("the key descr, fortran_order or shape")),
            }
            if !self.accept(",") && self.peek() != Some(b'}') {
                return Err(self.missing("a comma or }"));
            }
        }
        match descr {
            Some("<f4") => {}
            Some(other) => return Err(NpyError::Type(other.to_owned())),
            None => return Err(self.missing("the key descr")),
        }
        if fortran.ok_or_else(|| self.missing("the key fortran_order"))? {
            return Err(NpyError::FortranOrder);
        }
        shape.ok_or_else(|| self.missing("the key shape"))
    }

    fn missing(&self, expected: &'static str) -> NpyError {
        NpyError::Syntax { at: self.start + self.at, expected }
    }

    /// Skips white space and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn accept(&mut self, token: &str) -> bool {
        self.peek();
        let found = self.text[self.at..].starts_with(token.as_bytes());
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str, expected: &'static str) -> Result<(), NpyError> {
        if self.accept(token) { Ok(()) } else { Err(self.missing(expected)) }
    }

    fn string(&mut self) -> Result<&'a str, NpyError> {
        let quote = self
            .peek()
            .filter(|quote| matches!(quote, b'\'' | b'"'))
            .ok_or_else(|| self.missing("a string"))?;
        let rest = &self.text[self.at + 1..];
        let length = rest.iter().position(|&byte| byte == quote);
        let text = length.and_then(|length| std::str::from_utf8(&rest[..length]).ok());
        let text = text.ok_or_else(|| self.missing("the end of a string"))?;
        self.at += text.len() + 2;
        Ok(text)
    }

    fn boolean(&mut self) -> Result<bool, NpyError> {
        if self.accept("True") { Ok(true) } else { self.expect("False", "True or False").map(|()| false) }
    }

    fn tuple(&mut self) -> Result<Vec<usize>, NpyError> {
        let mut extents = Vec::new();
        self.expect("(", "(")?;
        while !self.accept(")") {
            self.peek();
            let rest = &self.text[self.at..];
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = std::str::from_utf8(&rest[..digits]).ok().filter(|digits| !digits.is_empty());
            let number = number.ok_or_else(|| self.missing("a number"))?;
            extents.push(number.parse().map_err(|_| NpyError::TooLarge)?);
            self.at += digits;
            if !self.accept(",") && self.peek() != Some(b')') {
                return Err(self.missing("a comma or )"));
            }
        }
        Ok(extents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_dict(dict: &str) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((dict.len() as u16).to_le_bytes());
        bytes.extend(dict.as_bytes());
        bytes
    }

    #[test]
    fn headers_round_trip() {
        for shape in [&[][..], &[0], &[7], &[8, 8, 18], &[usize::MAX / 4608, 8, 8, 18]] {
            let bytes = header(shape).unwrap();
            assert_eq!(bytes.len() % 64, 0, "values start at a multiple of 64");
            assert_eq!(parse_header(&bytes), Ok(Header { shape: shape.to_vec(), data: HEADER_LEN }));
        }
    }

    #[test]
    fn header_matches_numpy() {
        let text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 8, 8, 18), }";
        assert!(header(&[3, 8, 8, 18]).unwrap()[10..].starts_with(text));
        assert_eq!(header(&[3]).unwrap()[HEADER_LEN - 1], b'\n');
        assert_eq!(header(&[usize::MAX; 4]), None, "a shape that does not fit");
    }

    #[test]
    fn keys_may_have_any_order_and_quotes() {
        let bytes = with_dict("{\"shape\":(2,),'fortran_order' : False,'descr':'<f4'}\n");
        assert_eq!(parse_header(&bytes).unwrap().shape, [2]);
    }

    #[test]
    fn truncated_headers_are_rejected() {
        let whole = header(&[3, 8, 8, 18]).unwrap();
        for length in 1..HEADER_LEN {
            assert_eq!(parse_header(&whole[..length]), Err(NpyError::Truncated(length)));
        }
        assert_eq!(parse_header(&[]), Err(NpyError::Magic));
    }

    #[test]
    fn invalid_headers_are_rejected() {
        let good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}";
        assert!(parse_header(&with_dict(good)).is_ok());
        for (dict, expected) in [
            (good.replace("<f4", "<f8"), NpyError::Type("<f8".into())),
            (good.replace("False", "True"), NpyError::FortranOrder),
            (good.replace("(1,)", "(99999999999999999999,)"), NpyError::TooLarge),
            (good.replace("(1,)", "(9999999999, 9999999999)"), NpyError::TooLarge),
            (good.replace("(1,)", "(0, 9999999999, 9999999999)"), NpyError::TooLarge),
            (good.replace("(1,)", "(-1,)"), NpyError::Syntax { at: 61, expected: "a number" }),
            (good.replace("(1,)", "1"), NpyError::Syntax { at: 60, expected: "(" }),
            (good.replace("False", "0"), NpyError::Syntax { at: 44, expected: "True or False" }),
            (
                good.replace("shape", "form"),
                NpyError::Syntax { at: 57, expected: "the key descr, fortran_order or shape" },
            ),
            (good.replace(", 'shape'", " 'shape'"), NpyError::Syntax { at: 50, expected: "a comma or }" }),
            (good.replace("'descr': '<f4', ", ""), NpyError::Syntax { at: 49, expected: "the key descr" }),
            (good.replace('}', ""), NpyError::Syntax { at: 64, expected: "a comma or }" }),
            ("[]".into(), NpyError::Syntax { at: 10, expected: "{" }),
        ] {
            assert_eq!(parse_header(&with_dict(&dict)), Err(expected), "{dict}");
        }
        assert_eq!(parse_header(b"PK\x03\x04 a zip, as npz is"), Err(NpyError::Magic));
        assert_eq!(parse_header(b"\x93NUMPY\x09\x00\x00\x00"), Err(NpyError::Version(9, 0)));
        assert_eq!(parse_header(b"\x93NUMPY\x02\x00\xff\xff\xff\x7f"), Err(NpyError::TooLong(0x7fff_ffff)));
    }
}
