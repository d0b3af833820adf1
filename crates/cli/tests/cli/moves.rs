//! `moves`.

use crate::common::run;

#[test]
fn each_line_shows_the_move_its_san_and_its_index() {
    let output = run(&["moves", "chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1"]);
    insta::assert_snapshot!(output.out, @r"
    a7a8n  a8=N   651
    a7a8b  a8=B   652
    a7a8r  a8=R+  653
    a7a8q  a8=Q+  584
    a1b1   Kb1    4102
    a1a2   Ka2    4088
    a1b2   Kb2    4095
    ");
}

#[test]
fn json_is_sorted_by_text() {
    let output = run(&["moves", "chess", "--json"]);
    let answer = &output.objects()[0];
    let steps: Vec<_> = answer["steps"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    assert_eq!((steps.len(), steps[0], steps[19]), (20, "a2a3", "h2h4"));
    assert!(steps.is_sorted());
    assert_eq!((&answer["san"][0], &answer["check"]), (&"a3".into(), &false.into()));
    assert_eq!(answer["indices"].as_array().unwrap().len(), 20);
    assert!(answer.get("turns").is_none());
}

#[test]
fn turns_are_counted_by_their_final_positions() {
    let answer = &run(&["moves", "chess", "--turns", "--json"]).objects()[0];
    assert_eq!(answer["turns"], 20);
    let fens: Vec<_> = answer["turn_fens"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
    assert!(fens.is_sorted() && fens.len() == 20);
    let text = run(&["moves", "chess", "--turns"]).out;
    assert!(text.contains("e2e4\trnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"), "{text}");
}

#[test]
fn a_mated_player_has_no_moves() {
    let output = run(&["moves", "chess", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"]);
    assert_eq!((output.code, output.out.as_str()), (0, ""));
}
