//! Factored policies and symmetries of games whose kind is known only at run time.

use sandtable::core::learn::{FactorsError, PolicyIndex};
use sandtable::core::rules::{OutOfRange, Rng};
use sandtable::training::{permutations, write_factors};
use sandtable::{GAMES, find};

#[test]
fn heads_are_compact() {
    let largest = [("chess", [8, 8, 73]), ("cotulenh", [12, 11, 160]), ("tribun", [11, 11, 240])];
    for (game, [rows, cols, planes]) in largest {
        let head = find(game).unwrap().head;
        assert!(head.shape.rows <= rows && head.shape.cols <= cols && head.shape.planes <= planes, "{game}");
    }
}

#[test]
fn factors_of_every_index_are_inside_the_head() {
    for kind in GAMES {
        let mut factors = vec![0; kind.head.max_factors];
        let mut most = 0;
        for index in 0..kind.policy_size as u32 {
            write_factors(kind, PolicyIndex(index), &mut factors).unwrap();
            let used = factors.iter().filter(|&&factor| factor >= 0).count();
            let size = kind.head.shape.len();
            assert!(
                factors.iter().all(|&factor| usize::try_from(factor).map_or(true, |f| f < size)),
                "{index}"
            );
            most = most.max(used);
        }
        assert_eq!(most, kind.head.max_factors, "{}", kind.name);
        let error = OutOfRange { value: kind.policy_size, limit: kind.policy_size };
        let beyond = write_factors(kind, PolicyIndex(kind.policy_size as u32), &mut factors);
        assert_eq!(beyond, Err(FactorsError::Index(error)));
    }
}

#[test]
fn permutations_move_the_factors_of_every_index() {
    for kind in GAMES {
        let head = kind.head;
        let sorted = |index: i32| {
            let mut factors = vec![0; head.max_factors];
            write_factors(kind, PolicyIndex(index.cast_unsigned()), &mut factors).unwrap();
            factors.sort_unstable();
            factors
        };
        for symmetry in 0..head.symmetries {
            let maps = permutations(kind, symmetry).unwrap();
            for map in [&maps.cells, &maps.actions, &maps.factors] {
                let at = |i: usize| map[i].cast_unsigned() as usize;
                assert!((0..map.len()).all(|i| at(at(i)) == i), "{}", kind.name);
                assert_eq!(map.is_sorted(), symmetry == 0, "{}", kind.name);
            }
            for (index, &other) in (0..).zip(&maps.actions) {
                let moved = |factor: i32| usize::try_from(factor).map_or(-1, |factor| maps.factors[factor]);
                let mut factors: Vec<_> = sorted(index).into_iter().map(moved).collect();
                factors.sort_unstable();
                assert_eq!(sorted(other), factors, "action {index} of {}", kind.name);
            }
        }
        assert!(permutations(kind, head.symmetries).is_none());
    }
}

#[test]
fn transformed_games_have_the_transformed_actions() {
    for kind in GAMES {
        let mut game = kind.start(kind.rules[0]).unwrap();
        let mut rng = Rng::new(3);
        let mut reflected = 0;
        while !game.is_over() && game.ply() < 80 {
            assert!(game.transformed(0).is_some_and(|same| same.position_text() == game.position_text()));
            assert!(game.transformed(2).is_none());
            if let Some(other) = game.transformed(1) {
                let maps = permutations(kind, 1).unwrap();
                let mut expected: Vec<_> =
                    game.legal_indices().iter().map(|index| maps.actions[index.index()]).collect();
                expected.sort_unstable();
                assert!(other.legal_indices().iter().map(|index| index.0.cast_signed()).eq(expected));
                reflected += 1;
            }
            let text = game.random_move(&mut rng).unwrap();
            game.play(&text).unwrap();
        }
        assert_eq!(reflected > 0, kind.head.symmetries > 1, "{}", kind.name);
    }
}
