//! The errors of seats, links, claims and the chat.

use sandtable_core::Describe;

/// What is wrong with a request about seats or the chat.
#[derive(Debug, thiserror::Error, Describe)]
#[code("seat")]
pub(crate) enum SeatError {
    #[error("invalid guest token: expected 32 hexadecimal digits in lower case")]
    InvalidToken,
    #[error("the link is invalid or has been used: ask for a new one")]
    InvalidLink,
    #[error("the open seat is for an invited player: ask for an invitation")]
    NotInvited,
    #[error("no seat of this game is open")]
    NoneOpen,
    #[error("only a seat that a person holds can move to another device")]
    NotHeld,
    #[error("your opponent is still there, or has not been gone for {seconds} seconds")]
    OpponentPresent { seconds: u64 },
    #[error("the chat of this game is off")]
    ChatOff,
    #[error("message too long: {length} characters, at most {limit}")]
    ChatTooLong { length: usize, limit: usize },
    #[error("the message is empty")]
    ChatEmpty,
    #[error("too many messages: wait a few seconds")]
    ChatTooFast,
}
