//! Tunes an evaluation from its own games.
//!
//! ```text
//! cargo run --release -p sandtable --example tune -- play GAME FILE [GAMES] [NODES] [SEED]
//! cargo run --release -p sandtable --example tune -- fit GAME FILE
//! ```
//!
//! `play` adds games to a file: a line for each quiet position, an empty line after each game. `fit` learns from nine
//! games of ten, stops when the tenth says so, and prints the weights.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};

use sandtable::core::{Notation, Rules, Weighted};
use sandtable::search::tune::{Sample, SelfPlay, best_scale, fit, loss, self_play};
use sandtable::{Error, chess, cotulenh, tribun};

const USAGE: &str = "tune play GAME FILE [GAMES] [NODES] [SEED] | tune fit GAME FILE";

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let [command, game, file, ref numbers @ ..] = args[..] else { return Err(USAGE.into()) };
    let mut how = [1000, 1000, 1];
    if numbers.len() > how.len() {
        return Err(USAGE.into());
    }
    for (number, text) in how.iter_mut().zip(numbers) {
        *number = text.parse().map_err(|e| format!("`{text}` is not a number: {e}"))?;
    }
    match game {
        // Chess without claims would go on through every repetition.
        "chess" => run::<chess::Position>(command, file, how, "claims", 8),
        "cotulenh" => run::<cotulenh::Position>(command, file, how, "standard", 6),
        "tribun" => run::<tribun::Position>(command, file, how, "standard", 4),
        _ => Err(format!("there are no weights of `{game}`").into()),
    }
}

fn run<P: Weighted + Notation>(
    command: &str,
    file: &str,
    how: [u64; 3],
    rules: &str,
    opening: usize,
) -> Result<(), Error>
where
    P::Weights: std::fmt::Debug,
    P::PositionError: std::error::Error + Send + Sync + 'static,
{
    let rules = P::Rules::named(rules).ok_or_else(|| format!("there are no rules `{rules}`"))?;
    match command {
        "play" => {
            let [games, nodes, seed] = how;
            play::<P>(file, rules, SelfPlay { games, opening, nodes, limit: 300, seed })
        }
        "fit" => fit_to::<P>(file, rules),
        _ => Err(USAGE.into()),
    }
}

fn play<P: Weighted + Notation>(file: &str, rules: P::Rules, how: SelfPlay) -> Result<(), Error> {
    let mut out = OpenOptions::new().create(true).append(true).open(file)?;
    let (mut games, mut positions, mut failed) = (0, 0, Ok(()));
    self_play::<P>(rules, how, |samples| {
        games += 1;
        positions += samples.len();
        let line = |sample: &Sample<P>| {
            format!("{} {} {}\n", sample.result, sample.score, sample.position.to_text())
        };
        let text: String = samples.iter().map(line).collect();
        if !text.is_empty() && failed.is_ok() {
            failed = out.write_all(format!("{text}\n").as_bytes());
        }
        if games % 100 == 0 {
            eprintln!("{games} games, {positions} positions");
        }
    });
    Ok(failed?)
}

fn fit_to<P: Weighted + Notation>(file: &str, rules: P::Rules) -> Result<(), Error>
where
    P::Weights: std::fmt::Debug,
    P::PositionError: std::error::Error + Send + Sync + 'static,
{
    let (mut learnt, mut held_out, mut game) = (Vec::new(), Vec::new(), 0);
    for (number, line) in BufReader::new(File::open(file)?).lines().enumerate() {
        let line = line?;
        if line.is_empty() {
            game += 1;
            continue;
        }
        let at = |e: &dyn std::fmt::Display| format!("line {}: {e}", number + 1);
        let [result, score, position] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            return Err(at(&"it is not a result, a score and a position").into());
        };
        let sample = Sample {
            result: result.parse().map_err(|e| at(&e))?,
            score: score.parse().map_err(|e| at(&e))?,
            position: P::from_text(position, rules).map_err(|e| at(&e))?,
        };
        (if game % 10 == 0 { &mut held_out } else { &mut learnt }).push(sample);
    }
    let mut weights = P::WEIGHTS;
    let scale = best_scale(&learnt, &weights);
    eprintln!(
        "{game} games, {} positions and {} held out; scale {scale}; loss {:.6}, {:.6} held out",
        learnt.len(),
        held_out.len(),
        loss(&learnt, &weights, scale),
        loss(&held_out, &weights, scale),
    );
    fit(&learnt, &held_out, &mut weights, scale, |pass| {
        eprintln!("step {:2}: loss {:.6}, {:.6} held out", pass.step, pass.learnt, pass.held_out);
    });
    println!("{weights:#?}");
    Ok(())
}
