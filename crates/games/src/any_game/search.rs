//! Searching and counting in a game of any kind.

use std::ops::ControlFlow;
use std::sync::Arc;

use sandtable_core::Game;
use sandtable_core::rules::{Divided, MAX_PERFT_DEPTH, divide, perft_threaded, perft_until};
use sandtable_core::search::WinCurve;
use sandtable_nnue::Network;
use sandtable_search::{AlphaBeta, Limits, Report, static_eval};

use super::Playable;
use super::text::line_text;

/// The callback for the iterations of a search. It may stop the search.
pub type OnReport<'a> = dyn FnMut(&Report<String>) -> ControlFlow<()> + 'a;

/// The error for a perft whose recursion could overflow the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("perft depth {depth} is too large: expected 0 to {MAX_PERFT_DEPTH}")]
pub struct PerftTooDeep {
    /// The depth.
    pub depth: u32,
}

impl PerftTooDeep {
    fn check(depth: u32) -> Result<(), Self> {
        if depth > MAX_PERFT_DEPTH { Err(Self { depth }) } else { Ok(()) }
    }
}

/// Search: static evaluation, alpha-beta and perft.
pub trait AnySearch {
    /// The static evaluation for the side to move, in centipawns: by the network if it is a network for this game,
    /// otherwise hand-made.
    fn static_eval(&self, network: Option<&Arc<Network>>) -> i32;
    /// The curve from scores to expected scores in this game.
    fn win_curve(&self) -> WinCurve;
    /// Searches the position and calls `on_report` after every iteration. Moves are in the form that programs exchange.
    fn search(
        &self,
        engine: &mut AlphaBeta,
        limits: &Limits<'_>,
        on_report: &mut OnReport<'_>,
    ) -> Report<String>;
    /// The number of legal move sequences of length `depth`, at most [`MAX_PERFT_DEPTH`].
    fn perft(&self, depth: u32, threads: usize) -> Result<u64, PerftTooDeep>;
    /// [`perft`](Self::perft) that ends early, with `None`, once `stop` returns true.
    fn perft_until(
        &self,
        depth: u32,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<u64>, PerftTooDeep>;
    /// [`perft`](Self::perft) split by root move; empty at depth 0. Calls `progress` after each root move.
    fn divide(
        &self,
        depth: u32,
        threads: usize,
        progress: &(dyn Fn() + Sync),
    ) -> Result<Vec<Divided<String>>, PerftTooDeep>;
}

impl<P: Playable> AnySearch for Game<P> {
    fn static_eval(&self, network: Option<&Arc<Network>>) -> i32 {
        static_eval(self.position(), network)
    }

    fn win_curve(&self) -> WinCurve {
        WinCurve::new(P::WIN_SCALE)
    }

    fn search(
        &self,
        engine: &mut AlphaBeta,
        limits: &Limits<'_>,
        on_report: &mut OnReport<'_>,
    ) -> Report<String> {
        let in_text = |report: &Report<P::Move>| report.map_lines(|moves| line_text(self.position(), moves));
        let report = engine.search(self, limits, |report| on_report(&in_text(report)));
        in_text(&report)
    }

    fn perft(&self, depth: u32, threads: usize) -> Result<u64, PerftTooDeep> {
        PerftTooDeep::check(depth)?;
        Ok(perft_threaded(self.position(), depth, threads))
    }

    fn perft_until(
        &self,
        depth: u32,
        threads: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<u64>, PerftTooDeep> {
        PerftTooDeep::check(depth)?;
        Ok(perft_until(self.position(), depth, threads, stop))
    }

    fn divide(
        &self,
        depth: u32,
        threads: usize,
        progress: &(dyn Fn() + Sync),
    ) -> Result<Vec<Divided<String>>, PerftTooDeep> {
        PerftTooDeep::check(depth)?;
        if depth == 0 {
            return Ok(Vec::new());
        }
        let position = self.position();
        let divided = divide(position, depth, threads, |_| progress());
        let text = |Divided { root, nodes }| Divided { root: position.move_text(root), nodes };
        Ok(divided.into_iter().map(text).collect())
    }
}
