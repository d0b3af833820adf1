//! Static evaluation: material, mobility, threats, and attack and safety of the tribuns.

use std::ops::ControlFlow;

use sandtable_core::{Evaluate, Player, Position as _, Tactic, Tunable};

use crate::action::{Action, Part};
use crate::board::Board;
use crate::exchange;
use crate::movegen::{Generator, NEIGHBOURS, Pattern};
use crate::position::Position;
use crate::tile::{RADIUS, Tile};
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};
use crate::weights::{Threats, Weights};

const WEIGHTS: Weights = Weights::DEFAULT;

impl Evaluate for Position {
    fn evaluate(&self) -> i32 {
        self.evaluate_with(&WEIGHTS)
    }

    /// The gain of an attack is the enemy's loss. Only an attacker that moves in is at risk; supporters stay on their
    /// tiles.
    fn tactic(&self, action: Action) -> Tactic {
        let unit = |tile| self.board().unit(tile).expect("the tiles of a legal action are occupied");
        match action {
            Action::AttackTribun { .. } => Tactic { gain: Self::EVALUATION_LIMIT, risk: 0 },
            // A primary that moves alone loses its slave, so the whole unit is at risk.
            Action::Kill { attacker, target, .. } => Tactic {
                gain: WEIGHTS.unit_with_slave(unit(target)),
                risk: WEIGHTS.unit_with_slave(unit(attacker)),
            },
            Action::Enslave { attacker, target } => {
                let (primary, slave) = (unit(attacker).primary(), unit(target).primary());
                let gain = WEIGHTS.capture(slave);
                // A recapture liberates the slave.
                Tactic { gain, risk: WEIGHTS.unit(primary) + gain }
            }
            Action::Liberate { target } => Tactic { gain: WEIGHTS.unit_with_slave(unit(target)), risk: 0 },
            Action::Damage { target, loss } => {
                let height = unit(target).primary();
                Tactic { gain: loss_to(&WEIGHTS, height, loss.value()), risk: 0 }
            }
            Action::Move { .. }
            | Action::Combine { .. }
            | Action::SymCombine { .. }
            | Action::Split { .. }
            | Action::Backstabb { .. } => Tactic::QUIET,
        }
    }

    fn static_exchange(&self, action: Action) -> i32 {
        let tactic = self.tactic(action);
        match action {
            Action::Kill { attacker, target, .. } => exchange::kill(self, attacker, target, tactic, &WEIGHTS),
            Action::Enslave { attacker, target } => exchange::enslave(self, attacker, target, tactic),
            _ => tactic.gain,
        }
    }

    /// All attacks. No quiet action counts as a threat.
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

    /// Whether the mover's tribun is attacked: the opponent wins unless the mover responds.
    fn must_respond(&self) -> bool {
        Generator::new(self.board(), !self.turn(), self.rules()).attacks_tribun()
    }

    /// `None` while the mover's tribun is attacked, because a null move would lose.
    fn null_move(&self) -> Option<Self> {
        let safe = !self.is_tribun_attacked() && !self.must_respond();
        safe.then(|| self.passed())
    }
}

impl Tunable for Position {
    type Weights = Weights;
    const WEIGHTS: Weights = WEIGHTS;

    fn parameters(weights: &mut Weights) -> Vec<&mut i32> {
        weights.parameters()
    }

    fn evaluate_with(&self, weights: &Weights) -> i32 {
        let mover = Side::new(self, self.turn(), weights);
        let other = Side::new(self, !self.turn(), weights);
        let value = mover.placement + mover.against(&other, &weights.threats[0], weights.reached[0])
            - other.placement
            - other.against(&mover, &weights.threats[1], weights.reached[1])
            + weights.tempo;
        value.clamp(-Self::EVALUATION_LIMIT, Self::EVALUATION_LIMIT)
    }
}

/// The material that an attack of this strength takes from a unit of this height.
fn loss_to(weights: &Weights, height: Height, strength: u8) -> i32 {
    let left = Height::at_most(height.value().saturating_sub(strength));
    weights.unit(height) - left.map_or(0, |left| weights.unit(left))
}

/// The distance of two tiles in steps.
fn distance(a: Tile, b: Tile) -> i32 {
    let (dx, dy) = (a.x() - b.x(), a.y() - b.y());
    dx.abs().max(dy.abs()).max((dx - dy).abs()).into()
}

fn count(tiles: TileSet) -> i32 {
    (tiles.len() as u32).cast_signed()
}

/// The features of one side.
struct Side<'a> {
    board: &'a Board,
    weights: &'a Weights,
    player: Player,
    generator: Generator<'a>,
    /// Material, mobility and nearness.
    placement: i32,
    /// The tiles that any part attacks, whether or not a unit is there.
    attacked: TileSet,
    /// By pattern: the empty tiles that primaries can move to.
    moves: [TileSet; Pattern::NUM],
}

impl<'a> Side<'a> {
    fn new(position: &'a Position, player: Player, weights: &'a Weights) -> Self {
        let board = position.board();
        let mut side = Self {
            board,
            weights,
            player,
            generator: Generator::new(board, player, position.rules()),
            placement: 0,
            attacked: TileSet::EMPTY,
            moves: [TileSet::EMPTY; Pattern::NUM],
        };
        for pattern in Pattern::ALL {
            side.add_primaries(pattern);
        }
        if let [_, slaves] = side.generator.parts() {
            side.add_slaves(*slaves);
        }
        let tribun = side.tribun_unit().primary().index() - 1;
        side.placement += weights.tribun[tribun] - weights.height[tribun];
        side
    }

    fn tribun(&self) -> Tile {
        self.board.tribun(self.player)
    }

    fn tribun_unit(&self) -> Unit {
        self.board.unit(self.tribun()).expect("every side has a tribun")
    }

    #[inline]
    fn add_primaries(&mut self, pattern: Pattern) {
        let occupancy = self.generator.occupancy();
        let enemy_tribun = self.board.tribun(!self.player);
        let (mut attacked, mut moves) = (TileSet::EMPTY, TileSet::EMPTY);
        let (mut units, mut nearness) = (0, 0);
        for tile in self.generator.part_sets(Part::Primary).with(pattern) {
            attacked |= pattern.attacks(tile, self.player, occupancy);
            if !pattern.moves_as_it_attacks() {
                moves |= pattern.moves(tile, self.player, occupancy);
            }
            units += 1;
            nearness += 2 * i32::from(RADIUS) - distance(tile, enemy_tribun);
        }
        if units == 0 {
            return;
        }
        if pattern.moves_as_it_attacks() {
            moves = attacked & occupancy.empty;
        }
        let (weights, place) = (self.weights, pattern.height().index() - 1);
        self.placement += weights.height[place] * units
            + weights.mobility[place] * count(moves)
            + weights.nearness[place] * nearness;
        self.attacked |= attacked;
        self.moves[pattern as usize] = moves;
    }

    fn add_slaves(&mut self, part: Part) {
        let slaves = self.generator.part_sets(part);
        for pattern in Pattern::ALL {
            for tile in slaves.with(pattern) {
                self.placement += self.weights.slave[pattern.height().index() - 1];
                self.attacked |= pattern.attacks(tile, slaves.origin(), self.generator.occupancy());
            }
        }
    }

    /// The features that depend on the other side.
    fn against(&self, other: &Self, threats: &Threats, reached: i32) -> i32 {
        self.threats(other, threats) + self.tribun_attack(other, reached) + self.tribun_safety(other)
    }

    fn threats(&self, other: &Self, threats: &Threats) -> i32 {
        let mut sum = 0;
        let targets = self.board.occupied(other.player) & self.attacked;
        for target in targets.without(TileSet::of(other.tribun())) {
            let unit = self.board.unit(target).expect("the tiles of a side are occupied");
            let (height, strength) = (unit.primary(), self.generator.strength(target));
            let needed = u32::from(height.value());
            sum += if strength < needed {
                threats.damaged * loss_to(self.weights, height, strength as u8)
            } else if other.generator.strength(target) < needed {
                threats.hanging * self.weights.unit_with_slave(unit)
            } else {
                threats.guarded * self.weights.unit_with_slave(unit)
            };
        }
        sum / 64
    }

    /// The attack on the enemy tribun.
    fn tribun_attack(&self, other: &Self, reached: i32) -> i32 {
        let enemy_tribun = other.tribun();
        let both = |weights: [i32; 2], tiles: TileSet| {
            weights[0] * count(tiles.without(other.attacked)) + weights[1] * count(tiles & other.attacked)
        };
        let mut sum = if self.attacked.contains(enemy_tribun) { reached } else { 0 };
        for pattern in Pattern::ALL {
            let moves = self.moves[pattern as usize];
            if !moves.is_empty() {
                // Attacks of a height-1 unit are symmetric: swap the sides to get the attackers of a tile.
                let from = pattern.attacks(enemy_tribun, other.player, self.generator.occupancy());
                sum += both(self.weights.approach, moves & from);
            }
        }
        sum + both(self.weights.siege, NEIGHBOURS[enemy_tribun.index()] & self.attacked)
    }

    /// The safety of the side's own tribun.
    fn tribun_safety(&self, other: &Self) -> i32 {
        let (weights, tribun) = (self.weights, self.tribun());
        let pattern = Pattern::of_primary(self.tribun_unit());
        let free = pattern.moves(tribun, self.player, self.generator.occupancy());
        let room = count(free.without(other.attacked));
        let guards = NEIGHBOURS[tribun.index()] & self.board.occupied(self.player);
        let freedom = if room > 0 { weights.room[0] + weights.room[1] * (room - 1) } else { 0 };
        weights.guard * count(guards) + freedom
    }
}
