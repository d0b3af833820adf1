//! Lines of limited width.

/// A writer that separates words by spaces and breaks lines before they exceed 79 characters.
#[derive(Debug)]
pub(super) struct LineWrapper<'a> {
    out: &'a mut String,
    column: usize,
}

impl<'a> LineWrapper<'a> {
    /// A wrapper around `out`, which is at the start of a line.
    pub(super) const fn new(out: &'a mut String) -> Self {
        Self { out, column: 0 }
    }

    /// Writes one word; a word longer than a line gets a line of its own.
    pub(super) fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + width < 80;
            self.out.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.column += width;
        self.out.push_str(word);
    }

    /// Ends the line, unless it is empty.
    pub(super) fn end_line(&mut self) {
        if std::mem::take(&mut self.column) > 0 {
            self.out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_are_not_written() {
        let mut text = String::new();
        let mut line = LineWrapper::new(&mut text);
        line.end_line();
        line.word("a");
        line.end_line();
        line.end_line();
        line.word("b");
        assert_eq!(text, "a\nb");
    }

    #[test]
    fn lines_have_at_most_79_characters() {
        let mut text = String::new();
        let mut line = LineWrapper::new(&mut text);
        for word in ["a", "bb", "ccc"].iter().cycle().take(200) {
            line.word(word);
        }
        line.word(&"x".repeat(100));
        let widths: Vec<_> = text.lines().map(str::len).collect();
        let (full, rest) = widths.split_at(widths.len() - 2);
        assert!(full.iter().all(|width| (76..80).contains(width)), "{widths:?}");
        assert!(rest[0] < 80 && rest[1] == 100, "a word that is too long gets its own line");
        assert_eq!(text.split_whitespace().count(), 201);
    }
}
