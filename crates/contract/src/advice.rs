//! Advice of an engine that a player asks for during a game. The game counts it, and its record says so.

use sandtable::core::record::Tags;
use sandtable::core::{ByPlayer, Player};
use serde::{Deserialize, Serialize};

use crate::json::{Both, Side};

/// A kind of advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum AdviceKind {
    /// The best move.
    Hint,
    /// What the opponent threatens.
    Threats,
}

/// How often a player has asked for advice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AdviceCount {
    hints: u32,
    threats: u32,
}

impl AdviceCount {
    /// The names of the tags after the player's, and their values.
    const fn tags(self) -> [(&'static str, u32); 2] {
        [("Hints", self.hints), ("Threats", self.threats)]
    }
}

impl Both<AdviceCount> {
    /// Counts advice for a player.
    pub(crate) const fn count(&mut self, side: Side, kind: AdviceKind) {
        let counts = self.side_mut(side);
        let count = match kind {
            AdviceKind::Hint => &mut counts.hints,
            AdviceKind::Threats => &mut counts.threats,
        };
        *count = count.saturating_add(1);
    }

    /// Adds tags such as `[WhiteHints "2"]` to a record. They add to those of a game that a record was imported for.
    pub(crate) fn add_tags(&self, tags: &mut Tags, players: ByPlayer<&str>) {
        for player in Player::ALL {
            for (suffix, count) in self.of(player).tags() {
                if count == 0 {
                    continue;
                }
                let name = format!("{}{suffix}", players[player]);
                match tags.iter_mut().find(|(tag, _)| *tag == name) {
                    Some((_, value)) => {
                        let earlier: u32 = value.parse().unwrap_or_default();
                        *value = earlier.saturating_add(count).to_string();
                    }
                    None => tags.push((name, count.to_string())),
                }
            }
        }
    }
}

/// Tests whether a tag says how often a player asked for advice.
pub(crate) fn is_advice_tag(tag: &str, players: ByPlayer<&str>) -> bool {
    let suffixes = AdviceCount::default().tags().map(|(suffix, _)| suffix);
    Player::ALL
        .iter()
        .any(|player| tag.strip_prefix(players[*player]).is_some_and(|rest| suffixes.contains(&rest)))
}
