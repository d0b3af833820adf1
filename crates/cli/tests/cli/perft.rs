//! `perft`.

use crate::common::run;

#[test]
fn prints_the_count_and_the_speed() {
    for (depth, nodes) in [("0", 1), ("1", 20), ("2", 400), ("3", 8902), ("4", 197_281)] {
        let output = run(&["perft", "chess", depth]);
        assert!(output.out.starts_with(&format!("{nodes} nodes in ")), "{}", output.out);
        assert!(output.out.ends_with(" million per second\n"), "{}", output.out);
    }
}

#[test]
fn divide_adds_up_with_any_number_of_threads() {
    for threads in ["1", "3"] {
        let output = run(&["perft", "chess", "3", "--divide", "--threads", threads, "--json"]);
        let answer = &output.objects()[0];
        let roots = answer["divide"].as_array().unwrap();
        assert_eq!(roots.iter().map(|root| root["nodes"].as_u64().unwrap()).sum::<u64>(), 8902);
        assert!(roots.iter().any(|root| root["move"] == "e2e4" && root["nodes"] == 600));
        assert_eq!((&answer["nodes"], &answer["depth"]), (&8902.into(), &3.into()));
        assert!(answer["nodes_per_second"].as_f64().unwrap() > 0.0);
    }
    let text = run(&["perft", "chess", "2", "--divide"]).out;
    assert!(text.contains("e2e4: 20\n") && text.contains("\n\n400 nodes"), "{text}");
}
