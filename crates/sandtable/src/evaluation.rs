//! The evaluation of an engine: the default network of its game, another network, or the hand-made evaluation.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use sandtable_nnue::{Network, NetworkError};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, TableTooBig};

use crate::{GameKind, find};

/// How an engine evaluates positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The default network of the game ([`GameKind::default_network`]); the hand-made evaluation if there is none.
    #[default]
    Default,
    /// The game's hand-made evaluation.
    HandMade,
    /// A network.
    Network(Arc<Network>),
}

impl Evaluation {
    /// The network to use in the game called `game`; `None` for the hand-made evaluation.
    #[must_use]
    pub fn network(&self, game: &str) -> Option<Arc<Network>> {
        match self {
            Self::Default => find(game).ok().and_then(GameKind::default_network),
            Self::HandMade => None,
            Self::Network(network) => Some(Arc::clone(network)),
        }
    }
}

/// An engine for the game called `game`, with a transposition table of about `mebibytes` MiB.
///
/// Every engine should come from here: one from [`AlphaBeta::new`] has no network.
///
/// ```
/// use sandtable::{Evaluation, engine_for};
///
/// let engine = engine_for("chess", 16, Default::default(), &Evaluation::HandMade)?;
/// assert!(engine.network.is_none());
/// # Ok::<(), sandtable::search::TableTooBig>(())
/// ```
pub fn engine_for(
    game: &str,
    mebibytes: usize,
    settings: AlphaBetaSettings,
    evaluation: &Evaluation,
) -> Result<AlphaBeta, TableTooBig> {
    let mut engine = AlphaBeta::try_new(mebibytes, settings)?;
    engine.network = evaluation.network(game);
    Ok(engine)
}

/// The place of a game's default network.
pub(crate) struct DefaultNetwork {
    /// The file that is part of the program.
    embedded: Option<&'static [u8]>,
    /// The network in use: read once, or installed.
    network: Mutex<Option<Arc<Network>>>,
}

impl DefaultNetwork {
    pub(crate) const fn new(embedded: Option<&'static [u8]>) -> Self {
        Self { embedded, network: Mutex::new(None) }
    }

    fn get(&self, kind: &GameKind) -> Option<Arc<Network>> {
        // A panic elsewhere leaves the slot as it was.
        let mut network = self.network.lock().unwrap_or_else(PoisonError::into_inner);
        if network.is_none() {
            let read = |bytes| kind.read_network(bytes).expect("a test reads the embedded networks");
            *network = self.embedded.map(read).map(Arc::new);
        }
        network.clone()
    }

    fn set(&self, network: Network) {
        *self.network.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(network));
    }
}

impl fmt::Debug for DefaultNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DefaultNetwork").finish_non_exhaustive()
    }
}

impl GameKind {
    /// The network that engines use by default: the one that is embedded (feature `nets`), or the one that
    /// [`install_network`](Self::install_network) was given; `None` without either.
    #[must_use]
    pub fn default_network(&self) -> Option<Arc<Network>> {
        self.network.and_then(|network| network.get(self))
    }

    /// Makes the network of a file the default of all engines created from now on. For programs without embedded
    /// networks, which load them when they need them.
    pub fn install_network(&self, bytes: &[u8]) -> Result<(), NetworkError> {
        let network = self.read_network(bytes)?;
        if let Some(place) = self.network {
            place.set(network);
        }
        Ok(())
    }
}
