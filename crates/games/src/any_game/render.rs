//! What interfaces show of a game of any kind.

use sandtable_core::Game;
use sandtable_core::view::{
    Arrangement, Arrow, Attempt, Diagram, Explanation, MoveDetails, Overlay, TurnInProgress, refusal,
};

use super::{AnyPlay, GameOver, Playable};

/// Rendering: diagrams, move details and arrangements.
pub trait AnyRender {
    /// The diagram of the board, with the last move marked.
    fn diagram(&self) -> Diagram;
    /// The details of the legal moves, in the order of [`legal_moves`](super::AnyText::legal_moves).
    fn move_details(&self) -> Vec<MoveDetails>;
    /// The arrows that show a legal move, given as text; empty for any other text.
    fn arrows(&self, text: &str) -> Vec<Arrow>;
    /// The turn in progress, if there is one.
    fn turn_in_progress(&self) -> Option<TurnInProgress>;
    /// The cell of the mover's king or commander, if it is in check.
    fn cell_in_check(&self) -> Option<String>;
    /// Effects that a renderer may show on top of the board.
    fn overlays(&self) -> Vec<Overlay>;
    /// The position as an editor shows it.
    fn arrangement(&self) -> Arrangement;
    /// Why a figure cannot act, or cannot act on a cell; `None` if a legal move does it.
    fn refusal(&self, attempt: Attempt<'_>) -> Option<Explanation>;
}

impl<P: Playable> AnyRender for Game<P> {
    fn diagram(&self) -> Diagram {
        self.position().diagram(self.moves_played().next_back())
    }

    fn move_details(&self) -> Vec<MoveDetails> {
        self.legal_moves().into_iter().map(|m| self.position().move_details(m)).collect()
    }

    fn arrows(&self, text: &str) -> Vec<Arrow> {
        let position = self.position();
        position.parse_move(text).map_or_else(|_| Vec::new(), |m| position.arrows(m))
    }

    fn turn_in_progress(&self) -> Option<TurnInProgress> {
        self.position().turn_in_progress()
    }

    fn cell_in_check(&self) -> Option<String> {
        self.position().cell_in_check()
    }

    fn overlays(&self) -> Vec<Overlay> {
        self.position().overlays()
    }

    fn arrangement(&self) -> Arrangement {
        self.position().arrangement(self.draw_offer())
    }

    fn refusal(&self, attempt: Attempt<'_>) -> Option<Explanation> {
        if let Err(over) = GameOver::check(AnyPlay::outcome(self), P::PLAYERS) {
            return Some(Explanation::new(&over));
        }
        refusal(self.position(), attempt).map(|refusal| Explanation::new(&refusal))
    }
}
