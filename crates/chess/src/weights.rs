//! The numbers of the evaluation.
//!
//! One pawn of an endgame is about 100. Ranks and squares are seen from the side that owns the piece.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A value in the middlegame and its value in the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// With all pieces on the board.
    pub mg: i32,
    /// With none but kings and pawns.
    pub eg: i32,
}

/// Short, so that tables can be read.
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

/// What each feature of a position is worth to the side that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Pawn, knight, bishop, rook, queen.
    pub material: [Tapered; 5],
    /// By role (the king last) and rank: half of where a piece likes to stand.
    pub rank: [[Tapered; 8]; 6],
    /// By role and distance from the edge, a/h-file first: the other half.
    pub file: [[Tapered; 4]; 6],
    /// Knight, bishop, rook, queen: each square reached that no enemy pawn guards.
    pub mobility: [Tapered; 4],
    /// Two bishops.
    pub bishop_pair: Tapered,
    /// A rook on a file without pawns.
    pub open_file: Tapered,
    /// A rook on a file with enemy pawns only.
    pub half_open_file: Tapered,
    /// A pawn with a pawn of its own side in front of it.
    pub doubled: Tapered,
    /// A pawn with none of its own side on the files beside it.
    pub isolated: Tapered,
    /// A pawn that cannot advance without loss and has no pawn to help it.
    pub backward: Tapered,
    /// A pawn that another one guards.
    pub guarded: Tapered,
    /// A pawn beside another one.
    pub phalanx: Tapered,
    /// By rank: a pawn that no enemy pawn can stop any more.
    pub passed: [Tapered; 8],
    /// Such a pawn with an empty square before it, for each rank beyond the second.
    pub free_path: Tapered,
    /// Such a pawn, for each step between it and its own king, and for each rank beyond the second.
    pub own_king_far: Tapered,
    /// The same for the enemy's king.
    pub enemy_king_far: Tapered,
    /// A pawn one and two ranks ahead of its king, on the king's file or beside it.
    pub shield: [Tapered; 2],
    /// A file at the king without a pawn of its side.
    pub bare_file: Tapered,
    /// A pawn that attacks a piece.
    pub pawn_threat: Tapered,
    /// A knight or bishop that attacks a rook or queen.
    pub minor_threat: Tapered,
    /// Knight, bishop, rook, queen: what each attacked square around the enemy's king adds to the danger there.
    pub attack: [Tapered; 4],
    /// To be on the move.
    pub tempo: Tapered,
}

impl Weights {
    /// The numbers that are played with.
    pub const PLAYED: Self = Self {
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
        guarded: t(12, 8),
        phalanx: t(6, 6),
        passed: [t(0, 0), t(2, 8), t(2, 12), t(6, 26), t(22, 48), t(44, 84), t(70, 130), t(0, 0)],
        free_path: t(2, 5),
        own_king_far: t(0, -2),
        enemy_king_far: t(0, 4),
        shield: [t(14, 0), t(8, 0)],
        bare_file: t(-14, 0),
        pawn_threat: t(40, 28),
        minor_threat: t(26, 20),
        attack: [t(5, 0), t(4, 0), t(6, 0), t(7, 0)],
        tempo: t(14, 8),
    };

    /// Every number, in the order of the fields.
    pub(crate) fn numbers(&mut self) -> Vec<&mut i32> {
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
            guarded,
            phalanx,
            passed,
            free_path,
            own_king_far,
            enemy_king_far,
            shield,
            bare_file,
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
            one(guarded),
            one(phalanx),
            passed,
            one(free_path),
            one(own_king_far),
            one(enemy_king_far),
            shield,
            one(bare_file),
            one(pawn_threat),
            one(minor_threat),
            attack,
            one(tempo),
        ];
        fields.into_iter().flatten().flat_map(|weight| [&mut weight.mg, &mut weight.eg]).collect()
    }
}
