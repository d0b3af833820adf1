//! Pieces and promotions.

use sandtable_core::Player;

/// White, who moves first.
pub const WHITE: Player = Player::First;
/// Black.
pub const BLACK: Player = Player::Second;

/// The name of a player.
pub(crate) const fn player_name(player: Player) -> &'static str {
    match player {
        WHITE => "White",
        BLACK => "Black",
    }
}

/// The kind of a piece, regardless of its colour, in the order of the tensor's planes.
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

    /// The upper-case letter of the role.
    #[must_use]
    pub const fn letter(self) -> char {
        ['P', 'N', 'B', 'R', 'Q', 'K'][self as usize]
    }

    /// Returns the role of an upper-case letter.
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

/// The piece to which a pawn promotes.
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
    /// All promotions, in the order of the policy's underpromotions, the queen last.
    pub const ALL: [Self; 4] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// The role of the new piece.
    #[must_use]
    pub const fn role(self) -> Role {
        match self {
            Self::Knight => Role::Knight,
            Self::Bishop => Role::Bishop,
            Self::Rook => Role::Rook,
            Self::Queen => Role::Queen,
        }
    }

    /// Returns the promotion to a role; `None` for pawn and king.
    #[must_use]
    pub fn from_role(role: Role) -> Option<Self> {
        Self::ALL.into_iter().find(|promotion| promotion.role() == role)
    }
}

/// A piece of one of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The player it belongs to.
    pub owner: Player,
    /// Its kind.
    pub role: Role,
}

impl Piece {
    /// The FEN letter: upper case for White, lower case for Black.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.owner {
            WHITE => self.role.letter(),
            BLACK => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// Returns the piece of a FEN letter.
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
    fn letters_round_trip() {
        let letters: String = Role::ALL.map(Role::letter).iter().collect();
        assert_eq!(letters, "PNBRQK");
        for role in Role::ALL {
            for owner in Player::ALL {
                let piece = Piece { owner, role };
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::from_letter('ſ'), None, "its upper case is ASCII, the letter itself is not");
    }

    #[test]
    fn pawns_and_kings_are_not_promotions() {
        let roles: Vec<_> =
            Role::ALL.into_iter().filter(|&role| Promotion::from_role(role).is_some()).collect();
        assert_eq!(roles, [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]);
    }
}
