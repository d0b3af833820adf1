//! Scores of positions and lines.

use std::fmt;

use sandtable_core::{Outcome, Player};

/// A score from the mover's perspective.
///
/// Distances to the end of the game are counted in turns, not in moves: a deployment of several moves is one turn.
///
/// # Order
///
/// The better of two scores is the greater: a quick win before a slow one, a slow loss before a quick one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// A static evaluation, in the units of [`sandtable_core::search::NodeView::evaluate`].
    Centipawns(i32),
    /// A forced win for the side to move after this many turns of both players, the current one and the winning one
    /// included.
    Win(u32),
    /// A forced loss for the side to move after this many turns of both players; 0 if the game is already lost.
    Loss(u32),
}

/// The score of a win with distance 0. Longer wins score less.
pub(crate) const MATE: i32 = 32_000;
/// Greater than every score.
pub(crate) const INFINITE: i32 = MATE + 1;
/// The maximum length of a line, in moves.
pub(crate) const MAX_PLY: usize = 200;
/// The smallest score of a win. The turns of a line cannot exceed its moves by more than one.
pub(crate) const WON: i32 = MATE - MAX_PLY as i32 - 1;

/// Returns the score of a game that ended `turns` changes of the side to move after the root, from the perspective of
/// the side to move in the final position. `None` while the game is in progress.
pub(crate) fn outcome_score<R>(outcome: &Outcome<R>, side_to_move: Player, turns: usize) -> Option<i32> {
    let turns = turns as i32;
    match outcome {
        Outcome::Ongoing => None,
        Outcome::Draw { .. } => Some(0),
        // The winner is still to move: the winning turn did not end in a change of the side to move, but counts.
        Outcome::Win { winner, .. } if *winner == side_to_move => Some(MATE - turns - 1),
        Outcome::Win { .. } => Some(turns - MATE),
    }
}

/// Converts a score relative to the root, `turns` turns above, into one relative to the current node.
pub(crate) const fn to_table(score: i32, turns: usize) -> i16 {
    (match score {
        WON.. => score + turns as i32,
        s if s <= -WON => score - turns as i32,
        _ => score,
    }) as i16
}

/// The inverse of [`to_table`].
pub(crate) const fn from_table(score: i16, turns: usize) -> i32 {
    let score = score as i32;
    match score {
        WON.. => score - turns as i32,
        s if s <= -WON => score + turns as i32,
        _ => score,
    }
}

impl Score {
    pub(crate) const fn from_raw(raw: i32) -> Self {
        let turns = (MATE - raw.abs()).cast_unsigned();
        match raw {
            WON.. => Self::Win(turns),
            n if n <= -WON => Self::Loss(turns),
            _ => Self::Centipawns(raw),
        }
    }

    const fn to_raw(self) -> i32 {
        match self {
            Self::Centipawns(raw) => raw,
            Self::Win(turns) => MATE - turns.cast_signed(),
            Self::Loss(turns) => turns.cast_signed() - MATE,
        }
    }

    /// Returns the number of turns the winner needs, as chess programs show it: positive if the side to move wins,
    /// negative if it loses, `None` without a forced result.
    ///
    /// A mate in one wins within the current turn, however many moves the turn takes. A mate in two takes three turns
    /// of both players.
    ///
    /// ```
    /// use sandtable_search::Score;
    ///
    /// assert_eq!(Score::Win(1).mate_in(), Some(1));
    /// assert_eq!(Score::Win(3).mate_in(), Some(2));
    /// assert_eq!(Score::Loss(2).mate_in(), Some(-1));
    /// assert_eq!(Score::Centipawns(35).mate_in(), None);
    /// ```
    #[must_use]
    pub const fn mate_in(self) -> Option<i32> {
        match self {
            Self::Centipawns(_) => None,
            Self::Win(turns) => Some(turns.div_ceil(2).cast_signed()),
            Self::Loss(turns) => Some(-turns.div_ceil(2).cast_signed()),
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
        self.to_raw().cmp(&other.to_raw())
    }
}

/// Writes `+0.35` for centipawns, `#3` for a mate in three, `#-2` for being mated in two.
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
    fn scores_are_ordered_by_preference() {
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
            assert_eq!(Score::from_raw(score.to_raw()), score);
        }
    }

    #[test]
    fn displays_centipawns_and_mate_distances() {
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

    #[test]
    fn a_win_counts_its_last_turn_with_either_side_to_move() {
        let won = Outcome::Win { winner: Player::First, reason: () };
        let score = |side_to_move, turns| outcome_score(&won, side_to_move, turns).map(Score::from_raw);
        // In chess the mating move ends the turn. In CoTuLenh a capture of the commander may leave a deployment open.
        assert_eq!(score(Player::Second, 1), Some(Score::Loss(1)));
        assert_eq!(score(Player::First, 0), Some(Score::Win(1)));
        assert_eq!(score(Player::First, 2), Some(Score::Win(3)));
        assert_eq!(score(Player::First, MAX_PLY), Some(Score::Win(MAX_PLY as u32 + 1)));
    }

    #[test]
    fn mate_distances_in_the_table_are_relative_to_the_node() {
        for (root_score, turns, stored) in [(MATE - 5, 2, MATE - 3), (5 - MATE, 2, 3 - MATE), (120, 2, 120)] {
            assert_eq!(i32::from(to_table(root_score, turns)), stored);
            assert_eq!(from_table(stored as i16, turns), root_score);
        }
    }
}
