//! Valid positions, and how steps change them.

use std::cell::OnceCell;
use std::fmt;
use std::ops::ControlFlow;

use sandtable_core::rules::SetupError;
use sandtable_core::{ByPlayer, FromSetup, Outcome, Player, Position};

use crate::movegen::{Generator, attack, facing};
use crate::zobrist::state_key;
use crate::{
    Board, Deployment, Ending, Invalid, Kind, KindSet, Reason, Rules, Setup, SetupDeployment, Square,
    SquareSet, Stack, Step, StepKind, air,
};

/// A valid position, between turns or within a deployment.
///
/// ```
/// use sandtable_core::{Notation, Player, Position};
/// use sandtable_cotulenh::{CoTuLenh, Rules, Square};
///
/// let mut position = CoTuLenh::start(Rules::STANDARD);
/// position.play(position.parse_move("Ic5c6")?)?;
/// assert_eq!(position.turn(), Player::Second);
/// assert!(position.board().get(Square::C6).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Equality
///
/// Two positions are equal if they have the same board, side to move, counters, rules and deployment in progress, and
/// that deployment was reached by the same steps. Repetition compares less: see
/// [`same_position`](sandtable_core::Position::same_position).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CoTuLenh {
    board: Board,
    turn: Player,
    rules: Rules,
    halfmoves: u16,
    fullmoves: u16,
    deployment: Option<Deployment>,
}

// A search copies millions of positions, so a position has to stay small.
const _: () = assert!(size_of::<CoTuLenh>() <= 640);

impl CoTuLenh {
    /// The number of turns without a capture after which the game is drawn.
    pub const DRAW_CLOCK: u16 = 100;

    /// The board, after the steps of a deployment in progress.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The deployment in progress.
    #[must_use]
    pub const fn deployment(&self) -> Option<&Deployment> {
        self.deployment.as_ref()
    }

    /// The half-move clock: turns since the last capture.
    #[must_use]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The full-move number, which starts at 1 and increases after Blue's turn.
    #[must_use]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    /// The squares from which a piece of either side attacks `square`: the piece could capture an opposing stack there.
    ///
    /// Each piece of a stack counts by itself, as in a deployment. A Navy's range depends on whether the stack that
    /// stands on `square` now is Navy-carried. The safety of the attacker's own commander is ignored.
    ///
    /// ```
    /// use sandtable_core::{Notation, Player};
    /// use sandtable_cotulenh::{CoTuLenh, Rules, Square, SquareSet};
    ///
    /// let text = "6c4/11/11/11/11/11/11/4i6/11/4(TM)6/11/6C4 r - - 0 1";
    /// let position = CoTuLenh::from_text(text, Rules::STANDARD)?;
    /// assert_eq!(position.attackers(Square::E5), SquareSet::of(&[Square::E3]));
    /// // The Militia attacks its diagonal neighbours, though its Tank does not.
    /// assert_eq!(position.attackers(Square::F4), SquareSet::of(&[Square::E3]));
    /// let red = position.board().occupied(Player::First);
    /// assert!((position.attackers(Square::E4) & red).contains(Square::E3));
    /// # Ok::<(), sandtable_cotulenh::PositionError>(())
    /// ```
    #[must_use]
    pub fn attackers(&self, square: Square) -> SquareSet {
        let mut squares = SquareSet::EMPTY;
        for by in Player::ALL {
            let zones = OnceCell::new();
            let aim = attack::Aim::at(&self.board, square, by, &zones);
            // A commander may not capture on a square that the enemy commander faces.
            let alone = |commander: &Square| !self.board.get(*commander).is_some_and(Stack::is_stack);
            let vacated = self.board.commander(by).filter(alone);
            let faced = facing::faced_squares(&self.board, !by, vacated).contains(square);
            let excluded = if faced { Kind::Commander.only() } else { KindSet::EMPTY };
            let attacks =
                |&(from, stack): &(Square, Stack)| !aim.attackers(from, stack).without(excluded).is_empty();
            squares.extend(aim.candidates().filter(attacks).map(|(from, _)| from));
        }
        squares
    }

    /// The fire zones of a player: the squares within range of the player's air defence.
    ///
    /// ```
    /// use sandtable_core::{Notation, Player};
    /// use sandtable_cotulenh::{CoTuLenh, Rules, Square, SquareSet};
    ///
    /// let text = "6c4/11/11/11/11/11/11/11/11/4G6/11/6C4 r - - 0 1";
    /// let position = CoTuLenh::from_text(text, Rules::STANDARD)?;
    /// let zone = [Square::E3, Square::E4, Square::E2, Square::D3, Square::F3];
    /// assert_eq!(position.fire_zones(Player::First), SquareSet::of(&zone));
    /// assert!(position.fire_zones(Player::Second).is_empty());
    /// # Ok::<(), sandtable_cotulenh::PositionError>(())
    /// ```
    #[must_use]
    pub fn fire_zones(&self, player: Player) -> SquareSet {
        air::covered(&self.board, player)
    }

    /// The legal moves of the stack on a square, in the order of
    /// [`legal_moves`](sandtable_core::Position::legal_moves); the end of its deployment included.
    ///
    /// ```
    /// use sandtable_core::{Notation, Position};
    /// use sandtable_cotulenh::{CoTuLenh, Rules, Square};
    ///
    /// let start = CoTuLenh::start(Rules::STANDARD);
    /// let texts: Vec<_> = start.legal_moves_from(Square::C5).iter().map(|&m| start.move_text(m)).collect();
    /// assert_eq!(texts, ["Ic5c6", "Ic5&c4"]);
    /// assert!(start.legal_moves_from(Square::C8).is_empty(), "Blue is not to move");
    /// ```
    #[must_use]
    pub fn legal_moves_from(&self, square: Square) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Some(generator) = Generator::new(self) {
            let _ = generator.for_each_from::<()>(square, |step| {
                steps.push(step);
                ControlFlow::Continue(())
            });
        }
        steps
    }

    pub(crate) const fn between_turns(
        board: &Board,
        turn: Player,
        rules: Rules,
        halfmoves: u16,
        fullmoves: u16,
    ) -> Self {
        Self { board: *board, turn, rules, halfmoves, fullmoves, deployment: None }
    }

    /// This position with a deployment begun on `origin`: of the whole stack, or of its `pending` pieces if the earlier
    /// steps of the turn are unknown.
    ///
    /// # Panics
    ///
    /// If there is no stack on `origin`.
    pub(crate) fn with_deployment(&self, origin: Square, pending: Option<KindSet>) -> Self {
        let stack = self.board.get(origin).expect("a deployment begins on a stack");
        Self { deployment: Some(Deployment::begin(&self.board, origin, stack, pending)), ..*self }
    }

    /// This position, between turns, with the other player to move.
    pub(crate) fn passed(&self) -> Self {
        debug_assert!(self.deployment.is_none());
        Self { turn: !self.turn, ..*self }
    }

    /// The position at the beginning of the deployment in progress; the position itself if there is none.
    pub(crate) fn before_deployment_steps(&self) -> Self {
        let Some(deployment) = &self.deployment else { return *self };
        let before = Self { board: deployment.board_before(self.board), deployment: None, ..*self };
        before.with_deployment(deployment.origin(), deployment.base_pending())
    }

    /// Makes a step on the board, without the end of the turn or the progress of the deployment.
    pub(crate) fn act(&mut self, step: Step) {
        let (from, to, group, kind) = match step {
            Step::End { .. } => return,
            Step::Whole { from, to, kind } => (from, to, None, kind),
            Step::Deploy { from, to, group, kind } => (from, to, Some(group), kind),
        };
        let stack = self.board.get(from).expect("a step begins on a stack");
        self.act_with(from, stack, group.unwrap_or(stack.kinds()), to, kind);
    }

    fn act_with(&mut self, from: Square, stack: Stack, group: KindSet, to: Square, kind: StepKind) {
        if kind == StepKind::StayCapture {
            self.board.set(to, None);
        } else {
            let movers = stack.only(group);
            self.board.set(from, stack.only(stack.kinds().without(group)));
            let arrived = match kind {
                StepKind::SuicideCapture => None,
                StepKind::Combine => {
                    self.board.get(to).zip(movers).map(|(there, movers)| self.combined(there, movers))
                }
                StepKind::Move | StepKind::Capture | StepKind::StayCapture => movers,
            };
            self.board.set(to, arrived);
        }
        self.rules.heroism.promote(&mut self.board, self.turn);
    }

    fn combined(&self, there: Stack, movers: Stack) -> Stack {
        let kinds = there.kinds().union(movers.kinds());
        let heroes = there.heroes().union(movers.heroes());
        Stack::pack(there.owner(), kinds, heroes.intersection(self.rules.heroism.eligible(kinds)))
    }

    fn end_turn(&mut self, captured: bool) {
        self.deployment = None;
        self.halfmoves = if captured { 0 } else { self.halfmoves.saturating_add(1) };
        if self.turn == Player::Second {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        self.turn = !self.turn;
    }

    /// The player whose commander was captured.
    fn without_commander(&self) -> Option<Player> {
        [self.turn, !self.turn].into_iter().find(|&owner| self.board.commander(owner).is_none())
    }
}

impl Position for CoTuLenh {
    type Move = Step;
    type Rules = Rules;
    type Ending = Ending;
    const NAME: &'static str = "cotulenh";
    const PLAYERS: ByPlayer<&'static str> = ByPlayer::new("Red", "Blue");
    const PLY_LIMIT: usize = 600;

    fn start(rules: Rules) -> Self {
        Self {
            board: Board::initial(),
            turn: Player::First,
            rules,
            halfmoves: 0,
            fullmoves: 1,
            deployment: None,
        }
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn for_each_legal<B>(&self, f: impl FnMut(Step) -> ControlFlow<B>) -> ControlFlow<B> {
        Generator::new(self).map_or(ControlFlow::Continue(()), |generator| generator.for_each(f))
    }

    fn count_legal(&self) -> u64 {
        Generator::new(self).map_or(0, |generator| generator.count())
    }

    fn is_legal(&self, step: Step) -> bool {
        Generator::new(self).is_some_and(|generator| generator.is_legal(step))
    }

    fn play_unchecked(&mut self, step: Step) {
        match step {
            Step::End { .. } => {
                let captured = self.deployment.is_some_and(|deployment| deployment.has_captured());
                self.end_turn(captured);
            }
            Step::Whole { from, to, kind } => {
                let stack = self.board.get(from).expect("a move begins on a stack");
                self.act_with(from, stack, stack.kinds(), to, kind);
                self.end_turn(kind.is_capture());
            }
            Step::Deploy { from, to, group, kind } => {
                let stack = self.board.get(from).expect("a deployment begins on a stack");
                let deployment =
                    self.deployment.unwrap_or_else(|| Deployment::begin(&self.board, from, stack, None));
                let replaced = self.board.get(to);
                self.act_with(from, stack, group, to, kind);
                self.deployment = deployment.after(group, to, kind, replaced);
                // Capturing the commander ends the game, and the turn with it.
                if self.deployment.is_none() || self.board.commander(!self.turn).is_none() {
                    self.end_turn(kind.is_capture() || deployment.has_captured());
                }
            }
        }
    }

    fn in_check(&self) -> Option<bool> {
        Some(attack::is_attacked(&self.board, self.turn))
    }

    fn outcome(&self, occurrences: u32) -> Outcome<Reason> {
        if self.without_commander().is_some() || self.has_legal_move() {
            self.outcome_with_moves(occurrences)
        } else if attack::is_attacked(&self.board, self.turn) {
            Outcome::Win { winner: !self.turn, reason: Reason::Rule(Ending::Checkmate) }
        } else {
            Outcome::Draw { reason: Reason::Rule(Ending::Stalemate) }
        }
    }

    fn outcome_with_moves(&self, occurrences: u32) -> Outcome<Reason> {
        if let Some(loser) = self.without_commander() {
            Outcome::Win { winner: !loser, reason: Reason::Rule(Ending::CommanderCaptured) }
        } else if occurrences >= 3 {
            Outcome::Draw { reason: Reason::Rule(Ending::Threefold) }
        } else if self.halfmoves >= Self::DRAW_CLOCK {
            Outcome::Draw { reason: Reason::Rule(Ending::HundredTurns) }
        } else {
            Outcome::Ongoing
        }
    }

    fn hash64(&self) -> u64 {
        self.board.hash() ^ state_key(self.turn, self.deployment.as_ref())
    }

    fn same_position(&self, other: &Self) -> bool {
        let deploying = |position: &Self| position.deployment.map(|d| (d.origin(), d.pending()));
        self.turn == other.turn && self.board == other.board && deploying(self) == deploying(other)
    }

    fn is_irreversible_from(&self, before: &Self) -> bool {
        Player::ALL.iter().any(|&owner| self.board.piece_count(owner) < before.board.piece_count(owner))
    }

    fn mirrored(&self) -> Self {
        Self {
            board: self.board.mirrored(),
            turn: !self.turn,
            deployment: self.deployment.map(Deployment::mirrored),
            ..*self
        }
    }
}

impl FromSetup for CoTuLenh {
    type Setup = Setup;
    type Invalid = Invalid;

    fn from_setup(setup: &Setup, rules: Rules) -> Result<Self, SetupError<Invalid>> {
        setup.validate(rules)
    }

    fn to_setup(&self) -> Setup {
        let before = self.before_deployment_steps();
        Setup {
            placement: before.board.all_pieces().collect(),
            turn: self.turn,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            deployment: self.deployment.map(|deployment| SetupDeployment {
                origin: deployment.origin(),
                pending: deployment.base_pending(),
                steps: deployment.steps().collect(),
            }),
        }
    }
}

impl fmt::Debug for CoTuLenh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", sandtable_core::Notation::to_text(self), self.rules)
    }
}
