//! What is wrong with a request.

use sandtable::games::GameOver;
use sandtable_core::Describe;
use sandtable_core::view::{Codes, Message};

/// What is wrong with a request, apart from the errors of a game.
#[derive(Debug, thiserror::Error, Describe)]
#[code("request")]
pub(crate) enum RequestError {
    #[error("path not found")]
    PathNotFound,
    #[error("malformed request: {text}")]
    Malformed { text: String },
    #[error("position too long: {length} bytes, at most {limit}")]
    PositionTooLong { length: usize, limit: usize },
    #[error("move too long: {length} bytes, at most {limit}")]
    MoveTooLong { length: usize, limit: usize },
    #[error("record too long: {length} bytes, at most {limit}")]
    RecordTooLong { length: usize, limit: usize },
    #[error("player name too long: {length} characters, at most {limit}")]
    NameTooLong { length: usize, limit: usize },
    #[error("too many moves: {count}, at most {limit}")]
    TooManyMoves { count: usize, limit: usize },
    #[error("too many tags: {count}, at most {limit}")]
    TooManyTags { count: usize, limit: usize },
    #[error("tags too long: {length} bytes, at most {limit}")]
    TagsTooLong { length: usize, limit: usize },
    #[error("unknown level {level}: expected 0 to 9")]
    UnknownLevel { level: u8 },
    #[error(
        "clock out of range: expected an initial time and a game limit from 1 second to 31 days, and an increment and a delay of at most 31 days"
    )]
    Clock,
    #[error("a game cannot start from this position: {end}")]
    OverAtStart {
        #[param(message)]
        end: GameOver,
    },
    #[error("an open seat needs a human in the other one")]
    OpenSeats,
    #[error(
        "open seats, the lobby, public games and the chat need a server with seats: start it with --seats"
    )]
    NeedsSeats,
    #[error("only a game with an open seat can be in the lobby")]
    NothingToOffer,
    #[error("expected either `text` or `index`")]
    TextOrIndex,
    #[error("`{field}` out of range: {value}, expected {minimum} to {maximum}")]
    OutOfRange { field: &'static str, value: u64, minimum: u64, maximum: u64 },
    #[error("`{field}` out of range: {value}, expected at least {minimum}")]
    TooSmall { field: &'static str, value: u64, minimum: u64 },
    #[error("the review takes more than {seconds} s: review a shorter game or use fewer `nodes`")]
    ReviewTooLong { seconds: u64 },
    #[error("this host has no network for {game} with these rules")]
    NoNetwork {
        #[param(term)]
        game: &'static str,
    },
    #[error("the network of this host cannot be evaluated")]
    NetworkFailed,
    #[error("the game has no complete turn to review")]
    NothingToReview,
    #[error("the annotations contain no review of this game")]
    NoReview,
    #[error("expected the moves of one complete turn")]
    NotOneTurn,
    #[error("move {number}: {error}")]
    AtMove {
        number: usize,
        #[param(message)]
        error: Box<RequestError>,
    },
    #[error(transparent)]
    Game(#[from] GameError),
}

/// An error of a game.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) struct GameError(#[from] pub(crate) sandtable::Error);

impl Describe for GameError {
    fn message(&self) -> Message {
        self.0.message()
    }

    fn collect_codes(codes: &mut Codes) {
        sandtable::games::collect_codes(codes);
    }
}

impl From<sandtable::Error> for RequestError {
    fn from(error: sandtable::Error) -> Self {
        Self::Game(GameError(error))
    }
}

/// Why the state of a stored game does not allow a change.
#[derive(Debug, thiserror::Error, Describe)]
#[code("game")]
pub(crate) enum GameConflict {
    #[error("game `{id}` not found")]
    NotFound { id: String },
    #[error("stale version {expected}: the game is at version {version}")]
    StaleVersion { expected: u64, version: u64 },
    #[error("time has run out")]
    TimeOut,
    #[error("no clock has run out")]
    NoFlag,
    #[error("no move to take back")]
    NothingToTakeBack,
    #[error("your opponent has not taken the seat yet")]
    SeatOpen,
    #[error("the seat is taken")]
    SeatTaken,
    #[error("it is your opponent's turn")]
    NotYourTurn,
    #[error("a loss on time cannot be taken back")]
    FlagStays,
    #[error("there is nothing to ask: you play alone")]
    NobodyToAsk,
    #[error("a request to take back a move is already open")]
    TakeBackOpen,
    #[error("no request to take back a move is open")]
    NoTakeBack,
    #[error("the request to take back a move is your own: only your opponent can answer it")]
    OwnTakeBack,
    #[error("the request to take back a move is your opponent's: accept or decline it")]
    OpponentsTakeBack,
    #[error("the engine has declined a draw in this position: offer again after a move")]
    DrawDeclined,
    #[error("no draw can be claimed in this position")]
    NothingToClaim,
    #[error("only the player to move can claim a draw")]
    ClaimOnOwnTurn,
    #[error("only the player to move can ask for advice")]
    AdviceOnOwnTurn,
    #[error("the game cannot be aborted any more: both players have moved, or it is over")]
    NotAbortable,
    #[error("the game is not over: a rematch starts after its end")]
    NotOver,
    #[error("the game is not over: it can be reviewed after its end")]
    ReviewBeforeEnd,
    #[error("the next game has been started already")]
    RematchStarted,
    #[error("{player} is played by the engine")]
    EngineSeat {
        #[param(term)]
        player: &'static str,
    },
}
