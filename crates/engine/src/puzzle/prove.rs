//! The proof that a position has one winning turn.

use std::collections::HashMap;
use std::ops::ControlFlow;

use sandtable_core::rules::ends_turn;
use sandtable_core::search::Evaluate;
use sandtable_core::{Game, Position};
use sandtable_search::{AlphaBeta, Limits, Report, Score};

/// A complete turn and the position after it.
#[derive(Clone, Debug)]
pub(super) struct ProvedTurn<P: Position> {
    pub(super) moves: Vec<P::Move>,
    pub(super) after: P,
    pub(super) score: Score,
    /// The number of nodes after which the search kept to this turn.
    pub(super) nodes: u64,
}

/// What a proof must show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) nodes: u64,
    /// The lowest score of the solution, in centipawns.
    pub(super) winning: i32,
    /// The highest score of any other turn, in centipawns.
    pub(super) others: i32,
}

/// A solution may be reached by several orders of its steps. Each position on the way takes a search, so there is a bound.
const MAX_WAYPOINTS: usize = 12;

/// Searches with an empty table, so that the result does not depend on earlier searches.
pub(super) fn search<P: Evaluate>(
    engine: &mut AlphaBeta,
    position: &P,
    limits: &Limits<'_>,
    lines: usize,
    on_report: impl FnMut(&Report<P::Move>) -> ControlFlow<()>,
) -> Report<P::Move> {
    engine.clear();
    engine.settings.lines = lines;
    engine.search(&Game::from_position(position.clone()), limits, on_report)
}

/// The complete turn at the beginning of a line; `None` if the line ends before the turn does.
pub(super) fn first_turn<P: Position>(position: &P, line: &[P::Move]) -> Option<(Vec<P::Move>, P)> {
    let mut after = position.clone();
    for (index, &m) in line.iter().enumerate() {
        after.play_unchecked(m);
        if ends_turn(position.turn(), &after) {
            return Some((line[..=index].to_vec(), after));
        }
    }
    None
}

/// The only winning turn; the reason as text if there is none.
pub(super) fn prove<P: Evaluate>(
    engine: &mut AlphaBeta,
    position: &P,
    bounds: Bounds,
) -> Result<ProvedTurn<P>, String> {
    // The turns of all iterations, with the nodes when they were found.
    let mut found = Vec::new();
    let report = search(engine, position, &Limits::nodes(bounds.nodes), 1, |report| {
        let turn = report.lines.first().and_then(|line| first_turn(position, &line.moves));
        found.push((report.nodes, turn.map(|(_, after)| after)));
        ControlFlow::Continue(())
    });
    let best = report.lines.first().ok_or("the game is over")?;
    if best.score < Score::Centipawns(bounds.winning) {
        return Err(format!("a score of {}", best.score));
    }
    let (moves, after) = first_turn(position, &best.moves).ok_or("an incomplete turn")?;
    let wrong = found.iter().rposition(|(_, turn)| turn.as_ref() != Some(&after));
    let nodes = found.get(wrong.map_or(0, |index| index + 1)).map_or(report.nodes, |(nodes, _)| *nodes);
    for (waypoint, excluded) in waypoints(position, &after)? {
        if let Some(score) = best_other(engine, &waypoint, &excluded, bounds) {
            return Err(format!("another turn with a score of {score}"));
        }
    }
    Ok(ProvedTurn { moves, after, score: best.score, nodes })
}

/// The score of the best turn from a waypoint without the excluded moves, if it is above the bound.
fn best_other<P: Evaluate>(
    engine: &mut AlphaBeta,
    waypoint: &P,
    excluded: &[P::Move],
    bounds: Bounds,
) -> Option<Score> {
    let legal = Game::from_position(waypoint.clone()).legal_moves();
    let others: Vec<_> = (0..legal.len()).filter(|&index| !excluded.contains(&legal[index])).collect();
    if others.is_empty() {
        return None;
    }
    let limits = Limits::nodes(bounds.nodes).with_root_moves(&others);
    let too_good = |score: Score| score > Score::Centipawns(bounds.others);
    let report = search(engine, waypoint, &limits, 1, |report| {
        // A score that stays too high for this long rarely falls below the bound.
        let settled = report.nodes > bounds.nodes / 4;
        match report.score() {
            Some(score) if settled && too_good(score) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    });
    report.score().filter(|&score| too_good(score))
}

/// A position within a turn, and the moves there that lead to the position after the turn.
type Waypoint<P> = (P, Vec<<P as Position>::Move>);

/// The positions within a turn from which `after` can be reached, each with the moves that lead there: the first
/// position, and positions within a deployment, whose steps may have several orders. A turn to any other position
/// makes, in one of these positions, a move that is not in its list.
fn waypoints<P: Position>(position: &P, after: &P) -> Result<Vec<Waypoint<P>>, String> {
    let mut memo = HashMap::new();
    let mut found = Vec::new();
    visit(position, position, after, &mut memo, &mut found);
    if found.len() > MAX_WAYPOINTS { Err("too many orders of the steps".to_owned()) } else { Ok(found) }
}

/// Whether `after` can be reached from `here` within the turn that began at `root`.
fn visit<P: Position>(
    here: &P,
    root: &P,
    after: &P,
    memo: &mut HashMap<P, bool>,
    found: &mut Vec<Waypoint<P>>,
) -> bool {
    if let Some(&known) = memo.get(here) {
        return known;
    }
    let mut leading = Vec::new();
    for m in here.legal_moves() {
        let mut next = here.clone();
        next.play_unchecked(m);
        let leads = if ends_turn(root.turn(), &next) {
            next == *after
        } else {
            visit(&next, root, after, memo, found)
        };
        if leads {
            leading.push(m);
        }
    }
    let reaches = !leading.is_empty();
    memo.insert(here.clone(), reaches);
    if reaches {
        found.push((here.clone(), leading));
    }
    reaches
}
