//! The definition of the board, on every cid, every pair of coordinates and every pair of tiles.

use std::collections::HashSet;

use sandtable_tribun::{
    Direction, Tile, TileColor, TileError, TileTextError, are_adjacent, neighbor_cid, on_board,
};

/// The grid around the board, with a margin of one.
fn points() -> impl Iterator<Item = (i8, i8)> {
    (-6..=6).flat_map(|x| (-6..=6).map(move |y| (x, y)))
}

#[test]
fn the_hexagon_of_radius_5_has_91_tiles() {
    assert_eq!(points().filter(|&(x, y)| on_board(x, y)).count(), 91);
    assert_eq!(Tile::all().count(), Tile::NUM);
    // The edge has 6 tiles.
    assert_eq!(points().filter(|&(x, y)| x == 5 && on_board(x, y)).count(), 6);
}

#[test]
fn a_tile_is_on_board_iff_the_greatest_of_x_y_and_z_is_at_most_5() {
    for (x, y) in points() {
        let greatest = x.abs().max(y.abs()).max((x - y).abs());
        assert_eq!(on_board(x, y), greatest <= 5, "({x},{y})");
        assert_eq!(Tile::new(x, y).is_ok(), greatest <= 5);
    }
    assert!(!on_board(i8::MAX, i8::MIN));
    assert!(!on_board(i8::MIN, i8::MAX));
}

#[test]
fn the_center_is_0_0() {
    let center = Tile::new(0, 0).unwrap();
    assert_eq!((center.cid(), center.to_string().as_str()), (60, "f6"));
    assert_eq!(center.mirrored(), center);
}

#[test]
fn the_six_directions_have_their_names_and_vectors() {
    let table = [
        ("up", (1, 1)),
        ("left-up", (1, 0)),
        ("right-up", (0, 1)),
        ("down", (-1, -1)),
        ("right-down", (-1, 0)),
        ("left-down", (0, -1)),
    ];
    for (number, (name, vector)) in (0..).zip(table) {
        let direction = Direction::new(number).unwrap();
        assert_eq!((direction.name(), direction.vector()), (name, vector));
        assert_eq!(direction.index(), usize::from(number));
    }
    assert!((6..=u8::MAX).all(|number| Direction::new(number).is_none()));
}

#[test]
fn the_opposite_direction_has_the_negated_vector() {
    for direction in Direction::ALL {
        let (dx, dy) = direction.vector();
        assert_eq!(direction.opposite().vector(), (-dx, -dy));
        assert_eq!(direction.opposite().opposite(), direction);
    }
}

/// The definition of the board calls `dir ^ 3` the opposite direction, which contradicts its own table.
#[test]
fn erratum_dir_xor_3_is_the_opposite_only_of_up_and_down() {
    let by_xor = Direction::ALL.map(|direction| Direction::new(direction as u8 ^ 3));
    let correct: Vec<_> = Direction::ALL
        .into_iter()
        .filter(|&direction| by_xor[direction.index()] == Some(direction.opposite()))
        .collect();
    assert_eq!(correct, [Direction::Up, Direction::Down]);
    assert_eq!(by_xor[1], Some(Direction::RightUp));
    assert_eq!((by_xor[4], by_xor[5]), (None, None));
}

#[test]
fn the_center_is_gray_the_tile_above_it_black_and_the_tile_below_white() {
    let color = |x, y| Tile::new(x, y).unwrap().color();
    assert_eq!(color(0, 0), TileColor::Gray);
    assert_eq!(color(1, 1), TileColor::Black);
    assert_eq!(color(-1, -1), TileColor::White);
}

#[test]
fn adjacent_tiles_have_different_colors() {
    for a in Tile::all() {
        for b in Tile::all().filter(|&b| a.is_adjacent(b)) {
            assert_ne!(a.color(), b.color(), "{a} {b}");
        }
    }
}

#[test]
fn cids_number_the_11_by_11_grid() {
    for (x, y) in points() {
        match Tile::new(x, y) {
            Ok(tile) => {
                assert_eq!(i32::from(tile.cid()), i32::from(x + 5) * 11 + i32::from(y + 5));
                assert_eq!((tile.x(), tile.y()), (x, y));
                assert_eq!(Tile::from_cid(tile.cid()), Ok(tile));
            }
            Err(error) => assert_eq!(error, TileError::OffBoard { x, y }),
        }
    }
}

#[test]
fn cids_outside_the_hexagon_are_errors() {
    for cid in 0..=120_u8 {
        let (x, y) = ((cid / 11).cast_signed() - 5, (cid % 11).cast_signed() - 5);
        match Tile::from_cid(cid) {
            Ok(tile) => assert_eq!((tile.cid(), tile.x(), tile.y(), on_board(x, y)), (cid, x, y, true)),
            Err(error) => assert_eq!((error, on_board(x, y)), (TileError::OffBoard { x, y }, false)),
        }
    }
}

#[test]
fn cids_above_120_are_errors() {
    for cid in 121..=u8::MAX {
        let error = if cid < 128 { TileError::Reserved(cid) } else { TileError::TooLarge(cid) };
        assert_eq!(Tile::from_cid(cid), Err(error));
        assert_eq!(neighbor_cid(cid, Direction::Up), Err(error));
        assert_eq!(are_adjacent(60, cid), Err(error));
    }
}

#[test]
fn two_tiles_are_adjacent_iff_their_difference_is_a_neighbor_vector() {
    for a in Tile::all() {
        for b in Tile::all() {
            let difference = (b.x() - a.x(), b.y() - a.y());
            let expected = Direction::ALL.into_iter().find(|direction| direction.vector() == difference);
            assert_eq!(a.direction_to(b), expected);
            assert_eq!(are_adjacent(a.cid(), b.cid()), Ok(expected.is_some()));
        }
    }
}

#[test]
fn a_neighbor_is_one_vector_away_or_off_the_board() {
    for tile in Tile::all() {
        for direction in Direction::ALL {
            let (dx, dy) = direction.vector();
            let expected = Tile::new(tile.x() + dx, tile.y() + dy).ok();
            assert_eq!(tile.neighbor(direction), expected);
            assert_eq!(neighbor_cid(tile.cid(), direction), Ok(expected.map(Tile::cid)));
        }
    }
}

#[test]
fn mirroring_negates_both_coordinates() {
    for tile in Tile::all() {
        assert_eq!((tile.mirrored().x(), tile.mirrored().y()), (-tile.x(), -tile.y()));
    }
}

#[test]
fn tiles_parse_from_names_and_coordinates() {
    let names: HashSet<_> = Tile::all().map(|tile| tile.to_string()).collect();
    assert_eq!(names.len(), Tile::NUM);
    for tile in Tile::all() {
        assert_eq!(tile.to_string().parse(), Ok(tile));
        assert_eq!(format!("({},{})", tile.x(), tile.y()).parse(), Ok(tile));
        assert_eq!(format!("({}, {})", tile.x(), tile.y()).parse(), Ok(tile));
    }
}

#[test]
fn tile_errors_name_the_text() {
    for text in ["", "f", "6", "f06", "f+6", "l1", "a0", "a12", "F6", "é1", "(1)", "(1,)", "(1,2", "f6 "] {
        assert_eq!(text.parse::<Tile>(), Err(TileTextError::Form(text.into())), "{text}");
    }
    let error = TileTextError::Tile { text: "a11".into(), error: TileError::OffBoard { x: -5, y: 5 } };
    assert_eq!("a11".parse::<Tile>(), Err(error.clone()));
    assert_eq!(
        error.to_string(),
        "invalid tile `a11`: (-5,5) is off the board: |x|, |y| and |x - y| are at most 5"
    );
}
