//! From unchecked data to a valid position.

use std::fmt::{self, Debug, Display};

use crate::Position;

/// Every reason why a setup is not a position. There is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError<R> {
    reasons: Vec<R>,
}

impl<R> SetupError<R> {
    /// `Ok` if there is nothing to complain about.
    pub fn check(reasons: Vec<R>) -> Result<(), Self> {
        if reasons.is_empty() { Ok(()) } else { Err(Self { reasons }) }
    }

    /// The reasons, in the order in which they were found.
    #[must_use]
    pub fn reasons(&self) -> &[R] {
        &self.reasons
    }
}

impl<R: Display> Display for SetupError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.reasons.iter().enumerate() {
            let separator = if i == 0 { "" } else { "; " };
            write!(f, "{separator}{reason}")?;
        }
        Ok(())
    }
}

impl<R: Debug + Display> std::error::Error for SetupError<R> {}

/// A position that can be made from, and taken apart into, plain data with public fields.
pub trait FromSetup: Position {
    /// Plain data: everything a position shows, nothing guaranteed.
    type Setup: Clone + Eq + Debug;
    /// One reason why a setup is no position.
    type Invalid: Clone + Eq + Debug + Display + Send + Sync + 'static;

    /// Checks a setup. An error lists *all* reasons; the setup stays with the caller, to mend it.
    fn from_setup(setup: &Self::Setup, rules: Self::Rules) -> Result<Self, SetupError<Self::Invalid>>;

    /// The position as plain data; [`from_setup`](Self::from_setup) makes an equal position of it.
    fn to_setup(&self) -> Self::Setup;
}
