//! `ladder`: a round robin of neighbouring levels, and their Elo.

mod results;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use sandtable::engine::{Evaluation, Level, engine_for};
use sandtable::search::AlphaBetaSettings;
use sandtable::search::elo::Tally;
use serde_json::{Value, json};

use self::results::{GameResult, Results, Settings};
use crate::arena::Arena;
use crate::args::{Anchor, Ladder};
use crate::evaluation::EvaluationArg;
use crate::failure::Failure;
use crate::opponent::{Opponent, Spec};
use crate::output::{Output, progress};
use crate::rating::{Pairing, Rating, ratings};

pub(crate) fn run(args: &Ladder, out: &mut Output) -> Result<(), Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::clone(&stop);
    ctrlc::set_handler(move || interrupted.store(true, Ordering::Relaxed))
        .map_err(|e| Failure::Usage(format!("cannot handle Ctrl-C: {e}")))?;
    let settings = Settings::of(args)?;
    let arena = Arena { kind: args.kind.game, rules: &settings.rules, series: args.series, stop: &stop };
    let results = Results::open(args.out.as_deref(), &settings)?;
    let schedule = schedule(args, &results);
    let bar = progress(schedule.len() as u64, "games");
    let workers = Workers {
        arena,
        schedule: &schedule,
        next: AtomicUsize::new(0),
        results: Mutex::new(results),
        failure: Mutex::default(),
        bar: &bar,
    };
    std::thread::scope(|scope| {
        for _ in 0..args.series.jobs {
            scope.spawn(|| workers.work());
        }
    });
    bar.finish_and_clear();
    if let Some(message) = workers.failure.into_inner().expect("no worker panicked") {
        return Err(Failure::Usage(message));
    }
    let results = workers.results.into_inner().expect("no worker panicked");
    let table = Table::of(args, results.games());
    if out.json {
        out.object(&table.to_json())?;
    } else {
        out.text(table.to_text())?;
    }
    if stop.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}

/// A player of the ladder.
#[derive(Clone)]
struct Entrant {
    name: String,
    spec: Spec,
}

/// A game to be played: the stronger player is A.
struct Scheduled {
    a: Entrant,
    b: Entrant,
    number: u32,
}

/// The games that are missing in the results. Pairings take turns, so that all of them have games if the ladder is stopped.
fn schedule(args: &Ladder, results: &Results) -> Vec<Scheduled> {
    let pairings = pairings(args);
    let games = (0..args.games).flat_map(|number| {
        pairings.iter().map(move |(a, b)| Scheduled { a: a.clone(), b: b.clone(), number })
    });
    games.filter(|game| !results.has(&game.a.name, &game.b.name, game.number)).collect()
}

/// Each level with the next two levels, and each anchor with the levels nearest to it.
fn pairings(args: &Ladder) -> Vec<(Entrant, Entrant)> {
    let levels = args.levels.levels();
    let entrant = |level: &Level| Entrant {
        name: level_name(*level),
        spec: Spec::Level(*level, args.time, EvaluationArg::Default),
    };
    let mut pairings = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        for stronger in levels.iter().skip(index + 1).take(2) {
            pairings.push((entrant(stronger), entrant(level)));
        }
    }
    for anchor in &args.anchor {
        let player = Entrant { name: anchor.player.text.clone(), spec: anchor.player.spec.clone() };
        for level in nearest(&levels, args.kind.game.name, anchor) {
            pairings.push((player.clone(), entrant(&level)));
        }
    }
    pairings
}

/// The three levels whose Elo is nearest to that of an anchor: games against other levels would tell little.
fn nearest(levels: &[Level], game: &str, anchor: &Anchor) -> Vec<Level> {
    let mut levels = levels.to_vec();
    levels.sort_by_key(|level| level.elo(game).map(|elo| elo.abs_diff(anchor.elo)));
    levels.truncate(3);
    levels
}

fn level_name(level: Level) -> String {
    format!("level:{}", level.number())
}

/// State shared by the worker threads.
struct Workers<'a> {
    arena: Arena<'a>,
    schedule: &'a [Scheduled],
    next: AtomicUsize,
    results: Mutex<Results>,
    failure: Mutex<Option<String>>,
    bar: &'a indicatif::ProgressBar,
}

impl Workers<'_> {
    /// Plays games until none are left or an error occurs.
    fn work(&self) {
        if let Err(message) = self.play_games() {
            self.arena.stop.store(true, Ordering::Relaxed);
            self.failure.lock().expect("no worker panicked").get_or_insert(message);
        }
    }

    fn play_games(&self) -> Result<(), String> {
        let mut judge =
            engine_for(self.arena.kind.name, 1, AlphaBetaSettings::default(), &Evaluation::Default)
                .map_err(|e| e.to_string())?;
        // External engines start once.
        let mut players: HashMap<&str, Opponent> = HashMap::new();
        while let Some(Scheduled { a, b, number }) = self.next() {
            let mut take = |entrant: &Entrant| match players.remove(entrant.name.as_str()) {
                Some(player) => Ok(player),
                None => Opponent::new(self.arena.kind, &entrant.spec, self.arena.series.seed),
            };
            let (mut player_a, mut player_b) = (take(a)?, take(b)?);
            let Some(played) = self.arena.play(*number, &mut judge, &mut player_a, &mut player_b)? else {
                return Ok(());
            };
            players.extend([(a.name.as_str(), player_a), (b.name.as_str(), player_b)]);
            let result = GameResult {
                a: a.name.clone(),
                b: b.name.clone(),
                number: *number,
                value: played.value(),
                plies: played.game.ply(),
            };
            self.results.lock().expect("no worker panicked").add(result)?;
            self.bar.inc(1);
        }
        Ok(())
    }

    fn next(&self) -> Option<&Scheduled> {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        if self.arena.stop.load(Ordering::Relaxed) { None } else { self.schedule.get(index) }
    }
}

/// The players by name with their Elo, and the results of their pairings.
struct Table {
    players: Vec<(String, Option<Rating>)>,
    pairings: Vec<Pairing>,
}

impl Table {
    fn of(args: &Ladder, games: &[GameResult]) -> Self {
        let mut players: Vec<String> =
            games.iter().flat_map(|game| [game.a.clone(), game.b.clone()]).collect();
        players.sort();
        players.dedup();
        let index = |name: &str| players.iter().position(|player| player == name);
        let mut pairings: Vec<Pairing> = Vec::new();
        for game in games {
            let (Some(a), Some(b)) = (index(&game.a), index(&game.b)) else { continue };
            let found = pairings.iter().position(|pairing| (pairing.a, pairing.b) == (a, b));
            let found = found.unwrap_or_else(|| {
                pairings.push(Pairing { a, b, tally: Tally::default() });
                pairings.len() - 1
            });
            pairings[found].tally.add(game.value);
        }
        pairings.sort_by_key(|pairing| (pairing.b, pairing.a));
        let fixed: Vec<_> =
            fixed(args).into_iter().filter_map(|(name, elo)| Some((index(&name)?, elo.into()))).collect();
        let ratings = ratings(players.len(), &pairings, &fixed);
        Self { players: players.into_iter().zip(ratings).collect(), pairings }
    }

    fn games(&self, player: usize) -> u32 {
        let of_player = self.pairings.iter().filter(|pairing| pairing.a == player || pairing.b == player);
        of_player.map(|pairing| pairing.tally.games()).sum()
    }

    fn to_json(&self) -> Value {
        let player = |(index, (name, rating)): (usize, &(String, Option<Rating>))| {
            json!({
                "name": name,
                "elo": rating.map(|rating| rating.elo), "error": rating.map(|rating| rating.error),
                "games": self.games(index),
            })
        };
        let pairing = |Pairing { a, b, tally }: &Pairing| {
            json!({
                "a": self.players[*a].0, "b": self.players[*b].0,
                "wins": tally.wins, "draws": tally.draws, "losses": tally.losses, "score": tally.score(),
            })
        };
        json!({
            "players": self.players.iter().enumerate().map(player).collect::<Vec<_>>(),
            "pairings": self.pairings.iter().map(pairing).collect::<Vec<_>>(),
        })
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        for (index, (name, rating)) in self.players.iter().enumerate() {
            let games = self.games(index);
            // Writing to a string cannot fail.
            let _ = match rating {
                Some(Rating { elo, error }) => {
                    writeln!(text, "{elo:>6.0} ±{error:<4.0} {games:>5} games  {name}")
                }
                None => writeln!(text, "{:>12} {games:>5} games  {name}", "unknown"),
            };
        }
        text.push('\n');
        for Pairing { a, b, tally } in &self.pairings {
            let Tally { wins, draws, losses } = tally;
            let score = tally.score() * 100.0;
            let (a, b) = (&self.players[*a].0, &self.players[*b].0);
            let _ = writeln!(text, "{score:>5.1} %  +{wins} ={draws} -{losses}  {a} against {b}");
        }
        text
    }
}

/// The players whose Elo is given: the anchors, or else the weakest level above 0, with its current Elo.
fn fixed(args: &Ladder) -> Vec<(String, i32)> {
    let anchors: Vec<_> = args.anchor.iter().map(|anchor| (anchor.player.text.clone(), anchor.elo)).collect();
    if !anchors.is_empty() {
        return anchors;
    }
    let weakest = args.levels.levels().into_iter().find(|level| level.number() > 0);
    weakest
        .map(|level| (level_name(level), level.elo(args.kind.game.name).unwrap_or(1_000)))
        .into_iter()
        .collect()
}
