//! The trait every game's position implements.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::rules::{EndRule, Reason};
use crate::{ByPlayer, Describe, Game, Outcome, Player};

/// A set of rules that a game can be played by.
pub trait Rules: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The named rule sets, the default first.
    const PRESETS: &'static [(&'static str, Self)];

    /// The name of this rule set, if it is a preset.
    #[must_use]
    fn name(&self) -> Option<&'static str> {
        Self::PRESETS.iter().find(|(_, rules)| rules == self).map(|(name, _)| *name)
    }

    /// Returns the preset called `name`.
    #[must_use]
    fn named(name: &str) -> Option<Self> {
        Self::PRESETS.iter().find(|(preset, _)| *preset == name).map(|(_, rules)| *rules)
    }
}

/// The error for a move that is not legal in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("illegal_move")]
#[error("the move is not legal in this position")]
pub struct IllegalMove;

/// A valid position of a game, without its history.
///
/// A position is always valid: it is the start position, comes from a checked [`crate::FromSetup`], or follows by
/// legal moves. Data that depends on the history (repetition) is passed as an argument; [`crate::Game`] supplies it.
///
/// # Equality
///
/// Equal positions have the same text, counters included. [`same_position`](Self::same_position) is the coarser
/// relation of the repetition rules.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A move: small, `Copy` and independent of the position.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// The rule sets of the game.
    type Rules: Rules;
    /// The rules that end a game.
    type Ending: EndRule;

    /// The name of the game on the command line and in files.
    const NAME: &'static str;
    /// The names of the two players.
    const PLAYERS: ByPlayer<&'static str>;
    /// The number of moves after which a game of random moves is cut off.
    const PLY_LIMIT: usize;
    /// Whether an open draw offer lapses when the opponent moves instead of answering.
    const DRAW_OFFERS_LAPSE: bool = true;

    /// The start position.
    #[must_use]
    fn start(rules: Self::Rules) -> Self;

    /// The rules of this position.
    #[must_use]
    fn rules(&self) -> Self::Rules;

    /// The player to move. The same player may be to move again after a move.
    #[must_use]
    fn turn(&self) -> Player;

    /// Calls `f` with every legal move, until it breaks.
    ///
    /// There are none if the game is over on the board (checkmate, a captured commander). A draw by a counter or by
    /// repetition does not remove moves here; [`Game::legal_moves`](crate::Game::legal_moves) is empty then.
    fn for_each_legal<B>(&self, f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// The number of legal moves. Games override it if they can count without listing.
    #[must_use]
    fn count_legal(&self) -> u64 {
        let mut count = 0;
        let _ = self.for_each_legal::<()>(|_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// All legal moves, in the order of [`for_each_legal`](Self::for_each_legal).
    #[must_use]
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        let _ = self.for_each_legal::<()>(|m| {
            moves.push(m);
            ControlFlow::Continue(())
        });
        moves
    }

    /// Whether there is a legal move.
    #[must_use]
    fn has_legal_move(&self) -> bool {
        self.for_each_legal(|_| ControlFlow::Break(())).is_break()
    }

    /// Whether `m` is legal in this position. The move may come from anywhere: another position, a file, a user.
    #[must_use]
    fn is_legal(&self, m: Self::Move) -> bool {
        self.for_each_legal(
            |legal| if legal == m { ControlFlow::Break(()) } else { ControlFlow::Continue(()) },
        )
        .is_break()
    }

    /// Plays a move. An illegal move leaves the position unchanged.
    fn play(&mut self, m: Self::Move) -> Result<(), IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove);
        }
        self.play_unchecked(m);
        Ok(())
    }

    /// Plays a move without checking that it is legal.
    ///
    /// # Panics
    ///
    /// An illegal move may panic or leave an invalid position.
    fn play_unchecked(&mut self, m: Self::Move);

    /// The position after a legal move.
    ///
    /// # Panics
    ///
    /// As [`play_unchecked`](Self::play_unchecked), if the move is not legal.
    #[must_use]
    #[inline]
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(m);
        next
    }

    /// Whether the player to move is in check; `None`, the default, in games without check.
    #[must_use]
    fn in_check(&self) -> Option<bool> {
        None
    }

    /// The outcome of the game in this position, which has occurred `occurrences` times (at least once).
    #[must_use]
    fn outcome(&self, occurrences: u32) -> Outcome<Reason<Self::Ending>>;

    /// [`outcome`](Self::outcome) under the assumption that there is a legal move: what material, counters, repetition
    /// and captured pieces decide.
    ///
    /// A search calls it at every node, and finds mate and stalemate where it lists the moves. Games override it if
    /// `outcome` has to look for a legal move.
    #[must_use]
    fn outcome_with_moves(&self, occurrences: u32) -> Outcome<Reason<Self::Ending>> {
        self.outcome(occurrences)
    }

    /// The draw that the side to move may claim in an ongoing game. Most games have no claims: their draws end the game.
    #[must_use]
    fn claimable_draw(_game: &Game<Self>) -> Option<Reason<Self::Ending>> {
        None
    }

    /// A hash of everything that [`same_position`](Self::same_position) compares.
    ///
    /// # Stability
    ///
    /// The value is the same on every machine and in every version.
    #[must_use]
    fn hash64(&self) -> u64;

    /// Whether both are the same position for the game's repetition rule. Defaults to equality, for positions without
    /// counters.
    #[must_use]
    fn same_position(&self, other: &Self) -> bool {
        self == other
    }

    /// Whether the move that led here from `before` is irreversible, so that neither `before` nor any earlier position
    /// can occur again. Defaults to false: repetitions are then looked for in the whole game.
    #[must_use]
    fn is_irreversible_from(&self, _before: &Self) -> bool {
        false
    }

    /// The position from the other side: board mirrored, colours and side to move swapped.
    #[must_use]
    fn mirrored(&self) -> Self;
}
