//! Hot paths allocate nothing. The profiler is one for the whole process, so this is one test.

use sandtable_chess::{DrawRules, EnPassant, Position};
use sandtable_core::{
    Game, Layout, Observe as _, PolicyIndexed as _, Position as _, Rng, encode_batch, perft, play_randomly,
};
use sandtable_testkit::blocks_allocated;

#[global_allocator]
static ALLOC: dhat::Alloc = dhat::Alloc;

#[test]
fn hot_paths_allocate_nothing() {
    let profiler = dhat::Profiler::builder().testing().build();
    let mut positions = Vec::new();
    for seed in 0..8 {
        let mut game = Game::<Position>::new(DrawRules::default());
        play_randomly(&mut game, &mut Rng::new(seed), 40);
        positions.push((game.position().clone(), game.occurrences()));
    }
    let mut one = vec![f32::NAN; Position::SHAPE.len()];
    let mut batch = vec![f32::NAN; positions.len() * Position::SHAPE.len()];
    let mut mask = vec![false; Position::POLICY_SIZE];
    let lists: Vec<_> = positions.iter().map(|(position, _)| position.legal_moves()).collect();

    assert_eq!(blocks_allocated(|| drop(std::hint::black_box(Box::new(0)))), 1, "the allocator counts");
    let blocks = blocks_allocated(|| {
        for layout in [Layout::Hwc, Layout::Chw] {
            encode_batch(positions.iter().map(|(p, n)| (p, *n)), layout, &mut batch).unwrap();
            for (position, occurrences) in &positions {
                position.write_observation(*occurrences, layout, &mut one).unwrap();
                position.write_canonical(*occurrences, layout, EnPassant::Always, &mut one).unwrap();
            }
        }
        let mut nodes = 0;
        for ((position, occurrences), list) in positions.iter().zip(&lists) {
            std::hint::black_box(position.canonical_board(*occurrences));
            position.write_mask(&mut mask).unwrap();
            for &m in list {
                assert_eq!(position.move_at(position.policy_index(m)), Some(m));
                let mut next = position.clone();
                next.play(m).unwrap();
                std::hint::black_box((next.hash64(), next.outcome(1), next.same_position(position)));
            }
            nodes += perft(position, 3);
        }
        assert!(nodes > 0);
    });
    assert_eq!(blocks, 0, "blocks allocated on the hot paths");
    drop(profiler);
}
