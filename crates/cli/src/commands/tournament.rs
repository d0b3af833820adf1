//! `match`: two engines from balanced random openings, each played twice with colours swapped.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use sandtable::core::Player;
use sandtable::search::elo::{Sprt, Tally, Verdict};
use sandtable::search::{AlphaBeta, AlphaBetaSettings};
use serde_json::{Value, json};

use crate::arena::{Arena, Played};
use crate::args::Match;
use crate::failure::Failure;
use crate::opponent::Opponent;
use crate::output::{Output, progress};

pub(crate) fn run(args: &Match, out: &mut Output) -> Result<(), Failure> {
    play(args, out).map(|_| ())
}

/// Plays a match, prints its result and returns it. Ctrl-C ends it early.
pub(crate) fn play(args: &Match, out: &mut Output) -> Result<Tally, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    ctrlc::set_handler(move || interrupted.store(true, Ordering::Relaxed))
        .map_err(|e| Failure::Usage(format!("cannot handle Ctrl-C: {e}")))?;
    let records = args.out.as_deref().map(open_records).transpose()?;
    let bar = progress(args.games.into(), "games");
    let contest = Contest {
        args,
        arena: Arena { kind: args.kind.game, rules: args.kind.rules()?, series: args.series, stop: &stop },
        next: AtomicU32::new(0),
        results: Mutex::new(Results { tally: Tally::default(), records, failure: None }),
        bar: &bar,
    };
    std::thread::scope(|scope| {
        for job in 0..args.series.jobs {
            let contest = &contest;
            scope.spawn(move || contest.work(job));
        }
    });
    bar.finish_and_clear();
    let results = contest.results.into_inner().expect("no worker panicked");
    if let Some(message) = results.failure {
        return Err(Failure::Usage(message));
    }
    let (tally, sprt) = (results.tally, args.sprt);
    if out.json {
        out.object(&tally_json(tally, sprt))?;
    } else {
        out.text(format_args!("{} against {}: {}\n", args.a.text, args.b.text, tally.to_text(sprt)))?;
    }
    if stop.load(Ordering::Relaxed) && is_incomplete(tally, args) {
        return Err(Failure::Interrupted);
    }
    Ok(tally)
}

/// Returns whether the match ended before its last game for another reason than an SPRT verdict.
fn is_incomplete(tally: Tally, args: &Match) -> bool {
    tally.games() < args.games && !(args.stop_early && tally.verdict(args.sprt) != Verdict::Open)
}

fn open_records(path: &Path) -> Result<File, Failure> {
    OpenOptions::new().create(true).append(true).open(path).map_err(|e| Failure::file("write", path, &e))
}

/// State shared by the worker threads.
struct Contest<'a> {
    args: &'a Match,
    arena: Arena<'a>,
    /// The number of the next game, from 0.
    next: AtomicU32,
    results: Mutex<Results>,
    bar: &'a indicatif::ProgressBar,
}

/// The results so far, from the perspective of A.
struct Results {
    tally: Tally,
    records: Option<File>,
    failure: Option<String>,
}

impl Contest<'_> {
    /// Plays games until none are left or an error occurs.
    fn work(&self, job: u16) {
        if let Err(message) = self.play_games(job) {
            self.arena.stop.store(true, Ordering::Relaxed);
            self.results.lock().expect("no worker panicked").failure.get_or_insert(message);
        }
    }

    fn play_games(&self, job: u16) -> Result<(), String> {
        let (kind, seed) = (self.arena.kind, self.args.series.seed);
        let mut a = Opponent::new(kind, &self.args.a.spec, seed ^ (u64::from(job) << 32))?;
        let mut b = Opponent::new(kind, &self.args.b.spec, seed ^ (u64::from(job) << 32) ^ 1)?;
        // With the hand-made evaluation, so that the same seed gives the same openings whatever the networks.
        let mut judge = AlphaBeta::new(1, AlphaBetaSettings::default());
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.args.games || self.arena.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let Some(played) = self.arena.play(number, &mut judge, &mut a, &mut b)? else { return Ok(()) };
            self.record(&played, number)?;
        }
    }

    /// Counts a game and appends its record.
    fn record(&self, played: &Played, number: u32) -> Result<(), String> {
        let Played { game, a_side } = played;
        let names = if *a_side == Player::First {
            [&self.args.a, &self.args.b]
        } else {
            [&self.args.b, &self.args.a]
        };
        let players = game.players();
        let tags = vec![
            ("Event".to_owned(), "sandtable match".to_owned()),
            ("Round".to_owned(), (number + 1).to_string()),
            (players.first.to_owned(), names[0].text.clone()),
            (players.second.to_owned(), names[1].text.clone()),
        ];
        let mut results = self.results.lock().expect("no worker panicked");
        results.tally.add(played.value());
        if let Some(file) = &mut results.records {
            let record = format!("{}\n", game.record(&tags));
            file.write_all(record.as_bytes()).map_err(|e| format!("cannot write the records: {e}"))?;
        }
        self.bar.inc(1);
        if self.args.stop_early && results.tally.verdict(self.args.sprt) != Verdict::Open {
            self.arena.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// The object that `--json` prints.
fn tally_json(tally: Tally, sprt: Sprt) -> Value {
    let (elo, low, high) = tally.elo();
    let finite = |value: f64| value.is_finite().then_some(value);
    json!({
        "games": tally.games(), "wins": tally.wins, "draws": tally.draws, "losses": tally.losses,
        "score": tally.score(),
        "elo": finite(elo), "elo_low": finite(low), "elo_high": finite(high),
        "sprt": { "elo0": sprt.elo0, "elo1": sprt.elo1, "llr": tally.log_likelihood_ratio(sprt),
                  "verdict": tally.verdict(sprt).name() },
    })
}
