//! A search in its own thread, which prints `info` lines and `bestmove`.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sandtable::BoxedGame;
use sandtable::engine::{LevelPlayer, PolicyEngine};
use sandtable::games::OnReport;
use sandtable::search::{AlphaBeta, Limits, Line, Report, Score};

use super::info_string;
use super::wdl::wdl;
use crate::budget::Budget;
use crate::output::Output;

/// What to search, and when to end.
pub(super) struct Task {
    pub(super) game: BoxedGame,
    /// The limits; time is counted from the start of the [`Timing`].
    pub(super) budget: Budget,
    /// No iteration is started after this time.
    pub(super) soft_time: Option<Duration>,
    /// Stop at a mate in this many moves.
    pub(super) mate: Option<u32>,
    /// Indices of the legal moves to consider; all if empty.
    pub(super) root_moves: Vec<usize>,
    pub(super) timing: Timing,
    /// Whether `info` lines have the chances of a win, a draw and a loss.
    pub(super) show_wdl: bool,
    /// The strength to play at, if it is limited.
    pub(super) limited: Option<LimitedStrength>,
    /// The network that searches at full strength, instead of alpha-beta.
    pub(super) network: Option<PolicyEngine>,
}

/// A strength below that of the engine.
#[derive(Clone, Copy)]
pub(super) struct LimitedStrength {
    pub(super) elo: i32,
    pub(super) seed: u64,
}

/// What searches the position of a task.
type Search<'a> = dyn FnMut(&Limits<'_>, &mut OnReport<'_>) -> Report<String> + 'a;

/// When the time of a search starts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Timing {
    /// With `go`.
    Go,
    /// With `ponderhit`. `bestmove` waits for it, or for `stop`.
    PonderHit,
    /// Never: `bestmove` waits for `stop`.
    Infinite,
}

/// A running search.
pub(super) struct Running {
    signals: Arc<Signals>,
    timing: Timing,
    thread: JoinHandle<AlphaBeta>,
}

/// What the session tells the search.
#[derive(Default)]
struct Signals {
    stop: AtomicBool,
    /// When time started to count.
    start: OnceLock<Instant>,
}

impl Signals {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether a time is over; never before time has started to count.
    fn has_passed(&self, time: Option<Duration>) -> bool {
        time.zip(self.start.get()).is_some_and(|(time, start)| start.elapsed() >= time)
    }
}

impl Running {
    /// Starts a search; `received` is the time of the command.
    pub(super) fn start(task: Task, mut engine: AlphaBeta, received: Instant) -> Self {
        let signals = Arc::new(Signals::default());
        let timing = task.timing;
        if timing == Timing::Go {
            let _ = signals.start.set(received);
        }
        let shared = Arc::clone(&signals);
        let thread = std::thread::spawn(move || {
            let Task { game, limited, network, .. } = &task;
            let Some(LimitedStrength { elo, seed }) = *limited else {
                match network {
                    Some(network) => task.run(
                        &mut |limits, report| search_tree(network, game, limits, report),
                        &shared,
                        received,
                    ),
                    None => task.run(
                        &mut |limits, report| game.search(&mut engine, limits, report),
                        &shared,
                        received,
                    ),
                }
                return engine;
            };
            let threads = engine.settings.threads;
            let mut player = LevelPlayer::with_elo(engine, game.name(), elo, seed).with_threads(threads);
            task.run(&mut |limits, report| player.search(&**game, limits, report), &shared, received);
            player.engine
        });
        Self { signals, timing, thread }
    }

    /// The opponent has played the expected move: time starts to count.
    pub(super) fn ponder_hit(&self) {
        if self.timing == Timing::PonderHit {
            let _ = self.signals.start.set(Instant::now());
            self.thread.thread().unpark();
        }
    }

    /// Stops the search, which prints `bestmove`, and returns its engine; `None` if the search panicked.
    pub(super) fn stop(self) -> Option<AlphaBeta> {
        self.signals.stop.store(true, Ordering::Relaxed);
        self.thread.thread().unpark();
        self.thread.join().ok()
    }
}

impl Task {
    /// Searches and prints. If standard output is closed, the program ends with its next command.
    fn run(&self, search: &mut Search<'_>, signals: &Signals, received: Instant) {
        let mut out = Output::new(false);
        let should_stop = || signals.is_stopped() || signals.has_passed(self.budget.time);
        let mut limits = self.budget.limits(&should_stop).with_root_moves(&self.root_moves);
        limits.mate = self.mate;
        let mut shown = None;
        let found = search(&limits, &mut |found| {
            let _ = out.text(self.info(found, received));
            shown = best_move(found).cloned();
            if signals.has_passed(self.soft_time) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        // The last iteration may have found a better move before it was stopped.
        if best_move(&found) != shown.as_ref() {
            let _ = out.text(self.info(&found, received));
        }
        // UCI forbids `bestmove` before `stop` or `ponderhit`, even if the search is complete.
        while !signals.is_stopped() && signals.start.get().is_none() {
            std::thread::park();
        }
        let _ = out.text(self.conclusion(&found));
    }

    /// An `info` line for each principal variation.
    fn info(&self, found: &Report<String>, received: Instant) -> String {
        let elapsed = received.elapsed();
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "a rate is rounded anyway, and not negative"
        )]
        let rate = (found.nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
        let line = |(number, line): (usize, &Line<String>)| {
            format!(
                "info depth {} seldepth {} multipv {} score {} nodes {} nps {rate} hashfull {} time {} pv {}\n",
                found.depth,
                found.seldepth,
                number + 1,
                self.score_text(line.score),
                found.nodes,
                found.hashfull,
                elapsed.as_millis(),
                uci_moves(&self.game, &line.moves).join(" "),
            )
        };
        found.lines.iter().enumerate().map(line).collect()
    }

    fn score_text(&self, score: Score) -> String {
        let text = match (score, score.mate_in()) {
            (Score::Centipawns(value), _) => format!("cp {value}"),
            (_, mate) => format!("mate {}", mate.unwrap_or_default()),
        };
        if !self.show_wdl {
            return text;
        }
        let [win, draw, loss] = wdl(self.game.win_curve(), score);
        format!("{text} wdl {win} {draw} {loss}")
    }

    /// The line `bestmove`, with the reply that the engine expects, unless the same side moves again.
    fn conclusion(&self, found: &Report<String>) -> String {
        let Some(line) = found.lines.first() else { return "bestmove 0000\n".to_owned() };
        let moves = uci_moves(&self.game, &line.moves[..line.moves.len().min(2)]);
        let mut next = self.game.clone_box();
        let turn_passes = next.play(&line.moves[0]).is_ok() && next.turn() != self.game.turn();
        match &moves[..] {
            [best, reply] if turn_passes => format!("bestmove {best} ponder {reply}\n"),
            _ => format!("bestmove {}\n", moves[0]),
        }
    }
}

/// Searches with a network. If it cannot be evaluated, the best move is the first legal one: UCI needs a move.
fn search_tree(
    network: &PolicyEngine,
    game: &BoxedGame,
    limits: &Limits<'_>,
    report: &mut OnReport<'_>,
) -> Report<String> {
    let found = network.search(&**game, limits, &mut |found| report(&found.report));
    match found {
        Ok(found) => found.report,
        Err(e) => {
            let _ = Output::new(false).text(info_string(&e.to_string()));
            let first = game.legal_moves().into_iter().next();
            let lines = first.map(|info| Line { score: Score::Centipawns(0), moves: vec![info.text] });
            Report { depth: 0, seldepth: 0, nodes: 0, hashfull: 0, lines: lines.into_iter().collect() }
        }
    }
}

fn best_move(found: &Report<String>) -> Option<&String> {
    found.lines.first().and_then(|line| line.moves.first())
}

/// The moves of a line as UCI sends them: action words in games that have them.
fn uci_moves(game: &BoxedGame, moves: &[String]) -> Vec<String> {
    let mut game = game.clone_box();
    moves
        .iter()
        .map_while(|text| {
            let word = game.action_word(text);
            game.play(text).ok()?;
            Some(word.map_or_else(|| text.clone(), |word| format!("0x{word:08X}")))
        })
        .collect()
}
