//! The parts that the records of all games share: tag pairs, then move text in lines of limited width.

use std::fmt::{self, Write};

/// Writes a tag pair on a line of its own: `[Name "value"]`.
///
/// Quotes and backslashes in the value are escaped with a backslash, line breaks become spaces. A tag whose name could not be
/// parsed back is skipped.
pub fn write_tag(out: &mut impl Write, name: &str, value: &str) -> fmt::Result {
    if name.is_empty() || !name.chars().all(is_name_symbol) {
        return Ok(());
    }
    let value = value.replace('\\', r"\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    writeln!(out, "[{name} \"{value}\"]")
}

/// Whether a tag name may contain the character.
fn is_name_symbol(c: char) -> bool {
    c.is_alphanumeric() || "_+#=:-".contains(c)
}

/// Parses the tag pair at the start of a text. Returns its name, its value and the rest of the text.
///
/// ```
/// let (name, value, rest) = sandtable_core::record::parse_tag(r#"[Event "A \"test\""] 1."#).unwrap();
/// assert_eq!((name, value.as_str(), rest), ("Event", r#"A "test""#, " 1."));
/// assert_eq!(sandtable_core::record::parse_tag("[Event]"), None);
/// ```
#[must_use]
pub fn parse_tag(text: &str) -> Option<(&str, String, &str)> {
    let text = text.strip_prefix('[')?.trim_start_matches([' ', '\t']);
    let end = text.find(|c| !is_name_symbol(c))?;
    let (name, text) = text.split_at(end);
    let mut quoted = text.trim_start_matches([' ', '\t']).strip_prefix('"')?.chars();
    let mut value = String::new();
    loop {
        match quoted.next()? {
            '"' => break,
            '\\' => value.push(quoted.next().filter(|c| *c != '\n')?),
            '\n' => return None,
            c => value.push(c),
        }
    }
    let rest = quoted.as_str().trim_start_matches([' ', '\t']).strip_prefix(']')?;
    (!name.is_empty()).then_some((name, value, rest))
}

/// Strips the move number from the start of a token of a record: `12.`, `12...` and the `12.` of `12.e4`.
///
/// A number without a dot is not a move number.
///
/// ```
/// use sandtable_core::record::strip_move_number;
///
/// assert_eq!(strip_move_number("12.e4"), "e4");
/// assert_eq!(strip_move_number("12..."), "");
/// assert_eq!(strip_move_number("1-0"), "1-0");
/// ```
#[must_use]
pub fn strip_move_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.len() < token.len() && rest.starts_with('.');
    if numbered { rest.trim_start_matches('.') } else { token }
}

/// A writer that separates words by spaces and breaks lines before they exceed 79 characters.
#[derive(Debug)]
pub struct LineWrapper<'a, W> {
    out: &'a mut W,
    column: usize,
}

impl<'a, W: Write> LineWrapper<'a, W> {
    /// A wrapper around `out`, which is at the start of a line.
    pub const fn new(out: &'a mut W) -> Self {
        Self { out, column: 0 }
    }

    /// Writes one word; a word longer than a line gets a line of its own.
    pub fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + width < 80;
            self.out.write_char(if fits { ' ' } else { '\n' })?;
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.column += width;
        self.out.write_str(word)
    }

    /// Ends the line, unless it is empty.
    pub fn end_line(&mut self) -> fmt::Result {
        if std::mem::take(&mut self.column) > 0 { self.out.write_char('\n') } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_round_trip() {
        for value in ["", "plain", r#"a "quoted" \ value"#, "[brackets]", "Cờ Tư Lệnh"] {
            let mut text = String::new();
            write_tag(&mut text, "Name", value).unwrap();
            assert_eq!(parse_tag(&text), Some(("Name", value.to_owned(), "\n")));
        }
        let mut text = String::new();
        write_tag(&mut text, "Name", "two\nlines").unwrap();
        assert_eq!(text, "[Name \"two lines\"]\n");
    }

    #[test]
    fn tags_with_invalid_names_are_skipped() {
        let mut text = String::new();
        for name in ["", "two words", "a]b", "quo\"te", "new\nline"] {
            write_tag(&mut text, name, "x").unwrap();
        }
        assert_eq!(text, "");
    }

    #[test]
    fn a_move_number_is_digits_and_dots() {
        for (token, rest) in
            [("1.e4", "e4"), ("12...", ""), ("7.", ""), ("12", "12"), ("...e5", "...e5"), ("1-0", "1-0")]
        {
            assert_eq!(strip_move_number(token), rest, "{token}");
        }
    }

    #[test]
    fn empty_lines_are_not_written() {
        let mut text = String::new();
        let mut line = LineWrapper::new(&mut text);
        line.end_line().unwrap();
        line.word("a").unwrap();
        line.end_line().unwrap();
        line.end_line().unwrap();
        line.word("b").unwrap();
        assert_eq!(text, "a\nb");
    }

    #[test]
    fn malformed_tags_are_rejected() {
        for text in [
            "",
            "[",
            "[]",
            "[Name]",
            "[Name \"",
            "[Name \"x\"",
            "[Name \"x\\",
            "[\"x\"]",
            "[Name 'x']",
            "[Name \"x\ny\"]",
            "[Name \"x\\\ny\"]",
        ] {
            assert_eq!(parse_tag(text), None, "{text}");
        }
    }

    #[test]
    fn lines_have_at_most_79_characters() {
        let mut text = String::new();
        let mut line = LineWrapper::new(&mut text);
        for word in ["a", "bb", "ccc"].iter().cycle().take(200) {
            line.word(word).unwrap();
        }
        line.word(&"x".repeat(100)).unwrap();
        let widths: Vec<_> = text.lines().map(str::len).collect();
        let (full, rest) = widths.split_at(widths.len() - 2);
        assert!(full.iter().all(|width| (76..80).contains(width)), "{widths:?}");
        assert!(rest[0] < 80 && rest[1] == 100, "a word that is too long gets its own line");
        assert_eq!(text.split_whitespace().count(), 201);
    }
}
