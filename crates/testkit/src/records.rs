//! Records of games, with and without annotations.

use sandtable_core::Game;
use sandtable_core::record::{Annotations, Tags, Variation};
use sandtable_core::rules::{Rng, ends_turn, play_random_moves};

use crate::{Conformant, Subject, new_games};

/// Comments, glyphs and nested variations at random places survive writing and reading a record.
pub fn annotated_records_round_trip<P: Conformant>(subject: &Subject<P>) {
    for (i, mut game) in new_games(subject).into_iter().enumerate() {
        let mut rng = Rng::new(i as u64);
        play_random_moves(&mut game, &mut rng, 60);
        let moves: Vec<_> = game.moves_played().collect();
        let annotations = random_annotations(game.first_position(), &moves, &mut rng, 0);
        let text = P::write_record(&game, &Tags::new(), &annotations);
        let read = P::read_record(&text, game.position().rules()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!((&read.game, &read.annotations), (&game, &annotations), "{text}");
        assert_eq!(P::write_record(&read.game, &Tags::new(), &read.annotations), text);
    }
}

/// Annotations after and before some turns of a line.
fn random_annotations<P: Conformant>(
    start: &P,
    moves: &[P::Move],
    rng: &mut Rng,
    depth: usize,
) -> Annotations<P::Move> {
    const COMMENTS: [&str; 8] = [
        "good",
        "two words",
        "(not a variation) $1 ; [%eval 0.35]",
        "a } brace",
        "-",
        "offer:b",
        "Tướng bị chiếu!",
        "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789",
    ];
    let mut annotations = Annotations::default();
    let mut position = start.clone();
    let mut turn_start = (0, start.clone());
    for ply in 0..=moves.len() {
        if ply > 0 {
            position.play_unchecked(moves[ply - 1]);
            // Within a turn there is no place for annotations.
            let is_turn_end = ends_turn(turn_start.1.turn(), &position) || ply == moves.len();
            if !is_turn_end {
                continue;
            }
            if rng.below(4) == 0 {
                annotations.add_glyph(ply, rng.below(256) as u8);
            }
            if depth < 3 && rng.below(3) == 0 {
                let (from, before) = &turn_start;
                let mut line = Game::from_position(before.clone());
                let len = 1 + rng.below(6);
                play_random_moves(&mut line, rng, len);
                let moves: Vec<_> = line.moves_played().collect();
                let nested = random_annotations(before, &moves, rng, depth + 1);
                annotations.add_variation(*from, Variation { moves, annotations: nested });
            }
            turn_start = (ply, position.clone());
        }
        if rng.below(3) == 0 {
            annotations.add_comment(ply, COMMENTS[rng.below(COMMENTS.len())]);
        }
    }
    annotations
}

/// The record of a game – complete, unfinished, resigned or agreed drawn – loads back to an equal game.
pub fn records_round_trip<P: Conformant>(subject: &Subject<P>) {
    for (i, mut game) in new_games(subject).into_iter().enumerate() {
        let mut rng = Rng::new(i as u64);
        let tags: Tags = vec![("Event".into(), r#"A "test" \ of records"#.into())];
        for part in 0.. {
            let played = play_random_moves(&mut game, &mut rng, 37);
            let mut variants = vec![game.clone()];
            if !game.outcome().is_over() {
                variants.push(game.clone());
                variants[1].resign(if part % 2 == 0 { game.turn() } else { !game.turn() });
                variants.push(game.clone());
                variants[2].agree_draw();
            }
            for game in variants {
                let text = game.record(&tags);
                let (again, read) = Game::<P>::from_record(&text, game.position().rules())
                    .unwrap_or_else(|e| panic!("{e}\n{text}"));
                assert_eq!(again, game, "{text}");
                assert!(read.contains(&tags[0]), "{text}");
            }
            if played < 37 || game.ply() > P::PLY_LIMIT {
                break;
            }
        }
    }
}
