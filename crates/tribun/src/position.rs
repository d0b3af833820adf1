//! A position: the board, who is to move, and what was said about a draw.

use std::fmt;
use std::ops::ControlFlow;

use sandtable_core::{ByPlayer, DrawTalk, EndReason, Outcome, Player};

use crate::action::{Action, Amount, Part};
use crate::board::Board;
use crate::movegen::Generator;
use crate::rules::Rules;
use crate::tile::Tile;
use crate::unit::{Height, Unit};
use crate::zobrist;

/// A position of Tribun.
///
/// # Equality
///
/// Equal positions have the same board, player to move, draw offers, end and rules. Draw offers change nothing on the
/// board: [`same_position`](sandtable_core::Position::same_position) and the hash do not see them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    turn: Player,
    talk: DrawTalk,
    /// The tribun of the player to move has been attacked: the game is lost. The board stays as it was.
    attacked: bool,
    rules: Rules,
}

// Copied at every node of every search: it stays within three cache lines.
const _: () = assert!(size_of::<Position>() <= 192);

/// Why a game of Tribun ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The tribun was attacked.
    TribunAttacked,
    /// A player is to move and has no action.
    NoAction,
    /// A player gave up.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// A player's clock ran out.
    PlayerTime,
    /// The time for the whole game ran out.
    GameTime,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 6] = [
        Self::TribunAttacked,
        Self::NoAction,
        Self::Resignation,
        Self::Agreement,
        Self::PlayerTime,
        Self::GameTime,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TribunAttacked => "tribun attacked",
            Self::NoAction => "no action",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::PlayerTime => "time",
            Self::GameTime => "game time",
        })
    }
}

impl EndReason for Reason {
    const RESIGNATION: Self = Self::Resignation;
    const AGREEMENT: Self = Self::Agreement;
    const TIME: Self = Self::PlayerTime;
}

/// What a player is called.
pub(crate) fn player_name(player: Player) -> &'static str {
    <Position as sandtable_core::Position>::PLAYERS[player]
}

impl Position {
    /// A position in which nothing was said about a draw.
    #[must_use]
    pub const fn new(board: Board, turn: Player, rules: Rules) -> Self {
        Self { board, turn, talk: DrawTalk::Silent, attacked: false, rules }
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// What was said about a draw.
    #[must_use]
    pub const fn talk(&self) -> DrawTalk {
        self.talk
    }

    /// The same position with something else said about a draw.
    #[must_use]
    pub const fn with_talk(mut self, talk: DrawTalk) -> Self {
        self.talk = talk;
        self
    }

    /// Has the tribun of the player to move been attacked?
    #[must_use]
    pub const fn is_tribun_attacked(&self) -> bool {
        self.attacked
    }

    /// The same position lost by an attack on the mover's tribun, if an enemy unit reaches it.
    pub(crate) fn lost_by_attack(mut self) -> Option<Self> {
        self.attacked = Generator::new(&self.board, !self.turn, self.rules).attacks_tribun();
        self.attacked.then_some(self)
    }

    /// The same position with the other player to move.
    pub(crate) fn passed(mut self) -> Self {
        self.turn = !self.turn;
        self
    }

    fn unit(&self, tile: Tile) -> Unit {
        self.board.unit(tile).expect("a legal action is about units that are there")
    }

    /// A part of the unit on `from` goes to `to`, whatever stood there.
    fn advance(&mut self, from: Tile, to: Tile, part: Part) {
        let unit = self.unit(from);
        let (gone, left) = match part {
            Part::Primary => (unit.without_slave(), unit.liberated()),
            Part::Slave => (unit, None),
        };
        self.board.put(from, left);
        self.board.put(to, Some(gone));
    }

    /// The unit on `tile` loses height, and its slave is free if nothing is left.
    fn lower(&mut self, tile: Tile, loss: u8) {
        let unit = self.unit(tile);
        self.board.put(tile, unit.reduced_to(unit.primary().value() - loss));
    }

    /// The donors at these directions each give height to a new unit at the centre.
    fn combine(&mut self, centre: Tile, gifts: impl Iterator<Item = (Tile, u8)>) {
        let (mut height, mut is_tribun) = (0, false);
        for (donor, gift) in gifts {
            height += gift;
            is_tribun |= self.unit(donor).is_tribun();
            self.lower(donor, gift);
        }
        let height = Height::new(height).expect("a legal combination has a valid height");
        let make = if is_tribun { Unit::tribun } else { Unit::new };
        self.board.put(centre, Some(make(self.turn, height)));
    }

    fn act(&mut self, action: Action) {
        let neighbour =
            |tile: Tile, direction| tile.neighbour(direction).expect("a legal action stays on the board");
        match action {
            Action::Move { from, to, part } => self.advance(from, to, part),
            Action::Kill { attacker, target, part } => self.advance(attacker, target, part),
            Action::Liberate { target } => self.board.put(target, self.unit(target).liberated()),
            Action::Damage { target, loss } => self.lower(target, loss.value()),
            Action::Enslave { attacker, target } => {
                let (unit, slave) = (self.unit(attacker), self.unit(target).primary());
                let master = Unit::with_slave(self.turn, unit.primary(), Some(slave));
                self.board.put(attacker, unit.liberated());
                self.board.put(target, master);
            }
            Action::Combine { centre, donors, gifts } => {
                let donors = donors.directions().map(|direction| neighbour(centre, direction));
                self.combine(centre, donors.into_iter().zip(gifts.map(Amount::value)));
            }
            Action::SymCombine { centre, ring } => {
                let donors = ring.donors().iter().map(|&direction| neighbour(centre, direction));
                self.combine(centre, donors.map(|donor| (donor, ring.gift())));
            }
            Action::Split { actor, heights } => {
                self.lower(actor, heights.sum());
                for (direction, height) in heights.placed() {
                    self.board.put(neighbour(actor, direction), Some(Unit::new(self.turn, height)));
                }
            }
            Action::Backstabb { actor, direction } => {
                let unit = self.unit(actor).without_slave();
                self.board.put(actor, None);
                self.board.put(neighbour(actor, direction), Some(unit));
            }
            Action::AttackTribun { .. } => self.attacked = true,
        }
    }
}

impl sandtable_core::Position for Position {
    type Move = Action;
    type Rules = Rules;
    type Reason = Reason;

    const NAME: &'static str = "tribun";
    const PLAYERS: ByPlayer<&'static str> = ByPlayer::new("Black", "White");
    const PLY_LIMIT: usize = 500;

    fn start(rules: Rules) -> Self {
        Self::new(Board::start(), Player::First, rules)
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn turn(&self) -> Player {
        self.turn
    }

    /// Calls `f` with every legal action on the board, in ascending order of their words, until it breaks.
    fn for_each_legal<B>(&self, mut f: impl FnMut(Action) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.attacked {
            return ControlFlow::Continue(());
        }
        Generator::new(&self.board, self.turn, self.rules).all(&mut f)
    }

    fn count_legal(&self) -> u64 {
        if self.attacked { 0 } else { Generator::new(&self.board, self.turn, self.rules).count() }
    }

    fn is_legal(&self, action: Action) -> bool {
        !self.attacked && Generator::new(&self.board, self.turn, self.rules).allows(action)
    }

    fn play_unchecked(&mut self, action: Action) {
        self.act(action);
        self.turn = !self.turn;
    }

    fn check(&self) -> Option<bool> {
        None
    }

    /// Repetition means nothing in Tribun: `_occurrences` is not looked at.
    fn outcome(&self, _occurrences: u32) -> Outcome<Reason> {
        let lost = |reason| Outcome::Win { winner: !self.turn, reason };
        if self.attacked {
            lost(Reason::TribunAttacked)
        } else if self.has_legal_move() {
            Outcome::Ongoing
        } else {
            lost(Reason::NoAction)
        }
    }

    fn hash64(&self) -> u64 {
        self.board.hash() ^ zobrist::turn_key(self.turn) ^ zobrist::attacked_key(self.attacked)
    }

    fn same_position(&self, other: &Self) -> bool {
        self.with_talk(other.talk) == *other
    }

    /// No action adds height to the board, so what has been lost never comes back.
    fn cuts_history(&self, before: &Self) -> bool {
        self.board.total_height() < before.board.total_height()
    }

    fn shown_talk(&self) -> Option<DrawTalk> {
        Some(self.talk)
    }

    fn show_talk(&mut self, talk: DrawTalk) {
        self.talk = talk;
    }

    fn mirrored(&self) -> Self {
        Self { board: self.board.mirrored(), turn: !self.turn, talk: self.talk.mirrored(), ..*self }
    }
}
