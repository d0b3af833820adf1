//! Monte Carlo tree search: visit counts, forced wins, reproducibility.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use sandtable_chess::{Chess, DrawRules};
use sandtable_core::rules::{Context, DrawAction, DrawOffer};
use sandtable_core::{Game, Notation as _, Position};
use sandtable_search::{Evaluator, Leaf, Limits, Mcts, MctsSettings, Rollout, RootVisit, Static};

use crate::maze::{Maze, Plan};
use crate::{chess, random_games};

const ROLLOUT: Rollout = Rollout::new(2, 60);
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

fn tree<P: Position>(game: Game<P>, seed: u64) -> Mcts<P> {
    Mcts::new(game, MctsSettings::default(), seed)
}

fn grown<P: Position>(
    game: Game<P>,
    settings: MctsSettings,
    evaluator: &impl Evaluator<P>,
    visits: u64,
) -> Mcts<P> {
    let mut tree = Mcts::new(game, settings, 1);
    tree.search(evaluator, &Limits::nodes(visits));
    tree
}

fn prior_sum<M>(moves: &[RootVisit<M>]) -> f32 {
    moves.iter().map(|root| root.prior).sum()
}

proptest! {
    #[test]
    fn visits_add_up(plan in 1_u64..1 << 20, visits in 1_u64..300, batch in 1_usize..9) {
        let game = Game::<Maze>::new(Plan(plan));
        let tree = grown(game.clone(), MctsSettings::default().with_batch_size(batch), &ROLLOUT, visits);
        let moves = tree.root_moves();
        prop_assert_eq!(moves.iter().map(|root| root.root_move).collect::<Vec<_>>(), game.legal_moves());
        prop_assert_eq!(u64::from(tree.visits()), visits);
        prop_assert_eq!(moves.iter().map(|root| u64::from(root.visits)).sum::<u64>(), visits);
        prop_assert!((prior_sum(&moves) - 1.0).abs() < 1e-5);
        prop_assert!(moves.iter().all(|root| (-1.0..=1.0).contains(&root.value)));
        // Each visit creates at most one node.
        prop_assert!(tree.size() as u64 <= visits + 1);
    }

    #[test]
    fn advancing_keeps_the_subtree(plan in 1_u64..1 << 20, visits in 2_u64..200) {
        let mut tree = grown(Game::<Maze>::new(Plan(plan)), MctsSettings::default(), &ROLLOUT, visits);
        let chosen = tree.choose(0.0).unwrap();
        let expected = tree.root_moves().iter().find(|root| root.root_move == chosen).unwrap().visits;
        let (size, line) = (tree.size(), tree.line());
        tree.advance(chosen).unwrap();
        prop_assert!(tree.size() < size);
        prop_assert_eq!(tree.line(), &line[1..]);
        if !tree.game().outcome().is_over() {
            // The first visit of the child created it; the others went below, until its result was proven.
            let kept = tree.root_moves().iter().map(|root| root.visits).sum::<u32>();
            let proven = tree.root_value().abs() >= 1.0;
            prop_assert!(kept + 1 == expected || (proven && kept < expected) || tree.root_moves().is_empty());
            tree.search(&ROLLOUT, &Limits::nodes(10));
            prop_assert_eq!(tree.root_moves().iter().map(|root| root.visits).sum::<u32>(), kept + 10);
        }
    }
}

#[test]
fn finds_forced_wins() {
    let rollouts = grown(chess(BACK_RANK), MctsSettings::default(), &ROLLOUT, 400);
    let static_eval = grown(chess(BACK_RANK), MctsSettings::default(), &Static::default(), 400);
    for mut tree in [rollouts, static_eval] {
        let best = tree.choose(0.0).unwrap();
        assert_eq!(tree.game().position().move_text(best), "d1d8");
        let root = tree.root_moves().into_iter().find(|root| root.root_move == best).unwrap();
        assert!((root.value - 1.0).abs() < 1e-6, "a mate has value 1: {root:?}");
    }
    // Mate in two with two rooks.
    let game = chess("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    let mut tree = grown(game, MctsSettings::default(), &Static::default(), 3000);
    let best = tree.choose(0.0).unwrap();
    assert!(["a2a7", "b1b7"].contains(&tree.game().position().move_text(best).as_str()), "{:?}", tree.line());
}

#[test]
fn values_change_sign_only_with_the_side_to_move() {
    /// Favours the first player everywhere.
    struct FavoursFirst;
    impl Evaluator<Maze> for FavoursFirst {
        fn evaluate(&self, leaf: &mut Leaf<Maze>) {
            leaf.value = if leaf.position.turn() == Maze::start(Plan(0)).turn() { 0.5 } else { -0.5 };
        }
    }
    for plan in 1..60 {
        let tree = grown(Game::<Maze>::new(Plan(plan)), MctsSettings::default(), &FavoursFirst, 60);
        for root in tree.root_moves().iter().filter(|root| root.visits == 1) {
            let mut next = tree.game().position().clone();
            next.play(root.root_move).unwrap();
            if !next.outcome(1).is_over() {
                assert!((root.value - 0.5).abs() < 1e-6, "{root:?} in {plan}");
            }
        }
    }
}

#[test]
fn priors_of_any_magnitude_are_normalised() {
    /// Gives every move the same prior.
    struct EqualPriors(f32);
    impl Evaluator<Chess> for EqualPriors {
        fn evaluate(&self, leaf: &mut Leaf<Chess>) {
            leaf.priors.fill(self.0);
        }
    }
    for prior in [0.0, f32::MIN_POSITIVE, 1.0, f32::MAX] {
        let tree = grown(Game::<Chess>::default(), MctsSettings::default(), &EqualPriors(prior), 1);
        assert!(tree.root_moves().iter().all(|root| (root.prior - 0.05).abs() < 1e-6), "{prior}");
    }
}

#[test]
fn batched_and_threaded_evaluation_give_the_same_tree() {
    /// Counts its batches and evaluates them in reverse order.
    struct Batched(AtomicUsize);
    impl Evaluator<Chess> for Batched {
        fn evaluate(&self, leaf: &mut Leaf<Chess>) {
            ROLLOUT.evaluate(leaf);
        }
        fn evaluate_batch(&self, leaves: &mut [Leaf<Chess>]) -> ControlFlow<()> {
            self.0.fetch_add(1, Ordering::Relaxed);
            for leaf in leaves.iter_mut().rev() {
                self.evaluate(leaf);
            }
            ControlFlow::Continue(())
        }
    }
    let settings = |batch, threads| MctsSettings::default().with_batch_size(batch).with_threads(threads);
    for batch in [1, 8] {
        let plain = grown(chess(BACK_RANK), settings(batch, 1), &ROLLOUT, 120);
        let batched = Batched(AtomicUsize::new(0));
        assert_eq!(
            grown(chess(BACK_RANK), settings(batch, 1), &batched, 120).root_moves(),
            plain.root_moves()
        );
        assert!(batched.0.into_inner() > 0);
        assert_eq!(
            grown(chess(BACK_RANK), settings(batch, 3), &ROLLOUT, 120).root_moves(),
            plain.root_moves()
        );
    }
}

#[test]
fn leaves_carry_occurrences_and_the_draw_offer() {
    /// Records the leaves it evaluates.
    #[derive(Default)]
    struct Recorder(Mutex<Vec<(Chess, Context)>>);
    impl Evaluator<Chess> for Recorder {
        fn evaluate(&self, leaf: &mut Leaf<Chess>) {
            self.0.lock().unwrap().push((leaf.position.clone(), leaf.context));
        }
    }
    let mut game = Game::<Chess>::default();
    for text in ["g1f3", "g8f6", "f3g1"] {
        game.play(game.position().parse_move(text).unwrap()).unwrap();
    }
    let offer = DrawOffer::Open(game.turn());
    game.draw_action(game.turn(), DrawAction::Offer).unwrap();
    let recorder = Recorder::default();
    grown(game.clone(), MctsSettings::default(), &recorder, 300);
    let leaves = recorder.0.into_inner().unwrap();
    assert_eq!(leaves[0], (game.position().clone(), Context { occurrences: 1, draw_offer: offer }));
    let mut lapsed = 0;
    for (position, context) in &leaves[1..] {
        // The offer lapses with the opponent's move.
        let is_open = position.turn() != game.turn()
            && game.legal_moves().iter().any(|&m| game.position().after(m) == *position);
        assert_eq!(context.draw_offer, if is_open { offer } else { DrawOffer::None }, "{position:?}");
        lapsed += u32::from(!is_open);
        // Ng8 repeats the start position of the game.
        let repeats = game.first_position().same_position(position);
        assert_eq!(context.occurrences, if repeats { 2 } else { 1 }, "{position:?}");
    }
    assert!(lapsed > 0 && leaves.iter().any(|(_, context)| context.occurrences == 2));
}

#[test]
fn the_same_seed_grows_the_same_tree() {
    for game in random_games::<Chess>(DrawRules::default(), 3, 60) {
        let grow = |seed| {
            let mut tree = tree(game.clone(), seed);
            tree.add_noise(&ROLLOUT, 0.3, 0.25);
            tree.search(&ROLLOUT, &Limits::nodes(50));
            (tree.root_moves(), tree.choose(1.0))
        };
        assert_eq!(grow(1), grow(1));
        assert_ne!(grow(1), grow(2));
    }
}

#[test]
fn noise_changes_only_the_priors_of_the_root() {
    let mut quiet = tree(Game::<Chess>::default(), 1);
    quiet.search(&Static::default(), &Limits::nodes(200));
    let mut noisy = quiet.clone();
    noisy.add_noise(&Static::default(), 0.3, 0.25);
    let (before, after) = (quiet.root_moves(), noisy.root_moves());
    assert!((prior_sum(&after) - 1.0).abs() < 1e-5);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(
            (before.root_move, before.visits, before.value.to_bits()),
            (after.root_move, after.visits, after.value.to_bits())
        );
        assert!(after.prior >= 0.75 * before.prior - 1e-6);
    }
    assert!(before.iter().zip(&after).any(|(before, after)| (before.prior - after.prior).abs() > 0.01));
    // Below the root nothing has changed.
    let quiet_move =
        before.iter().filter(|root| root.visits > 1 && root.value < 0.99).max_by_key(|root| root.visits);
    let m = quiet_move.unwrap().root_move;
    quiet.advance(m).unwrap();
    noisy.advance(m).unwrap();
    assert_eq!(quiet.root_moves(), noisy.root_moves());
    assert!(!quiet.root_moves().is_empty());
}

#[test]
fn higher_temperatures_choose_less_visited_moves() {
    let mut tree = grown(Game::<Chess>::default(), MctsSettings::default(), &ROLLOUT, 200);
    let most = tree.root_moves().iter().map(|root| root.visits).max().unwrap();
    let visits_of =
        |tree: &Mcts<Chess>, m| tree.root_moves().iter().find(|root| root.root_move == m).unwrap().visits;
    let mut mean = |temperature: f32| {
        let chosen: Vec<_> = (0..300).map(|_| tree.choose(temperature).unwrap()).collect();
        chosen.into_iter().map(|m| f64::from(visits_of(&tree, m))).sum::<f64>() / 300.0
    };
    let means = [0.0, 0.2, 1.0, 100.0].map(&mut mean);
    assert!((means[0] - f64::from(most)).abs() < 1e-9, "temperature 0 chooses the most visited move");
    assert!(means.is_sorted_by(|a, b| a > b), "{means:?}");
}

#[test]
fn stop_is_polled_before_every_batch() {
    let polls = AtomicUsize::new(0);
    let stop = || polls.fetch_add(1, Ordering::Relaxed) == 7;
    let mut tree = tree(chess(BACK_RANK), 1);
    tree.search(&ROLLOUT, &Limits::until(&stop));
    assert_eq!(tree.visits(), 7);
}

#[test]
fn a_finished_game_grows_no_tree() {
    let mut tree = tree(chess("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), 1);
    tree.add_noise(&ROLLOUT, 0.3, 0.25);
    tree.search(&ROLLOUT, &Limits::default());
    assert_eq!((tree.visits(), tree.choose(0.0), tree.line().len()), (0, None, 0));
}
