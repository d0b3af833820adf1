//! The board model: mailbox indices, directions, terrain, square sets.

use std::collections::HashSet;

use sandtable_cotulenh::{Direction, Kind, Square, SquareError, SquareSet, Terrain, Zone};

fn sq(name: &str) -> Square {
    name.parse().unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn mailbox_indices_of_known_squares() {
    let corners = [("a12", 0), ("k12", 10), ("a1", 176), ("k1", 186)];
    let common = [("e6", 100), ("f7", 85), ("d5", 115), ("h9", 55)];
    let examples = [("a6", 96), ("b6", 97), ("c6", 98), ("d6", 99), ("d7", 83), ("e7", 84), ("f6", 101)];
    let more =
        [("h6", 103), ("k6", 106), ("e12", 4), ("e1", 180), ("a11", 0x10), ("e5", 0x74), ("k11", 0x1A)];
    for (name, index) in corners.into_iter().chain(common).chain(examples).chain(more) {
        assert_eq!(sq(name).index(), index, "{name}");
        assert_eq!(Square::new(index as u8).map(|square| square.to_string()).as_deref(), Some(name));
    }
}

#[test]
fn files_ranks_and_rank_indices_of_known_squares() {
    let table = [("e6", 4, 6, 6), ("f7", 5, 5, 7), ("d5", 3, 7, 5), ("h9", 7, 3, 9)];
    for (name, file, rank_index, rank) in table {
        let square = sq(name);
        assert_eq!((square.file(), square.rank_index(), square.rank()), (file, rank_index, rank), "{name}");
    }
}

#[test]
fn rank_indices_count_from_rank_12() {
    for square in Square::all() {
        assert_eq!(square.rank_index(), 12 - square.rank());
        assert_eq!(square.rank(), 12 - square.rank_index());
        assert_eq!(square.index(), usize::from(square.rank_index()) * 16 + usize::from(square.file()));
    }
    assert_ne!(sq("e1").index(), 4);
}

#[test]
fn constants_match_their_names() {
    assert_eq!([Square::A12, Square::K12, Square::A1, Square::K1].map(Square::index), [0, 10, 176, 186]);
    assert_eq!((Square::E6, Square::F7, Square::D5), (sq("e6"), sq("f7"), sq("d5")));
}

#[test]
fn coordinates_count_from_a1() {
    assert_eq!(Square::from_coords(0, 1), Some(Square::A1));
    assert_eq!(Square::from_coords(10, 12), Some(Square::K12));
    for (file, rank) in [(11, 1), (0, 0), (0, 13), (0, u8::MAX)] {
        assert_eq!(Square::from_coords(file, rank), None);
    }
    for square in Square::all() {
        assert_eq!(Square::from_coords(square.file(), square.rank()), Some(square));
    }
}

#[test]
fn of_256_indices_132_are_squares() {
    let valid: Vec<u8> = (0..=255).filter(|&index| Square::new(index).is_some()).collect();
    assert_eq!((valid.len(), 256 - valid.len()), (132, 124));
    assert_eq!(Square::NUM, 132);
    assert!(valid.iter().all(|index| index & 0x0F < 11 && index >> 4 < 12));
    assert!(Square::all().map(Square::index).eq(valid.into_iter().map(usize::from)));
}

#[test]
fn the_0x88_mask_does_not_fit_this_board() {
    let accepted = |square: &Square| square.index() & 0x88 == 0;
    // It rejects squares of the board: all on files i, j and k, and all on ranks 1 to 4.
    let rejected: Vec<_> = Square::all().filter(|square| !accepted(square)).collect();
    assert!(rejected.iter().all(|square| square.file() >= 8 || square.rank() <= 4));
    assert_eq!(rejected.len(), 132 - 8 * 8);
    assert!(rejected.contains(&sq("k12")) && rejected.contains(&sq("a1")));
}

#[test]
fn names_round_trip() {
    let names: HashSet<String> = Square::all().map(|square| square.to_string()).collect();
    assert_eq!(names.len(), 132);
    assert!(Square::all().all(|square| sq(&square.to_string()) == square));
}

#[test]
fn rejects_malformed_names() {
    let table = [
        ("a0", SquareError::Rank(0), "unknown rank 0: expected 1 to 12"),
        ("l5", SquareError::File('l'), "unknown file `l`: expected a to k"),
        ("a13", SquareError::Rank(13), "unknown rank 13"),
        ("e", SquareError::RankMissing, "missing rank"),
        ("é6", SquareError::File('é'), "unknown file `é`"),
        ("", SquareError::Missing, "expected a square"),
        ("e6x", SquareError::RankNotNumber, "malformed rank"),
        ("e06", SquareError::RankNotNumber, "malformed rank: expected a number from 1 to 12"),
        ("E6", SquareError::File('E'), "unknown file `E`"),
        ("e99999999999", SquareError::RankNotNumber, "malformed rank: expected a number from 1 to 12"),
    ];
    for (text, error, message) in table {
        assert_eq!(text.parse::<Square>(), Err(error), "{text:?}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn steps_from_e6_in_all_directions() {
    let table = [
        (Direction::North, -16, "e7", 84),
        (Direction::South, 16, "e5", 116),
        (Direction::East, 1, "f6", 101),
        (Direction::West, -1, "d6", 99),
        (Direction::NorthEast, -15, "f7", 85),
        (Direction::NorthWest, -17, "d7", 83),
        (Direction::SouthEast, 17, "f5", 117),
        (Direction::SouthWest, 15, "d5", 115),
    ];
    for (direction, offset, name, index) in table {
        assert_eq!(direction.offset(), offset);
        assert_eq!(Square::E6.step(direction), Some(sq(name)));
        assert_eq!(sq(name).index(), index);
    }
    let e8 = Square::E6.step(Direction::North).and_then(|e7| e7.step(Direction::North)).unwrap();
    assert_eq!(e8.index() + 32, Square::E6.index());
}

#[test]
fn a_step_and_its_opposite_cancel() {
    for square in Square::all() {
        for direction in Direction::ALL {
            assert_eq!(direction.opposite().opposite(), direction);
            assert_eq!(direction.opposite().offset(), -direction.offset());
            if let Some(next) = square.step(direction) {
                assert_eq!(next.step(direction.opposite()), Some(square));
                assert_eq!(square.line_to(next), Some((direction, 1)));
            }
        }
    }
}

#[test]
fn a_step_off_the_board_is_none() {
    for square in Square::all() {
        for direction in Direction::ALL {
            let (files, ranks) = match direction {
                Direction::North => (0, 1),
                Direction::South => (0, -1),
                Direction::East => (1, 0),
                Direction::West => (-1, 0),
                Direction::NorthEast => (1, 1),
                Direction::NorthWest => (-1, 1),
                Direction::SouthEast => (1, -1),
                Direction::SouthWest => (-1, -1),
            };
            let (file, rank) = (square.file().cast_signed() + files, square.rank().cast_signed() + ranks);
            let on_board = (0..11).contains(&file) && (1..=12).contains(&rank);
            let next = square.step(direction);
            assert_eq!(next.is_some(), on_board, "{square} {direction:?}");
            if let Some(next) = next {
                assert_eq!((next.file().cast_signed(), next.rank().cast_signed()), (file, rank));
            }
        }
    }
}

#[test]
fn lines_have_any_length() {
    assert_eq!(sq("a1").line_to(sq("a12")), Some((Direction::North, 11)));
    assert_eq!(sq("a1").line_to(sq("k11")), Some((Direction::NorthEast, 10)));
    assert_eq!(sq("a1").line_to(sq("b3")), None);
    assert_eq!(sq("a1").line_to(sq("a1")), None);
}

#[test]
fn terrain_map() {
    let map: Vec<String> = (1..=12)
        .rev()
        .map(|rank| {
            let ground = |file| match Square::from_coords(file, rank).unwrap().terrain() {
                Terrain::Water => '~',
                Terrain::Mixed => ':',
                Terrain::Land => '.',
            };
            (0..11).map(ground).collect()
        })
        .collect();
    let expected = [
        "~~:........",
        "~~:........",
        "~~:........",
        "~~:........",
        "~~:........",
        "~~:::......",
        "~~:::......",
        "~~:........",
        "~~:........",
        "~~:........",
        "~~:........",
        "~~:........",
    ];
    assert_eq!(map, expected);
}

#[test]
fn zones_meet_between_ranks_6_and_7() {
    for square in Square::all() {
        assert_eq!(square.zone() == Zone::Upper, square.rank_index() <= 5);
    }
    assert_eq!((sq("f8").zone(), sq("f5").zone()), (Zone::Upper, Zone::Lower));
    assert_eq!((sq("a7").zone(), sq("a6").zone()), (Zone::Upper, Zone::Lower));
}

#[test]
fn heavy_pieces_are_artillery_anti_air_and_missile() {
    let heavy: Vec<_> = Kind::ALL.into_iter().filter(|kind| kind.is_heavy()).collect();
    assert_eq!(heavy, [Kind::Artillery, Kind::AntiAir, Kind::Missile]);
}

#[test]
fn navies_stand_on_water_and_all_others_on_land() {
    for square in Square::all() {
        for kind in Kind::ALL {
            let expected = match square.terrain() {
                Terrain::Water => kind == Kind::Navy,
                Terrain::Mixed => true,
                Terrain::Land => kind != Kind::Navy,
            };
            assert_eq!(kind.may_stand(square), expected, "{kind:?} {square}");
        }
    }
}

#[test]
fn square_sets_behave_like_sets() {
    let upper: SquareSet = Square::all().filter(|square| square.zone() == Zone::Upper).collect();
    let water: SquareSet = Square::all().filter(|square| square.terrain() == Terrain::Water).collect();
    for square in Square::all() {
        let (in_upper, in_water) = (square.rank() >= 7, square.file() < 2);
        assert_eq!((upper & water).contains(square), in_upper && in_water);
        assert_eq!((upper | water).contains(square), in_upper || in_water);
        assert_eq!((upper - water).contains(square), in_upper && !in_water);
        assert_eq!((!upper).contains(square), !in_upper);
        assert_eq!(upper.mirrored().contains(square), !in_upper);
    }
    assert_eq!((upper.len(), water.len(), (!upper).len()), (66, 24, 66));
    assert_eq!((SquareSet::ALL.len(), !SquareSet::EMPTY), (132, SquareSet::ALL));
    assert!(SquareSet::ALL.iter().eq(Square::all()) && SquareSet::ALL.iter().len() == 132);
    let mut set = SquareSet::of(&[Square::E6, Square::A1]);
    set.remove(Square::E6);
    set.remove(Square::E6);
    set.insert(Square::K12);
    assert_eq!(format!("{set:?}"), "{k12, a1}");
    assert!(!set.is_empty() && (set - set).is_empty());
}
