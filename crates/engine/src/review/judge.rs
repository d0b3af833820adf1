//! The searches of a review.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use sandtable_core::search::WinCurve;
use sandtable_core::{Outcome, Player};
use sandtable_games::{AnyGame, BoxedGame};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Score};

use super::turns::{PlayedTurn, rewind, turns_of, without_end};
use super::{
    Assessment, Better, Comparison, INACCURACY, Interrupted, Judgement, Review, ReviewProgress, ReviewScore,
    ReviewSettings, ReviewedTurn,
};
use crate::{Evaluation, engine_for};

/// The transposition table of a search, in MiB: enough for its nodes, and quickly cleared.
const HASH_MIB: usize = 4;
/// A turn is examined again if it seems to lose at least this much of the expected score.
const SUSPICIOUS: f64 = 0.6 * INACCURACY;
/// The factor by which the second search of a suspicious turn has more nodes.
const SECOND_LOOK: u64 = 2;
/// The longest line after a better turn, in turns.
const LINE_TURNS: usize = 6;
/// A turn that the engine's line does not complete is completed by searches with this share of the nodes.
const COMPLETION: u64 = 8;

/// A position to search: moves after one of the game's positions.
struct Job<'a> {
    /// The number of moves of the game before the position.
    ply: usize,
    /// Further moves, which the game did not play.
    moves: &'a [String],
    nodes: u64,
}

/// What a search found.
struct Found {
    /// The side to move.
    turn: Player,
    /// The hash of the position.
    hash: u64,
    /// From the perspective of the side to move.
    score: Score,
    /// The best line: the moves of its first turn, and how it goes on.
    best: Option<BestLine>,
}

struct BestLine {
    moves: Vec<String>,
    /// The number of moves that are the first turn.
    turn_len: usize,
    /// The hash of the position after the first turn.
    hash: u64,
}

/// Reviews a game: every complete turn is judged by the engine.
///
/// `progress` is called on this thread; `stop` is polled during the searches, on this thread and others. With the same settings, networks and moves the
/// result is the same, for any number of threads.
pub fn review(
    game: &dyn AnyGame,
    evaluation: &Evaluation,
    settings: &ReviewSettings,
    stop: &(dyn Fn() -> bool + Sync),
    progress: &mut dyn FnMut(ReviewProgress),
) -> Result<Review, Interrupted> {
    let turns = turns_of(game);
    let searcher = Searcher { evaluation, settings, stop, curve: game.win_curve() };
    let count = turns.len() + 1;
    let total = 2 * count;
    let mut report = |done| progress(ReviewProgress { done, total });
    report(0);

    // The first position, and the position after each turn.
    let nodes = settings.nodes;
    let plies = turns.iter().rev().map(|turn| turn.plies.end).chain([0]);
    let jobs: Vec<_> = plies.map(|ply| Job { ply, moves: &[], nodes }).collect();
    let mut found = searcher.search_all(game, &jobs, &mut report)?;
    found.reverse();
    let assessed: Vec<_> = found.iter().map(|found| searcher.assess(found)).collect();

    // For each turn that seems to lose something: the positions after it and after the engine's choice.
    let loss = |turn: usize| {
        let best = found[turn].best.as_ref().filter(|best| best.hash != found[turn + 1].hash)?;
        let expected = |at: usize| assessed[at].expected_for(turns[turn].player);
        Some((best, (expected(turn) - expected(turn + 1)).max(0.0)))
    };
    let mut jobs = Vec::new();
    for turn in (0..turns.len()).rev() {
        if let Some((best, _)) = loss(turn).filter(|(_, loss)| *loss >= SUSPICIOUS) {
            let (plies, nodes) = (&turns[turn].plies, SECOND_LOOK * nodes);
            jobs.push(Job { ply: plies.end, moves: &[], nodes });
            jobs.push(Job { ply: plies.start, moves: &best.moves[..best.turn_len], nodes });
        }
    }
    let part = jobs.len().max(1);
    let second = searcher.search_all(game, &jobs, &mut |done| report(count + count * done / part))?;
    report(total);

    let mut second = second.chunks_exact(2);
    let mut position = without_end(game);
    // Backwards, because a game can take moves back.
    let mut reviewed = Vec::with_capacity(turns.len());
    for (at, PlayedTurn { number, player, plies, text }) in turns.iter().enumerate().rev() {
        let (mut judgement, mut better) = (None, None);
        let mut loss = loss(at);
        if let Some((best, loss)) = loss.as_mut().filter(|(_, loss)| *loss >= SUSPICIOUS) {
            let [played, line] = second.next().expect("two positions for each of these turns") else {
                unreachable!("chunks of two");
            };
            let [played_after, best_after] = [played, line].map(|found| searcher.assess(found));
            let measured = best_after.expected_for(*player) - played_after.expected_for(*player);
            *loss = measured.clamp(0.0, *loss);
            judgement = Judgement::of_loss(*loss);
            if judgement.is_some() {
                rewind(&mut position, plies.start);
                better = Some(better_turn(&position, best, line.best.as_ref(), best_after));
            }
        }
        reviewed.push(ReviewedTurn {
            number: *number,
            player: *player,
            plies: plies.clone(),
            text: text.clone(),
            after: assessed[at + 1],
            loss: loss.map_or(0.0, |(_, loss)| loss),
            judgement,
            better,
        });
    }
    reviewed.reverse();
    Ok(Review { start: assessed[0], turns: reviewed })
}

/// Compares the positions after two turns of `player`, with the searches that a [`review`] uses for an error and the better turn.
///
/// A turn loses nothing if it leads to the same position as the other turn, or to a better one.
pub fn compare_turns(
    player: Player,
    turn: &BoxedGame,
    better: &BoxedGame,
    evaluation: &Evaluation,
    settings: &ReviewSettings,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Comparison, Interrupted> {
    let searcher = Searcher { evaluation, settings, stop, curve: turn.win_curve() };
    let nodes = SECOND_LOOK * settings.nodes;
    let mut engine = searcher.engine(&**turn);
    let turn = searcher.search(&**turn, &mut engine, nodes)?;
    let better = searcher.search(&**better, &mut engine, nodes)?;
    let [after, better_after] = [&turn, &better].map(|found| searcher.assess(found));
    let is_same = turn.hash == better.hash;
    let loss = if is_same { 0.0 } else { better_after.expected_for(player) - after.expected_for(player) };
    let loss = loss.max(0.0);
    Ok(Comparison { after, better_after, loss, judgement: Judgement::of_loss(loss) })
}

/// The engine's choice with the line of the deeper search after it.
fn better_turn(game: &BoxedGame, best: &BestLine, reply: Option<&BestLine>, after: Assessment) -> Better {
    let mut moves = best.moves[..best.turn_len].to_vec();
    moves.extend(reply.iter().flat_map(|reply| reply.moves.iter().cloned()));
    let line = game.line_turns(&moves).expect("moves of the engine are legal");
    let (turns, moves): (Vec<_>, Vec<_>) =
        line.into_iter().take(LINE_TURNS).map(|turn| (turn.text, turn.moves)).unzip();
    Better { turns, moves: moves.concat(), turn_len: best.turn_len, after }
}

/// What the searches of a review have in common.
struct Searcher<'a> {
    evaluation: &'a Evaluation,
    settings: &'a ReviewSettings,
    stop: &'a (dyn Fn() -> bool + Sync),
    curve: WinCurve,
}

impl Searcher<'_> {
    /// Searches positions, from the last one of the game to the first one, and reports how many are done.
    ///
    /// The calling thread searches, too: with one thread no other is started, because the browser has none.
    fn search_all(
        &self,
        game: &dyn AnyGame,
        jobs: &[Job<'_>],
        report: &mut dyn FnMut(usize),
    ) -> Result<Vec<Found>, Interrupted> {
        let others = self.settings.threads.clamp(1, jobs.len().max(1)) - 1;
        let next = AtomicUsize::new(0);
        let take = || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            jobs.get(number).map(|job| (number, job))
        };
        let mut all: Vec<Option<Found>> = jobs.iter().map(|_| None).collect();
        std::thread::scope(|scope| {
            let (sender, finished) = mpsc::channel();
            for _ in 0..others {
                let (take, sender) = (&take, sender.clone());
                scope.spawn(move || {
                    let mut worker = None;
                    while let Some((number, job)) = take()
                        && let Ok(found) = self.search_job(game, job, &mut worker)
                    {
                        sender.send((number, found)).expect("the receiver outlives the threads");
                    }
                });
            }
            drop(sender);
            let mut done = 0;
            let mut keep = |(number, found): (usize, Found)| {
                all[number] = Some(found);
                done += 1;
                report(done);
            };
            let mut worker = None;
            while let Some((number, job)) = take()
                && let Ok(found) = self.search_job(game, job, &mut worker)
            {
                keep((number, found));
                finished.try_iter().for_each(&mut keep);
            }
            finished.into_iter().for_each(keep);
        });
        all.into_iter().collect::<Option<Vec<_>>>().ok_or(Interrupted)
    }

    /// Searches one position with the engine and the game of a thread, which are made for its first job.
    ///
    /// Jobs go backwards through the game. So a thread takes moves of one copy back: a copy of the history for every position
    /// would take gigabytes for a long game.
    fn search_job(
        &self,
        game: &dyn AnyGame,
        job: &Job<'_>,
        worker: &mut Option<(AlphaBeta, BoxedGame)>,
    ) -> Result<Found, Interrupted> {
        let (engine, position) = worker.get_or_insert_with(|| (self.engine(game), without_end(game)));
        rewind(position, job.ply);
        if job.moves.is_empty() {
            return self.search(&**position, engine, job.nodes);
        }
        let mut after = position.clone_box();
        for text in job.moves {
            after.play(text).expect("a move of the engine is legal");
        }
        self.search(&*after, engine, job.nodes)
    }

    fn engine(&self, game: &dyn AnyGame) -> AlphaBeta {
        engine_for(game.name(), HASH_MIB, AlphaBetaSettings::default(), self.evaluation)
            .expect("there is memory for a small table")
    }

    /// Searches one position. The result does not depend on earlier searches.
    fn search(&self, game: &dyn AnyGame, engine: &mut AlphaBeta, nodes: u64) -> Result<Found, Interrupted> {
        let (player, hash) = (game.turn(), game.hash64());
        let over = match game.outcome() {
            Outcome::Ongoing => None,
            Outcome::Draw { .. } => Some(Score::Centipawns(0)),
            Outcome::Win { winner, .. } if winner == player => Some(Score::Win(0)),
            Outcome::Win { .. } => Some(Score::Loss(0)),
        };
        if let Some(score) = over {
            return Ok(Found { turn: player, hash, score, best: None });
        }
        engine.clear();
        let (score, mut moves) = self.best_line(game, engine, nodes)?;
        let mut after = game.clone_box();
        let mut turn_len = 0;
        loop {
            if turn_len == moves.len() {
                moves = [moves, self.best_line(&*after, engine, (nodes / COMPLETION).max(1))?.1].concat();
            }
            after.play(&moves[turn_len]).expect("a move of the engine is legal");
            turn_len += 1;
            if after.turn() != player || after.is_over() {
                break;
            }
        }
        let best = BestLine { moves, turn_len, hash: after.hash64() };
        Ok(Found { turn: player, hash, score, best: Some(best) })
    }

    fn best_line(
        &self,
        game: &dyn AnyGame,
        engine: &mut AlphaBeta,
        nodes: u64,
    ) -> Result<(Score, Vec<String>), Interrupted> {
        let limits = Limits::nodes(nodes).with_stop(self.stop);
        let report = game.search(engine, &limits, &mut |_| ControlFlow::Continue(()));
        if (self.stop)() {
            return Err(Interrupted);
        }
        let line = report.lines.into_iter().next().expect("the game is not over");
        Ok((line.score, line.moves))
    }

    /// The result of a search as an assessment of the position.
    fn assess(&self, &Found { turn, score, .. }: &Found) -> Assessment {
        let is_first = turn == Player::First;
        let of_first = |value: i32| if is_first { value } else { -value };
        let (score, expected) = match score {
            Score::Centipawns(value) => {
                let value = of_first(value);
                (ReviewScore::Centipawns(value), self.curve.expected(value.into()))
            }
            Score::Win(_) | Score::Loss(_) => {
                let is_won = matches!(score, Score::Win(_)) == is_first;
                let mate = score.mate_in().expect("a forced result");
                (ReviewScore::Mate(of_first(mate)), if is_won { 1.0 } else { 0.0 })
            }
        };
        Assessment { score, expected }
    }
}
