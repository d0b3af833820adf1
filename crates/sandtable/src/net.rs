//! Making evaluation networks in a game of any kind: self-play, samples, training.

use sandtable_core::PolicyIndexed;
use sandtable_core::search::{Evaluate, NodeView as _, WinCurve};
use sandtable_nnue::Network;
use sandtable_nnue::train::{Samples, Settings, Trainer};
use sandtable_search::AlphaBeta;
use sandtable_search::self_play::{DecodeGameError, PlayedGame, SelfPlay};

use crate::registry::{UnknownName, named_rules};

/// How games of the engine against itself are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlaySettings {
    /// The name of the rules.
    pub rules: String,
    /// The smallest number of random moves before the engine takes over.
    pub opening_plies: usize,
    /// A game has up to this many more random moves before the engine takes over.
    pub opening_spread: usize,
    /// The share of random moves after the opening, in per cent.
    pub random_moves: u8,
    /// Openings more unbalanced than this are not played, in centipawns.
    pub balance: i32,
    /// The number of nodes searched for each move.
    pub nodes: u64,
    /// The maximum number of moves after the opening.
    pub max_plies: usize,
    /// The seed of the openings.
    pub seed: u64,
}

/// How the expected result of a position is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The score, in centipawns, at which the expected result is e to 1.
    pub scale: f32,
    /// The share of the game's result in the expected result; the rest is that of the search score. A game that was cut off
    /// has no result.
    pub result_share: f32,
    /// Whether the network corrects the hand-made evaluation.
    pub corrects_hand_made: bool,
}

impl Target {
    fn of(self, score: i16, result: Option<f32>) -> f32 {
        let expected = WinCurve::new(self.scale.into()).expected(score.into()) as f32;
        result.map_or(expected, |result| self.result_share * result + (1.0 - self.result_share) * expected)
    }

    /// What the output of the network is added to.
    #[expect(clippy::cast_precision_loss, reason = "an evaluation is at most 20,000")]
    fn base(self, position: &impl Evaluate) -> f32 {
        if self.corrects_hand_made { position.view().evaluate() as f32 / self.scale } else { 0.0 }
    }
}

/// The callback for the quiet positions of a game: the score of the search and the result of the game.
type OnQuiet<'a> = dyn FnMut(i16, Option<f32>) + 'a;

/// The functions that make networks for one game.
#[derive(Clone, Copy, Debug)]
pub struct NetTools {
    self_play: fn(&SelfPlaySettings, &mut AlphaBeta, u64) -> Result<PlayedGame, UnknownName>,
    quiet: fn(&PlayedGame, &str, &mut OnQuiet<'_>) -> Result<(), ReadGameError>,
    samples: fn(&PlayedGame, &str, Target, &mut Samples) -> Result<(), ReadGameError>,
    trainer: fn(Settings) -> Trainer,
    network: fn(&Trainer, i32) -> Network,
}

/// The reason why a game could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadGameError {
    /// The bytes are not a game, or one of other rules.
    #[error(transparent)]
    Game(#[from] DecodeGameError),
    /// The rules are unknown.
    #[error(transparent)]
    Rules(#[from] UnknownName),
}

impl NetTools {
    pub(crate) const fn of<P: Evaluate + PolicyIndexed>() -> Self {
        Self {
            self_play: |settings, engine, number| {
                let play = SelfPlay::<P> {
                    rules: named_rules::<P>(&settings.rules)?,
                    opening_plies: settings.opening_plies,
                    opening_spread: settings.opening_spread,
                    random_moves: settings.random_moves,
                    balance: settings.balance,
                    nodes: settings.nodes,
                    max_plies: settings.max_plies,
                    seed: settings.seed,
                };
                Ok(play.play(engine, number))
            },
            quiet: |game, rules, f| {
                let rules = named_rules::<P>(rules)?;
                Ok(game.for_each_quiet::<P>(rules, |_, score, result| f(score, result))?)
            },
            samples: |game, rules, target, samples| {
                let rules = named_rules::<P>(rules)?;
                Ok(game.for_each_quiet::<P>(rules, |position, score, result| {
                    samples.push(position, target.base(position), target.of(score, result));
                })?)
            },
            trainer: Trainer::new::<P>,
            network: Trainer::network::<P>,
        }
    }

    /// Plays the game with this number.
    pub fn self_play(
        &self,
        settings: &SelfPlaySettings,
        engine: &mut AlphaBeta,
        number: u64,
    ) -> Result<PlayedGame, UnknownName> {
        (self.self_play)(settings, engine, number)
    }

    /// Calls `f` with the score and the result of each quiet position of a game, both from the mover's perspective.
    pub fn for_each_quiet(
        &self,
        game: &PlayedGame,
        rules: &str,
        f: &mut OnQuiet<'_>,
    ) -> Result<(), ReadGameError> {
        (self.quiet)(game, rules, f)
    }

    /// Adds the quiet positions of a game.
    pub fn add_samples(
        &self,
        game: &PlayedGame,
        rules: &str,
        target: Target,
        samples: &mut Samples,
    ) -> Result<(), ReadGameError> {
        (self.samples)(game, rules, target, samples)
    }

    /// A network with random weights.
    #[must_use]
    pub fn trainer(&self, settings: Settings) -> Trainer {
        (self.trainer)(settings)
    }

    /// The network of a trainer in integers.
    #[must_use]
    pub fn network(&self, trainer: &Trainer, scale: i32) -> Network {
        (self.network)(trainer, scale)
    }
}
