//! `match`: two engines from balanced random openings, each played twice with colours swapped.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use sandtable::core::{Outcome, Player, Rng};
use sandtable::search::{AlphaBeta, AlphaBetaSettings, Limits, Score};
use sandtable::{BoxedGame, GameKind};

use crate::args::Match;
use crate::elo::{Sprt, Tally, Verdict};
use crate::failure::Failure;
use crate::opponent::Opponent;
use crate::output::{Output, progress};

pub(crate) fn run(args: &Match, out: &mut Output) -> Result<(), Failure> {
    play(args, out).map(|_| ())
}

/// Plays a match, prints its result and returns it. Ctrl-C ends it early.
pub(crate) fn play(args: &Match, out: &mut Output) -> Result<Tally, Failure> {
    let rules = args.kind.rules()?;
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    ctrlc::set_handler(move || interrupted.store(true, Ordering::Relaxed))
        .map_err(|e| Failure::Usage(format!("cannot handle Ctrl-C: {e}")))?;
    let records = args.out.as_deref().map(open_records).transpose()?;
    let bar = progress(args.games.into(), "games");
    let contest = Contest {
        args,
        kind: args.kind.game,
        rules,
        stop: &stop,
        next: AtomicU32::new(0),
        results: Mutex::new(Results { tally: Tally::default(), records, failure: None }),
        bar: &bar,
    };
    std::thread::scope(|scope| {
        for job in 0..args.jobs {
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
        out.object(&tally.to_json(sprt))?;
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
    kind: &'static GameKind,
    rules: &'a str,
    stop: &'a AtomicBool,
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
            self.stop.store(true, Ordering::Relaxed);
            self.results.lock().expect("no worker panicked").failure.get_or_insert(message);
        }
    }

    fn play_games(&self, job: u16) -> Result<(), String> {
        let seed = self.args.seed;
        let mut a = Opponent::new(self.kind, &self.args.a.spec, seed ^ (u64::from(job) << 32))?;
        let mut b = Opponent::new(self.kind, &self.args.b.spec, seed ^ (u64::from(job) << 32) ^ 1)?;
        // With the hand-made evaluation, so that the same seed gives the same openings whatever the networks.
        let mut engine = AlphaBeta::new(1, AlphaBetaSettings::default());
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.args.games || self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            // Both games of a pair start from the same opening.
            let mut rng = Rng::new(seed.wrapping_add(u64::from(number / 2).wrapping_mul(0x9E37_79B9)));
            let opening = self.opening(&mut rng, &mut engine)?;
            let a_side = if number.is_multiple_of(2) { Player::First } else { Player::Second };
            let Some(game) = self.play(opening, a_side, &mut a, &mut b)? else { return Ok(()) };
            self.record(&game, number, a_side)?;
        }
    }

    /// Returns a balanced position after random moves.
    fn opening(&self, rng: &mut Rng, engine: &mut AlphaBeta) -> Result<BoxedGame, String> {
        const BALANCED: i32 = 120;
        for _ in 0..500 {
            let mut game = self.kind.start(self.rules).map_err(|e| e.to_string())?;
            for _ in 0..self.args.plies {
                let Some(text) = game.random_move(rng) else { break };
                game.play(&text).map_err(|e| e.to_string())?;
            }
            engine.clear();
            let found =
                game.search(engine, &Limits::nodes(3000), &mut |_| std::ops::ControlFlow::Continue(()));
            let is_balanced = |score| matches!(score, Score::Centipawns(value) if value.abs() <= BALANCED);
            if found.lines.first().is_some_and(|line| is_balanced(line.score)) {
                return Ok(game);
            }
        }
        Err(format!("no balanced position found after {} random moves: try another --plies", self.args.plies))
    }

    /// Plays a game to its end or to `--max-plies`; `None` if the match is stopped.
    fn play(
        &self,
        mut game: BoxedGame,
        a_side: Player,
        a: &mut Opponent,
        b: &mut Opponent,
    ) -> Result<Option<BoxedGame>, String> {
        a.new_game(&*game)?;
        b.new_game(&*game)?;
        let opening = game.ply();
        while !game.outcome().is_over() && game.ply() - opening < self.args.max_plies {
            let mover = game.turn();
            let text =
                if mover == a_side { a.choose(&*game, self.stop)? } else { b.choose(&*game, self.stop)? };
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Err(e) = game.play(&text) {
                // An illegal move, which only an external engine can play, loses.
                anstream::eprintln!("{} loses by an illegal move: {e}", game.players()[mover]);
                game.resign(mover);
            }
        }
        Ok(Some(game))
    }

    /// Counts a game and appends its record.
    fn record(&self, game: &BoxedGame, number: u32, a_side: Player) -> Result<(), String> {
        let value = match game.outcome() {
            Outcome::Ongoing | Outcome::Draw { .. } => 0.0,
            Outcome::Win { winner, .. } if winner == a_side => 1.0,
            Outcome::Win { .. } => -1.0,
        };
        let names =
            if a_side == Player::First { [&self.args.a, &self.args.b] } else { [&self.args.b, &self.args.a] };
        let players = game.players();
        let tags = vec![
            ("Event".to_owned(), "sandtable match".to_owned()),
            ("Round".to_owned(), (number + 1).to_string()),
            (players.first.to_owned(), names[0].text.clone()),
            (players.second.to_owned(), names[1].text.clone()),
        ];
        let mut results = self.results.lock().expect("no worker panicked");
        results.tally.add(value);
        if let Some(file) = &mut results.records {
            let record = format!("{}\n", game.record(&tags));
            file.write_all(record.as_bytes()).map_err(|e| format!("cannot write the records: {e}"))?;
        }
        self.bar.inc(1);
        if self.args.stop_early && results.tally.verdict(self.args.sprt) != Verdict::Open {
            self.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Parses the value of `--sprt`: two Elo differences, the smaller first.
pub(crate) fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let parts: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match parts.as_deref() {
        Some(&[elo0, elo1]) if elo0 < elo1 && elo0.abs() < 1000.0 && elo1.abs() < 1000.0 => {
            Ok(Sprt { elo0, elo1 })
        }
        _ => Err(format!(
            "invalid SPRT `{text}`: expected two Elo differences, the smaller first, such as 0,20"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_sprt() {
        assert_eq!(parse_sprt("0,20"), Ok(Sprt { elo0: 0.0, elo1: 20.0 }));
        assert_eq!(parse_sprt("-5, 5"), Ok(Sprt { elo0: -5.0, elo1: 5.0 }));
        for bad in ["", "0", "5,0", "0,x", "0,1,2", "0,NaN"] {
            assert!(parse_sprt(bad).is_err(), "{bad}");
        }
    }
}
