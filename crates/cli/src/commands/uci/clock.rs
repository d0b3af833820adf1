//! What `go` says, and how much of a clock to spend on a move.

use std::time::Duration;

use sandtable::core::{ByPlayer, MAX_PERFT_DEPTH, Player};

use crate::budget::Budget;

/// The words of a `go`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    depth: Option<u32>,
    nodes: Option<u64>,
    move_time: Option<u64>,
    left: ByPlayer<Option<u64>>,
    increment: ByPlayer<u64>,
    until_control: Option<u64>,
    infinite: bool,
    /// Count instead of searching.
    pub(super) perft: Option<u32>,
}

/// Left over on the clock for what happens between two programs, in milliseconds.
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
            // Clocks may be negative when a flag has fallen and the GUI lets it: that is no time.
            let value = words.next().and_then(|value| value.parse::<i64>().ok());
            let value = value.ok_or_else(|| format!("go: {name} needs a number"))?.max(0).cast_unsigned();
            match name {
                "depth" => go.depth = Some(value.min(u32::MAX.into()) as u32),
                "perft" if value > MAX_PERFT_DEPTH.into() => {
                    return Err(format!(
                        "go: perft {value} is too deep: the depth may be 0 to {MAX_PERFT_DEPTH}"
                    ));
                }
                "perft" => go.perft = Some(value as u32),
                "nodes" => go.nodes = Some(value),
                "movetime" => go.move_time = Some(value),
                "wtime" => go.left[Player::First] = Some(value),
                "btime" => go.left[Player::Second] = Some(value),
                "winc" => go.increment[Player::First] = value,
                "binc" => go.increment[Player::Second] = value,
                "movestogo" => go.until_control = Some(value),
                "mate" => go.depth = Some((2 * value.clamp(1, 99)) as u32),
                _ => return Err(format!("go: {name} is not understood")),
            }
        }
        Ok(go)
    }

    /// What the player to move may spend.
    pub(super) fn budget(self, turn: Player) -> Budget {
        if self.infinite {
            return Budget::Endless;
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
        let Some(left) = self.left[turn] else { return Budget::Endless };
        let moves = self.until_control.unwrap_or(25).clamp(1, 25);
        let share = left / moves + self.increment[turn] * 3 / 4;
        let most = left.saturating_sub(OVERHEAD).max(1);
        Budget::Time(Duration::from_millis(share.clamp(1, most)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(text: &str, turn: Player) -> Budget {
        Go::parse(&text.split_whitespace().collect::<Vec<_>>()).unwrap().budget(turn)
    }

    #[test]
    fn the_clock_of_the_player_to_move_counts() {
        let text = "wtime 60000 btime 25000 winc 1000 binc 0";
        assert_eq!(budget(text, Player::First), Budget::Time(Duration::from_millis(3150)));
        assert_eq!(budget(text, Player::Second), Budget::Time(Duration::from_secs(1)));
    }

    #[test]
    fn the_flag_does_not_fall() {
        assert_eq!(
            budget("wtime 20 btime 20 winc 5000", Player::First),
            Budget::Time(Duration::from_millis(1))
        );
        assert_eq!(budget("wtime -50 btime 20", Player::First), Budget::Time(Duration::from_millis(1)));
        assert_eq!(budget("wtime 1000 movestogo 1", Player::First), Budget::Time(Duration::from_millis(970)));
        assert_eq!(budget("wtime 1000 movestogo 0", Player::First), Budget::Time(Duration::from_millis(970)));
    }

    #[test]
    fn limits_are_heard() {
        assert_eq!(budget("depth 7", Player::First), Budget::Depth(7));
        assert_eq!(budget("nodes 1000", Player::First), Budget::Nodes(1000));
        assert_eq!(budget("movetime 100", Player::First), Budget::Time(Duration::from_millis(95)));
        assert_eq!(budget("infinite", Player::First), Budget::Endless);
        assert_eq!(budget("", Player::First), Budget::Endless);
        assert!(Go::parse(&["depth"]).is_err());
        assert!(Go::parse(&["nonsense", "3"]).is_err());
    }
}
