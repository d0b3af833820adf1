//! The arguments of `go`.

use std::time::Duration;

use sandtable::core::{ByPlayer, Player};

use super::clock::Clock;
use crate::budget::Budget;

/// The arguments of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    /// Depth, nodes and `movetime`.
    pub(super) budget: Budget,
    /// Stop at a mate in this many moves.
    pub(super) mate: Option<u32>,
    /// The texts of the only root moves to consider; all if empty.
    pub(super) search_moves: Vec<String>,
    /// The position is a guess of what the opponent will play: time counts from `ponderhit`.
    pub(super) ponder: bool,
    infinite: bool,
    remaining: ByPlayer<Option<Duration>>,
    increment: ByPlayer<Duration>,
    until_control: Option<u32>,
}

impl Go {
    /// Parses the arguments. UCI asks engines to ignore what they cannot read, since the GUI waits for `bestmove`
    /// anyway; the second value lists what was ignored.
    pub(super) fn parse(words: &[&str]) -> (Self, Vec<String>) {
        let (mut go, mut ignored) = (Self::default(), Vec::new());
        let mut words = words.iter().copied().peekable();
        while let Some(name) = words.next() {
            match name {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|word| !is_argument(word)) {
                        go.search_moves.push(text.to_owned());
                    }
                }
                _ if !is_argument(name) => ignored.push(format!("go: unknown argument `{name}`")),
                // GUIs may send a negative clock after a flag fall: treat it as 0.
                _ => match words.next_if(|word| !is_argument(word)).map(str::parse::<i64>) {
                    Some(Ok(value)) => go.set(name, value.max(0).cast_unsigned()),
                    _ => ignored.push(format!("go: {name} needs a number")),
                },
            }
        }
        (go, ignored)
    }

    fn set(&mut self, name: &str, value: u64) {
        let count = u32::try_from(value).unwrap_or(u32::MAX);
        let time = Duration::from_millis(value);
        match name {
            "depth" => self.budget.depth = Some(count.max(1)),
            "nodes" => self.budget.nodes = Some(value.max(1)),
            "movetime" => self.budget.time = Some(time),
            "mate" => self.mate = Some(count.max(1)),
            "wtime" => self.remaining[Player::First] = Some(time),
            "btime" => self.remaining[Player::Second] = Some(time),
            "winc" => self.increment[Player::First] = time,
            "binc" => self.increment[Player::Second] = time,
            "movestogo" => self.until_control = Some(count),
            _ => unreachable!("`{name}` is in NUMBERS"),
        }
    }

    /// The clock of a player.
    pub(super) fn clock(&self, player: Player) -> Option<Clock> {
        let (increment, moves_to_go) = (self.increment[player], self.until_control);
        self.remaining[player].map(|remaining| Clock { remaining, increment, moves_to_go })
    }

    /// Whether only `stop` ends the search of this player: with `infinite` or without any limit.
    pub(super) fn is_infinite(&self, player: Player) -> bool {
        let limited =
            self.budget != Budget::default() || self.mate.is_some() || self.remaining[player].is_some();
        self.infinite || !limited
    }
}

/// The arguments that take a number.
const NUMBERS: [&str; 9] =
    ["depth", "nodes", "movetime", "mate", "wtime", "btime", "winc", "binc", "movestogo"];

fn is_argument(word: &str) -> bool {
    matches!(word, "infinite" | "ponder" | "searchmoves") || NUMBERS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Go {
        let (go, ignored) = Go::parse(&text.split_whitespace().collect::<Vec<_>>());
        assert_eq!(ignored, [""; 0], "{text}");
        go
    }

    #[test]
    fn limits_are_combined() {
        let go = parse("depth 7 movetime 100 nodes 0 mate 3");
        let time = Some(Duration::from_millis(100));
        assert_eq!(go.budget, Budget { depth: Some(7), nodes: Some(1), time });
        assert_eq!(go.mate, Some(3));
        assert!(!go.is_infinite(Player::First));
    }

    #[test]
    fn each_player_has_a_clock() {
        let go = parse("wtime 60000 btime -5 winc 1000 movestogo 12");
        let first = Clock {
            remaining: Duration::from_mins(1),
            increment: Duration::from_secs(1),
            moves_to_go: Some(12),
        };
        assert_eq!(go.clock(Player::First), Some(first));
        assert_eq!(go.clock(Player::Second), Some(Clock { moves_to_go: Some(12), ..Clock::default() }));
        assert!(!go.is_infinite(Player::First));
        assert_eq!(parse("depth 1").clock(Player::First), None);
    }

    #[test]
    fn a_search_without_limits_is_infinite() {
        assert!(parse("").is_infinite(Player::First));
        assert!(parse("infinite depth 3").is_infinite(Player::First));
        assert!(parse("ponder").is_infinite(Player::First));
        assert!(parse("wtime 1000").is_infinite(Player::Second));
        assert!(!parse("mate 2").is_infinite(Player::First));
    }

    #[test]
    fn search_moves_end_at_the_next_argument() {
        let go = parse("ponder searchmoves e2e4 d2d4 depth 3");
        assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
        assert!(go.ponder && go.budget == Budget::depth(3));
    }

    #[test]
    fn unreadable_arguments_are_ignored() {
        let (go, ignored) = Go::parse(&["depth", "x", "quickly", "nodes", "movetime", "9"]);
        assert_eq!(go.budget, Budget::time(Duration::from_millis(9)));
        let expected =
            ["go: depth needs a number", "go: unknown argument `quickly`", "go: nodes needs a number"];
        assert_eq!(ignored, expected);
    }
}
