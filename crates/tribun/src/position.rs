//! Positions: the board and the side to move.

use std::ops::ControlFlow;

use sandtable_core::{ByPlayer, Outcome, Player, Position};

use crate::action::{Action, Amount, Part};
use crate::board::Board;
use crate::movegen::Generator;
use crate::reason::{Ending, Reason};
use crate::rules::Rules;
use crate::tile::Tile;
use crate::tile_set::TileSet;
use crate::unit::{Height, Unit};
use crate::zobrist;

/// A position of Tribun.
///
/// # Equality
///
/// Equal positions have the same board, side to move, attacked tribun and rules.
///
/// ```
/// use sandtable_core::{Notation, Position};
/// use sandtable_tribun::{Tribun, Rules};
///
/// let position = Tribun::from_text("black:a1=1*,f6=3/2 white:k11=4*,g8=2 b -", Rules::STANDARD)?;
/// let after = position.after(position.parse_move("f6-i8")?);
/// assert_eq!(after.to_text(), "black:a1=1*,i8=3 white:f6=2,g8=2,k11=4* w -");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tribun {
    board: Board,
    turn: Player,
    /// Whether the tribun of the side to move has been attacked, which loses the game. The attack leaves the board unchanged.
    attacked: bool,
    rules: Rules,
}

// Copied at every node of a search.
const _: () = assert!(size_of::<Tribun>() == 368);

/// The name of a player.
pub(crate) fn player_name(player: Player) -> &'static str {
    Tribun::PLAYERS[player]
}

impl Tribun {
    /// Creates a position.
    #[must_use]
    pub const fn new(board: Board, turn: Player, rules: Rules) -> Self {
        Self { board, turn, attacked: false, rules }
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns whether the tribun of the side to move has been attacked, which loses the game.
    #[must_use]
    pub const fn is_tribun_attacked(&self) -> bool {
        self.attacked
    }

    /// The position reflected left to right: coordinates exchanged.
    pub(crate) fn reflected_board(&self) -> Self {
        Self { board: self.board.reflected(), ..*self }
    }

    /// The units of both players that attack a tile, whether or not there is a unit on it.
    ///
    /// ```
    /// use sandtable_core::{Notation, Player};
    /// use sandtable_tribun::{Tribun, Rules};
    ///
    /// let position = Tribun::from_text("black:a1=1*,f6=2,f8=1 white:k11=1*,h9=3,g8=4 b -", Rules::STANDARD)?;
    /// let attackers = position.attackers("g8".parse()?) & position.board().occupied(Player::First);
    /// assert!(attackers.iter().map(|tile| tile.to_string()).eq(["f6", "f8"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn attackers(&self, tile: Tile) -> TileSet {
        let by = |player| Generator::new(&self.board, player, self.rules).units_reaching(tile);
        by(Player::First) | by(Player::Second)
    }

    /// The legal actions whose [actor](Action::actor) is the unit on a tile, in ascending order of their action words.
    ///
    /// Combinations, damage and liberation have no single actor and are not included.
    ///
    /// ```
    /// use sandtable_core::Position as _;
    /// use sandtable_tribun::{Tribun, Rules};
    ///
    /// let start = Tribun::start(Rules::STANDARD);
    /// let texts: Vec<_> = start.legal_moves_from("f4".parse()?).iter().map(ToString::to_string).collect();
    /// assert_eq!(texts, ["f4-g5"]);
    /// assert!(start.legal_moves_from("f8".parse()?).is_empty(), "White is not to move");
    /// # Ok::<(), sandtable_tribun::TileTextError>(())
    /// ```
    #[must_use]
    pub fn legal_moves_from(&self, tile: Tile) -> Vec<Action> {
        let mut actions = self.legal_moves();
        actions.retain(|action| action.actor() == Some(tile));
        actions
    }

    /// The same position with the mover's tribun attacked, or `None` if no enemy unit reaches it.
    pub(crate) fn lost_by_attack(mut self) -> Option<Self> {
        self.attacked = Generator::new(&self.board, !self.turn, self.rules).attacks_tribun();
        self.attacked.then_some(self)
    }

    /// The same position with the other side to move.
    pub(crate) fn passed(mut self) -> Self {
        self.turn = !self.turn;
        self
    }

    fn unit(&self, tile: Tile) -> Unit {
        self.board.unit(tile).expect("the tiles of a legal action are occupied")
    }

    /// Moves the unit on `from` with one of its parts to `to` and replaces the unit there.
    fn advance(&mut self, from: Tile, to: Tile, part: Part) {
        let unit = self.unit(from);
        let (moving, left) = match part {
            Part::Primary => (unit.without_slave(), unit.liberated()),
            Part::Slave => (unit, None),
        };
        self.board.put(from, left);
        self.board.put(to, Some(moving));
    }

    /// Lowers the unit on `tile`; if nothing is left, its slave is liberated.
    fn lower(&mut self, tile: Tile, loss: u8) {
        let unit = self.unit(tile);
        self.board.put(tile, unit.reduced_to(unit.primary().value() - loss));
    }

    /// Takes the gifts from the donors and places the new unit on the centre.
    fn combine(&mut self, center: Tile, gifts: impl Iterator<Item = (Tile, u8)>) {
        let (mut height, mut is_tribun) = (0, false);
        for (donor, gift) in gifts {
            height += gift;
            is_tribun |= self.unit(donor).is_tribun();
            self.lower(donor, gift);
        }
        let height = Height::new(height).expect("a legal combination has a valid height");
        let make = if is_tribun { Unit::tribun } else { Unit::new };
        self.board.put(center, Some(make(self.turn, height)));
    }

    fn apply(&mut self, action: Action) {
        let neighbor =
            |tile: Tile, direction| tile.neighbor(direction).expect("a legal action stays on the board");
        match action {
            Action::Move { from, to, part } => self.advance(from, to, part),
            Action::Kill { attacker, target, part } => self.advance(attacker, target, part),
            Action::Liberate { target } => self.board.put(target, self.unit(target).liberated()),
            Action::Damage { target, loss } => self.lower(target, loss.value()),
            Action::Enslave { attacker, target } => {
                let (unit, slave) = (self.unit(attacker), self.unit(target).primary());
                let holder = Unit::with_slave(self.turn, unit.primary(), Some(slave));
                self.board.put(attacker, unit.liberated());
                self.board.put(target, holder);
            }
            Action::Combine { center, donors, gifts } => {
                let donors = donors.directions().map(|direction| neighbor(center, direction));
                self.combine(center, donors.into_iter().zip(gifts.map(Amount::value)));
            }
            Action::SymCombine { center, form } => {
                let donors = form.donors().iter().map(|&direction| neighbor(center, direction));
                self.combine(center, donors.map(|donor| (donor, form.gift())));
            }
            Action::Split { actor, heights } => {
                self.lower(actor, heights.sum());
                for (direction, height) in heights.placed() {
                    self.board.put(neighbor(actor, direction), Some(Unit::new(self.turn, height)));
                }
            }
            Action::Backstabb { actor, direction } => {
                let unit = self.unit(actor).without_slave();
                self.board.put(actor, None);
                self.board.put(neighbor(actor, direction), Some(unit));
            }
            Action::AttackTribun { .. } => self.attacked = true,
        }
    }
}

impl Position for Tribun {
    type Move = Action;
    type Rules = Rules;
    type Ending = Ending;

    const NAME: &'static str = "tribun";
    const PLAYERS: ByPlayer<&'static str> = ByPlayer::new("Black", "White");
    const PLY_LIMIT: usize = 500;
    // An offer stays open until it is answered or retracted.
    const DRAW_OFFERS_LAPSE: bool = false;

    fn start(rules: Rules) -> Self {
        Self::new(Board::start(), Player::First, rules)
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn turn(&self) -> Player {
        self.turn
    }

    /// Calls `f` with every legal action, in ascending order of their action words, until it breaks.
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
        self.apply(action);
        self.turn = !self.turn;
    }

    fn in_check(&self) -> Option<bool> {
        None
    }

    fn outcome(&self, occurrences: u32) -> Outcome<Reason> {
        if self.attacked || self.has_legal_move() {
            self.outcome_with_moves(occurrences)
        } else {
            Outcome::Win { winner: !self.turn, reason: Reason::Rule(Ending::NoAction) }
        }
    }

    /// Tribun has no repetition rule: `_occurrences` is ignored.
    fn outcome_with_moves(&self, _occurrences: u32) -> Outcome<Reason> {
        if self.attacked {
            Outcome::Win { winner: !self.turn, reason: Reason::Rule(Ending::TribunAttacked) }
        } else {
            Outcome::Ongoing
        }
    }

    fn hash64(&self) -> u64 {
        self.board.hash() ^ zobrist::turn_key(self.turn) ^ zobrist::attacked_key(self.attacked)
    }

    fn same_position(&self, other: &Self) -> bool {
        self == other
    }

    /// No action increases the total height, so a position with more height cannot occur again.
    fn is_irreversible_from(&self, before: &Self) -> bool {
        self.board.total_height() < before.board.total_height()
    }

    fn mirrored(&self) -> Self {
        Self { board: self.board.mirrored(), turn: !self.turn, ..*self }
    }
}
