//! Static evaluation: material, piece placement, attacks on the commanders, air cover.

use std::cell::OnceCell;
use std::fmt;
use std::ops::ControlFlow;

use sandtable_core::search::{Evaluate, Levels, NodeView, ProgressClock, SearchParameters, Tactic, Tunable};
use sandtable_core::{Player, Position};

use crate::air::covered;
use crate::exchange::loss;
use crate::frame::Frame;
use crate::levels::LEVELS;
use crate::lines::{between, slide, star};
use crate::movegen::Generator;
use crate::movegen::facing::FacingLine;
use crate::reach::Reach;
use crate::weights::{Weights, worth};
use crate::{Board, CoTuLenh, Kind, KindSet, Square, SquareSet, Stack, Step, StepKind};

impl Evaluate for CoTuLenh {
    // The end of a deployment has its own kind.
    const HISTORY_SLOTS: usize = (Kind::NUM + 1) * Square::NUM;

    const WIN_SCALE: f64 = 740.0;

    const LEVELS: Levels = LEVELS;

    /// Found by matches: see `docs/engine.md`.
    const SEARCH: SearchParameters = SearchParameters {
        aspiration_margin: 22,
        reverse_futility_margin: 63,
        null_move_margin: 227,
        late_moves_growth: 73,
        futility_base: 21,
        futility_slope: 77,
        history_margin: 3770,
        exchange_margin: 95,
        quiet_exchange_margin: 44,
        correction_weight: 112,
        reduction_base: 57,
        reduction_divisor: 402,
        reduction_history: 8100,
        singular_margin: 18,
        delta_margin: 196,
        ..SearchParameters::DEFAULT
    };

    type View<'a> = CoTuLenhView<'a>;

    fn view(&self) -> CoTuLenhView<'_> {
        CoTuLenhView { position: self, generator: Generator::new(self), near_commander: OnceCell::new() }
    }
}

/// A position under search. The generator of its steps answers most questions.
pub struct CoTuLenhView<'a> {
    position: &'a CoTuLenh,
    /// `None` if a commander has been captured.
    generator: Option<Generator<'a>>,
    /// The squares on the lines of the enemy commander from which a piece could attack it.
    near_commander: OnceCell<SquareSet>,
}

impl NodeView<CoTuLenh> for CoTuLenhView<'_> {
    fn position(&self) -> &CoTuLenh {
        self.position
    }

    fn evaluate(&self) -> i32 {
        self.position.evaluate_with(&Weights::DEFAULT)
    }

    fn progress_clock(&self) -> ProgressClock {
        ProgressClock { elapsed: self.position.halfmoves(), limit: CoTuLenh::DRAW_CLOCK }
    }

    fn in_check(&self) -> bool {
        self.generator.as_ref().map_or_else(|| self.position.in_check() == Some(true), Generator::in_check)
    }

    fn is_legal(&self, step: Step) -> bool {
        self.generator.as_ref().is_some_and(|generator| generator.is_legal(step))
    }

    fn tactic(&self, step: Step) -> Tactic {
        let (from, to, group, kind) = match step {
            Step::End { .. } => return Tactic::QUIET,
            Step::Whole { from, to, kind } => (from, to, None, kind),
            Step::Deploy { from, to, group, kind } => (from, to, Some(group), kind),
        };
        if !kind.is_capture() {
            return Tactic::QUIET;
        }
        let acting =
            self.position.board().get(from).and_then(|stack| stack.only(group.unwrap_or(stack.kinds())));
        let risk = match kind {
            // A piece that does not move is in no more danger than before.
            StepKind::StayCapture => 0,
            _ => acting.map_or(0, worth),
        };
        Tactic { gain: self.position.board().get(to).map_or(0, worth), risk }
    }

    fn static_exchange(&self, step: Step) -> i32 {
        let Tactic { gain, risk } = self.tactic(step);
        match (step.kind(), step.target()) {
            (Some(StepKind::SuicideCapture), _) => gain - risk,
            (Some(StepKind::StayCapture) | None, _) | (_, None) => gain,
            (Some(_), Some(to)) => {
                let mut after = *self.position;
                after.act(step);
                gain - loss(after.board(), to, self.position.turn())
            }
        }
    }

    fn for_each_noisy<B>(&self, f: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        self.generator.as_ref().map_or(ControlFlow::Continue(()), |generator| generator.for_each_capture(f))
    }

    fn for_each_quiet<B>(&self, f: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        self.generator.as_ref().map_or(ControlFlow::Continue(()), |generator| generator.for_each_quiet(f))
    }

    /// Whether the carrier of the moving group attacks the enemy commander from its target. Air defence is ignored.
    fn threatens(&self, step: Step) -> bool {
        let board = self.position.board();
        let (Some(to), Some(commander)) = (step.target(), board.commander(!self.position.turn())) else {
            return false;
        };
        if !self.near_commander.get_or_init(|| star(commander, Reach::LONGEST)).contains(to) {
            return false;
        }
        let Some((direction, distance)) = to.line_to(commander) else { return false };
        let Some(stack) = board.get(step.origin()) else { return false };
        let carrier = match step {
            Step::Deploy { group, .. } => group.first().unwrap_or(stack.carrier()),
            _ => stack.carrier(),
        };
        let reach = carrier.captures(stack.is_heroic(carrier), board.navies().contains(commander));
        distance <= reach.along(direction.is_diagonal())
            && (carrier.captures_over() || (between(to, commander) & board.all_occupied()).is_empty())
    }

    /// `None` with few pieces, where zugzwang is common.
    fn null_move(&self) -> Option<CoTuLenh> {
        const FEW: usize = 4;
        let position = self.position;
        let possible = position.deployment().is_none()
            && position.board().piece_count(position.turn()) > FEW
            && self.generator.as_ref().is_some_and(|generator| !generator.is_commander_in_danger());
        possible.then(|| position.passed())
    }

    fn move_bits(&self, step: Step) -> u32 {
        step.to_bits()
    }

    fn move_from_bits(&self, bits: u32) -> Option<Step> {
        Step::from_bits(bits)
    }

    fn signature(&self, step: Step) -> u16 {
        (step.to_bits().wrapping_mul(0x9E37_79B1) >> 16) as u16
    }

    fn history_slot(&self, step: Step) -> usize {
        let carrier = match step {
            Step::Whole { from, .. } => self.position.board().get(from).map(Stack::carrier),
            Step::Deploy { group, .. } => group.first(),
            Step::End { .. } => None,
        };
        let to = step.target().unwrap_or(step.origin());
        carrier.map_or(Kind::NUM, Kind::index) * Square::NUM + Frame::of(self.position.turn()).cell(to)
    }
}

impl fmt::Debug for CoTuLenhView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoTuLenhView").field("position", self.position).finish_non_exhaustive()
    }
}

impl Tunable for CoTuLenh {
    type Weights = Weights;
    const WEIGHTS: Weights = Weights::DEFAULT;

    fn parameters(weights: &mut Weights) -> Vec<&mut i32> {
        weights.parameters()
    }

    fn evaluate_with(&self, weights: &Weights) -> i32 {
        let (board, mover) = (self.board(), self.turn());
        let [own, foe] = [mover, !mover].map(|us| Side::new(board, us, weights));
        let score = own.worth(&foe) - foe.worth(&own);
        // A deployment in progress has used up the turn: the opponent moves next.
        let tempo = if self.deployment().is_none() { weights.tempo } else { -weights.tempo };
        (score + tempo).clamp(-Self::EVALUATION_LIMIT, Self::EVALUATION_LIMIT)
    }
}

/// The distance from which a piece no longer counts as near a commander.
const FAR: i32 = 8;

/// For each kind, ordinary and heroic: the distance from which a piece attacks the squares around a commander.
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

/// The features of one side.
struct Side<'a> {
    board: &'a Board,
    us: Player,
    weights: &'a Weights,
    /// The kinds that the side has.
    kinds: KindSet,
    /// The value of the pieces by themselves.
    pieces: i32,
    /// The number of pieces that attack the squares around the enemy commander.
    attackers: i32,
    /// The sum of the attack weights of those pieces.
    danger: i32,
}

impl<'a> Side<'a> {
    fn new(board: &'a Board, us: Player, weights: &'a Weights) -> Self {
        let frame = Frame::of(us);
        let target = board.commander(!us);
        let mut kinds = KindSet::EMPTY;
        let (mut pieces, mut carried, mut attackers, mut danger) = (0, 0, 0, 0);
        board.pieces(us).for_each(|(square, stack)| {
            let advance = i32::from(frame.advance(square));
            let distance = target.map_or(FAR, |target| distance(square, target));
            let closeness = (FAR - distance).max(0);
            let mut add = |kind: Kind, heroic: bool| {
                let i = kind.index();
                pieces +=
                    weights.piece(kind, heroic) + weights.advance[i] * advance + weights.near[i] * closeness;
                if distance <= REACH[i][usize::from(heroic)] {
                    attackers += 1;
                    danger += weights.attack[i];
                }
            };
            add(stack.carrier(), stack.is_carrier_heroic());
            if stack.is_stack() {
                for (slot, kind) in stack.kinds().iter().enumerate().skip(1) {
                    add(kind, stack.hero_slots() >> slot & 1 != 0);
                    carried += weights.carried[kind.index()];
                }
            }
            kinds = kinds.union(stack.kinds());
        });
        Self { board, us, weights, kinds, pieces: pieces + carried, attackers, danger }
    }

    fn worth(&self, foe: &Self) -> i32 {
        let air = if foe.kinds.contains(Kind::AirForce) { self.air_cover() } else { 0 };
        self.pieces + self.assault() + self.branches() + air + self.commander()
    }

    /// The value of the attack on the enemy commander: none for a lone attacker, quadratic for several.
    const fn assault(&self) -> i32 {
        if self.attackers > 1 { self.danger * self.danger / 16 } else { 0 }
    }

    /// The value of the branches (sea, land, air) of which the side has at least one piece.
    fn branches(&self) -> i32 {
        const SEA: KindSet = Kind::Navy.only();
        const AIR: KindSet = Kind::AirForce.only();
        const LAND: KindSet = KindSet::ALL
            .without(SEA)
            .without(AIR)
            .without(KindSet::of(&[Kind::Commander, Kind::Headquarters]));
        let has = |(weight, branch): (&i32, KindSet)| if self.kinds.meets(branch) { *weight } else { 0 };
        self.weights.branch.iter().zip([SEA, LAND, AIR]).map(has).sum()
    }

    /// The value of the squares and pieces that the side's air defence covers.
    fn air_cover(&self) -> i32 {
        let Self { board, us, weights, .. } = *self;
        let covered = covered(board, us);
        let around = board.commander(us).map_or(SquareSet::EMPTY, |commander| {
            let mut around = star(commander, RING);
            around.insert(commander);
            around
        });
        weights.cover * count(covered & board.occupied(us))
            + weights.commander_cover * count(covered & around)
            + weights.airspace * count(covered)
    }

    /// The value of the commander's guards, lines and pins.
    fn commander(&self) -> i32 {
        let Self { board, us, weights, .. } = *self;
        let Some(commander) = board.commander(us) else { return 0 };
        let occupied = board.all_occupied();
        let lines = slide(commander, Kind::Commander.moves(false), occupied);
        let mut sum = weights.guard * count(star(commander, RING) & board.occupied(us))
            + weights.line * count(lines - occupied);
        if board.get(commander).is_some_and(|stack| stack.carrier() == Kind::Headquarters) {
            sum += weights.headquartered;
        }
        if let Some(enemy) = board.commander(!us) {
            sum += weights.confined * count(lines & star(enemy, RING));
            if let Some(line) = FacingLine::of(board)
                && line.blockers.len() == 1
                && !(line.blockers & board.occupied(us)).is_empty()
            {
                sum += weights.pinned;
            }
        }
        sum
    }
}

/// The eight adjacent squares.
const RING: Reach = Reach { straight: 1, diagonal: 1 };

const fn count(squares: SquareSet) -> i32 {
    (squares.len() as u32).cast_signed()
}

/// The number of king moves between two squares.
fn distance(one: Square, other: Square) -> i32 {
    let files = one.file().abs_diff(other.file());
    let ranks = one.rank_index().abs_diff(other.rank_index());
    files.max(ranks).into()
}
