//! Forbidden words, with the standard terms to use instead. Only words that are never right are listed.

/// A word or phrase that must not be used, and what to write instead.
const FORBIDDEN: &[(&str, &str)] = &[
    ("whoever", "the player, the client"),
    ("none but", "only"),
    ("there is no game `", "unknown game `…`: expected …"),
    ("this is no position", "invalid position"),
    ("has gone on elsewhere", "changed in another window"),
    ("gives the lock free", "releases the lock"),
    ("engine rests", "engine off"),
    ("DrawTalk", "DrawOffer"),
    ("shown_talk", "draw_offer"),
    ("is_pressed", "must_respond"),
];

/// The forbidden words in a text, with their lines.
pub(super) fn faults(name: &str, text: &str) -> Vec<String> {
    // The list itself, and the changelog, which names what was renamed.
    if name.ends_with("words.rs") || name == "CHANGELOG.md" {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let lower = line.to_lowercase();
        for (word, instead) in FORBIDDEN {
            if contains_word(&lower, &word.to_lowercase()) {
                faults.push(format!("{name}:{number}: `{word}`: write {instead}"));
            }
        }
    }
    faults
}

/// Returns whether the line contains the word, and not only as part of a longer word.
fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_words_are_found_with_their_lines() {
        let text = "fine\nWhoever reads this\nwhomever\nno DrawTalk here";
        let found = faults("docs/x.md", text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("docs/x.md:2: `whoever`"), "{found:?}");
        assert!(found[1].starts_with("docs/x.md:4: `DrawTalk`"), "{found:?}");
    }

    #[test]
    fn parts_of_words_are_not_found() {
        assert!(faults("x", "nonebut, DrawTalks, is_pressed2").is_empty());
    }
}
