//! The weights of the static evaluation.
//!
//! A pawn in the endgame is worth about 100. Ranks and squares are from the perspective of the side that owns the piece.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A pair of values for the middlegame and the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// The value with all pieces on the board.
    pub mg: i32,
    /// The value with only kings and pawns left.
    pub eg: i32,
}

/// A short constructor that keeps the tables readable.
const fn t(mg: i32, eg: i32) -> Tapered {
    Tapered { mg, eg }
}

impl Add for Tapered {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        t(self.mg + other.mg, self.eg + other.eg)
    }
}

impl Sub for Tapered {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        t(self.mg - other.mg, self.eg - other.eg)
    }
}

impl Neg for Tapered {
    type Output = Self;

    fn neg(self) -> Self {
        t(-self.mg, -self.eg)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    fn mul(self, factor: i32) -> Self {
        t(self.mg * factor, self.eg * factor)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

/// The value of each feature of a position to the side that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weights {
    /// Pawn, knight, bishop, rook, queen.
    pub material: [Tapered; 5],
    /// Piece-square values by role (king last) and rank; added to the values by file.
    pub rank: [[Tapered; 8]; 6],
    /// Piece-square values by role and distance of the file from the edge, a- and h-file first.
    pub file: [[Tapered; 4]; 6],
    /// Mobility of knight, bishop, rook and queen: each attacked square that no enemy pawn attacks.
    pub mobility: [Tapered; 4],
    /// The bishop pair.
    pub bishop_pair: Tapered,
    /// A rook on an open file.
    pub open_file: Tapered,
    /// A rook on a half-open file: one with enemy pawns only.
    pub half_open_file: Tapered,
    /// A doubled pawn: one with a pawn of its own side in front of it.
    pub doubled: Tapered,
    /// An isolated pawn: one without pawns of its own side on the adjacent files.
    pub isolated: Tapered,
    /// A backward pawn: one that cannot advance safely and that no pawn can protect.
    pub backward: Tapered,
    /// A pawn protected by another pawn.
    pub protected: Tapered,
    /// A pawn beside another pawn.
    pub phalanx: Tapered,
    /// A passed pawn, by rank.
    pub passed: [Tapered; 8],
    /// A passed pawn with an empty square in front, for each rank beyond the second.
    pub unblocked_passed: Tapered,
    /// A passed pawn: the distance of its own king from the square in front, for each rank beyond the second.
    pub own_king_distance: Tapered,
    /// The same for the enemy king.
    pub enemy_king_distance: Tapered,
    /// A pawn one and two ranks in front of its king, on the king's file or an adjacent one.
    pub shield: [Tapered; 2],
    /// The king's file or an adjacent file, if it has no pawn of the king's side.
    pub king_file_without_pawn: Tapered,
    /// A pawn that attacks a piece.
    pub pawn_threat: Tapered,
    /// A knight or bishop that attacks a rook or queen.
    pub minor_threat: Tapered,
    /// King attack by knight, bishop, rook and queen: the danger of each attacked square around the enemy king.
    pub attack: [Tapered; 4],
    /// The bonus for the side to move.
    pub tempo: Tapered,
}

impl Weights {
    /// The weights that the engine plays with.
    pub const DEFAULT: Self = Self {
        material: [t(82, 105), t(325, 300), t(340, 315), t(470, 535), t(960, 980)],
        rank: [
            [t(0, 0), t(-8, 2), t(-6, 0), t(2, 2), t(10, 10), t(28, 30), t(60, 60), t(0, 0)],
            [t(-28, -20), t(-12, -12), t(2, -2), t(10, 8), t(18, 10), t(22, 2), t(8, -8), t(-40, -22)],
            [t(-8, -6), t(4, -4), t(8, 0), t(6, 4), t(6, 4), t(8, 2), t(-6, 0), t(-14, -4)],
            [t(0, -4), t(-10, -4), t(-10, -4), t(-8, 2), t(0, 6), t(8, 6), t(20, 10), t(14, 8)],
            [t(0, -22), t(2, -18), t(2, -6), t(-4, 8), t(-6, 16), t(2, 16), t(-4, 14), t(4, 6)],
            [t(18, -34), t(2, -14), t(-24, 0), t(-46, 10), t(-54, 16), t(-40, 20), t(-30, 10), t(-20, -14)],
        ],
        file: [
            [t(-14, 2), t(-2, 0), t(0, -2), t(12, -4)],
            [t(-22, -14), t(-6, -4), t(4, 4), t(8, 10)],
            [t(-6, -4), t(4, 0), t(2, 2), t(4, 4)],
            [t(-6, 0), t(-2, 2), t(4, 0), t(10, -2)],
            [t(-4, -8), t(0, -2), t(2, 4), t(4, 8)],
            [t(4, -16), t(20, 0), t(-10, 8), t(-18, 12)],
        ],
        mobility: [t(5, 4), t(5, 5), t(3, 4), t(2, 4)],
        bishop_pair: t(28, 48),
        open_file: t(24, 8),
        half_open_file: t(12, 6),
        doubled: t(-8, -18),
        isolated: t(-12, -14),
        backward: t(-8, -10),
        protected: t(12, 8),
        phalanx: t(6, 6),
        passed: [t(0, 0), t(2, 8), t(2, 12), t(6, 26), t(22, 48), t(44, 84), t(70, 130), t(0, 0)],
        unblocked_passed: t(2, 5),
        own_king_distance: t(0, -2),
        enemy_king_distance: t(0, 4),
        shield: [t(14, 0), t(8, 0)],
        king_file_without_pawn: t(-14, 0),
        pawn_threat: t(40, 28),
        minor_threat: t(26, 20),
        attack: [t(5, 0), t(4, 0), t(6, 0), t(7, 0)],
        tempo: t(14, 8),
    };

    /// All parameters, in the order of the fields.
    pub(crate) fn parameters(&mut self) -> Vec<&mut i32> {
        let Self {
            material,
            rank,
            file,
            mobility,
            bishop_pair,
            open_file,
            half_open_file,
            doubled,
            isolated,
            backward,
            protected,
            phalanx,
            passed,
            unblocked_passed,
            own_king_distance,
            enemy_king_distance,
            shield,
            king_file_without_pawn,
            pawn_threat,
            minor_threat,
            attack,
            tempo,
        } = self;
        let one = std::slice::from_mut;
        let fields: [&mut [Tapered]; 22] = [
            material,
            rank.as_flattened_mut(),
            file.as_flattened_mut(),
            mobility,
            one(bishop_pair),
            one(open_file),
            one(half_open_file),
            one(doubled),
            one(isolated),
            one(backward),
            one(protected),
            one(phalanx),
            passed,
            one(unblocked_passed),
            one(own_king_distance),
            one(enemy_king_distance),
            shield,
            one(king_file_without_pawn),
            one(pawn_threat),
            one(minor_threat),
            attack,
            one(tempo),
        ];
        fields.into_iter().flatten().flat_map(|weight| [&mut weight.mg, &mut weight.eg]).collect()
    }
}
