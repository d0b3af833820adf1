//! A game of any kind behind one object-safe trait.

use std::any::Any;
use std::ops::ControlFlow;

use sandtable_core::{
    Arrange, Arrangement, ByPlayer, Diagram, Divided, DrawAct, DrawError, DrawTalk, EndReason as _, Evaluate,
    Game, Layout, MoveParts, Notation, Observe, Outcome, Overlay, Pending, Plane, Player, PolicyIndex,
    PolicyIndexed, Rng, Rules, Shape, Tags, WrongLength, divide, for_each_turn, perft_threaded, random_move,
};
use sandtable_search::{AlphaBeta, Limits, Line, Mcts, MctsSettings, Report};

use crate::Error;
use crate::tree::Tree;

/// A legal move in all its forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveInfo {
    /// The form that programs exchange.
    pub text: String,
    /// The form that people write.
    pub san: String,
    /// The number that stands for it on the wire, in games that have one.
    pub word: Option<u32>,
    /// The index in the policy.
    pub index: PolicyIndex,
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// By whom.
    pub player: Player,
    /// The move.
    pub info: MoveInfo,
}

/// A complete turn and the position it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnInfo {
    /// The moves of the turn.
    pub moves: Vec<String>,
    /// The text of the position after it.
    pub position: String,
}

/// How the players ended a game that the rules had not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// This player gave up.
    Resigned(Player),
    /// Both agreed to a draw.
    Agreed,
    /// Something that only the game itself knows: a claim, a flag that fell.
    Otherwise,
}

/// A game whose kind is known only at run time. Positions and moves are text, moves also indices of the policy.
///
/// Who knows the kind may ask [`Any`] for the [`Game`] itself.
pub trait AnyGame: Any + Send + Sync {
    /// The name of its kind.
    fn name(&self) -> &'static str;
    /// The name of its rules, if they have one.
    fn rules(&self) -> Option<&'static str>;
    /// What the players are called.
    fn players(&self) -> ByPlayer<&'static str>;
    /// Who is to move.
    fn turn(&self) -> Player;
    /// The position as text.
    fn position(&self) -> String;
    /// Is the player to move in check? `None` where there is no such thing.
    fn check(&self) -> Option<bool>;
    /// How the game stands, with the reason in words.
    fn outcome(&self) -> Outcome<String>;
    /// Is the game over?
    fn is_over(&self) -> bool;
    /// How the players ended the game, if they did.
    fn declared(&self) -> Option<Declared>;
    /// The hash of the position.
    fn hash64(&self) -> u64;
    /// Did both games go through equal positions by the same moves, and end the same way?
    fn is_same_game(&self, other: &dyn AnyGame) -> bool;
    /// How many moves have been played.
    fn ply(&self) -> usize;
    /// How often the position has occurred.
    fn occurrences(&self) -> u32;
    /// The legal moves by the board; a draw by a counter or by repetition takes none away.
    fn moves(&self) -> Vec<MoveInfo>;
    /// How many there are.
    fn count_moves(&self) -> u64;
    /// The parts of the legal moves, in the order of [`moves`](Self::moves).
    fn move_parts(&self) -> Vec<MoveParts>;
    /// One complete turn for each different position that one can reach.
    fn turns(&self) -> Vec<TurnInfo>;
    /// The number that stands for a legal move on the wire, in games that have one.
    fn word(&self, text: &str) -> Option<u32>;
    /// The indices of the legal moves, lowest first; none once the game is over.
    fn indices(&self) -> Vec<PolicyIndex>;
    /// The index of a legal move in any notation of the game.
    fn index_of(&self, text: &str) -> Result<PolicyIndex, Error>;
    /// The legal move of an index, in the form that programs exchange.
    fn text_at(&self, index: PolicyIndex) -> Result<String, Error>;
    /// Plays the legal move of an index.
    fn play_index(&mut self, index: PolicyIndex) -> Result<(), Error>;
    /// The indices of the moves played so far.
    fn indices_played(&self) -> Vec<PolicyIndex>;
    /// Plays a move in any notation of the game. Says what was played, as people write it.
    fn play(&mut self, text: &str) -> Result<String, Error>;
    /// Plays a move of a game that was played elsewhere: as [`play`](Self::play), but it goes on after a draw that the
    /// rules would have called.
    fn replay(&mut self, text: &str) -> Result<String, Error>;
    /// Takes back a declared end: a resignation, an agreement. Says whether there was one.
    fn retract(&mut self) -> bool;
    /// Takes back the last move. Says which it was.
    fn undo(&mut self) -> Option<String>;
    /// The moves played so far, without the first `skipped`, in all their forms.
    fn played(&self, skipped: usize) -> Vec<Played>;
    /// The moves played so far, as people write them.
    fn history(&self) -> Vec<String>;
    /// The moves played so far, as programs exchange them.
    fn moves_played(&self) -> Vec<String>;
    /// The text of the position that the game began with.
    fn first_position(&self) -> String;
    /// `player` gives up.
    fn resign(&mut self, player: Player);
    /// Both agree to a draw.
    fn agree_draw(&mut self);
    /// What was said about a draw, as far as it still matters.
    fn talk(&self) -> DrawTalk;
    /// `actor` says something about a draw.
    fn discuss(&mut self, actor: Player, act: DrawAct) -> Result<(), DrawError>;
    /// `player` has used up the time.
    fn flag(&mut self, player: Player);
    /// The record of the game.
    fn record(&self, tags: &Tags) -> String;
    /// The number of move sequences of that length, on so many threads.
    fn perft(&self, depth: u32, threads: usize) -> u64;
    /// The same for each first move; `progress` hears of each that is done. None at depth 0.
    fn divide(&self, depth: u32, threads: usize, progress: &(dyn Fn() + Sync)) -> Vec<Divided<String>>;
    /// The shape of an observation.
    fn shape(&self) -> Shape;
    /// The planes of an observation.
    fn planes(&self) -> &'static [Plane];
    /// Writes the observation of the current position.
    fn write_observation(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength>;
    /// How many indices the policy has.
    fn policy_size(&self) -> usize;
    /// Writes which indices are legal.
    fn write_mask(&self, mask: &mut [bool]) -> Result<(), WrongLength>;
    /// How good the position looks to the player to move, without looking ahead.
    fn evaluate(&self) -> i32;
    /// Searches the position; moves are in the form that programs exchange. `report` hears of every iteration.
    fn search(
        &self,
        engine: &mut AlphaBeta,
        limits: &Limits<'_>,
        report: &mut OnReport<'_>,
    ) -> Report<String>;
    /// An empty search tree below the current position.
    fn tree(&self, settings: MctsSettings, seed: u64) -> Box<dyn Tree>;
    /// A legal move, each equally likely; none if the game is over.
    fn random_move(&self, rng: &mut Rng) -> Option<String>;
    /// The board as a picture would show it.
    fn diagram(&self) -> Diagram;
    /// The turn in progress.
    fn pending(&self) -> Option<Pending>;
    /// The cell of the figure that is in check.
    fn checked(&self) -> Option<String>;
    /// What else a board could show.
    fn overlays(&self) -> Vec<Overlay>;
    /// The position as an editor arranges it.
    fn arrangement(&self) -> Arrangement;
    /// The board as bytes, in games whose wire form is bytes.
    fn bytes(&self) -> Option<Vec<u8>>;
    /// A copy with the same past.
    fn clone_box(&self) -> BoxedGame;
}

/// A game whose kind is known only at run time.
pub type BoxedGame = Box<dyn AnyGame>;

/// Who hears of a search's iterations, and may end it.
pub type OnReport<'a> = dyn FnMut(&Report<String>) -> ControlFlow<()> + 'a;

/// What a position must be able to do for its game to be one of the facade's.
pub trait Playable: Arrange + Notation + Observe + PolicyIndexed + Evaluate {}

impl<P: Arrange + Notation + Observe + PolicyIndexed + Evaluate> Playable for P {}

impl<P: Playable> AnyGame for Game<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn rules(&self) -> Option<&'static str> {
        Game::position(self).rules().name()
    }

    fn players(&self) -> ByPlayer<&'static str> {
        P::PLAYERS
    }

    fn turn(&self) -> Player {
        Self::turn(self)
    }

    fn position(&self) -> String {
        Self::position(self).to_text()
    }

    fn check(&self) -> Option<bool> {
        Self::position(self).check()
    }

    fn outcome(&self) -> Outcome<String> {
        Self::outcome(self).map(|reason| reason.to_string())
    }

    fn is_over(&self) -> bool {
        Self::outcome(self).is_over()
    }

    fn declared(&self) -> Option<Declared> {
        Some(match Self::declared(self)? {
            Outcome::Win { winner, reason } if reason == P::Reason::RESIGNATION => {
                Declared::Resigned(!winner)
            }
            Outcome::Draw { reason } if reason == P::Reason::AGREEMENT => Declared::Agreed,
            _ => Declared::Otherwise,
        })
    }

    fn hash64(&self) -> u64 {
        Self::position(self).hash64()
    }

    fn is_same_game(&self, other: &dyn AnyGame) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>() == Some(self)
    }

    fn ply(&self) -> usize {
        Self::ply(self)
    }

    fn occurrences(&self) -> u32 {
        Self::occurrences(self)
    }

    fn moves(&self) -> Vec<MoveInfo> {
        let position = Self::position(self);
        let legal = position.legal_moves();
        let sans = position.move_sans(&legal);
        legal.into_iter().zip(sans).map(|(m, san)| info(position, m, san)).collect()
    }

    fn move_parts(&self) -> Vec<MoveParts> {
        let position = Self::position(self);
        position.legal_moves().into_iter().map(|m| position.parts(m)).collect()
    }

    fn count_moves(&self) -> u64 {
        Self::position(self).count_legal()
    }

    fn turns(&self) -> Vec<TurnInfo> {
        let mut turns = Vec::new();
        for_each_turn(Self::position(self), &mut |turn| {
            let mut position = Self::position(self).clone();
            let text = |&m: &P::Move| {
                let text = position.move_text(m);
                position.play_unchecked(m);
                text
            };
            let moves = turn.moves.iter().map(text).collect();
            turns.push(TurnInfo { moves, position: turn.position.to_text() });
        });
        turns
    }

    fn word(&self, text: &str) -> Option<u32> {
        let position = Self::position(self);
        position.move_word(position.parse_move(text).ok()?)
    }

    fn indices(&self) -> Vec<PolicyIndex> {
        let mut indices = Vec::new();
        if !Self::outcome(self).is_over() {
            let position = Self::position(self);
            let _ = position.for_each_legal::<()>(|m| {
                indices.push(position.policy_index(m));
                ControlFlow::Continue(())
            });
            indices.sort_unstable();
        }
        indices
    }

    fn index_of(&self, text: &str) -> Result<PolicyIndex, Error> {
        goes_on(self)?;
        Ok(Self::position(self).policy_index(Self::position(self).parse_move(text)?))
    }

    fn text_at(&self, index: PolicyIndex) -> Result<String, Error> {
        Ok(Self::position(self).move_text(move_at(self, index)?))
    }

    fn play_index(&mut self, index: PolicyIndex) -> Result<(), Error> {
        let m = move_at(self, index)?;
        self.play_unchecked(m);
        Ok(())
    }

    fn indices_played(&self) -> Vec<PolicyIndex> {
        self.past().map(|(position, m)| position.policy_index(m)).collect()
    }

    fn play(&mut self, text: &str) -> Result<String, Error> {
        goes_on(self)?;
        let m = Self::position(self).parse_move(text)?;
        let san = Self::position(self).move_san(m);
        Self::play(self, m).expect("a move that was read is legal, and the game goes on");
        Ok(san)
    }

    fn replay(&mut self, text: &str) -> Result<String, Error> {
        let m = Self::position(self).parse_move(text)?;
        let san = Self::position(self).move_san(m);
        Self::replay(self, m).expect("a move that was read is legal");
        Ok(san)
    }

    fn retract(&mut self) -> bool {
        Self::retract(self)
    }

    fn undo(&mut self) -> Option<String> {
        let m = Self::undo(self)?;
        Some(Self::position(self).move_san(m))
    }

    fn played(&self, skipped: usize) -> Vec<Played> {
        let played = |(position, m): (&P, P::Move)| Played {
            player: position.turn(),
            info: info(position, m, position.move_san(m)),
        };
        self.past().skip(skipped).map(played).collect()
    }

    fn history(&self) -> Vec<String> {
        self.past().map(|(position, m)| position.move_san(m)).collect()
    }

    fn moves_played(&self) -> Vec<String> {
        self.past().map(|(position, m)| position.move_text(m)).collect()
    }

    fn first_position(&self) -> String {
        Self::first_position(self).to_text()
    }

    fn resign(&mut self, player: Player) {
        Self::resign(self, player);
    }

    fn agree_draw(&mut self) {
        Self::agree_draw(self);
    }

    fn talk(&self) -> DrawTalk {
        Self::talk(self)
    }

    fn discuss(&mut self, actor: Player, act: DrawAct) -> Result<(), DrawError> {
        Self::discuss(self, actor, act)
    }

    fn flag(&mut self, player: Player) {
        Self::flag(self, player);
    }

    fn record(&self, tags: &Tags) -> String {
        P::write_record(self, tags)
    }

    fn perft(&self, depth: u32, threads: usize) -> u64 {
        perft_threaded(Self::position(self), depth, threads)
    }

    fn divide(&self, depth: u32, threads: usize, progress: &(dyn Fn() + Sync)) -> Vec<Divided<String>> {
        if depth == 0 {
            return Vec::new();
        }
        let position = Self::position(self);
        let shares = divide(position, depth, threads, |_| progress());
        shares
            .into_iter()
            .map(|share| Divided { root: position.move_text(share.root), nodes: share.nodes })
            .collect()
    }

    fn shape(&self) -> Shape {
        P::SHAPE
    }

    fn planes(&self) -> &'static [Plane] {
        P::PLANES
    }

    fn write_observation(&self, layout: Layout, out: &mut [f32]) -> Result<(), WrongLength> {
        Self::position(self).write_observation(Self::occurrences(self), layout, out)
    }

    fn policy_size(&self) -> usize {
        P::POLICY_SIZE
    }

    fn write_mask(&self, mask: &mut [bool]) -> Result<(), WrongLength> {
        Self::position(self).write_mask(mask)
    }

    fn evaluate(&self) -> i32 {
        Self::position(self).evaluate()
    }

    fn search(
        &self,
        engine: &mut AlphaBeta,
        limits: &Limits<'_>,
        report: &mut OnReport<'_>,
    ) -> Report<String> {
        let found = engine.search(self, limits, |found| report(&in_text(self, found)));
        in_text(self, &found)
    }

    fn tree(&self, settings: MctsSettings, seed: u64) -> Box<dyn Tree> {
        Box::new(Mcts::new(self.clone(), settings, seed))
    }

    fn random_move(&self, rng: &mut Rng) -> Option<String> {
        let m = if Self::outcome(self).is_over() { None } else { random_move(Self::position(self), rng) };
        m.map(|m| Self::position(self).move_text(m))
    }

    fn diagram(&self) -> Diagram {
        Self::position(self).diagram(Self::moves(self).next_back())
    }

    fn pending(&self) -> Option<Pending> {
        Self::position(self).pending()
    }

    fn checked(&self) -> Option<String> {
        Self::position(self).checked()
    }

    fn overlays(&self) -> Vec<Overlay> {
        Self::position(self).overlays()
    }

    fn arrangement(&self) -> Arrangement {
        Self::position(self).arrangement()
    }

    fn bytes(&self) -> Option<Vec<u8>> {
        Self::position(self).to_bytes()
    }

    fn clone_box(&self) -> BoxedGame {
        Box::new(self.clone())
    }
}

/// An error that says how the game ended, if it did.
fn goes_on<P: Playable>(game: &Game<P>) -> Result<(), Error> {
    let outcome = AnyGame::outcome(game);
    if outcome.is_over() {
        return Err(format!("the game is over: {}", in_words(&outcome, P::PLAYERS)).into());
    }
    Ok(())
}

/// The legal move of an index in a game that goes on.
pub(crate) fn move_at<P: Playable>(game: &Game<P>, index: PolicyIndex) -> Result<P::Move, Error> {
    goes_on(game)?;
    if index.index() >= P::POLICY_SIZE {
        return Err(format!("there is no action {}: actions are 0 to {}", index.0, P::POLICY_SIZE - 1).into());
    }
    let found = game.position().move_at(index);
    found.ok_or_else(|| format!("action {} is not legal in this position", index.0).into())
}

/// A legal move in all its forms, of which one is known.
fn info<P: Notation + PolicyIndexed>(position: &P, m: P::Move, san: String) -> MoveInfo {
    MoveInfo {
        text: position.move_text(m),
        san,
        word: position.move_word(m),
        index: position.policy_index(m),
    }
}

/// What a search found, with its moves as text.
fn in_text<P: Notation>(game: &Game<P>, found: &Report<P::Move>) -> Report<String> {
    let lines = found.lines.iter().map(|line| {
        let mut position = game.position().clone();
        let text = |&m: &P::Move| {
            let text = position.move_text(m);
            position.play_unchecked(m);
            text
        };
        Line { score: line.score, moves: line.moves.iter().map(text).collect() }
    });
    Report {
        depth: found.depth,
        longest: found.longest,
        nodes: found.nodes,
        per_mille_full: found.per_mille_full,
        lines: lines.collect(),
    }
}

/// An outcome as a clause: who has won, or how it was drawn.
#[must_use]
pub fn in_words(outcome: &Outcome<String>, players: ByPlayer<&str>) -> String {
    match outcome {
        Outcome::Ongoing => "the game goes on".to_owned(),
        Outcome::Draw { reason } => format!("drawn by {reason}"),
        Outcome::Win { winner, reason } => format!("{} has won by {reason}", players[*winner]),
    }
}
