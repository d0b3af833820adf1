//! Playing a game of any kind.

use sandtable_core::rules::{DrawAction, DrawError, DrawOffer, Reason, ReasonError, Rng, random_move};
use sandtable_core::{ByPlayer, Game, Outcome, Player, Rules as _};

use super::{GameOver, Playable};
use crate::Error;

/// How the players ended a game that was not over by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeclaredEnd {
    /// This player resigned.
    Resignation(Player),
    /// The players agreed to a draw.
    Agreement,
    /// Another end, such as a claim or a flag fall.
    Other,
}

/// Playing: moves, undo, draw offers and the end of the game.
pub trait AnyPlay {
    /// The name of the game.
    fn name(&self) -> &'static str;
    /// The name of the rules, if they are a preset.
    fn rules(&self) -> Option<&'static str>;
    /// The names of the players.
    fn players(&self) -> ByPlayer<&'static str>;
    /// The side to move.
    fn turn(&self) -> Player;
    /// Whether the side to move is in check; `None` in games without check.
    fn in_check(&self) -> Option<bool>;
    /// The outcome, with the reason as text.
    fn outcome(&self) -> Outcome<String>;
    /// Whether the game is over, by the rules or by declaration.
    fn is_over(&self) -> bool;
    /// How the players ended the game, if they did.
    fn declared_end(&self) -> Option<DeclaredEnd>;
    /// The hash of the position.
    fn hash64(&self) -> u64;
    /// The number of moves played so far.
    fn ply(&self) -> usize;
    /// How often the current position has occurred.
    fn occurrences(&self) -> u32;
    /// The number of legal moves; 0 once the game is over.
    fn count_legal(&self) -> u64;
    /// Plays a move or a complete turn, in any notation of the game. Returns it as records write it.
    fn play(&mut self, text: &str) -> Result<String, Error>;
    /// Plays a move or turn of a recorded game: like [`play`](Self::play), but also after a draw by rule.
    fn replay(&mut self, text: &str) -> Result<String, Error>;
    /// Takes back the last move. Returns its SAN.
    fn undo(&mut self) -> Option<String>;
    /// Takes back a declared end. Returns whether there was one.
    fn undo_declared_end(&mut self) -> bool;
    /// `player` resigns.
    fn resign(&mut self, player: Player);
    /// Both players agree to a draw.
    fn agree_draw(&mut self);
    /// `player` loses on time.
    fn flag_fall(&mut self, player: Player);
    /// `player` has left the game and loses.
    fn abandon(&mut self, player: Player);
    /// The time for the whole game has run out: a draw.
    fn end_game_time(&mut self);
    /// The reason of the draw that the side to move may claim; `None` if there is none or the game is over.
    fn claimable_draw(&self) -> Option<String>;
    /// The side to move claims a draw. Returns its reason; `None` if there is nothing to claim.
    fn claim_draw(&mut self) -> Option<String>;
    /// Ends the game with this outcome, its reason given as text. Has no effect once the game is over.
    fn declare(&mut self, outcome: &Outcome<String>) -> Result<(), ReasonError>;
    /// The state of the draw offer.
    fn draw_offer(&self) -> DrawOffer;
    /// Restores a saved state of the draw offer.
    fn set_draw_offer(&mut self, offer: DrawOffer);
    /// Applies a draw action of `actor`.
    fn draw_action(&mut self, actor: Player, action: DrawAction) -> Result<(), DrawError>;
    /// A legal move chosen uniformly, in the form that programs exchange; `None` if the game is over.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;
}

impl<P: Playable> AnyPlay for Game<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn rules(&self) -> Option<&'static str> {
        self.position().rules().name()
    }

    fn players(&self) -> ByPlayer<&'static str> {
        P::PLAYERS
    }

    fn turn(&self) -> Player {
        Self::turn(self)
    }

    fn in_check(&self) -> Option<bool> {
        self.position().in_check()
    }

    fn outcome(&self) -> Outcome<String> {
        Self::outcome(self).map(|reason| reason.to_string())
    }

    fn is_over(&self) -> bool {
        Self::is_over(self)
    }

    fn declared_end(&self) -> Option<DeclaredEnd> {
        Some(match self.declared_outcome()? {
            Outcome::Win { winner, reason: Reason::Resignation } => DeclaredEnd::Resignation(!winner),
            Outcome::Draw { reason: Reason::Agreement } => DeclaredEnd::Agreement,
            _ => DeclaredEnd::Other,
        })
    }

    fn hash64(&self) -> u64 {
        self.position().hash64()
    }

    fn ply(&self) -> usize {
        Self::ply(self)
    }

    fn occurrences(&self) -> u32 {
        Self::occurrences(self)
    }

    fn count_legal(&self) -> u64 {
        if Self::is_over(self) { 0 } else { self.position().count_legal() }
    }

    fn play(&mut self, text: &str) -> Result<String, Error> {
        check_ongoing(self)?;
        AnyPlay::replay(self, text)
    }

    fn replay(&mut self, text: &str) -> Result<String, Error> {
        let position = self.position();
        let (moves, played) = if let Ok(m) = position.parse_move(text) {
            (vec![m], position.move_san(m))
        } else {
            let moves = position.parse_turn(text)?;
            let played = position.turn_text(&moves);
            (moves, played)
        };
        for m in moves {
            self.play_unchecked(m);
        }
        Ok(played)
    }

    fn undo(&mut self) -> Option<String> {
        let m = Self::undo(self)?;
        Some(self.position().move_san(m))
    }

    fn undo_declared_end(&mut self) -> bool {
        Self::undo_declared_end(self)
    }

    fn resign(&mut self, player: Player) {
        Self::resign(self, player);
    }

    fn agree_draw(&mut self) {
        Self::agree_draw(self);
    }

    fn flag_fall(&mut self, player: Player) {
        Self::flag_fall(self, player);
    }

    fn abandon(&mut self, player: Player) {
        Self::abandon(self, player);
    }

    fn end_game_time(&mut self) {
        Self::end_game_time(self);
    }

    fn claimable_draw(&self) -> Option<String> {
        Self::claimable_draw(self).map(|reason| reason.to_string())
    }

    fn claim_draw(&mut self) -> Option<String> {
        Self::claim_draw(self).map(|reason| reason.to_string())
    }

    fn declare(&mut self, outcome: &Outcome<String>) -> Result<(), ReasonError> {
        Self::declare(
            self,
            match outcome {
                Outcome::Ongoing => return Ok(()),
                Outcome::Win { winner, reason } => Outcome::Win { winner: *winner, reason: reason.parse()? },
                Outcome::Draw { reason } => Outcome::Draw { reason: reason.parse()? },
            },
        );
        Ok(())
    }

    fn draw_offer(&self) -> DrawOffer {
        Self::draw_offer(self)
    }

    fn set_draw_offer(&mut self, offer: DrawOffer) {
        Self::set_draw_offer(self, offer);
    }

    fn draw_action(&mut self, actor: Player, action: DrawAction) -> Result<(), DrawError> {
        Self::draw_action(self, actor, action)
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let m = if Self::is_over(self) { None } else { random_move(self.position(), rng) };
        m.map(|m| self.position().move_text(m))
    }
}

/// Returns an error that describes the outcome if the game is over.
pub(super) fn check_ongoing<P: Playable>(game: &Game<P>) -> Result<(), GameOver> {
    GameOver::check(AnyPlay::outcome(game), P::PLAYERS)
}
