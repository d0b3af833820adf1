//! Games of chess: [`ChessGame`] and its extension trait.

use sandtable_core::learn::Layout;
use sandtable_core::{Game, Position};

use crate::rules::{FIFTY_MOVE_CLOCK, THREEFOLD};
use crate::tensor::CanonicalBoard;
use crate::{Chess, EnPassant, Ending, Reason};

/// A game of chess. [`ChessExt`] adds the canonical board.
///
/// ```
/// use sandtable_chess::{ChessExt as _, ChessGame};
///
/// let mut game = ChessGame::default();
/// for text in ["e4", "e7e5", "Nf3"] {
///     game.play_text(text)?;
/// }
/// assert_eq!(game.position_text(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
/// // Black is to move: the black king, plane 5, is at the bottom of the board.
/// assert_eq!(game.canonical_board()[7][4][5], 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ChessGame = Game<Chess>;

/// The methods that chess adds to [`Game`].
pub trait ChessExt {
    /// The canonical board from the mover's perspective: `board[rank_index][file_index][plane]`.
    #[must_use]
    fn canonical_board(&self) -> CanonicalBoard;
}

impl ChessExt for ChessGame {
    fn canonical_board(&self) -> CanonicalBoard {
        let mut board = CanonicalBoard::default();
        let out = board.as_flattened_mut().as_flattened_mut();
        self.position()
            .write_canonical(self.context(), Layout::Hwc, EnPassant::Legal, out)
            .expect("the array has the shape of the canonical board");
        board
    }
}

/// The draw that the side to move may claim in a game that is not over.
///
/// A draw may be claimed if the position has occurred three times or the 50-move rule applies, or if a legal move leads to such
/// a position.
pub(crate) fn claimable_draw(game: &ChessGame) -> Option<Reason> {
    let position = game.position();
    let one_move_short = position.halfmoves() >= FIFTY_MOVE_CLOCK - 1;
    if position.fifty_moves_passed()
        || one_move_short && some_move_leads_to(game, |next| next.position().fifty_moves_passed())
    {
        return Some(Reason::Rule(Ending::FiftyMoves));
    }
    let threefold =
        game.occurrences() >= THREEFOLD || some_move_leads_to(game, |next| next.occurrences() >= THREEFOLD);
    threefold.then_some(Reason::Rule(Ending::ThreefoldRepetition))
}

/// Returns whether a legal move leads to a game that satisfies a condition.
fn some_move_leads_to(game: &ChessGame, condition: impl Fn(&ChessGame) -> bool) -> bool {
    let mut next = game.clone();
    game.position().legal_moves().into_iter().any(|m| {
        next.play_unchecked(m);
        let found = condition(&next);
        next.undo();
        found
    })
}
