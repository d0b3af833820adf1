//! Making evaluation networks in a game of any kind: self-play, samples, training.

use sandtable_core::search::{Evaluate, NodeView as _, WinCurve};
use sandtable_games::{GameKind, GameVisitor, Playable, UnknownName, named_rules};
use sandtable_nnue::Network;
use sandtable_nnue::train::{Samples, Settings, Trainer};
use sandtable_search::AlphaBeta;
use sandtable_search::self_play::{DecodeGameError, PlayedGame, SelfPlay};

/// How the expected result of a position is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The score, in centipawns, at which the odds of winning are e to 1.
    pub scale: f32,
    /// The share of the game's result in the expected result; the search score has the rest. A game that was cut off
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

    /// The value to which the output of the network is added.
    #[expect(clippy::cast_precision_loss, reason = "an evaluation is at most 20,000")]
    fn base(self, position: &impl Evaluate) -> f32 {
        if self.corrects_hand_made { position.view().evaluate() as f32 / self.scale } else { 0.0 }
    }
}

/// The reason why a game could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadGameError {
    /// The bytes are not a game, or the game has other rules.
    #[error(transparent)]
    Game(#[from] DecodeGameError),
    /// The rules are unknown.
    #[error(transparent)]
    Rules(#[from] UnknownName),
}

/// Plays the game of the engine against itself with this number.
pub fn self_play(
    kind: &GameKind,
    rules: &str,
    settings: &SelfPlay,
    engine: &mut AlphaBeta,
    number: u64,
) -> Result<PlayedGame, UnknownName> {
    struct Play<'a>(&'a str, &'a SelfPlay, &'a mut AlphaBeta, u64);
    impl GameVisitor for Play<'_> {
        type Out = Result<PlayedGame, UnknownName>;

        fn visit<P: Playable>(self) -> Self::Out {
            let Self(rules, settings, engine, number) = self;
            Ok(settings.play::<P>(named_rules::<P>(rules)?, engine, number))
        }
    }
    kind.visit(Play(rules, settings, engine, number))
}

/// Calls `f` with the score and the result of each quiet position of a game, both from the mover's perspective.
pub fn for_each_quiet(
    kind: &GameKind,
    game: &PlayedGame,
    rules: &str,
    f: impl FnMut(i16, Option<f32>),
) -> Result<(), ReadGameError> {
    struct Quiet<'a, F>(&'a PlayedGame, &'a str, F);
    impl<F: FnMut(i16, Option<f32>)> GameVisitor for Quiet<'_, F> {
        type Out = Result<(), ReadGameError>;

        fn visit<P: Playable>(self) -> Self::Out {
            let Self(game, rules, mut f) = self;
            let rules = named_rules::<P>(rules)?;
            Ok(game.for_each_quiet::<P>(rules, |_, score, result| f(score, result))?)
        }
    }
    kind.visit(Quiet(game, rules, f))
}

/// Adds the quiet positions of a game.
pub fn add_samples(
    kind: &GameKind,
    game: &PlayedGame,
    rules: &str,
    target: Target,
    samples: &mut Samples,
) -> Result<(), ReadGameError> {
    struct Add<'a>(&'a PlayedGame, &'a str, Target, &'a mut Samples);
    impl GameVisitor for Add<'_> {
        type Out = Result<(), ReadGameError>;

        fn visit<P: Playable>(self) -> Self::Out {
            let Self(game, rules, target, samples) = self;
            let rules = named_rules::<P>(rules)?;
            Ok(game.for_each_quiet::<P>(rules, |position, score, result| {
                samples.push(position, target.base(position), target.of(score, result));
            })?)
        }
    }
    kind.visit(Add(game, rules, target, samples))
}

/// A trainer for a game, with random weights.
#[must_use]
pub fn trainer(kind: &GameKind, settings: Settings) -> Trainer {
    struct NewTrainer(Settings);
    impl GameVisitor for NewTrainer {
        type Out = Trainer;

        fn visit<P: Playable>(self) -> Trainer {
            Trainer::new::<P>(self.0)
        }
    }
    kind.visit(NewTrainer(settings))
}

/// The network of a trainer in integers.
#[must_use]
pub fn quantize(kind: &GameKind, trainer: &Trainer, scale: i32) -> Network {
    struct Quantize<'a>(&'a Trainer, i32);
    impl GameVisitor for Quantize<'_> {
        type Out = Network;

        fn visit<P: Playable>(self) -> Network {
            self.0.network::<P>(self.1)
        }
    }
    kind.visit(Quantize(trainer, scale))
}
