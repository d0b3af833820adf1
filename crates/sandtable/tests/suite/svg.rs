//! Flipped boards and arrows in SVG.

use sandtable::GAMES;
use sandtable::render::{SvgOptions, svg};

#[test]
fn flipped_board_is_rotated() {
    for kind in GAMES {
        let diagram = kind.start((kind.rules)()[0]).unwrap().diagram();
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
