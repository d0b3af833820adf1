//! Games that store moves instead of positions.

use crate::rules::{Context, DrawOffer, Reason, Repetition};
use crate::{Game, Outcome, Player, Position};

/// A game in progress that stores its moves, but not its earlier positions: a fraction of the memory of a [`Game`].
///
/// Moves cannot be taken back. Repetition is exact: where the hash of an earlier position agrees, that position is reached
/// again by replaying the moves.
///
/// ```
/// # use sandtable_core::{Game, Position};
/// # use sandtable_core::rules::CompactGame;
/// # fn check<P: Position>(start: P, moves: &[P::Move]) {
/// let mut compact = CompactGame::new(Game::from_position(start.clone()));
/// let mut game = Game::from_position(start);
/// for &m in moves {
///     compact.play_unchecked(m);
///     game.play_unchecked(m);
/// }
/// assert_eq!(compact.to_game(), game);
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct CompactGame<P: Position> {
    current: P,
    /// The game before `moves`.
    base: Game<P>,
    moves: Vec<P::Move>,
    /// The hashes of the positions that the current one or a later one can repeat, the current one last.
    repetition: Repetition,
    occurrences: u32,
    draw_offer: DrawOffer,
}

impl<P: Position> CompactGame<P> {
    /// A game that continues `base`, which has no declared end.
    #[must_use]
    pub fn new(base: Game<P>) -> Self {
        let mut game = Self {
            current: base.position().clone(),
            repetition: base.repetition().clone(),
            base,
            moves: Vec::new(),
            occurrences: 1,
            draw_offer: DrawOffer::None,
        };
        game.continue_base();
        game
    }

    /// Starts over from `position`, with the moves that `open` plays. Reuses the memory of the game.
    pub fn restart(&mut self, position: P, open: impl FnOnce(&mut Game<P>)) {
        self.base.restart(position);
        open(&mut self.base);
        self.continue_base();
    }

    fn continue_base(&mut self) {
        self.current.clone_from(self.base.position());
        self.moves.clear();
        self.repetition.copy_from(self.base.repetition());
        Context { occurrences: self.occurrences, draw_offer: self.draw_offer } = self.base.context();
    }

    /// The game with its whole history.
    #[must_use]
    pub fn to_game(&self) -> Game<P> {
        let mut game = self.base.clone();
        self.moves.iter().for_each(|&m| game.play_unchecked(m));
        game
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &P {
        &self.current
    }

    /// The number of moves played so far.
    #[must_use]
    pub const fn ply(&self) -> usize {
        self.base.ply() + self.moves.len()
    }

    /// The facts about the current position that depend on the history.
    #[must_use]
    pub const fn context(&self) -> Context {
        Context { occurrences: self.occurrences, draw_offer: self.draw_offer }
    }

    /// The player to move.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.current.turn()
    }

    /// The outcome by the rules; `has_moves` tells whether there is a legal move, if the caller knows.
    #[must_use]
    pub fn outcome(&self, has_moves: bool) -> Outcome<Reason<P::Ending>> {
        if has_moves {
            self.current.outcome_with_moves(self.occurrences)
        } else {
            self.current.outcome(self.occurrences)
        }
    }

    /// Plays a move without checking that it is legal and that the game is not over.
    ///
    /// # Panics
    ///
    /// As [`Position::play_unchecked`], if the move is not legal.
    pub fn play_unchecked(&mut self, m: P::Move) {
        let before = self.current.clone();
        self.current.play_unchecked(m);
        self.repetition.push(&before, &self.current);
        self.repetition.forget_unrepeatable();
        self.draw_offer = self.draw_offer.after_move::<P>(before.turn());
        self.moves.push(m);
        let is_candidate = self.repetition.earlier().next().is_some();
        self.occurrences = if is_candidate { 1 + self.count_earlier() } else { 1 };
    }

    /// The number of earlier positions that equal the current one.
    #[cold]
    fn count_earlier(&self) -> u32 {
        let first = self.ply() - self.repetition.index();
        let mut count = 0;
        let mut compare = |ply: usize, position: &P| {
            let is_candidate = ply.checked_sub(first).is_some_and(|index| self.repetition.is_earlier(index));
            count += u32::from(is_candidate && position.same_position(&self.current));
        };
        for (ply, (position, _)) in self.base.history().enumerate() {
            compare(ply, position);
        }
        let mut position = self.base.position().clone();
        compare(self.base.ply(), &position);
        for (ply, &m) in (self.base.ply() + 1..).zip(&self.moves) {
            position.play_unchecked(m);
            compare(ply, &position);
        }
        count
    }
}
