//! A valid position, and how steps change it.

use std::fmt;
use std::ops::ControlFlow;

use sandtable_core::{
    ByPlayer, EndReason, FromSetup, Outcome, Player, Position as GamePosition, SetupError, zobrist,
};

use crate::movegen::{Generator, attack};
use crate::{
    Action, Board, Deployment, Invalid, Kind, KindSet, Rules, Setup, SetupDeployment, Square, Stack, Step,
};

/// A position of Cờ Tư Lệnh, whole turns and deployments in progress alike.
///
/// # Equality
///
/// Two positions are equal if they have the same board, turn, counters and rules, and came to the same deployment in
/// progress by the same steps. Repetition asks for less: see
/// [`same_position`](sandtable_core::Position::same_position).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    turn: Player,
    rules: Rules,
    halfmoves: u16,
    fullmoves: u16,
    deployment: Option<Deployment>,
}

/// A search copies positions by the million.
const _: () = assert!(size_of::<Position>() <= 640);

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A commander was captured.
    CommanderCaptured,
    /// The commander is attacked and no turn is legal.
    Checkmate,
    /// No turn is legal, and the commander is not attacked.
    Stalemate,
    /// The position occurred for the third time.
    Threefold,
    /// A hundred turns without a capture.
    HundredTurns,
    /// A player gave up.
    Resignation,
    /// The players agreed to a draw.
    Agreement,
    /// A player's time ran out.
    Time,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 8] = [
        Self::CommanderCaptured,
        Self::Checkmate,
        Self::Stalemate,
        Self::Threefold,
        Self::HundredTurns,
        Self::Resignation,
        Self::Agreement,
        Self::Time,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CommanderCaptured => "commander captured",
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Threefold => "threefold repetition",
            Self::HundredTurns => "a hundred turns without a capture",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::Time => "time",
        })
    }
}

impl EndReason for Reason {
    const RESIGNATION: Self = Self::Resignation;
    const AGREEMENT: Self = Self::Agreement;
    const TIME: Self = Self::Time;
}

impl Position {
    /// Draws are called when this many turns have passed without a capture.
    pub const DRAW_CLOCK: u16 = 100;

    /// What stands where, the steps of a deployment in progress included.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The deployment in progress.
    #[must_use]
    pub const fn deployment(&self) -> Option<&Deployment> {
        self.deployment.as_ref()
    }

    /// Turns since the last capture.
    #[must_use]
    pub const fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the move, from 1, counted up after Blue's turn.
    #[must_use]
    pub const fn fullmoves(&self) -> u16 {
        self.fullmoves
    }

    pub(crate) const fn mover(&self) -> Player {
        self.turn
    }

    pub(crate) const fn rule_set(&self) -> Rules {
        self.rules
    }

    /// This position with a deployment begun on `origin`, of all pieces there or of those named. `None` if there are no
    /// such pieces of the player to move, or one is in progress already.
    pub(crate) fn with_deployment(&self, origin: Square, pending: Option<KindSet>) -> Option<Self> {
        let stack = self.board.get(origin).filter(|stack| stack.owner() == self.turn)?;
        let deployment = Deployment::begin(&self.board, origin, stack, pending);
        let pending = deployment.pending();
        let possible =
            self.deployment.is_none() && !pending.is_empty() && stack.kinds().contains_all(pending);
        possible.then_some(Self { deployment: Some(deployment), ..*self })
    }

    /// This position, between two turns, with the other player to move.
    pub(crate) fn passed(&self) -> Self {
        debug_assert!(self.deployment.is_none());
        Self { turn: !self.turn, ..*self }
    }

    /// The beginning of the deployment in progress; the position itself if there is none.
    pub(crate) fn before_deployment_steps(&self) -> Self {
        let Some(deployment) = &self.deployment else { return *self };
        let before = Self { board: deployment.board_before(self.board), deployment: None, ..*self };
        before
            .with_deployment(deployment.origin(), deployment.base_pending())
            .expect("the deployment began with pieces of the player to move")
    }

    /// Plays a step that is known to be possible.
    pub(crate) fn play_step(&mut self, step: Step) {
        match step {
            Step::End { .. } => {
                let captured = self.deployment.is_some_and(|deployment| deployment.has_captured());
                self.end_turn(captured);
            }
            Step::Whole { from, to, action } => {
                let stack = self.board.get(from).expect("a stack stands where a move begins");
                self.act(from, stack, stack.kinds(), to, action);
                self.end_turn(action.is_capture());
            }
            Step::Deploy { from, to, group, action } => {
                let stack = self.board.get(from).expect("a stack stands where a deployment begins");
                let deployment =
                    self.deployment.unwrap_or_else(|| Deployment::begin(&self.board, from, stack, None));
                let replaced = self.board.get(to);
                self.act(from, stack, group, to, action);
                self.deployment = deployment.after(group, to, action, replaced);
                // A captured commander ends the game, and the turn with it.
                if self.deployment.is_none() || self.board.commander(!self.turn).is_none() {
                    self.end_turn(action.is_capture() || deployment.has_captured());
                }
            }
        }
    }

    fn act(&mut self, from: Square, stack: Stack, group: KindSet, to: Square, action: Action) {
        if action == Action::StayCapture {
            self.board.set(to, None);
        } else {
            let movers = stack.only(group);
            self.board.set(from, stack.only(stack.kinds().without(group)));
            let arrived = match action {
                Action::SuicideCapture => None,
                Action::Combine => {
                    self.board.get(to).zip(movers).map(|(there, movers)| self.combined(there, movers))
                }
                Action::Move | Action::Capture | Action::StayCapture => movers,
            };
            self.board.set(to, arrived);
        }
        self.rules.heroism.promote(&mut self.board, self.turn);
    }

    fn combined(&self, there: Stack, movers: Stack) -> Stack {
        let kinds = there.kinds().with(movers.kinds());
        let heroes = there.heroes().with(movers.heroes());
        Stack::pack(there.owner(), kinds, self.rules.heroism.kept(kinds, heroes))
    }

    fn end_turn(&mut self, captured: bool) {
        self.deployment = None;
        self.halfmoves = if captured { 0 } else { self.halfmoves.saturating_add(1) };
        if self.turn == Player::Second {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        self.turn = !self.turn;
    }

    /// The player whose commander is gone.
    fn without_commander(&self) -> Option<Player> {
        [self.turn, !self.turn].into_iter().find(|&owner| self.board.commander(owner).is_none())
    }
}

impl GamePosition for Position {
    type Move = Step;
    type Rules = Rules;
    type Reason = Reason;
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
        self.play_step(step);
    }

    fn check(&self) -> Option<bool> {
        Some(attack::is_attacked(&self.board, self.turn))
    }

    fn outcome(&self, occurrences: u32) -> Outcome<Reason> {
        if let Some(loser) = self.without_commander() {
            return Outcome::Win { winner: !loser, reason: Reason::CommanderCaptured };
        }
        if !self.has_legal_move() {
            return if attack::is_attacked(&self.board, self.turn) {
                Outcome::Win { winner: !self.turn, reason: Reason::Checkmate }
            } else {
                Outcome::Draw { reason: Reason::Stalemate }
            };
        }
        if occurrences >= 3 {
            Outcome::Draw { reason: Reason::Threefold }
        } else if self.halfmoves >= Self::DRAW_CLOCK {
            Outcome::Draw { reason: Reason::HundredTurns }
        } else {
            Outcome::Ongoing
        }
    }

    fn hash64(&self) -> u64 {
        /// Who is to move, then the origin of a deployment, then the kinds that are pending.
        static KEYS: [u64; 1 + Square::NUM + Kind::NUM] = zobrist::keys(u64::from_be_bytes(*b"CoTuTurn"));
        let mut hash = self.board.hash();
        if self.turn == Player::Second {
            hash ^= KEYS[0];
        }
        if let Some(deployment) = &self.deployment {
            hash ^= KEYS[1 + deployment.origin().dense()];
            for kind in deployment.pending().iter() {
                hash ^= KEYS[1 + Square::NUM + kind.index()];
            }
        }
        hash
    }

    fn same_position(&self, other: &Self) -> bool {
        let deploying = |position: &Self| position.deployment.map(|d| (d.origin(), d.pending()));
        self.turn == other.turn && self.board == other.board && deploying(self) == deploying(other)
    }

    fn cuts_history(&self, before: &Self) -> bool {
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

impl FromSetup for Position {
    type Setup = Setup;
    type Invalid = Invalid;

    fn from_setup(setup: &Setup, rules: Rules) -> Result<Self, SetupError<Invalid>> {
        SetupError::check(setup.complaints(rules))?;
        let position = Self::unchecked(setup, rules);
        match &setup.deployment {
            None => Ok(position),
            Some(deployment) => {
                position.deploying(deployment).map_err(|reason| SetupError::check(vec![reason]).unwrap_err())
            }
        }
    }

    fn to_setup(&self) -> Setup {
        let before = self.before_deployment_steps();
        Setup {
            board: before.board,
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

impl Position {
    /// The setup as a position, without its deployment and without a look at what is wrong with it.
    pub(crate) fn unchecked(setup: &Setup, rules: Rules) -> Self {
        let Setup { board, turn, halfmoves, fullmoves, .. } = *setup;
        Self { board, turn, rules, halfmoves, fullmoves, deployment: None }
    }

    /// This position with the steps of a deployment played.
    fn deploying(&self, deployment: &SetupDeployment) -> Result<Self, Invalid> {
        let &SetupDeployment { origin, pending, ref steps } = deployment;
        if self.board.get(origin).is_none_or(|stack| stack.owner() != self.turn) {
            return Err(Invalid::NoStackToDeploy { origin });
        }
        if pending.is_none() && steps.is_empty() {
            return Err(Invalid::NoStep { origin });
        }
        let nothing = Invalid::NothingPending { origin, pending: pending.unwrap_or_default() };
        let mut position = self.with_deployment(origin, pending).ok_or(nothing)?;
        for (number, &step) in (1..).zip(steps) {
            if !position.is_legal(step) || matches!(step, Step::End { .. }) {
                return Err(Invalid::IllegalStep { origin, number });
            }
            position.play_step(step);
            if position.deployment.is_none() {
                return Err(Invalid::DeploymentOver { origin, number });
            }
        }
        if position.has_legal_move() { Ok(position) } else { Err(Invalid::DeploymentStuck { origin }) }
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", sandtable_core::Notation::to_text(self), self.rules)
    }
}
