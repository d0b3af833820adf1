//! Tunes the parameters of a static evaluation by self-play (Texel tuning).
//!
//! ```text
//! cargo run --release -p sandtable --example tune -- play GAME FILE [GAMES] [NODES] [SEED]
//! cargo run --release -p sandtable --example tune -- fit GAME FILE
//! ```
//!
//! `play` appends games to a file: one line for each quiet position, an empty line after each game. `fit` trains on nine
//! games of ten, stops when the loss on the tenth (validation) stops improving, and prints the weights.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};

use sandtable::core::search::Tunable;
use sandtable::core::{Notation, PolicyIndexed, Rules};
use sandtable::search::self_play::SelfPlay;
use sandtable::search::tune::{Sample, best_curve, fit, loss, self_play};
use sandtable::{chess, cotulenh, tribun};

type Error = Box<dyn std::error::Error + Send + Sync>;

const USAGE: &str = "tune play GAME FILE [GAMES] [NODES] [SEED] | tune fit GAME FILE";

fn main() -> Result<(), Error> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let [command, game, file, ref numbers @ ..] = args[..] else { return Err(USAGE.into()) };
    let mut options = [1000, 1000, 1];
    if numbers.len() > options.len() {
        return Err(USAGE.into());
    }
    for (number, text) in options.iter_mut().zip(numbers) {
        *number = text.parse().map_err(|e| format!("invalid number `{text}`: {e}"))?;
    }
    match game {
        // Without claimed draws, games would continue through every repetition.
        "chess" => run::<chess::Chess>(command, file, options, "claims", 8),
        "cotulenh" => run::<cotulenh::CoTuLenh>(command, file, options, "standard", 6),
        "tribun" => run::<tribun::Tribun>(command, file, options, "standard", 4),
        _ => Err(format!("unknown game `{game}`: expected chess, cotulenh or tribun").into()),
    }
}

fn run<P: Tunable + Notation + PolicyIndexed>(
    command: &str,
    file: &str,
    options: [u64; 3],
    rules: &str,
    opening_plies: usize,
) -> Result<(), Error>
where
    P::Weights: std::fmt::Debug,
    P::PositionError: std::error::Error + Send + Sync + 'static,
{
    let rules = P::Rules::named(rules).ok_or_else(|| format!("unknown rules `{rules}`"))?;
    match command {
        "play" => {
            let [games, nodes, seed] = options;
            let settings = SelfPlay { opening_plies, nodes, max_plies: 300, seed, ..SelfPlay::default() };
            play::<P>(file, &settings, rules, games)
        }
        "fit" => fit_to::<P>(file, rules),
        _ => Err(USAGE.into()),
    }
}

fn play<P: Tunable + Notation + PolicyIndexed>(
    file: &str,
    settings: &SelfPlay,
    rules: P::Rules,
    count: u64,
) -> Result<(), Error> {
    let mut out = OpenOptions::new().create(true).append(true).open(file)?;
    let (mut games, mut positions, mut written) = (0, 0, Ok(()));
    self_play(settings, rules, count, |samples: Vec<Sample<P>>| {
        games += 1;
        positions += samples.len();
        let line = |sample: &Sample<P>| {
            format!("{} {} {}\n", sample.result, sample.score, sample.position.to_text())
        };
        let text: String = samples.iter().map(line).collect();
        if !text.is_empty() && written.is_ok() {
            written = out.write_all(format!("{text}\n").as_bytes());
        }
        if games % 100 == 0 {
            eprintln!("{games} games, {positions} positions");
        }
    });
    Ok(written?)
}

fn fit_to<P: Tunable + Notation>(file: &str, rules: P::Rules) -> Result<(), Error>
where
    P::Weights: std::fmt::Debug,
    P::PositionError: std::error::Error + Send + Sync + 'static,
{
    let (mut training, mut validation, mut game) = (Vec::new(), Vec::new(), 0);
    for (number, line) in BufReader::new(File::open(file)?).lines().enumerate() {
        let line = line?;
        if line.is_empty() {
            game += 1;
            continue;
        }
        let at = |e: &dyn std::fmt::Display| format!("line {}: {e}", number + 1);
        let [result, score, position] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            return Err(at(&"expected a result, a score and a position").into());
        };
        let sample = Sample {
            result: result.parse().map_err(|e| at(&e))?,
            score: score.parse().map_err(|e| at(&e))?,
            position: P::from_text(position, rules).map_err(|e| at(&e))?,
        };
        (if game % 10 == 0 { &mut validation } else { &mut training }).push(sample);
    }
    let mut weights = P::WEIGHTS;
    let curve = best_curve(&training, &weights);
    eprintln!(
        "{game} games, {} training and {} validation positions; scale {}; loss {:.6}, validation loss {:.6}",
        training.len(),
        validation.len(),
        curve.scale,
        loss(&training, &weights, curve),
        loss(&validation, &weights, curve),
    );
    fit(&training, &validation, &mut weights, curve, |pass| {
        eprintln!(
            "step {:2}: loss {:.6}, validation loss {:.6}",
            pass.step, pass.training_loss, pass.validation_loss
        );
    });
    println!("{weights:#?}");
    Ok(())
}
