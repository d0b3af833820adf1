//! A position with its history: undo, repetition, draw offers, declared ends, encodings and records.

use std::error::Error;

use crate::learn::{Layout, PolicyIndex, WrongLength};
use crate::record::{Annotations, RecordErrorOf, Tags};
use crate::rules::{Context, DrawAction, DrawError, DrawOffer, DrawUpdate, IllegalMove, Reason, Repetition};
use crate::{Describe, Notation, Observe, Outcome, Player, PolicyIndexed, Position};

/// The reason why a move could not be played in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("play")]
#[non_exhaustive]
pub enum PlayError<R> {
    /// The move is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The game has ended.
    #[error("the game is over")]
    Over(#[param(skip)] Outcome<R>),
}

/// The reason why the text of a move or turn could not be played in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("play_text")]
#[non_exhaustive]
pub enum PlayTextError<E: Error, R> {
    /// The text is not a legal move or turn of the position.
    #[error(transparent)]
    Text(E),
    /// The game has ended.
    #[error("the game is over")]
    Over(#[param(skip)] Outcome<R>),
}

/// The result of playing text in a game of `P`.
type PlayText<P, T> = Result<T, PlayTextError<<P as Notation>::MoveError, Reason<<P as Position>::Ending>>>;

/// A game in progress: the current position, the moves that led to it, and its number of occurrences.
///
/// # Equality
///
/// Two games are equal if they went through equal positions by the same moves and have the same declared end. The
/// state of the draw offer does not count.
#[derive(Clone, Debug)]
pub struct Game<P: Position> {
    current: P,
    /// The number of times that the position has occurred, including now.
    occurrences: u32,
    history: Vec<Entry<P>>,
    /// The hashes of the positions so far: occurrences are counted by hash before positions are compared.
    repetition: Repetition,
    declared: Option<Outcome<Reason<P::Ending>>>,
    draw_offer: DrawOffer,
}

/// A played move with the state before it.
#[derive(Clone, Debug)]
struct Entry<P: Position> {
    position: P,
    occurrences: u32,
    draw_offer: DrawOffer,
    played: P::Move,
}

impl<P: Position> Game<P> {
    /// A game from the start position.
    #[must_use]
    pub fn new(rules: P::Rules) -> Self {
        Self::from_position(P::start(rules))
    }

    /// A game that starts from `position`: its history begins there.
    #[must_use]
    pub fn from_position(position: P) -> Self {
        let repetition = Repetition::new(&position);
        Self {
            current: position,
            occurrences: 1,
            history: Vec::new(),
            repetition,
            declared: None,
            draw_offer: DrawOffer::None,
        }
    }

    /// The same game with this draw offer, which comes from the text of a position or from an editor.
    #[must_use]
    pub fn with_draw_offer(mut self, offer: DrawOffer) -> Self {
        self.set_draw_offer(offer);
        self
    }

    /// Restores a saved state of the draw offer. Players use [`draw_action`](Self::draw_action).
    pub const fn set_draw_offer(&mut self, offer: DrawOffer) {
        self.draw_offer = offer;
    }

    /// Starts over from `position` and reuses the memory of the history.
    pub fn restart(&mut self, position: P) {
        self.history.clear();
        self.repetition.restart(&position);
        self.current = position;
        self.occurrences = 1;
        self.declared = None;
        self.draw_offer = DrawOffer::None;
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &P {
        &self.current
    }

    /// The position that the game started from.
    #[must_use]
    pub fn first_position(&self) -> &P {
        self.history.first().map_or(&self.current, |entry| &entry.position)
    }

    /// Every earlier position, oldest first, with the move played in it.
    pub fn history(&self) -> impl ExactSizeIterator<Item = (&P, P::Move)> + DoubleEndedIterator {
        self.history.iter().map(|entry| (&entry.position, entry.played))
    }

    /// The moves played so far.
    pub fn moves_played(&self) -> impl ExactSizeIterator<Item = P::Move> + DoubleEndedIterator {
        self.history.iter().map(|entry| entry.played)
    }

    /// The number of moves played so far.
    #[must_use]
    pub const fn ply(&self) -> usize {
        self.history.len()
    }

    /// The number of times that the current position has occurred in this game, including now.
    #[must_use]
    pub const fn occurrences(&self) -> u32 {
        self.occurrences
    }

    /// The hashes of the positions so far, the current one last.
    #[must_use]
    pub const fn repetition(&self) -> &Repetition {
        &self.repetition
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

    /// The outcome: the declared end if there is one, otherwise the outcome by the rules.
    #[must_use]
    pub fn outcome(&self) -> Outcome<Reason<P::Ending>> {
        self.declared.unwrap_or_else(|| self.current.outcome(self.occurrences))
    }

    /// Whether the game is over, by the rules or by declaration.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.outcome().is_over()
    }

    /// The declared end, if there is one: a resignation, an agreement, a claim, a flag fall.
    #[must_use]
    pub const fn declared_outcome(&self) -> Option<Outcome<Reason<P::Ending>>> {
        self.declared
    }

    /// The legal moves; none once the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<P::Move> {
        if self.is_over() { Vec::new() } else { self.current.legal_moves() }
    }

    /// Plays a move. An illegal move, or any move after the end, leaves the game unchanged.
    pub fn play(&mut self, m: P::Move) -> Result<(), PlayError<Reason<P::Ending>>> {
        let outcome = self.outcome();
        if outcome.is_over() {
            return Err(PlayError::Over(outcome));
        }
        self.replay(m)?;
        Ok(())
    }

    /// Plays a move of a recorded game: like [`play`](Self::play), but also after a draw by rule, because the players of
    /// many recorded games did not claim it.
    pub fn replay(&mut self, m: P::Move) -> Result<(), IllegalMove> {
        if !self.current.is_legal(m) {
            return Err(IllegalMove);
        }
        self.play_unchecked(m);
        Ok(())
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
        let mover = before.turn();
        self.history.push(Entry {
            position: before,
            occurrences: self.occurrences,
            draw_offer: self.draw_offer,
            played: m,
        });
        self.declared = None;
        self.draw_offer = self.draw_offer.after_move::<P>(mover);
        let is_equal = |&index: &usize| self.history[index].position.same_position(&self.current);
        self.occurrences = 1 + self.repetition.earlier().filter(is_equal).count() as u32;
    }

    /// Takes back the last move, and a declared end with it. Returns the move; `None` at the start of the game.
    ///
    /// The draw offer returns to its state before the move in games where offers stay open; otherwise it is cleared.
    pub fn undo(&mut self) -> Option<P::Move> {
        let entry = self.history.pop()?;
        self.repetition.pop();
        self.current = entry.position;
        self.occurrences = entry.occurrences;
        self.declared = None;
        self.draw_offer = if P::DRAW_OFFERS_LAPSE { DrawOffer::None } else { entry.draw_offer };
        Some(entry.played)
    }

    /// Takes back a declared end, so that the game continues. Returns whether there was one.
    pub fn undo_declared_end(&mut self) -> bool {
        self.declared.take().is_some()
    }

    /// The state of the draw offer.
    #[must_use]
    pub const fn draw_offer(&self) -> DrawOffer {
        self.draw_offer
    }

    /// The state of the draw offer before each move, oldest first, and the current one last.
    pub fn draw_offers(&self) -> impl Iterator<Item = DrawOffer> {
        self.history.iter().map(|entry| entry.draw_offer).chain([self.draw_offer])
    }

    /// Applies a draw action of `actor`. An action that is not possible leaves the game unchanged.
    pub fn draw_action(&mut self, actor: Player, action: DrawAction) -> Result<(), DrawError> {
        if self.is_over() {
            return Err(DrawError::GameOver);
        }
        match self.draw_offer.apply(actor, action)? {
            DrawUpdate::Agreed => self.agree_draw(),
            DrawUpdate::Changed(offer) => self.draw_offer = offer,
        }
        Ok(())
    }

    /// Ends the game with a loss on time for `player`. Has no effect once the game is over.
    pub fn flag_fall(&mut self, player: Player) {
        self.declare(Outcome::Win { winner: !player, reason: Reason::Time });
    }

    /// Ends the game with a loss for `player`, who has left it. Has no effect once the game is over.
    pub fn abandon(&mut self, player: Player) {
        self.declare(Outcome::Win { winner: !player, reason: Reason::Abandonment });
    }

    /// Ends the game with a draw because the time for the whole game ran out. Has no effect once the game is over.
    pub fn end_game_time(&mut self) {
        self.declare(Outcome::Draw { reason: Reason::GameTime });
    }

    /// The draw that the side to move may claim; `None` if there is none or the game is over.
    #[must_use]
    pub fn claimable_draw(&self) -> Option<Reason<P::Ending>> {
        if self.is_over() { None } else { P::claimable_draw(self) }
    }

    /// Ends the game with the draw that the side to move claims. Returns the reason; `None` if there is nothing to claim.
    pub fn claim_draw(&mut self) -> Option<Reason<P::Ending>> {
        let reason = self.claimable_draw()?;
        self.declare(Outcome::Draw { reason });
        Some(reason)
    }

    /// Ends the game with the resignation of `player`. Has no effect once the game is over.
    pub fn resign(&mut self, player: Player) {
        self.declare(Outcome::Win { winner: !player, reason: Reason::Resignation });
    }

    /// Ends the game with a draw by agreement. Has no effect once the game is over.
    pub fn agree_draw(&mut self) {
        self.declare(Outcome::Draw { reason: Reason::Agreement });
    }

    /// Ends the game with this outcome, for example after a claim. Has no effect once the game is over, or if the outcome is no
    /// end.
    pub fn declare(&mut self, outcome: Outcome<Reason<P::Ending>>) {
        if outcome.is_over() && !self.is_over() {
            self.declared = Some(outcome);
        }
    }
}

impl<P: Notation> Game<P> {
    /// A game from the text of a position: its history begins there.
    pub fn from_text(text: &str, rules: P::Rules) -> Result<Self, P::PositionError> {
        let (position, offer) = P::from_text_with_offer(text, rules)?;
        Ok(Self::from_position(position).with_draw_offer(offer))
    }

    /// The first game of a record, with the record's tags.
    pub fn from_record(text: &str, rules: P::Rules) -> Result<(Self, Tags), RecordErrorOf<P>> {
        let record = P::read_record(text, rules)?;
        Ok((record.game, record.tags))
    }

    /// The text of the current position, with the draw offer where the text shows it.
    #[must_use]
    pub fn position_text(&self) -> String {
        self.current.to_text_with_offer(self.draw_offer)
    }

    /// The text of the position that the game started from.
    #[must_use]
    pub fn first_position_text(&self) -> String {
        self.history
            .first()
            .map_or_else(|| self.position_text(), |entry| entry.position.to_text_with_offer(entry.draw_offer))
    }

    /// The record of the game, without annotations.
    #[must_use]
    pub fn record(&self, tags: &Tags) -> String {
        P::write_record(self, tags, &Annotations::default())
    }

    /// Plays a move given as text in any notation of the game. Returns the move.
    pub fn play_text(&mut self, text: &str) -> PlayText<P, P::Move> {
        self.check_ongoing()?;
        let m = self.current.parse_move(text).map_err(PlayTextError::Text)?;
        self.play_unchecked(m);
        Ok(m)
    }

    /// Plays a complete turn given as text, as records write it. Returns its moves.
    ///
    /// A turn that is not legal as a whole leaves the game unchanged.
    pub fn play_turn(&mut self, text: &str) -> PlayText<P, Vec<P::Move>> {
        self.check_ongoing()?;
        let moves = self.current.parse_turn(text).map_err(PlayTextError::Text)?;
        for &m in &moves {
            self.play_unchecked(m);
        }
        Ok(moves)
    }

    fn check_ongoing(&self) -> PlayText<P, ()> {
        let outcome = self.outcome();
        if outcome.is_over() { Err(PlayTextError::Over(outcome)) } else { Ok(()) }
    }
}

impl<P: Observe> Game<P> {
    /// The observation of the current position from the mover's perspective, in a new array.
    #[must_use]
    pub fn observe(&self, layout: Layout) -> Vec<f32> {
        let mut out = vec![0.0; P::SHAPE.len()];
        self.write_observation(layout, &mut out).expect("the array has the length of an observation");
        out
    }

    /// Writes the observation of the current position into the caller's slice, without allocating.
    pub fn write_observation(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength> {
        self.current.write_observation(self.context(), layout, out)
    }
}

impl<P: PolicyIndexed> Game<P> {
    /// The mask of legal policy indices, in a new array; all `false` once the game is over.
    #[must_use]
    pub fn mask(&self) -> Vec<bool> {
        let mut mask = vec![false; P::POLICY_SIZE];
        self.write_mask(&mut mask).expect("the array has the length of the policy");
        mask
    }

    /// Writes the mask of legal policy indices into the caller's slice, without allocating; all `false` once the game is
    /// over.
    pub fn write_mask(&self, mask: &mut [bool]) -> Result<(), WrongLength> {
        if self.is_over() {
            WrongLength::check(P::POLICY_SIZE, mask.len())?;
            mask.fill(false);
            return Ok(());
        }
        self.current.write_mask(mask)
    }

    /// The legal move with this policy index; `None` if there is none or the game is over.
    #[must_use]
    pub fn move_at(&self, index: PolicyIndex) -> Option<P::Move> {
        if self.is_over() { None } else { self.current.move_at(index) }
    }
}

impl<P: Position> Default for Game<P> {
    fn default() -> Self {
        Self::new(P::Rules::default())
    }
}

impl<P: Position> PartialEq for Game<P> {
    fn eq(&self, other: &Self) -> bool {
        self.current == other.current && self.declared == other.declared && self.history().eq(other.history())
    }
}

impl<P: Position> Eq for Game<P> {}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::rules::EndRule;
    use crate::{ByPlayer, Rules};

    /// A light that every move switches on or off. Its two positions have the same hash.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Light {
        is_on: bool,
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    struct OneSet;

    impl Rules for OneSet {
        const PRESETS: &'static [(&'static str, Self)] = &[("standard", Self)];
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    struct NoRule;

    impl EndRule for NoRule {
        const TEXTS: &'static [(Self, &'static str)] = &[];
    }

    impl Position for Light {
        type Move = ();
        type Rules = OneSet;
        type Ending = NoRule;
        const NAME: &'static str = "light";
        const PLAYERS: ByPlayer<&'static str> = ByPlayer::new("First", "Second");
        const PLY_LIMIT: usize = 10;

        fn start(_: OneSet) -> Self {
            Self { is_on: false }
        }

        fn rules(&self) -> OneSet {
            OneSet
        }

        fn turn(&self) -> Player {
            if self.is_on { Player::Second } else { Player::First }
        }

        fn for_each_legal<B>(&self, mut f: impl FnMut(()) -> ControlFlow<B>) -> ControlFlow<B> {
            f(())
        }

        fn play_unchecked(&mut self, (): ()) {
            self.is_on = !self.is_on;
        }

        fn in_check(&self) -> Option<bool> {
            None
        }

        fn outcome(&self, _: u32) -> Outcome<Reason<NoRule>> {
            Outcome::Ongoing
        }

        fn hash64(&self) -> u64 {
            0
        }

        fn same_position(&self, other: &Self) -> bool {
            self == other
        }

        fn is_irreversible_from(&self, _: &Self) -> bool {
            false
        }

        fn mirrored(&self) -> Self {
            Self { is_on: !self.is_on }
        }
    }

    #[test]
    fn different_positions_with_equal_hashes_are_not_repetitions() {
        let mut game = Game::<Light>::default();
        let occurrences: Vec<_> = (0..5)
            .map(|_| {
                game.play(()).unwrap();
                game.occurrences()
            })
            .collect();
        assert_eq!(occurrences, [1, 2, 2, 3, 3]);
    }

    #[test]
    fn equal_games_have_equal_positions_moves_and_ends() {
        let (off, on) = (Light { is_on: false }, Light { is_on: true });
        let mut played = Game::from_position(off.clone());
        played.play(()).unwrap();
        assert_ne!(played, Game::from_position(on.clone()), "the same position, other moves");
        let (off, on) = (Game::from_position(off), Game::from_position(on));
        assert_ne!(off, on, "the same moves, other positions");
        let mut resigned = off.clone();
        resigned.resign(Player::First);
        assert_ne!(resigned, off, "the same moves, another end");
        assert_eq!(
            off.clone().with_draw_offer(DrawOffer::Open(Player::First)),
            off,
            "a draw offer does not count"
        );
    }
}
