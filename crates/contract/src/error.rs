//! The errors of the contract: a code for programs and a message for people.

use serde::Serialize;

/// The kind of an error, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
            Self::Internal => 500,
            Self::Busy => 503,
        }
    }
}

/// The longest message, in characters: messages quote the client's input, which may be long.
const MAX_MESSAGE: usize = 1_000;

/// An error, as its JSON body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApiError {
    code: ErrorCode,
    message: String,
}

impl ApiError {
    /// An error with a code and a message.
    #[expect(clippy::needless_pass_by_value, reason = "callers pass errors and strings alike")]
    pub fn new(code: ErrorCode, message: impl ToString) -> Self {
        let mut message = message.to_string();
        if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
            message.truncate(end);
            message.push('…');
        }
        Self { code, message }
    }

    /// A malformed request.
    pub fn bad_request(message: impl ToString) -> Self {
        Self::new(ErrorCode::BadRequest, message)
    }

    /// A change that the state of the game does not allow.
    pub fn conflict(message: impl ToString) -> Self {
        Self::new(ErrorCode::Conflict, message)
    }

    /// No game has this identifier.
    #[must_use]
    pub fn game_not_found(id: &str) -> Self {
        Self::new(ErrorCode::NotFound, format!("game `{id}` not found"))
    }

    /// The contract has no such path.
    #[must_use]
    pub fn path_not_found() -> Self {
        Self::new(ErrorCode::NotFound, "path not found")
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
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}
