//! Hot paths do not allocate. The profiler is global to the process, so this file has a single test.

use sandtable_chess::{Chess, ChessExt as _, DrawRules, EnPassant};
use sandtable_core::learn::Layout;
use sandtable_core::rules::{Rng, perft, play_random_moves};
use sandtable_core::{Game, Observe as _, PolicyIndexed as _, Position};
use sandtable_testkit::blocks_allocated;

#[global_allocator]
static ALLOC: dhat::Alloc = dhat::Alloc;

#[test]
fn hot_paths_do_not_allocate() {
    let profiler = dhat::Profiler::builder().testing().build();
    let (mut positions, mut games) = (Vec::new(), Vec::new());
    for seed in 0..8 {
        let mut game = Game::<Chess>::new(DrawRules::default());
        play_random_moves(&mut game, &mut Rng::new(seed), 40);
        positions.push((game.position().clone(), game.context()));
        games.push(game);
    }
    let mut one = vec![f32::NAN; Chess::SHAPE.len()];
    let mut mask = vec![false; Chess::POLICY_SIZE];
    let lists: Vec<_> = positions.iter().map(|(position, _)| position.legal_moves()).collect();

    assert_eq!(blocks_allocated(|| drop(std::hint::black_box(Box::new(0)))), 1, "the profiler counts");
    let blocks = blocks_allocated(|| {
        for layout in [Layout::Hwc, Layout::Chw] {
            for (position, context) in &positions {
                position.write_observation(*context, layout, &mut one).unwrap();
                position.write_canonical(*context, layout, EnPassant::Always, &mut one).unwrap();
            }
        }
        let mut nodes = 0;
        for ((game, (position, _)), list) in games.iter().zip(&positions).zip(&lists) {
            std::hint::black_box(game.canonical_board());
            position.write_mask(&mut mask).unwrap();
            for &m in list {
                assert_eq!(position.move_at(position.policy_index(m)), Some(m));
                let next = position.after(m);
                std::hint::black_box((next.hash64(), next.outcome(1), next.same_position(position)));
            }
            nodes += perft(position, 3);
        }
        assert!(nodes > 0);
    });
    assert_eq!(blocks, 0, "blocks allocated on the hot paths");
    drop(profiler);
}
