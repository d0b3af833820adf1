//! The numbers of the evaluation.
//!
//! A free unit of height 1 is about 100. Heights are counted from the lowest: 1, 2, 3, 4, 6, 8.

use crate::unit::{Height, Unit};

/// What each feature of a position is worth to the side that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By height: a unit. Splitting and combining cost a turn and nothing else, so the sum of heights is what counts most.
    pub height: [i32; Height::NUM],
    /// By height: the tribun, which can never split again.
    pub tribun: [i32; Height::NUM],
    /// By height: an enemy unit that is held as a slave. Its own side has lost its whole worth already.
    pub slave: [i32; Height::NUM],
    /// By height: each empty tile that some unit of that height can go to.
    pub mobility: [i32; Height::NUM],
    /// By height: each step that a unit is nearer to the enemy's tribun than the board is wide.
    pub nearness: [i32; Height::NUM],
    /// Enemy units that can be attacked, by what an attack does to them. The mover's first, then the other player's.
    pub threats: [Threats; 2],
    /// To reach the enemy's tribun. For the mover, who wins, then for the other player.
    pub reached: [i32; 2],
    /// A tile to which a unit can go to reach the enemy's tribun: one that the enemy does not attack, then one it does.
    pub approach: [i32; 2],
    /// A neighbour of the enemy's tribun that is attacked: one that the enemy does not attack as well, then one it does.
    pub siege: [i32; 2],
    /// A unit beside its own tribun.
    pub guard: i32,
    /// A tile to which the tribun can go and where no enemy attacks it: the first, then each one more.
    pub room: [i32; 2],
    /// To be on the move.
    pub tempo: i32,
}

/// What attacks that could be made are worth, in 64ths of what their target would lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats {
    /// The target is lost, and nobody strikes back.
    pub hanging: i32,
    /// The target is lost, but its side is as strong on its tile as it was.
    pub guarded: i32,
    /// The target loses height.
    pub damaged: i32,
}

impl Weights {
    /// The numbers that are played with.
    pub const CHOSEN: Self = Self {
        height: [100, 274, 416, 542, 764, 856],
        tribun: [0, 190, 424, 492, 512, 704],
        slave: [0, 54, 60, 80, 254, 270],
        mobility: [0, 5, 5, 21, 20, 30],
        nearness: [3, 4, 21, 5, 20, 6],
        threats: [
            Threats { hanging: 20, guarded: 0, damaged: 14 },
            Threats { hanging: 10, guarded: -8, damaged: 7 },
        ],
        reached: [2000, 60],
        approach: [12, -10],
        siege: [-10, 30],
        guard: 22,
        room: [174, -10],
        tempo: 10,
    };

    /// What a side loses with one of its free units.
    pub(crate) const fn worth(&self, height: Height) -> i32 {
        self.height[height.index() - 1]
    }

    /// How much better a player stands for having a unit, slaves included: what it loses when the unit is destroyed.
    pub(crate) const fn stake(&self, unit: Unit) -> i32 {
        match unit.slave() {
            // The slave is lost to its holder, and its own side has it back.
            Some(slave) => self.worth(unit.primary()) + self.capture(slave),
            None => self.worth(unit.primary()),
        }
    }

    /// How much better a player stands for holding a slave that was an enemy unit.
    pub(crate) const fn capture(&self, slave: Height) -> i32 {
        self.worth(slave) + self.slave[slave.index() - 1]
    }

    /// Every number, in the order of the fields.
    pub(crate) fn numbers(&mut self) -> Vec<&mut i32> {
        let Self {
            height,
            tribun,
            slave,
            mobility,
            nearness,
            threats,
            reached,
            approach,
            siege,
            guard,
            room,
            tempo,
        } = self;
        let by_height = [height, tribun, slave, mobility, nearness].into_iter().flatten();
        let threats =
            threats.iter_mut().flat_map(|Threats { hanging, guarded, damaged }| [hanging, guarded, damaged]);
        let pairs = [reached, approach, siege].into_iter().flatten();
        by_height.chain(threats).chain(pairs).chain([guard]).chain(room).chain([tempo]).collect()
    }
}
