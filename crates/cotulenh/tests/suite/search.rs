//! Search on this game: full-width search equals minimax, and wins are found.

use std::collections::HashMap;
use std::ops::ControlFlow;

use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::{Game, Notation, Outcome, Player, Position, Rules as _};
use sandtable_cotulenh::{CoTuLenh, Rules, Step};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Report, Score, Selectivity};

use crate::agreement::scattered;

fn search(game: &Game<CoTuLenh>, selectivity: Selectivity, depth: u32) -> Report<Step> {
    let settings = AlphaBetaSettings::default().with_selectivity(selectivity);
    AlphaBeta::new(4, settings).search(game, &Limits::depth(depth), |_| ControlFlow::Continue(()))
}

/// The minimax score of the last position of a line, for its side to move. A repetition within the line is a draw.
fn minimax(line: &mut Vec<CoTuLenh>, depth: u32) -> Score {
    let (here, before) = line.split_last().unwrap();
    let here = *here;
    let occurrences = if before.iter().any(|earlier| earlier.same_position(&here)) { 3 } else { 1 };
    match here.outcome(occurrences) {
        Outcome::Draw { .. } => return Score::Centipawns(0),
        Outcome::Win { winner, .. } if winner == here.turn() => return Score::Win(1),
        Outcome::Win { .. } => return Score::Loss(0),
        Outcome::Ongoing if depth == 0 => return Score::Centipawns(here.view().evaluate()),
        Outcome::Ongoing => {}
    }
    let value = |step| {
        line.push(here.after(step));
        let same_side = line.last().unwrap().turn() == here.turn();
        let score = minimax(line, depth - 1);
        line.pop();
        match score {
            _ if same_side => score,
            Score::Centipawns(n) => Score::Centipawns(-n),
            Score::Win(turns) => Score::Loss(turns + 1),
            Score::Loss(turns) => Score::Win(turns + 1),
        }
    };
    here.legal_moves().into_iter().map(value).max().unwrap()
}

/// Whether `winner` can force a win within `turns` turns of both players, by exhaustive search with memoisation.
fn wins(position: &CoTuLenh, winner: Player, turns: u32, known: &mut HashMap<(CoTuLenh, u32), bool>) -> bool {
    match position.outcome(1) {
        Outcome::Win { winner: has_won, .. } => return has_won == winner,
        Outcome::Draw { .. } => return false,
        Outcome::Ongoing if turns == 0 => return false,
        Outcome::Ongoing => {}
    }
    if let Some(&answer) = known.get(&(*position, turns)) {
        return answer;
    }
    let mut won_after = |step| {
        let next = position.after(step);
        let turns = if next.turn() == position.turn() { turns } else { turns - 1 };
        wins(&next, winner, turns, known)
    };
    let answer = if position.turn() == winner {
        position.legal_moves().into_iter().any(&mut won_after)
    } else {
        position.legal_moves().into_iter().all(&mut won_after)
    };
    known.insert((*position, turns), answer);
    answer
}

/// The number of turns of both players in which the side to move can force a win, if at most `most`.
fn distance(position: &CoTuLenh, most: u32) -> Option<u32> {
    let known = &mut HashMap::new();
    (1..=most).find(|&turns| wins(position, position.turn(), turns, known))
}

/// Positions where Red forces a win, with the number of steps of both players in the shortest line. An even number of
/// steps means that the line contains a deployment of two steps.
const WINS: &[(u32, &str, &str)] = &[
    (1, "standard", "11/11/4C6/11/11/11/11/11/11/(NM)10/2c8/4Af5 r - - 0 1"),
    (1, "standard", "11/4H1c4/7C3/11/6T4/6(eg)4/11/11/11/1N9/11/11 r - - 0 1"),
    (1, "club", "2c8/11/11/(NI)10/11/11/11/11/3C7/11/11/11 r - - 0 1"),
    (2, "standard", "3c7/11/(NF)10/11/11/6C4/11/11/7s3/11/11/11 r - - 0 1"),
    (2, "club", "11/1(NT)9/11/2c8/2g8/11/5C2G2/11/2(ti)8/11/11/5I5 r - - 0 1"),
    (3, "standard", "11/11/11/2c8/11/11/11/7s3/3CE6/11/2N8/11 r - - 0 1"),
    (3, "club", "8c2/10A/11/4C4(EG)1/11/11/11/11/11/11/11/11 r - - 0 1"),
    (3, "club", "7i3/8(es)2/11/11/11/11/8s2/11/7S3/3(TI)7/4C6/5c5 r - - 0 1"),
    (4, "club", "11/5(TM)5/8c2/3C7/11/11/11/11/11/11/11/11 r - - 0 1"),
    (4, "standard", "11/11/11/11/11/5C5/11/11/4c6/11/(NM)10/6S4 r - - 0 1"),
    (5, "standard", "4C6/3F7/11/11/11/11/11/11/11/11/11/3c7 r - - 0 1"),
    (5, "standard", "11/11/11/11/11/11/11/11/6G4/10C/7c3/4S6 r - - 0 1"),
    (5, "club", "11/11/3I7/3C7/11/11/11/4A6/2c8/11/1(nm)9/11 r - - 0 1"),
    (7, "standard", "11/11/11/10S/11/11/11/11/11/11/10c/8C2 r - - 0 1"),
    (7, "standard", "11/11/11/11/8G2/11/10G/11/9C1/11/11/10c r - - 0 1"),
];

#[test]
fn finds_wins_with_their_distance() {
    for &(steps, preset, fen) in WINS {
        let position = CoTuLenh::from_text(fen, Rules::named(preset).unwrap()).unwrap();
        let turns = (steps - 1) | 1;
        assert_eq!(distance(&position, turns), Some(turns), "{fen}");
        let game = Game::from_position(position);
        let exact = search(&game, Selectivity::NONE, steps);
        assert_eq!(exact.score(), Some(Score::Win(turns)), "{fen}");
        assert_eq!(exact.lines[0].moves.len(), steps as usize, "{fen}");
        // The selective search may need a few more plies, but finds the same distance.
        let mut engine = AlphaBeta::new(4, AlphaBetaSettings::default());
        let played = engine.search(&game, &Limits::nodes(20_000), |_| ControlFlow::Continue(()));
        assert_eq!(played.score(), Some(Score::Win(turns)), "{fen}");
    }
}

#[test]
fn alpha_beta_equals_minimax_on_random_play() {
    for (_, rules) in Rules::PRESETS {
        for seed in 0..2 {
            let mut game = Game::<CoTuLenh>::new(*rules);
            play_random_moves(&mut game, &mut Rng::new(seed), 45 * seed as usize + 5);
            let fresh = Game::from_position(*game.position());
            for depth in 1..=2 {
                let report = search(&fresh, Selectivity::NONE, depth);
                let expected = minimax(&mut vec![*fresh.position()], depth);
                assert_eq!(report.score(), Some(expected), "{}", fresh.position().to_text());
            }
        }
    }
}

#[test]
fn alpha_beta_equals_minimax_on_scattered_boards() {
    let mut rng = Rng::new(3);
    let mut compared = 0;
    for (_, rules) in Rules::PRESETS {
        for _ in 0..4 {
            let game = Game::from_position(scattered(*rules, 3, &mut rng));
            if game.outcome().is_over() {
                continue;
            }
            for depth in 1..=3 {
                let report = search(&game, Selectivity::NONE, depth);
                let expected = minimax(&mut vec![*game.position()], depth);
                assert_eq!(report.score(), Some(expected), "{} at {depth}", game.position().to_text());
            }
            compared += 1;
        }
    }
    assert!(compared > 4, "{compared} ongoing games");
}
