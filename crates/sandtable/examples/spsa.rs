//! Tunes the parameters of the selective search by matches (SPSA), and checks the result (SPRT).
//!
//! ```text
//! cargo run --release -p sandtable --example spsa -- tune GAME FILE --iterations 2000 --nodes 3000 --seed 1 --jobs 2
//! cargo run --release -p sandtable --example spsa -- check GAME FILE --nodes 3000 --sprt 0,10 --jobs 2
//! ```
//!
//! Each iteration of `tune` moves all parameters at once by a random step, up for one player and down for the other. They
//! play a pair of games, and all parameters move a little towards the winner's. FILE has a line for each iteration, so a run
//! that was killed continues after the last complete one. `check` plays the tuned parameters against those of the game
//! until the SPRT ends; its exit code is 0 if the tuned ones are accepted.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use sandtable::core::rules::Rng;
use sandtable::core::search::{Evaluate, NamedParameter, SearchParameters};
use sandtable::core::{Outcome, Player};
use sandtable::engine::{Evaluation, engine_for};
use sandtable::search::elo::{Sprt, Tally, Verdict};
use sandtable::search::{AlphaBetaSettings, Limits, Score};
use sandtable::{AnyGame, BoxedGame, GameKind, chess, cotulenh, find, tribun};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

const USAGE: &str = "spsa tune GAME FILE [--iterations N] [--nodes N] [--seed N] [--jobs N] \
                     | spsa check GAME FILE [--nodes N] [--seed N] [--jobs N] [--sprt ELO0,ELO1]";

/// The perturbation of the first iteration, in steps: a step is a twentieth of a parameter's range.
const PERTURBATION: f64 = 2.0;
/// The gain of an update.
const GAIN: f64 = 1.0;
/// The number of iterations by which the decrease of the gain is delayed.
const STABILITY: f64 = 100.0;
/// The number of random moves of an opening.
const OPENING_PLIES: usize = 8;
/// The largest score of a balanced opening.
const BALANCED: i32 = 120;
/// The number of plies after which a game is a draw.
const MAX_PLIES: usize = 400;

fn main() -> Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [command, game, file, options @ ..] = &args[..] else { return Err(USAGE.into()) };
    let options = Options::parse(options)?;
    let kind = find(game)?;
    let default = match kind.name {
        "chess" => chess::Chess::SEARCH,
        "cotulenh" => cotulenh::CoTuLenh::SEARCH,
        "tribun" => tribun::Tribun::SEARCH,
        name => return Err(format!("the search parameters of {name} are unknown").into()),
    };
    let arena = Arena { kind, nodes: options.nodes, jobs: options.jobs };
    match command.as_str() {
        "tune" => tune(&arena, file, default, &options),
        "check" => check(&arena, file, default, &options),
        _ => Err(USAGE.into()),
    }
}

#[derive(Debug, PartialEq)]
struct Options {
    iterations: u64,
    nodes: u64,
    seed: u64,
    jobs: usize,
    sprt: Sprt,
}

impl Options {
    fn parse(args: &[String]) -> Result<Self> {
        let mut options =
            Self { iterations: 1000, nodes: 3000, seed: 1, jobs: 1, sprt: Sprt { elo0: 0.0, elo1: 10.0 } };
        for pair in args.chunks(2) {
            let [name, value] = pair else { return Err(USAGE.into()) };
            let number = || value.parse().map_err(|e| format!("invalid {name} `{value}`: {e}"));
            match name.as_str() {
                "--iterations" => options.iterations = number()?,
                "--nodes" => options.nodes = number()?,
                "--seed" => options.seed = number()?,
                "--jobs" => options.jobs = number()?.max(1) as usize,
                "--sprt" => options.sprt = value.parse()?,
                _ => return Err(format!("unknown option `{name}`: {USAGE}").into()),
            }
        }
        Ok(options)
    }
}

/// Runs SPSA from the last iteration of the file.
fn tune(arena: &Arena, file: &str, default: SearchParameters, options: &Options) -> Result<ExitCode> {
    let Options { nodes, seed, .. } = *options;
    let header = format!("spsa {} nodes {nodes} seed {seed}\n", arena.kind.name);
    let mut text = read_or_empty(file)?;
    // A killed run may have left a part of a line.
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    check_header(file, &text, &header)?;
    let mut out = OpenOptions::new().create(true).append(true).open(file)?;
    out.set_len(text.len() as u64)?;
    if text.is_empty() {
        out.write_all(header.as_bytes())?;
    }
    let mut state = State::read(&text, default)?;
    while state.iteration < options.iterations {
        let mut rng = rng_of(seed, state.iteration);
        let step = Step::random(state.iteration, state.values.len(), &mut rng);
        let up = parameters(default, &step.moved(&state.values, 1.0, default));
        let down = parameters(default, &step.moved(&state.values, -1.0, default));
        let result = arena.play_pair(up, down, &mut rng)?.iter().sum();
        state.values = step.updated(&state.values, result, default);
        state.iteration += 1;
        let line = state.line(result);
        out.write_all(line.as_bytes())?;
        eprint!("{line}");
    }
    println!("{}", rust_code(parameters(default, &state.values)));
    Ok(ExitCode::SUCCESS)
}

/// Plays the parameters of the last iteration against the default ones until the SPRT ends.
fn check(arena: &Arena, file: &str, default: SearchParameters, options: &Options) -> Result<ExitCode> {
    let text = read_or_empty(file)?;
    check_header(file, &text, &format!("spsa {} ", arena.kind.name))?;
    let tuned = parameters(default, &State::read(&text, default)?.values);
    if tuned == default {
        return Err(format!("{file} has the default parameters: run `spsa tune` first").into());
    }
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    let single = Arena { jobs: 1, ..*arena };
    let work = || -> Result<()> {
        while tally.lock().expect("no worker panicked").verdict(options.sprt) == Verdict::Open {
            // Other openings than those of the tuning.
            let mut rng = rng_of(!options.seed, next.fetch_add(1, Ordering::Relaxed));
            let results = single.play_pair(tuned, default, &mut rng)?;
            let mut tally = tally.lock().expect("no worker panicked");
            if tally.verdict(options.sprt) == Verdict::Open {
                for result in results {
                    tally.add(result);
                }
                eprintln!("{}", tally.to_text(options.sprt));
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..arena.jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panicked"))
    })?;
    let tally = tally.into_inner().expect("no worker panicked");
    println!("{}", tally.to_text(options.sprt));
    let accepted = tally.verdict(options.sprt) == Verdict::Accepted;
    Ok(if accepted { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read_or_empty(file: &str) -> Result<String> {
    match std::fs::read_to_string(file) {
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(String::new()),
        text => text.map_err(|e| format!("cannot read {file}: {e}").into()),
    }
}

/// Checks that the run of a file, if there is one, has the settings of this one.
fn check_header(file: &str, text: &str, header: &str) -> Result<()> {
    if text.is_empty() || text.starts_with(header) {
        return Ok(());
    }
    let found = text.lines().next().unwrap_or_default();
    Err(format!("{file} is of `{found}`, not `{}`: choose another file", header.trim()).into())
}

/// The generator of an iteration, so that a run that was killed continues as if it had not been. The seed is hashed: adjacent
/// seeds have sequences that overlap.
fn rng_of(seed: u64, iteration: u64) -> Rng {
    Rng::new(Rng::new(Rng::new(seed).next_u64() ^ iteration).next_u64())
}

/// The parameters after a number of iterations, not rounded.
#[derive(Clone, Debug, PartialEq)]
struct State {
    iteration: u64,
    values: Vec<f64>,
}

impl State {
    /// Reads the last complete line: the iteration, the result of its games and the values. Without one, the run starts at
    /// `default`.
    fn read(text: &str, mut default: SearchParameters) -> Result<Self> {
        let named = default.named();
        let complete = &text[..text.rfind('\n').unwrap_or(0)];
        let Some((number, line)) = complete.lines().enumerate().skip(1).last() else {
            return Ok(Self { iteration: 0, values: named.iter().map(|p| f64::from(*p.value)).collect() });
        };
        let fields: Option<Vec<f64>> = line.split(' ').map(|field| field.parse().ok()).collect();
        match fields.as_deref() {
            Some([_, _, values @ ..]) if values.len() == named.len() => {
                Ok(Self { iteration: number as u64, values: values.to_vec() })
            }
            _ => Err(format!(
                "line {}: expected an iteration, a result and {} values, found `{line}`",
                number + 1,
                named.len()
            )
            .into()),
        }
    }

    fn line(&self, result: i32) -> String {
        let values: Vec<String> = self.values.iter().map(f64::to_string).collect();
        format!("{} {result} {}\n", self.iteration, values.join(" "))
    }
}

/// The random step of an iteration.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    /// The size of the perturbation, in steps.
    perturbation: f64,
    /// The size of the update for each point that the games were won by, in steps.
    gain: f64,
    /// The direction of each parameter, plus or minus one.
    signs: Vec<f64>,
    /// Added to each value before it is rounded down: on average, rounding changes nothing, so that parameters of a small
    /// range are tuned too.
    rounding: Vec<f64>,
}

impl Step {
    #[expect(clippy::cast_precision_loss, reason = "there are few iterations")]
    fn random(iteration: u64, parameters: usize, rng: &mut Rng) -> Self {
        let k = iteration as f64;
        let perturbation = PERTURBATION / (k + 1.0).powf(0.101);
        Self {
            perturbation,
            gain: GAIN / (STABILITY + k + 1.0).powf(0.602) / perturbation,
            signs: (0..parameters).map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect(),
            rounding: (0..parameters).map(|_| rng.unit()).collect(),
        }
    }

    /// The rounded values of the player that goes in this direction, plus or minus one.
    fn moved(&self, values: &[f64], direction: f64, ranges: SearchParameters) -> Vec<f64> {
        let moved = self.shifted(values, direction * self.perturbation, ranges);
        moved.iter().zip(&self.rounding).map(|(value, rounding)| (value + rounding).floor()).collect()
    }

    /// The values after games that the upper player won by `result` points.
    fn updated(&self, values: &[f64], result: i32, ranges: SearchParameters) -> Vec<f64> {
        self.shifted(values, f64::from(result) * self.gain, ranges)
    }

    /// Moves each value by this many steps in its direction, within its range.
    fn shifted(&self, values: &[f64], steps: f64, mut ranges: SearchParameters) -> Vec<f64> {
        let shift = |((value, sign), range): ((&f64, &f64), _)| {
            let NamedParameter { low, high, .. } = range;
            let step = f64::from(high - low) / 20.0;
            (value + sign * steps * step).clamp(low.into(), high.into())
        };
        values.iter().zip(&self.signs).zip(ranges.named()).map(shift).collect()
    }
}

/// The parameters with these values, rounded.
fn parameters(mut default: SearchParameters, values: &[f64]) -> SearchParameters {
    for (parameter, value) in default.named().into_iter().zip(values) {
        *parameter.value = value.round() as i32;
    }
    default
}

/// The parameters as an expression for the `SEARCH` of a game.
fn rust_code(mut tuned: SearchParameters) -> String {
    let mut default = SearchParameters::DEFAULT;
    let pairs = tuned.named().into_iter().zip(default.named());
    let changed = pairs.filter(|(tuned, default)| tuned.value != default.value);
    let fields = changed.map(|(tuned, _)| format!("    {}: {},", tuned.name, tuned.value));
    let rest = "    ..SearchParameters::DEFAULT".to_owned();
    format!("SearchParameters {{\n{}\n}}", fields.chain([rest]).collect::<Vec<_>>().join("\n"))
}

/// Where matches are played.
#[derive(Clone, Copy)]
struct Arena {
    kind: &'static GameKind,
    nodes: u64,
    jobs: usize,
}

impl Arena {
    /// Plays two games from a random opening with colours swapped. Returns the results of `a`: 1 for a win, −1 for a loss.
    fn play_pair(&self, a: SearchParameters, b: SearchParameters, rng: &mut Rng) -> Result<[i32; 2]> {
        let opening = self.opening(rng)?;
        if self.jobs == 1 {
            return Ok([self.play(&*opening, a, b)?, -self.play(&*opening, b, a)?]);
        }
        std::thread::scope(|scope| {
            let swapped = scope.spawn(|| self.play(&*opening, b, a));
            Ok([self.play(&*opening, a, b)?, -swapped.join().expect("no worker panicked")?])
        })
    }

    /// A balanced position after random moves.
    fn opening(&self, rng: &mut Rng) -> Result<BoxedGame> {
        let settings = AlphaBetaSettings::default();
        let mut engine = engine_for(self.kind.name, 1, settings, &Evaluation::Default)?;
        loop {
            let mut game = self.kind.start(self.rules())?;
            for _ in 0..OPENING_PLIES {
                let Some(text) = game.random_move(rng) else { break };
                game.play(&text)?;
            }
            engine.clear();
            let report =
                game.search(&mut engine, &Limits::nodes(self.nodes), &mut |_| ControlFlow::Continue(()));
            if matches!(report.score(), Some(Score::Centipawns(score)) if score.abs() <= BALANCED) {
                return Ok(game);
            }
        }
    }

    /// Plays a game. Returns the result of `first`, who has the first player's pieces.
    fn play(&self, opening: &dyn AnyGame, first: SearchParameters, second: SearchParameters) -> Result<i32> {
        let engine = |parameters| {
            let settings = AlphaBetaSettings::default().with_parameters(parameters);
            engine_for(self.kind.name, 8, settings, &Evaluation::Default)
        };
        let (mut first, mut second) = (engine(first)?, engine(second)?);
        let mut game = opening.clone_box();
        while !game.is_over() && game.ply() < MAX_PLIES {
            let engine = if game.turn() == Player::First { &mut first } else { &mut second };
            let report = game.search(engine, &Limits::nodes(self.nodes), &mut |_| ControlFlow::Continue(()));
            let best = report.best().ok_or("the engine found no move")?;
            game.play(&best)?;
        }
        Ok(match game.outcome() {
            Outcome::Win { winner: Player::First, .. } => 1,
            Outcome::Win { winner: Player::Second, .. } => -1,
            Outcome::Ongoing | Outcome::Draw { .. } => 0,
        })
    }

    /// Without claimed draws, games of chess would continue through every repetition.
    fn rules(&self) -> &'static str {
        if self.kind.name == "chess" { "claims" } else { "standard" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: SearchParameters = SearchParameters::DEFAULT;

    fn start() -> State {
        State::read("", DEFAULT).unwrap()
    }

    fn step(iteration: u64) -> Step {
        Step::random(iteration, start().values.len(), &mut rng_of(7, iteration))
    }

    #[test]
    fn options_have_defaults_and_errors() {
        let parse =
            |text: &str| Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let options = parse("--nodes 500 --sprt -5,5").unwrap();
        assert_eq!((options.nodes, options.seed), (500, 1));
        assert_eq!(options.sprt, Sprt { elo0: -5.0, elo1: 5.0 });
        for bad in ["--nodes", "--nodes x", "--sprt 5", "--sprt 5,0", "--depth 3"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn both_players_move_each_parameter_in_opposite_directions() {
        let (state, step) = (start(), step(0));
        let up = step.moved(&state.values, 1.0, DEFAULT);
        let down = step.moved(&state.values, -1.0, DEFAULT);
        let mut ranges = DEFAULT;
        for (i, range) in ranges.named().into_iter().enumerate() {
            let (low, high) = (f64::from(range.low), f64::from(range.high));
            assert!((low..=high).contains(&up[i]) && (low..=high).contains(&down[i]), "{}", range.name);
            assert_eq!((up[i].fract(), down[i].fract()), (0.0, 0.0), "{}", range.name);
            // Two steps each, unless the range ends before.
            let distance = (up[i] - down[i]) * step.signs[i];
            assert!((0.0..=0.2f64.mul_add(high - low, 1.0)).contains(&distance), "{}", range.name);
            assert!(distance > 0.0 || high - low < 20.0, "{}", range.name);
        }
        assert!(step.signs.contains(&1.0) && step.signs.contains(&-1.0));
    }

    #[test]
    fn values_move_towards_the_winner_and_stay_within_their_ranges() {
        let (state, step) = (start(), step(0));
        assert_eq!(step.updated(&state.values, 0, DEFAULT), state.values);
        let won = step.updated(&state.values, 2, DEFAULT);
        let lost = step.updated(&state.values, -2, DEFAULT);
        for (i, sign) in step.signs.iter().enumerate() {
            assert!((won[i] - state.values[i]) * sign >= 0.0);
            assert!((lost[i] - state.values[i]) * sign <= 0.0);
        }
        assert_ne!(won, state.values);
        let mut ranges = DEFAULT;
        for (value, range) in step.updated(&state.values, 1_000_000, DEFAULT).into_iter().zip(ranges.named())
        {
            assert!([f64::from(range.low), f64::from(range.high)].contains(&value), "{}", range.name);
        }
    }

    #[test]
    fn gains_decrease_and_iterations_differ() {
        assert!(step(0).gain > step(500).gain && step(0).perturbation > step(500).perturbation);
        assert_ne!(step(0).signs, step(1).signs);
        assert_eq!(step(3), step(3));
    }

    #[test]
    fn a_killed_run_continues_after_the_last_complete_line() {
        let mut state = start();
        let mut text = "spsa chess nodes 3000 seed 7\n".to_owned();
        assert_eq!(State::read(&text, DEFAULT).unwrap(), state);
        for iteration in 0..3 {
            state.values = step(iteration).updated(&state.values, 1, DEFAULT);
            state.iteration = iteration + 1;
            text.push_str(&state.line(1));
        }
        assert_eq!(State::read(&text, DEFAULT).unwrap(), state);
        let cut = format!("{text}4 -1 25.1 8");
        assert_eq!(State::read(&cut, DEFAULT).unwrap(), state);
        let error = State::read(&format!("{cut}\n"), DEFAULT).unwrap_err().to_string();
        assert!(error.starts_with("line 5: expected"), "{error}");
    }

    #[test]
    fn a_run_with_other_settings_is_not_continued() {
        assert!(check_header("f", "", "spsa chess nodes 10 seed 1\n").is_ok());
        assert!(check_header("f", "spsa chess nodes 10 seed 1\n1 0 25", "spsa chess ").is_ok());
        assert!(check_header("f", "spsa chess nodes 10 seed 12\n", "spsa chess nodes 10 seed 1\n").is_err());
    }

    #[test]
    fn changed_parameters_are_written_as_code() {
        let mut values = start().values;
        values[0] += 3.4;
        let code = rust_code(parameters(DEFAULT, &values));
        assert_eq!(
            code,
            "SearchParameters {\n    aspiration_margin: 28,\n    ..SearchParameters::DEFAULT\n}"
        );
    }
}
