//! The searches of a review.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use sandtable_core::{Outcome, Player};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Score};

use super::turns::{PlayedTurn, positions_between, turns_of};
use super::{
    Assessment, Better, Comparison, INACCURACY, Interrupted, Judgement, Review, ReviewProgress, ReviewScore,
    ReviewSettings, ReviewedTurn, expected_score,
};
use crate::{AnyGame, BoxedGame, Evaluation, engine_for};

/// The transposition table of a search, in MiB: enough for its nodes, and quickly cleared.
const HASH_MIB: usize = 4;
/// A turn is examined again if it seems to lose at least this share of an inaccuracy.
const SUSPICIOUS: f64 = 0.6 * INACCURACY;
/// How many times the nodes a position after a suspicious turn is worth.
const SECOND_LOOK: u64 = 2;
/// The longest line after a better turn, in turns.
const LINE_TURNS: usize = 6;
/// A turn that the engine's line does not complete is completed by searches with this share of the nodes.
const COMPLETION: u64 = 8;

/// What a search found.
struct Found {
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
    let positions = positions_between(game, &turns);
    let searcher = Searcher { evaluation, settings, stop, scale: game.win_scale() };
    let total = 2 * positions.len();
    let mut report = |done| progress(ReviewProgress { done, total });
    report(0);

    let nodes = settings.nodes;
    let jobs: Vec<_> = positions.iter().map(|position| (position, nodes)).collect();
    let found = searcher.search_all(&jobs, &mut report)?;

    // The position after the engine's choice, for each turn that seems to lose something.
    let mut suspects: Vec<(usize, BoxedGame)> = Vec::new();
    for turn in 0..turns.len() {
        let Some(best) = &found[turn].best else { continue };
        let is_same = best.hash == positions[turn + 1].hash64();
        let expected = |at: usize| searcher.expected_for(turns[turn].player, &positions[at], found[at].score);
        if !is_same && expected(turn) - expected(turn + 1) >= SUSPICIOUS {
            suspects.push((turn, after_turn(&positions[turn], best)));
        }
    }
    let pairs = suspects.iter().flat_map(|(turn, better)| [better, &positions[turn + 1]]);
    let jobs: Vec<_> = pairs.map(|position| (position, SECOND_LOOK * nodes)).collect();
    let part = jobs.len().max(1);
    let second =
        searcher.search_all(&jobs, &mut |done| report(positions.len() + positions.len() * done / part))?;
    report(total);

    let assessed: Vec<_> =
        positions.iter().zip(&found).map(|(game, found)| searcher.assess(game, found.score)).collect();
    let mut reviewed: Vec<_> = turns
        .into_iter()
        .zip(&assessed[1..])
        .map(|(PlayedTurn { number, player, plies, text }, &after)| ReviewedTurn {
            number,
            player,
            plies,
            text,
            after,
            loss: 0.0,
            judgement: None,
            better: None,
        })
        .collect();
    for turn in 0..reviewed.len() {
        let best = &found[turn].best;
        let Some(best) = best.as_ref().filter(|best| best.hash != positions[turn + 1].hash64()) else {
            continue;
        };
        let ReviewedTurn { player, loss, judgement, better, .. } = &mut reviewed[turn];
        let expected = |assessment: Assessment| assessment.expected_for(*player);
        *loss = (expected(assessed[turn]) - expected(assessed[turn + 1])).max(0.0);
        let Some(suspect) = suspects.iter().position(|(suspect, _)| *suspect == turn) else { continue };
        let (after_best, line) = (&suspects[suspect].1, &second[2 * suspect]);
        let [best_after, played_after] =
            [(after_best, line), (&positions[turn + 1], &second[2 * suspect + 1])]
                .map(|(game, found)| searcher.assess(game, found.score));
        *loss = (expected(best_after) - expected(played_after)).clamp(0.0, *loss);
        *judgement = Judgement::of_loss(*loss);
        if judgement.is_some() {
            *better = Some(better_turn(&positions[turn], best, line.best.as_ref(), best_after));
        }
    }
    Ok(Review { start: assessed[0], turns: reviewed })
}

/// Compares the positions after two turns of `player`, with the searches that a [`review`] uses for an error and the better turn.
///
/// A turn that leads to the same position as the other one loses nothing, nor does one that is even better.
pub fn compare_turns(
    player: Player,
    turn: &BoxedGame,
    better: &BoxedGame,
    evaluation: &Evaluation,
    settings: &ReviewSettings,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Comparison, Interrupted> {
    let searcher = Searcher { evaluation, settings, stop, scale: turn.win_scale() };
    let nodes = SECOND_LOOK * settings.nodes;
    let found = searcher.search_all(&[(turn, nodes), (better, nodes)], &mut |_| ())?;
    let [after, better_after] =
        [(turn, &found[0]), (better, &found[1])].map(|(game, found)| searcher.assess(game, found.score));
    let is_same = turn.hash64() == better.hash64();
    let loss = if is_same { 0.0 } else { better_after.expected_for(player) - after.expected_for(player) };
    let loss = loss.max(0.0);
    Ok(Comparison { after, better_after, loss, judgement: Judgement::of_loss(loss) })
}

/// The position after the engine's choice.
fn after_turn(game: &BoxedGame, best: &BestLine) -> BoxedGame {
    let mut game = game.clone_box();
    for text in &best.moves[..best.turn_len] {
        game.play(text).expect("a move of the engine is legal");
    }
    game
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
    scale: f64,
}

impl Searcher<'_> {
    /// Searches positions, each with its number of nodes, and reports how many are done.
    ///
    /// The calling thread searches, too: with one thread no other is started, because the browser has none.
    fn search_all(
        &self,
        jobs: &[(&BoxedGame, u64)],
        report: &mut dyn FnMut(usize),
    ) -> Result<Vec<Found>, Interrupted> {
        let others = self.settings.threads.clamp(1, jobs.len().max(1)) - 1;
        let next = AtomicUsize::new(0);
        let take = || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            jobs.get(number).map(|job| (number, *job))
        };
        let mut all: Vec<Option<Found>> = jobs.iter().map(|_| None).collect();
        std::thread::scope(|scope| {
            let (sender, finished) = mpsc::channel();
            for _ in 0..others {
                let (take, sender) = (&take, sender.clone());
                scope.spawn(move || {
                    let mut engine = None;
                    while let Some((number, job)) = take()
                        && let Ok(found) = self.search_job(job, &mut engine)
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
            let mut engine = None;
            while let Some((number, job)) = take()
                && let Ok(found) = self.search_job(job, &mut engine)
            {
                keep((number, found));
                finished.try_iter().for_each(&mut keep);
            }
            finished.into_iter().for_each(keep);
        });
        all.into_iter().collect::<Option<Vec<_>>>().ok_or(Interrupted)
    }

    /// Searches one position with an engine that is made for the first one.
    fn search_job(
        &self,
        (game, nodes): (&BoxedGame, u64),
        engine: &mut Option<AlphaBeta>,
    ) -> Result<Found, Interrupted> {
        let engine = engine.get_or_insert_with(|| self.engine(&**game));
        self.search(&**game, engine, nodes)
    }

    fn engine(&self, game: &dyn AnyGame) -> AlphaBeta {
        engine_for(game.name(), HASH_MIB, AlphaBetaSettings::default(), self.evaluation)
            .expect("there is memory for a small table")
    }

    /// Searches one position. The result does not depend on earlier searches.
    fn search(&self, game: &dyn AnyGame, engine: &mut AlphaBeta, nodes: u64) -> Result<Found, Interrupted> {
        let player = game.turn();
        let over = match game.outcome() {
            Outcome::Ongoing => None,
            Outcome::Draw { .. } => Some(Score::Centipawns(0)),
            Outcome::Win { winner, .. } if winner == player => Some(Score::Win(0)),
            Outcome::Win { .. } => Some(Score::Loss(0)),
        };
        if let Some(score) = over {
            return Ok(Found { score, best: None });
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
        Ok(Found { score, best: Some(BestLine { moves, turn_len, hash: after.hash64() }) })
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

    /// A score of the side to move as an assessment of the position.
    fn assess(&self, game: &BoxedGame, score: Score) -> Assessment {
        let is_first = game.turn() == Player::First;
        let of_first = |value: i32| if is_first { value } else { -value };
        let (score, expected) = match score {
            Score::Centipawns(value) => {
                let value = of_first(value);
                (ReviewScore::Centipawns(value), expected_score(value, self.scale))
            }
            Score::Win(_) | Score::Loss(_) => {
                let is_won = matches!(score, Score::Win(_)) == is_first;
                let mate = score.mate_in().expect("a forced result");
                (ReviewScore::Mate(of_first(mate)), if is_won { 1.0 } else { 0.0 })
            }
        };
        Assessment { score, expected }
    }

    fn expected_for(&self, player: Player, game: &BoxedGame, score: Score) -> f64 {
        self.assess(game, score).expected_for(player)
    }
}
