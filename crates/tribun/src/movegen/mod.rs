//! Generation of legal actions.
//!
//! A [`Generator`] sorts the mover's units by pattern once. Each family of actions is generated in the order of its action
//! words, and the families in the order of their opcodes, so that all actions come in ascending order of their words.

mod attack;
mod pattern;
mod reshape;

use std::ops::ControlFlow;

use sandtable_core::Player;

pub(crate) use self::pattern::{NEIGHBORS, Occupancy, PartSets, Pattern, STEPS, THREES, TWOS};
use crate::action::{Action, Part};
use crate::board::Board;
use crate::rules::Rules;
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::Unit;

/// The generator of one player's actions on a board.
#[derive(Clone)]
pub(crate) struct Generator<'a> {
    board: &'a Board,
    rules: Rules,
    mover: Player,
    own: TileSet,
    /// The mover's units that hold a slave.
    holders: TileSet,
    tribun: Tile,
    enemy_tribun: Tile,
    occupancy: Occupancy,
    primaries: PartSets,
    slaves: PartSets,
}

impl<'a> Generator<'a> {
    #[inline]
    pub(crate) fn new(board: &'a Board, mover: Player, rules: Rules) -> Self {
        let (own, tribun) = (board.occupied(mover), board.tribun(mover));
        // A slave of height 1 keeps the direction of its original side.
        let slaves = PartSets::of_slaves(board, own, !mover);
        Self {
            board,
            rules,
            mover,
            own,
            holders: board.all_slaves() & own,
            tribun,
            enemy_tribun: board.tribun(!mover),
            occupancy: Occupancy::new(board, mover),
            primaries: PartSets::of_primaries(board, own, tribun, mover),
            slaves,
        }
    }

    /// Calls `f` with every legal action, in ascending order of their words, until it breaks.
    #[inline]
    pub(crate) fn all<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.moves(f)?;
        let outcomes = self.outcomes(self.attacked());
        self.kills(&outcomes, f)?;
        outcomes.liberations(f)?;
        outcomes.damages(f)?;
        self.enslavings(&outcomes, f)?;
        self.combinations(f)?;
        self.sym_combines(f)?;
        self.splits(f)?;
        self.backstabs(f)?;
        self.tribun_attacks(f)
    }

    /// Calls `f` with every attack, until it breaks. `within` contains at least the attacked tiles.
    pub(crate) fn attacks<B>(
        &self,
        within: TileSet,
        f: &mut impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.tribun_attacks(f)?;
        let outcomes = self.outcomes(within);
        self.kills(&outcomes, f)?;
        outcomes.liberations(f)?;
        outcomes.damages(f)?;
        self.enslavings(&outcomes, f)
    }

    /// Calls `f` with every action that is not an attack, until it breaks. The order is that of the fastest generation.
    pub(crate) fn quiet<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for part in self.parts() {
            self.for_each_mover(*part, |from, targets| {
                targets.iter().try_for_each(|to| f(Action::Move { from, to, part: *part }))
            })?;
        }
        self.combinations(f)?;
        self.sym_combines(f)?;
        self.splits(f)?;
        self.backstabs(f)
    }

    /// Returns whether the action is legal. Generates only its own family, restricted to its centre, its target
    /// or its actor.
    pub(crate) fn allows(mut self, action: Action) -> bool {
        let mut same =
            |found| if found == action { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let f = &mut same;
        match action {
            Action::Move { from, to, part } => {
                let movers = self.part_sets(part).movers(to, &self.occupancy);
                return movers.contains(from) && self.occupancy.empty.contains(to);
            }
            Action::Combine { center, .. } => {
                self.occupancy.empty &= TileSet::from(center);
                self.combinations(f)
            }
            Action::SymCombine { center, .. } => {
                self.occupancy.empty &= TileSet::from(center);
                self.sym_combines(f)
            }
            Action::Split { actor, .. } => {
                self.own &= TileSet::from(actor);
                self.splits(f)
            }
            Action::Kill { target, .. } => self.kills(&self.outcomes(TileSet::from(target)), f),
            Action::Liberate { target } => self.outcomes(TileSet::from(target)).liberations(f),
            Action::Damage { target, .. } => self.outcomes(TileSet::from(target)).damages(f),
            Action::Enslave { target, .. } => self.enslavings(&self.outcomes(TileSet::from(target)), f),
            Action::Backstabb { .. } => self.backstabs(f),
            Action::AttackTribun { .. } => self.tribun_attacks(f),
        }
        .is_break()
    }

    /// The number of legal actions, counted without generating them.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        let count = self.count_moves()
            + self.count_attacks()
            + self.count_combinations()
            + self.count_sym_combines()
            + self.count_splits()
            + self.count_backstabs();
        count as u64
    }

    fn unit(&self, tile: Tile) -> Unit {
        self.board.unit(tile).expect("the tile is occupied")
    }

    pub(crate) const fn occupancy(&self) -> &Occupancy {
        &self.occupancy
    }

    #[inline]
    pub(crate) const fn part_sets(&self, part: Part) -> &PartSets {
        match part {
            Part::Primary => &self.primaries,
            Part::Slave => &self.slaves,
        }
    }

    fn moves<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for part in self.parts() {
            // Targets are found unit by unit, and sorted by target.
            let mut movers = [TileSet::EMPTY; Tile::CIDS];
            let mut reached = TileSet::EMPTY;
            let _ = self.for_each_mover::<()>(*part, |from, targets| {
                reached |= targets;
                targets.iter().for_each(|to| movers[to.index()].insert(from));
                ControlFlow::Continue(())
            });
            for to in reached {
                for from in movers[to.index()] {
                    f(Action::Move { from, to, part: *part })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn count_moves(&self) -> usize {
        let mut count = 0;
        for part in self.parts() {
            let _ = self.for_each_mover::<()>(*part, |_, targets| {
                count += targets.len();
                ControlFlow::Continue(())
            });
        }
        count
    }

    /// Calls `f` with the tile of each part and the empty tiles that it can move to.
    #[inline]
    fn for_each_mover<B>(
        &self,
        part: Part,
        mut f: impl FnMut(Tile, TileSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let parts = self.part_sets(part);
        for pattern in Pattern::ALL {
            for from in parts.with(pattern) {
                f(from, pattern.moves(from, parts.origin(), &self.occupancy))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The parts that occur among the mover's units.
    pub(crate) fn parts(&self) -> &'static [Part] {
        if self.holders.is_empty() { &Part::ALL[..1] } else { &Part::ALL }
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::rules::{Rng, play_random_moves};
    use sandtable_core::{Game, Notation as _, Position};

    use super::*;
    use crate::position::Tribun;

    #[test]
    fn targets_of_a_part_agree_with_movers_and_attackers() {
        let text = "black:a1=1*,f6=3/2,e5=4/8,d6=1/1,c3=2/4 white:k11=4*,g8=2/3,h7=4/1,i6=6,g5=8 b -";
        let slaves = Tribun::from_text(text, Rules::STANDARD).unwrap();
        for (seed, start) in (0..8).zip([slaves, Tribun::start(Rules::STANDARD)].into_iter().cycle()) {
            let mut game = Game::from_position(start);
            let mut rng = Rng::new(seed);
            while game.ply() < 60 && play_random_moves(&mut game, &mut rng, 2) == 2 {
                let board = game.position().board();
                let generator = Generator::new(board, game.turn(), Rules::STANDARD);
                for part in Part::ALL {
                    compare(&generator, generator.part_sets(part));
                }
            }
        }
    }

    /// Compares the targets of every part with the movers and attackers of every tile.
    fn compare(generator: &Generator, parts: &PartSets) {
        let occupancy = generator.occupancy();
        for pattern in Pattern::ALL {
            for from in parts.with(pattern) {
                let attackers = |to: &Tile| parts.attackers(*to, occupancy).contains(from);
                let attacked: TileSet = Tile::all().filter(attackers).collect();
                assert_eq!(
                    pattern.attacks(from, parts.origin(), occupancy),
                    attacked,
                    "{pattern:?} on {from}"
                );
                let can_move = |to: &Tile| parts.movers(*to, occupancy).contains(from);
                let moves: TileSet = occupancy.empty.iter().filter(can_move).collect();
                assert_eq!(pattern.moves(from, parts.origin(), occupancy), moves, "{pattern:?} on {from}");
                assert!(!pattern.moves_as_it_attacks() || moves == attacked & occupancy.empty);
            }
        }
    }
}
