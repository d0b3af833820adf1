//! An engine that plays at a level.

use std::ops::ControlFlow;

use sandtable_core::rules::Rng;
use sandtable_games::{AnyGame, GameKind, OnReport};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, Limits, Line, Report, Score, TableTooBig};

use super::choice::{choose, seen};
use super::{Level, Skill, Strength};
use crate::{Evaluation, engine_for};

/// An engine that plays at a level: the same moves in every interface.
///
/// Below level 9 its moves depend only on the seed, the number of moves played and the position. Level 9 keeps its
/// transposition table from move to move.
///
/// ```
/// use sandtable_engine::{Level, LevelPlayer};
/// use sandtable_games::find;
/// use sandtable_search::Limits;
///
/// let chess = find("chess")?;
/// let game = chess.parse("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "standard")?;
/// let mut player = LevelPlayer::new(chess, "8".parse::<Level>()?, 7, 16);
/// assert_eq!(player.choose(&*game, &Limits::default()).as_deref(), Some("d1d8"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LevelPlayer {
    /// The engine. Its network is used; its settings are those of the level.
    pub engine: AlphaBeta,
    level: Level,
    /// How many moves of a hundred are played at the next level.
    upgraded: usize,
    seed: u64,
    threads: usize,
}

/// The transposition table of a limited level, in MiB: enough for its nodes, and quickly cleared.
const LIMITED_HASH_MIB: usize = 4;

impl LevelPlayer {
    /// A player of a game with this seed. Level 9 has a transposition table of `hash_mib` MiB; the others have their own size.
    ///
    /// # Panics
    ///
    /// If there is not enough memory: see [`try_new`](Self::try_new).
    #[must_use]
    pub fn new(kind: &GameKind, level: Level, seed: u64, hash_mib: usize) -> Self {
        Self::try_new(kind, level, seed, hash_mib).unwrap_or_else(|error| panic!("{error}"))
    }

    /// [`new`](Self::new), but an error if there is not enough memory.
    pub fn try_new(kind: &GameKind, level: Level, seed: u64, hash_mib: usize) -> Result<Self, TableTooBig> {
        let hash_mib = if level == Level::STRONGEST { hash_mib } else { LIMITED_HASH_MIB };
        let engine = engine_for(kind.name, hash_mib, AlphaBetaSettings::default(), &Evaluation::Default)?;
        Ok(Self::with_engine(engine, level, seed))
    }

    /// A player with this engine and seed.
    #[must_use]
    pub const fn with_engine(engine: AlphaBeta, level: Level, seed: u64) -> Self {
        Self { engine, level, upgraded: 0, seed, threads: 1 }
    }

    /// A player of about this Elo in a game: it plays some moves at one level and the others at the next. The weakest level
    /// if the game's levels have no Elo.
    #[must_use]
    pub fn with_elo(engine: AlphaBeta, game: &str, elo: i32, seed: u64) -> Self {
        let reached = |level: &Level| level.elo(game).is_some_and(|of_level| of_level <= elo);
        let level = Level::all().take_while(reached).last().unwrap_or(Level(0));
        let bounds = level.elo(game).zip(level.next().and_then(|next| next.elo(game)));
        let upgraded = bounds.map_or(0, |(low, high)| 100 * elo.saturating_sub(low).max(0) / (high - low));
        Self { upgraded: upgraded.unsigned_abs() as usize, ..Self::with_engine(engine, level, seed) }
    }

    /// Sets the number of threads of level 9. The others have one, so that their moves can be reproduced.
    #[must_use]
    pub const fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The level; the lower of two for a player of a given Elo.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Chooses a move; `None` if the game is over. The limits of the level apply besides `limits`.
    pub fn choose(&mut self, game: &dyn AnyGame, limits: &Limits<'_>) -> Option<String> {
        let report = self.search(game, limits, &mut |_| ControlFlow::Continue(()));
        report.lines.into_iter().next().and_then(|line| line.moves.into_iter().next())
    }

    /// Chooses a move as [`choose`](Self::choose) does, and calls `on_report` after every iteration. In the returned report the
    /// chosen line is the first.
    pub fn search(
        &mut self,
        game: &dyn AnyGame,
        limits: &Limits<'_>,
        on_report: &mut OnReport<'_>,
    ) -> Report<String> {
        let mut rng = self.rng(game);
        let is_upgraded = self.upgraded > 0 && rng.below(100) < self.upgraded;
        let level = self.level.next().filter(|_| is_upgraded).unwrap_or(self.level);
        match level.strength(game.name()) {
            Strength::Random => random_report(game, &mut rng),
            Strength::Limited(skill) => self.search_limited(game, &skill, limits, &mut rng, on_report),
            Strength::Full => {
                self.engine.settings = AlphaBetaSettings::default().with_threads(self.threads);
                game.search(&mut self.engine, limits, on_report)
            }
        }
    }

    fn search_limited(
        &mut self,
        game: &dyn AnyGame,
        skill: &Skill,
        limits: &Limits<'_>,
        rng: &mut Rng,
        on_report: &mut OnReport<'_>,
    ) -> Report<String> {
        let allowed = match limits.root_moves {
            Some(indices) if !indices.is_empty() => indices.to_vec(),
            _ => (0..game.count_legal() as usize).collect(),
        };
        let seen = seen(&allowed, skill, rng);
        let nodes = skill.nodes + (skill.lines * seen.len()) as u64;
        let mut limits = limits.with_root_moves(&seen);
        limits.nodes = Some(limits.nodes.map_or(nodes, |given| given.min(nodes)));
        limits.depth = limits.depth.into_iter().chain(skill.depth).min();
        self.engine.settings = AlphaBetaSettings::default().with_lines(skill.lines);
        // What an earlier search left in the table would change the choice.
        self.engine.clear();
        let mut report = game.search(&mut self.engine, &limits, on_report);
        if report.depth == 0 {
            // The search stopped so early that only its first line is meaningful.
            report.lines.truncate(1);
        }
        let scores: Vec<_> = report.lines.iter().map(|line| line.score).collect();
        if let Some(chosen) = choose(&scores, skill, rng) {
            report.lines[..=chosen].rotate_right(1);
        }
        report
    }

    /// The random numbers of a move.
    fn rng(&self, game: &dyn AnyGame) -> Rng {
        let ply = (game.ply() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Rng::new(self.seed ^ ply ^ game.hash64())
    }
}

/// A random move in the form of a search that examined nothing.
fn random_report(game: &dyn AnyGame, rng: &mut Rng) -> Report<String> {
    let score = Score::Centipawns(Evaluation::Default.static_eval(game));
    let lines = game.random_move(rng).map(|text| Line { score, moves: vec![text] }).into_iter().collect();
    Report { depth: 0, seldepth: 0, nodes: 0, hashfull: 0, lines }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use sandtable_games::{BoxedGame, GAMES, complete_games};

    use super::*;

    fn start(kind: &GameKind) -> BoxedGame {
        kind.start(kind.rules[0]).expect("the start position")
    }

    #[test]
    fn moves_depend_on_the_seed_and_not_on_earlier_searches() {
        for kind in complete_games() {
            let mut game = start(kind);
            let level = Level(3);
            let mut player = LevelPlayer::new(kind, level, 5, 1);
            for _ in 0..6 {
                let chosen = player.choose(&*game, &Limits::default()).expect("the game is not over");
                let fresh = LevelPlayer::new(kind, level, 5, 1).choose(&*game, &Limits::default());
                assert_eq!(Some(&chosen), fresh.as_ref(), "{}", kind.name);
                game.play(&chosen).expect("a legal move");
            }
            let replies: HashSet<_> = (0..20)
                .filter_map(|seed| LevelPlayer::new(kind, level, seed, 1).choose(&*game, &Limits::default()))
                .collect();
            assert!(replies.len() > 1, "{} {replies:?}", kind.name);
        }
    }

    #[test]
    fn a_table_that_does_not_fit_is_an_error() {
        let kind = &GAMES[0];
        assert!(LevelPlayer::try_new(kind, Level::STRONGEST, 0, usize::MAX).is_err());
        // The other levels have their own table.
        assert!(LevelPlayer::try_new(kind, Level(3), 0, usize::MAX).is_ok());
    }

    #[test]
    fn level_0_plays_legal_moves_at_random() {
        for kind in complete_games() {
            let mut game = start(kind);
            let replies: HashSet<_> = (0..20)
                .filter_map(|seed| {
                    LevelPlayer::new(kind, Level(0), seed, 1).choose(&*game, &Limits::default())
                })
                .collect();
            assert!(replies.len() > 5, "{}", kind.name);
            for text in replies {
                game.play(&text).expect("a legal move");
                game.undo();
            }
        }
    }

    #[test]
    fn a_game_that_is_over_has_no_move() {
        for kind in GAMES {
            let mut game = start(kind);
            game.agree_draw();
            for level in Level::all() {
                assert_eq!(LevelPlayer::new(kind, level, 0, 1).choose(&*game, &Limits::depth(1)), None);
            }
        }
    }

    #[test]
    fn limits_of_the_caller_apply_too() {
        for kind in GAMES {
            let game = start(kind);
            let mut player = LevelPlayer::new(kind, Level(8), 0, 1);
            let stop = || true;
            assert!(player.choose(&*game, &Limits::until(&stop)).is_some());
            assert!(player.choose(&*game, &Limits::nodes(1)).is_some());
        }
    }

    #[test]
    fn elo_between_two_levels_mixes_them() {
        let engine = || AlphaBeta::new(1, AlphaBetaSettings::default());
        let [low, high] = [Level(3), Level(4)].map(|level| level.elo("chess").expect("an estimate"));
        let player = |elo| {
            let player = LevelPlayer::with_elo(engine(), "chess", elo, 0);
            (player.level, player.upgraded)
        };
        assert_eq!(player(low), (Level(3), 0));
        assert_eq!(player(i32::midpoint(low, high)).0, Level(3));
        assert!((40..=60).contains(&player(i32::midpoint(low, high)).1));
        assert_eq!(player(high), (Level(4), 0));
        assert_eq!(player(10_000), (Level::STRONGEST, 0));
        for kind in complete_games() {
            for (elo, level) in [(i32::MIN, Level(0)), (i32::MAX, Level::STRONGEST)] {
                let player = LevelPlayer::with_elo(engine(), kind.name, elo, 0);
                assert_eq!((player.level, player.upgraded), (level, 0), "{}", kind.name);
            }
        }
    }
}
