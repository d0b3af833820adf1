//! `analyze`: the analysis of a position by the engine, or by a network with a policy.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use sandtable::AnyGame;
use sandtable::engine::{Evaluation, PolicyEngine, engine_for};
use sandtable::search::{AlphaBetaSettings, Report, RootVisit, Score, TreeReport};
use serde_json::{Value, json};

use super::summary;
use crate::args::Analyze;
use crate::budget::Budget;
use crate::failure::Failure;
use crate::output::Output;
use crate::policy::open_network;

pub(crate) fn run(args: &Analyze, out: &mut Output) -> Result<(), Failure> {
    if let Some(file) = &args.net {
        return run_network(args, file, out);
    }
    let budget = match (args.depth, args.nodes) {
        (Some(depth), _) => Budget::depth(depth),
        (None, Some(nodes)) => Budget::nodes(nodes),
        (None, None) => Budget::time(args.time),
    };
    let settings =
        AlphaBetaSettings::default().with_threads(args.threads.into()).with_lines(args.multipv.into());
    let kind = args.kind.game;
    let evaluation = args.eval.resolve(kind).map_err(Failure::Usage)?;
    let mut engine =
        engine_for(kind.name, args.hash, settings, &evaluation).map_err(|e| Failure::Usage(e.to_string()))?;
    args.positions.for_each(&args.kind, out, |game, out| {
        engine.clear();
        let start = Instant::now();
        let mut written = Ok(());
        let found = budget.search(&*game, &mut engine, &AtomicBool::new(false), &mut |found| {
            // With --json only the final result is printed.
            if !out.json && written.is_ok() {
                written = out.text(lines(&*game, found, start));
            }
        });
        written?;
        if out.json {
            return out.object(&answer(&*game, &evaluation, &found, start));
        }
        out.text(best_move(&*game, &found))
    })
}

/// The analysis by a network.
fn run_network(args: &Analyze, file: &Path, out: &mut Output) -> Result<(), Failure> {
    let budget = args.visits.map_or(Budget::time(args.time), Budget::nodes);
    let rules = args.kind.rules()?;
    let start = args.kind.game.start(rules).map_err(|e| Failure::Usage(e.to_string()))?;
    let engine = open_network(file, &*start).map_err(Failure::Usage)?;
    let engine =
        engine.with_threads(args.threads.into()).with_lines(args.multipv.into()).with_memory(args.hash);
    args.positions.for_each(&args.kind, out, |game, out| {
        let start = Instant::now();
        let mut written = Ok(());
        let found = budget.search_tree(&*game, &engine, &AtomicBool::new(false), &mut |found| {
            if !out.json && written.is_ok() {
                written = out.text(tree_lines(&*game, found, start));
            }
        });
        written?;
        let found = found.map_err(Failure::Invalid)?;
        if out.json {
            return out.object(&tree_answer(&*game, &engine, &found, start)?);
        }
        out.text(best_move(&*game, &found.report))
    })
}

/// The last line of an analysis.
fn best_move(game: &dyn AnyGame, found: &Report<String>) -> String {
    found.lines.first().map_or_else(
        || format!("{}\n", super::status(game)),
        |best| {
            let san = to_san(game, &best.moves[..1]).concat();
            format!("best move {san} ({}), {}\n", best.moves[0], best.score)
        },
    )
}

/// One line of text for each line of a tree: the visits of its first move out of all.
fn tree_lines(game: &dyn AnyGame, found: &TreeReport<String>, start: Instant) -> String {
    let seconds = start.elapsed().as_secs_f64();
    let lines = found.report.lines.iter().zip(&found.root);
    lines
        .map(|(line, root)| {
            let moves = to_san(game, &line.moves).join(" ");
            let (score, visits) = (line.score.to_string(), found.report.nodes);
            format!("{:>7} of {visits:>7} visits  {score:>7}  {seconds:6.2} s  {moves}\n", root.visits)
        })
        .collect::<Vec<_>>()
        .concat()
}

/// The object that `--json` prints. `wdl` are the chances by the network alone, without search.
fn tree_answer(
    game: &dyn AnyGame,
    engine: &PolicyEngine,
    found: &TreeReport<String>,
    start: Instant,
) -> Result<Value, Failure> {
    let mut answer = report_json(game, &found.report, start);
    answer["wdl"] = engine.wdl(game).map_err(|e| Failure::Invalid(e.to_string()))?.as_slice().into();
    if let Some(lines) = answer["lines"].as_array_mut() {
        for (line, RootVisit { visits, prior, value, .. }) in lines.iter_mut().zip(&found.root) {
            (line["visits"], line["prior"], line["value"]) =
                ((*visits).into(), (*prior).into(), (*value).into());
        }
    }
    Ok(answer)
}

/// Converts the moves of a line to SAN.
pub(crate) fn to_san(game: &dyn AnyGame, moves: &[String]) -> Vec<String> {
    let mut game = game.clone_box();
    moves.iter().map_while(|text| game.play(text).ok()).collect()
}

/// One line of text for each principal variation.
pub(crate) fn lines(game: &dyn AnyGame, found: &Report<String>, start: Instant) -> String {
    let seconds = start.elapsed().as_secs_f64();
    let text = |line: &sandtable::search::Line<String>| {
        let moves = to_san(game, &line.moves).join(" ");
        format!(
            "depth {:2}  {:>7}  {:>10} nodes  {seconds:6.2} s  {moves}\n",
            found.depth,
            line.score.to_string(),
            found.nodes
        )
    };
    found.lines.iter().map(text).collect::<Vec<_>>().concat()
}

fn answer(game: &dyn AnyGame, evaluation: &Evaluation, found: &Report<String>, start: Instant) -> Value {
    let mut answer = report_json(game, found, start);
    answer["evaluation"] = evaluation.static_eval(game).into();
    answer
}

/// What `--json` prints with either engine.
fn report_json(game: &dyn AnyGame, found: &Report<String>, start: Instant) -> Value {
    let mut answer = summary(game);
    answer["depth"] = found.depth.into();
    answer["nodes"] = found.nodes.into();
    answer["seconds"] = start.elapsed().as_secs_f64().into();
    answer["best"] = found.lines.first().map(|line| line.moves[0].clone()).into();
    let line = |line: &sandtable::search::Line<String>| {
        let (centipawns, mate) = match line.score {
            Score::Centipawns(value) => (Some(value), None),
            _ => (None, line.score.mate_in()),
        };
        json!({ "centipawns": centipawns, "mate": mate, "moves": line.moves, "san": to_san(game, &line.moves) })
    };
    answer["lines"] = found.lines.iter().map(line).collect();
    answer
}
