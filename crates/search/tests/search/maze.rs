//! A game without sense: rooms with doors, drawn by a hash. It has all that makes searching hard: the player may move
//! again, positions come back, lines meet, wins and losses turn up anywhere.

use std::fmt;
use std::ops::ControlFlow;

use sandtable_core::{ByPlayer, EndReason, Evaluate, Outcome, Player, Position, Rng, Rules, Tactic};

/// Which maze: by seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Plan(pub(crate) u64);

impl Rules for Plan {
    const PRESETS: &'static [(&'static str, Self)] = &[("standard", Self(0))];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reason {
    Trap,
    Threefold,
    Resignation,
    Agreement,
    Time,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl EndReason for Reason {
    const RESIGNATION: Self = Self::Resignation;
    const AGREEMENT: Self = Self::Agreement;
    const TIME: Self = Self::Time;
}

/// The number of a door.
pub(crate) type Door = u8;

/// Somebody stands in a room of a floor. Stairs lead up and never down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Maze {
    plan: Plan,
    room: u8,
    floor: u8,
    turn: Player,
}

const ROOMS: u64 = 24;
const FLOORS: u8 = 4;

impl Maze {
    /// A number that looks random and depends on the place and a purpose.
    fn draw(&self, purpose: u64) -> u64 {
        let place = u64::from(self.room) << 16 | u64::from(self.floor) << 8 | self.turn.index() as u64;
        Rng::new(self.plan.0 << 40 ^ place << 8 ^ purpose).next_u64() >> 20
    }

    fn doors(&self) -> Door {
        2 + (self.draw(1) % 4) as u8
    }

    fn is_trap(&self) -> bool {
        self.draw(2).is_multiple_of(12)
    }

    fn is_stair(&self, door: Door) -> bool {
        self.floor + 1 < FLOORS && self.draw(100 + u64::from(door)).is_multiple_of(4)
    }
}

impl Position for Maze {
    type Move = Door;
    type Rules = Plan;
    type Reason = Reason;
    const NAME: &'static str = "maze";
    const PLAYERS: ByPlayer<&'static str> = ByPlayer::new("First", "Second");
    const PLY_LIMIT: usize = 400;

    fn start(plan: Plan) -> Self {
        let mut start = Self { plan, room: 0, floor: 0, turn: Player::First };
        while start.is_trap() {
            start.room += 1;
        }
        start
    }

    fn rules(&self) -> Plan {
        self.plan
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn for_each_legal<B>(&self, f: impl FnMut(Door) -> ControlFlow<B>) -> ControlFlow<B> {
        (0..if self.is_trap() { 0 } else { self.doors() }).try_for_each(f)
    }

    fn play_unchecked(&mut self, door: Door) {
        let drawn = self.draw(200 + u64::from(door));
        self.floor += u8::from(self.is_stair(door));
        self.room = (drawn % ROOMS) as u8;
        if !(drawn / ROOMS).is_multiple_of(3) {
            self.turn = !self.turn;
        }
    }

    fn check(&self) -> Option<bool> {
        Some(self.draw(3).is_multiple_of(6))
    }

    fn outcome(&self, occurrences: u32) -> Outcome<Reason> {
        if self.is_trap() {
            let winner = if self.draw(4).is_multiple_of(3) { self.turn } else { !self.turn };
            Outcome::Win { winner, reason: Reason::Trap }
        } else if occurrences >= 3 {
            Outcome::Draw { reason: Reason::Threefold }
        } else {
            Outcome::Ongoing
        }
    }

    fn hash64(&self) -> u64 {
        let place = u64::from(self.room) << 16 | u64::from(self.floor) << 8 | self.turn.index() as u64;
        Rng::new(place).next_u64()
    }

    fn same_position(&self, other: &Self) -> bool {
        self == other
    }

    fn cuts_history(&self, before: &Self) -> bool {
        self.floor > before.floor
    }

    fn mirrored(&self) -> Self {
        Self { turn: !self.turn, ..self.clone() }
    }
}

impl Evaluate for Maze {
    fn evaluate(&self) -> i32 {
        (self.draw(5) % 401) as i32 - 200
    }

    fn tactic(&self, door: Door) -> Tactic {
        if self.is_stair(door) { Tactic { gain: 1 + i32::from(door), risk: 1 } } else { Tactic::QUIET }
    }

    fn pass(&self) -> Option<Self> {
        let passed = Self { turn: !self.turn, ..self.clone() };
        (!passed.is_trap() && passed.check() != Some(true)).then_some(passed)
    }
}
