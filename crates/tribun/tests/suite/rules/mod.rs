//! One test per rule, each on a position of its own.

mod attacks;
mod board;
mod ending;
mod patterns;
mod reshaping;
mod tile_queries;
mod units;
mod words;

use std::collections::BTreeSet;

use sandtable_core::{Notation, Player, Position};
use sandtable_tribun::{Rules, Tribun};

/// Parses a position under the standard rules.
fn position(text: &str) -> Tribun {
    Tribun::from_text(text, Rules::STANDARD).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// A position with these units, tribuns on a1 and k11, and Black to move.
fn black_to_move(black: &str, white: &str) -> Tribun {
    let join = |tribun: &str, others: &str| {
        if others.is_empty() { tribun.to_owned() } else { format!("{tribun},{others}") }
    };
    position(&format!("black:{} white:{} b", join("a1=1*", black), join("k11=1*", white)))
}

/// The texts of the legal actions.
fn actions(position: &Tribun) -> BTreeSet<String> {
    position.legal_moves().into_iter().map(|action| position.move_text(action)).collect()
}

/// The texts of the legal actions that match a condition.
fn actions_where(position: &Tribun, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    actions(position).into_iter().filter(|text| wanted(text)).collect()
}

/// The position after an action.
fn after(position: &Tribun, action: &str) -> Tribun {
    position.after(position.parse_move(action).unwrap_or_else(|e| panic!("{action}: {e}")))
}

/// The units of both sides as text, without the tribuns on a1 and k11.
fn units(position: &Tribun) -> [String; 2] {
    Player::ALL.map(|player| {
        let units = position.board().units(player).map(|(tile, unit)| format!("{tile}={unit}"));
        units.filter(|unit| !["a1=1*", "k11=1*"].contains(&unit.as_str())).collect::<Vec<_>>().join(",")
    })
}

/// The words of a text as a set.
fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(str::to_owned).collect()
}
