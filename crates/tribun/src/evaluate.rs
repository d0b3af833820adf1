//! Static evaluation: material, mobility, threats, and attack and safety of the tribuns.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::ops::ControlFlow;

use sandtable_core::search::{Evaluate, Levels, NodeView, SearchParameters, Tactic, Tunable};
use sandtable_core::{Player, Position};

use crate::action::{Action, Part};
use crate::board::Board;
use crate::event::Event;
use crate::exchange;
use crate::frame::Frame;
use crate::levels::LEVELS;
use crate::movegen::{Generator, NEIGHBORS, Pattern};
use crate::position::Tribun;
use crate::tile::{RADIUS, Tile};
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};
use crate::weights::{Threats, Weights};

const WEIGHTS: Weights = Weights::DEFAULT;

impl Evaluate for Tribun {
    // By height for units that move, then the other kinds of actions.
    const HISTORY_SLOTS: usize = (Height::NUM + 5) * Tile::CIDS;

    const WIN_SCALE: f64 = 410.0;

    const LEVELS: Levels = LEVELS;

    /// Found by matches, except that late moves are reduced less, so that wins by quiet moves are found: see `docs/engine.md`.
    const SEARCH: SearchParameters = SearchParameters {
        aspiration_margin: 30,
        reverse_futility_margin: 77,
        razoring_margin: 316,
        null_move_margin: 217,
        late_moves_growth: 85,
        futility_base: 50,
        futility_slope: 117,
        history_depth: 5,
        history_margin: 4033,
        exchange_depth: 5,
        exchange_margin: 104,
        quiet_exchange_margin: 61,
        correction_weight: 97,
        reduction_base: 50,
        reduction_history: 7783,
        singular_margin: 22,
        delta_margin: 62,
        ..SearchParameters::DEFAULT
    };

    type View<'a> = TribunView<'a>;

    fn view(&self) -> TribunView<'_> {
        TribunView {
            position: self,
            own: Generator::new(self.board(), self.turn(), self.rules()),
            enemy: Generator::new(self.board(), !self.turn(), self.rules()),
            attacked: Cell::new(TileSet::ALL),
            threat_tiles: OnceCell::new(),
        }
    }
}

/// A position under search, with the generators of both players.
pub struct TribunView<'a> {
    position: &'a Tribun,
    own: Generator<'a>,
    enemy: Generator<'a>,
    /// A superset of the tiles that the mover attacks; exact after the evaluation, which computes these tiles.
    attacked: Cell<TileSet>,
    /// By pattern: the tiles from which a primary of the mover attacks the enemy tribun.
    threat_tiles: OnceCell<[TileSet; Pattern::NUM]>,
}

impl<'a> TribunView<'a> {
    fn generator(&self, player: Player) -> &Generator<'a> {
        if player == self.position.turn() { &self.own } else { &self.enemy }
    }

    /// The mover's generator; `None` if the mover has lost.
    fn own(&self) -> Option<&Generator<'a>> {
        (!self.position.is_tribun_attacked()).then_some(&self.own)
    }

    fn threat_tiles(&self) -> &[TileSet; Pattern::NUM] {
        self.threat_tiles.get_or_init(|| {
            let (position, mover) = (self.position, self.position.turn());
            let occupancy = self.own.occupancy();
            // Attacks of a height-1 unit are symmetric: swap the sides to get the attackers of a tile.
            Pattern::ALL.map(|pattern| pattern.attacks(position.board().tribun(!mover), !mover, occupancy))
        })
    }
}

impl NodeView<Tribun> for TribunView<'_> {
    fn position(&self) -> &Tribun {
        self.position
    }

    fn evaluate(&self) -> i32 {
        evaluate(self, &WEIGHTS)
    }

    /// Whether the mover's tribun is attacked: the opponent wins unless the mover responds.
    fn must_respond(&self) -> bool {
        self.enemy.attacks_tribun()
    }

    fn winning_move(&self) -> Option<Action> {
        self.own()?.tribun_attacks(&mut { ControlFlow::Break }).break_value()
    }

    fn is_legal(&self, action: Action) -> bool {
        self.own().is_some_and(|generator| generator.clone().allows(action))
    }

    /// The gain of an attack is the enemy's loss. Only an attacker that moves in is at risk; supporters stay on their
    /// tiles.
    fn tactic(&self, action: Action) -> Tactic {
        let unit = |tile| self.position.board().unit(tile).expect("the tiles of a legal action are occupied");
        match action {
            Action::AttackTribun { .. } => Tactic { gain: Tribun::EVALUATION_LIMIT, risk: 0 },
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

    /// All attacks.
    fn for_each_noisy<B>(&self, mut f: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.own()
            .map_or(ControlFlow::Continue(()), |generator| generator.attacks(self.attacked.get(), &mut f))
    }

    fn for_each_quiet<B>(&self, mut f: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.own().map_or(ControlFlow::Continue(()), |generator| generator.quiet(&mut f))
    }

    /// Whether the moved or the combined unit attacks the enemy tribun.
    fn threatens(&self, action: Action) -> bool {
        let (pattern, tile) = match action {
            Action::Move { from, to, .. } => {
                let Some(unit) = self.position.board().unit(from) else { return false };
                (Pattern::of_primary(unit), to)
            }
            Action::Combine { center, gifts, .. } => {
                let height = Height::new(gifts[0].value() + gifts[1].value());
                let Some(height) = height else { return false };
                (Pattern::of_height(height), center)
            }
            _ => return false,
        };
        self.threat_tiles()[pattern as usize].contains(tile)
    }

    fn static_exchange(&self, action: Action) -> i32 {
        let Self { position, own, enemy, .. } = self;
        let tactic = self.tactic(action);
        match action {
            Action::Kill { attacker, target, .. } => {
                exchange::kill(position, [enemy, own], (attacker, target), tactic, &WEIGHTS)
            }
            Action::Enslave { attacker, target } => {
                exchange::enslave(position, enemy, (attacker, target), tactic)
            }
            _ => tactic.gain,
        }
    }

    /// `None` while the mover's tribun is attacked, because a null move would lose.
    fn null_move(&self) -> Option<Tribun> {
        let safe = !self.position.is_tribun_attacked() && !self.must_respond();
        safe.then(|| self.position.passed())
    }

    fn move_bits(&self, action: Action) -> u32 {
        action.word()
    }

    fn move_from_bits(&self, bits: u32) -> Option<Action> {
        match Event::from_word(bits) {
            Ok(Event::Board(action)) => Some(action),
            _ => None,
        }
    }

    fn signature(&self, action: Action) -> u16 {
        (action.word().wrapping_mul(0x9E37_79B1) >> 16) as u16
    }

    fn history_slot(&self, action: Action) -> usize {
        let height = |tile| self.position.board().unit(tile).map_or(0, |unit| unit.primary().index() - 1);
        let (row, tile) = match action {
            Action::Move { from, to, .. } => (height(from), to),
            Action::Kill { attacker, target, .. } | Action::Enslave { attacker, target } => {
                (height(attacker), target)
            }
            Action::AttackTribun { attacker, tribun, .. } => (height(attacker), tribun),
            Action::Combine { center, .. } => (Height::NUM, center),
            Action::SymCombine { center, .. } => (Height::NUM + 1, center),
            Action::Split { actor, .. } => (Height::NUM + 2, actor),
            Action::Backstabb { actor, .. } => (Height::NUM + 3, actor),
            Action::Liberate { target } | Action::Damage { target, .. } => (Height::NUM + 4, target),
        };
        row * Tile::CIDS + Frame::of(self.position.turn()).cell(tile)
    }
}

impl fmt::Debug for TribunView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TribunView").field("position", self.position).finish_non_exhaustive()
    }
}

impl Tunable for Tribun {
    type Weights = Weights;
    const WEIGHTS: Weights = WEIGHTS;

    fn parameters(weights: &mut Weights) -> Vec<&mut i32> {
        weights.parameters()
    }

    fn evaluate_with(&self, weights: &Weights) -> i32 {
        evaluate(&self.view(), weights)
    }
}

fn evaluate(view: &TribunView<'_>, weights: &Weights) -> i32 {
    let mut mover = Side::new(view, view.position.turn(), weights);
    let mut other = Side::new(view, !view.position.turn(), weights);
    mover.add_units();
    other.add_units();
    view.attacked.set(mover.attacked);
    let value = mover.placement + mover.against(&other, &weights.threats[0], weights.reached[0])
        - other.placement
        - other.against(&mover, &weights.threats[1], weights.reached[1])
        + weights.tempo;
    value.clamp(-Tribun::EVALUATION_LIMIT, Tribun::EVALUATION_LIMIT)
}

/// The material that an attack of this strength takes from a unit of this height.
fn loss_to(weights: &Weights, height: Height, strength: u8) -> i32 {
    let left = Height::at_most(height.value().saturating_sub(strength));
    weights.unit(height) - left.map_or(0, |left| weights.unit(left))
}

/// By the cids of two tiles: their distance in steps.
static DISTANCES: [[u8; Tile::CIDS]; Tile::CIDS] = {
    let mut distances = [[0; Tile::CIDS]; Tile::CIDS];
    let mut i = 0;
    while i < Tile::CIDS * Tile::CIDS {
        let (a, b) = (i / Tile::CIDS, i % Tile::CIDS);
        if let (Ok(one), Ok(other)) = (Tile::from_cid(a as u8), Tile::from_cid(b as u8)) {
            distances[a][b] = distance(one, other);
        }
        i += 1;
    }
    distances
};

const fn distance(a: Tile, b: Tile) -> u8 {
    let (dx, dy) = (a.x() - b.x(), a.y() - b.y());
    let steps = [dx.unsigned_abs(), dy.unsigned_abs(), (dx - dy).unsigned_abs()];
    let longer = if steps[0] > steps[1] { steps[0] } else { steps[1] };
    if longer > steps[2] { longer } else { steps[2] }
}

fn count(tiles: TileSet) -> i32 {
    (tiles.len() as u32).cast_signed()
}

/// The features of one side.
struct Side<'a, 'p> {
    board: &'a Board,
    weights: &'a Weights,
    player: Player,
    generator: &'a Generator<'p>,
    /// Material, mobility and nearness.
    placement: i32,
    /// The tiles that any part attacks, whether or not a unit is there.
    attacked: TileSet,
    /// By cid: the strength of the attack on a unit there, of either side.
    strengths: [u16; Tile::CIDS],
    /// By pattern: the empty tiles that primaries can move to.
    moves: [TileSet; Pattern::NUM],
}

impl<'a, 'p> Side<'a, 'p> {
    /// A side without its units: [`add_units`](Self::add_units) adds them.
    fn new(view: &'a TribunView<'p>, player: Player, weights: &'a Weights) -> Self {
        Self {
            board: view.position.board(),
            weights,
            player,
            generator: view.generator(player),
            placement: 0,
            attacked: TileSet::EMPTY,
            strengths: [0; Tile::CIDS],
            moves: [TileSet::EMPTY; Pattern::NUM],
        }
    }

    fn add_units(&mut self) {
        self.add_primaries::<{ Pattern::TribunOne as usize }>();
        self.add_primaries::<{ Pattern::One as usize }>();
        self.add_primaries::<{ Pattern::Two as usize }>();
        self.add_primaries::<{ Pattern::Three as usize }>();
        self.add_primaries::<{ Pattern::Four as usize }>();
        self.add_primaries::<{ Pattern::Six as usize }>();
        self.add_primaries::<{ Pattern::Eight as usize }>();
        if let [_, slaves] = self.generator.parts() {
            self.add_slaves(*slaves);
        }
        let tribun = self.tribun_unit().primary().index() - 1;
        self.placement += self.weights.tribun[tribun] - self.weights.height[tribun];
    }

    fn tribun(&self) -> Tile {
        self.board.tribun(self.player)
    }

    fn tribun_unit(&self) -> Unit {
        self.board.unit(self.tribun()).expect("every side has a tribun")
    }

    /// Adds the primaries with one pattern. Compiled for each pattern, because most of the evaluation's time is spent
    /// here.
    fn add_primaries<const PATTERN: usize>(&mut self) {
        let pattern = Pattern::ALL[PATTERN];
        let tiles = self.generator.part_sets(Part::Primary).with(pattern);
        if tiles.is_empty() {
            return;
        }
        let occupancy = self.generator.occupancy();
        let distances = &DISTANCES[self.board.tribun(!self.player).index()];
        let strength = u16::from(pattern.height().value());
        let (mut attacked, mut moves) = (TileSet::EMPTY, TileSet::EMPTY);
        let (mut units, mut nearness) = (0, 0);
        tiles.iter().for_each(|tile| {
            let attacks = pattern.attacks(tile, self.player, occupancy);
            attacked |= attacks;
            let targets = attacks & occupancy.occupied;
            targets.iter().for_each(|target| self.strengths[target.index()] += strength);
            if !pattern.moves_as_it_attacks() {
                moves |= pattern.moves(tile, self.player, occupancy);
            }
            units += 1;
            nearness += 2 * i32::from(RADIUS) - i32::from(distances[tile.index()]);
        });
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
        let occupancy = self.generator.occupancy();
        for pattern in Pattern::ALL {
            for tile in slaves.with(pattern) {
                let attacks = pattern.attacks(tile, slaves.origin(), occupancy);
                self.placement += self.weights.slave[pattern.height().index() - 1];
                self.attacked |= attacks;
                // A unit attacks with one of its parts.
                let holder = self.board.unit(tile).expect("a slave is held by a unit");
                let primary = Pattern::of_primary(holder);
                let by_primary = primary.attacks(tile, self.player, occupancy);
                for target in attacks & occupancy.occupied {
                    let counted = if by_primary.contains(target) { primary.height().value() } else { 0 };
                    self.strengths[target.index()] +=
                        u16::from(pattern.height().value().saturating_sub(counted));
                }
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
        for target in targets.without(TileSet::from(other.tribun())) {
            let unit = self.board.unit(target).expect("the tiles of a side are occupied");
            let (height, strength) = (unit.primary(), self.strengths[target.index()]);
            let needed = u16::from(height.value());
            sum += if strength < needed {
                threats.damaged * loss_to(self.weights, height, strength as u8)
            } else if other.strengths[target.index()] < needed {
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
            // Counting is slow, and there is often nothing to count.
            if tiles.is_empty() {
                return 0;
            }
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
        sum + both(self.weights.siege, NEIGHBORS[enemy_tribun.index()] & self.attacked)
    }

    /// The safety of the side's own tribun.
    fn tribun_safety(&self, other: &Self) -> i32 {
        let (weights, tribun) = (self.weights, self.tribun());
        let pattern = Pattern::of_primary(self.tribun_unit());
        let free = pattern.moves(tribun, self.player, self.generator.occupancy());
        let room = count(free.without(other.attacked));
        let guards = NEIGHBORS[tribun.index()] & self.board.occupied(self.player);
        let freedom = if room > 0 { weights.room[0] + weights.room[1] * (room - 1) } else { 0 };
        weights.guard * count(guards) + freedom
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::rules::{Rng, play_random_moves};
    use sandtable_core::{Game, Notation as _};

    use super::*;
    use crate::rules::Rules;

    #[test]
    fn strengths_equal_those_of_the_generator() {
        let text = "black:a1=1*,f6=3/2,e5=4/8,d6=1/1,c3=2/4 white:k11=4*,g8=2/3,h7=4/1,i6=6,g5=8 b -";
        let slaves = Tribun::from_text(text, Rules::STANDARD).unwrap();
        for (seed, start) in (0..20).zip([slaves, Tribun::start(Rules::STANDARD)].into_iter().cycle()) {
            let mut game = Game::from_position(start);
            let mut rng = Rng::new(seed);
            while game.ply() < 60 && play_random_moves(&mut game, &mut rng, 1) == 1 {
                let view = game.position().view();
                for player in Player::ALL {
                    let mut side = Side::new(&view, player, &WEIGHTS);
                    side.add_units();
                    for tile in game.position().board().all_occupied() {
                        let expected = side.generator.strength(tile);
                        assert_eq!(u32::from(side.strengths[tile.index()]), expected, "{player:?} on {tile}");
                    }
                }
            }
        }
    }

    #[test]
    fn distances_count_the_steps() {
        for one in Tile::all() {
            let mut reached = TileSet::from(one);
            assert_eq!(DISTANCES[one.index()][one.index()], 0);
            for steps in 1..=2 * RADIUS {
                let next = reached.iter().fold(reached, |all, tile| all | NEIGHBORS[tile.index()]);
                for other in next.without(reached) {
                    assert_eq!(DISTANCES[one.index()][other.index()], steps.cast_unsigned(), "{one} {other}");
                }
                reached = next;
            }
            assert_eq!(reached, TileSet::ALL);
        }
    }
}
