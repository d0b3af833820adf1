//! The legal actions of a position.
//!
//! A [`Generator`] looks at the board once, as the mover sees it. Every family of actions is listed in the order of its
//! words, and the families in the order of their opcodes, so all of them come in ascending order of their words.

mod assault;
mod pattern;
mod reshape;

use std::ops::ControlFlow;

use sandtable_core::Player;

pub(crate) use self::pattern::{Corps, Field, NEIGHBOURS, Pattern, STEPS, THREES, TWOS};
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

    pub(crate) const fn field(&self) -> &Field {
        &self.field
    }

    #[inline]
    pub(crate) const fn corps(&self, part: Part) -> &Corps {
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
    pub(crate) fn parts(&self) -> &'static [Part] {
        if self.holders.is_empty() { &Part::ALL[..1] } else { &Part::ALL }
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::{Game, Notation as _, Position as _, Rng, play_randomly};

    use super::*;
    use crate::position::Position;

    #[test]
    fn patterns_lead_where_they_are_found_from() {
        let text = "black:a1=1*,f6=3/2,e5=4/8,d6=1/1,c3=2/4 white:k11=4*,g8=2/3,h7=4/1,i6=6,g5=8 b -";
        let slaves = Position::from_text(text, Rules::STANDARD).unwrap();
        for (seed, start) in (0..8).zip([slaves, Position::start(Rules::STANDARD)].into_iter().cycle()) {
            let mut game = Game::from_position(start);
            let mut rng = Rng::new(seed);
            while game.ply() < 60 && play_randomly(&mut game, &mut rng, 2) == 2 {
                let board = game.position().board();
                let generator = Generator::new(board, game.turn(), Rules::STANDARD);
                for part in Part::ALL {
                    compare(&generator, generator.corps(part));
                }
            }
        }
    }

    /// Asks for every part forwards what the generator asks backwards.
    fn compare(generator: &Generator, corps: &Corps) {
        let field = generator.field();
        for pattern in Pattern::ALL {
            for from in corps.with(pattern) {
                let attackers = |to: &Tile| corps.attackers(*to, field).contains(from);
                let attacked: TileSet = Tile::all().filter(attackers).collect();
                assert_eq!(pattern.attacked(from, corps.origin(), field), attacked, "{pattern:?} on {from}");
                let movers = |to: &Tile| corps.movers(*to, field).contains(from);
                let entered: TileSet = field.empty.tiles().filter(movers).collect();
                assert_eq!(pattern.entered(from, corps.origin(), field), entered, "{pattern:?} on {from}");
                assert!(!pattern.moves_as_it_attacks() || entered == attacked & field.empty);
            }
        }
    }
}
