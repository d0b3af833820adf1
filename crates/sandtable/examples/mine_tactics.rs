//! Mines tactical positions from self-play: the suites of `crates/search/tests/search/tactics`.
//!
//! ```text
//! cargo run --release -p sandtable --example mine_tactics -- GAME [COUNT] [SEED] [DEEP] [SHALLOW]
//! ```
//!
//! The engine plays itself at few nodes, with its hand-made evaluation and some random moves. A position is kept if a shallow
//! search chooses another move than a deep one, and the move of the deep search is proved: it wins by force, it is the only
//! move that does not lose by force, or it is better than every other move by a large gap. A search of twice as many nodes
//! must agree.
//!
//! COUNT is the number of positions, DEEP and SHALLOW are the nodes of the two searches. Prints a line for each position: its
//! text, the best move and the proof (`win` and the number of turns, `only` and the turns to the loss, or `gap` and
//! centipawns), separated by tabs. The same arguments print the same lines.

use std::collections::HashSet;
use std::ops::ControlFlow;

use sandtable::core::rules::Rng;
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Report, Score};
use sandtable::{BoxedGame, Error, GameKind, find};

const USAGE: &str = "mine_tactics GAME [COUNT] [SEED] [DEEP] [SHALLOW]";

/// The share of random moves after the opening, in per cent: they lead to more tactics than good moves do.
const RANDOM_MOVES: usize = 10;
/// The search for candidates has this fraction of the nodes of the deep one.
const CANDIDATE_SHARE: u64 = 8;
/// The number of random moves at the start of a game.
const OPENING_PLIES: usize = 6;
/// The number of plies after which a game is cut off.
const MAX_PLIES: usize = 200;
/// The number of plies between two positions of the same game.
const DISTANCE: usize = 8;
/// A game ends when a score is beyond this, in centipawns.
const LOPSIDED: i32 = 1000;
/// The smallest gap between the best move and the second best, in centipawns.
const GAP: i32 = 200;
/// A score beyond this, in centipawns, is won or lost anyway.
const DECIDED: i32 = 600;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, numbers @ ..] = &args[..] else { return Err(USAGE.into()) };
    let mut options = [64, 1, 100_000, 500];
    if numbers.len() > options.len() {
        return Err(USAGE.into());
    }
    for (option, text) in options.iter_mut().zip(numbers) {
        *option = text.parse().map_err(|e| format!("invalid number `{text}`: {e}"))?;
    }
    let [count, seed, deep_nodes, shallow_nodes] = options;
    let kind = find(game)?;
    // Without claimed draws, games of chess would continue through every repetition.
    let rules = if kind.name == "chess" { "claims" } else { "standard" };
    let engine = AlphaBeta::new(16, AlphaBetaSettings::default());
    let mut miner = Miner { kind, rules, engine, deep_nodes, shallow_nodes };

    println!(
        "# cargo run --release -p sandtable --example mine_tactics -- {game} {count} {seed} {deep_nodes} {shallow_nodes}"
    );
    let mut known = HashSet::new();
    let mut rng = Rng::new(seed);
    while (known.len() as u64) < count {
        for (position, line) in miner.mine_game(&mut rng)? {
            if (known.len() as u64) < count && known.insert(position) {
                println!("{line}");
            }
        }
    }
    Ok(())
}

struct Miner {
    kind: &'static GameKind,
    rules: &'static str,
    engine: AlphaBeta,
    deep_nodes: u64,
    /// The shallow search also plays the games: with few nodes, so that players blunder.
    shallow_nodes: u64,
}

impl Miner {
    /// Plays a game and returns its tactical positions with their lines.
    fn mine_game(&mut self, rng: &mut Rng) -> Result<Vec<(String, String)>, Error> {
        let mut game = self.kind.start(self.rules)?;
        let mut found = Vec::new();
        let mut next = OPENING_PLIES;
        while !game.is_over() && game.ply() < MAX_PLIES {
            let position = game.position_text();
            // Without the history of the game: the suite stores positions alone.
            let alone = self.kind.parse(&position, self.rules)?;
            let report = self.search(&alone, self.shallow_nodes, 1);
            let (Some(shallow), Some(score)) = (report.best(), report.score()) else { break };
            if !matches!(score, Score::Centipawns(score) if score.abs() <= LOPSIDED) {
                break;
            }
            if game.ply() >= next
                && let Some((best, proof)) = self.refute(&alone, &shallow)
            {
                next = game.ply() + DISTANCE;
                found.push((position.clone(), format!("{position}\t{best}\t{proof}")));
            }
            let is_random = game.ply() < OPENING_PLIES || rng.below(100) < RANDOM_MOVES;
            let text = if is_random { game.random_move(rng) } else { Some(shallow) };
            let Some(text) = text else { break };
            game.play(&text)?;
        }
        Ok(found)
    }

    /// The best move and its proof; `None` if it is the move of the shallow search or not proved.
    fn refute(&mut self, game: &BoxedGame, shallow: &str) -> Option<(String, String)> {
        // Most positions are not tactical: a short search with half the gap finds the candidates.
        let candidate = self.search(game, self.deep_nodes / CANDIDATE_SHARE, 2);
        if candidate.best()? == shallow || proof(&candidate, GAP / 2).is_none() {
            return None;
        }
        let deep = self.search(game, self.deep_nodes, 2);
        let (best, proof) = (deep.best()?, proof(&deep, GAP)?);
        let deeper = self.search(game, 2 * self.deep_nodes, 1).best()?;
        (best != shallow && best == deeper).then_some((best, proof))
    }

    /// Searches with an empty table, so that the result does not depend on earlier searches.
    fn search(&mut self, game: &BoxedGame, nodes: u64, lines: usize) -> Report<String> {
        self.engine.clear();
        self.engine.settings.lines = lines;
        game.search(&mut self.engine, &Limits::nodes(nodes), &mut |_| ControlFlow::Continue(()))
    }
}

/// What the two best lines of a search prove about the first move; `None` if that is too little.
fn proof(report: &Report<String>, gap: i32) -> Option<String> {
    let [best, second] = &report.lines[..] else { return None };
    if best.score < Score::Centipawns(-DECIDED) || second.score > Score::Centipawns(DECIDED) {
        return None;
    }
    match (best.score, second.score) {
        (Score::Win(turns), _) => Some(format!("win {turns}")),
        (_, Score::Loss(turns)) => Some(format!("only {turns}")),
        (Score::Centipawns(best), Score::Centipawns(second)) if best - second >= gap => {
            Some(format!("gap {}", best - second))
        }
        _ => None,
    }
}
