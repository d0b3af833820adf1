//! Games that the engine plays against itself, to train an evaluation on.
//!
//! A game is identified by its rules, the settings and its number: it is the same on every machine, whatever was played before. So a
//! run that was interrupted continues with the next number.
//!
//! ```
//! use sandtable_chess::{Chess, DrawRules};
//! use sandtable_search::self_play::{PlayedGame, SelfPlay};
//! use sandtable_search::{AlphaBeta, AlphaBetaSettings};
//!
//! let settings = SelfPlay { nodes: 50, max_plies: 30, ..SelfPlay::default() };
//! let mut engine = AlphaBeta::new(1, AlphaBetaSettings::default());
//! let rules = DrawRules::default();
//! let game = settings.play::<Chess>(rules, &mut engine, 7);
//! assert_eq!(game, settings.play::<Chess>(rules, &mut engine, 7));
//! assert_eq!(PlayedGame::decode(&game.encode()), Ok(game));
//! ```

use std::ops::ControlFlow;

use sandtable_core::learn::PolicyIndex;
use sandtable_core::rules::{Rng, play_random_moves, random_move};
use sandtable_core::search::{Evaluate, NodeView as _};
use sandtable_core::{Game, Player, PolicyIndexed};

use crate::{AlphaBeta, Limits, Score};

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlay {
    /// The smallest number of random moves before the engine takes over.
    pub opening_plies: usize,
    /// A game has up to this many more random moves before the engine takes over.
    pub opening_spread: usize,
    /// The share of random moves after the opening, in per cent: they lead to positions that a search has to judge although
    /// good play avoids them.
    pub random_moves: u8,
    /// Openings more unbalanced than this are not played, in centipawns.
    pub balance: i32,
    /// The number of nodes searched for each move.
    pub nodes: u64,
    /// The maximum number of moves after the opening. Longer games are cut off.
    pub max_plies: usize,
    /// The seed of the openings.
    pub seed: u64,
}

impl Default for SelfPlay {
    fn default() -> Self {
        Self {
            opening_plies: 8,
            opening_spread: 1,
            random_moves: 0,
            balance: 150,
            nodes: 1000,
            max_plies: 400,
            seed: 1,
        }
    }
}

/// A game ends when the score of one side stays beyond this for [`DECIDED_PLIES`] moves.
const DECIDED: i32 = 1500;
const DECIDED_PLIES: u32 = 8;
/// Positions with a larger score than this, in centipawns, are decided and not used as samples.
const DECIDED_SAMPLE: i16 = 2000;
/// The score that is stored for a forced win.
const WIN: i16 = i16::MAX;
/// The score that is stored for a random move.
const NOT_SEARCHED: i16 = i16::MIN;

/// A game of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The random moves before the engine took over.
    pub opening: Vec<PolicyIndex>,
    /// The moves after the opening with their scores.
    pub moves: Vec<ScoredIndex>,
    /// The winner; `None` after a draw.
    pub winner: Option<Player>,
    /// Whether the game was cut off before its end, so that its result is unknown.
    pub is_cut_off: bool,
}

/// A move and the score that the search gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredIndex {
    /// The policy index of the move.
    pub index: PolicyIndex,
    /// The score from the mover's perspective, in centipawns; plus or minus `i16::MAX` for a forced win or loss, and `i16::MIN`
    /// for a random move.
    pub score: i16,
}

impl ScoredIndex {
    /// The score; `None` for a random move.
    #[must_use]
    pub fn searched_score(self) -> Option<i16> {
        (self.score != NOT_SEARCHED).then_some(self.score)
    }
}

impl SelfPlay {
    /// Plays the game with this number.
    pub fn play<P: Evaluate + PolicyIndexed>(
        &self,
        rules: P::Rules,
        engine: &mut AlphaBeta,
        number: u64,
    ) -> PlayedGame {
        let mut rng = Rng::new(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        loop {
            let mut game = Game::<P>::new(rules);
            let plies = self.opening_plies + rng.below(self.opening_spread + 1);
            play_random_moves(&mut game, &mut rng, plies);
            engine.clear();
            if let Some(played) = self.play_from(engine, game, &mut rng) {
                return played;
            }
        }
    }

    /// Plays on from an opening; `None` if it is unbalanced.
    fn play_from<P: Evaluate + PolicyIndexed>(
        &self,
        engine: &mut AlphaBeta,
        mut game: Game<P>,
        rng: &mut Rng,
    ) -> Option<PlayedGame> {
        let opening: Vec<_> = game.history().map(|(position, m)| position.policy_index(m)).collect();
        let mut moves = Vec::new();
        let (mut leader, mut decided) = (None, 0);
        while !game.is_over() && moves.len() < self.max_plies && decided < DECIDED_PLIES {
            if !moves.is_empty() && rng.below(100) < usize::from(self.random_moves) {
                let m = random_move(game.position(), rng)?;
                moves.push(ScoredIndex { index: game.position().policy_index(m), score: NOT_SEARCHED });
                game.play(m).expect("a random move is legal");
                continue;
            }
            let report = engine.search(&game, &Limits::nodes(self.nodes), |_| ControlFlow::Continue(()));
            let (best, score) = (report.best()?, stored_score(report.score()?));
            if moves.is_empty() && i32::from(score).abs() > self.balance {
                return None;
            }
            let ahead = if score > 0 { game.turn() } else { !game.turn() };
            decided = match i32::from(score).abs() {
                DECIDED.. if leader == Some(ahead) => decided + 1,
                DECIDED.. => 1,
                _ => 0,
            };
            leader = (decided > 0).then_some(ahead);
            moves.push(ScoredIndex { index: game.position().policy_index(best), score });
            game.play(best).expect("the search returns legal moves");
        }
        let winner = if game.is_over() { game.outcome().winner() } else { leader };
        let winner = winner.filter(|_| game.is_over() || decided >= DECIDED_PLIES);
        let is_cut_off = !game.is_over() && winner.is_none();
        (!moves.is_empty()).then_some(PlayedGame { opening, moves, winner, is_cut_off })
    }
}

fn stored_score(score: Score) -> i16 {
    match score {
        Score::Centipawns(score) => score.clamp(1 - i32::from(WIN), i32::from(WIN) - 1) as i16,
        Score::Win(_) => WIN,
        Score::Loss(_) => -WIN,
    }
}

/// The error for bytes that are not a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a game: {0}")]
pub struct DecodeGameError(&'static str);

impl PlayedGame {
    /// The game as bytes: the winner (2 for a draw, 3 for a game that was cut off), the number of opening moves, then each move as a variable-length number, followed by
    /// its score except in the opening.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![match self.winner {
            Some(winner) => winner.index() as u8,
            None => 2 + u8::from(self.is_cut_off),
        }];
        write_number(&mut bytes, self.opening.len() as u32);
        for index in &self.opening {
            write_number(&mut bytes, index.index() as u32);
        }
        for ScoredIndex { index, score } in &self.moves {
            write_number(&mut bytes, index.index() as u32);
            let score = i32::from(*score);
            // The sign in the lowest bit keeps small scores short.
            write_number(&mut bytes, (score << 1 ^ score >> 31).cast_unsigned());
        }
        bytes
    }

    /// Decodes the bytes that [`encode`](Self::encode) returns.
    pub fn decode(mut bytes: &[u8]) -> Result<Self, DecodeGameError> {
        let (winner, is_cut_off) = match bytes.split_off_first() {
            Some(0) => (Some(Player::First), false),
            Some(1) => (Some(Player::Second), false),
            Some(2) => (None, false),
            Some(3) => (None, true),
            _ => return Err(DecodeGameError("no result")),
        };
        let index = |bytes: &mut &[u8]| Ok(PolicyIndex(read_number(bytes)?));
        let length = read_number(&mut bytes)? as usize;
        if length > bytes.len() {
            return Err(DecodeGameError("the opening is cut off"));
        }
        let opening = (0..length).map(|_| index(&mut bytes)).collect::<Result<_, _>>()?;
        let mut moves = Vec::new();
        while !bytes.is_empty() {
            let index = index(&mut bytes)?;
            let folded = read_number(&mut bytes)?;
            let score = (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed();
            let score = i16::try_from(score).map_err(|_| DecodeGameError("a score is out of range"))?;
            moves.push(ScoredIndex { index, score });
        }
        Ok(Self { opening, moves, winner, is_cut_off })
    }

    /// Replays the game and calls `f` with each position in which the engine moved, its move and the score.
    pub fn replay<P: PolicyIndexed>(
        &self,
        rules: P::Rules,
        mut f: impl FnMut(&P, P::Move, i16),
    ) -> Result<(), DecodeGameError> {
        let mut position = P::start(rules);
        let move_at =
            |position: &P, index| position.move_at(index).ok_or(DecodeGameError("a move is not legal"));
        for &index in &self.opening {
            let m = move_at(&position, index)?;
            position.play_unchecked(m);
        }
        for &ScoredIndex { index, score } in &self.moves {
            let m = move_at(&position, index)?;
            f(&position, m, score);
            position.play_unchecked(m);
        }
        Ok(())
    }

    /// Calls `f` with each quiet position of the game, its score, and the result for the mover: 1 for a win, ½ for a draw, 0
    /// for a loss, `None` if the game was cut off.
    ///
    /// A position is quiet if the engine's move is not a capture and the mover need not respond to a threat. A search
    /// evaluates only such positions.
    pub fn for_each_quiet<P: Evaluate + PolicyIndexed>(
        &self,
        rules: P::Rules,
        mut f: impl FnMut(&P, i16, Option<f32>),
    ) -> Result<(), DecodeGameError> {
        let result = |position: &P| match self.winner {
            None => (!self.is_cut_off).then_some(0.5),
            Some(winner) => Some(f32::from(winner == position.turn())),
        };
        self.replay::<P>(rules, |position, m, score| {
            let decided = score.unsigned_abs() > DECIDED_SAMPLE.unsigned_abs();
            let view = position.view();
            if !decided && view.tactic(m).gain == 0 && !view.must_respond() {
                f(position, score, result(position));
            }
        })
    }
}

/// Writes a number, seven bits to a byte, the lowest first; all bytes but the last have the highest bit set.
fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 1 << 7 {
        bytes.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Result<u32, DecodeGameError> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let byte = *bytes.split_off_first().ok_or(DecodeGameError("it is cut off"))?;
        let bits = u32::from(byte & 0x7F);
        if bits > u32::MAX >> shift {
            break;
        }
        number |= bits << shift;
        if byte < 1 << 7 {
            return Ok(number);
        }
    }
    Err(DecodeGameError("a number is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_32_bits() {
        let game = |number: [u8; 5]| PlayedGame::decode(&[&[2, 0], &number[..], &[0]].concat());
        let largest = game([0xFF, 0xFF, 0xFF, 0xFF, 0x0F]).unwrap();
        assert_eq!(largest.moves[0].index, PolicyIndex(u32::MAX));
        let error = Err(DecodeGameError("a number is too long"));
        assert_eq!(game([0xFF, 0xFF, 0xFF, 0xFF, 0x1F]), error);
        assert_eq!(game([0xFF, 0xFF, 0xFF, 0xFF, 0x8F]), error);
    }
}
