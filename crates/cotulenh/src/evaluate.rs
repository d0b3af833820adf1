//! How good a position looks: material, places, attacks on the commanders, air cover.

use std::ops::ControlFlow;

use sandtable_core::{Evaluate, Player, Tactic, Weighted};

use crate::air::defenders;
use crate::exchange::loss;
use crate::lines::{between, slide, star};
use crate::movegen::{Generator, attack};
use crate::reach::Reach;
use crate::weights::{Weights, worth};
use crate::{Action, Board, Kind, KindSet, Position, Square, SquareSet, Step};

impl Evaluate for Position {
    fn evaluate(&self) -> i32 {
        self.evaluate_with(&Weights::CHOSEN)
    }

    fn tactic(&self, step: Step) -> Tactic {
        let (from, to, group, action) = match step {
            Step::End { .. } => return Tactic::QUIET,
            Step::Whole { from, to, action } => (from, to, None, action),
            Step::Deploy { from, to, group, action } => (from, to, Some(group), action),
        };
        if !action.is_capture() {
            return Tactic::QUIET;
        }
        let acting = self.board().get(from).and_then(|stack| stack.only(group.unwrap_or(stack.kinds())));
        let risk = match action {
            // Who stays is in no more danger than before.
            Action::StayCapture => 0,
            _ => acting.map_or(0, worth),
        };
        Tactic { gain: self.board().get(to).map_or(0, worth), risk }
    }

    fn exchange(&self, step: Step) -> i32 {
        let Tactic { gain, risk } = self.tactic(step);
        match step {
            Step::End { .. }
            | Step::Whole { action: Action::StayCapture, .. }
            | Step::Deploy { action: Action::StayCapture, .. } => gain,
            Step::Whole { action: Action::SuicideCapture, .. }
            | Step::Deploy { action: Action::SuicideCapture, .. } => gain - risk,
            Step::Whole { to, .. } | Step::Deploy { to, .. } => {
                let mut after = *self;
                after.play_step(step);
                gain - loss(after.board(), to, self.mover())
            }
        }
    }

    /// Captures of every sort, and no threats.
    fn for_each_noisy<B>(&self, _threats: bool, f: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        Generator::new(self).map_or(ControlFlow::Continue(()), |generator| generator.for_each_capture(f))
    }

    /// With few pieces, being forced to move is often what loses.
    fn pass(&self) -> Option<Self> {
        const FEW: usize = 4;
        let possible = self.deployment().is_none()
            && self.board().piece_count(self.mover()) > FEW
            && attack::is_safe(self.board(), self.mover());
        possible.then(|| self.passed())
    }
}

impl Weighted for Position {
    type Weights = Weights;
    const WEIGHTS: Weights = Weights::CHOSEN;

    fn numbers(weights: &mut Weights) -> Vec<&mut i32> {
        weights.numbers()
    }

    fn evaluate_with(&self, weights: &Weights) -> i32 {
        let (board, mover) = (self.board(), self.mover());
        let [own, foe] = [mover, !mover].map(|us| Side::new(board, us, weights));
        let score = own.worth(&foe) - foe.worth(&own);
        // A deployment in progress has used the turn: when it ends, the other player moves.
        let tempo = if self.deployment().is_none() { weights.tempo } else { -weights.tempo };
        (score + tempo).clamp(-Self::EVALUATION_LIMIT, Self::EVALUATION_LIMIT)
    }
}

/// Pieces are near a commander if they are less than this many squares away.
const FAR: i32 = 8;

/// By kind, plain and heroic: how near to a commander a piece reaches its neighbourhood.
const REACH: [[i32; 2]; Kind::NUM] = {
    let mut reach = [[0; 2]; Kind::NUM];
    let mut i = 0;
    while i < Kind::NUM {
        reach[i] = [
            1 + Kind::ALL[i].captures(false, false).straight as i32,
            1 + Kind::ALL[i].captures(true, false).straight as i32,
        ];
        i += 1;
    }
    reach
};

/// One side's features.
struct Side<'a> {
    board: &'a Board,
    us: Player,
    weights: &'a Weights,
    /// All kinds that the side has.
    kinds: KindSet,
    /// What its pieces are worth by themselves.
    pieces: i32,
    /// How many pieces reach the enemy commander's neighbourhood, and the danger they make there.
    attackers: i32,
    danger: i32,
}

impl<'a> Side<'a> {
    fn new(board: &'a Board, us: Player, weights: &'a Weights) -> Self {
        let target = board.commander(!us);
        let mut kinds = KindSet::EMPTY;
        let (mut pieces, mut attackers, mut danger) = (0, 0, 0);
        board.pieces(us).for_each(|(square, stack)| {
            let rank = i32::from(match us {
                Player::First => Square::RANKS - 1 - square.rank_index(),
                Player::Second => square.rank_index(),
            });
            let distance = target.map_or(FAR, |target| distance(square, target));
            let closeness = (FAR - distance).max(0);
            let mut heroism = stack.hero_slots();
            for kind in stack.kinds().iter() {
                let (i, heroic) = (kind.index(), heroism & 1 != 0);
                heroism >>= 1;
                pieces += weights.piece(kind, heroic)
                    + weights.advance[i] * rank
                    + weights.near[i] * closeness
                    + weights.carried[i];
                if distance <= REACH[i][usize::from(heroic)] {
                    attackers += 1;
                    danger += weights.attack[i];
                }
            }
            pieces -= weights.carried[stack.carrier().index()];
            kinds = kinds.with(stack.kinds());
        });
        Self { board, us, weights, kinds, pieces, attackers, danger }
    }

    fn worth(&self, foe: &Self) -> i32 {
        let air = if foe.kinds.contains(Kind::AirForce) { self.air_cover() } else { 0 };
        self.pieces + self.assault() + self.branches() + air + self.commander()
    }

    /// One attacker alone does little; several together do more than their sum.
    const fn assault(&self) -> i32 {
        if self.attackers > 1 { self.danger * self.danger / 16 } else { 0 }
    }

    fn branches(&self) -> i32 {
        const SEA: KindSet = Kind::Navy.only();
        const AIR: KindSet = Kind::AirForce.only();
        const LAND: KindSet = KindSet::FULL
            .without(SEA)
            .without(AIR)
            .without(KindSet::of(&[Kind::Commander, Kind::Headquarter]));
        let has = |(weight, branch): (&i32, KindSet)| if self.kinds.meets(branch) { *weight } else { 0 };
        self.weights.branch.iter().zip([SEA, LAND, AIR]).map(has).sum()
    }

    /// What the own air defence protects.
    fn air_cover(&self) -> i32 {
        let Self { board, us, weights, .. } = *self;
        let covered = defenders(board, us).fold(SquareSet::EMPTY, |covered, (_, zone)| covered | zone);
        let around = board.commander(us).map_or(SquareSet::EMPTY, |commander| {
            let mut around = star(commander, RING);
            around.insert(commander);
            around
        });
        weights.cover * count(covered & board.occupied(us))
            + weights.commander_cover * count(covered & around)
            + weights.airspace * count(covered)
    }

    /// The commander's company, and what it sees along its lines.
    fn commander(&self) -> i32 {
        let Self { board, us, weights, .. } = *self;
        let Some(commander) = board.commander(us) else { return 0 };
        let occupied = board.all_occupied();
        let lines = slide(commander, Kind::Commander.moves(false), occupied);
        let mut sum = weights.guard * count(star(commander, RING) & board.occupied(us))
            + weights.line * count(lines & !occupied);
        if board.get(commander).is_some_and(|stack| stack.carrier() == Kind::Headquarter) {
            sum += weights.headquartered;
        }
        if let Some(enemy) = board.commander(!us) {
            sum += weights.confined * count(lines & star(enemy, RING));
            if enemy.file() == commander.file() || enemy.rank_index() == commander.rank_index() {
                let blocking = between(commander, enemy) & occupied;
                if blocking.len() == 1 && !(blocking & board.occupied(us)).is_empty() {
                    sum += weights.pinned;
                }
            }
        }
        sum
    }
}

/// The squares beside one.
const RING: Reach = Reach { straight: 1, diagonal: 1 };

const fn count(squares: SquareSet) -> i32 {
    squares.len().cast_signed()
}

/// The number of steps between two squares, straight or diagonal.
fn distance(one: Square, other: Square) -> i32 {
    let files = one.file().abs_diff(other.file());
    let ranks = one.rank_index().abs_diff(other.rank_index());
    files.max(ranks).into()
}
