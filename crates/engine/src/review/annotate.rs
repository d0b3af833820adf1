//! A review as annotations of a record, and back.

use sandtable_core::record::{Annotations, Note, Variation};
use sandtable_core::search::WinCurve;
use sandtable_core::{Outcome, Player};
use sandtable_games::{AnyGame, BoxedGame};

use super::turns::{PlayedTurn, rewind, turns_of, without_end};
use super::{Assessment, Better, Judgement, Review, ReviewScore, ReviewedTurn};

/// The commands in comments. Other programs read `%eval`, too.
const EVAL: &str = "eval";
const LOSS: &str = "loss";

impl Review {
    /// Adds the review to the annotations of its game, in place of an earlier one.
    ///
    /// Each turn gets a comment with its evaluation, `[%eval 0.35]`, and what it loses in per cent of the expected score,
    /// `[%loss 12.50]`. An error gets its glyph and the better line as a variation.
    pub fn annotate(&self, annotations: &mut Annotations<String>) {
        let first = self.turns.first().map_or(0, |turn| turn.plies.start);
        add_commands(annotations, first, &[eval(self.start)]);
        for turn in &self.turns {
            let (start, end) = (turn.plies.start, turn.plies.end);
            // Rounded down, so that the judgement of the rounded loss is the same.
            let loss = format!("[%{LOSS} {:.2}]", (10_000.0 * turn.loss).floor() / 100.0);
            // A position in which the game is won has no evaluation.
            let commands = if turn.after.score == ReviewScore::Mate(0) {
                vec![loss]
            } else {
                vec![eval(turn.after), loss]
            };
            remove_better(annotations, start, end);
            add_commands(annotations, end, &commands);
            let Some(judgement) = turn.judgement else { continue };
            if !annotations.note(end).is_some_and(|note| note.glyphs.contains(&judgement.glyph())) {
                annotations.add_glyph(end, judgement.glyph());
            }
            if let Some(better) = &turn.better {
                let mut variation = Variation::new(better.moves.clone());
                variation.annotations.add_comment(better.turn_len, &eval(better.after));
                annotations.add_variation(start, variation);
            }
        }
    }
}

fn eval(assessment: Assessment) -> String {
    format!("[%{EVAL} {}]", assessment.score)
}

/// Puts commands before the comment of a note, in place of those of an earlier review.
fn add_commands(annotations: &mut Annotations<String>, ply: usize, commands: &[String]) {
    let Note { glyphs, comment } = annotations.remove_note(ply).unwrap_or_default();
    // The glyph of an earlier review was added last; the other glyphs are not from a review.
    let old = judged(&comment).map(Judgement::glyph);
    let kept = glyphs.len() - usize::from(old.is_some() && glyphs.last().copied() == old);
    for glyph in &glyphs[..kept] {
        annotations.add_glyph(ply, *glyph);
    }
    for command in commands {
        annotations.add_comment(ply, command);
    }
    annotations.add_comment(ply, &without_command(&without_command(&comment, EVAL), LOSS));
}

/// Removes the better line of an earlier review of the turn from `start` to `end`: the last variation whose only
/// annotation is one evaluation. The other variations are not from a review.
fn remove_better(annotations: &mut Annotations<String>, start: usize, end: usize) {
    if annotations.note(end).and_then(|note| judged(&note.comment)).is_none() {
        return;
    }
    let Some(old) = annotations.variations(start).iter().rposition(is_better_line) else { return };
    let mut place = 0..;
    annotations.retain_variations(start, |_| place.next() != Some(old));
}

/// Whether a variation is as a review writes better lines.
fn is_better_line(variation: &Variation<String>) -> bool {
    let mut notes = variation.annotations.notes();
    let (Some((_, note)), None) = (notes.next(), notes.next()) else { return false };
    variation.annotations.all_variations().next().is_none()
        && note.glyphs.is_empty()
        && note.comment.starts_with(&format!("[%{EVAL} "))
        && without_command(&note.comment, EVAL).is_empty()
}

/// The judgement that a review has stated in a comment.
fn judged(comment: &str) -> Option<Judgement> {
    loss_in(comment).and_then(Judgement::of_loss)
}

/// The value of a command in a comment: `0.35` of `[%eval 0.35]`.
fn command<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = comment.split_once(&format!("[%{name} "))?;
    Some(rest.split_once(']')?.0.trim())
}

/// The loss that a review has stated in a comment.
fn loss_in(comment: &str) -> Option<f64> {
    let percent: f64 = command(comment, LOSS)?.parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent / 100.0)
}

fn without_command(comment: &str, name: &str) -> String {
    let Some((before, rest)) = comment.split_once(&format!("[%{name} ")) else { return comment.to_owned() };
    let Some((_, after)) = rest.split_once(']') else { return comment.to_owned() };
    format!("{before}{after}")
}

fn judgement_of(glyphs: &[u8]) -> Option<Judgement> {
    Judgement::ALL.into_iter().find(|judgement| glyphs.contains(&judgement.glyph()))
}

/// The evaluation in a variation.
fn better_eval(variation: &Variation<String>) -> Option<&str> {
    variation.annotations.notes().find_map(|(_, note)| command(&note.comment, EVAL))
}

/// Reads the review that a record contains: of [`Review::annotate`], or of a program that writes `[%eval …]` and glyphs. `None`
/// if a turn has no evaluation.
///
/// A loss that the record does not state is the difference of the evaluations before and after the turn; then the glyphs have the
/// judgement.
#[must_use]
pub fn read_review(game: &dyn AnyGame, annotations: &Annotations<String>) -> Option<Review> {
    // Most records have no evaluations, and a long game takes a while.
    annotations.notes().find_map(|(_, note)| command(&note.comment, EVAL))?;
    let turns = turns_of(game);
    let curve = game.win_curve();
    let note = |ply| annotations.note(ply).map_or(("", &[][..]), |note| (&*note.comment, &*note.glyphs));
    let last = turns.last()?.plies.end;
    let mut position = without_end(game);
    rewind(&mut position, last);
    let after_last = over(&position);
    let mut before = command(note(turns[0].plies.start).0, EVAL).and_then(|text| assessment(text, curve));
    let start = before;
    let mut reviewed = Vec::with_capacity(turns.len());
    for PlayedTurn { number, player, plies, text } in turns {
        let (comment, glyphs) = note(plies.end);
        let read = command(comment, EVAL).and_then(|text| assessment(text, curve));
        let after = read.or(after_last.filter(|_| plies.end == last))?;
        let (loss, judgement) = loss_in(comment).map_or_else(
            || {
                let before = before.unwrap_or(after);
                let loss = before.expected_for(player) - after.expected_for(player);
                (loss.max(0.0), judgement_of(glyphs))
            },
            |loss| (loss, Judgement::of_loss(loss)),
        );
        reviewed.push(ReviewedTurn { number, player, plies, text, after, loss, judgement, better: None });
        before = Some(after);
    }
    // Backwards, because a game can take moves back.
    for turn in reviewed.iter_mut().rev().filter(|turn| turn.judgement.is_some()) {
        rewind(&mut position, turn.plies.start);
        turn.better = read_better(&position, annotations.variations(turn.plies.start), curve);
    }
    // Some programs write no evaluation of the first position: assume that the first turn did not change it.
    let start = start.unwrap_or(reviewed.first()?.after);
    Some(Review { start, turns: reviewed })
}

fn read_better(game: &BoxedGame, variations: &[Variation<String>], curve: WinCurve) -> Option<Better> {
    variations.iter().find_map(|variation| {
        let after = assessment(better_eval(variation)?, curve)?;
        let line = game.line_turns(&variation.moves).ok()?;
        let turn_len = line.first()?.moves.len();
        let (turns, moves): (Vec<_>, Vec<_>) = line.into_iter().map(|turn| (turn.text, turn.moves)).unzip();
        Some(Better { turns, moves: moves.concat(), turn_len, after })
    })
}

/// The assessment of a position in which the game has been won.
fn over(game: &BoxedGame) -> Option<Assessment> {
    match game.outcome() {
        Outcome::Win { winner, .. } => {
            let expected = if winner == Player::First { 1.0 } else { 0.0 };
            Some(Assessment { score: ReviewScore::Mate(0), expected })
        }
        Outcome::Draw { .. } => Some(Assessment { score: ReviewScore::Centipawns(0), expected: 0.5 }),
        Outcome::Ongoing => None,
    }
}

/// The assessment that `[%eval …]` gives: pawns, or `#` and the turns to mate.
fn assessment(text: &str, curve: WinCurve) -> Option<Assessment> {
    if let Some(turns) = text.strip_prefix('#') {
        let turns: i32 = turns.parse().ok().filter(|turns| *turns != 0)?;
        let expected = if turns > 0 { 1.0 } else { 0.0 };
        return Some(Assessment { score: ReviewScore::Mate(turns), expected });
    }
    // Some programs write the depth after a comma.
    let pawns: f64 = text.split(',').next()?.parse().ok()?;
    let centipawns = Some((100.0 * pawns).round()).filter(|centipawns| centipawns.abs() < 100_000.0)?;
    #[expect(clippy::cast_possible_truncation, reason = "less than 100,000")]
    let centipawns = centipawns as i32;
    Some(Assessment {
        score: ReviewScore::Centipawns(centipawns),
        expected: curve.expected(centipawns.into()),
    })
}
