//! The search with this game's evaluation: it finds forced wins and agrees with minimax.

use std::ops::ControlFlow;

use sandtable_core::rules::{Rng, play_random_moves};
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::{Game, Notation as _, Outcome, Player, Position};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Report, Score, Selectivity};
use sandtable_tribun::{Action, Board, Height, Rules, Tile, Tribun, Unit};

fn search(position: &Tribun, selectivity: Selectivity, limits: &Limits) -> Report<Action> {
    let settings = AlphaBetaSettings::default().with_selectivity(selectivity);
    AlphaBeta::new(8, settings).search(&Game::from_position(*position), limits, |_| ControlFlow::Continue(()))
}

/// Returns whether the player to move can force a win within this number of its own actions, by exhaustive search.
fn wins(position: &Tribun, actions: u32) -> bool {
    let legal = position.legal_moves();
    if legal.iter().any(|action| matches!(action, Action::AttackTribun { .. })) {
        return true;
    }
    legal.into_iter().any(|action| {
        let reply = position.after(action);
        let replies = reply.legal_moves();
        // A player without a legal action has lost; otherwise every reply must lose.
        replies.is_empty()
            || actions > 1
                && replies.into_iter().all(|answer| {
                    let next = reply.after(answer);
                    !next.is_tribun_attacked() && wins(&next, actions - 1)
                })
    })
}

/// A random position with `units` units per side besides the tribuns.
fn random_position(rng: &mut Rng, units: usize) -> Tribun {
    let tiles: Vec<_> = Tile::all().collect();
    let mut bytes = [0; Tile::CIDS];
    let mut place = |unit: Unit, rng: &mut Rng| loop {
        let byte = &mut bytes[tiles[rng.below(tiles.len())].index()];
        if *byte == 0 {
            *byte = unit.byte();
            break;
        }
    };
    for player in Player::ALL {
        place(Unit::tribun(player, Height::One), rng);
        for _ in 0..units {
            // Units of height 6 and 8 have too many splits for an exhaustive search.
            place(Unit::new(player, Height::ALL[rng.below(4)]), rng);
        }
    }
    Tribun::new(Board::from_bytes(&bytes).unwrap(), Player::First, Rules::STANDARD)
}

/// Positions with the number of actions of the player to move until it wins.
const WINS: [(u32, &str); 10] = [
    (1, "black:b7=1*,c7=1,c8=1,k6=1 white:a4=1,c3=1,k7=1*,k8=1 b -"),
    (1, "black:b7=1*,f3=2,j8=2,k6=1 white:a6=4,b2=3,h3=2,h7=1* b -"),
    (1, "black:b3=1*,e1=3,f8=2,i7=1 white:a6=1,d3=1*,h4=1,k7=4 b -"),
    (2, "black:c3=1*,i6=1,j9=1,j11=3 white:d4=2,e2=2,f11=1,k10=1* b -"),
    (2, "black:d3=1*,i7=2,j10=1,k9=2 white:g6=3,h11=1,j5=3,k11=1* b -"),
    (2, "black:a5=2,e6=1*,f11=1,j11=3 white:e8=2,e9=2,k11=1* b -"),
    (2, "black:e3=1,g2=1*,j9=1,j11=3 white:c6=1,f8=3,k10=1* b -"),
    (3, "black:a5=2,c6=1*,e1=1,k7=1 white:a6=1*,g2=1,g4=2 b -"),
    (3, "black:f2=2,i7=1*,k9=3 white:i11=2,k8=1* b -"),
    (3, "black:b7=3,d8=3,j8=1* white:d1=1,g11=1* b -"),
];

#[test]
fn wins_are_found_with_their_distance() {
    for (distance, text) in WINS {
        let position = Tribun::from_text(text, Rules::STANDARD).unwrap();
        assert!(wins(&position, distance), "{text}");
        assert!(distance == 1 || !wins(&position, distance - 1), "{text}");
        let plies = 2 * distance - 1;
        let exact = search(&position, Selectivity::NONE, &Limits::depth(plies));
        assert_eq!(exact.score(), Some(Score::Win(plies)), "{text}");
        let found = search(&position, Selectivity::FULL, &Limits::nodes(40_000));
        assert!(matches!(found.score(), Some(Score::Win(_))), "{text}: {:?}", found.score());
    }
}

#[test]
fn wins_in_four_are_found() {
    for text in
        ["black:b1=2,f5=2,i10=1*,k6=2 white:k11=1* b -", "black:f3=2,f5=2,f8=1,k10=1* white:f1=1*,j7=1 b -"]
    {
        let position = Tribun::from_text(text, Rules::STANDARD).unwrap();
        // Exact, so a shorter win would have been found first. The transposition table keeps the search exact, because
        // Tribun has no repetition rule.
        let exact = Selectivity::NONE.with_transpositions(true);
        assert_eq!(search(&position, exact, &Limits::depth(7)).score(), Some(Score::Win(7)), "{text}");
        let found = search(&position, Selectivity::FULL, &Limits::nodes(40_000));
        assert!(matches!(found.score(), Some(Score::Win(_))), "{text}: {:?}", found.score());
    }
}

/// The minimax score for the player to move, with the static evaluation at the leaves.
fn minimax(position: &Tribun, depth: u32) -> Score {
    match position.outcome(1) {
        Outcome::Ongoing if depth == 0 => Score::Centipawns(position.view().evaluate()),
        Outcome::Ongoing => {
            let replies = position.legal_moves().into_iter();
            let scores = replies.map(|action| match minimax(&position.after(action), depth - 1) {
                Score::Centipawns(n) => Score::Centipawns(-n),
                Score::Win(n) => Score::Loss(n + 1),
                Score::Loss(n) => Score::Win(n + 1),
            });
            scores.max().expect("an ongoing game has legal actions")
        }
        Outcome::Win { .. } => Score::Loss(0),
        Outcome::Draw { .. } => unreachable!("no draw was agreed"),
    }
}

/// Asserts that the exact search agrees with minimax, and returns the score.
fn agreed(position: &Tribun) -> Score {
    let found = search(position, Selectivity::NONE, &Limits::depth(2)).score();
    let expected = minimax(position, 2);
    assert_eq!(found, Some(expected), "{}", position.to_text());
    expected
}

#[test]
fn the_exact_search_equals_minimax() {
    let mut rng = Rng::new(7);
    let scores: Vec<_> = (0..40).map(|_| agreed(&random_position(&mut rng, 2))).collect();
    let undecided = scores.iter().filter(|score| matches!(score, Score::Centipawns(_))).count();
    assert!((10..40).contains(&undecided), "{scores:?}");
}

#[test]
fn the_exact_search_equals_minimax_in_lost_positions() {
    for (_, text) in WINS.into_iter().filter(|(distance, _)| *distance == 2) {
        let position = Tribun::from_text(text, Rules::STANDARD).unwrap();
        let key = search(&position, Selectivity::NONE, &Limits::depth(3)).best().unwrap();
        assert_eq!(agreed(&position.after(key)), Score::Loss(2), "{text}");
    }
}

#[test]
fn the_search_beats_random_play() {
    for seed in 0..8 {
        let rules = if seed < 4 { Rules::STANDARD } else { Rules::NINETY };
        let player = Player::ALL[seed as usize % 2];
        let mut rng = Rng::new(seed);
        let mut engine = AlphaBeta::new(4, AlphaBetaSettings::default());
        let mut game = Game::<Tribun>::new(rules);
        while !game.outcome().is_over() && game.ply() < Tribun::PLY_LIMIT {
            if game.turn() == player {
                let report = engine.search(&game, &Limits::nodes(2000), |_| ControlFlow::Continue(()));
                game.play(report.best().unwrap()).unwrap();
            } else {
                play_random_moves(&mut game, &mut rng, 1);
            }
        }
        assert_eq!(game.outcome().winner(), Some(player), "{}", game.position().to_text());
    }
}
