//! What the records of all games have in common: tag pairs in front, words in lines of limited width behind.

use std::fmt::{self, Write};

/// Writes a tag pair on a line of its own: `[Name "value"]`.
///
/// A quote or a backslash in the value gets a backslash in front. A tag is one line, so a line break in the value
/// becomes a space. A tag whose name could not be read back is left out.
pub fn write_tag(out: &mut impl Write, name: &str, value: &str) -> fmt::Result {
    if name.is_empty() || !name.chars().all(is_name_symbol) {
        return Ok(());
    }
    let value = value.replace('\\', r"\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    writeln!(out, "[{name} \"{value}\"]")
}

/// What the name of a tag is made of.
fn is_name_symbol(c: char) -> bool {
    c.is_alphanumeric() || "_+#=:-".contains(c)
}

/// Reads the tag pair that a text begins with: its name, its value, and the text behind it.
///
/// ```
/// let (name, value, rest) = sandtable_core::read_tag(r#"[Event "A \"test\""] 1."#).unwrap();
/// assert_eq!((name, value.as_str(), rest), ("Event", r#"A "test""#, " 1."));
/// assert_eq!(sandtable_core::read_tag("[Event]"), None);
/// ```
#[must_use]
pub fn read_tag(text: &str) -> Option<(&str, String, &str)> {
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

/// Writes words with a space between them, or a line end where a line would grow beyond 79 characters.
#[derive(Debug)]
pub struct Words<'a, W> {
    out: &'a mut W,
    column: usize,
}

impl<'a, W: Write> Words<'a, W> {
    /// Begins at the beginning of a line.
    pub const fn new(out: &'a mut W) -> Self {
        Self { out, column: 0 }
    }

    /// Writes one word; a word longer than a line has a line to itself.
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

    /// Ends the line, if there is anything on it.
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
            assert_eq!(read_tag(&text), Some(("Name", value.to_owned(), "\n")));
        }
        let mut text = String::new();
        write_tag(&mut text, "Name", "two\nlines").unwrap();
        assert_eq!(text, "[Name \"two lines\"]\n");
    }

    #[test]
    fn a_tag_that_could_not_be_read_back_is_not_written() {
        let mut text = String::new();
        for name in ["", "two words", "a]b", "quo\"te", "new\nline"] {
            write_tag(&mut text, name, "x").unwrap();
        }
        assert_eq!(text, "");
    }

    #[test]
    fn a_line_ends_once() {
        let mut text = String::new();
        let mut words = Words::new(&mut text);
        words.end_line().unwrap();
        words.word("a").unwrap();
        words.end_line().unwrap();
        words.end_line().unwrap();
        words.word("b").unwrap();
        assert_eq!(text, "a\nb");
    }

    #[test]
    fn what_is_no_tag_is_refused() {
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
            assert_eq!(read_tag(text), None, "{text}");
        }
    }

    #[test]
    fn lines_stay_below_eighty_characters() {
        let mut text = String::new();
        let mut words = Words::new(&mut text);
        for word in ["a", "bb", "ccc"].iter().cycle().take(200) {
            words.word(word).unwrap();
        }
        words.word(&"x".repeat(100)).unwrap();
        let widths: Vec<_> = text.lines().map(str::len).collect();
        let (full, rest) = widths.split_at(widths.len() - 2);
        assert!(full.iter().all(|width| (76..80).contains(width)), "{widths:?}");
        assert!(rest[0] < 80 && rest[1] == 100, "a word that is too long stands alone");
        assert_eq!(text.split_whitespace().count(), 201);
    }
}
