//! The board: the stacks on their squares.

use std::fmt;
use std::hash::{Hash, Hasher};

use sandtable_core::{ByPlayer, Player};

use crate::zobrist::stack_key;
use crate::{Kind, KindSet, Square, SquareSet, Stack};

/// The stacks on the squares of a board.
///
/// A board is not validated: it may hold a Tank at sea or two commanders, which no [`CoTuLenh`](crate::CoTuLenh) does.
///
/// ```
/// use sandtable_core::Player;
/// use sandtable_cotulenh::{Board, Kind, Square};
///
/// let board = Board::initial();
/// assert_eq!(board.get(Square::G1).map(|stack| stack.carrier()), Some(Kind::Commander));
/// assert_eq!(board.commander(Player::Second), Some(Square::G12));
/// assert_eq!(board.piece_count(Player::First), 19);
/// ```
///
/// # Equality
///
/// Two boards are equal if the same stacks stand on the same squares.
#[derive(Clone, Copy)]
pub struct Board {
    squares: [Option<Stack>; Square::TABLE],
    occupied: ByPlayer<SquareSet>,
    /// The Navy-carried stacks of both sides.
    navies: SquareSet,
    /// The stacks of both sides with air defence.
    defenders: SquareSet,
    /// The stacks of both sides with a heroic piece.
    heroes: SquareSet,
    pieces: ByPlayer<u16>,
    commanders: ByPlayer<Option<Square>>,
    hash: u64,
}

impl Board {
    /// The empty board.
    pub const EMPTY: Self = Self {
        squares: [None; Square::TABLE],
        occupied: ByPlayer::new(SquareSet::EMPTY, SquareSet::EMPTY),
        navies: SquareSet::EMPTY,
        defenders: SquareSet::EMPTY,
        heroes: SquareSet::EMPTY,
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
                    let square =
                        Square::from_coords(file as u8, i as u8 + 1).expect("five ranks of eleven files");
                    let stack = Stack::pack(Player::First, kind.only(), KindSet::EMPTY);
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

    /// Puts a stack on a square, or clears the square.
    // Every change of a board goes through this function, which updates all cached fields.
    #[inline]
    pub fn set(&mut self, square: Square, stack: Option<Stack>) {
        if let Some(old) = self.squares[square.index()] {
            let owner = old.owner();
            self.occupied[owner].remove(square);
            self.navies.remove(square);
            self.defenders.remove(square);
            self.heroes.remove(square);
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
            if new.hero_slots() != 0 {
                self.heroes.insert(square);
            }
            self.pieces[owner] += new.size() as u16;
            if new.kinds().contains(Kind::Commander) {
                self.commanders[owner] = Some(square);
            }
            self.hash ^= stack_key(square, new);
        }
    }

    /// The stacks of a player with their squares, in time proportional to their number.
    pub fn pieces(&self, owner: Player) -> impl Iterator<Item = (Square, Stack)> + '_ {
        self.stacks_on(self.occupied[owner])
    }

    /// All stacks with their squares, the first player's first.
    pub fn all_pieces(&self) -> impl Iterator<Item = (Square, Stack)> + '_ {
        Player::ALL.into_iter().flat_map(|owner| self.pieces(owner))
    }

    /// The number of pieces of a player; pieces in stacks count one by one.
    #[must_use]
    pub fn piece_count(&self, owner: Player) -> usize {
        self.pieces[owner].into()
    }

    /// The square of a player's commander, alone or in a stack.
    #[must_use]
    #[inline]
    pub fn commander(&self, owner: Player) -> Option<Square> {
        self.commanders[owner]
    }

    /// Finds another commander after one was removed: a board that is being set up may have two.
    #[cold]
    fn find_commander(&self, owner: Player) -> Option<Square> {
        let has_commander = |(_, stack): &(Square, Stack)| stack.kinds().contains(Kind::Commander);
        self.pieces(owner).find(has_commander).map(|(square, _)| square)
    }

    /// The board with ranks mirrored and colours swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirrored = Self::EMPTY;
        for (square, stack) in self.all_pieces() {
            mirrored.set(square.mirrored(), Some(stack.swapped()));
        }
        mirrored
    }

    /// The squares of a player's stacks.
    #[must_use]
    #[inline]
    pub fn occupied(&self, owner: Player) -> SquareSet {
        self.occupied[owner]
    }

    /// The squares of all stacks.
    #[must_use]
    #[inline]
    pub fn all_occupied(&self) -> SquareSet {
        self.occupied.first | self.occupied.second
    }

    /// The squares of the Navy-carried stacks of both sides.
    #[inline]
    pub(crate) const fn navies(&self) -> SquareSet {
        self.navies
    }

    /// A player's stacks with air defence.
    #[inline]
    pub(crate) fn defenders(&self, owner: Player) -> impl Iterator<Item = (Square, Stack)> + '_ {
        self.stacks_on(self.defenders & self.occupied[owner])
    }

    /// The stacks of both sides with a heroic piece.
    #[inline]
    pub(crate) fn heroes(&self) -> impl Iterator<Item = (Square, Stack)> + '_ {
        self.stacks_on(self.heroes)
    }

    /// The squares whose stacks differ. Whole ranks are compared first, because a step changes few of them.
    pub(crate) fn differences(&self, other: &Self) -> SquareSet {
        /// The length of a rank in the mailbox.
        const RANK: usize = Square::TABLE / Square::RANKS as usize;
        let bits = |stack: Option<Stack>| stack.map_or(0, Stack::to_bits);
        let ranks = self.squares.as_chunks::<RANK>().0.iter().zip(other.squares.as_chunks::<RANK>().0);
        let mut differences = SquareSet::EMPTY;
        for (rank, (ours, theirs)) in ranks.enumerate() {
            if ours.map(bits) != theirs.map(bits) {
                let differ = |file: &usize| ours[*file] != theirs[*file];
                let squares = (0..RANK).filter(differ).map(|file| Square::new((rank * RANK + file) as u8));
                differences.extend(squares.flatten());
            }
        }
        differences
    }

    /// The stacks on the occupied squares of a set.
    #[inline]
    pub(crate) fn stacks_on(&self, squares: SquareSet) -> impl Iterator<Item = (Square, Stack)> + '_ {
        squares.iter().filter_map(|square| Some((square, self.get(square)?)))
    }

    /// The hash of the placement, heroism included.
    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }
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

/// The placement field of a FEN.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::notation::write_placement(self, f)
    }
}

impl FromIterator<(Square, Stack)> for Board {
    fn from_iter<I: IntoIterator<Item = (Square, Stack)>>(stacks: I) -> Self {
        let mut board = Self::EMPTY;
        stacks.into_iter().for_each(|(square, stack)| board.set(square, Some(stack)));
        board
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::rules::Rng;

    use super::*;

    /// Compares every cached field with its definition.
    fn assert_caches_match(board: &Board) {
        let stacks: Vec<_> =
            Square::all().filter_map(|square| Some((square, board.squares[square.index()]?))).collect();
        let squares_where = |predicate: &dyn Fn(Stack) -> bool| -> SquareSet {
            stacks.iter().filter(|(_, stack)| predicate(*stack)).map(|(square, _)| *square).collect()
        };
        for owner in Player::ALL {
            assert_eq!(board.occupied[owner], squares_where(&|stack| stack.owner() == owner));
            let own = || stacks.iter().filter(|(_, stack)| stack.owner() == owner);
            assert_eq!(board.piece_count(owner), own().map(|(_, stack)| stack.flatten().count()).sum());
            let commanders: Vec<_> = own()
                .filter(|(_, stack)| stack.kinds().contains(Kind::Commander))
                .map(|(square, _)| *square)
                .collect();
            match board.commanders[owner] {
                Some(square) => assert!(commanders.contains(&square)),
                None => assert!(commanders.is_empty()),
            }
        }
        assert_eq!(board.navies, squares_where(&|stack| stack.kinds().contains(Kind::Navy)));
        assert_eq!(
            board.defenders,
            squares_where(&|stack| matches!(stack.carrier(), Kind::Navy | Kind::AntiAir | Kind::Missile))
        );
        assert_eq!(board.heroes, squares_where(&|stack| !stack.heroes().is_empty()));
        let hash = stacks.iter().fold(0, |hash, &(square, stack)| hash ^ stack_key(square, stack));
        assert_eq!(board.hash, hash);
    }

    #[test]
    fn caches_match_their_definitions_after_random_changes() {
        let stacks: Vec<_> = (1..1 << Kind::NUM)
            .map(KindSet::from_bits)
            .filter(|kinds| kinds.is_valid_stack())
            .flat_map(|kinds| [(kinds, KindSet::EMPTY), (kinds, kinds)])
            .flat_map(|(kinds, heroes)| Player::ALL.map(|owner| Stack::pack(owner, kinds, heroes)))
            .collect();
        let mut rng = Rng::new(1);
        let mut board = Board::initial();
        assert_caches_match(&board);
        for _ in 0..3000 {
            let before = board;
            for _ in 0..rng.below(4) {
                let square = Square::from_dense(rng.below(Square::NUM));
                let stack = (rng.below(3) > 0).then(|| stacks[rng.below(stacks.len())]);
                board.set(square, stack);
            }
            assert_caches_match(&board);
            let differ = |square: &Square| board.get(*square) != before.get(*square);
            assert_eq!(board.differences(&before), Square::all().filter(differ).collect());
        }
        assert_caches_match(&board.mirrored());
    }
}
