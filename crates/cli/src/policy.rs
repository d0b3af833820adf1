//! Networks with a policy (`--net`), which search by Monte Carlo tree search.

use std::path::Path;

use sandtable::AnyGame;
use sandtable::engine::PolicyEngine;
use sandtable_policynet::{OnnxError, OnnxNetwork};

/// An engine with the network of a file, for games with the rules of `game`.
pub(crate) fn open_network(path: &Path, game: &dyn AnyGame) -> Result<PolicyEngine, String> {
    let engine = read_network(path)?;
    engine.check(game).map_err(|e| format!("cannot use {}: {e}", path.display()))?;
    Ok(engine)
}

/// An engine with the network of a file, for any game.
pub(crate) fn read_network(path: &Path) -> Result<PolicyEngine, String> {
    let fail = |e: &dyn std::fmt::Display| format!("cannot use {}: {e}", path.display());
    let bytes = std::fs::read(path).map_err(|e| fail(&e))?;
    match OnnxNetwork::from_bytes(&bytes) {
        Ok(network) => Ok(network.into_engine()),
        Err(e @ OnnxError::Format(_)) => {
            Err(format!("{} (the networks of `sandtable net train` are for --eval)", fail(&e)))
        }
        Err(e) => Err(fail(&e)),
    }
}
