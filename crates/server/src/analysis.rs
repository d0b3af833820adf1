//! The analysis WebSocket: the client sends positions or games, the server streams search reports and reviews.
//!
//! All analyses share the workers of a [`FairQueue`]. A search that has had its worker for a while gives it to a client with
//! fewer workers: it sleeps in the middle of the search, with its transposition table, until it gets a worker again. So the
//! first line of an analysis comes soon, however many analyses another client has.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::ws::Message;
use sandtable::AnyGame;
use sandtable::engine::PolicyEngine;
use sandtable::games::OnReport;
use sandtable_contract::{
    AnalysisLimits, AnalysisMessage, ApiError, DoneReason, ErrorCode, GameReview, NetworkFailure, Networks,
    ReviewGameRequest, ReviewRequest, SearchRequest, from_json, search, to_json,
};
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};

use crate::clients::{Client, Clients, Rate};
use crate::error::ServerError;
use crate::fair_queue::{FairQueue, Place};
use crate::registry::{Registry, ReviewPlan};
use crate::socket::{Closed, Socket};
use crate::{App, Limits};

/// How many messages are buffered for a slow client before reports are skipped.
const BUFFERED: usize = 16;
/// How long a search keeps its worker while clients with fewer workers wait.
const TIME_SLICE: Duration = Duration::from_millis(250);
/// The most searches that sleep. Each has a thread and a transposition table; a further one ends instead.
const MAX_SLEEPING: usize = 8;

/// The workers that all analyses share, and the limits of each search.
#[derive(Debug)]
pub(crate) struct AnalysisPool {
    queue: Arc<FairQueue<Arc<str>>>,
    sleeping: AtomicUsize,
    limits: AnalysisLimits,
    per_client: usize,
    networks: OfferedNetworks,
}

/// The networks that analyze on request.
#[derive(Debug)]
struct OfferedNetworks(Vec<PolicyEngine>);

impl Networks for OfferedNetworks {
    fn search(
        &self,
        game: &dyn AnyGame,
        lines: usize,
        hash_mib: usize,
        limits: &sandtable::search::Limits<'_>,
        on_report: &mut OnReport<'_>,
    ) -> Result<(), NetworkFailure> {
        let engine = self.0.iter().find(|engine| engine.is_for(game.name(), game.rules()));
        let engine = engine.ok_or(NetworkFailure::Missing)?.clone();
        let engine = engine.with_lines(lines).with_memory(hash_mib);
        let found = engine.search(game, limits, &mut |found| on_report(&found.report));
        found.map(drop).map_err(|e| {
            tracing::error!(%e, game = game.name(), "a network cannot be evaluated");
            NetworkFailure::Failed
        })
    }
}

impl AnalysisPool {
    pub(crate) fn new(limits: &Limits, networks: Vec<PolicyEngine>) -> Self {
        let max_time = limits.analysis_time.as_millis() as u64;
        Self {
            queue: FairQueue::new(limits.analysis_workers),
            sleeping: AtomicUsize::new(0),
            limits: AnalysisLimits { max_time, hash_mib: limits.analysis_hash_mib },
            per_client: limits.analyses_per_client,
            networks: OfferedNetworks(networks),
        }
    }

    /// The number of analyses that wait for a worker.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.waiting()
    }
}

/// The searches of a client.
#[derive(Clone)]
pub(crate) struct Searches {
    /// The name of the client in the queue.
    name: Arc<str>,
    pool: Arc<AnalysisPool>,
    reviews: Option<Reviews>,
}

impl Searches {
    pub(crate) fn of(app: &App, client: Client) -> Self {
        let (registry, clients) = (Arc::clone(&app.registry), Arc::clone(&app.clients));
        let reviews = Some(Reviews { registry, clients, client });
        Self { name: client.name(), pool: Arc::clone(&app.analysis_pool), reviews }
    }
}

/// Where reviews of stored games come from and go to.
#[derive(Clone)]
struct Reviews {
    registry: Arc<Registry>,
    clients: Arc<Clients>,
    client: Client,
}

impl Reviews {
    /// Stores a review, whose size counts for the client.
    async fn store(
        &self,
        game: &str,
        search: (ReviewRequest, u64),
        review: &GameReview,
    ) -> Result<(), ApiError> {
        let annotations = review.annotations.clone();
        self.clients.charge(self.client, Rate::StoredBytes, to_json(&annotations).len() as u64)?;
        self.registry.store_review(game, search, annotations).await
    }
}

/// A queued or running search. Dropping it stops the search.
struct Running {
    id: i64,
    stop: Arc<AtomicBool>,
    messages: mpsc::Receiver<AnalysisMessage>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

/// Serves one analysis socket until the client disconnects or the server shuts down.
pub(crate) async fn serve(mut socket: Socket, searches: Searches, mut shutdown: watch::Receiver<bool>) {
    let mut running: Option<Running> = None;
    loop {
        let next = async {
            match &mut running {
                Some(running) => running.messages.recv().await,
                None => std::future::pending().await,
            }
        };
        let outgoing = tokio::select! {
            received = socket.receive() => match received {
                Ok(Message::Text(text)) => handle(&text, &searches, &mut running),
                Ok(_) => vec![error(None, ApiError::bad_request(&ServerError::TextExpected))],
                Err(Closed) => return,
            },
            message = next => {
                // A finished search sends nothing more, and the next request must not report it as stopped.
                if matches!(message, None | Some(AnalysisMessage::Done { .. } | AnalysisMessage::Error { .. })) {
                    running = None;
                }
                message.into_iter().collect()
            }
            _ = shutdown.changed() => {
                drop(running);
                return socket.close(None).await;
            }
        };
        for message in outgoing {
            // Returning drops `running`, which stops the search and frees its worker.
            if let Err(Closed) = socket.send(Message::Text(to_json(&message).into())).await {
                return;
            }
        }
    }
}

fn error(id: Option<i64>, error: ApiError) -> AnalysisMessage {
    AnalysisMessage::Error { id, error }
}

/// Handles a message of the client and returns the immediate replies. Every valid message stops the current search.
fn handle(text: &str, searches: &Searches, running: &mut Option<Running>) -> Vec<AnalysisMessage> {
    let request: SearchRequest = match from_json(text) {
        Ok(request) => request,
        Err(e) => return vec![error(None, e)],
    };
    let stopped =
        running.take().map(|search| AnalysisMessage::Done { id: search.id, reason: DoneReason::Stopped });
    let mut replies: Vec<_> = stopped.into_iter().collect();
    if let Some(id) = request.id() {
        match request.validate().and_then(|()| start(id, request, searches)) {
            Ok(search) => *running = Some(search),
            Err(e) => replies.push(error(Some(id), e)),
        }
    }
    replies
}

/// Starts a search, which waits in the queue while all workers are busy.
fn start(id: i64, request: SearchRequest, searches: &Searches) -> Result<Running, ApiError> {
    let pool = &searches.pool;
    let Some(mut place) = pool.queue.enter_below(Arc::clone(&searches.name), pool.per_client) else {
        let error = ServerError::TooManyAnalyses { limit: pool.per_client };
        return Err(ApiError::new(ErrorCode::TooManyRequests, &error));
    };
    let (sender, messages) = mpsc::channel(BUFFERED);
    let stop = Arc::new(AtomicBool::new(false));
    let running = Running { id, stop: Arc::clone(&stop), messages };
    let Searches { pool, reviews, .. } = searches.clone();
    tokio::spawn(async move {
        if place.is_waiting() {
            if sender.send(AnalysisMessage::Queued { id }).await.is_err() {
                return;
            }
            tokio::select! {
                () = place.wait() => {}
                () = sender.closed() => return,
            }
        }
        let last = match (request, reviews) {
            (SearchRequest::ReviewGame(request), Some(reviews)) => {
                review_game(&request, &reviews, pool, place, stop, sender.clone()).await
            }
            (request, _) => run(request, pool, place, stop, sender.clone(), Results::Sent).await,
        };
        // The worker is free again, so a client that does not read keeps nobody waiting.
        for message in last {
            // An error means that the client is gone.
            let _ = sender.send(message).await;
        }
    });
    Ok(running)
}

/// Reviews a stored game, unless it has a review, and stores the result before it is sent.
///
/// Anyone may request a review, so one with few nodes is not stored: it would take the place of a better one.
async fn review_game(
    request: &ReviewGameRequest,
    reviews: &Reviews,
    pool: Arc<AnalysisPool>,
    place: Place<Arc<str>>,
    stop: Arc<AtomicBool>,
    sender: mpsc::Sender<AnalysisMessage>,
) -> Vec<AnalysisMessage> {
    let id = request.id;
    let (search, version) = match reviews.registry.begin_review(request).await {
        Ok(ReviewPlan::Search(search, version)) => (search, version),
        Ok(ReviewPlan::Known(review)) => {
            let done = AnalysisMessage::Done { id, reason: DoneReason::Complete };
            return vec![AnalysisMessage::Reviewed { id, review }, done];
        }
        Err(e) => return vec![error(Some(id), e)],
    };
    let searched = SearchRequest::Review(search.clone());
    let results = run(searched, pool, place, stop, sender, Results::Returned).await;
    for message in &results {
        if let AnalysisMessage::Reviewed { review, .. } = message
            && request.is_worth_storing()
            && let Err(e) = reviews.store(&request.game, (search.clone(), version), review).await
        {
            return vec![error(Some(id), e)];
        }
    }
    results
}

/// Runs a search on its worker and returns the messages that are still to be sent.
async fn run(
    request: SearchRequest,
    pool: Arc<AnalysisPool>,
    place: Place<Arc<str>>,
    stop: Arc<AtomicBool>,
    sender: mpsc::Sender<AnalysisMessage>,
    results: Results,
) -> Vec<AnalysisMessage> {
    let search = move || search_blocking(&request, &pool, place, &stop, &sender, results);
    tokio::task::spawn_blocking(search).await.unwrap_or_else(|e| {
        tracing::error!(%e, "an analysis failed");
        Vec::new()
    })
}

/// What happens with the result of a search and the message that ends it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
    /// They are sent as reports are.
    Sent,
    /// They are returned.
    Returned,
}

/// Runs a search and returns the messages that are still to be sent.
fn search_blocking(
    request: &SearchRequest,
    pool: &AnalysisPool,
    place: Place<Arc<str>>,
    stop: &AtomicBool,
    sender: &mpsc::Sender<AnalysisMessage>,
    results: Results,
) -> Vec<AnalysisMessage> {
    let turn = Mutex::new(Turn { place, began: Instant::now(), used: Duration::ZERO, is_over: false });
    let turn = || turn.lock().unwrap_or_else(PoisonError::into_inner);
    let now = || turn().time_used().as_millis() as u64;
    let should_stop = || stop.load(Ordering::Acquire) || turn().end_slice(pool, sender);
    let mut unsent = Vec::new();
    let mut send = |message| {
        if matches!(message, AnalysisMessage::Report(_) | AnalysisMessage::Progress { .. }) {
            // A newer report replaces the one that is still to be sent.
            unsent.clear();
        }
        let is_result = matches!(message, AnalysisMessage::Reviewed { .. } | AnalysisMessage::Done { .. });
        if unsent.is_empty() && !(is_result && results == Results::Returned) {
            match sender.try_send(message) {
                Ok(()) => {}
                Err(TrySendError::Full(message)) => unsent.push(message),
                // `stop` is set as well.
                Err(TrySendError::Closed(_)) => return false,
            }
        } else {
            unsent.push(message);
        }
        true
    };
    search(request, pool.limits, Some(&pool.networks), &now, &should_stop, &mut send);
    unsent
}

/// The worker of a search, which it has for a slice of time at a time.
struct Turn {
    place: Place<Arc<str>>,
    /// When the search got the worker.
    began: Instant,
    /// The time with a worker before that.
    used: Duration,
    /// The search was ended to make room for others.
    is_over: bool,
}

impl Turn {
    /// The time the search has had a worker.
    fn time_used(&self) -> Duration {
        self.used + self.began.elapsed()
    }

    /// Gives way to a client with fewer workers at the end of a slice and sleeps until there is a worker again. Returns
    /// whether the search must end.
    fn end_slice(&mut self, pool: &AnalysisPool, sender: &mpsc::Sender<AnalysisMessage>) -> bool {
        if self.is_over || self.began.elapsed() < TIME_SLICE || !self.place.should_yield() {
            return self.is_over;
        }
        let sleep = |sleeping: usize| (sleeping < MAX_SLEEPING).then_some(sleeping + 1);
        if pool.sleeping.fetch_update(Ordering::AcqRel, Ordering::Acquire, sleep).is_err() {
            self.is_over = true;
            return true;
        }
        self.used = self.time_used();
        self.place.give_way();
        self.is_over = Handle::current().block_on(async {
            tokio::select! {
                () = self.place.wait() => false,
                () = sender.closed() => true,
            }
        });
        pool.sleeping.fetch_sub(1, Ordering::AcqRel);
        self.began = Instant::now();
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pool(workers: usize, per_client: usize) -> Arc<AnalysisPool> {
        let limits =
            Limits { analysis_workers: workers, analyses_per_client: per_client, ..Limits::default() };
        Arc::new(AnalysisPool::new(&limits, Vec::new()))
    }

    /// Starts an analysis of the start position, without limits.
    fn analyze(pool: &Arc<AnalysisPool>, client: &str) -> Result<Running, ApiError> {
        request(pool, client, &json!({ "type": "analyze", "id": 1, "position": { "kind": "cotulenh" } }))
    }

    fn request(
        pool: &Arc<AnalysisPool>,
        client: &str,
        request: &serde_json::Value,
    ) -> Result<Running, ApiError> {
        let searches = Searches { name: client.into(), pool: Arc::clone(pool), reviews: None };
        start(1, from_json(&request.to_string()).expect("a request"), &searches)
    }

    async fn first_report(search: &mut Running) -> AnalysisMessage {
        loop {
            match search.messages.recv().await {
                Some(report @ AnalysisMessage::Report(_)) => return report,
                Some(AnalysisMessage::Queued { .. } | AnalysisMessage::Started { .. }) => {}
                other => panic!("no report: {other:?}"),
            }
        }
    }

    #[tokio::test]
    async fn many_analyses_of_a_client_do_not_keep_another_one_waiting() {
        let pool = pool(1, 300);
        let mut many: Vec<_> = (0..300).map(|_| analyze(&pool, "a").expect("below the limit")).collect();
        first_report(&mut many[0]).await;
        // Without a limit, each of them takes two minutes.
        let mut other = analyze(&pool, "b").expect("below the limit");
        first_report(&mut other).await;
        assert!(pool.queue.waiting() >= 299, "{:?}", pool.queue);
        drop(other);
        // The search that gave way goes on.
        while let Ok(message) = many[0].messages.try_recv() {
            assert!(matches!(message, AnalysisMessage::Report(_)), "{message:?}");
        }
        first_report(&mut many[0]).await;
    }

    #[tokio::test]
    async fn a_sleeping_analysis_ends_with_its_client() {
        let pool = pool(1, 10);
        let mut first = analyze(&pool, "a").expect("below the limit");
        first_report(&mut first).await;
        let mut second = analyze(&pool, "b").expect("below the limit");
        first_report(&mut second).await;
        assert_eq!((pool.sleeping.load(Ordering::Acquire), pool.queue.waiting()), (1, 1));
        drop((first, second));
        while pool.queue.running() + pool.queue.waiting() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(pool.sleeping.load(Ordering::Acquire), 0);
    }

    #[tokio::test]
    async fn too_many_sleeping_analyses_end() {
        let pool = pool(1, 10);
        pool.sleeping.store(MAX_SLEEPING, Ordering::Release);
        let mut first = analyze(&pool, "a").expect("below the limit");
        first_report(&mut first).await;
        let mut second = analyze(&pool, "b").expect("below the limit");
        first_report(&mut second).await;
        let mut last = None;
        while let Some(message) = first.messages.recv().await {
            last = Some(message);
        }
        assert!(matches!(last, Some(AnalysisMessage::Done { .. })), "{last:?}");
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_keeps_no_worker() {
        let pool = pool(1, 10);
        // One node at each depth: more reports than fit into the buffer.
        let mate = "7k/5K2/8/8/8/8/8/6Q1 w - - 0 1";
        let position = json!({ "kind": "chess", "position": mate });
        let analysis = json!({ "type": "analyze", "id": 1, "position": position, "depth": 60 });
        let mut unread = request(&pool, "a", &analysis).expect("below the limit");
        while pool.queue.running() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let mut messages = Vec::new();
        while let Some(message) = unread.messages.recv().await {
            messages.push(message);
        }
        assert!(messages.len() > BUFFERED, "the buffer was full");
        assert!(
            matches!(
                messages[messages.len() - 2..],
                [AnalysisMessage::Report(_), AnalysisMessage::Done { .. }]
            ),
            "{messages:?}"
        );
    }

    #[tokio::test]
    async fn a_client_has_a_limited_number_of_analyses() {
        let pool = pool(1, 2);
        let searches = [analyze(&pool, "a"), analyze(&pool, "a"), analyze(&pool, "a"), analyze(&pool, "b")];
        let errors = searches.iter().map(|search| search.as_ref().err().map(ApiError::code));
        assert_eq!(errors.collect::<Vec<_>>(), [None, None, Some(ErrorCode::TooManyRequests), None]);
    }
}
