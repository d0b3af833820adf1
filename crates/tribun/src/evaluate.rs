//! How good a position looks: heights and slaves, threats, and who is nearer to the other's tribun.

use std::ops::ControlFlow;

use sandtable_core::{Evaluate, Player, Position as _, Tactic, Weighted};

use crate::action::{Action, Part};
use crate::board::Board;
use crate::exchange;
use crate::movegen::{Generator, NEIGHBOURS, Pattern};
use crate::position::Position;
use crate::tile::{RADIUS, Tile};
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};
use crate::weights::{Threats, Weights};

const WEIGHTS: Weights = Weights::CHOSEN;

impl Evaluate for Position {
    fn evaluate(&self) -> i32 {
        self.evaluate_with(&WEIGHTS)
    }

    /// Attacks gain what the enemy loses. Only who moves in risks something: those who help stay where they are.
    fn tactic(&self, action: Action) -> Tactic {
        let unit = |tile| self.board().unit(tile).expect("a legal action is about units that are there");
        match action {
            Action::AttackTribun { .. } => Tactic { gain: Self::EVALUATION_LIMIT, risk: 0 },
            // If the primary goes alone, the slave that it leaves behind is lost at once.
            Action::Kill { attacker, target, .. } => {
                Tactic { gain: WEIGHTS.stake(unit(target)), risk: WEIGHTS.stake(unit(attacker)) }
            }
            Action::Enslave { attacker, target } => {
                let (primary, slave) = (unit(attacker).primary(), unit(target).primary());
                let gain = WEIGHTS.capture(slave);
                // Whoever takes it back liberates it.
                Tactic { gain, risk: WEIGHTS.worth(primary) + gain }
            }
            Action::Liberate { target } => Tactic { gain: WEIGHTS.stake(unit(target)), risk: 0 },
            Action::Damage { target, loss } => {
                let height = unit(target).primary();
                Tactic { gain: fall(&WEIGHTS, height, loss.value()), risk: 0 }
            }
            Action::Move { .. }
            | Action::Combine { .. }
            | Action::SymCombine { .. }
            | Action::Split { .. }
            | Action::Backstabb { .. } => Tactic::QUIET,
        }
    }

    fn exchange(&self, action: Action) -> i32 {
        let tactic = self.tactic(action);
        match action {
            Action::Kill { attacker, target, .. } => exchange::kill(self, attacker, target, tactic, &WEIGHTS),
            Action::Enslave { attacker, target } => exchange::enslave(self, attacker, target, tactic),
            _ => tactic.gain,
        }
    }

    /// All attacks; no quiet action counts as a threat.
    fn for_each_noisy<B>(
        &self,
        _threats: bool,
        mut f: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.is_tribun_attacked() {
            return ControlFlow::Continue(());
        }
        Generator::new(self.board(), self.turn(), self.rules()).attacks(&mut f)
    }

    fn winning_move(&self) -> Option<Action> {
        if self.is_tribun_attacked() {
            return None;
        }
        let first = |action| ControlFlow::Break(action);
        Generator::new(self.board(), self.turn(), self.rules()).tribun_attacks(&mut { first }).break_value()
    }

    /// Whoever leaves the own tribun where an enemy reaches it has lost.
    fn is_pressed(&self) -> bool {
        Generator::new(self.board(), !self.turn(), self.rules()).attacks_tribun()
    }

    /// Whoever passes while an enemy reaches the own tribun has lost.
    fn pass(&self) -> Option<Self> {
        let safe = !self.is_tribun_attacked() && !self.is_pressed();
        safe.then(|| self.passed())
    }
}

impl Weighted for Position {
    type Weights = Weights;
    const WEIGHTS: Weights = WEIGHTS;

    fn numbers(weights: &mut Weights) -> Vec<&mut i32> {
        weights.numbers()
    }

    fn evaluate_with(&self, weights: &Weights) -> i32 {
        let mover = Side::new(self, self.turn(), weights);
        let other = Side::new(self, !self.turn(), weights);
        let value = mover.standing + mover.against(&other, &weights.threats[0], weights.reached[0])
            - other.standing
            - other.against(&mover, &weights.threats[1], weights.reached[1])
            + weights.tempo;
        value.clamp(-Self::EVALUATION_LIMIT, Self::EVALUATION_LIMIT)
    }
}

/// What a unit of that height loses when an attack of that strength leaves something of it, or nothing.
fn fall(weights: &Weights, height: Height, strength: u8) -> i32 {
    let left = Height::at_most(height.value().saturating_sub(strength));
    weights.worth(height) - left.map_or(0, |left| weights.worth(left))
}

/// How many steps lie between two tiles.
fn distance(a: Tile, b: Tile) -> i32 {
    let (dx, dy) = (a.x() - b.x(), a.y() - b.y());
    dx.abs().max(dy.abs()).max((dx - dy).abs()).into()
}

fn count(tiles: TileSet) -> i32 {
    tiles.len() as i32
}

/// What one side has, and what it reaches.
struct Side<'a> {
    board: &'a Board,
    weights: &'a Weights,
    player: Player,
    generator: Generator<'a>,
    /// What its units are worth by themselves and where they stand.
    standing: i32,
    /// The tiles that some part attacks, whatever stands there.
    attacked: TileSet,
    /// By pattern: the empty tiles that a primary can go to.
    entered: [TileSet; Pattern::NUM],
}

impl<'a> Side<'a> {
    fn new(position: &'a Position, player: Player, weights: &'a Weights) -> Self {
        let board = position.board();
        let mut side = Self {
            board,
            weights,
            player,
            generator: Generator::new(board, player, position.rules()),
            standing: 0,
            attacked: TileSet::EMPTY,
            entered: [TileSet::EMPTY; Pattern::NUM],
        };
        for pattern in Pattern::ALL {
            side.add_primaries(pattern);
        }
        if let [_, slaves] = side.generator.parts() {
            side.add_slaves(*slaves);
        }
        let tribun = side.tribun_unit().primary().index() - 1;
        side.standing += weights.tribun[tribun] - weights.height[tribun];
        side
    }

    fn tribun(&self) -> Tile {
        self.board.tribun(self.player)
    }

    fn tribun_unit(&self) -> Unit {
        self.board.unit(self.tribun()).expect("a side has a tribun")
    }

    #[inline]
    fn add_primaries(&mut self, pattern: Pattern) {
        let occupancy = self.generator.occupancy();
        let quarry = self.board.tribun(!self.player);
        let (mut attacked, mut entered) = (TileSet::EMPTY, TileSet::EMPTY);
        let (mut units, mut nearness) = (0, 0);
        for tile in self.generator.part_sets(Part::Primary).with(pattern) {
            attacked |= pattern.attacks(tile, self.player, occupancy);
            if !pattern.moves_as_it_attacks() {
                entered |= pattern.moves(tile, self.player, occupancy);
            }
            units += 1;
            nearness += 2 * i32::from(RADIUS) - distance(tile, quarry);
        }
        if units == 0 {
            return;
        }
        if pattern.moves_as_it_attacks() {
            entered = attacked & occupancy.empty;
        }
        let (weights, place) = (self.weights, pattern.height().index() - 1);
        self.standing += weights.height[place] * units
            + weights.mobility[place] * count(entered)
            + weights.nearness[place] * nearness;
        self.attacked |= attacked;
        self.entered[pattern as usize] = entered;
    }

    fn add_slaves(&mut self, part: Part) {
        let slaves = self.generator.part_sets(part);
        for pattern in Pattern::ALL {
            for tile in slaves.with(pattern) {
                self.standing += self.weights.slave[pattern.height().index() - 1];
                self.attacked |= pattern.attacks(tile, slaves.origin(), self.generator.occupancy());
            }
        }
    }

    /// What it can do to the other side.
    fn against(&self, other: &Self, threats: &Threats, reached: i32) -> i32 {
        self.threats(other, threats) + self.hunt(other, reached) + self.shelter(other)
    }

    fn threats(&self, other: &Self, threats: &Threats) -> i32 {
        let mut sum = 0;
        let targets = self.board.side(other.player) & self.attacked;
        for target in targets.without(TileSet::of(other.tribun())) {
            let unit = self.board.unit(target).expect("a side's tile has a unit");
            let (height, strength) = (unit.primary(), self.generator.strength(target));
            let needed = u32::from(height.value());
            sum += if strength < needed {
                threats.damaged * fall(self.weights, height, strength as u8)
            } else if other.generator.strength(target) < needed {
                threats.hanging * self.weights.stake(unit)
            } else {
                threats.guarded * self.weights.stake(unit)
            };
        }
        sum / 64
    }

    /// How close it is to the other side's tribun.
    fn hunt(&self, other: &Self, reached: i32) -> i32 {
        let quarry = other.tribun();
        let both = |weights: [i32; 2], tiles: TileSet| {
            weights[0] * count(tiles.without(other.attacked)) + weights[1] * count(tiles & other.attacked)
        };
        let mut sum = if self.attacked.contains(quarry) { reached } else { 0 };
        for pattern in Pattern::ALL {
            let entered = self.entered[pattern as usize];
            if !entered.is_empty() {
                // From where a 1 attacks a tile is where one of the other side would attack from there.
                let from = pattern.attacks(quarry, other.player, self.generator.occupancy());
                sum += both(self.weights.approach, entered & from);
            }
        }
        sum + both(self.weights.siege, NEIGHBOURS[quarry.index()] & self.attacked)
    }

    /// How safe its own tribun is.
    fn shelter(&self, other: &Self) -> i32 {
        let (weights, tribun) = (self.weights, self.tribun());
        let pattern = Pattern::of_primary(self.tribun_unit());
        let free = pattern.moves(tribun, self.player, self.generator.occupancy());
        let room = count(free.without(other.attacked));
        let guards = NEIGHBOURS[tribun.index()] & self.board.side(self.player);
        let moves = if room > 0 { weights.room[0] + weights.room[1] * (room - 1) } else { 0 };
        weights.guard * count(guards) + moves
    }
}
