//! Move ordering: the moves of a node in stages, each generated only when it is reached.
//!
//! The earlier the best move is searched, the more the search can cut off; a node that is cut off by the table move or a
//! capture never generates its quiet moves.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use sandtable_core::search::{Evaluate, NodeView as _, Tactic};

use crate::history::{History, MoveKey, Previous, Statistics};

/// A move with what the search knows about it before playing it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<M> {
    pub(crate) m: M,
    pub(crate) key: MoveKey,
    /// The immediate material gain; 0 if quiet.
    pub(crate) gain: i32,
    /// The value of the moving piece, if the move has a gain.
    risk: i32,
    /// The order within the stage; the history of a quiet move, with a bonus for a threat.
    order: i32,
    /// The static exchange evaluation of a move that loses material; 0 for other moves, and if it is unknown.
    pub(crate) exchange: i32,
    /// Whether a quiet move threatens something.
    pub(crate) threatens: bool,
    /// Whether the move is a killer move or the counter move.
    pub(crate) is_refutation: bool,
}

impl<M: Copy> Candidate<M> {
    pub(crate) fn is_quiet(&self) -> bool {
        self.gain == 0
    }

    pub(crate) fn new<P: Evaluate<Move = M>>(
        view: &P::View<'_>,
        history: &History<P>,
        previous: Previous,
        m: M,
    ) -> Self {
        let position = view.position();
        let tactic = view.tactic(m);
        if tactic.gain == 0 {
            let statistics = history.statistics(position.turn(), previous);
            Self::quiet::<P>(view, statistics, MoveKey::of::<P>(view, m), m)
        } else {
            Self::noisy(tactic, MoveKey::of::<P>(view, m), m)
        }
    }

    #[inline]
    fn quiet<P: Evaluate<Move = M>>(
        view: &P::View<'_>,
        statistics: Statistics<'_>,
        key: MoveKey,
        m: M,
    ) -> Self {
        let threatens = view.threatens(m);
        let order = statistics.score(key) + if threatens { THREAT_BONUS } else { 0 };
        Self { m, key, gain: 0, risk: 0, order, exchange: 0, threatens, is_refutation: false }
    }

    fn noisy(tactic: Tactic, key: MoveKey, m: M) -> Self {
        let Tactic { gain, risk } = tactic;
        let order = 16 * gain - risk;
        Self { m, key, gain, risk, order, exchange: 0, threatens: false, is_refutation: false }
    }

    /// The static exchange evaluation, if it is negative; 0 otherwise.
    fn loss<P: Evaluate<Move = M>>(&self, view: &P::View<'_>) -> i32 {
        if self.risk > self.gain || self.is_quiet() { view.static_exchange(self.m).min(0) } else { 0 }
    }

    /// The history of a quiet move.
    pub(crate) fn history(&self) -> i32 {
        self.order - if self.threatens { THREAT_BONUS } else { 0 }
    }
}

/// How much earlier a quiet move with a threat is searched, in units of the history.
const THREAT_BONUS: i32 = 8000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// The move from the transposition table.
    #[default]
    Table,
    GenerateNoisy,
    /// Captures and promotions that do not lose material, most valuable victim first; quiet threats, if wanted.
    Noisy,
    /// Killer moves and the counter move, by index.
    Refutations(usize),
    GenerateQuiet,
    /// Quiet moves by history.
    Quiet,
    /// The moves of the stage `Noisy` that lose material, by index.
    Losing(usize),
}

/// The moves that a node searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    All,
    /// Moves with a gain.
    Noisy,
    /// Moves with a gain and quiet threats.
    NoisyAndThreats,
}

/// The moves of a node in stages. Reused from node to node, so that no node allocates.
#[derive(Debug)]
pub(crate) struct Picker<M> {
    stage: Stage,
    wanted: Wanted,
    table_move: Option<M>,
    refutations: [Option<M>; 3],
    /// The signatures of the table move and the refutations.
    signatures: [Option<u16>; 4],
    moves: Vec<Candidate<M>>,
    /// The index of the next of `moves`.
    next: usize,
    losing: Vec<Candidate<M>>,
    /// The quiet moves that the search has tried.
    pub(crate) tried: Vec<MoveKey>,
}

impl<M> Default for Picker<M> {
    fn default() -> Self {
        Self {
            stage: Stage::Table,
            wanted: Wanted::All,
            table_move: None,
            refutations: [const { None }; 3],
            signatures: [None; 4],
            moves: Vec::new(),
            next: 0,
            losing: Vec::new(),
            tried: Vec::new(),
        }
    }
}

impl<M: Copy + Eq> Picker<M> {
    /// Starts a node. The table move is legal.
    pub(crate) fn start(&mut self, wanted: Wanted, table_move: Option<M>, refutations: [Option<M>; 3]) {
        self.stage = Stage::Table;
        (self.wanted, self.table_move, self.refutations) = (wanted, table_move, refutations);
        self.losing.clear();
        self.tried.clear();
    }

    /// Leaves out the remaining quiet moves.
    pub(crate) fn skip_quiet(&mut self) {
        self.stage = Stage::Losing(0);
    }

    /// The number of moves generated so far, for limits that grow with this number.
    pub(crate) fn generated(&self) -> usize {
        self.moves.len()
    }

    /// The next move.
    pub(crate) fn next<P: Evaluate<Move = M>>(
        &mut self,
        view: &P::View<'_>,
        history: &History<P>,
        previous: Previous,
    ) -> Option<Candidate<M>> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(m) = self.table_move {
                        return Some(Candidate::new(view, history, previous, m));
                    }
                }
                Stage::GenerateNoisy => {
                    self.begin(Stage::Noisy);
                    self.generate_noisy::<P>(view);
                    if self.wanted == Wanted::NoisyAndThreats {
                        self.generate_threats(view, history, previous);
                    }
                }
                Stage::Noisy => match self.pick() {
                    Some(found) => match found.loss::<P>(view) {
                        0 => return Some(found),
                        exchange => self.losing.push(Candidate { exchange, ..found }),
                    },
                    None if self.wanted == Wanted::All => self.stage = Stage::Refutations(0),
                    None => self.stage = Stage::Losing(0),
                },
                Stage::Refutations(index) if index < self.refutations.len() => {
                    self.stage = Stage::Refutations(index + 1);
                    if let Some(found) = self.refutation(index, view, history, previous) {
                        return Some(found);
                    }
                }
                Stage::Refutations(_) => self.stage = Stage::GenerateQuiet,
                Stage::GenerateQuiet => {
                    self.begin(Stage::Quiet);
                    self.generate_quiet(view, history, previous);
                }
                Stage::Quiet => match self.pick() {
                    Some(found) => return Some(found),
                    None => self.stage = Stage::Losing(0),
                },
                Stage::Losing(index) => {
                    self.stage = Stage::Losing(index + 1);
                    return self.losing.get(index).copied();
                }
            }
        }
    }

    fn begin(&mut self, stage: Stage) {
        self.stage = stage;
        self.moves.clear();
        self.next = 0;
    }

    // The generation of moves is kept out of `next`, which would need a large stack frame for each move otherwise.

    #[inline(never)]
    fn generate_noisy<P: Evaluate<Move = M>>(&mut self, view: &P::View<'_>) {
        let _ = view.for_each_noisy::<()>(|m| {
            if self.table_move != Some(m) {
                self.moves.push(Candidate::noisy(view.tactic(m), MoveKey::of::<P>(view, m), m));
            }
            ControlFlow::Continue(())
        });
    }

    #[inline(never)]
    fn generate_threats<P: Evaluate<Move = M>>(
        &mut self,
        view: &P::View<'_>,
        history: &History<P>,
        previous: Previous,
    ) {
        let position = view.position();
        let statistics = history.statistics(position.turn(), previous);
        let _ = view.for_each_quiet_threat::<()>(|m| {
            if self.table_move != Some(m) {
                let key = MoveKey::of::<P>(view, m);
                self.moves.push(Candidate::quiet::<P>(view, statistics, key, m));
            }
            ControlFlow::Continue(())
        });
    }

    #[inline(never)]
    fn generate_quiet<P: Evaluate<Move = M>>(
        &mut self,
        view: &P::View<'_>,
        history: &History<P>,
        previous: Previous,
    ) {
        let position = view.position();
        let statistics = history.statistics(position.turn(), previous);
        let [first, second, third] = self.refutations;
        self.signatures = [self.table_move, first, second, third].map(|m| m.map(|m| view.signature(m)));
        let _ = view.for_each_quiet::<()>(|m| {
            let key = MoveKey::of::<P>(view, m);
            if !self.came_earlier(key, m) {
                self.moves.push(Candidate::quiet::<P>(view, statistics, key, m));
            }
            ControlFlow::Continue(())
        });
    }

    /// Whether a quiet move was the table move or a refutation. Signatures are compared first, which is faster.
    #[inline]
    fn came_earlier(&self, key: MoveKey, m: M) -> bool {
        self.signatures.contains(&Some(key.signature))
            && (self.table_move == Some(m) || self.refutations.contains(&Some(m)))
    }

    /// The refutation at an index, if it is a legal quiet move that did not come earlier. Otherwise the refutation is
    /// forgotten, so that the quiet moves still include it.
    fn refutation<P: Evaluate<Move = M>>(
        &mut self,
        index: usize,
        view: &P::View<'_>,
        history: &History<P>,
        previous: Previous,
    ) -> Option<Candidate<M>> {
        let m = self.refutations[index].take()?;
        let is_new = self.table_move != Some(m) && !self.refutations[..index].contains(&Some(m));
        if !is_new || !view.is_legal(m) || view.tactic(m).gain != 0 {
            return None;
        }
        self.refutations[index] = Some(m);
        let found = Candidate::new(view, history, previous, m);
        Some(Candidate { is_refutation: true, ..found })
    }

    /// The best of the moves that are left.
    ///
    /// Most nodes are cut off after a few moves, so selection beats sorting at first, and then sorting a block at a time.
    /// The order of equal moves is deterministic.
    fn pick(&mut self) -> Option<Candidate<M>> {
        const SELECTED: usize = 6;
        const BLOCK: usize = 32;
        let next = self.next;
        let left = self.moves.get_mut(next..).filter(|left| !left.is_empty())?;
        if next < SELECTED {
            let (mut best, mut order) = (0, i32::MIN);
            for (i, found) in left.iter().enumerate() {
                if found.order > order {
                    (best, order) = (i, found.order);
                }
            }
            left.swap(0, best);
        } else if (next - SELECTED).is_multiple_of(BLOCK) {
            let block = if left.len() > 2 * BLOCK {
                left.select_nth_unstable_by_key(BLOCK, |found| Reverse(found.order)).0
            } else {
                left
            };
            block.sort_unstable_by_key(|found| Reverse(found.order));
        }
        self.next += 1;
        Some(self.moves[next])
    }
}
