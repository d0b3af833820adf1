//! A game of chess with everything a player or a trainer asks of it.

use sandtable_core::{
    Game, Layout, Notation as _, Observe as _, Outcome, PlayError, Player, Position as _, Tags, WrongLength,
};

use crate::notation::MoveError;
use crate::notation::fen::FenError;
use crate::notation::pgn::{Pgn, PgnError};
use crate::tensor::CanonicalBoard;
use crate::{DrawRules, Move, Position, Reason};

/// A game of chess: a [`Game`] of [`Position`]s, with the notations and claims of chess.
///
/// ```
/// use sandtable_chess::ChessGame;
///
/// let mut game = ChessGame::new();
/// for text in ["e4", "e7e5", "Nf3"] {
///     game.play_text(text)?;
/// }
/// assert_eq!(game.fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
/// // Black to move: own king, plane 5, at the bottom of the board.
/// assert_eq!(game.canonical_board()[7][4][5], 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChessGame {
    game: Game<Position>,
}

/// Why the text of a move could not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayTextError {
    /// It is no legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The game has ended.
    #[error(transparent)]
    Play(#[from] PlayError<Reason>),
}

impl ChessGame {
    /// A game from the start position, in which only forced draws end the game by themselves.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A game that begins with a FEN: its history begins there.
    pub fn from_fen(fen: &str, rules: DrawRules) -> Result<Self, FenError> {
        Ok(Self { game: Game::from_position(Position::from_fen(fen, rules)?) })
    }

    /// The first game of a PGN.
    pub fn from_pgn(pgn: &str, rules: DrawRules) -> Result<Self, PgnError> {
        Ok(Self { game: Pgn::read(pgn, rules)?.to_game() })
    }

    /// The FEN of the current position.
    #[must_use]
    pub fn fen(&self) -> String {
        self.game.position().to_fen()
    }

    /// The game as a PGN.
    #[must_use]
    pub fn pgn(&self, tags: &Tags) -> String {
        Pgn::from_game(&self.game, tags).to_string()
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        self.game.position()
    }

    /// The game as the core knows it: history, occurrences, declared ends.
    #[must_use]
    pub const fn game(&self) -> &Game<Position> {
        &self.game
    }

    /// Who is to move.
    #[must_use]
    pub fn turn(&self) -> Player {
        self.game.turn()
    }

    /// The legal moves; none once the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        self.game.legal_moves()
    }

    /// Plays a move.
    pub fn play(&mut self, m: Move) -> Result<(), PlayError<Reason>> {
        self.game.play(m)
    }

    /// Plays a move written as UCI or SAN.
    pub fn play_text(&mut self, text: &str) -> Result<Move, PlayTextError> {
        let m = self.position().parse_move(text)?;
        self.play(m)?;
        Ok(m)
    }

    /// Takes back the last move; `None` if there is none.
    pub fn undo(&mut self) -> Option<Move> {
        self.game.undo()
    }

    /// How the game stands, and why.
    #[must_use]
    pub fn outcome(&self) -> Outcome<Reason> {
        self.game.outcome()
    }

    /// The draw that the player to move may claim now: because the position has occurred three times or 50 moves
    /// have passed, or because a legal move would bring that about.
    #[must_use]
    pub fn can_claim_draw(&self) -> Option<Reason> {
        // The claim is a draw of a game that could go on: a move that mates is no such move.
        let fifty = |position: &Position| position.halfmoves() >= 100 && position.has_legal_move();
        let clock = self.position().halfmoves();
        if fifty(self.position()) || clock >= 99 && self.some_move_leads_to(|next| fifty(next.position())) {
            return Some(Reason::FiftyMoves);
        }
        let threefold =
            self.game.occurrences() >= 3 || self.some_move_leads_to(|next| next.occurrences() >= 3);
        threefold.then_some(Reason::ThreefoldRepetition)
    }

    /// Claims a draw. Says which; `None` if there is none to claim, or the game is over.
    pub fn claim_draw(&mut self) -> Option<Reason> {
        let reason = self.can_claim_draw().filter(|_| !self.outcome().is_over())?;
        self.game.declare(Outcome::Draw { reason });
        Some(reason)
    }

    /// `player` gives up. A game that is over stays as it is.
    pub fn resign(&mut self, player: Player) {
        self.game.resign(player);
    }

    /// Both agree to a draw. A game that is over stays as it is.
    pub fn agree_draw(&mut self) {
        self.game.agree_draw();
    }

    /// The canonical board: `board[rank_index][file_index][plane]`, from the mover's view.
    #[must_use]
    pub fn canonical_board(&self) -> CanonicalBoard {
        self.position().canonical_board(self.game.occurrences())
    }

    /// Writes the canonical board into the caller's slice, without allocating.
    pub fn write_canonical_board(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength> {
        self.position().write_observation(self.game.occurrences(), layout, out)
    }

    /// Would a legal move lead to such a game?
    fn some_move_leads_to(&self, wanted: impl Fn(&Game<Position>) -> bool) -> bool {
        let mut game = self.game.clone();
        self.position().legal_moves().into_iter().any(|m| {
            game.replay(m).expect("it is a legal move");
            let found = wanted(&game);
            game.undo();
            found
        })
    }
}

impl From<Game<Position>> for ChessGame {
    fn from(game: Game<Position>) -> Self {
        Self { game }
    }
}

impl From<ChessGame> for Game<Position> {
    fn from(game: ChessGame) -> Self {
        game.game
    }
}
