//! Tactics: mates, stalemates, repetitions.

use std::collections::HashMap;
use std::ops::ControlFlow;

use sandtable_chess::Chess;
use sandtable_core::rules::Rng;
use sandtable_core::search::{Evaluate as _, NodeView as _};
use sandtable_core::{Game, Notation, Outcome, Position};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Report, Score};

use crate::{chess, random_endgame};

fn search(game: &Game<Chess>, depth: u32) -> Report<sandtable_chess::Move> {
    AlphaBeta::new(4, AlphaBetaSettings::default())
        .search(game, &Limits::depth(depth), |_| ControlFlow::Continue(()))
}

/// Returns whether the side to move can force mate within `plies`, by exhaustive search with memoisation.
fn mates(position: &Chess, plies: u32, known: &mut HashMap<(Chess, u32), bool>) -> bool {
    if plies == 0 {
        return false;
    }
    if let Some(&answer) = known.get(&(position.clone(), plies)) {
        return answer;
    }
    let answer = position.legal_moves().into_iter().any(|m| {
        let reply = position.after(m);
        match reply.outcome(1) {
            Outcome::Win { .. } => true,
            Outcome::Draw { .. } => false,
            Outcome::Ongoing => {
                plies > 2 && reply.legal_moves().into_iter().all(|m| mates(&reply.after(m), plies - 2, known))
            }
        }
    });
    known.insert((position.clone(), plies), answer);
    answer
}

#[test]
fn finds_mates_in_one_to_four_with_their_distance() {
    let mut rng = Rng::new(4);
    let mut found = [0; 5];
    while found[1..].iter().any(|&n| n < 3) {
        let Some(position) = random_endgame(&mut rng) else { continue };
        let mut known = HashMap::new();
        let Some(distance) = (1..=4).find(|n| mates(&position, 2 * n - 1, &mut known)) else { continue };
        found[distance as usize] += 1;
        if found[distance as usize] > 3 {
            continue;
        }
        let plies = 2 * distance - 1;
        let game = Game::from_position(position);
        // Reductions may delay a mate by a few plies.
        let report = search(&game, plies + 8);
        assert_eq!(report.score(), Some(Score::Win(plies)), "{}", game.position().to_text());
        assert_eq!(report.score().and_then(Score::mate_in), Some(distance.cast_signed()));
        assert_eq!(report.lines[0].moves.len(), plies as usize, "{}", game.position().to_text());
    }
}

#[test]
fn avoids_stalemate_in_a_won_game() {
    // Qf8 mates; Qf7 stalemates.
    let report = search(&chess("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"), 1);
    assert_eq!(report.score(), Some(Score::Win(1)));
    // Kc3 gives the white king a square and then promotes; with White to move this would be stalemate.
    let game = chess("8/8/8/8/8/1k6/1p6/1K6 b - - 0 1");
    let report = search(&game, 8);
    assert_eq!(game.position().move_text(report.best().unwrap()), "b3c3");
    assert!(report.score() > Some(Score::Centipawns(500)));
}

#[test]
fn saves_a_lost_game_by_stalemate() {
    // Rg8+ sacrifices the rook: the forced recapture stalemates.
    let game = chess("7k/7p/8/8/8/8/2q5/K5R1 w - - 0 1");
    let report = search(&game, 4);
    assert_eq!(game.position().move_text(report.best().unwrap()), "g1g8");
    assert_eq!(report.score(), Some(Score::Centipawns(0)), "{report:?}");
}

#[test]
fn saves_a_lost_game_by_repetition() {
    // Perpetual check by the queen.
    let game = chess("5rk1/5p2/7Q/8/8/8/qr6/7K w - - 0 1");
    assert!(game.position().view().evaluate() < -500);
    let report = search(&game, 8);
    assert_eq!(report.score(), Some(Score::Centipawns(0)), "{report:?}");
}

#[test]
fn counts_repetitions_of_positions_before_the_root() {
    let mut game = chess("6k1/5ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1");
    for text in ["a1b1", "g8h8", "b1a1", "h8g8", "a1b1", "g8h8", "b1a1", "h8g8"] {
        game.play(game.position().parse_move(text).unwrap()).unwrap_or_else(|e| panic!("{text}: {e}"));
        if game.occurrences() == 2 && text == "g8h8" {
            break;
        }
    }
    // After Qa1, Kg8 would repeat the start position for the third time.
    let mut search = AlphaBeta::new(4, AlphaBetaSettings::default().with_lines(100));
    let report = search.search(&game, &Limits::depth(2), |_| ControlFlow::Continue(()));
    let back = game.position().parse_move("b1a1").unwrap();
    let line = report.lines.iter().find(|line| line.moves[0] == back).unwrap();
    assert_eq!(line.score, Score::Centipawns(0));
    assert!(report.score() > Some(Score::Centipawns(500)));
    let fresh = Game::from_position(game.position().clone());
    let report = search.search(&fresh, &Limits::depth(2), |_| ControlFlow::Continue(()));
    let line = report.lines.iter().find(|line| line.moves[0] == back).unwrap();
    assert!(line.score > Score::Centipawns(500));
}
