//! `uci`: sessions as a GUI leads them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use sandtable::GAMES;

/// 1. Ra7 Kg8 2. Rb8#
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1";

/// A UCI session with `sandtable uci`.
pub(crate) struct Uci {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Uci {
    pub(crate) fn start() -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("sandtable"))
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Reads lines until one starts with `word` and returns all of them.
    pub(crate) fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.output.read_line(&mut line).unwrap(), 0, "no {word} after {lines:?}");
            let found = line.starts_with(word);
            lines.push(line.trim_end().to_owned());
            if found {
                return lines;
            }
        }
    }

    pub(crate) fn quit(mut self) {
        self.send("quit");
        assert!(self.child.wait().unwrap().success());
    }

    /// Reads the lines that are printed before the answer to `isready`.
    pub(crate) fn so_far(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok")
    }

    /// Sends commands that start a search and returns the words after `bestmove`.
    pub(crate) fn best(&mut self, commands: &str) -> Vec<String> {
        self.send(commands);
        let line = self.until("bestmove").pop().unwrap();
        line.split_whitespace().skip(1).map(ToOwned::to_owned).collect()
    }
}

#[test]
fn plays_a_uci_session() {
    let mut uci = Uci::start();
    uci.send("uci");
    let identification = uci.until("uciok");
    assert!(identification[0].starts_with("id name Sandtable"));
    assert!(
        identification
            .iter()
            .any(|line| line
                .contains("UCI_Variant type combo default chess var chess var cotulenh var tribun"))
    );
    uci.send("setoption name Hash value 8\nsetoption name MultiPV value 2\nucinewgame\nisready");
    assert_eq!(uci.until("readyok").len(), 1);
    uci.send("position startpos moves e2e4 e7e5\ngo depth 4");
    let lines = uci.until("bestmove");
    assert!(
        lines.iter().any(|line| line.starts_with("info depth 4 ") && line.contains(" multipv 2 score cp ")),
        "{lines:?}"
    );
    uci.send(&format!("setoption name MultiPV value 1\nposition fen {MATE_IN_TWO}\ngo depth 5"));
    let lines = uci.until("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{lines:?}");
    uci.quit();
}

#[test]
fn an_infinite_search_ends_with_stop() {
    let mut uci = Uci::start();
    uci.send("position startpos\ngo infinite");
    uci.until("info depth 2");
    uci.send("isready");
    uci.until("readyok");
    uci.send("stop");
    assert!(uci.until("bestmove").pop().unwrap().starts_with("bestmove "));
    uci.send("go infinite");
    uci.until("info depth 1");
    // `quit` works during a search.
    uci.quit();
}

#[test]
fn invalid_uci_commands_are_reported_and_change_nothing() {
    let mut uci = Uci::start();
    for (line, part) in [
        ("position fen nonsense", "invalid position: "),
        ("position startpos moves e2e5", "illegal move `e2e5`"),
        ("position", "expected `startpos` or `fen`"),
        ("go depth", "depth needs a number"),
        ("go quickly", "unknown argument `quickly`"),
        ("go perft", "perft needs a number"),
        ("go perft 101", "perft depth 101 is too large: expected 0 to 100"),
        ("setoption name Hash value 0", "invalid value `0` of Hash: expected a number from 1 to 65536"),
        (
            "setoption name UCI_ShowWDL value yes",
            "invalid value `yes` of UCI_ShowWDL: expected true or false",
        ),
        ("setoption name Colour value red", "unknown option `Colour`"),
        ("setoption name UCI_Variant value go", "unknown game `go`"),
        ("xyzzy", "unknown command `xyzzy`"),
    ] {
        uci.send(line);
        let message = uci.until("info string").pop().unwrap();
        assert!(message.contains(part), "{line}: {message}");
    }
    uci.send("go perft 2");
    assert_eq!(uci.until("Nodes searched").pop().unwrap(), "Nodes searched: 400");
    uci.send("d");
    assert!(uci.until("Fen:").pop().unwrap().ends_with("w KQkq - 0 1"));
    uci.quit();
}

#[test]
fn uci_variant_selects_the_game() {
    let mut uci = Uci::start();
    for (variant, nodes) in [("cotulenh", 116), ("tribun", 265), ("chess", 20)] {
        uci.send(&format!("setoption name UCI_Variant value {variant}\nposition startpos\ngo perft 1"));
        assert_eq!(uci.until("Nodes searched").pop().unwrap(), format!("Nodes searched: {nodes}"));
        uci.send("go nodes 500");
        let best = uci.until("bestmove").pop().unwrap().split_whitespace().nth(1).unwrap().to_owned();
        assert_eq!(best.starts_with("0x"), variant == "tribun", "{best}");
        uci.send(&format!("position startpos moves {best}\ngo nodes 100"));
        uci.until("bestmove");
    }
    uci.send("setoption name UCI_Variant value cotulenh\nsetoption name Rules value club\ngo perft 2");
    assert_eq!(uci.until("Nodes searched").pop().unwrap(), "Nodes searched: 13460");
    uci.quit();
}

/// The last number after `name` in the lines.
fn last_number(lines: &[String], name: &str) -> u64 {
    let words: Vec<_> = lines.iter().flat_map(|line| line.split_whitespace()).collect();
    let at = words.iter().rposition(|word| *word == name).unwrap();
    words[at + 1].parse().unwrap()
}

#[test]
fn the_first_of_several_limits_ends_the_search() {
    let mut uci = Uci::start();
    uci.send("go depth 3 movetime 3600000 nodes 1000000000");
    assert_eq!(last_number(&uci.until("bestmove"), "depth"), 3);
    uci.send("ucinewgame\ngo depth 90 nodes 3000");
    let lines = uci.until("bestmove");
    assert!(last_number(&lines, "depth") < 90 && last_number(&lines, "nodes") <= 3000, "{lines:?}");
    uci.send("go depth 90 movetime 30");
    assert!(last_number(&uci.until("bestmove"), "depth") < 90);
    uci.send("go depth 90 wtime 500 btime 500");
    assert!(last_number(&uci.until("bestmove"), "depth") < 90);
    uci.quit();
}

#[test]
fn an_only_move_is_played_at_once() {
    let mut uci = Uci::start();
    let start = Instant::now();
    let best = uci.best("position fen k7/8/8/8/8/8/1r6/K7 w - - 0 1\ngo wtime 6000000 btime 6000000");
    assert_eq!(best[0], "a1b2");
    // Its share of the clock is four minutes.
    assert!(start.elapsed() < Duration::from_mins(1));
    uci.quit();
}

#[test]
fn searchmoves_restricts_the_root_moves_in_every_game() {
    let mut uci = Uci::start();
    for kind in GAMES {
        let legal = kind.start(kind.rules[0]).unwrap().legal_moves();
        uci.send(&format!("setoption name UCI_Variant value {}\nposition startpos", kind.name));
        for info in [&legal[0], legal.last().unwrap()] {
            let text = info.word.map_or_else(|| info.text.clone(), |word| format!("0x{word:08X}"));
            assert_eq!(uci.best(&format!("go searchmoves {text} nodes 400"))[0], text);
        }
    }
    uci.quit();
}

#[test]
fn illegal_searchmoves_are_ignored() {
    let mut uci = Uci::start();
    uci.send("go depth 3 searchmoves e2e5 a2a3 nonsense");
    let lines = uci.until("bestmove");
    for text in ["e2e5", "nonsense"] {
        assert!(lines.iter().any(|line| line.starts_with("info string") && line.contains(text)), "{lines:?}");
    }
    assert!(lines.last().unwrap().starts_with("bestmove a2a3 ponder "), "{lines:?}");
    // If no legal move is left, all moves are searched.
    assert_ne!(uci.best(&format!("position fen {MATE_IN_TWO}\ngo mate 2 searchmoves a2a9"))[0], "0000");
    uci.quit();
}

#[test]
fn a_search_for_a_mate_ends_when_it_is_found() {
    let mut uci = Uci::start();
    uci.send(&format!("position fen {MATE_IN_TWO}\ngo mate 2"));
    assert_eq!(last_number(&uci.until("bestmove"), "mate"), 2);
    // There is no mate in one: the other limit ends the search.
    uci.send("ucinewgame\ngo mate 1 depth 7");
    assert_eq!(last_number(&uci.until("bestmove"), "depth"), 7);
    uci.quit();
}

#[test]
fn pondering_waits_for_ponderhit_or_stop() {
    let mut uci = Uci::start();
    let position = "position startpos moves e2e4 e7e5";
    for end in ["ponderhit", "stop"] {
        for limit in ["depth 2", "movetime 1", "wtime 50 btime 50", "mate 1 depth 2"] {
            uci.send(&format!("{position}\ngo ponder {limit}"));
            let mut lines = uci.until("info depth 2");
            lines.extend(uci.so_far());
            assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{limit}: {lines:?}");
            let best = uci.best(end);
            assert_eq!((best.len(), best[1].as_str()), (3, "ponder"), "{best:?}");
        }
    }
    // Without a limit the search goes on after the hit.
    uci.send("go ponder");
    uci.until("info depth 2");
    uci.send("ponderhit");
    assert!(uci.so_far().iter().all(|line| !line.starts_with("bestmove")));
    uci.best("stop");
    // Without pondering, `ponderhit` has no effect: it does not end an infinite search.
    uci.send("ponderhit\ngo infinite\nponderhit");
    assert!(uci.so_far().iter().all(|line| !line.starts_with("bestmove")));
    uci.best("stop");
    uci.quit();
}

#[test]
fn the_expected_reply_is_a_move_of_the_opponent() {
    let mut uci = Uci::start();
    let best = uci.best("position startpos\ngo depth 4");
    assert_eq!(best[1], "ponder");
    uci.best(&format!("position startpos moves {} {}\ngo depth 2", best[0], best[2]));
    // A deployment: the same side moves again after its first step, so there is no reply yet.
    let deployment = "position fen 3c7/11/(NF)10/11/11/6C4/11/11/7s3/11/11/11 r - - 0 1";
    let best = uci.best(&format!("setoption name UCI_Variant value cotulenh\n{deployment}\ngo mate 1"));
    assert_eq!(best.len(), 1, "{best:?}");
    uci.quit();
}

#[test]
fn chances_are_shown_on_request() {
    let mut uci = Uci::start();
    for kind in GAMES {
        uci.send(&format!("setoption name UCI_Variant value {}\ngo depth 2", kind.name));
        assert!(uci.until("bestmove").iter().all(|line| !line.contains("wdl")));
        uci.send("setoption name UCI_ShowWDL value true\ngo depth 2");
        let lines = uci.until("bestmove");
        let info = lines.iter().rfind(|line| line.starts_with("info depth")).unwrap();
        let chances = info.split_once(" wdl ").unwrap().1.split_whitespace().take(3);
        assert_eq!(chances.map(|word| word.parse::<u32>().unwrap()).sum::<u32>(), 1000, "{info}");
        for part in [" multipv 1 score cp ", " nodes ", " nps ", " hashfull ", " time ", " pv "] {
            assert!(info.contains(part), "{info}");
        }
        uci.send("setoption name UCI_ShowWDL value false");
    }
    uci.quit();
}

#[test]
fn a_finished_game_has_a_best_move_too() {
    let mut uci = Uci::start();
    uci.send("position fen R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1");
    for go in ["go depth 3", "go movetime 20", "go wtime 100 btime 100", "go mate 2", "go infinite\nstop"] {
        assert_eq!(uci.best(go), ["0000"], "{go}");
    }
    uci.quit();
}

#[test]
fn stop_and_the_end_of_input_end_every_search() {
    for kind in GAMES {
        let mut uci = Uci::start();
        let options =
            format!("setoption name UCI_Variant value {}\nsetoption name Threads value 2", kind.name);
        uci.send(&format!("{options}\nposition startpos"));
        for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 90", "go movetime 3600000"] {
            uci.send(go);
            uci.until("info depth 1 ");
            let start = Instant::now();
            uci.best("stop");
            assert!(start.elapsed() < Duration::from_secs(10), "{}: {go}", kind.name);
        }
        uci.send("go infinite");
        drop(uci.input);
        let mut lines = String::new();
        std::io::Read::read_to_string(&mut uci.output, &mut lines).unwrap();
        assert!(uci.child.wait().unwrap().success());
        assert!(lines.lines().last().unwrap().starts_with("bestmove "), "{lines}");
    }
}

#[test]
fn the_table_survives_until_a_new_game() {
    let mut uci = Uci::start();
    let mut nodes = |commands: &str| {
        uci.send(&format!("{commands}\nposition startpos moves e2e4\ngo depth 6"));
        last_number(&uci.until("bestmove"), "nodes")
    };
    let first = nodes("isready");
    assert!(nodes("isready") < first);
    assert!(nodes("setoption name Hash value 64") < first, "the size is the same");
    for clear in ["ucinewgame", "setoption name Clear Hash", "setoption name Hash value 32"] {
        assert_eq!(nodes(clear), first, "{clear}");
    }
    uci.quit();
}

#[test]
fn strength_is_limited_on_request() {
    let mut uci = Uci::start();
    uci.send("uci");
    let options = uci.until("uciok");
    let elo = options.iter().find(|line| line.starts_with("option name UCI_Elo type spin")).unwrap();
    let number = |name: &str| -> i32 {
        elo.split_whitespace().skip_while(|word| *word != name).nth(1).unwrap().parse().unwrap()
    };
    assert!(number("min") < number("max") && number("default") == number("max"), "{elo}");
    uci.send("setoption name UCI_Elo value 99999");
    assert!(uci.so_far().iter().any(|line| line.contains("invalid value `99999` of UCI_Elo")));
    for kind in GAMES {
        uci.send(&format!("setoption name UCI_Variant value {}", kind.name));
        uci.send(&format!("setoption name UCI_Elo value {}", number("min")));
        uci.send("setoption name UCI_LimitStrength value true");
        uci.send("position startpos");
        uci.send("go depth 3");
        // The weakest level plays at random.
        assert_eq!(last_number(&uci.until("bestmove"), "nodes"), 0, "{}", kind.name);
        uci.send("setoption name UCI_LimitStrength value false");
        uci.send("go depth 3");
        assert_eq!(last_number(&uci.until("bestmove"), "depth"), 3, "{}", kind.name);
    }
    uci.quit();
}

#[test]
fn eval_file_selects_the_network() {
    let nets = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/nets");
    let mut uci = Uci::start();
    // What `eval` prints after an option is set, and the message before it, if any.
    let mut eval = |option: &str| {
        uci.send(&format!("setoption name {option}\nposition startpos\neval\nisready"));
        let mut lines = uci.until("readyok");
        lines.pop();
        (lines.pop().expect("eval prints a score"), lines.pop())
    };
    let default = eval("EvalFile value <default>");
    assert_eq!(eval("EvalFile value"), default);
    assert_eq!(eval(&format!("EvalFile value {nets}/chess.net")), default);
    let hand = eval("EvalFile value hand");
    assert_ne!(hand, default);
    // A network for the game that is selected next.
    let (score, message) = eval(&format!("EvalFile value {nets}/tribun.net"));
    assert_eq!(score, default.0);
    assert!(message.is_some_and(|message| message.contains("not for `chess-pieces-1`")));
    let tribun = eval("UCI_Variant value tribun");
    assert_eq!(tribun, eval("EvalFile value <default>"));
    assert_ne!(tribun, eval("EvalFile value hand"));
    uci.quit();
}
