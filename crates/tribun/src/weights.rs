//! The weights of the static evaluation.
//!
//! A free unit of height 1 is worth about 100. Arrays by height are in the order 1, 2, 3, 4, 6, 8.

use crate::unit::{Height, Unit};

/// The value of each feature of a position to the side that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weights {
    /// By height: a unit.
    pub height: [i32; Height::NUM],
    /// By height: the tribun.
    pub tribun: [i32; Height::NUM],
    /// By height: a slave, in addition to the loss of its original side.
    pub slave: [i32; Height::NUM],
    /// By height: each empty tile that a unit of this height can move to.
    pub mobility: [i32; Height::NUM],
    /// By height: a unit near the enemy tribun, for each step that its distance is below 10.
    pub nearness: [i32; Height::NUM],
    /// Attacked enemy units: for the mover, then for the opponent.
    pub threats: [Threats; 2],
    /// An attack on the enemy tribun: for the mover, which wins the game, then for the opponent.
    pub reached: [i32; 2],
    /// A tile from which a unit that can move there would attack the enemy tribun: safe, then attacked by the enemy.
    pub approach: [i32; 2],
    /// An attacked neighbour of the enemy tribun: not defended by the enemy, then defended.
    pub siege: [i32; 2],
    /// A unit adjacent to its own tribun.
    pub guard: i32,
    /// A safe tile that the tribun can move to: the first, then each further one.
    pub room: [i32; 2],
    /// The bonus for the side to move.
    pub tempo: i32,
}

/// The value of possible attacks, in 64ths of the loss of their target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Threats {
    /// The target can be killed and is not defended.
    pub hanging: i32,
    /// The target can be killed but is defended with at least its height.
    pub guarded: i32,
    /// The target can be damaged.
    pub damaged: i32,
}

impl Weights {
    /// The tuned weights that the evaluation uses.
    pub const DEFAULT: Self = Self {
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

    /// The value of a unit without a slave.
    pub(crate) const fn unit(&self, height: Height) -> i32 {
        self.height[height.index() - 1]
    }

    /// The value of a unit with its slave: the loss of its owner when the unit is destroyed.
    pub(crate) const fn unit_with_slave(&self, unit: Unit) -> i32 {
        match unit.slave() {
            // The slave is liberated: one side loses it, the other regains it.
            Some(slave) => self.unit(unit.primary()) + self.capture(slave),
            None => self.unit(unit.primary()),
        }
    }

    /// The value of enslaving an enemy unit of this height.
    pub(crate) const fn capture(&self, slave: Height) -> i32 {
        self.unit(slave) + self.slave[slave.index() - 1]
    }

    /// Every parameter, in the order of the fields.
    pub(crate) fn parameters(&mut self) -> Vec<&mut i32> {
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
