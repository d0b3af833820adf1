//! The errors of the contract: a code for programs, a message for people, and what a translation of it needs.

use std::collections::BTreeMap;

use sandtable_core::Describe;
use sandtable_core::view::{Codes, Message, Param};
use serde::Serialize;

use crate::request_error::{GameConflict, RequestError};
use crate::roles::Denied;

/// The kind of an error, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorCode {
    /// The request is malformed.
    BadRequest,
    /// The game, rules, position or setup cannot be read.
    InvalidPosition,
    /// A move cannot be read or is illegal.
    IllegalMove,
    /// A record cannot be read.
    InvalidRecord,
    /// The client may not do this.
    Forbidden,
    /// There is no such game or path.
    NotFound,
    /// The path exists, but not with this method.
    MethodNotAllowed,
    /// The client took too long.
    RequestTimeout,
    /// The state of the game does not allow the change.
    Conflict,
    /// The request is too long.
    PayloadTooLarge,
    /// The request is not JSON.
    UnsupportedMediaType,
    /// The client uses more than its share.
    TooManyRequests,
    /// The host cannot answer now.
    Busy,
    /// A defect of the host.
    Internal,
}

impl ErrorCode {
    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::BadRequest => 400,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::MethodNotAllowed => 405,
            Self::RequestTimeout => 408,
            Self::Conflict => 409,
            Self::PayloadTooLarge => 413,
            Self::UnsupportedMediaType => 415,
            Self::InvalidPosition | Self::IllegalMove | Self::InvalidRecord => 422,
            Self::TooManyRequests => 429,
            Self::Internal => 500,
            Self::Busy => 503,
        }
    }
}

/// The longest message and parameter, in characters: messages quote the client's input, which may be long.
const MAX_MESSAGE: usize = 1_000;

/// Cuts a text that is too long for a message.
fn shorten(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_MESSAGE) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// The sentence of a message and its parameters, for clients that translate it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Detail {
    /// The code of the sentence, such as `chess_fen.ranks`.
    pub code: String,
    /// The parameters by name.
    pub params: BTreeMap<&'static str, DetailParam>,
}

/// A parameter of a [`Detail`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum DetailParam {
    /// Text that is the same in every language: user input, a move, a square.
    Text(String),
    /// A number.
    Number(i64),
    /// A word of the game in English: a piece, a player, the reason of an end.
    Term {
        /// The word.
        term: String,
    },
    /// A sentence within the sentence.
    Message(Detail),
    /// Several messages, or alternatives.
    List(Vec<Self>),
}

impl From<Message> for Detail {
    fn from(message: Message) -> Self {
        let params = message.params.into_iter().map(|(name, param)| (name, param.into()));
        Self { code: message.code.into_owned(), params: params.collect() }
    }
}

impl From<Param> for DetailParam {
    fn from(param: Param) -> Self {
        match param {
            Param::Text(text) => Self::Text(shorten(text)),
            Param::Number(number) => Self::Number(number),
            Param::Term(term) => Self::Term { term },
            Param::Message(message) => Self::Message(message.into()),
            Param::List(list) => Self::List(list.into_iter().map(Self::from).collect()),
        }
    }
}

/// Adds the codes of every [`Detail`] that this crate can return.
pub fn collect_codes(codes: &mut Codes) {
    RequestError::collect_codes(codes);
    GameConflict::collect_codes(codes);
    Denied::collect_codes(codes);
}

/// An error, as its JSON body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "ErrorBody"))]
pub struct ApiError {
    code: ErrorCode,
    message: String,
    detail: Detail,
    /// After how many seconds the request may succeed: a header of the response, not a part of its body.
    #[serde(skip)]
    retry_after: Option<u64>,
}

impl ApiError {
    /// An error with a code and its description.
    pub fn new(code: ErrorCode, error: &impl Describe) -> Self {
        Self { code, message: shorten(error.to_string()), detail: error.message().into(), retry_after: None }
    }

    /// A malformed request.
    pub fn bad_request(error: &impl Describe) -> Self {
        Self::new(ErrorCode::BadRequest, error)
    }

    /// A request that is not JSON of the right form.
    #[must_use]
    pub fn malformed(reason: &impl std::fmt::Display) -> Self {
        Self::bad_request(&RequestError::Malformed { text: reason.to_string() })
    }

    /// Something that the client may not do.
    pub fn forbidden(error: &impl Describe) -> Self {
        Self::new(ErrorCode::Forbidden, error)
    }

    /// A change that the state of the game does not allow.
    pub fn conflict(error: &impl Describe) -> Self {
        Self::new(ErrorCode::Conflict, error)
    }

    /// No game has this identifier.
    #[must_use]
    pub fn game_not_found(id: &str) -> Self {
        Self::new(ErrorCode::NotFound, &GameConflict::NotFound { id: id.to_owned() })
    }

    /// The contract has no such path.
    #[must_use]
    pub fn path_not_found() -> Self {
        Self::new(ErrorCode::NotFound, &RequestError::PathNotFound)
    }

    /// The same error for a request that may succeed after some seconds.
    #[must_use]
    pub fn with_retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// After how many seconds the request may succeed, if that is known.
    #[must_use]
    pub const fn retry_after(&self) -> Option<u64> {
        self.retry_after
    }

    /// The code for programs.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The message for people.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What a translation of the message needs.
    #[must_use]
    pub const fn detail(&self) -> &Detail {
        &self.detail
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}
