//! One thread of the alpha-beta search: its state.
//!
//! `root.rs` searches the root moves, `node.rs` a node, `quiescence.rs` a leaf; `child.rs` is the step from a node to the next.
//! The other files hold one concern each, shared by these.

mod child;
mod depth;
mod entry;
mod node;
mod pruning;
mod quiescence;
mod root;
mod static_eval;
mod transpositions;
mod window;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sandtable_core::search::{Evaluate, SearchParameters};
use sandtable_core::{Game, Player};
use sandtable_nnue::Network;

pub(crate) use self::root::RootMove;
use crate::Selectivity;
use crate::evaluation::PathEvaluation;
use crate::history::{History, Previous};
use crate::limits::Limits;
use crate::path::Path;
use crate::picker::Picker;
use crate::score::MAX_PLY;
use crate::table::Table;

/// State shared by the threads of one search.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) limits: &'a Limits<'a>,
    pub(crate) network: Option<&'a Arc<Network>>,
    pub(crate) selectivity: Selectivity,
    pub(crate) parameters: SearchParameters,
    pub(crate) stop: AtomicBool,
    /// The nodes of all helpers, updated every [`POLL_INTERVAL`](crate::POLL_INTERVAL) nodes.
    pub(crate) helper_nodes: AtomicU64,
}

/// What the search remembers about a ply of the current path.
struct Ply<M> {
    /// The static evaluation, if it was computed.
    static_eval: Option<i32>,
    /// The static evaluation before its correction.
    raw_eval: Option<i32>,
    turn: Player,
    /// The slot of the move that was played here; `None` for a null move.
    played: Option<usize>,
    /// The last two quiet moves that caused a beta cutoff at this distance from the root.
    killers: [Option<M>; 2],
    /// The move that a singular search leaves out.
    excluded: Option<M>,
}

pub(crate) struct Worker<'a, P: Evaluate> {
    shared: &'a Shared<'a>,
    root: P,
    pub(crate) root_moves: Vec<RootMove<P::Move>>,
    path: Path,
    evaluation: PathEvaluation<P>,
    history: &'a mut History<P>,
    plies: Vec<Ply<P::Move>>,
    /// The principal variation from each ply.
    pv: Vec<Vec<P::Move>>,
    /// A picker for each ply, reused so that no node allocates; a node takes it while it searches its moves.
    pickers: Vec<Option<Box<Picker<P::Move>>>>,
    /// Whether this is the main thread, which checks the limits. Helpers only check the shared stop flag.
    is_main: bool,
    nodes: u64,
    /// The nodes already added to [`Shared::helper_nodes`].
    reported_nodes: u64,
    /// The depth of the current iteration.
    root_depth: i32,
    pub(crate) seldepth: usize,
    pub(crate) stopped: bool,
}

impl<'a, P: Evaluate> Worker<'a, P> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        game: &Game<P>,
        history: &'a mut History<P>,
        is_main: bool,
    ) -> Self {
        let root = game.position().clone();
        let mut evaluation = PathEvaluation::new(shared.network, &root);
        let score = evaluation.score(0, &root.view());
        let legal = game.legal_moves().into_iter().enumerate();
        let chosen = legal.filter(|&(i, _)| shared.limits.allows_root_move(i));
        let root_moves = chosen.map(|(_, m)| RootMove { score, line: vec![m] }).collect();
        let ply = || Ply {
            static_eval: None,
            raw_eval: None,
            turn: root.turn(),
            played: None,
            killers: [None; 2],
            excluded: None,
        };
        let mut plies: Vec<_> = (0..MAX_PLY + 2).map(|_| ply()).collect();
        plies[0].static_eval = Some(score);
        Self {
            shared,
            root,
            root_moves,
            path: Path::new(game),
            evaluation,
            history,
            plies,
            pv: vec![Vec::new(); MAX_PLY + 2],
            pickers: (0..MAX_PLY + 2).map(|_| Some(Box::default())).collect(),
            is_main,
            nodes: 0,
            reported_nodes: 0,
            root_depth: 0,
            seldepth: 0,
            stopped: false,
        }
    }

    pub(crate) fn depth_limit(&self) -> u32 {
        self.shared.limits.depth.unwrap_or(u32::MAX)
    }

    /// The nodes of this thread and those reported by the helpers.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes + self.shared.helper_nodes.load(Ordering::Relaxed)
    }

    /// The slots of the two moves before a ply.
    fn previous(&self, ply: usize) -> Previous {
        let played = |back: usize| ply.checked_sub(back).and_then(|ply| self.plies[ply].played);
        [played(1), played(2)]
    }

    fn update_pv(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&below[0]);
    }
}
