//! Unchecked positions, and the validator that turns them into positions.

use std::collections::BTreeMap;

use sandtable_core::rules::SetupError;
use sandtable_core::{Describe, Player, Position};

use crate::{Board, CoTuLenh, Kind, KindSet, Rules, Square, Stack, Step};

/// Everything that makes up a position, as plain data that may be invalid.
///
/// ```
/// use sandtable_core::{FromSetup, Notation, Player};
/// use sandtable_cotulenh::{CoTuLenh, Kind, KindSet, Rules, Setup, Square, Stack};
///
/// let mut setup = Setup::default();
/// for (square, owner) in [(Square::G1, Player::First), (Square::E12, Player::Second)] {
///     setup.placement.insert(square, Stack::new(owner, Kind::Commander.only(), KindSet::EMPTY)?);
/// }
/// let position = CoTuLenh::from_setup(&setup, Rules::STANDARD)?;
/// assert_eq!(position.to_text(), "4c6/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The stacks on their squares; if a deployment is in progress, those before its steps.
    pub placement: BTreeMap<Square, Stack>,
    /// The side to move.
    pub turn: Player,
    /// The half-move clock: turns since the last capture.
    pub halfmoves: u16,
    /// The full-move number, which starts at 1 and increases after Blue's turn.
    pub fullmoves: u16,
    /// The deployment in progress.
    pub deployment: Option<SetupDeployment>,
}

/// A deployment in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupDeployment {
    /// The square of the stack.
    pub origin: Square,
    /// `None` if `steps` are all the steps of the turn. Otherwise, the earlier steps are unknown, as in a decoded
    /// observation, and these are the pieces on the origin that were pending before `steps`.
    pub pending: Option<KindSet>,
    /// The steps made.
    pub steps: Vec<Step>,
}

/// An empty board with Red to move.
impl Default for Setup {
    fn default() -> Self {
        Self { placement: BTreeMap::new(), turn: Player::First, halfmoves: 0, fullmoves: 1, deployment: None }
    }
}

/// One reason why a setup is not a valid position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("cotulenh_setup")]
#[non_exhaustive]
pub enum Invalid {
    /// A stack is on terrain where its carrier may not stand.
    #[error("{stack} may not stand on {square}: {}", TerrainRule::of(*.stack))]
    Terrain {
        /// The square.
        square: Square,
        /// The stack on it.
        #[param()]
        #[param(name = "rule", message = TerrainRule, value = TerrainRule::of(*stack))]
        stack: Stack,
    },
    /// A player has more than one commander.
    #[error("{} has commanders on {} and {}: expected at most one", crate::player_name(*.owner), .squares[0], .squares[1])]
    TwoCommanders {
        /// The player.
        #[param(name = "player", term, value = crate::player_name(*owner))]
        owner: Player,
        /// The squares of the first two.
        #[param(name = "first", value = squares[0])]
        #[param(name = "second", value = squares[1])]
        squares: [Square; 2],
    },
    /// The rules do not allow the stack.
    #[error(
        "{stack} on {square} is not a valid stack: under these rules a Navy may not carry a Tank and a soldier"
    )]
    StackNotAllowed {
        /// The square.
        square: Square,
        /// The stack on it.
        stack: Stack,
    },
    /// A passenger is heroic under rules that allow only heroic carriers.
    #[error(
        "{stack} on {square} has a heroic passenger: under these rules only the carrier may be heroic (carrier only)"
    )]
    HeroicPassenger {
        /// The square.
        square: Square,
        /// The stack on it.
        stack: Stack,
    },
    /// The full-move number is 0.
    #[error("full-move number 0: expected at least 1")]
    FullMoves,
    /// The side to move has no stack on the origin of the deployment.
    #[error("deployment on {origin}: the side to move has no stack there")]
    NoStackToDeploy {
        /// The origin.
        origin: Square,
    },
    /// The deployment has neither steps nor pending pieces.
    #[error("deployment on {origin}: expected at least one step")]
    NoStep {
        /// The origin.
        origin: Square,
    },
    /// The pending pieces are not all on the origin, or there are none.
    #[error("deployment on {origin}: expected pending pieces out of the stack there, found {pending}")]
    InvalidPending {
        /// The origin.
        origin: Square,
        /// The pieces given as pending.
        pending: KindSet,
    },
    /// A step of the deployment is illegal.
    #[error("deployment on {origin}: step {number} is not legal")]
    IllegalStep {
        /// The origin.
        origin: Square,
        /// The number of the step, from 1.
        number: usize,
    },
    /// A step of the deployment completes the turn.
    #[error("deployment on {origin}: step {number} completes the turn, so no deployment is in progress")]
    DeploymentOver {
        /// The origin.
        origin: Square,
        /// The number of the step, from 1.
        number: usize,
    },
    /// The turn cannot be completed legally.
    #[error("deployment on {origin}: no continuation completes the turn legally")]
    DeploymentStuck {
        /// The origin.
        origin: Square,
    },
}

/// The rule about terrain that a stack breaks.
#[derive(Debug, thiserror::Error, Describe)]
#[code("cotulenh_terrain")]
enum TerrainRule {
    #[error("a Navy may stand only on files a to c and on d6, e6, d7, e7")]
    Navy,
    #[error("files a and b are water, open to the Navy only")]
    Land,
}

impl TerrainRule {
    const fn of(stack: Stack) -> Self {
        match stack.carrier() {
            Kind::Navy => Self::Navy,
            _ => Self::Land,
        }
    }
}

impl Setup {
    /// Validates the setup. Every position from data goes through this function.
    ///
    /// The steps of a deployment can only be checked on a valid board, so an error about them is reported alone.
    pub(crate) fn validate(&self, rules: Rules) -> Result<CoTuLenh, SetupError<Invalid>> {
        let mut reasons = Vec::new();
        self.check_placement(rules, &mut reasons);
        if self.fullmoves == 0 {
            reasons.push(Invalid::FullMoves);
        }
        if let Some(deployment) = &self.deployment {
            self.check_origin(deployment, &mut reasons);
        }
        SetupError::check(reasons)?;

        let board: Board = self.placement.iter().map(|(&square, &stack)| (square, stack)).collect();
        let position = CoTuLenh::between_turns(&board, self.turn, rules, self.halfmoves, self.fullmoves);
        match &self.deployment {
            None => Ok(position),
            Some(deployment) => replay(&position, deployment)
                .map_err(|reason| SetupError::check(vec![reason]).expect_err("there is a reason")),
        }
    }

    fn check_placement(&self, rules: Rules, reasons: &mut Vec<Invalid>) {
        for (&square, &stack) in &self.placement {
            let waits = self.deployment.as_ref().is_some_and(|d| d.origin == square && d.pending.is_some());
            if !waits && !stack.kinds().may_end_turn_on(square) {
                reasons.push(Invalid::Terrain { square, stack });
            }
            if !rules.allow_stack(stack.kinds()) {
                reasons.push(Invalid::StackNotAllowed { square, stack });
            }
            if !rules.heroism.eligible(stack.kinds()).contains_all(stack.heroes()) {
                reasons.push(Invalid::HeroicPassenger { square, stack });
            }
        }
        for owner in Player::ALL {
            let is_commander =
                |stack: &Stack| stack.owner() == owner && stack.kinds().contains(Kind::Commander);
            let mut commanders =
                self.placement.iter().filter(|(_, stack)| is_commander(stack)).map(|(square, _)| *square);
            if let (Some(first), Some(second)) = (commanders.next(), commanders.next()) {
                reasons.push(Invalid::TwoCommanders { owner, squares: [first, second] });
            }
        }
    }

    fn check_origin(&self, deployment: &SetupDeployment, reasons: &mut Vec<Invalid>) {
        let &SetupDeployment { origin, pending, ref steps } = deployment;
        let stack = self.placement.get(&origin).filter(|stack| stack.owner() == self.turn);
        match (stack, pending) {
            (None, _) => reasons.push(Invalid::NoStackToDeploy { origin }),
            (Some(stack), Some(pending)) if pending.is_empty() || !stack.kinds().contains_all(pending) => {
                reasons.push(Invalid::InvalidPending { origin, pending });
            }
            _ => {}
        }
        if pending.is_none() && steps.is_empty() {
            reasons.push(Invalid::NoStep { origin });
        }
    }
}

/// Plays the steps of a deployment that begins in a valid position.
fn replay(position: &CoTuLenh, deployment: &SetupDeployment) -> Result<CoTuLenh, Invalid> {
    let &SetupDeployment { origin, pending, ref steps } = deployment;
    let mut position = position.with_deployment(origin, pending);
    for (number, &step) in (1..).zip(steps) {
        if position.deployment().is_none() {
            return Err(Invalid::DeploymentOver { origin, number: number - 1 });
        }
        if !position.is_legal(step) || matches!(step, Step::End { .. }) {
            return Err(Invalid::IllegalStep { origin, number });
        }
        position.play_unchecked(step);
    }
    if position.deployment().is_none() {
        Err(Invalid::DeploymentOver { origin, number: steps.len() })
    } else if position.has_legal_move() {
        Ok(position)
    } else {
        Err(Invalid::DeploymentStuck { origin })
    }
}
