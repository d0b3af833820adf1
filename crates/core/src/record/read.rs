//! The reader of game records: tags, first position, movetext, result.

use crate::record::scanner::{Place, Scanner, Token};
use crate::record::tags::strip_move_number;
use crate::record::{
    Annotations, MAX_NESTED_VARIATIONS, Notation, RESULT_TAG, RULES_TAG, Record, RecordErrorOf, RecordFormat,
    ResultWord, SyntaxFault, Tags, Variation,
};
use crate::{Game, Position, Rules as _};

/// The suffixes of a turn that stand for the glyphs 1 to 6.
const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Reads the first game of a text. `rules` apply if the record names none.
///
/// Where several tags have the same name, the first one counts.
pub fn read<P: Notation>(text: &str, rules: P::Rules) -> Result<Record<P>, RecordErrorOf<P>> {
    read_all(text, rules).next().unwrap_or_else(|| match P::Records::no_game() {
        Some(fault) => Err(RecordErrorOf::<P> { line: 1, column: 1, fault }),
        None => Ok(Record { game: Game::new(rules), tags: Tags::new(), annotations: Annotations::default() }),
    })
}

/// Reads all games of a text. After an error, it continues with the next set of tags.
pub fn read_all<P: Notation>(
    text: &str,
    rules: P::Rules,
) -> impl Iterator<Item = Result<Record<P>, RecordErrorOf<P>>> {
    let mut scanner = Scanner::new(text);
    std::iter::from_fn(move || {
        loop {
            scanner.skip_space();
            if scanner.rest().is_empty() {
                return None;
            }
            match read_game(&mut scanner, rules) {
                Ok(None) => {}
                Ok(Some(record)) => return Some(Ok(record)),
                Err((place, fault)) => {
                    let error = scanner.error(place, fault);
                    scanner.skip_to_next_game();
                    return Some(Err(error));
                }
            }
        }
    })
}

/// An error in a record of `P` and its place.
type Placed<P> = (Place, <<P as Notation>::Records as RecordFormat<P>>::Fault);

/// Attaches a place to an error.
fn at<F: From<E>, E>(place: Place) -> impl FnOnce(E) -> (Place, F) {
    move |fault| (place, fault.into())
}

/// Parses one game. `None` if the text has neither tag nor move nor result before its end, and the game calls that no game.
fn read_game<P: Notation>(
    scanner: &mut Scanner<'_>,
    rules: P::Rules,
) -> Result<Option<Record<P>>, Placed<P>> {
    let placed = scanner.tags().map_err(|(place, fault)| at(place)(fault))?;
    let (mut named, mut position, mut result_place) = (None, None, None);
    for (place, name, value) in &placed {
        if name == RULES_TAG {
            let rules = P::Rules::named(value);
            if let Some(fault) = P::Records::unknown_rules(value).filter(|_| rules.is_none()) {
                return Err((*place, fault));
            }
            named = named.or(rules);
        } else if name == P::Records::POSITION_TAG {
            position = position.or(Some((*place, value)));
        } else if name == RESULT_TAG {
            result_place = result_place.or(Some(*place));
        }
        P::Records::check_tag(name, value).map_err(at(*place))?;
    }
    let rules = named.unwrap_or(rules);
    let game = match position {
        None => Game::new(rules),
        Some((place, text)) => {
            Game::from_text(text, rules).map_err(|error| (place, P::Records::invalid_position(error)))?
        }
    };
    let mut lines = Lines::new(game);
    let word = read_movetext(scanner, &mut lines)?;
    let Lines { mut game, annotations, .. } = lines;
    if placed.is_empty() && game.ply() == 0 && word.is_none() && P::Records::no_game().is_some() {
        return Ok(None);
    }
    let mut tags: Tags = placed.into_iter().map(|(_, name, value)| (name, value)).collect();
    let (word, word_place) = word.unzip();
    let place = word_place.or(result_place).unwrap_or_else(|| scanner.place());
    P::Records::conclude(&mut game, &tags, word).map_err(at(place))?;
    if !P::Records::KEEPS_OWN_TAGS {
        tags.retain(|(name, _)| !P::Records::OWN_TAGS.contains(&name.as_str()));
    }
    Ok(Some(Record { game, tags, annotations }))
}

/// Movetext that is being read: the main line, and the variations that are open.
struct Lines<P: Position> {
    game: Game<P>,
    /// The annotations of the main line.
    annotations: Annotations<P::Move>,
    /// The place in the main line where its last turn begins.
    last_turn: Option<usize>,
    /// The open variations, the innermost one last.
    open: Vec<OpenVariation<P>>,
}

struct OpenVariation<P: Position> {
    opened_at: Place,
    line: Variation<P::Move>,
    position: P,
    /// The place in the line where its last turn begins, and the position before it.
    last_turn: Option<(usize, P)>,
}

impl<P: Position> Lines<P> {
    fn new(game: Game<P>) -> Self {
        Self { game, annotations: Annotations::default(), last_turn: None, open: Vec::new() }
    }

    /// The last position of the current line.
    fn position(&self) -> &P {
        self.open.last().map_or_else(|| self.game.position(), |variation| &variation.position)
    }

    /// The number of moves in the current line.
    fn ply(&self) -> usize {
        self.open.last().map_or_else(|| self.game.ply(), |variation| variation.line.moves.len())
    }

    /// The annotations of the current line.
    fn annotations(&mut self) -> &mut Annotations<P::Move> {
        match self.open.last_mut() {
            Some(variation) => &mut variation.line.annotations,
            None => &mut self.annotations,
        }
    }

    /// Plays a turn in the current line.
    fn play(&mut self, turn: &[P::Move]) {
        let Some(variation) = self.open.last_mut() else {
            self.last_turn = Some(self.game.ply());
            for &m in turn {
                self.game.play_unchecked(m);
            }
            return;
        };
        variation.last_turn = Some((variation.line.moves.len(), variation.position.clone()));
        for &m in turn {
            variation.position.play_unchecked(m);
        }
        variation.line.moves.extend(turn);
    }

    /// Opens a variation that replaces the last turn of the current line.
    fn open(&mut self, opened_at: Place) -> Result<(), SyntaxFault> {
        let before = match self.open.last() {
            Some(variation) => variation.last_turn.as_ref().map(|(_, before)| before),
            None => self.last_turn.map(|ply| self.game.history().nth(ply).expect("a turn has a move").0),
        };
        let position = before.ok_or(SyntaxFault::VariationFirst)?.clone();
        if self.open.len() == MAX_NESTED_VARIATIONS {
            return Err(SyntaxFault::Nesting(MAX_NESTED_VARIATIONS));
        }
        let line = Variation::new(Vec::new());
        self.open.push(OpenVariation { opened_at, line, position, last_turn: None });
        Ok(())
    }

    /// Closes the current variation.
    fn close(&mut self) -> Result<(), SyntaxFault> {
        let OpenVariation { line, .. } = self.open.pop().ok_or(SyntaxFault::Unmatched(')'))?;
        let from = match self.open.last() {
            Some(variation) => variation.last_turn.as_ref().map(|(from, _)| *from),
            None => self.last_turn,
        };
        let (from, ply) = (from.expect("a variation follows a turn"), self.ply());
        let annotations = self.annotations();
        if line.moves.is_empty() {
            // Without moves it is no more than its comment.
            let comment = line.annotations.note(0).map_or("", |note| &note.comment);
            annotations.add_comment(ply, comment);
        }
        annotations.add_variation(from, line);
        Ok(())
    }
}

/// Parses movetext up to its result, the next tag or the end of the text. Returns the result and its place.
fn read_movetext<P: Notation>(
    scanner: &mut Scanner<'_>,
    lines: &mut Lines<P>,
) -> Result<Option<(ResultWord, Place)>, Placed<P>> {
    let mut result = None;
    loop {
        scanner.skip_space();
        let place = scanner.place();
        let token = scanner.token(P::Records::group_len).map_err(|(place, fault)| at(place)(fault))?;
        let Some(token) = token else { break };
        let ply = lines.ply();
        match token {
            Token::Comment { text, in_braces } => match P::Records::parse_offer(&text) {
                Some(offer) if in_braces && lines.open.is_empty() => lines.game.set_draw_offer(offer),
                _ => lines.annotations().add_comment(ply, &text),
            },
            Token::Glyph(glyph) => lines.annotations().add_glyph(ply, glyph),
            Token::Open => lines.open(place).map_err(at(place))?,
            Token::Close => lines.close().map_err(at(place))?,
            Token::Word(word) => match ResultWord::from_text(word).filter(|_| P::Records::RESULT_WORDS) {
                Some(word) if lines.open.is_empty() => {
                    result = Some((word, place));
                    break;
                }
                // A result within a variation is a remark on the line, not the end of the game.
                Some(_) => {}
                None => read_turn(lines, word).map_err(at(place))?,
            },
        }
    }
    match lines.open.last() {
        Some(variation) => Err(at(variation.opened_at)(SyntaxFault::UnclosedVariation)),
        None => Ok(result),
    }
}

/// Parses a turn with its move number and its suffix, and plays it in the current line.
fn read_turn<P: Notation>(
    lines: &mut Lines<P>,
    word: &str,
) -> Result<(), <P::Records as RecordFormat<P>>::Fault> {
    let word = word.replace('…', "...");
    let text = strip_move_number(&word).trim_start_matches('.');
    let (text, glyph) = split_suffix(text);
    if !text.is_empty() {
        let moves = P::Records::parse_turn(lines.position(), lines.ply(), text)?;
        if moves.is_empty() {
            return Ok(());
        }
        lines.play(&moves);
    }
    if let Some(glyph) = glyph {
        let ply = lines.ply();
        lines.annotations().add_glyph(ply, glyph);
    }
    Ok(())
}

/// Splits a suffix such as `!?` off the text of a turn. Returns its glyph.
fn split_suffix(text: &str) -> (&str, Option<u8>) {
    let turn = text.trim_end_matches(['!', '?']);
    match SUFFIXES.iter().zip(1..).find(|(suffix, _)| **suffix == &text[turn.len()..]) {
        Some((_, glyph)) => (turn, Some(glyph)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_glyphs() {
        for (text, split) in [
            ("e4", ("e4", None)),
            ("e4!", ("e4", Some(1))),
            ("e4??", ("e4", Some(4))),
            ("e4?!", ("e4", Some(6))),
            ("f6!g7", ("f6!g7", None)),
            ("f6!g7!?", ("f6!g7", Some(5))),
            ("e4!!!", ("e4!!!", None)),
            ("!", ("", Some(1))),
        ] {
            assert_eq!(split_suffix(text), split, "{text}");
        }
    }
}
