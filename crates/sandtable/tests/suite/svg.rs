//! Boards as SVG: flipped boards, arrows, the map of Cờ Tư Lệnh, stacks and marks of rank.

use sandtable::GAMES;
use sandtable::render::{SvgOptions, svg};

#[test]
fn flipped_board_is_rotated() {
    for kind in GAMES {
        let diagram = kind.start(kind.rules[0]).unwrap().diagram();
        let flipped = diagram.clone().flipped();
        for (cell, turned) in diagram.cells.iter().zip(&flipped.cells) {
            assert_eq!(cell.name, turned.name);
            assert!((cell.x + turned.x - (diagram.width - 1.0)).abs() < 1e-4);
            assert!((cell.y + turned.y - (diagram.height - 1.0)).abs() < 1e-4);
        }
        let back = flipped.flipped();
        for (label, turned) in diagram.labels.iter().zip(&back.labels) {
            assert!((label.x - turned.x).abs() < 1e-4 && (label.y - turned.y).abs() < 1e-4);
        }
    }
}

#[test]
fn labels_stay_on_their_side_of_a_flipped_board() {
    let flipped = GAMES[0].start("standard").unwrap().diagram().flipped();
    let label = |text: &str| flipped.labels.iter().find(|label| label.text == text).unwrap();
    assert_eq!((label("a").x, label("a").y), (7.0, 8.0));
    assert_eq!((label("1").x, label("1").y), (-1.0, 0.0));
}

#[test]
fn arrows_connect_cells() {
    let diagram = GAMES[0].start("standard").unwrap().diagram();
    let cell = |name| diagram.cell_named(name).unwrap();
    let arrows = vec![(cell("e2"), cell("e4")), (cell("d5"), cell("d5"))];
    let options = SvgOptions::default().with_arrows(arrows);
    let picture = svg(&diagram, &options);
    // From the centre of e2 to the base of the head below the centre of e4.
    assert!(picture.contains("M450.0 650.0L450.0 484.0"), "{picture}");
    assert!(picture.contains(r#"<circle cx="350" cy="350" r="44""#));
    assert_eq!(picture.matches("<g").count(), picture.matches("</g>").count());
    assert_eq!(diagram.cell_named("e9"), None);
}

fn picture(kind: &str, rules: &str, text: &str) -> String {
    let game = sandtable::find(kind).unwrap().parse(text, rules).unwrap();
    svg(&game.diagram(), &SvgOptions::default())
}

const GOLD: &str = "#f2c230";

#[test]
fn the_map_has_bridges_where_the_rules_have_them() {
    let kind = sandtable::find("cotulenh").unwrap();
    let picture = |rules| svg(&kind.start(rules).unwrap().diagram(), &SvgOptions::default());
    let (standard, club) = (picture("standard"), picture("club"));
    let water = "#9fc8e0";
    assert!(standard.contains(water) && club.contains(water));
    let bridge = "#c79a5b";
    assert!(!standard.contains(bridge) && club.contains(bridge));
    let flipped = svg(&kind.start("standard").unwrap().diagram().flipped(), &SvgOptions::default());
    assert!(flipped.contains("rotate(180 550 600)") && !standard.contains("rotate"));
}

/// A star is the symbol of a commander only.
#[test]
fn heroes_have_a_golden_rim_and_chevrons() {
    let plain = "6c4/11/11/11/11/11/11/11/4G6/11/11/6C4 r - - 0 1";
    assert_eq!(picture("cotulenh", "standard", plain).matches(GOLD).count(), 0);
    let hero = plain.replace('G', "+G");
    assert_eq!(picture("cotulenh", "standard", &hero).matches(GOLD).count(), 2);
}

#[test]
fn passengers_have_at_least_45_percent_of_the_size_of_their_carrier() {
    let kind = sandtable::find("cotulenh").unwrap();
    for stack in ["(TI)", "(FTI)"] {
        let text = format!("6c4/11/11/11/11/11/11/11/4{stack}6/11/11/6C4 r - - 0 1");
        let diagram = kind.parse(&text, "standard").unwrap().diagram();
        let figure = diagram.cells.iter().find_map(|cell| cell.figure.clone().filter(|f| f.pieces.len() > 1));
        let scales: Vec<_> = figure.unwrap().pieces.iter().map(|piece| piece.place.unwrap().scale).collect();
        for passenger in &scales[1..] {
            assert!(100 * u32::from(*passenger) >= 45 * u32::from(scales[0]), "{stack} {scales:?}");
        }
    }
}

/// The edges between discs are one outline; below the last disc is the edge of the silhouette.
#[test]
fn a_unit_has_one_disc_for_each_height() {
    for height in [1_usize, 2, 3, 4, 6, 8] {
        let text = format!("black:a1=1*,f6={height} white:k11=1* b -");
        let game = sandtable::find("tribun").unwrap().parse(&text, "standard").unwrap();
        let diagram = game.diagram();
        let cell = &diagram.cells[diagram.cell_named("f6").unwrap()];
        let outlines = cell.figure.as_ref().unwrap().pieces[0].outlines;
        let edges: usize =
            outlines[1..outlines.len() - 1].iter().map(|edges| edges.matches('M').count()).sum();
        assert_eq!(edges + 1, height);
    }
}

#[test]
fn a_slave_lies_beneath_its_owner_with_its_height_in_front() {
    let both = picture("tribun", "standard", "black:a1=1*,f6=3/2 white:k11=1* b -");
    let alone = |text| picture("tribun", "standard", text);
    let (black, white) =
        (alone("black:a1=1*,f6=3 white:k11=1* b -"), alone("black:a1=1* white:k11=1*,f6=2 b -"));
    let outline = |picture: &str| {
        let figure = picture.split(" f6</title>").nth(1).unwrap();
        figure.split("d=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let at = |path: &str| both.find(path).unwrap();
    assert!(at(&outline(&white)) < at(&outline(&black)));
    // The plate of the numeral, on top of everything.
    assert!(at(&outline(&black)) < both.find(r#"stroke-width="17""#).unwrap());
    assert_eq!(white.matches(r#"stroke-width="17""#).count(), 0);
}

#[test]
fn a_tribun_has_a_crown() {
    let picture = picture("tribun", "standard", "black:a1=4*,f6=4 white:k11=1* b -");
    let golden = |name: &str| {
        let figure = picture.split(&format!(" {name}</title>")).nth(1).unwrap();
        figure.split("<title>").next().unwrap().matches(GOLD).count()
    };
    assert_eq!([golden("a1"), golden("f6"), golden("k11")], [2, 0, 2]);
}
