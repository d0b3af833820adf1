//! Plain data that may become a position.

use sandtable_core::Player;

use crate::{Board, Heroism, Kind, KindSet, Rules, Square, Stack, Step};

/// Everything that a position shows, with nothing guaranteed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands where: before the steps of a deployment, if there is one.
    pub board: Board,
    /// Who is to move.
    pub turn: Player,
    /// Turns since the last capture.
    pub halfmoves: u16,
    /// The number of the move, counted up after Blue's turn; at least 1.
    pub fullmoves: u16,
    /// The deployment in progress.
    pub deployment: Option<SetupDeployment>,
}

/// A deployment in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupDeployment {
    /// Where the stack stands.
    pub origin: Square,
    /// `None` if `steps` are all that the turn has seen so far. If its beginning is not known, as in a decoded
    /// observation: the pieces on the origin that have not acted before `steps`.
    pub pending: Option<KindSet>,
    /// The steps made.
    pub steps: Vec<Step>,
}

/// One reason why a setup is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// A stack is on ground where its carrier may not stand.
    #[error("{stack} may not stand on {square}: {}", why_not(*.stack))]
    Terrain {
        /// The square.
        square: Square,
        /// The stack on it.
        stack: Stack,
    },
    /// A player has more than one commander.
    #[error("{} has commanders on {} and {}: one is allowed", crate::colour_name(*.owner), .squares[0], .squares[1])]
    TwoCommanders {
        /// Whose they are.
        owner: Player,
        /// Where the first two stand.
        squares: [Square; 2],
    },
    /// The rules do not allow this stack.
    #[error("{stack} on {square}: these rules let no Navy carry a Tank and a soldier together")]
    StackNotAllowed {
        /// The square.
        square: Square,
        /// The stack on it.
        stack: Stack,
    },
    /// A passenger is heroic where only carriers can be.
    #[error(
        "{stack} on {square} has a heroic passenger: by these rules only a carrier is heroic (carrier only)"
    )]
    HeroicPassenger {
        /// The square.
        square: Square,
        /// The stack on it.
        stack: Stack,
    },
    /// Moves are counted from 1.
    #[error("the full-move number is 0: moves are counted from 1")]
    FullMoves,
    /// The deployment is not one of the player to move.
    #[error("a deployment on {origin}: no stack of the player to move stands there")]
    NoStackToDeploy {
        /// Where it is said to be.
        origin: Square,
    },
    /// Nothing says how the deployment began.
    #[error("a deployment on {origin}: it begins with a step")]
    NoStep {
        /// Where it is.
        origin: Square,
    },
    /// The pieces said to be pending are not all there, or there are none.
    #[error("a deployment on {origin}: {pending:?} cannot be pending there")]
    NothingPending {
        /// Where it is.
        origin: Square,
        /// The pieces said to be pending.
        pending: KindSet,
    },
    /// A step of the deployment is not legal.
    #[error("a deployment on {origin}: step {number} is not legal")]
    IllegalStep {
        /// Where it is.
        origin: Square,
        /// The number of the step, from 1.
        number: usize,
    },
    /// The steps of the deployment complete the turn.
    #[error("a deployment on {origin}: step {number} ends the turn, so none is in progress")]
    DeploymentOver {
        /// Where it is.
        origin: Square,
        /// The number of the step, from 1.
        number: usize,
    },
    /// Nothing that the player could do would end the turn legally.
    #[error("a deployment on {origin}: no way to go on ends the turn legally")]
    DeploymentStuck {
        /// Where it is.
        origin: Square,
    },
}

const fn why_not(stack: Stack) -> &'static str {
    match stack.carrier() {
        Kind::Navy => "a Navy stands on files a to c and on the river squares d6, e6, d7, e7",
        _ => "files a and b are water, where only a Navy stands",
    }
}

impl Setup {
    /// Everything that is wrong with the board and the counters, in the order of the squares.
    pub(crate) fn complaints(&self, rules: Rules) -> Vec<Invalid> {
        let mut reasons = Vec::new();
        for square in Square::all() {
            let Some(stack) = self.board.get(square) else { continue };
            // Within a turn pieces may wait where they may not stay.
            let waits = self.deployment.as_ref().is_some_and(|d| d.origin == square && d.pending.is_some());
            if !waits && !stack.carrier().may_stand(square) {
                reasons.push(Invalid::Terrain { square, stack });
            }
            if !rules.allow_stack(stack.kinds()) {
                reasons.push(Invalid::StackNotAllowed { square, stack });
            }
            if rules.heroism == Heroism::CarrierOnly && stack.hero_slots() > 1 {
                reasons.push(Invalid::HeroicPassenger { square, stack });
            }
        }
        for owner in Player::ALL {
            let mut commanders =
                self.board.pieces(owner).filter(|(_, stack)| stack.kinds().contains(Kind::Commander));
            if let (Some((first, _)), Some((second, _))) = (commanders.next(), commanders.next()) {
                reasons.push(Invalid::TwoCommanders { owner, squares: [first, second] });
            }
        }
        if self.fullmoves == 0 {
            reasons.push(Invalid::FullMoves);
        }
        reasons
    }
}
