//! `review`: the engine judges every turn of a game.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use sandtable::core::{ByPlayer, Player};
use sandtable::engine::review::{
    Assessment, Better, Judgement, Review, ReviewScore, ReviewSettings, ReviewedTurn, review,
};
use sandtable::games::LoadedRecord;
use sandtable::{GAMES, GameKind};
use serde_json::{Value, json};

use super::write_file;
use crate::args::Review as Args;
use crate::failure::Failure;
use crate::output::{Output, progress};

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Failure> {
    let kind = args.game.map_or_else(|| kind_of_file(&args.file), Ok)?;
    let rules = args.rules.as_deref().unwrap_or(kind.rules[0]);
    kind.start(rules).map_err(|e| Failure::Usage(e.to_string()))?;
    let evaluation = args.eval.resolve(kind).map_err(Failure::Usage)?;
    let text = read(&args.file)?;
    let loaded = kind.load_record(&text, rules);
    let LoadedRecord { game, tags, mut annotations, .. } =
        loaded.map_err(|e| Failure::Invalid(format!("{}: {e}", args.file.display())))?;

    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    ctrlc::set_handler(move || interrupted.store(true, Ordering::Relaxed))
        .map_err(|e| Failure::Usage(format!("cannot handle interruptions: {e}")))?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let settings = ReviewSettings::default()
        .with_nodes(args.nodes)
        .with_threads(args.threads.map_or_else(cores, usize::from));
    let bar = progress(0, "reviewing");
    let stop = || stop.load(Ordering::Relaxed);
    let reviewed = review(&*game, &evaluation, &settings, &stop, &mut |at| {
        bar.set_length(at.total as u64);
        bar.set_position(at.done as u64);
    });
    bar.finish_and_clear();
    let reviewed = reviewed.map_err(|_| Failure::Interrupted)?;

    if let Some(path) = &args.out {
        reviewed.annotate(&mut annotations);
        let record = game.annotated_record(&tags, &annotations).expect("lines of the engine are legal");
        write_file(path, record.as_bytes())?;
    }
    if out.json {
        return out.object(&answer(kind, args.nodes, &reviewed));
    }
    out.text(report(kind.players, &reviewed))
}

/// The game whose records have the extension of the file.
fn kind_of_file(file: &Path) -> Result<&'static GameKind, Failure> {
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    GAMES.iter().find(|kind| kind.record_extension == extension).ok_or_else(|| {
        let known: Vec<_> = GAMES.iter().map(|kind| format!(".{}", kind.record_extension)).collect();
        let known = known.join(", ");
        Failure::Usage(format!("unknown extension of {}: expected {known}, or --game NAME", file.display()))
    })
}

fn read(file: &Path) -> Result<String, Failure> {
    if file != Path::new("-") {
        return std::fs::read_to_string(file).map_err(|e| Failure::file("read", file, &e));
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    read.map_err(|e| Failure::Usage(format!("cannot read standard input: {e}")))?;
    Ok(text)
}

/// The review as text: accuracy and errors of each player, the expected score as a graph, and the errors.
fn report(players: ByPlayer<&'static str>, review: &Review) -> String {
    let mut text = String::new();
    let width = Player::ALL.map(|player| players[player].len()).into_iter().max().unwrap_or(0);
    for player in Player::ALL {
        let accuracy = review.accuracy(player).map_or_else(|| "    –".to_owned(), |it| format!("{it:5.1}"));
        let counts = Judgement::ALL.map(|judgement| {
            let count = review.count(player, judgement);
            let (style, name) = (style(judgement), plural(judgement, count));
            format!("{style}{count} {name}{style:#}")
        });
        let name = players[player];
        writeln!(text, "{name:width$}  accuracy {accuracy} %  {}", counts.join(", ")).expect("text");
    }
    if !review.turns.is_empty() {
        writeln!(text, "\n{}  expected score of {}\n", graph(review), players[Player::First]).expect("text");
    }
    for turn in &review.turns {
        if let Some(judgement) = turn.judgement {
            text.push_str(&error_line(turn, judgement));
        }
    }
    text
}

fn plural(judgement: Judgement, count: usize) -> &'static str {
    match (judgement, count) {
        (_, 1) => judgement.name(),
        (Judgement::Inaccuracy, _) => "inaccuracies",
        (Judgement::Mistake, _) => "mistakes",
        (Judgement::Blunder, _) => "blunders",
    }
}

fn style(judgement: Judgement) -> Style {
    let color = match judgement {
        Judgement::Inaccuracy => AnsiColor::Cyan,
        Judgement::Mistake => AnsiColor::Yellow,
        Judgement::Blunder => AnsiColor::Red,
    };
    color.on_default()
}

/// An error: the turn, what it loses, and the better line.
fn error_line(turn: &ReviewedTurn, judgement: Judgement) -> String {
    let style = style(judgement);
    let played = format!("{} {}{}", number(turn), turn.text, judgement.suffix());
    let line = turn.better.as_ref().map_or_else(String::new, |better| {
        let Better { turns, after, .. } = better;
        format!("better {} ({}): {}", turns[0], score(*after), turns.join(" "))
    });
    let (loss, name) = (100.0 * turn.loss, judgement.name());
    format!("{style}{played:<22}{style:#} {name:<10} −{loss:4.1} %  {} → {line}\n", score(turn.after))
}

fn number(turn: &ReviewedTurn) -> String {
    format!("{}{}", turn.number, if turn.player == Player::First { "." } else { "..." })
}

fn score(assessment: Assessment) -> String {
    match assessment.score {
        ReviewScore::Centipawns(0..) => format!("+{}", assessment.score),
        _ => assessment.score.to_string(),
    }
}

/// The expected score of the first player before and after each turn, one character each, at most 72.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an expected score is between 0 and 1"
)]
fn graph(review: &Review) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const WIDTH: usize = 72;
    let start = [review.start.expected];
    let all: Vec<f64> =
        start.into_iter().chain(review.turns.iter().map(|turn| turn.after.expected)).collect();
    let columns = all.len().min(WIDTH);
    let bar = |column: usize| BARS[((all[column * all.len() / columns] * 8.0) as usize).min(7)];
    (0..columns).map(bar).collect()
}

fn answer(kind: &GameKind, nodes: u64, review: &Review) -> Value {
    let accuracy = |player| json!({ "player": kind.players[player], "accuracy": review.accuracy(player) });
    let turn = |turn: &ReviewedTurn| {
        json!({
            "number": turn.number,
            "player": kind.players[turn.player],
            "turn": turn.text,
            "plies": [turn.plies.start, turn.plies.end],
            "after": assessment(turn.after),
            "loss": turn.loss,
            "judgement": turn.judgement.map(Judgement::name),
            "better": turn.better.as_ref().map(|better| json!({
                "turns": better.turns,
                "moves": better.moves,
                "after": assessment(better.after),
            })),
        })
    };
    json!({
        "game": kind.name,
        "nodes": nodes,
        "players": Player::ALL.map(accuracy),
        "start": assessment(review.start),
        "turns": review.turns.iter().map(turn).collect::<Vec<_>>(),
    })
}

fn assessment(assessment: Assessment) -> Value {
    let (centipawns, mate) = match assessment.score {
        ReviewScore::Centipawns(value) => (Some(value), None),
        ReviewScore::Mate(turns) => (None, Some(turns)),
    };
    json!({ "centipawns": centipawns, "mate": mate, "expected": assessment.expected })
}
