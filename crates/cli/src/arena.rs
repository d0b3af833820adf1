//! Games between two players from balanced random openings, as matches and ladders play them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use sandtable::core::rules::Rng;
use sandtable::core::{Outcome, Player};
use sandtable::search::{AlphaBeta, Limits, Score};
use sandtable::{BoxedGame, GameKind};

use crate::args::Series;
use crate::opponent::Opponent;

/// The settings of the games of a match or ladder.
#[derive(Clone, Copy)]
pub(crate) struct Arena<'a> {
    pub(crate) kind: &'static GameKind,
    pub(crate) rules: &'a str,
    pub(crate) series: Series,
    /// Set to stop all games.
    pub(crate) stop: &'a AtomicBool,
}

/// A finished game and the side that A played.
pub(crate) struct Played {
    pub(crate) game: BoxedGame,
    pub(crate) a_side: Player,
}

impl Played {
    /// The result for A: 1 for a win, 0 for a draw or a game that was cut off, −1 for a loss.
    pub(crate) fn value(&self) -> i32 {
        match self.game.outcome() {
            Outcome::Ongoing | Outcome::Draw { .. } => 0,
            Outcome::Win { winner, .. } if winner == self.a_side => 1,
            Outcome::Win { .. } => -1,
        }
    }
}

impl Arena<'_> {
    /// Plays the game with this number to its end or to the maximum number of moves; `None` if it is stopped. Both games of a
    /// pair start from the same opening, with colours swapped. `judge` finds balanced openings.
    pub(crate) fn play(
        &self,
        number: u32,
        judge: &mut AlphaBeta,
        a: &mut Opponent,
        b: &mut Opponent,
    ) -> Result<Option<Played>, String> {
        let mut game = self.opening(number / 2, judge)?;
        let a_side = if number.is_multiple_of(2) { Player::First } else { Player::Second };
        a.new_game(&*game)?;
        b.new_game(&*game)?;
        let opening = game.ply();
        while !game.outcome().is_over() && game.ply() - opening < self.series.max_plies {
            let mover = game.turn();
            let text =
                if mover == a_side { a.choose(&*game, self.stop)? } else { b.choose(&*game, self.stop)? };
            if self.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Err(e) = game.play(&text) {
                // An illegal move, which only an external engine can play, loses.
                anstream::eprintln!("{} loses by an illegal move: {e}", game.players()[mover]);
                game.resign(mover);
            }
        }
        Ok(Some(Played { game, a_side }))
    }

    /// Returns a balanced position after random moves.
    fn opening(&self, pair: u32, judge: &mut AlphaBeta) -> Result<BoxedGame, String> {
        const BALANCED: i32 = 120;
        if self.series.plies == 0 {
            // There is no other opening, balanced or not.
            return self.kind.start(self.rules).map_err(|e| e.to_string());
        }
        let mut rng = Rng::new(self.series.seed.wrapping_add(u64::from(pair).wrapping_mul(0x9E37_79B9)));
        for _ in 0..500 {
            let mut game = self.kind.start(self.rules).map_err(|e| e.to_string())?;
            for _ in 0..self.series.plies {
                let Some(text) = game.random_move(&mut rng) else { break };
                game.play(&text).map_err(|e| e.to_string())?;
            }
            judge.clear();
            let found = game.search(judge, &Limits::nodes(3000), &mut |_| ControlFlow::Continue(()));
            let is_balanced = |score| matches!(score, Score::Centipawns(value) if value.abs() <= BALANCED);
            if found.lines.first().is_some_and(|line| is_balanced(line.score)) {
                return Ok(game);
            }
        }
        Err(format!(
            "no balanced position found after {} random moves: try another --plies",
            self.series.plies
        ))
    }
}
