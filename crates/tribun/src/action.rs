//! What a player can do in a turn.

use sandtable_core::Player;

use crate::tile::{Direction, Tile};
use crate::unit::Height;

/// Which part of a unit acts. It decides the pattern of a move or an attack, and who goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The primary, by its own height. It goes alone: a slave is left behind, free.
    Primary,
    /// The slave, by its height. It carries the whole unit.
    Slave,
}

impl Part {
    /// Both, the primary first.
    pub const ALL: [Self; 2] = [Self::Primary, Self::Slave];
}

sandtable_core::index_type! {
    /// An amount of height from 1 to 8, as its distance from 1: what three bits can say.
    #[derive(Debug)]
    pub struct Amount(u8) < 8;
}

impl Amount {
    /// The amount of that value, 1 to 8.
    #[must_use]
    pub const fn of(value: u8) -> Option<Self> {
        if value == 0 { None } else { Self::new(value - 1) }
    }

    /// The amount as a number.
    #[must_use]
    pub const fn value(self) -> u8 {
        self.0 + 1
    }
}

/// What two donors can give so that the sum is a height, in the order of the action words.
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
    // This order makes pairs compare as their action words do.
    second: Direction,
    first: Direction,
}

impl Pair {
    /// The number of pairs.
    pub const NUM: usize = Direction::NUM * (Direction::NUM - 1) / 2;
    /// All pairs, in order.
    pub const ALL: [Self; Self::NUM] = Self::all();

    /// The two, if they come in order.
    #[must_use]
    pub const fn new(first: Direction, second: Direction) -> Option<Self> {
        if first.index() < second.index() { Some(Self { second, first }) } else { None }
    }

    /// The two directions, in order.
    #[must_use]
    pub const fn directions(self) -> [Direction; 2] {
        [self.first, self.second]
    }

    /// Its number below [`Pair::NUM`], in the order of the pairs.
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

/// What a unit that splits puts on its neighbours: by direction a height, but never 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parts([Option<Height>; Direction::NUM]);

impl Parts {
    /// The heights that a part can have.
    pub const HEIGHTS: [Height; 5] = [Height::One, Height::Two, Height::Three, Height::Four, Height::Six];

    /// `WAYS[n][sum]`: in how many ways `n` neighbours can get parts, or nothing, that weigh `sum` together.
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
                while i < Self::HEIGHTS.len() {
                    let part = Self::HEIGHTS[i].value() as usize;
                    if part <= sum {
                        ways[n][sum] += ways[n - 1][sum - part];
                    }
                    i += 1;
                }
                sum += 1;
            }
            n += 1;
        }
        ways
    }

    /// The parts by direction; none if one of them is 8.
    #[must_use]
    pub fn new(heights: [Option<Height>; Direction::NUM]) -> Option<Self> {
        if heights.contains(&Some(Height::Eight)) { None } else { Some(Self(heights)) }
    }

    /// The heights by direction.
    #[must_use]
    pub const fn heights(self) -> [Option<Height>; Direction::NUM] {
        self.0
    }

    /// The directions that get something, with what they get.
    pub fn placed(self) -> impl Iterator<Item = (Direction, Height)> {
        Direction::ALL.into_iter().zip(self.0).filter_map(|(direction, height)| Some((direction, height?)))
    }

    /// What all parts weigh together.
    #[must_use]
    pub fn sum(self) -> u8 {
        self.placed().map(|(_, height)| height.value()).sum()
    }
}

/// Who gives how much in a symmetric combination, in the order of the action words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ring {
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

impl Ring {
    /// The number of rings.
    pub const NUM: usize = 5;
    /// All of them, in order.
    pub const ALL: [Self; Self::NUM] =
        [Self::Six, Self::UpperOnes, Self::LowerOnes, Self::UpperTwos, Self::LowerTwos];

    /// The number of the set of donors on the wire: 0 all six, 1 and 2 the two sets of three.
    #[must_use]
    pub const fn config(self) -> u8 {
        match self {
            Self::Six => 0,
            Self::UpperOnes | Self::UpperTwos => 1,
            Self::LowerOnes | Self::LowerTwos => 2,
        }
    }

    /// What each donor gives.
    #[must_use]
    pub const fn gift(self) -> u8 {
        match self {
            Self::Six | Self::UpperOnes | Self::LowerOnes => 1,
            Self::UpperTwos | Self::LowerTwos => 2,
        }
    }

    /// Where the donors stand, seen from the centre.
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

    /// The ring seen from the other side of the board.
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

/// An action on the board; a turn is one of them.
///
/// An attack names its outcome, not who took part in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A unit, or its primary alone, goes to an empty tile.
    Move {
        /// Where it stands.
        from: Tile,
        /// Where it goes.
        to: Tile,
        /// Which part leads.
        part: Part,
    },
    /// An enemy unit without a slave is destroyed; an attacker takes its place.
    Kill {
        /// The attacker that moves in.
        attacker: Tile,
        /// The unit that is destroyed.
        target: Tile,
        /// The attacker's part, as in a move.
        part: Part,
    },
    /// An enemy unit is destroyed, and its slave is free.
    Liberate {
        /// The unit.
        target: Tile,
    },
    /// An enemy unit loses height.
    Damage {
        /// The unit.
        target: Tile,
        /// What it loses.
        loss: Amount,
    },
    /// An enemy unit becomes the slave of an attacker, which takes its place.
    Enslave {
        /// The attacker.
        attacker: Tile,
        /// The unit that becomes a slave.
        target: Tile,
    },
    /// Two units give to a new one between them.
    Combine {
        /// The empty tile for the new unit.
        centre: Tile,
        /// Where the donors stand, seen from the centre.
        donors: Pair,
        /// What they give, in the order of the pair.
        gifts: [Amount; 2],
    },
    /// Three or six units around an empty tile give the same to a new one.
    SymCombine {
        /// The empty tile.
        centre: Tile,
        /// Who gives how much.
        ring: Ring,
    },
    /// A unit puts parts of itself on empty neighbours.
    Split {
        /// The unit.
        actor: Tile,
        /// What it puts where.
        parts: Parts,
    },
    /// A unit kills its own slave and steps aside.
    Backstabb {
        /// The unit.
        actor: Tile,
        /// Where it goes.
        direction: Direction,
    },
    /// The enemy's tribun is attacked: the game is won.
    AttackTribun {
        /// The attacker.
        attacker: Tile,
        /// The tribun.
        tribun: Tile,
        /// Who wins.
        winner: Player,
    },
}

impl Action {
    /// The tiles that the action is about; those of its directions may be off the board if it is not legal.
    pub fn tiles(self) -> impl Iterator<Item = Tile> {
        let around = |tile: Tile, directions: &mut dyn Iterator<Item = Direction>| {
            let mut tiles = [None; Direction::NUM + 1];
            tiles[0] = Some(tile);
            for (slot, direction) in tiles[1..].iter_mut().zip(directions) {
                *slot = tile.neighbour(direction);
            }
            tiles
        };
        let just = |a, b| [Some(a), b, None, None, None, None, None];
        let tiles = match self {
            Self::Move { from: a, to: b, .. }
            | Self::Kill { attacker: a, target: b, .. }
            | Self::Enslave { attacker: a, target: b }
            | Self::AttackTribun { attacker: a, tribun: b, .. } => just(a, Some(b)),
            Self::Liberate { target } | Self::Damage { target, .. } => just(target, None),
            Self::Combine { centre, donors, .. } => around(centre, &mut donors.directions().into_iter()),
            Self::SymCombine { centre, ring } => around(centre, &mut ring.donors().iter().copied()),
            Self::Split { actor, parts } => {
                around(actor, &mut parts.placed().map(|(direction, _)| direction))
            }
            Self::Backstabb { actor, direction } => just(actor, actor.neighbour(direction)),
        };
        tiles.into_iter().flatten()
    }

    /// The action seen from the other side of the board: both coordinates negated, colours swapped.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Move { from, to, part } => Self::Move { from: from.mirrored(), to: to.mirrored(), part },
            Self::Kill { attacker, target, part } => {
                Self::Kill { attacker: attacker.mirrored(), target: target.mirrored(), part }
            }
            Self::Liberate { target } => Self::Liberate { target: target.mirrored() },
            Self::Damage { target, loss } => Self::Damage { target: target.mirrored(), loss },
            Self::Enslave { attacker, target } => {
                Self::Enslave { attacker: attacker.mirrored(), target: target.mirrored() }
            }
            Self::Combine { centre, donors, gifts } => {
                let [a, b] = donors.directions().map(Direction::opposite);
                let (donors, gifts) = match Pair::new(a, b) {
                    Some(donors) => (donors, gifts),
                    None => (Pair::new(b, a).expect("the two differ"), [gifts[1], gifts[0]]),
                };
                Self::Combine { centre: centre.mirrored(), donors, gifts }
            }
            Self::SymCombine { centre, ring } => {
                Self::SymCombine { centre: centre.mirrored(), ring: ring.mirrored() }
            }
            Self::Split { actor, parts: Parts(mut heights) } => {
                heights.rotate_left(Direction::NUM / 2);
                Self::Split { actor: actor.mirrored(), parts: Parts(heights) }
            }
            Self::Backstabb { actor, direction } => {
                Self::Backstabb { actor: actor.mirrored(), direction: direction.opposite() }
            }
            Self::AttackTribun { attacker, tribun, winner } => Self::AttackTribun {
                attacker: attacker.mirrored(),
                tribun: tribun.mirrored(),
                winner: !winner,
            },
        }
    }
}
