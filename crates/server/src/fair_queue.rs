//! A queue for a fixed number of workers that is fair to clients, however many searches one of them has.
//!
//! A free worker goes to the waiting client with the fewest workers; among those with equally many, to the one whose last
//! search ended, began or was queued the longest ago. With one worker, this is round robin over the clients. The searches
//! of one client run in the order in which they were queued.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// The queue. `K` identifies a client.
#[derive(Debug)]
pub(crate) struct FairQueue<K: Clone + Eq + Hash> {
    state: Mutex<State<K>>,
}

#[derive(Debug)]
struct State<K> {
    free: usize,
    /// The clients with a search that runs or waits.
    clients: HashMap<K, Client>,
    /// Numbers everything that happens.
    counter: u64,
}

#[derive(Debug, Default)]
struct Client {
    running: usize,
    waiting: VecDeque<Waiter>,
    /// When a search of this client last ended, began or was the first to be queued.
    last_event: u64,
}

#[derive(Debug)]
struct Waiter {
    number: u64,
    worker: oneshot::Sender<()>,
}

impl<K: Clone + Eq + Hash> FairQueue<K> {
    pub(crate) fn new(workers: usize) -> Arc<Self> {
        let state = State { free: workers, clients: HashMap::new(), counter: 0 };
        Arc::new(Self { state: Mutex::new(state) })
    }

    /// Queues a search. It has its worker at once if one is free.
    pub(crate) fn enter(self: &Arc<Self>, client: K) -> Place<K> {
        self.enter_below(client, usize::MAX).expect("the queue has no limit")
    }

    /// Queues a search, unless the client has `limit` searches that run or wait.
    pub(crate) fn enter_below(self: &Arc<Self>, client: K, limit: usize) -> Option<Place<K>> {
        let mut state = self.state();
        if state.clients.get(&client).is_some_and(|client| client.running + client.waiting.len() >= limit) {
            return None;
        }
        let first_stage = state.request(&client, VecDeque::push_back);
        drop(state);
        Some(Place { queue: Arc::clone(self), client, stage: first_stage })
    }

    /// The number of searches that wait for a worker.
    pub(crate) fn waiting(&self) -> usize {
        self.state().clients.values().map(|client| client.waiting.len()).sum()
    }

    #[cfg(test)]
    /// The number of searches that have a worker.
    pub(crate) fn running(&self) -> usize {
        self.state().clients.values().map(|client| client.running).sum()
    }

    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Clone + Eq + Hash> State<K> {
    fn next_number(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// Requests a worker: takes a free one or waits at the end of the client's queue that `push` chooses.
    fn request(&mut self, client: &K, push: impl FnOnce(&mut VecDeque<Waiter>, Waiter)) -> Stage {
        let number = self.next_number();
        let has_free = self.free > 0;
        let entry = self.clients.entry(client.clone()).or_default();
        if entry.waiting.is_empty() {
            entry.last_event = number;
        }
        if has_free {
            entry.running += 1;
            self.free -= 1;
            return Stage::Running;
        }
        let (sender, worker) = oneshot::channel();
        push(&mut entry.waiting, Waiter { number, worker: sender });
        Stage::Waiting { number, worker }
    }

    /// Takes a worker back from a client and gives it to the next one.
    fn release(&mut self, client: &K) {
        let number = self.next_number();
        self.free += 1;
        if let Some(entry) = self.clients.get_mut(client) {
            entry.running -= 1;
            entry.last_event = number;
        }
        self.forget_if_idle(client);
        let waiting = self.clients.iter().filter(|(_, client)| !client.waiting.is_empty());
        let next = waiting.min_by_key(|(_, client)| (client.running, client.last_event));
        let Some(next) = next.map(|(key, _)| key.clone()) else { return };
        let number = self.next_number();
        if let Some(entry) = self.clients.get_mut(&next)
            && let Some(waiter) = entry.waiting.pop_front()
        {
            entry.running += 1;
            entry.last_event = number;
            self.free -= 1;
            // An error means that its place is being dropped, which releases the worker.
            let _ = waiter.worker.send(());
        }
    }

    fn forget_if_idle(&mut self, client: &K) {
        if self.clients.get(client).is_some_and(|client| client.running == 0 && client.waiting.is_empty()) {
            self.clients.remove(client);
        }
    }

    /// Removes a waiting search; false if it has got a worker in the meantime.
    fn remove_waiting(&mut self, client: &K, number: u64) -> bool {
        let Some(entry) = self.clients.get_mut(client) else { return false };
        let index = entry.waiting.iter().position(|waiter| waiter.number == number);
        let removed = index.and_then(|index| entry.waiting.remove(index)).is_some();
        self.forget_if_idle(client);
        removed
    }
}

/// The place of a search in the queue, or its worker. Dropping it gives both up.
#[derive(Debug)]
pub(crate) struct Place<K: Clone + Eq + Hash> {
    queue: Arc<FairQueue<K>>,
    client: K,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Waiting { number: u64, worker: oneshot::Receiver<()> },
    Running,
}

impl<K: Clone + Eq + Hash> Place<K> {
    /// Whether the search had no worker when it was last asked to wait for one.
    pub(crate) const fn is_waiting(&self) -> bool {
        matches!(self.stage, Stage::Waiting { .. })
    }

    /// Waits until the search has a worker. Cancel safe: the search keeps its place.
    pub(crate) async fn wait(&mut self) {
        if let Stage::Waiting { worker, .. } = &mut self.stage {
            // Cannot fail: the queue keeps the sender until the worker is free.
            let _ = worker.await;
            self.stage = Stage::Running;
        }
    }

    /// Whether a client with fewer workers than this one waits.
    pub(crate) fn should_yield(&self) -> bool {
        let state = self.queue.state();
        let own = state.clients.get(&self.client).map_or(0, |client| client.running);
        state.clients.values().any(|client| !client.waiting.is_empty() && client.running < own)
    }

    /// Gives the worker to the next client; the search waits again, before the other searches of its client.
    pub(crate) fn give_way(&mut self) {
        if matches!(self.stage, Stage::Running) {
            let mut state = self.queue.state();
            state.release(&self.client);
            self.stage = state.request(&self.client, VecDeque::push_front);
        }
    }
}

impl<K: Clone + Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        let is_removed = match self.stage {
            Stage::Waiting { number, .. } => state.remove_waiting(&self.client, number),
            Stage::Running => false,
        };
        if !is_removed {
            state.release(&self.client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ends the running search and returns the client that gets the worker.
    async fn next<'a>(running: &mut Place<&'a str>, waiting: &mut Vec<Place<&'a str>>) -> &'a str {
        let queue = Arc::clone(&running.queue);
        // A place of nobody, which replaces the one that is dropped.
        let idle = FairQueue::new(1).enter("");
        drop(std::mem::replace(running, idle));
        assert_eq!(queue.waiting(), waiting.len() - 1);
        let has_worker = |place: &Place<&str>| match &place.stage {
            Stage::Waiting { worker, .. } => !worker.is_empty(),
            Stage::Running => true,
        };
        let index = waiting.iter().position(has_worker).expect("the worker is passed on");
        *running = waiting.remove(index);
        running.wait().await;
        running.client
    }

    #[tokio::test]
    async fn clients_take_turns_however_many_searches_one_has() {
        let queue = FairQueue::new(1);
        let mut running = queue.enter("a");
        let mut waiting: Vec<_> =
            ["a", "a", "a", "b", "b", "c"].into_iter().map(|client| queue.enter(client)).collect();
        let mut order = Vec::new();
        while !waiting.is_empty() {
            order.push(next(&mut running, &mut waiting).await);
        }
        assert_eq!(order, ["b", "c", "a", "b", "a", "a"]);
        drop(running);
        assert_eq!((queue.running(), queue.waiting(), queue.state().clients.len()), (0, 0, 0));
    }

    #[tokio::test]
    async fn a_client_that_comes_and_goes_does_not_overtake_the_others() {
        let queue = FairQueue::new(1);
        let mut running = queue.enter("a");
        let mut waiting = vec![queue.enter("b"), queue.enter("c")];
        for expected in ["b", "c", "a", "a", "a"] {
            waiting.push(queue.enter("a"));
            assert_eq!(next(&mut running, &mut waiting).await, expected);
        }
    }

    #[tokio::test]
    async fn a_client_gives_way_to_one_with_fewer_workers() {
        let queue = FairQueue::new(2);
        let (mut first, second) = (queue.enter("a"), queue.enter("a"));
        let mut third = queue.enter("a");
        assert!(third.is_waiting() && !first.should_yield(), "nobody else waits");
        let mut other = queue.enter("b");
        assert!(first.should_yield() && second.should_yield());
        first.give_way();
        other.wait().await;
        assert!(first.is_waiting() && !second.should_yield(), "each client has one worker");
        drop(other);
        first.wait().await;
        assert!(!first.is_waiting(), "a search that gave way comes before later ones of its client");
        drop(first);
        third.wait().await;
        assert_eq!((queue.running(), queue.waiting()), (2, 0));
    }

    #[tokio::test]
    async fn a_dropped_place_leaves_the_queue() {
        let queue = FairQueue::new(1);
        let running = queue.enter("a");
        drop(queue.enter("b"));
        assert_eq!((queue.running(), queue.waiting(), queue.state().clients.len()), (1, 0, 1));
        // Dropped after it got the worker, but before it noticed.
        let (granted, mut last) = (queue.enter("b"), queue.enter("c"));
        drop(running);
        drop(granted);
        last.wait().await;
        assert_eq!((queue.running(), queue.waiting()), (1, 0));
    }

    #[test]
    fn a_client_has_a_limit() {
        let queue = FairQueue::new(1);
        let places: Vec<_> = (0..3).filter_map(|_| queue.enter_below("a", 2)).collect();
        assert_eq!(places.len(), 2);
        assert!(queue.enter_below("b", 2).is_some());
        drop(places);
        assert!(queue.enter_below("a", 2).is_some());
    }
}
