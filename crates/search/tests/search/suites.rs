//! Tactical suites: positions of self-play in which a shallow search chooses a wrong move and deeper ones prove the best one.
//! They show regressions of the selective search. `crates/sandtable/examples/mine_tactics.rs` mines them.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable_chess::Chess;
use sandtable_core::search::Evaluate;
use sandtable_core::{Game, Notation, Rules};
use sandtable_cotulenh::CoTuLenh;
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Report, Score};
use sandtable_tribun::Tribun;

const CHESS: Suite = Suite { lines: include_str!("tactics/chess.txt"), rules: "claims" };
const COTULENH: Suite = Suite { lines: include_str!("tactics/cotulenh.txt"), rules: "standard" };
const TRIBUN: Suite = Suite { lines: include_str!("tactics/tribun.txt"), rules: "standard" };

/// The numbers of nodes in which the engine should find the best moves. A search of 500 nodes finds none.
const NODES: [u64; 2] = [2_000, 8_000];

struct Suite {
    /// A line for each position: its text, the best move and the proof, separated by tabs; comments start with `#`.
    lines: &'static str,
    rules: &'static str,
}

struct Tactic<P: Notation> {
    game: Game<P>,
    best: P::Move,
    /// The first word of the proof: `win`, `only` (all other moves lose by force) or `gap`.
    proof: &'static str,
    line: &'static str,
}

impl Suite {
    fn tactics<P: Notation>(&self) -> Vec<Tactic<P>> {
        let rules = P::Rules::named(self.rules).unwrap();
        let tactic = |line: &'static str| {
            let [position, best, proof] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("expected a position, a move and a proof: {line}")
            };
            let position = P::from_text(position, rules).unwrap_or_else(|e| panic!("{line}: {e}"));
            let best = position.parse_move(best).unwrap_or_else(|e| panic!("{line}: {e}"));
            let proof = proof.split(' ').next().unwrap_or_default();
            Tactic { game: Game::from_position(position), best, proof, line }
        };
        self.lines.lines().filter(|line| !line.starts_with('#')).map(tactic).collect()
    }

    /// Asserts that the engine finds at least this many best moves within each of [`NODES`].
    fn assert_solved<P: Notation + Evaluate>(&self, recorded: [usize; 2]) {
        let mut engine = AlphaBeta::new(4, AlphaBetaSettings::default());
        let tactics = self.tactics::<P>();
        let solved = NODES.map(|nodes| {
            let is_solved =
                |tactic: &&Tactic<P>| tactic.search(&mut engine, nodes).best() == Some(tactic.best);
            tactics.iter().filter(is_solved).count()
        });
        let is_regression = solved.iter().zip(&recorded).any(|(solved, recorded)| solved < recorded);
        assert!(
            !is_regression,
            "solved {solved:?} of {} in {NODES:?} nodes, before {recorded:?}",
            tactics.len()
        );
    }

    fn assert_valid<P: Notation>(&self) {
        let mut known = HashSet::new();
        for Tactic { game, best, proof, line } in self.tactics::<P>() {
            let position = game.position();
            assert!(!game.is_over(), "{line}");
            assert!(position.legal_moves().into_iter().any(|m| m == best), "{line}");
            assert_eq!(line.split('\t').nth(1), Some(&*position.move_text(best)));
            assert!(["win", "only", "gap"].contains(&proof), "{line}");
            assert!(known.insert(position.to_text()), "duplicate: {line}");
        }
        assert!(known.len() >= 60, "{} positions", known.len());
    }

    /// The lines of the positions that a search of this many nodes does not prove.
    fn unproved<P: Notation + Evaluate>(&self, nodes: u64) -> Vec<&'static str> {
        let mut engine = AlphaBeta::new(16, AlphaBetaSettings::default().with_lines(2));
        let tactics = self.tactics::<P>();
        let unproved =
            tactics.iter().filter(|tactic| !tactic.is_proved_by(&tactic.search(&mut engine, nodes)));
        unproved.map(|tactic| tactic.line).collect()
    }
}

impl<P: Notation + Evaluate> Tactic<P> {
    fn search(&self, engine: &mut AlphaBeta, nodes: u64) -> Report<P::Move> {
        engine.clear();
        engine.search(&self.game, &Limits::nodes(nodes), |_| ControlFlow::Continue(()))
    }

    /// Half the gap of the miner is enough: deeper searches see more.
    fn is_proved_by(&self, report: &Report<P::Move>) -> bool {
        let [best, second] = &report.lines[..] else { panic!("expected two lines: {}", self.line) };
        let is_proved = match (self.proof, best.score, second.score) {
            ("win", Score::Win(_), _) | ("only", _, Score::Loss(_)) => true,
            ("gap", Score::Centipawns(best), Score::Centipawns(second)) => best - second >= 100,
            ("gap", best, second) => best > second,
            _ => false,
        };
        is_proved && best.moves[0] == self.best
    }
}

#[test]
fn positions_are_valid_and_their_best_moves_legal() {
    CHESS.assert_valid::<Chess>();
    COTULENH.assert_valid::<CoTuLenh>();
    TRIBUN.assert_valid::<Tribun>();
}

// The recorded numbers are exact: a node limit makes searches reproducible. Raise them when the engine gets better.

#[test]
fn solves_as_many_tactics_of_chess_as_recorded() {
    CHESS.assert_solved::<Chess>([54, 67]);
}

#[test]
fn solves_as_many_tactics_of_cotulenh_as_recorded() {
    COTULENH.assert_solved::<CoTuLenh>([39, 59]);
}

#[test]
fn solves_as_many_tactics_of_tribun_as_recorded() {
    TRIBUN.assert_solved::<Tribun>([36, 59]);
}

/// A position that a better engine does not prove is no tactic: remove it.
#[test]
#[ignore = "searches millions of nodes"]
fn deep_searches_prove_the_tactics_again() {
    const DEEP: u64 = 150_000;
    let unproved =
        [CHESS.unproved::<Chess>(DEEP), COTULENH.unproved::<CoTuLenh>(DEEP), TRIBUN.unproved::<Tribun>(DEEP)];
    assert!(unproved.iter().all(Vec::is_empty), "{unproved:#?}");
}
