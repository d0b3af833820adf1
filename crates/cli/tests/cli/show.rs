//! `show`.

use crate::common::{run, run_in};

#[test]
fn shows_the_board_with_coordinates_and_the_side_to_move() {
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
fn shows_check_and_the_outcome() {
    let check = run(&["show", "chess", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"]);
    assert!(check.out.ends_with("White to move, in check\n"), "{}", check.out);
    let mate = run(&["show", "chess", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"]);
    assert!(mate.out.ends_with("White wins (checkmate)\n"), "{}", mate.out);
    let draw = run(&["show", "chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]);
    assert!(draw.out.ends_with("draw (insufficient material)\n"), "{}", draw.out);
}

#[test]
fn indices_are_those_of_the_tensor_from_the_movers_perspective() {
    let white = run(&["show", "chess", "--indices"]).out;
    assert!(white.starts_with("      0,0  0,1"), "{white}");
    let black = run(&["show", "chess", "--indices", "4k3/8/8/8/8/8/8/4K2R b - - 0 1"]).out;
    assert!(black.starts_with("      7,0  7,1"), "{black}");
}

#[test]
fn the_rules_decide_when_a_game_ends() {
    let fifty = "4k3/8/8/8/8/8/8/4K2R w - - 100 80";
    assert!(run(&["show", "chess", fifty]).out.ends_with("White to move\n"));
    assert!(
        run(&["show", "chess", "--rules", "claims", fifty])
            .out
            .ends_with("draw (50 moves without progress)\n")
    );
}

#[test]
fn json_lists_all_cells() {
    let output = run(&["show", "chess", "--json"]);
    let answer = &output.objects()[0];
    assert_eq!(answer["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!((&answer["turn"], &answer["rules"]), (&"White".into(), &"standard".into()));
    let cells = answer["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 64);
    let e1 = cells.iter().find(|cell| cell["name"] == "e1").unwrap();
    assert_eq!((&e1["figure"], &e1["owner"], &e1["index"]), (&"K".into(), &"White".into(), &"7,4".into()));
}

#[test]
fn svg_is_a_complete_document_without_leftover_files() {
    let directory = tempfile::tempdir().unwrap();
    let output = run_in(&directory, &["show", "chess", "--svg", "board.svg", "--width", "300"], "");
    assert_eq!(output.code, 0, "{}", output.err);
    let svg = std::fs::read_to_string(directory.path().join("board.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("width=\"300\""));
    assert_eq!(svg.matches("<rect").count(), 64);
    assert_eq!(svg.matches("<g transform").count(), 32);
    assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn reports_a_missing_directory() {
    let output = run(&["show", "chess", "--svg", "no/such/folder/board.svg"]);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("cannot write no/such/folder/board.svg"), "{}", output.err);
}
