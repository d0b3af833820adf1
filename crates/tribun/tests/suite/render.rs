//! The diagram of the board.

use sandtable_core::{Diagram, Ground, Notation, Outline, Player, Position as _, Render};
use sandtable_tribun::{Direction, Position, Rules, Tile};

fn position() -> Position {
    let text = "black:a1=1*,f6=3/2,b2=1 white:k11=4*,g8=2 b";
    Position::from_text(text, Rules::STANDARD).unwrap()
}

fn place(diagram: &Diagram, tile: Tile) -> (f32, f32) {
    let cell = diagram.cells.iter().find(|cell| cell.name == tile.to_string()).unwrap();
    (cell.x, cell.y)
}

/// Hexagons of width 1 with a flat top touch if their centres are √3/2 apart, at multiples of 60° from straight up.
#[test]
fn neighbours_touch_and_up_points_up() {
    let diagram = position().diagram(None);
    let apart = 3.0_f32.sqrt() / 2.0;
    for tile in Tile::all() {
        let (x, y) = place(&diagram, tile);
        for direction in Direction::ALL {
            let Some(neighbour) = tile.neighbour(direction) else { continue };
            let (nx, ny) = place(&diagram, neighbour);
            let (dx, dy) = (nx - x, ny - y);
            assert!((dx.hypot(dy) - apart).abs() < 1e-5, "{tile} {direction}");
            let (right, down) = match direction {
                Direction::Up => (0.0, -1.0),
                Direction::LeftUp => (-0.75, -0.5),
                Direction::RightUp => (0.75, -0.5),
                Direction::Down => (0.0, 1.0),
                Direction::RightDown => (0.75, 0.5),
                Direction::LeftDown => (-0.75, 0.5),
            };
            assert!((dx - right).abs() < 1e-5 && (dy - down * apart).abs() < 1e-5, "{tile} {direction}");
        }
    }
}

#[test]
fn the_diagram_has_91_hexagonal_cells_with_cids() {
    let diagram = position().diagram(None);
    assert_eq!((diagram.outline, diagram.cells.len()), (Outline::Hexagon, 91));
    for (cell, tile) in diagram.cells.iter().zip(Tile::all()) {
        assert_eq!((cell.name.as_str(), cell.index.as_str()), (&*tile.to_string(), &*tile.cid().to_string()));
    }
    let ground = |name: &str| diagram.cells.iter().find(|cell| cell.name == name).unwrap().ground;
    assert_eq!([ground("f6"), ground("g7"), ground("e5")], [Ground::Gray, Ground::Dark, Ground::Light]);
}

#[test]
fn figures_show_heights_slaves_and_tribuns() {
    let diagram = position().diagram(None);
    let figures: Vec<_> = diagram
        .cells
        .iter()
        .filter_map(|cell| {
            let figure = cell.figure.as_ref()?;
            let texts = (figure.letters.as_str(), figure.token.as_str());
            Some((cell.name.as_str(), figure.owner, texts, figure.starred))
        })
        .collect();
    let (black, white) = (Player::First, Player::Second);
    assert_eq!(
        figures,
        [
            ("a1", black, ("b1*", "1"), true),
            ("b2", black, ("b1", "1"), false),
            ("f6", black, ("b3/2", "3/2"), false),
            ("g8", white, ("w2", "2"), false),
            ("k11", white, ("w4*", "4"), true),
        ]
    );
}

#[test]
fn a_slave_has_the_colour_of_its_original_side() {
    let diagram = position().diagram(None);
    let pieces = |name: &str| {
        let cell = diagram.cells.iter().find(|cell| cell.name == name).unwrap();
        &cell.figure.as_ref().unwrap().pieces
    };
    let (holder, free) = (pieces("f6"), pieces("g8"));
    assert_eq!(holder.iter().map(|piece| piece.owner).collect::<Vec<_>>(), [Player::First, Player::Second]);
    assert_eq!((holder[1].outlines, holder[1].symbol), (free[0].outlines, free[0].symbol));
    assert_ne!(holder[0].symbol, holder[1].symbol);
}

#[test]
fn the_last_action_marks_its_tiles() {
    let action = position().parse_move("f6>1g7+1e5").unwrap();
    let after = position().after(action);
    let diagram = after.diagram(Some(action));
    let marked: Vec<_> =
        diagram.cells.iter().filter(|cell| cell.marked).map(|cell| cell.name.as_str()).collect();
    assert_eq!(marked, ["e5", "f6", "g7"]);
    assert!(after.diagram(None).cells.iter().all(|cell| !cell.marked));
}

#[test]
fn every_letter_and_every_number_has_one_label() {
    let labels: Vec<_> = position().diagram(None).labels.into_iter().map(|label| label.text).collect();
    for letter in 'a'..='k' {
        assert!(labels.contains(&letter.to_string()), "{letter}");
    }
    for number in 1..=11 {
        assert!(labels.contains(&number.to_string()), "{number}");
    }
    assert_eq!(labels.len(), 22, "{labels:?}");
}
