//! The diagram of the board.

use sandtable_core::view::{Diagram, Ground, Outline, Render};
use sandtable_core::{Notation, Player, Position};
use sandtable_tribun::{Direction, Rules, Tile, Tribun};

fn position() -> Tribun {
    let text = "black:a1=1*,f6=3/2,b2=1 white:k11=4*,g8=2 b";
    Tribun::from_text(text, Rules::STANDARD).unwrap()
}

fn place(diagram: &Diagram, tile: Tile) -> (f32, f32) {
    let cell = diagram.cells.iter().find(|cell| cell.name == tile.to_string()).unwrap();
    (cell.x, cell.y)
}

/// Hexagons of width 1 with a flat top touch if their centres are √3/2 apart, at multiples of 60° from straight up.
#[test]
fn neighbors_touch_and_up_points_up() {
    let diagram = position().diagram(None);
    let apart = 3.0_f32.sqrt() / 2.0;
    for tile in Tile::all() {
        let (x, y) = place(&diagram, tile);
        for direction in Direction::ALL {
            let Some(neighbor) = tile.neighbor(direction) else { continue };
            let (nx, ny) = place(&diagram, neighbor);
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

/// The outermost hexagons touch the four edges of the board.
#[test]
fn the_board_encloses_its_cells() {
    let diagram = position().diagram(None);
    let (xs, ys) = (diagram.cells.iter().map(|cell| cell.x), diagram.cells.iter().map(|cell| cell.y));
    let range = |values: &mut dyn Iterator<Item = f32>| {
        values.fold((f32::MAX, f32::MIN), |(low, high), value| (low.min(value), high.max(value)))
    };
    assert_eq!(
        (range(&mut { xs }), range(&mut { ys })),
        ((0.0, diagram.width - 1.0), (0.0, diagram.height - 1.0))
    );
}

/// A letter stands where the left-down neighbour of its tile would be, a number where the right-down one would be.
#[test]
fn labels_stand_beside_the_lower_edges() {
    let diagram = position().diagram(None);
    let (x, y) = place(&diagram, "a1".parse().unwrap());
    let half = 3.0_f32.sqrt() / 4.0;
    let label = |text: &str| {
        let label = diagram.labels.iter().find(|label| label.text == text).unwrap();
        (label.x - x, label.y - y)
    };
    for (text, side) in [("a", -0.75), ("1", 0.75)] {
        let (dx, dy) = label(text);
        assert!((dx - side).abs() < 1e-5 && (dy - half).abs() < 1e-5, "{text} {dx} {dy}");
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
    let terrain = |name: &str| &*diagram.cells.iter().find(|cell| cell.name == name).unwrap().terrain;
    assert_eq!([terrain("f6"), terrain("g7"), terrain("e5")], [["gray"], ["black"], ["white"]]);
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
fn a_slave_has_the_color_of_its_original_side() {
    let diagram = position().diagram(None);
    let pieces = |name: &str| {
        let cell = diagram.cells.iter().find(|cell| cell.name == name).unwrap();
        &cell.figure.as_ref().unwrap().pieces
    };
    let (holder, free) = (pieces("f6"), pieces("g8"));
    assert_eq!(holder.iter().map(|piece| piece.owner).collect::<Vec<_>>(), [Player::First, Player::Second]);
    // The numeral of a slave stands in front of it.
    assert_eq!(holder[1].outlines, free[0].outlines);
    assert_ne!(holder[1].symbol, free[0].symbol);
    let starred = |name: &str| pieces(name).iter().map(|piece| piece.starred).collect::<Vec<_>>();
    assert_eq!([starred("k11"), starred("g8"), starred("f6")], [vec![true], vec![false], vec![false, false]]);
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

/// The details of an action as text: kind, cells, parts, amounts.
fn details(text: &str, action: &str) -> String {
    let position = Tribun::from_text(text, Rules::STANDARD).unwrap();
    let details = position.move_details(position.parse_move(action).unwrap());
    let mut words = vec![details.kind.to_owned()];
    let cells = [("from", details.from), ("to", details.to), ("takes", details.takes)];
    words.extend(cells.into_iter().filter_map(|(name, cell)| Some(format!("{name} {}", cell?))));
    words.extend(details.group.into_iter().map(str::to_owned));
    words.extend(details.amount.map(|amount| amount.to_string()));
    words.extend(details.shares.into_iter().map(|share| format!("{} {}", share.cell, share.amount)));
    words.join(", ")
}

#[test]
fn details_of_every_kind_of_action() {
    let free = "black:a1=1*,f6=3 white:k11=1*,i8=2 b";
    let holder = "black:a1=1*,f6=3/2 white:k11=1*,g8=2 b";
    let ones = "black:a1=1*,g7=1,e6=1,f5=1 white:k11=1* b";
    for (text, action, expected) in [
        (holder, "f6-i8", "move, from f6, to i8, primary"),
        (holder, "f6s-h7", "move, from f6, to h7, slave"),
        (free, "f6xi8", "kill, from f6, to i8, takes i8, primary"),
        (holder, "f6sxg8", "kill, from f6, to g8, takes g8, slave"),
        (free, "f6+i8", "enslave, from f6, to i8, takes i8"),
        ("black:a1=1*,f6=3 white:k11=1*,i8=1/2 b", "i8~", "liberate, to i8, takes i8"),
        ("black:a1=1*,f6=3 white:k11=1*,i8=4 b", "i8-3", "damage, to i8, takes i8, 3"),
        (ones, "1g7+1e6>f6", "combine, to f6, g7 1, e6 1"),
        (ones, "1g7+1e6+1f5>f6", "sym-combine, to f6, g7 1, e6 1, f5 1"),
        (free, "f6>1g7+2e5", "split, from f6, g7 1, e5 2"),
        (holder, "f6!e5", "backstab, from f6, to e5"),
        ("black:a1=1*,f6=3 white:i8=1* b", "f6#i8", "attack-tribun, from f6, to i8, takes i8"),
    ] {
        assert_eq!(details(text, action), expected, "{action}");
    }
}

/// The arrows of a move, as texts.
fn arrows(position: &str, action: &str) -> Vec<String> {
    let position = Tribun::from_text(position, Rules::STANDARD).unwrap();
    let action = position.parse_move(action).unwrap();
    assert!(position.is_legal(action), "{action}");
    let mut arrows: Vec<_> =
        position.arrows(action).iter().map(|arrow| format!("{} {}", arrow.from, arrow.to)).collect();
    arrows.sort();
    arrows
}

#[test]
fn arrows_come_from_every_unit_that_takes_part() {
    let attack = "black:a1=1*,f6=2,f8=1 white:k11=1*,h9=3,g8=4 b -";
    assert_eq!(arrows(attack, "g8-3"), ["f6 g8", "f8 g8"]);
    let reshape = "black:a1=1*,e5=1,g7=2 white:k11=1* b -";
    assert_eq!(arrows(reshape, "2g7+1e5>f6"), ["e5 f6", "g7 f6"]);
    assert_eq!(arrows("black:a1=1*,f6=3 white:k11=1* b -", "f6>1g7+2e5"), ["f6 e5", "f6 g7"]);
}

/// Another unit attacks the target as well, but is not needed.
#[test]
fn an_attacker_that_suffices_has_the_only_arrow() {
    let position = "black:a1=1*,f6=2,f8=1 white:k11=1*,g8=2 b -";
    assert_eq!(arrows(position, "f6xg8"), ["f6 g8"]);
    assert_eq!(arrows(position, "f8xg8"), ["f6 g8", "f8 g8"]);
}
