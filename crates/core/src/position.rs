//! The trait every game's position implements.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use crate::{ByPlayer, DrawTalk, EndReason, Outcome, Player};

/// A choice of rules that a game can be played by.
pub trait Rules: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The choices that have a name, the default first.
    const PRESETS: &'static [(&'static str, Self)];

    /// The name of these rules, if they are a preset.
    #[must_use]
    fn name(&self) -> Option<&'static str> {
        Self::PRESETS.iter().find(|(_, rules)| rules == self).map(|(name, _)| *name)
    }

    /// The rules of that name.
    #[must_use]
    fn named(name: &str) -> Option<Self> {
        Self::PRESETS.iter().find(|(preset, _)| *preset == name).map(|(_, rules)| *rules)
    }
}

/// A move that the rules do not allow in the position it was played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move is not legal in this position")]
pub struct IllegalMove;

/// A valid position of a game, without its past.
///
/// A position is always valid: the only ways to get one are the start, a checked [`crate::FromSetup`] and legal
/// moves. What depends on the past (repetition) is told from outside, as a number of occurrences;
/// [`crate::Game`] keeps that number.
///
/// # Equality
///
/// Equal positions are the same in everything that a position's text shows, counters included.
/// [`same_position`](Self::same_position) is the coarser relation of the repetition rules.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// A move: small, `Copy`, with no reference to the position.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// The rules that the position is played by.
    type Rules: Rules;
    /// Why a game can end.
    type Reason: EndReason;

    /// The game's name, as a command line or a file spells it.
    const NAME: &'static str;
    /// What the two players are called.
    const PLAYERS: ByPlayer<&'static str>;
    /// No game of random moves lasts longer than this many moves, or is cut there.
    const PLY_LIMIT: usize;

    /// The start position.
    #[must_use]
    fn start(rules: Self::Rules) -> Self;

    /// The rules this position is played by.
    #[must_use]
    fn rules(&self) -> Self::Rules;

    /// Who is to move. The same player may be to move again after a move.
    #[must_use]
    fn turn(&self) -> Player;

    /// Calls `f` with every legal move, until it breaks.
    ///
    /// There is none where the board itself says that the game is over (a king mated, a commander taken). A draw
    /// by a counter or by repetition takes no move away.
    fn for_each_legal<B>(&self, f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// The number of legal moves. Games that can count without listing override it.
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

    /// Is there a legal move at all?
    #[must_use]
    fn has_legal_move(&self) -> bool {
        self.for_each_legal(|_| ControlFlow::Break(())).is_break()
    }

    /// Is the move legal here? It may come from anywhere: another position, a file, a user.
    #[must_use]
    fn is_legal(&self, m: Self::Move) -> bool {
        self.for_each_legal(
            |legal| if legal == m { ControlFlow::Break(()) } else { ControlFlow::Continue(()) },
        )
        .is_break()
    }

    /// Plays a legal move; leaves the position as it was if the move is not legal.
    fn play(&mut self, m: Self::Move) -> Result<(), IllegalMove> {
        if !self.is_legal(m) {
            return Err(IllegalMove);
        }
        self.play_unchecked(m);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    ///
    /// # Panics
    ///
    /// An illegal move may panic or leave a position that makes no sense.
    fn play_unchecked(&mut self, m: Self::Move);

    /// Is the player to move under attack in the way that the game calls check? `None` where it has no such thing.
    #[must_use]
    fn check(&self) -> Option<bool>;

    /// How the game stands in this position, which has now occurred `occurrences` times (at least once).
    #[must_use]
    fn outcome(&self, occurrences: u32) -> Outcome<Self::Reason>;

    /// A hash of all that [`same_position`](Self::same_position) compares, the same on every machine and for ever.
    #[must_use]
    fn hash64(&self) -> u64;

    /// Are the two one position in the sense of the game's repetition rule?
    #[must_use]
    fn same_position(&self, other: &Self) -> bool;

    /// Was the move that led here from `before` one that can never be taken back on the board, so that neither
    /// `before` nor anything earlier can occur again?
    #[must_use]
    fn cuts_history(&self, before: &Self) -> bool;

    /// What was said about a draw, in games whose positions show it.
    #[must_use]
    fn shown_talk(&self) -> Option<DrawTalk> {
        None
    }

    /// Notes what was said about a draw, in games whose positions show it.
    fn show_talk(&mut self, _talk: DrawTalk) {}

    /// The position seen from the other side: board mirrored, colours and turn swapped.
    #[must_use]
    fn mirrored(&self) -> Self;
}
