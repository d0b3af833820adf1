//! Serde support (feature `serde`).
//!
//! Players are `"first"` and `"second"`; an outcome is a map with `winner` and `reason`; a draw offer names its player.
//!
//! ```
//! use sandtable_core::{Outcome, Player};
//!
//! let outcome = Outcome::Win { winner: Player::First, reason: "checkmate" };
//! let json = serde_json::to_string(&outcome).unwrap();
//! assert_eq!(json, r#"{"result":"win","winner":"first","reason":"checkmate"}"#);
//! ```
//!
//! [`position`] helps a game crate to implement the two traits for its position type.

use std::fmt::Display;

use ::serde::de::{Error as _, Unexpected};
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rules::{DrawOffer, EndRule, Reason};
use crate::{Outcome, Player};

impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match &*String::deserialize(deserializer)? {
            "first" => Ok(Self::First),
            "second" => Ok(Self::Second),
            other => Err(D::Error::invalid_value(Unexpected::Str(other), &"\"first\" or \"second\"")),
        }
    }
}

/// An outcome on the wire.
#[derive(Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "lowercase")]
enum OutcomeForm<R> {
    Ongoing,
    Win { winner: Player, reason: R },
    Draw { reason: R },
}

impl<R: Display> Serialize for Outcome<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match self {
            Self::Ongoing => OutcomeForm::Ongoing,
            Self::Win { winner, reason } => OutcomeForm::Win { winner: *winner, reason: reason.to_string() },
            Self::Draw { reason } => OutcomeForm::Draw { reason: reason.to_string() },
        };
        form.serialize(serializer)
    }
}

impl<'de, R: Deserialize<'de>> Deserialize<'de> for Outcome<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match OutcomeForm::deserialize(deserializer)? {
            OutcomeForm::Ongoing => Self::Ongoing,
            OutcomeForm::Win { winner, reason } => Self::Win { winner, reason },
            OutcomeForm::Draw { reason } => Self::Draw { reason },
        })
    }
}

impl<R: EndRule> Serialize for Reason<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de, R: EndRule> Deserialize<'de> for Reason<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// A draw offer on the wire.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DrawOfferForm {
    None,
    Open(Player),
    Declined(Player),
}

impl Serialize for DrawOffer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let form = match *self {
            Self::None => DrawOfferForm::None,
            Self::Open(player) => DrawOfferForm::Open(player),
            Self::Declined(player) => DrawOfferForm::Declined(player),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DrawOffer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match DrawOfferForm::deserialize(deserializer)? {
            DrawOfferForm::None => Self::None,
            DrawOfferForm::Open(player) => Self::Open(player),
            DrawOfferForm::Declined(player) => Self::Declined(player),
        })
    }
}

/// Implements `Serialize` and `Deserialize` for types by their `Display` and `FromStr`.
///
/// The calling crate needs `serde` as a dependency.
#[macro_export]
macro_rules! serde_as_text {
    ($($Type:ty),+ $(,)?) => {
        $(
            impl ::serde::Serialize for $Type {
                fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> ::serde::Deserialize<'de> for $Type {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                    let text = <::std::borrow::Cow<'_, str> as ::serde::Deserialize>::deserialize(deserializer)?;
                    text.parse().map_err(<D::Error as ::serde::de::Error>::custom)
                }
            }
        )+
    };
}

/// Positions as `{ "rules": preset, "position": text }`.
///
/// ```ignore
/// impl Serialize for Position {
///     fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
///         sandtable_core::serde::position::serialize(self, serializer)
///     }
/// }
/// ```
pub mod position {
    use std::borrow::Cow;

    use ::serde::de::Error as _;
    use ::serde::ser::Error as _;
    use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::{Notation, Rules as _};

    #[derive(Serialize, Deserialize)]
    struct PositionForm<'a> {
        rules: Cow<'a, str>,
        position: Cow<'a, str>,
    }

    /// Serializes a position. Rules that are not a preset are an error.
    pub fn serialize<P: Notation, S: Serializer>(position: &P, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = position.rules().name().ok_or_else(|| S::Error::custom("the rules are not a preset"))?;
        PositionForm { rules: rules.into(), position: position.to_text().into() }.serialize(serializer)
    }

    /// Deserializes a position.
    pub fn deserialize<'de, P: Notation, D: Deserializer<'de>>(deserializer: D) -> Result<P, D::Error> {
        let form = PositionForm::deserialize(deserializer)?;
        let rules = P::Rules::named(&form.rules)
            .ok_or_else(|| D::Error::custom(format!("unknown rules `{}` for {}", form.rules, P::NAME)))?;
        P::from_text(&form.position, rules).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draw_offers_round_trip() {
        for (offer, json) in [
            (DrawOffer::None, r#""none""#),
            (DrawOffer::Open(Player::First), r#"{"open":"first"}"#),
            (DrawOffer::Declined(Player::Second), r#"{"declined":"second"}"#),
        ] {
            assert_eq!(serde_json::to_string(&offer).unwrap(), json);
            assert_eq!(serde_json::from_str::<DrawOffer>(json).unwrap(), offer);
        }
    }
}
