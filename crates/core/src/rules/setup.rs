//! From unchecked data to a valid position.

use std::fmt::{self, Debug, Display};

use crate::view::{Codes, Message, Param};
use crate::{Describe, Position};

/// Every reason why a setup is not a valid position: at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError<R> {
    reasons: Vec<R>,
}

impl<R> SetupError<R> {
    /// The error with a single reason.
    #[must_use]
    pub fn one(reason: R) -> Self {
        Self { reasons: vec![reason] }
    }

    /// Returns `Ok` if there are no reasons.
    pub fn check(reasons: Vec<R>) -> Result<(), Self> {
        if reasons.is_empty() { Ok(()) } else { Err(Self { reasons }) }
    }

    /// The reasons, in the order they were found.
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

impl<R: Describe> Describe for SetupError<R> {
    fn message(&self) -> Message {
        let reasons = self.reasons.iter().map(Param::message).collect();
        Message::new("setup").with("reasons", Param::List(reasons))
    }

    fn collect_codes(codes: &mut Codes) {
        if codes.enter::<Self>() {
            codes.add::<Self>("setup", &["reasons"]);
            R::collect_codes(codes);
        }
    }
}

/// A position that converts from and to plain data with public fields.
pub trait FromSetup: Position {
    /// Plain, unchecked data: everything that describes a position.
    type Setup: Clone + Eq + Debug;
    /// A reason why a setup is not a valid position.
    type Invalid: Clone + Eq + Debug + Describe + Send + Sync + 'static;

    /// Validates a setup. The error lists *all* reasons.
    fn from_setup(setup: &Self::Setup, rules: Self::Rules) -> Result<Self, SetupError<Self::Invalid>>;

    /// The position as plain data. [`from_setup`](Self::from_setup) turns it back into an equal position.
    fn to_setup(&self) -> Self::Setup;
}
