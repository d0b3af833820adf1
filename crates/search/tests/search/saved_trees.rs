//! Trees that are saved and restored.

use proptest::prelude::*;
use sandtable_chess::Chess;
use sandtable_core::Game;
use sandtable_core::rules::Rng;
use sandtable_search::{Limits, Mcts, RestoreError, Static};

use crate::chess;
use crate::maze::{Maze, Plan};
use crate::trees::{BACK_RANK, SETTINGS, pseudo_random, searched};

proptest! {
    /// A search that is saved and restored at any moment goes on as if nothing had happened.
    #[test]
    fn saved_trees_continue_the_same_search(plan in 1_u64..1 << 20, at in 0_usize..40, gumbel in 0_usize..2) {
        let settings = SETTINGS().with_batch_size(3).with_gumbel_moves(gumbel * 4);
        let game = Game::<Maze>::new(Plan(plan));
        let mut tree = Mcts::new(game, settings, plan);
        tree.begin(60, true);
        let mut step = 0;
        let mut other = tree.clone();
        while tree.remaining() > 0 {
            if step == at {
                let mut bytes = Vec::new();
                tree.save(&mut bytes).unwrap();
                let mut rest = &bytes[..];
                other = Mcts::restore(tree.game().clone(), settings, &mut rest).unwrap();
                prop_assert!(rest.is_empty());
                prop_assert_eq!(
                    Mcts::restore(tree.game().clone(), settings, &mut &bytes[..bytes.len() - 1]).err(),
                    Some(RestoreError::TooShort)
                );
            }
            for tree in [&mut tree, &mut other] {
                let mut values = Vec::new();
                tree.select(3, |position, _, _| values.push(0.3 * pseudo_random(&position)));
                tree.expand(|leaf, priors| { priors.fill(1.0); values[leaf] });
            }
            step += 1;
        }
        prop_assert_eq!(tree.root_moves(), other.root_moves());
        prop_assert_eq!(tree.choose(1.0), other.choose(1.0));
    }
}

#[test]
fn saved_trees_of_another_game_are_refused() {
    let mut bytes = Vec::new();
    let tree = searched(Game::<Chess>::default(), SETTINGS(), 30, 0.1);
    tree.save(&mut bytes).unwrap();
    let other = chess(BACK_RANK);
    assert_eq!(Mcts::restore(other, SETTINGS(), &mut &bytes[..]).err(), Some(RestoreError::Invalid));
    let mut pending = tree;
    pending.begin(5, false);
    pending.select(1, |_, _, _| {});
    assert_eq!(pending.save(&mut bytes), Err(RestoreError::Pending));
}

/// A tree as bytes had it before they had a version: little-endian numbers, and indices of everything. The edges of the
/// root and of its child overlap.
fn bytes_without_version() -> Vec<u8> {
    const NONE: u32 = u32::MAX;
    const EDGES: u32 = 20;
    let mut bytes = vec![0; 8 + 8 + 4 + 16 + 4];
    let put = |bytes: &mut Vec<u8>, numbers: &[u32]| {
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    };
    put(&mut bytes, &[2]);
    for (parent, edge, first_child, turn) in [(NONE, NONE, 1, 0), (0, 0, NONE, 1)] {
        put(&mut bytes, &[parent, edge, first_child, NONE, 0, EDGES, 1, 0, 1]);
        bytes.extend([0; 16]);
        // Expanded, not proven, the player, the other player moved here.
        bytes.extend([2, 1, turn, 0]);
    }
    put(&mut bytes, &[EDGES]);
    put(&mut bytes, &[0.05_f32.to_bits(); EDGES as usize]);
    bytes
}

#[test]
fn bytes_of_another_version_are_refused() {
    let bytes = bytes_without_version();
    let restored = Mcts::restore(Game::<Chess>::default(), SETTINGS(), &mut &bytes[..]);
    let error = restored.err().unwrap();
    assert_eq!(error, RestoreError::Version(0));
    assert_eq!(
        error.to_string(),
        "the bytes are a search tree of version 0: expected version 2; search again and save the new tree"
    );
    let nothing = Mcts::restore(Game::<Chess>::default(), SETTINGS(), &mut &[][..]);
    assert_eq!(nothing.err(), Some(RestoreError::TooShort));
}

#[test]
fn changed_bytes_are_refused_or_a_tree_that_can_be_searched() {
    let mut rng = Rng::new(1);
    let mut accepted = 0;
    for round in 0..4_000_u64 {
        let settings = SETTINGS().with_gumbel_moves([0, 4][round as usize % 2]);
        let mut tree = Mcts::new(Game::<Maze>::new(Plan(1 + round % 7)), settings, round);
        tree.begin(20, true);
        for _ in 0..rng.below(12) {
            tree.select(2, |_, _, _| {});
            tree.expand(|_, _| 0.1);
        }
        let mut bytes = Vec::new();
        tree.save(&mut bytes).unwrap();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len());
            bytes[at] = rng.below(256) as u8;
        }
        let restored = Mcts::restore(tree.game().clone(), settings, &mut &bytes[..]);
        let Ok(mut tree) = restored else { continue };
        accepted += 1;
        for _ in 0..10 {
            tree.select(2, |_, _, _| {});
            tree.expand(|_, _| 0.1);
        }
        tree.search(&Static::default(), &Limits::nodes(10));
        if let Some(m) = tree.choose(1.0) {
            tree.advance(m).unwrap();
        }
    }
    assert!(accepted > 500, "{accepted}");
}
