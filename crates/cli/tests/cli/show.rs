//! `show`.

use crate::common::{run, run_in};

#[test]
fn the_board_has_coordinates_and_says_who_moves() {
    insta::assert_snapshot!(run(&["show", "chess"]).out, @r"
     8  r  n  b  q  k  b  n  r
     7  p  p  p  p  p  p  p  p
     6  .  .  .  .  .  .  .  .
     5  .  .  .  .  .  .  .  .
     4  .  .  .  .  .  .  .  .
     3  .  .  .  .  .  .  .  .
     2  P  P  P  P  P  P  P  P
     1  R  N  B  Q  K  B  N  R
        a  b  c  d  e  f  g  h

    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    White to move
    ");
}

#[test]
fn check_and_the_end_are_told() {
    let check = run(&["show", "chess", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"]);
    assert!(check.out.ends_with("White to move, in check\n"), "{}", check.out);
    let mate = run(&["show", "chess", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"]);
    assert!(mate.out.ends_with("White has won by checkmate\n"), "{}", mate.out);
    let draw = run(&["show", "chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]);
    assert!(draw.out.ends_with("drawn by insufficient material\n"), "{}", draw.out);
}

#[test]
fn indices_are_those_of_the_tensor_seen_by_the_mover() {
    let white = run(&["show", "chess", "--indices"]).out;
    assert!(white.starts_with("      0,0  0,1"), "{white}");
    let black = run(&["show", "chess", "--indices", "4k3/8/8/8/8/8/8/4K2R b - - 0 1"]).out;
    assert!(black.starts_with("      7,0  7,1"), "{black}");
}

#[test]
fn the_rules_change_what_ends_a_game() {
    let fifty = "4k3/8/8/8/8/8/8/4K2R w - - 100 80";
    assert!(run(&["show", "chess", fifty]).out.ends_with("White to move\n"));
    assert!(run(&["show", "chess", "--rules", "claims", fifty]).out.ends_with("50 moves without progress\n"));
}

#[test]
fn json_lists_the_cells() {
    let said = run(&["show", "chess", "--json"]);
    let answer = &said.objects()[0];
    assert_eq!(answer["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!((&answer["turn"], &answer["rules"]), (&"White".into(), &"standard".into()));
    let cells = answer["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 64);
    let e1 = cells.iter().find(|cell| cell["name"] == "e1").unwrap();
    assert_eq!((&e1["figure"], &e1["owner"], &e1["index"]), (&"K".into(), &"White".into(), &"7,4".into()));
}

#[test]
fn svg_is_a_whole_document_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let said = run_in(&folder, &["show", "chess", "--svg", "board.svg", "--width", "300"], "");
    assert_eq!(said.code, 0, "{}", said.err);
    let svg = std::fs::read_to_string(folder.path().join("board.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("width=\"300\""));
    assert_eq!(svg.matches("<rect").count(), 64);
    assert_eq!(svg.matches("<g transform").count(), 32);
    assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_folder_that_is_not_there_is_told() {
    let said = run(&["show", "chess", "--svg", "no/such/folder/board.svg"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("cannot write no/such/folder/board.svg"), "{}", said.err);
}
