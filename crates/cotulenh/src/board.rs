//! What stands where.

use std::fmt;
use std::hash::{Hash, Hasher};

use sandtable_core::{ByPlayer, Player, zobrist};

use crate::{Kind, Square, SquareSet, Stack};

/// The stacks on the board, 19 pieces a side at the start; copying it copies everything.
///
/// A board may hold what no position may (a Tank at sea, two commanders): a [`Setup`](crate::Setup) is checked
/// before it becomes a [`Position`](crate::Position).
///
/// # Equality
///
/// Two boards are equal if the same stacks stand on the same squares.
#[derive(Clone, Copy)]
pub struct Board {
    squares: [Option<Stack>; Square::TABLE],
    occupied: ByPlayer<SquareSet>,
    /// Stacks of either side that a Navy carries, and those that defend against Air Forces.
    navies: SquareSet,
    defenders: SquareSet,
    pieces: ByPlayer<u16>,
    commanders: ByPlayer<Option<Square>>,
    hash: u64,
}

impl Board {
    /// A board with nothing on it.
    pub const EMPTY: Self = Self {
        squares: [None; Square::TABLE],
        occupied: ByPlayer::new(SquareSet::EMPTY, SquareSet::EMPTY),
        navies: SquareSet::EMPTY,
        defenders: SquareSet::EMPTY,
        pieces: ByPlayer::new(0, 0),
        commanders: ByPlayer::new(None, None),
        hash: 0,
    };

    /// The start position's board.
    #[must_use]
    pub fn initial() -> Self {
        const FIRST_RANKS: [&str; 5] =
            ["......C....", ".N..FH.HF..", "...A..S..A.", "..N.GT.TG..", "..IE..M..EI"];
        let mut board = Self::EMPTY;
        for (i, letters) in FIRST_RANKS.iter().enumerate() {
            for (file, letter) in letters.chars().enumerate() {
                if let Some(kind) = Kind::from_letter(letter) {
                    let square = Square::at(file as u8, 11 - i as u8).expect("five ranks of eleven files");
                    let stack = Stack::pack(Player::First, kind.only(), crate::KindSet::EMPTY);
                    board.set(square, Some(stack));
                    board.set(square.mirrored(), Some(stack.swapped()));
                }
            }
        }
        board
    }

    /// The stack on a square.
    #[must_use]
    #[inline]
    pub const fn get(&self, square: Square) -> Option<Stack> {
        self.squares[square.index()]
    }

    /// Puts a stack on a square, or clears it.
    ///
    /// The one way to change a board: everything that is kept beside the squares changes here.
    #[inline]
    pub fn set(&mut self, square: Square, stack: Option<Stack>) {
        if let Some(old) = self.squares[square.index()] {
            let owner = old.owner();
            self.occupied[owner].remove(square);
            self.navies.remove(square);
            self.defenders.remove(square);
            self.pieces[owner] -= old.size() as u16;
            if self.commanders[owner] == Some(square) {
                self.commanders[owner] = self.find_commander(owner);
            }
            self.hash ^= stack_key(square, old);
        }
        self.squares[square.index()] = stack;
        if let Some(new) = stack {
            let owner = new.owner();
            self.occupied[owner].insert(square);
            if new.carrier() == Kind::Navy {
                self.navies.insert(square);
            }
            if new.carrier().air_defence(false) > 0 {
                self.defenders.insert(square);
            }
            self.pieces[owner] += new.size() as u16;
            if new.kinds().contains(Kind::Commander) {
                self.commanders[owner] = Some(square);
            }
            self.hash ^= stack_key(square, new);
        }
    }

    /// The stacks of one player with their squares, in time proportional to their number.
    pub fn pieces(&self, owner: Player) -> impl Iterator<Item = (Square, Stack)> + '_ {
        self.stacks_on(self.occupied[owner])
    }

    /// All stacks with their squares, the first player's first.
    pub fn all_pieces(&self) -> impl Iterator<Item = (Square, Stack)> + '_ {
        Player::ALL.into_iter().flat_map(|owner| self.pieces(owner))
    }

    /// How many pieces a player has, those in stacks counted one by one.
    #[must_use]
    pub fn piece_count(&self, owner: Player) -> usize {
        self.pieces[owner].into()
    }

    /// Where a player's commander stands, alone or in a stack.
    #[must_use]
    #[inline]
    pub fn commander(&self, owner: Player) -> Option<Square> {
        self.commanders[owner]
    }

    /// Looks for a commander that is not noted, as a board that is being set up may have two.
    #[cold]
    fn find_commander(&self, owner: Player) -> Option<Square> {
        let has_commander = |(_, stack): &(Square, Stack)| stack.kinds().contains(Kind::Commander);
        self.pieces(owner).find(has_commander).map(|(square, _)| square)
    }

    /// The board with ranks counted from the other end and colours swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirrored = Self::EMPTY;
        for (square, stack) in self.all_pieces() {
            mirrored.set(square.mirrored(), Some(stack.swapped()));
        }
        mirrored
    }

    /// The squares on which a player has a stack.
    #[inline]
    pub(crate) fn occupied(&self, owner: Player) -> SquareSet {
        self.occupied[owner]
    }

    /// The squares on which anything stands.
    #[inline]
    pub(crate) fn all_occupied(&self) -> SquareSet {
        self.occupied.first | self.occupied.second
    }

    /// The squares with a stack that a Navy carries.
    #[inline]
    pub(crate) const fn navies(&self) -> SquareSet {
        self.navies
    }

    /// A player's stacks that defend against Air Forces.
    #[inline]
    pub(crate) fn defenders(&self, owner: Player) -> impl Iterator<Item = (Square, Stack)> + '_ {
        self.stacks_on(self.defenders & self.occupied[owner])
    }

    #[inline]
    pub(crate) fn stacks_on(&self, squares: SquareSet) -> impl Iterator<Item = (Square, Stack)> + '_ {
        squares.iter().filter_map(|square| Some((square, self.get(square)?)))
    }

    /// The hash of the placement, heroism included.
    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }
}

/// The key of a stack is the sum, without carry, of the keys of its pieces.
fn stack_key(square: Square, stack: Stack) -> u64 {
    const PIECES: usize = Kind::NUM * 2 * 2;
    /// For each square, owner, kind and heroism one key.
    static KEYS: [u64; Square::NUM * PIECES] = zobrist::keys(u64::from_be_bytes(*b"CoTuLenh"));
    let of_square = &KEYS[square.dense() * PIECES..][..PIECES];
    let mut kinds = stack.kinds().to_bits();
    let mut slots = stack.hero_slots();
    let mut key = 0;
    while kinds != 0 {
        let kind = kinds.trailing_zeros() as usize;
        key ^= of_square[(stack.owner().index() * Kind::NUM + kind) * 2 + usize::from(slots & 1)];
        kinds &= kinds - 1;
        slots >>= 1;
    }
    key
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.squares == other.squares
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

/// The map of the board, rank 12 on top, as a FEN spells it.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::notation::write_placement(self, f)
    }
}
