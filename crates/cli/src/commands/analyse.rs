//! `analyse`: the engine's analysis of a position.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use sandtable::search::{AlphaBetaSettings, Report, Score};
use sandtable::{AnyGame, Evaluation, engine_for};
use serde_json::{Value, json};

use super::summary;
use crate::args::Analyse;
use crate::budget::Budget;
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(args: &Analyse, out: &mut Output) -> Result<(), Failure> {
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
        match found.lines.first() {
            None => out.text(format_args!("{}\n", super::status(&*game))),
            Some(best) => {
                let san = to_san(&*game, &best.moves[..1]).concat();
                out.text(format_args!("best move {san} ({}), {}\n", best.moves[0], best.score))
            }
        }
    })
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
    let mut answer = summary(game);
    answer["depth"] = found.depth.into();
    answer["nodes"] = found.nodes.into();
    answer["seconds"] = start.elapsed().as_secs_f64().into();
    answer["evaluation"] = game.static_eval(evaluation).into();
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
