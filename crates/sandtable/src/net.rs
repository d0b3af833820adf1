//! Making evaluation networks in a game of any kind: self-play, samples, training.

use sandtable_core::{Evaluate, PolicyIndexed};
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
    /// The number of random moves before the engine takes over.
    pub opening_plies: usize,
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
    /// The share of the game's result in the expected result; the rest is that of the search score.
    pub result_share: f32,
}

impl Target {
    fn of(self, score: i16, result: f32) -> f32 {
        let expected = 1.0 / (1.0 + (-f32::from(score) / self.scale).exp());
        self.result_share * result + (1.0 - self.result_share) * expected
    }
}

/// The callback for the quiet positions of a game: the score of the search and the result of the game.
type OnQuiet<'a> = dyn FnMut(i16, f32) + 'a;

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
                let SelfPlaySettings { opening_plies, nodes, max_plies, seed, .. } = *settings;
                let rules = named_rules::<P>(&settings.rules)?;
                let play = SelfPlay::<P> { rules, opening_plies, nodes, max_plies, seed };
                Ok(play.play(engine, number))
            },
            quiet: |game, rules, f| {
                let rules = named_rules::<P>(rules)?;
                Ok(game.for_each_quiet::<P>(rules, |_, score, result| f(score, result))?)
            },
            samples: |game, rules, target, samples| {
                let rules = named_rules::<P>(rules)?;
                Ok(game.for_each_quiet::<P>(rules, |position, score, result| {
                    samples.push(position, target.of(score, result));
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
