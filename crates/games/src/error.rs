//! The error of games whose kind is known only at run time.

use std::fmt;

use sandtable_core::Describe;
use sandtable_core::view::Message;

/// Any error of any game: an English text, and a [message](Self::message) that can be translated.
///
/// ```
/// # #[cfg(feature = "chess")] {
/// let error = sandtable_games::find("chess")?.start("club").unwrap_err();
/// assert_eq!(error.to_string(), "unknown rules `club`: expected standard or claims");
/// assert_eq!(error.message().code, "unknown_name");
/// # }
/// # Ok::<(), sandtable_games::Error>(())
/// ```
pub struct Error(Box<dyn DescribedError>);

/// An error that describes itself.
trait DescribedError: std::error::Error + Describe + Send + Sync {}

impl<E: std::error::Error + Describe + Send + Sync> DescribedError for E {}

impl Error {
    /// The code and the parameters of the error.
    #[must_use]
    pub fn message(&self) -> Message {
        self.0.message()
    }
}

impl<E: std::error::Error + Describe + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}
