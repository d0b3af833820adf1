//! Roles and actions: who may do what in a game. [`may`] is the only place that decides it.

use sandtable::core::Player;
use sandtable_core::Describe;

use crate::json::{Both, Side};
use crate::seat::{Access, Seat};

/// Who sends a request, seen from a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Holds no seat.
    Spectator,
    /// Holds the seat of this side; the other seat is open.
    Host(Side),
    /// Holds the seat of this side; another guest holds the other one.
    Player(Side),
    /// Holds every seat that people play: both, or the one against an engine. With [`Access::Open`], everyone does.
    Sole,
    /// The host itself, which plays for engines and watches the clock.
    Server,
}

impl Role {
    /// The role of a requester who holds the seats of the sides marked in `holds`.
    #[must_use]
    pub const fn of(access: Access, seats: &Both<Seat>, holds: Both<bool>) -> Self {
        if matches!(access, Access::Open) {
            return Self::Sole;
        }
        let (side, other) = match holds {
            Both { first: false, second: false } => return Self::Spectator,
            Both { first: true, second: true } => return Self::Sole,
            Both { first: true, second: false } => (Side::First, &seats.second),
            Both { first: false, second: true } => (Side::Second, &seats.first),
        };
        match other {
            Seat::Human { .. } => Self::Player(side),
            Seat::Engine { .. } => Self::Sole,
            Seat::Open => Self::Host(side),
        }
    }

    /// The sides that the role plays in a game with these seats.
    #[must_use]
    pub fn sides(self, seats: &Both<Seat>) -> Vec<Side> {
        match self {
            Self::Spectator | Self::Server => Vec::new(),
            Self::Host(side) | Self::Player(side) => vec![side],
            Self::Sole => {
                let played = |player: &Player| matches!(seats.of(*player), Seat::Human { .. });
                Player::ALL.into_iter().filter(played).map(Side::from).collect()
            }
        }
    }
}

/// What a requester wants to do with a game. Actions for one side name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads the game.
    Read,
    /// Reads the record.
    Record,
    /// Follows the changes of the game.
    Watch,
    /// Takes an open seat, or a seat that its holder transfers.
    TakeSeat,
    /// Plays a move for the side to move.
    Move,
    /// Takes back moves without asking.
    Undo,
    /// Resigns.
    Resign(Side),
    /// Offers a draw, or answers an offer.
    Draw(Side),
    /// Asks to take back a move, or answers such a request.
    TakeBack(Side),
    /// Claims a draw by a rule of the game.
    ClaimDraw(Side),
    /// Asks for advice of an engine.
    Advice(Side),
    /// Claims the win because the opponent has left.
    ClaimVictory(Side),
    /// Aborts the game before its second move.
    Abort,
    /// Starts the next game with the sides swapped.
    Rematch,
    /// Reads or writes the messages of the players.
    Chat,
    /// Creates an invitation to the open seat.
    Invite,
    /// Creates a link that moves a seat to another device.
    Transfer(Side),
    /// Deletes the game.
    Delete,
    /// Plays or answers for an engine.
    Engine,
    /// Ends the game when a clock has run out.
    Flag,
    /// Stores a review of the game.
    StoreReview,
}

/// Why a role may not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Describe)]
#[code("role")]
pub enum Denied {
    /// Only players act.
    #[error("only the players of this game can do that: you are watching")]
    Spectator,
    /// Players act for their own side.
    #[error("you play the other side: act for your own")]
    OtherSide,
    /// The opponent must agree.
    #[error("your opponent must agree: ask to take back the move")]
    NeedsConsent,
    /// The opponent has a part in the game.
    #[error("a game between two players cannot be deleted: it belongs to both")]
    NotAlone,
    /// People play each other without an engine.
    #[error("no advice in a game between two players")]
    NoAdvice,
    /// Nobody would read it.
    #[error("the chat is for two players: you play alone")]
    NobodyToChatWith,
    /// The requester holds a seat already.
    #[error("you already play in this game: open the link on another device, or send it to your opponent")]
    AlreadySeated,
    /// Only the host acts for engines and clocks.
    #[error("only the server can do that")]
    ServerOnly,
}

/// Whether a role may do something, whatever the state of the game.
pub fn may(role: Role, action: Action) -> Result<(), Denied> {
    use Action as A;
    let own = match role {
        Role::Host(side) | Role::Player(side) => Some(side),
        Role::Spectator | Role::Sole | Role::Server => None,
    };
    match (role, action) {
        (_, A::Read | A::Record | A::Watch)
        | (Role::Spectator, A::TakeSeat)
        | (Role::Server, A::Engine | A::Flag | A::StoreReview) => Ok(()),
        (Role::Spectator, _) => Err(Denied::Spectator),
        (Role::Server, _) | (_, A::Engine | A::Flag | A::StoreReview) => Err(Denied::ServerOnly),
        (_, A::TakeSeat) => Err(Denied::AlreadySeated),
        (Role::Player(_), A::Undo) => Err(Denied::NeedsConsent),
        (Role::Player(_), A::Delete) => Err(Denied::NotAlone),
        (Role::Player(_), A::Advice(_)) => Err(Denied::NoAdvice),
        (Role::Sole, A::Chat) => Err(Denied::NobodyToChatWith),
        (
            _,
            A::Resign(side)
            | A::Draw(side)
            | A::TakeBack(side)
            | A::ClaimDraw(side)
            | A::Advice(side)
            | A::ClaimVictory(side)
            | A::Transfer(side),
        ) if own.is_some_and(|own| own != side) => Err(Denied::OtherSide),
        (Role::Host(_) | Role::Player(_) | Role::Sole, _) => Ok(()),
    }
}
