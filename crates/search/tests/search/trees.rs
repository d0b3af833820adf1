//! Trees whose leaves the caller evaluates: batches, wide roots, proofs, Gumbel roots and limits.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use sandtable_chess::{Chess, DrawRules};
use sandtable_core::rules::Rng;
use sandtable_core::{Game, Notation as _, Position};
use sandtable_cotulenh::CoTuLenh;
use sandtable_search::{Evaluator, Leaf, Limits, Mcts, MctsSettings, Static};
use sandtable_tribun::Tribun;

use crate::chess;
use crate::maze::{Maze, Plan};

pub(crate) const SETTINGS: fn() -> MctsSettings = MctsSettings::default;
pub(crate) const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

#[expect(clippy::cast_precision_loss, reason = "no position has millions of moves")]
fn count<T>(items: &[T]) -> f32 {
    items.len() as f32
}

/// A number from 0 to 1 that depends on the position alone.
pub(crate) fn pseudo_random<P: Position>(position: &P) -> f32 {
    Rng::new(position.hash64()).unit() as f32
}

/// Values as a network gives them: small differences from move to move. `spread` 0 makes all values 0.
fn search_with_values<P: Position>(tree: &mut Mcts<P>, spread: f32) -> usize {
    let mut evaluations = 0;
    while tree.remaining() > 0 {
        let mut values = Vec::new();
        tree.select(1, |position, _, _| values.push(spread * (2.0 * pseudo_random(&position) - 1.0)));
        evaluations += values.len();
        tree.expand(|leaf, priors| {
            priors.fill(1.0);
            values[leaf]
        });
    }
    evaluations
}

pub(crate) fn searched<P: Position>(
    game: Game<P>,
    settings: MctsSettings,
    visits: u32,
    spread: f32,
) -> Mcts<P> {
    let mut tree = Mcts::new(game, settings, 1);
    tree.begin(visits, false);
    search_with_values(&mut tree, spread);
    tree
}

/// The numbers of visits of the visited root moves, most first.
fn root_visits<P: Position>(tree: &Mcts<P>) -> Vec<u32> {
    let mut visits: Vec<_> = tree.root_moves().iter().map(|root| root.visits).filter(|n| *n > 0).collect();
    visits.sort_unstable_by(|a, b| b.cmp(a));
    visits
}

fn policy<P: Position>(tree: &Mcts<P>) -> Vec<f32> {
    let mut policy = vec![0.0; tree.root_len()];
    tree.write_policy(&mut policy);
    policy
}

#[test]
fn few_visits_are_spread_over_hundreds_of_moves() {
    fn check<P: Position>() {
        let moves = Game::<P>::new(P::Rules::default()).legal_moves().len();
        assert!(moves > 100, "{}", P::NAME);
        for (spread, least, most) in [(0.0, 28, 2), (0.05, 10, 12), (0.2, 6, 20)] {
            let tree = searched(Game::<P>::new(P::Rules::default()), SETTINGS(), 32, spread);
            let visits = root_visits(&tree);
            assert_eq!(visits.iter().sum::<u32>(), 32);
            assert!(visits.len() >= least && visits[0] <= most, "{} ± {spread}: {visits:?}", P::NAME);
        }
    }
    check::<CoTuLenh>();
    check::<Tribun>();
}

#[test]
fn a_batch_goes_on_after_a_collision() {
    /// Prefers one move everywhere, and remembers the sizes of its batches.
    struct Peaked(Mutex<Vec<usize>>);
    impl Evaluator<Chess> for Peaked {
        fn evaluate(&self, leaf: &mut Leaf<Chess>) {
            leaf.priors.fill(0.004);
            leaf.priors[0] = 0.9;
        }
        fn evaluate_batch(&self, leaves: &mut [Leaf<Chess>]) -> ControlFlow<()> {
            self.0.lock().unwrap().push(leaves.len());
            for leaf in leaves {
                self.evaluate(leaf);
            }
            ControlFlow::Continue(())
        }
    }
    let peaked = Peaked(Mutex::default());
    let mut tree = Mcts::new(Game::<Chess>::default(), SETTINGS().with_batch_size(8), 1);
    tree.search(&peaked, &Limits::nodes(80));
    let sizes = peaked.0.into_inner().unwrap();
    // The root alone, then full batches.
    assert_eq!(sizes[0], 1);
    assert!(sizes.len() <= 13, "{sizes:?}");
    assert_eq!(tree.visits(), 80);
}

#[test]
fn a_root_without_visits_has_the_value_of_its_evaluation() {
    let mut tree = Mcts::new(Game::<Chess>::default(), SETTINGS(), 1);
    tree.begin(1, false);
    assert_eq!(tree.select(8, |_, _, _| {}), 1);
    tree.expand(|_, _| 0.75);
    assert!((tree.root_value() - 0.75).abs() < 1e-6);
    assert_eq!((tree.visits(), tree.remaining()), (0, 1));
}

#[test]
fn a_proven_win_is_played_and_costs_no_evaluation() {
    let mut tree = Mcts::new(chess(BACK_RANK), SETTINGS(), 1);
    tree.begin(10_000, false);
    let evaluations = search_with_values(&mut tree, 0.0);
    assert!(evaluations < 40, "{evaluations} evaluations");
    assert_eq!(tree.visits(), 10_000);
    assert!((tree.root_value() - 1.0).abs() < 1e-6);
    let mate = tree.game().position().parse_move("d1d8").unwrap();
    for temperature in [0.0, 1.0] {
        assert_eq!(tree.choose(temperature), Some(mate));
    }
    let shares = policy(&tree);
    let index = tree.root_legal().iter().position(|&m| m == mate).unwrap();
    assert!((shares[index] - 1.0).abs() < 1e-6);
}

#[test]
fn a_move_that_loses_by_force_is_avoided() {
    // A rook that leaves the first rank allows mate by Re1, unless it gives check on a8; Ra1-e1 allows Rxe1 mate.
    let game = chess("4r1k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    let mut tree = Mcts::new(game, SETTINGS(), 1);
    tree.begin(3_000, false);
    search_with_values(&mut tree, 0.0);
    let lost: Vec<_> = tree.root_moves().into_iter().filter(|root| root.value <= -1.0).collect();
    assert!(!lost.is_empty() && lost.len() < tree.root_len());
    let shares = policy(&tree);
    assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    for root in &lost {
        let index = tree.root_legal().iter().position(|&m| m == root.root_move).unwrap();
        assert!(shares[index].abs() < f32::EPSILON, "{root:?}");
        assert!((0..50).all(|_| tree.choose(1.0) != Some(root.root_move)));
    }
}

/// Searches a maze with all of the prior on the first door and `other` on the rest, and calls `check` before every batch is
/// expanded and after the search.
fn search_first_door(plan: u64, visits: u32, other: f32, mut check: impl FnMut(&Mcts<Maze>)) {
    let mut tree = Mcts::new(Game::<Maze>::new(Plan(plan)), SETTINGS(), 1);
    tree.begin(visits, false);
    for step in 0.. {
        if tree.remaining() == 0 {
            break;
        }
        assert!(step <= visits, "maze {plan}: {} visits remain", tree.remaining());
        tree.select(4, |_, _, _| {});
        check(&tree);
        tree.expand(|_, priors| {
            priors.fill(other);
            priors[0] = 1.0;
            0.0
        });
    }
    assert_eq!(tree.visits(), visits);
    check(&tree);
}

#[test]
fn a_prior_of_negative_zero_is_zero() {
    for plan in 1..300 {
        let mut roots = Vec::new();
        for other in [0.0, -0.0] {
            search_first_door(plan, 60, other, |tree| roots.push(tree.root_moves()));
        }
        let (zero, negative) = roots.split_at(roots.len() / 2);
        assert_eq!(zero, negative, "maze {plan}");
    }
}

#[test]
fn a_proven_loss_has_no_share_although_the_other_moves_have_no_prior() {
    let mut lost = 0;
    for plan in 1..300 {
        for visits in [1, 2, 8] {
            search_first_door(plan, visits, 0.0, |tree| {
                if tree.root_value() > -1.0 {
                    for (root, share) in tree.root_moves().iter().zip(policy(tree)) {
                        let loses = root.visits > 0 && root.value <= -1.0;
                        assert!(!loses || share <= 0.0, "maze {plan}: {root:?} has {share}");
                        lost += u32::from(loses);
                    }
                }
            });
        }
    }
    assert!(lost > 20);
}

#[test]
fn a_line_ends_where_every_other_move_is_pending() {
    let mut ended = 0;
    for plan in 1..300 {
        search_first_door(plan, 12, 0.0, |tree| {
            ended += u32::from(tree.visits() > 0 && tree.line().is_empty());
        });
    }
    assert!(ended > 0);
}

proptest! {
    /// Proofs are those of an exhaustive search.
    #[test]
    fn proofs_are_exact(plan in 1_u64..1 << 20, batch in 1_usize..5, gumbel in 0_usize..2) {
        let settings = SETTINGS().with_batch_size(batch).with_gumbel_moves(gumbel * 4);
        let mut tree = Mcts::new(Game::<Maze>::new(Plan(plan)), settings, 1);
        tree.begin(400, true);
        while tree.remaining() > 0 {
            tree.select(batch, |_, _, _| {});
            tree.expand(|_, priors| { priors.fill(1.0); 0.0 });
        }
        prop_assert_eq!(tree.visits(), 400);
        let position = tree.game().position().clone();
        if tree.root_value().abs() >= 1.0 {
            let solved = solve(&position, 6);
            prop_assert!(solved.is_none() || (solved.unwrap() - tree.root_value()).abs() < 1e-6);
        }
        for root in tree.root_moves().iter().filter(|root| root.visits > 0 && root.value.abs() >= 1.0) {
            let next = position.after(root.root_move);
            let value = if next.turn() == position.turn() { root.value } else { -root.value };
            let solved = solve(&next, 6);
            prop_assert!(solved.is_none() || (solved.unwrap() - value).abs() < 1e-6, "{:?}", root);
        }
    }

    /// A batch that is given up changes nothing that counts.
    #[test]
    fn cancelled_batches_leave_the_tree_as_it_was(plan in 1_u64..1 << 20, batch in 1_usize..6) {
        let settings = SETTINGS().with_batch_size(batch);
        let mut plain = Mcts::new(Game::<Maze>::new(Plan(plan)), settings, 1);
        let mut tried = plain.clone();
        plain.begin(50, true);
        tried.begin(50, true);
        while plain.remaining() > 0 {
            let moves_before = tried.root_moves();
            tried.select(batch, |_, _, _| {});
            tried.cancel();
            if tried.root_moves() != moves_before {
                // Visits that ended at terminal nodes count.
                break;
            }
            for tree in [&mut plain, &mut tried] {
                tree.select(batch, |_, _, _| {});
                tree.expand(|_, priors| { priors.fill(1.0); 0.1 });
            }
            prop_assert_eq!(plain.root_moves(), tried.root_moves());
            prop_assert_eq!(plain.remaining(), tried.remaining());
        }
    }
}

/// The result for the side to move, if it can be proven within `depth` moves.
fn solve(position: &Maze, depth: usize) -> Option<f32> {
    if let Some(value) = position.outcome(1).value_for(position.turn()) {
        return Some(value);
    }
    if depth == 0 {
        return None;
    }
    let mut best = Some(-1.0_f32);
    for m in position.legal_moves() {
        let next = position.after(m);
        let value = solve(&next, depth - 1);
        let value = value.map(|value| if next.turn() == position.turn() { value } else { -value });
        best = match (best, value) {
            (_, Some(value)) if value >= 1.0 => return Some(1.0),
            (Some(best), Some(value)) => Some(best.max(value)),
            _ => None,
        };
    }
    best
}

#[test]
fn gumbel_moves_share_the_visits_by_sequential_halving() {
    for (visits, moves) in [(32, 16), (64, 16), (200, 8), (3, 16), (1, 16)] {
        let settings = SETTINGS().with_gumbel_moves(moves);
        let mut tree = Mcts::new(Game::<Tribun>::default(), settings, 7);
        tree.begin(visits, true);
        search_with_values(&mut tree, 0.1);
        let counts = root_visits(&tree);
        assert_eq!(counts.iter().sum::<u32>(), visits);
        assert_eq!(counts.len(), moves.min(visits as usize), "{visits} visits: {counts:?}");
        // At least two moves reach the last round.
        assert!(counts.len() < 2 || counts[0] - counts[1] <= 1, "{counts:?}");
        let chosen = tree.choose(0.0).unwrap();
        let chosen = tree.root_moves().into_iter().find(|root| root.root_move == chosen).unwrap();
        assert!(chosen.visits + 1 >= counts[0], "{chosen:?}");
        let shares = policy(&tree);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(shares.iter().all(|share| *share > 0.0), "every move has a share of the improved policy");
    }
}

#[test]
fn gumbel_noise_varies_the_moves_and_can_be_left_out() {
    let settings = SETTINGS().with_gumbel_moves(8);
    let visited = |seed, noise| {
        let mut tree = Mcts::new(Game::<Tribun>::default(), settings, seed);
        tree.begin(16, noise);
        search_with_values(&mut tree, 0.1);
        tree.root_moves().iter().map(|root| root.visits).collect::<Vec<_>>()
    };
    assert_ne!(visited(1, true), visited(2, true));
    assert_eq!(visited(1, true), visited(1, true));
    assert_eq!(visited(1, false), visited(2, false));
}

#[test]
fn improved_policy_prefers_better_moves_than_the_priors() {
    // The evaluation likes positions in which Black has fewer legal moves.
    let mut tree = Mcts::new(Game::<Chess>::default(), SETTINGS().with_gumbel_moves(20), 1);
    tree.begin(100, false);
    while tree.remaining() > 0 {
        let mut values = Vec::new();
        tree.select(1, |position, _, moves| {
            values.push(if position.turn() == Game::<Chess>::default().turn() {
                0.0
            } else {
                -(20.0 - count(moves)) / 20.0
            });
        });
        tree.expand(|leaf, priors| {
            priors.fill(1.0);
            values[leaf]
        });
    }
    let (shares, root) = (policy(&tree), tree.root_moves());
    let mean = |weights: &dyn Fn(usize) -> f32| {
        root.iter().enumerate().map(|(i, root)| weights(i) * root.value).sum::<f32>()
    };
    let (improved, before) = (mean(&|i| shares[i]), mean(&|i| root[i].prior));
    assert!(improved > before + 0.005, "{improved}, {before} by the priors");
}

#[test]
fn noise_is_scaled_by_the_number_of_moves_and_removed_by_the_next_search() {
    let mut tree = Mcts::new(Game::<Tribun>::default(), SETTINGS().with_noise(10.0, 0.25), 3);
    tree.begin(1, true);
    search_with_values(&mut tree, 0.0);
    let noisy: Vec<_> = tree.root_moves().iter().map(|root| root.prior).collect();
    assert!((noisy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
    // An alpha of 10 / 265 concentrates the noise on a few moves.
    let uniform = 1.0 / count(&noisy);
    assert!(noisy.iter().any(|prior| *prior > 4.0 * uniform));
    tree.begin(1, true);
    let again: Vec<_> = tree.root_moves().iter().map(|root| root.prior).collect();
    assert_ne!(noisy, again);
    tree.begin(1, false);
    assert!(tree.root_moves().iter().all(|root| (root.prior - uniform).abs() < 1e-7));
}

#[test]
fn trees_stop_growing_at_their_limit() {
    let settings = SETTINGS().with_max_nodes(2_000);
    let tree = searched(Game::<Tribun>::default(), settings, 1_000, 0.1);
    assert!(tree.size() < 12, "every node has some 265 edges");
    assert!(tree.visits() > 3 && tree.visits() < 12);
    // A move frees most of the tree.
    let mut tree = tree;
    let m = tree.choose(0.0).unwrap();
    tree.advance(m).unwrap();
    let before = tree.visits();
    tree.begin(3, false);
    search_with_values(&mut tree, 0.1);
    assert_eq!(tree.visits(), before + 3);
}

#[test]
fn games_at_the_limit_of_moves_count_as_drawn() {
    let mut tree = Mcts::new(Game::<Chess>::default(), SETTINGS().with_max_plies(1), 1);
    tree.begin(30, false);
    let mut leaves = 0;
    while tree.remaining() > 0 {
        leaves += tree.select(8, |_, _, _| {});
        tree.expand(|_, priors| {
            priors.fill(1.0);
            0.9
        });
    }
    assert_eq!((leaves, tree.visits()), (1, 30));
    assert!(tree.root_moves().iter().all(|root| root.value.abs() < 1e-6));
    let m = tree.choose(0.0).unwrap();
    tree.advance(m).unwrap();
    assert!(tree.is_finished());
    tree.begin(10, true);
    assert_eq!(tree.remaining(), 0);
    // A mate at the limit is a mate.
    let settings = SETTINGS().with_max_plies(1);
    let mut tree = Mcts::new(chess(BACK_RANK), settings, 1);
    tree.begin(50, false);
    search_with_values(&mut tree, 0.0);
    assert!((tree.root_value() - 1.0).abs() < 1e-6);
}

#[test]
fn restarted_trees_play_random_openings() {
    let mut tree = searched(Game::<Chess>::default(), SETTINGS(), 30, 0.1);
    tree.restart(Chess::start(DrawRules::default()), 4);
    assert_eq!((tree.game().ply(), tree.size(), tree.visits()), (4, 1, 0));
    let first: Vec<_> = tree.game().moves_played().collect();
    tree.restart(Chess::start(DrawRules::default()), 4);
    assert_ne!(tree.game().moves_played().collect::<Vec<_>>(), first);
}

/// Values that are no numbers: no move is better than another.
struct NotANumber;

impl Evaluator<Chess> for NotANumber {
    fn evaluate(&self, leaf: &mut Leaf<Chess>) {
        leaf.priors.fill(1.0);
        leaf.value = f32::NAN;
    }
}

#[test]
fn searches_that_cannot_go_on_end() {
    // Would stop an endless search.
    let polls = AtomicUsize::new(0);
    let stop = || polls.fetch_add(1, Ordering::Relaxed) > 10_000;
    let limits = Limits::nodes(100).with_stop(&stop);

    let mut tree = Mcts::new(Game::<Chess>::default(), SETTINGS(), 1);
    tree.search(&Static::default(), &limits.with_root_moves(&[20, 300]));
    assert_eq!((tree.visits(), tree.choose(0.0)), (0, None), "there are 20 legal moves");
    tree.search(&Static::default(), &limits.with_root_moves(&[19, 300]));
    assert_eq!((tree.visits(), tree.root_len()), (100, 1));

    let mut tree = Mcts::new(Game::<Chess>::default(), SETTINGS(), 1);
    tree.search(&NotANumber, &limits);
    assert!(tree.visits() < 100);
    assert!(polls.into_inner() < 1_000);
}
