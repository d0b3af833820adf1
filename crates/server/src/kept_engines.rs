//! The engines at full strength that wait for the next move of their games, with what they have in their tables.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sandtable_contract::Engine;

/// A bounded number of engines by the identifiers of their games. The least recently used one is dropped first.
#[derive(Debug)]
pub(crate) struct KeptEngines {
    capacity: usize,
    threads: usize,
    /// Least recently used first.
    engines: Mutex<VecDeque<(String, Engine)>>,
}

impl KeptEngines {
    /// At most `capacity` engines. New ones search with `threads` threads at full strength.
    pub(crate) fn new(capacity: usize, threads: usize) -> Self {
        Self { capacity, threads, engines: Mutex::default() }
    }

    /// The engine of a game, or a new one.
    pub(crate) fn take(&self, id: &str) -> Engine {
        remove(&mut self.engines(), id).unwrap_or_else(|| Engine::new(self.threads))
    }

    /// Keeps the engine of a game, if it remembers anything.
    pub(crate) fn keep(&self, id: &str, engine: Engine) {
        if !engine.has_memory() {
            return;
        }
        let mut engines = self.engines();
        remove(&mut engines, id);
        engines.push_back((id.to_owned(), engine));
        if engines.len() > self.capacity {
            engines.pop_front();
        }
    }

    /// Drops the engine of a game.
    pub(crate) fn forget(&self, id: &str) {
        remove(&mut self.engines(), id);
    }

    /// The identifiers of the games whose engines are kept, the least recently used first.
    #[cfg(test)]
    pub(crate) fn ids(&self) -> Vec<String> {
        self.engines().iter().map(|(id, _)| id.clone()).collect()
    }

    fn engines(&self) -> MutexGuard<'_, VecDeque<(String, Engine)>> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn remove(engines: &mut VecDeque<(String, Engine)>, id: &str) -> Option<Engine> {
    let index = engines.iter().position(|(of, _)| of == id)?;
    engines.remove(index).map(|(_, engine)| engine)
}

#[cfg(test)]
mod tests {
    use sandtable_contract::EngineTask;

    use super::*;

    /// An engine after a move at a level.
    fn used(level: u8) -> Engine {
        let game = sandtable::find("chess").unwrap().start("standard").unwrap();
        let mut engine = Engine::new(1);
        let task = EngineTask::Move { level, time_left: Some(1) };
        engine.decide(&*game, task, 0, &|| 0, &|| true).unwrap();
        engine
    }

    #[test]
    fn the_least_recently_used_engine_is_dropped() {
        let kept = KeptEngines::new(2, 1);
        for id in ["a", "b"] {
            kept.keep(id, used(9));
        }
        let first = kept.take("a");
        assert!(first.has_memory() && kept.ids() == ["b"]);
        kept.keep("a", first);
        kept.keep("c", used(9));
        assert_eq!(kept.ids(), ["a", "c"]);
        assert!(!kept.take("b").has_memory());
        kept.keep("a", used(9));
        assert_eq!(kept.ids(), ["c", "a"]);
        kept.forget("c");
        assert_eq!(kept.ids(), ["a"]);
    }

    #[test]
    fn engines_without_memory_are_not_kept() {
        let kept = KeptEngines::new(2, 1);
        kept.keep("a", used(3));
        assert!(kept.ids().is_empty());
    }
}
