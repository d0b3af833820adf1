//! The result of a tree search in the form of the other searches: lines with scores.

use std::cmp::Reverse;

use sandtable_core::Position;
use sandtable_core::search::{Evaluate, WinCurve};

use super::store::{NONE, Node, NodeId, Proof, ROOT};
use super::{Mcts, RootVisit};
use crate::{Line, Report, Score};

/// The greatest expected score of a move that is not proven to win; it has a finite score in centipawns.
const MAX_EXPECTED: f64 = 0.9999;

/// What a tree search has found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TreeReport<M> {
    /// The lines with their scores. Nodes are visits, and the depth is the length of the best line.
    pub report: Report<M>,
    /// The statistics of the first move of each line.
    pub root: Vec<RootVisit<M>>,
}

impl<M> TreeReport<M> {
    /// Returns the same report with other moves: `convert` gets the moves of each line.
    #[must_use]
    pub fn map_lines<N: Clone>(&self, convert: impl FnMut(&[M]) -> Vec<N>) -> TreeReport<N> {
        let report = self.report.map_lines(convert);
        let lines = report.lines.iter().zip(&self.root);
        let root = lines.map(|(line, &RootVisit { visits, prior, value, .. })| RootVisit {
            root_move: line.moves[0].clone(),
            visits,
            prior,
            value,
        });
        TreeReport { root: root.collect(), report }
    }
}

impl<P: Position> Mcts<P> {
    /// Returns the principal variation: the line of most visits, or of moves that are proven to win. It avoids moves that are
    /// proven to lose.
    #[must_use]
    pub fn line(&self) -> Vec<P::Move> {
        let mut line = Vec::new();
        self.follow_line(ROOT, |m, _| line.push(m));
        line
    }

    /// Calls `f` with each move of the principal variation from a node, and the node after the move if there is one.
    fn follow_line(&self, mut id: NodeId, mut f: impl FnMut(P::Move, Option<NodeId>)) {
        loop {
            let node = self.store.node(id);
            let rank = |child: &Node| (child.proof_for_parent(), child.visits, Reverse(child.edge));
            let children = self.store.children(id).filter(|(_, child)| child.visits > 0);
            let Some((best, child)) = children.max_by_key(|(_, child)| rank(child)) else { return };
            if child.proof_for_parent() == Proof::Loss && node.proof != Proof::Loss {
                // The other moves may all have children whose first visits are pending.
                if node.next_edge != NONE {
                    f(self.store.moves[(node.first_edge + node.next_edge) as usize], None);
                }
                return;
            }
            f(self.store.move_to(best), Some(best));
            id = best;
        }
    }

    /// Returns whether the root is proven to be won or lost, so that more visits cannot change the result.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.store.node(ROOT).proof != Proof::Open
    }

    /// The length of the longest line of the tree.
    fn max_depth(&self) -> u32 {
        let mut depths: Vec<u32> = Vec::with_capacity(self.store.nodes.len());
        for node in &self.store.nodes {
            // A parent precedes its children.
            depths.push(if node.parent == NONE { 0 } else { depths[node.parent as usize] + 1 });
        }
        depths.into_iter().max().unwrap_or(0)
    }
}

impl<P: Evaluate> Mcts<P> {
    /// Returns up to `count` lines, best first: those of most visits, after proven wins and before proven losses. Only the
    /// best line may begin with a move without visits, for want of a better one. Empty before the root has been evaluated.
    ///
    /// The score of a line is the value of its first move on the scale of the game's static evaluation
    /// ([`Evaluate::WIN_SCALE`]). If the result is proven, the score is the length of the line; a shorter line may
    /// exist.
    #[must_use]
    pub fn report(&self, count: usize) -> TreeReport<P::Move> {
        let root_node = self.store.node(ROOT);
        let mut ranked: Vec<_> = self
            .root_moves()
            .into_iter()
            .zip(0..)
            .map(|(visit, edge)| {
                let child = self.store.child_at(ROOT, edge);
                let proof = child.map_or(Proof::Open, |child| self.store.node(child).proof_for_parent());
                (proof, visit, child)
            })
            .collect();
        // A stable sort keeps equal moves in the order of the legal moves.
        ranked.sort_by(|(proof_a, a, _), (proof_b, b, _)| {
            (proof_b, b.visits).cmp(&(proof_a, a.visits)).then(b.prior.total_cmp(&a.prior))
        });
        let mut number = 0;
        ranked.retain(|(_, visit, _)| {
            number += 1;
            number == 1 || visit.visits > 0
        });
        ranked.truncate(count.max(1));

        let (mut lines, mut root) = (Vec::new(), Vec::new());
        for (proof, visit, child) in ranked {
            let mut moves = vec![visit.root_move];
            // Counts the runs of moves by the same player.
            let (mut turns, mut player) = (1, root_node.turn);
            if let Some(child) = child {
                let mut before = child;
                self.follow_line(child, |m, next| {
                    moves.push(m);
                    let turn = self.store.node(before).turn;
                    turns += u32::from(turn != player);
                    player = turn;
                    before = next.unwrap_or(before);
                });
            }
            let score = match proof {
                Proof::Win => Score::Win(turns),
                Proof::Loss => Score::Loss(turns),
                Proof::Open if visit.visits == 0 => centipawns::<P>(root_node.mean()),
                Proof::Open => centipawns::<P>(visit.value),
            };
            lines.push(Line { score, moves });
            root.push(visit);
        }
        let report = Report {
            depth: lines.first().map_or(0, |line| line.moves.len() as u32),
            seldepth: self.max_depth(),
            nodes: self.visits().into(),
            hashfull: (1000 * self.store.size() as u64 / u64::from(self.settings.max_nodes.max(1))) as u32,
            lines,
        };
        TreeReport { report, root }
    }
}

/// The static evaluation at which the expected result is `value`, from −1 to 1.
fn centipawns<P: Evaluate>(value: f32) -> Score {
    let expected = f64::midpoint(f64::from(value), 1.0).clamp(1.0 - MAX_EXPECTED, MAX_EXPECTED);
    Score::Centipawns(WinCurve::new(P::WIN_SCALE).centipawns(expected).round() as i32)
}
