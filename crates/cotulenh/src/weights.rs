//! The weights of the static evaluation.
//!
//! An Infantry is worth 100. Tables by kind are in the order of [`Kind::ALL`]: N F T E H C I M A G S.

use crate::{Kind, Stack};

/// The value of each feature of a position for the side that has it.
///
/// ```
/// use sandtable_cotulenh::{Kind, Weights};
///
/// assert_eq!(Weights::DEFAULT.material[Kind::Infantry.index()], 100);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weights {
    /// A piece. The commander's value never matters: capturing it ends the game.
    pub material: [i32; Kind::NUM],
    /// A heroic piece, in addition to its material.
    pub hero: [i32; Kind::NUM],
    /// A piece, for each rank between it and its own back rank.
    pub advance: [i32; Kind::NUM],
    /// A piece near the enemy commander, for each square that its distance is below eight.
    pub near: [i32; Kind::NUM],
    /// A piece that attacks the squares around the enemy commander, as part of the attack's danger.
    pub attack: [i32; Kind::NUM],
    /// A passenger, which travels with its carrier and is lost with it.
    pub carried: [i32; Kind::NUM],
    /// At least one Navy; at least one land piece; at least one Air Force.
    pub branch: [i32; 3],
    /// A stack in a fire zone of its own side, while the enemy has an Air Force.
    pub cover: i32,
    /// The commander's square and each adjacent square in a fire zone of its side, while the enemy has an Air Force.
    pub commander_cover: i32,
    /// A square in a fire zone of the side, while the enemy has an Air Force.
    pub airspace: i32,
    /// A stack next to its own commander.
    pub guard: i32,
    /// A commander in its Headquarters.
    pub headquartered: i32,
    /// An empty square that the commander faces along ranks and files.
    pub line: i32,
    /// A square next to the enemy commander that the commander faces, so that the enemy commander may not enter it.
    pub confined: i32,
    /// A stack that is the only one between commanders on one rank or file.
    pub pinned: i32,
    /// The bonus for the side to move.
    pub tempo: i32,
}

impl Weights {
    /// The weights that the engine plays with.
    pub const DEFAULT: Self = Self {
        material: [644, 680, 210, 106, 60, 10_000, 100, 88, 266, 142, 344],
        hero: [150, 360, 280, 74, 162, 20, 260, 250, 210, 202, 168],
        advance: [-13, -6, 5, 2, -24, -4, 5, 5, 3, -23, -23],
        near: [11, -5, 22, 9, 16, 0, 5, -11, 14, 16, -4],
        attack: [17, 17, 16, 27, -47, 42, 6, 70, 18, 19, 8],
        carried: [0, 158, -52, 0, 0, -8, -53, 35, 30, -20, 188],
        branch: [-40, -24, 176],
        cover: 12,
        commander_cover: 13,
        airspace: 1,
        guard: 14,
        headquartered: 32,
        line: 1,
        confined: -18,
        pinned: -7,
        tempo: 7,
    };

    /// Every weight, in the order of the fields.
    pub(crate) fn parameters(&mut self) -> Vec<&mut i32> {
        let Self {
            material,
            hero,
            advance,
            near,
            attack,
            carried,
            branch,
            cover,
            commander_cover,
            airspace,
            guard,
            headquartered,
            line,
            confined,
            pinned,
            tempo,
        } = self;
        let one = std::slice::from_mut;
        let fields: [&mut [i32]; 16] = [
            material,
            hero,
            advance,
            near,
            attack,
            carried,
            branch,
            one(cover),
            one(commander_cover),
            one(airspace),
            one(guard),
            one(headquartered),
            one(line),
            one(confined),
            one(pinned),
            one(tempo),
        ];
        fields.into_iter().flatten().collect()
    }

    /// The value of a piece.
    #[inline]
    pub(crate) const fn piece(&self, kind: Kind, heroic: bool) -> i32 {
        self.material[kind.index()] + if heroic { self.hero[kind.index()] } else { 0 }
    }
}

/// The material value of all pieces of a stack.
pub(crate) fn worth(stack: Stack) -> i32 {
    stack.flatten().map(|piece| Weights::DEFAULT.piece(piece.kind, piece.heroic)).sum()
}
