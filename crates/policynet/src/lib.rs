//! Networks with a policy from ONNX files, for the tree search of every game of Sandtable.
//!
//! `python -m sandtable.train export` writes the files. [`OnnxNetwork`] reads one and evaluates positions with it, on any machine
//! and without other programs; [`PolicyEngine`] searches with it.
//!
//! Networks that only evaluate, and are updated move by move, are those of [`sandtable::nnue`].

mod error;
mod model;

use std::fmt;
use std::sync::Arc;

pub use error::OnnxError;
use sandtable::core::learn::Layout;
use sandtable::engine::{PolicyEngine, PolicyError, PolicyNetwork, PolicyOutput};
use sandtable::{GameKind, find};

use self::model::Model;

/// A network from an ONNX file.
///
/// [`into_engine`](Self::into_engine) makes an engine of it, which searches.
pub struct OnnxNetwork {
    kind: &'static GameKind,
    rules: &'static str,
    model: Model,
}

impl OnnxNetwork {
    /// Reads a file: its game, the id of its head and its rules must be known, and its shapes those of the game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, OnnxError> {
        let file = model::File::parse(bytes)?;
        let name = file.metadata("game")?;
        let kind = find(name).map_err(OnnxError::UnknownGame)?;
        let head = file.metadata("head")?;
        if head != kind.head.id {
            return Err(OnnxError::OtherHead {
                game: kind.name,
                expected: kind.head.id,
                found: head.to_owned(),
            });
        }
        let rules = file.metadata("rules")?;
        let presets = kind.rules;
        let rules = presets.iter().copied().find(|known| *known == rules).ok_or_else(|| {
            OnnxError::UnknownRules { game: kind.name, found: rules.to_owned(), known: presets.join(", ") }
        })?;
        let model = Model::new(file, kind.shape, kind.head.shape)?;
        let network = Self { kind, rules, model };
        network.try_start()?;
        Ok(network)
    }

    /// The game of the network.
    #[must_use]
    pub const fn kind(&self) -> &'static GameKind {
        self.kind
    }

    /// An engine that searches with the network.
    #[must_use]
    pub fn into_engine(self) -> PolicyEngine {
        PolicyEngine::new(Arc::new(self))
    }

    /// Evaluates the start position, so that a network that cannot be evaluated is found when it is read.
    fn try_start(&self) -> Result<(), OnnxError> {
        let game = self.kind.start(self.rules).expect("the rules are a preset of the game");
        let mut observation = vec![0.0; self.kind.shape.len()];
        game.write_observation(Layout::Hwc, &mut observation).expect("the observation has this length");
        let output = self.model.run(&observation)?;
        let mut numbers = output.head.iter().chain(output.wdl.as_flattened());
        if numbers.all(|number| number.is_finite()) {
            Ok(())
        } else {
            Err(OnnxError::Evaluate(PolicyError::NotFinite))
        }
    }
}

impl PolicyNetwork for OnnxNetwork {
    fn game(&self) -> &str {
        self.kind.name
    }

    fn rules(&self) -> &str {
        self.rules
    }

    fn evaluate(&self, observations: &[f32]) -> Result<PolicyOutput, PolicyError> {
        self.model.run(observations)
    }
}

impl fmt::Debug for OnnxNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnnxNetwork")
            .field("game", &self.kind.name)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

/// The examples of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
