//! The writer of game records: tags, then movetext in lines of limited width.

use crate::record::line_wrapper::LineWrapper;
use crate::record::tags::write_tag;
use crate::record::{Annotations, Note, RecordFormat, ResultWord, Tags, Variation};
use crate::rules::DrawOffer;
use crate::{Game, Notation, Player, Position};

/// Writes a game with annotations.
///
/// # Panics
///
/// May panic if a move of a variation is not legal.
#[must_use]
pub fn write<P: Notation>(game: &Game<P>, tags: &Tags, annotations: &Annotations<P::Move>) -> String {
    let given = tags.iter().filter(|(name, _)| !P::Records::OWN_TAGS.contains(&name.as_str()));
    let mut text = String::new();
    for (name, value) in P::Records::tags(game, given.cloned().collect()) {
        write_tag(&mut text, &name, &value);
    }
    text.push('\n');
    let moves: Vec<_> = game.moves_played().collect();
    let positions: Vec<_> = game.history().map(|(position, _)| position).chain([game.position()]).collect();
    let offers: Vec<_> = game.draw_offers().collect();
    let mut movetext = Movetext { parts: Vec::new() };
    let line = Line { positions: &positions, moves: &moves, annotations, offers: &offers };
    movetext.line::<P>(&line, game.first_position().move_number());
    if P::Records::RESULT_WORDS {
        movetext.parts.push(Part::Word(ResultWord::of(game.outcome()).text().to_owned()));
    }
    movetext.write(&mut text);
    text
}

/// The main line or a variation.
struct Line<'a, P: Position> {
    /// The position before each move, and the last one.
    positions: &'a [&'a P],
    moves: &'a [P::Move],
    annotations: &'a Annotations<P::Move>,
    /// The draw offer in each position; empty in a variation.
    offers: &'a [DrawOffer],
}

/// Movetext that is being written.
struct Movetext {
    parts: Vec<Part>,
}

enum Part {
    Word(String),
    /// A comment to the end of the line.
    LineComment(String),
}

impl Movetext {
    /// Writes the parts in lines of at most 79 characters.
    fn write(self, out: &mut String) {
        let mut words = LineWrapper::new(out);
        for part in self.parts {
            match part {
                Part::Word(word) => words.word(&word),
                Part::LineComment(comment) => {
                    words.end_line();
                    words.word(&comment);
                    words.end_line();
                }
            }
        }
        words.end_line();
    }

    fn line<P: Notation>(&mut self, line: &Line<'_, P>, mut number: usize) {
        let Line { positions, moves, annotations, offers } = *line;
        self.note::<P>(annotations.note(0));
        let (mut ply, mut is_numbered) = (0, false);
        while ply < moves.len() {
            let position = positions[ply];
            let player = position.turn();
            if player == Player::First || !is_numbered {
                let dots = if player == Player::First { "." } else { "..." };
                self.parts.push(Part::Word(format!("{number}{dots}")));
            }
            let (text, len) = P::Records::turn_text(position, &moves[ply..]);
            let end = ply + len;
            self.parts.push(Part::Word(text));
            for offers in offers.get(ply..=end).unwrap_or_default().windows(2) {
                let changed = Some(offers[1]).filter(|offer| *offer != offers[0]);
                let text = changed.and_then(P::Records::offer_text);
                self.parts.extend(text.map(|text| Part::Word(format!("{{{text}}}"))));
            }
            let after_offers = self.parts.len();
            for ply in ply + 1..=end {
                self.note::<P>(annotations.note(ply));
            }
            for from in ply..end {
                for variation in annotations.variations(from) {
                    self.variation(position, &with_prefix(&moves[ply..from], variation), number);
                }
            }
            // A draw offer is a part of the game; what interrupts it is a comment or a variation. Glyphs do not.
            is_numbered = !self.parts[after_offers..].iter().any(is_interruption);
            if player == Player::Second && positions[end].turn() == Player::First {
                number += 1;
            }
            ply = end;
        }
    }

    /// Writes a variation in parentheses.
    fn variation<P: Notation>(&mut self, start: &P, variation: &Variation<P::Move>, number: usize) {
        let Variation { moves, annotations } = variation;
        let mut positions = vec![start.clone()];
        for (ply, &m) in moves.iter().enumerate() {
            positions.push(positions[ply].after(m));
        }
        let positions: Vec<_> = positions.iter().collect();
        let first = self.parts.len();
        self.line::<P>(&Line { positions: &positions, moves, annotations, offers: &[] }, number);
        match self.parts.get_mut(first) {
            Some(Part::Word(word)) => word.insert(0, '('),
            _ => self.parts.insert(first, Part::Word("(".to_owned())),
        }
        match self.parts.last_mut() {
            Some(Part::Word(word)) => word.push(')'),
            _ => self.parts.push(Part::Word(")".to_owned())),
        }
    }

    fn note<P: Notation>(&mut self, note: Option<&Note>) {
        let Some(Note { glyphs, comment }) = note else { return };
        self.parts.extend(glyphs.iter().map(|glyph| Part::Word(format!("${glyph}"))));
        if comment.is_empty() {
            return;
        }
        if !comment.contains('}') && P::Records::parse_offer(comment).is_none() {
            self.parts.extend(format!("{{{comment}}}").split(' ').map(|word| Part::Word(word.to_owned())));
            return;
        }
        // The parser joins comments, so a long one may continue on the next line.
        let mut line = String::from(";");
        for word in comment.split(' ') {
            if line.len() > 1 && line.chars().count() + 1 + word.chars().count() >= 80 {
                self.parts.push(Part::LineComment(std::mem::replace(&mut line, ";".to_owned())));
            }
            line.push(' ');
            line.push_str(word);
        }
        self.parts.push(Part::LineComment(line));
    }
}

fn is_interruption(part: &Part) -> bool {
    match part {
        Part::Word(word) => !word.starts_with('$'),
        Part::LineComment(_) => true,
    }
}

/// A variation that begins at the start of a turn instead of within it.
fn with_prefix<M: Copy>(prefix: &[M], variation: &Variation<M>) -> Variation<M> {
    let mut moves = prefix.to_vec();
    moves.extend(&variation.moves);
    Variation { moves, annotations: variation.annotations.shifted(prefix.len()) }
}
