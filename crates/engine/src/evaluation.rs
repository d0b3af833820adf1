//! The evaluation of an engine: the default network of its game, another network, or the hand-made evaluation.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use sandtable_games::{AnyGame, GameKind, GameVisitor, Playable, find};
use sandtable_nnue::{Network, NetworkError};
use sandtable_search::{AlphaBeta, AlphaBetaSettings, TableTooBig};

/// How an engine evaluates positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Evaluation {
    /// The default network of the game ([`default_network`]); the hand-made evaluation if there is none.
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
            Self::Default => find(game).ok().and_then(default_network),
            Self::HandMade => None,
            Self::Network(network) => Some(Arc::clone(network)),
        }
    }

    /// The static evaluation of a game for the side to move, in centipawns.
    #[must_use]
    pub fn static_eval(&self, game: &dyn AnyGame) -> i32 {
        game.static_eval(self.network(game.name()).as_ref())
    }
}

/// An engine for the game called `game`, with a transposition table of about `mebibytes` MiB.
///
/// Every engine should come from here: one from [`AlphaBeta::new`] has no network.
///
/// ```
/// use sandtable_engine::{Evaluation, engine_for};
///
/// let engine = engine_for("chess", 16, Default::default(), &Evaluation::HandMade)?;
/// assert!(engine.network.is_none());
/// # Ok::<(), sandtable_search::TableTooBig>(())
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

/// The networks in use: read once, or installed.
static NETWORKS: Mutex<BTreeMap<&'static str, Arc<Network>>> = Mutex::new(BTreeMap::new());

/// The file of a game's network that is part of the program.
fn embedded(game: &str) -> Option<&'static [u8]> {
    match game {
        #[cfg(all(feature = "chess", feature = "nets"))]
        "chess" => Some(include_bytes!("../nets/chess.net")),
        #[cfg(all(feature = "cotulenh", feature = "nets"))]
        "cotulenh" => Some(include_bytes!("../nets/cotulenh.net")),
        #[cfg(all(feature = "tribun", feature = "nets"))]
        "tribun" => Some(include_bytes!("../nets/tribun.net")),
        _ => None,
    }
}

/// The network that the engines of a game use by default: the one that is embedded (feature `nets`), or the one that
/// [`install_network`] was given; `None` without either.
#[must_use]
pub fn default_network(kind: &GameKind) -> Option<Arc<Network>> {
    // A panic elsewhere leaves the networks as they were.
    let mut networks = NETWORKS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(network) = networks.get(kind.name) {
        return Some(Arc::clone(network));
    }
    let network = read_network(kind, embedded(kind.name)?).expect("a test reads the embedded networks");
    let network = Arc::new(network);
    networks.insert(kind.name, Arc::clone(&network));
    Some(network)
}

/// Makes the network of a file the default of all engines of a game that are created from now on. For programs without
/// embedded networks, which load them when they need them.
pub fn install_network(kind: &GameKind, bytes: &[u8]) -> Result<(), NetworkError> {
    let network = read_network(kind, bytes)?;
    NETWORKS.lock().unwrap_or_else(PoisonError::into_inner).insert(kind.name, Arc::new(network));
    Ok(())
}

/// Reads the file of an evaluation network for a game.
pub fn read_network(kind: &GameKind, bytes: &[u8]) -> Result<Network, NetworkError> {
    struct Read<'a>(&'a [u8]);
    impl GameVisitor for Read<'_> {
        type Out = Result<Network, NetworkError>;

        fn visit<P: Playable>(self) -> Self::Out {
            Network::from_bytes::<P>(self.0)
        }
    }
    kind.visit(Read(bytes))
}
