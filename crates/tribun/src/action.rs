//! Board actions: the moves of the game.

use sandtable_core::Player;

use crate::tile::{Direction, Tile};
use crate::unit::Height;

/// The part of a unit that acts. It determines the pattern of a move or an attack, and whether the slave moves along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The primary, with the pattern of its height. It moves alone; a slave left behind is liberated.
    Primary,
    /// The slave, with the pattern of its height. The whole unit moves.
    Slave,
}

impl Part {
    /// Both parts, the primary first.
    pub const ALL: [Self; 2] = [Self::Primary, Self::Slave];
}

sandtable_core::index_type! {
    /// An amount of height from 1 to 8, stored as the amount − 1, as in an action word.
    #[derive(Debug)]
    pub struct Amount(u8) < 8;
}

impl Amount {
    /// Returns the amount with this value, 1 to 8.
    #[must_use]
    pub const fn from_value(value: u8) -> Option<Self> {
        if value == 0 { None } else { Self::new(value - 1) }
    }

    /// The amount, 1 to 8.
    #[must_use]
    pub const fn value(self) -> u8 {
        self.0 + 1
    }
}

/// The pairs of gifts whose sum is a valid height, in the order of their action words.
pub const GIFTS: [[Amount; 2]; 18] = gifts();

const fn gifts() -> [[Amount; 2]; 18] {
    let mut gifts = [[Amount(0); 2]; 18];
    let mut count = 0;
    let mut second = 0;
    while second < Amount::NUM as u8 {
        let mut first = 0;
        while first < Amount::NUM as u8 {
            let pair = [Amount(first), Amount(second)];
            if Height::new(pair[0].value() + pair[1].value()).is_some() {
                gifts[count] = pair;
                count += 1;
            }
            first += 1;
        }
        second += 1;
    }
    assert!(count == gifts.len());
    gifts
}

/// Two different directions, the one with the lower number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    // Declared first, so that pairs sort like their action words.
    second: Direction,
    first: Direction,
}

impl Pair {
    /// The number of pairs.
    pub const NUM: usize = Direction::NUM * (Direction::NUM - 1) / 2;
    /// All pairs, in ascending order.
    pub const ALL: [Self; Self::NUM] = Self::all();

    /// Creates a pair; `None` unless `first < second`.
    #[must_use]
    pub const fn new(first: Direction, second: Direction) -> Option<Self> {
        if first.index() < second.index() { Some(Self { second, first }) } else { None }
    }

    /// The two directions, in ascending order.
    #[must_use]
    pub const fn directions(self) -> [Direction; 2] {
        [self.first, self.second]
    }

    /// The index of the pair in [`Pair::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.second.index() * (self.second.index() - 1) / 2 + self.first.index()
    }

    const fn all() -> [Self; Self::NUM] {
        let mut pairs = [Self { first: Direction::Up, second: Direction::LeftUp }; Self::NUM];
        let mut second = 1;
        while second < Direction::NUM {
            let mut first = 0;
            while first < second {
                let pair = Self { first: Direction::ALL[first], second: Direction::ALL[second] };
                pairs[pair.index()] = pair;
                first += 1;
            }
            second += 1;
        }
        pairs
    }
}

/// The heights that a splitting unit places on its neighbours, by direction; never 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SplitHeights([Option<Height>; Direction::NUM]);

impl SplitHeights {
    /// The heights that a split can place on a tile.
    pub const PLACEABLE: [Height; 5] = [Height::One, Height::Two, Height::Three, Height::Four, Height::Six];

    /// `WAYS[n][sum]`: the number of ways to distribute `sum` over `n` neighbours, any of which may get nothing.
    pub(crate) const WAYS: [[u16; 9]; Direction::NUM + 1] = Self::ways();

    const fn ways() -> [[u16; 9]; Direction::NUM + 1] {
        let mut ways = [[0; 9]; Direction::NUM + 1];
        ways[0][0] = 1;
        let mut n = 1;
        while n < ways.len() {
            let mut sum = 0;
            while sum < ways[n].len() {
                ways[n][sum] = ways[n - 1][sum];
                let mut i = 0;
                while i < Self::PLACEABLE.len() {
                    let height = Self::PLACEABLE[i].value() as usize;
                    if height <= sum {
                        ways[n][sum] += ways[n - 1][sum - height];
                    }
                    i += 1;
                }
                sum += 1;
            }
            n += 1;
        }
        ways
    }

    /// Creates the heights by direction, or returns `None` if one of them is 8.
    #[must_use]
    pub fn new(heights: [Option<Height>; Direction::NUM]) -> Option<Self> {
        if heights.contains(&Some(Height::Eight)) { None } else { Some(Self(heights)) }
    }

    /// The heights by direction.
    #[must_use]
    pub const fn by_direction(self) -> [Option<Height>; Direction::NUM] {
        self.0
    }

    /// The directions that get a height, each with its height.
    pub fn placed(self) -> impl Iterator<Item = (Direction, Height)> {
        Direction::ALL.into_iter().zip(self.0).filter_map(|(direction, height)| Some((direction, height?)))
    }

    /// The sum of the heights.
    #[must_use]
    pub fn sum(self) -> u8 {
        self.placed().map(|(_, height)| height.value()).sum()
    }
}

/// The form of a symmetric combination: its donors and their gifts, in the order of the action words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymCombine {
    /// All six neighbours give 1.
    Six,
    /// Up, right-down and left-down give 1 each.
    UpperOnes,
    /// Down, left-up and right-up give 1 each.
    LowerOnes,
    /// Up, right-down and left-down give 2 each.
    UpperTwos,
    /// Down, left-up and right-up give 2 each.
    LowerTwos,
}

impl SymCombine {
    /// The number of forms.
    pub const NUM: usize = 5;
    /// All forms, in ascending order.
    pub const ALL: [Self; Self::NUM] =
        [Self::Six, Self::UpperOnes, Self::LowerOnes, Self::UpperTwos, Self::LowerTwos];

    /// The configuration in an action word: 0 is all six donors, 1 and 2 are the two sets of three.
    #[must_use]
    pub const fn config(self) -> u8 {
        match self {
            Self::Six => 0,
            Self::UpperOnes | Self::UpperTwos => 1,
            Self::LowerOnes | Self::LowerTwos => 2,
        }
    }

    /// The amount that each donor gives.
    #[must_use]
    pub const fn gift(self) -> u8 {
        match self {
            Self::Six | Self::UpperOnes | Self::LowerOnes => 1,
            Self::UpperTwos | Self::LowerTwos => 2,
        }
    }

    /// The directions of the donors, seen from the centre.
    #[must_use]
    pub const fn donors(self) -> &'static [Direction] {
        match self.config() {
            0 => &Direction::ALL,
            1 => &[Direction::Up, Direction::RightDown, Direction::LeftDown],
            _ => &[Direction::Down, Direction::LeftUp, Direction::RightUp],
        }
    }

    /// The height of the new unit.
    #[must_use]
    pub const fn height(self) -> Height {
        match Height::new(self.donors().len() as u8 * self.gift()) {
            Some(height) => height,
            None => unreachable!(),
        }
    }

    /// The mirrored form: directions reversed.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Six => Self::Six,
            Self::UpperOnes => Self::LowerOnes,
            Self::LowerOnes => Self::UpperOnes,
            Self::UpperTwos => Self::LowerTwos,
            Self::LowerTwos => Self::UpperTwos,
        }
    }
}

/// A board action. A turn is exactly one of them.
///
/// An attack records its outcome, not the set of attackers.
///
/// ```
/// use sandtable_core::{Notation, Position};
/// use sandtable_tribun::{Action, Part, Tribun, Rules};
///
/// let start = Tribun::start(Rules::STANDARD);
/// let action = start.parse_move("b3-e5")?;
/// assert_eq!(action, Action::Move { from: "b3".parse()?, to: "e5".parse()?, part: Part::Primary });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A unit, or its primary alone, moves to an empty tile.
    Move {
        /// The tile it leaves.
        from: Tile,
        /// The tile it enters.
        to: Tile,
        /// The part that moves.
        part: Part,
    },
    /// An enemy unit without a slave is destroyed, and an attacker moves in.
    Kill {
        /// The attacker that moves in.
        attacker: Tile,
        /// The destroyed unit.
        target: Tile,
        /// The part of the attacker that moves in.
        part: Part,
    },
    /// An enemy unit is destroyed, and its slave is liberated.
    Liberate {
        /// The unit.
        target: Tile,
    },
    /// An enemy unit loses height.
    Damage {
        /// The unit.
        target: Tile,
        /// The height it loses.
        loss: Amount,
    },
    /// An enemy unit becomes the slave of an attacker, which moves in.
    Enslave {
        /// The attacker.
        attacker: Tile,
        /// The unit that is enslaved.
        target: Tile,
    },
    /// Two units give height to a new unit on a tile adjacent to both.
    Combine {
        /// The empty tile of the new unit.
        center: Tile,
        /// The directions of the donors, seen from the centre.
        donors: Pair,
        /// The gift of each donor, in the order of the pair.
        gifts: [Amount; 2],
    },
    /// Three or six equal units around an empty tile give the same height to a new unit.
    SymCombine {
        /// The empty tile.
        center: Tile,
        /// The donors and their gifts.
        form: SymCombine,
    },
    /// A unit places some or all of its height on empty neighbours.
    Split {
        /// The unit.
        actor: Tile,
        /// The heights it places.
        heights: SplitHeights,
    },
    /// A unit destroys its slave and moves to an adjacent tile.
    Backstabb {
        /// The unit.
        actor: Tile,
        /// The direction it moves in.
        direction: Direction,
    },
    /// The enemy tribun is attacked, which wins the game.
    AttackTribun {
        /// The attacker.
        attacker: Tile,
        /// The tribun.
        tribun: Tile,
        /// The winner.
        winner: Player,
    },
}

impl Action {
    /// The tile of the unit that acts, if there is exactly one.
    ///
    /// A combination has several donors, and damage and liberation do not record their attackers.
    #[must_use]
    pub const fn actor(self) -> Option<Tile> {
        match self {
            Self::Move { from: actor, .. }
            | Self::Kill { attacker: actor, .. }
            | Self::Enslave { attacker: actor, .. }
            | Self::Split { actor, .. }
            | Self::Backstabb { actor, .. }
            | Self::AttackTribun { attacker: actor, .. } => Some(actor),
            Self::Liberate { .. } | Self::Damage { .. } | Self::Combine { .. } | Self::SymCombine { .. } => {
                None
            }
        }
    }

    /// The tiles that take part in the action. Neighbours off the board, which only illegal actions have, are left out.
    pub fn tiles(self) -> impl Iterator<Item = Tile> {
        let around = |tile: Tile, directions: &mut dyn Iterator<Item = Direction>| {
            let mut tiles = [None; Direction::NUM + 1];
            tiles[0] = Some(tile);
            for (slot, direction) in tiles[1..].iter_mut().zip(directions) {
                *slot = tile.neighbor(direction);
            }
            tiles
        };
        let up_to_two = |a, b| [Some(a), b, None, None, None, None, None];
        let tiles = match self {
            Self::Move { from: a, to: b, .. }
            | Self::Kill { attacker: a, target: b, .. }
            | Self::Enslave { attacker: a, target: b }
            | Self::AttackTribun { attacker: a, tribun: b, .. } => up_to_two(a, Some(b)),
            Self::Liberate { target } | Self::Damage { target, .. } => up_to_two(target, None),
            Self::Combine { center, donors, .. } => around(center, &mut donors.directions().into_iter()),
            Self::SymCombine { center, form } => around(center, &mut form.donors().iter().copied()),
            Self::Split { actor, heights } => {
                around(actor, &mut heights.placed().map(|(direction, _)| direction))
            }
            Self::Backstabb { actor, direction } => up_to_two(actor, actor.neighbor(direction)),
        };
        tiles.into_iter().flatten()
    }

    /// The mirrored action: both coordinates negated, colours swapped.
    #[must_use]
    #[inline]
    pub fn mirrored(self) -> Self {
        let action = self.transformed(Tile::mirrored, Direction::opposite);
        match action {
            Self::SymCombine { center, form } => Self::SymCombine { center, form: form.mirrored() },
            Self::AttackTribun { attacker, tribun, winner } => {
                Self::AttackTribun { attacker, tribun, winner: !winner }
            }
            _ => action,
        }
    }

    /// The action on the board reflected left to right: coordinates exchanged.
    #[must_use]
    pub fn reflected(self) -> Self {
        // The donors of every form are symmetric.
        self.transformed(Tile::reflected, Direction::reflected)
    }

    /// The action with other tiles and directions; the forms of symmetric combinations and the winner stay as they are.
    #[inline]
    fn transformed(self, tile: impl Fn(Tile) -> Tile, direction: impl Fn(Direction) -> Direction) -> Self {
        match self {
            Self::Move { from, to, part } => Self::Move { from: tile(from), to: tile(to), part },
            Self::Kill { attacker, target, part } => {
                Self::Kill { attacker: tile(attacker), target: tile(target), part }
            }
            Self::Liberate { target } => Self::Liberate { target: tile(target) },
            Self::Damage { target, loss } => Self::Damage { target: tile(target), loss },
            Self::Enslave { attacker, target } => {
                Self::Enslave { attacker: tile(attacker), target: tile(target) }
            }
            Self::Combine { center, donors, gifts } => {
                let [a, b] = donors.directions().map(&direction);
                let (donors, gifts) = match Pair::new(a, b) {
                    Some(donors) => (donors, gifts),
                    None => (Pair::new(b, a).expect("the two differ"), [gifts[1], gifts[0]]),
                };
                Self::Combine { center: tile(center), donors, gifts }
            }
            Self::SymCombine { center, form } => Self::SymCombine { center: tile(center), form },
            Self::Split { actor, heights } => {
                let mut placed = [None; Direction::NUM];
                for (from, height) in Direction::ALL.into_iter().zip(heights.0) {
                    placed[direction(from).index()] = height;
                }
                Self::Split { actor: tile(actor), heights: SplitHeights(placed) }
            }
            Self::Backstabb { actor, direction: towards } => {
                Self::Backstabb { actor: tile(actor), direction: direction(towards) }
            }
            Self::AttackTribun { attacker, tribun, winner } => {
                Self::AttackTribun { attacker: tile(attacker), tribun: tile(tribun), winner }
            }
        }
    }
}
