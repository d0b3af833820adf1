//! The arguments of `go`, and time management.

use std::time::Duration;

use sandtable::core::{ByPlayer, MAX_PERFT_DEPTH, Player};

use crate::budget::Budget;

/// The arguments of `go`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    depth: Option<u32>,
    nodes: Option<u64>,
    move_time: Option<u64>,
    remaining: ByPlayer<Option<u64>>,
    increment: ByPlayer<u64>,
    until_control: Option<u64>,
    infinite: bool,
    /// Run perft instead of a search.
    pub(super) perft: Option<u32>,
}

/// Time reserved for communication with the GUI, in milliseconds.
const OVERHEAD: u64 = 30;

impl Go {
    pub(super) fn parse(words: &[&str]) -> Result<Self, String> {
        let mut go = Self::default();
        let mut words = words.iter();
        while let Some(&name) = words.next() {
            if matches!(name, "infinite" | "ponder") {
                go.infinite = true;
                continue;
            }
            // GUIs may send a negative clock after a flag fall: treat it as 0.
            let value = words.next().and_then(|value| value.parse::<i64>().ok());
            let value = value.ok_or_else(|| format!("go: {name} needs a number"))?.max(0).cast_unsigned();
            match name {
                "depth" => go.depth = Some(value.min(u32::MAX.into()) as u32),
                "perft" if value > MAX_PERFT_DEPTH.into() => {
                    return Err(format!(
                        "go: perft depth {value} is too large: expected 0 to {MAX_PERFT_DEPTH}"
                    ));
                }
                "perft" => go.perft = Some(value as u32),
                "nodes" => go.nodes = Some(value),
                "movetime" => go.move_time = Some(value),
                "wtime" => go.remaining[Player::First] = Some(value),
                "btime" => go.remaining[Player::Second] = Some(value),
                "winc" => go.increment[Player::First] = value,
                "binc" => go.increment[Player::Second] = value,
                "movestogo" => go.until_control = Some(value),
                "mate" => go.depth = Some((2 * value.clamp(1, 99)) as u32),
                _ => return Err(format!("go: unknown argument `{name}`")),
            }
        }
        Ok(go)
    }

    /// Returns the limit of the search; `turn` selects the clock.
    pub(super) fn budget(self, turn: Player) -> Budget {
        if self.infinite {
            return Budget::Infinite;
        }
        if let Some(depth) = self.depth {
            return Budget::Depth(depth.max(1));
        }
        if let Some(nodes) = self.nodes {
            return Budget::Nodes(nodes.max(1));
        }
        if let Some(time) = self.move_time {
            return Budget::Time(Duration::from_millis(time.saturating_sub(OVERHEAD / 6).max(1)));
        }
        let Some(remaining) = self.remaining[turn] else { return Budget::Infinite };
        let moves = self.until_control.unwrap_or(25).clamp(1, 25);
        let share = remaining / moves + self.increment[turn] * 3 / 4;
        let max = remaining.saturating_sub(OVERHEAD).max(1);
        Budget::Time(Duration::from_millis(share.clamp(1, max)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(text: &str, turn: Player) -> Budget {
        Go::parse(&text.split_whitespace().collect::<Vec<_>>()).unwrap().budget(turn)
    }

    #[test]
    fn uses_the_clock_of_the_side_to_move() {
        let text = "wtime 60000 btime 25000 winc 1000 binc 0";
        assert_eq!(budget(text, Player::First), Budget::Time(Duration::from_millis(3150)));
        assert_eq!(budget(text, Player::Second), Budget::Time(Duration::from_secs(1)));
    }

    #[test]
    fn never_uses_more_than_the_remaining_time() {
        assert_eq!(
            budget("wtime 20 btime 20 winc 5000", Player::First),
            Budget::Time(Duration::from_millis(1))
        );
        assert_eq!(budget("wtime -50 btime 20", Player::First), Budget::Time(Duration::from_millis(1)));
        assert_eq!(budget("wtime 1000 movestogo 1", Player::First), Budget::Time(Duration::from_millis(970)));
        assert_eq!(budget("wtime 1000 movestogo 0", Player::First), Budget::Time(Duration::from_millis(970)));
    }

    #[test]
    fn parses_limits() {
        assert_eq!(budget("depth 7", Player::First), Budget::Depth(7));
        assert_eq!(budget("nodes 1000", Player::First), Budget::Nodes(1000));
        assert_eq!(budget("movetime 100", Player::First), Budget::Time(Duration::from_millis(95)));
        assert_eq!(budget("infinite", Player::First), Budget::Infinite);
        assert_eq!(budget("", Player::First), Budget::Infinite);
        assert!(Go::parse(&["depth"]).is_err());
        assert!(Go::parse(&["nonsense", "3"]).is_err());
    }
}
