//! Tag pairs and move numbers.

use crate::record::Tags;

/// The value of the first tag with this name.
#[must_use]
pub fn find_tag<'a>(tags: &'a Tags, name: &str) -> Option<&'a str> {
    tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
}

/// Writes a tag pair on a line of its own: `[Name "value"]`.
///
/// Quotes and backslashes in the value are escaped with a backslash, line breaks become spaces. A tag whose name could not be
/// parsed back is skipped.
pub(super) fn write_tag(out: &mut String, name: &str, value: &str) {
    if !name.is_empty() && name.chars().all(is_name_symbol) {
        let value = value.replace('\\', r"\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
        out.extend(["[", name, " \"", &value, "\"]\n"]);
    }
}

/// Whether a tag name may contain the character.
fn is_name_symbol(c: char) -> bool {
    c.is_alphanumeric() || "_+#=:-".contains(c)
}

/// Parses the tag pair at the start of a text. Returns its name, its value and the rest of the text.
pub(super) fn parse_tag(text: &str) -> Option<(&str, String, &str)> {
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
pub(super) fn strip_move_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.len() < token.len() && rest.starts_with('.');
    if numbered { rest.trim_start_matches('.') } else { token }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_round_trip() {
        for value in ["", "plain", r#"a "quoted" \ value"#, "[brackets]", "Cờ Tư Lệnh"] {
            let mut text = String::new();
            write_tag(&mut text, "Name", value);
            assert_eq!(parse_tag(&text), Some(("Name", value.to_owned(), "\n")));
        }
        let mut text = String::new();
        write_tag(&mut text, "Name", "two\nlines");
        assert_eq!(text, "[Name \"two lines\"]\n");
    }

    #[test]
    fn tags_with_invalid_names_are_skipped() {
        let mut text = String::new();
        for name in ["", "two words", "a]b", "quo\"te", "new\nline"] {
            write_tag(&mut text, name, "x");
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
}
