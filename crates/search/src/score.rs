//! What a search thinks of a position.

use std::fmt;

use sandtable_core::{Outcome, Player};

/// A score from the view of the player to move.
///
/// # Order
///
/// The better of two scores is the greater: a quick win before a slow one, a slow loss before a quick one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// As [`sandtable_core::Evaluate::evaluate`] counts.
    Centipawns(i32),
    /// The player to move wins after this many moves of both players, however the other one plays.
    Win(u32),
    /// The player to move loses after this many moves of both players.
    Loss(u32),
}

/// A win on the spot, as the number that the search works with.
pub(crate) const MATE: i32 = 32_000;
/// More than every score.
pub(crate) const INFINITE: i32 = MATE + 1;
/// No line is longer than this.
pub(crate) const MAX_PLY: usize = 200;
/// Scores beyond this are wins, and below its negative losses, within [`MAX_PLY`].
pub(crate) const WON: i32 = MATE - MAX_PLY as i32 - 1;

/// The number for a game that is over at `ply`, for the player to move there; nothing while it goes on.
pub(crate) fn of_outcome<R>(outcome: &Outcome<R>, turn: Player, ply: usize) -> Option<i32> {
    let won = MATE - ply as i32;
    match outcome {
        Outcome::Ongoing => None,
        Outcome::Draw { .. } => Some(0),
        Outcome::Win { winner, .. } => Some(if *winner == turn { won } else { -won }),
    }
}

impl Score {
    pub(crate) const fn from_number(number: i32) -> Self {
        let plies = (MATE - number.abs()).cast_unsigned();
        match number {
            WON.. => Self::Win(plies),
            n if n <= -WON => Self::Loss(plies),
            _ => Self::Centipawns(number),
        }
    }

    const fn number(self) -> i32 {
        match self {
            Self::Centipawns(number) => number,
            Self::Win(plies) => MATE - plies.cast_signed(),
            Self::Loss(plies) => plies.cast_signed() - MATE,
        }
    }

    /// The moves of the winner until the win, where players alternate: positive for a win, negative for a loss.
    ///
    /// A mate in two is three moves of both players away.
    #[must_use]
    pub const fn mate_in(self) -> Option<i32> {
        match self {
            Self::Centipawns(_) => None,
            Self::Win(plies) => Some(plies.div_ceil(2).cast_signed()),
            Self::Loss(plies) => Some(-plies.div_ceil(2).cast_signed()),
        }
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number().cmp(&other.number())
    }
}

/// As people write it: `+0.35`, `#3` for a win in three moves, `#-2` for a loss in two.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.mate_in()) {
            (Self::Centipawns(n), _) => {
                let sign = if *n < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", n.abs() / 100, n.abs() % 100)
            }
            (Self::Loss(_), Some(n)) => write!(f, "#-{}", n.abs()),
            (_, n) => write!(f, "#{}", n.unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_ordered_by_what_a_player_prefers() {
        let best_first = [
            Score::Win(1),
            Score::Win(3),
            Score::Centipawns(20),
            Score::Centipawns(-5),
            Score::Loss(4),
            Score::Loss(2),
        ];
        assert!(best_first.is_sorted_by(|a, b| a > b));
        for score in best_first {
            assert_eq!(Score::from_number(score.number()), score);
        }
    }

    #[test]
    fn scores_are_written_as_people_write_them() {
        let written = [
            (Score::Centipawns(35), "+0.35"),
            (Score::Centipawns(-1205), "-12.05"),
            (Score::Centipawns(-7), "-0.07"),
            (Score::Win(1), "#1"),
            (Score::Win(5), "#3"),
            (Score::Loss(0), "#-0"),
            (Score::Loss(4), "#-2"),
        ];
        for (score, text) in written {
            assert_eq!(score.to_string(), text);
        }
    }
}
