//! The legal actions of a position.
//!
//! A [`Generator`] looks at the board once, as the mover sees it. Every family of actions is listed in the order of its
//! words, and the families in the order of their opcodes, so all of them come in ascending order of their words.

mod assault;
mod pattern;
mod reshape;

use std::ops::ControlFlow;

use sandtable_core::Player;

use self::pattern::Corps;
pub(crate) use self::pattern::{Field, NEIGHBOURS, Pattern, STEPS, THREES, TWOS};
use crate::action::{Action, Part};
use crate::board::Board;
use crate::rules::Rules;
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::Unit;

/// The board as one player sees it.
pub(crate) struct Generator<'a> {
    board: &'a Board,
    rules: Rules,
    mover: Player,
    own: TileSet,
    /// Own units that hold a slave.
    holders: TileSet,
    tribun: Tile,
    enemy_tribun: Tile,
    field: Field,
    primaries: Corps,
    slaves: Corps,
}

impl<'a> Generator<'a> {
    #[inline]
    pub(crate) fn new(board: &'a Board, mover: Player, rules: Rules) -> Self {
        let mut generator = Self {
            board,
            rules,
            mover,
            own: board.side(mover),
            holders: TileSet::EMPTY,
            tribun: board.tribun(mover),
            enemy_tribun: board.tribun(!mover),
            field: Field::new(board, mover),
            primaries: Corps::new(mover),
            // A slave of height 1 keeps the direction of the side it came from.
            slaves: Corps::new(!mover),
        };
        for tile in generator.own {
            let unit = generator.unit(tile);
            generator.primaries.add_primary(tile, unit);
            if let Some(slave) = unit.slave() {
                generator.slaves.add_slave(tile, slave);
                generator.holders.insert(tile);
            }
        }
        generator
    }

    /// Calls `f` with every legal action, in ascending order of their words.
    #[inline]
    pub(crate) fn all<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.moves(f)?;
        let outcomes = self.outcomes();
        self.kills(&outcomes, f)?;
        outcomes.liberations(f)?;
        outcomes.damages(f)?;
        self.enslavings(&outcomes, f)?;
        self.combinations(f)?;
        self.rings(f)?;
        self.splits(f)?;
        self.stabs(f)?;
        self.tribun_attacks(f)
    }

    /// Calls `f` with every attack.
    pub(crate) fn attacks<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        self.tribun_attacks(f)?;
        let outcomes = self.outcomes();
        self.kills(&outcomes, f)?;
        outcomes.liberations(f)?;
        outcomes.damages(f)?;
        self.enslavings(&outcomes, f)
    }

    /// Is the action among those of its own family? Only those that end on the same tile, or begin on it, are listed.
    pub(crate) fn allows(mut self, action: Action) -> bool {
        match action {
            Action::Move { to: centre, .. }
            | Action::Combine { centre, .. }
            | Action::SymCombine { centre, .. } => {
                self.field.empty &= TileSet::of(centre);
            }
            Action::Split { actor, .. } => self.own &= TileSet::of(actor),
            _ => {}
        }
        let mut same =
            |found| if found == action { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let f = &mut same;
        match action {
            Action::Move { .. } => self.moves(f),
            Action::Kill { .. } => self.kills(&self.outcomes(), f),
            Action::Liberate { .. } => self.outcomes().liberations(f),
            Action::Damage { .. } => self.outcomes().damages(f),
            Action::Enslave { .. } => self.enslavings(&self.outcomes(), f),
            Action::Combine { .. } => self.combinations(f),
            Action::SymCombine { .. } => self.rings(f),
            Action::Split { .. } => self.splits(f),
            Action::Backstabb { .. } => self.stabs(f),
            Action::AttackTribun { .. } => self.tribun_attacks(f),
        }
        .is_break()
    }

    /// The number of legal actions, without listing them.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        let count = self.count_moves()
            + self.count_attacks()
            + self.count_combinations()
            + self.count_rings()
            + self.count_splits()
            + self.count_stabs();
        count.into()
    }

    fn unit(&self, tile: Tile) -> Unit {
        self.board.unit(tile).expect("only occupied tiles are asked for")
    }

    fn corps(&self, part: Part) -> &Corps {
        match part {
            Part::Primary => &self.primaries,
            Part::Slave => &self.slaves,
        }
    }

    fn moves<B>(&self, f: &mut impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        for part in self.parts() {
            for to in self.field.empty {
                for from in self.corps(*part).movers(to, &self.field) {
                    f(Action::Move { from, to, part: *part })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn count_moves(&self) -> u32 {
        let mut count = 0;
        for part in self.parts() {
            for to in self.field.empty {
                count += self.corps(*part).movers(to, &self.field).len();
            }
        }
        count
    }

    /// The parts that the mover has at all.
    fn parts(&self) -> &'static [Part] {
        if self.holders.is_empty() { &Part::ALL[..1] } else { &Part::ALL }
    }
}
