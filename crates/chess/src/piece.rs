//! The pieces and what a pawn can become.

use sandtable_core::Player;

/// White, who moves first.
pub const WHITE: Player = Player::First;
/// Black.
pub const BLACK: Player = Player::Second;

/// What a piece is, apart from its colour; in the order of the tensor's planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// P
    Pawn,
    /// N
    Knight,
    /// B
    Bishop,
    /// R
    Rook,
    /// Q
    Queen,
    /// K
    King,
}

impl Role {
    /// All roles, in the order of the tensor's planes.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// The capital letter of the role.
    #[must_use]
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K'][self as usize]
    }

    /// The role of a capital letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.letter() == letter)
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }
}

/// What a pawn becomes on the last rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
}

impl Promotion {
    /// All four, in the order of the policy's under-promotions, the queen last.
    pub const ALL: [Self; 4] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// The role it gives.
    #[must_use]
    pub const fn role(self) -> Role {
        match self {
            Self::Knight => Role::Knight,
            Self::Bishop => Role::Bishop,
            Self::Rook => Role::Rook,
            Self::Queen => Role::Queen,
        }
    }

    /// The promotion to that role, if a pawn may become it.
    #[must_use]
    pub fn to(role: Role) -> Option<Self> {
        Self::ALL.into_iter().find(|promotion| promotion.role() == role)
    }
}

/// A piece of one of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub owner: Player,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// The letter of a FEN: capital for White, small for Black.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.owner {
            WHITE => self.role.letter(),
            BLACK => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a FEN's letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let role = Role::from_letter(letter.to_ascii_uppercase())?;
        Some(Self { owner: if letter.is_ascii_uppercase() { WHITE } else { BLACK }, role })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_the_notation() {
        let letters: String = Role::ALL.map(Role::letter).iter().collect();
        assert_eq!(letters, "PNBRQK");
        for role in Role::ALL {
            for owner in Player::ALL {
                let piece = Piece { owner, role };
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::from_letter('ſ'), None, "a letter whose capital is ASCII is still not ASCII");
    }

    #[test]
    fn kings_and_pawns_are_no_promotions() {
        let may: Vec<_> = Role::ALL.into_iter().filter(|&role| Promotion::to(role).is_some()).collect();
        assert_eq!(may, [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]);
    }
}
