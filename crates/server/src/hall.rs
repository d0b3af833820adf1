//! The games that are being played: each at a table of its own, all of them on disk.
//!
//! A change is made on a copy of the session, written to disk, and only then put in its place: what is not on disk has not
//! happened. Then whoever follows the game hears of it, and the engine and the clock do what follows from it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::extract::ws::Utf8Bytes;
use sandtable::core::Player;
use tokio::sync::{OnceCell, Semaphore, watch};

use crate::engine;
use crate::refusal::Refusal;
use crate::session::{Act, Beginning, Dates, Entry, GameState, Session, Summary};
use crate::store::{Kept, Store, StoreError, Write};

/// How many games stay in memory although nobody looks at them.
const LIVE: usize = 256;

/// All games.
pub(crate) struct Hall {
    store: Store,
    live: Mutex<HashMap<String, Arc<OnceCell<Arc<Table>>>>>,
    /// Who may think about a move at the same time.
    thinkers: Semaphore,
    began: Instant,
    stopping: AtomicBool,
}

/// A game that is in memory.
pub(crate) struct Table {
    id: String,
    seat: tokio::sync::Mutex<Seat>,
    news: watch::Sender<News>,
    /// The version of the session, for whoever cannot wait for the seat.
    version: AtomicU64,
}

struct Seat {
    session: Session,
    dates: Dates,
    /// Was the game deleted while somebody still held the table?
    gone: bool,
}

/// What whoever follows a game hears.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// The message that carries the game.
    Game(Utf8Bytes),
    /// The game was deleted.
    Gone,
}

/// A game as it stood at a moment: its version and its JSON.
pub(crate) struct Snapshot {
    pub(crate) version: u64,
    pub(crate) json: String,
}

impl Snapshot {
    /// The message that carries the game.
    pub(crate) fn message(&self) -> Utf8Bytes {
        format!(r#"{{"type":"game","game":{}}}"#, self.json).into()
    }
}

impl Hall {
    pub(crate) fn new(store: Store, thinkers: usize) -> Arc<Self> {
        Arc::new(Self {
            store,
            live: Mutex::default(),
            thinkers: Semaphore::new(thinkers),
            began: Instant::now(),
            stopping: AtomicBool::new(false),
        })
    }

    /// Begins a game.
    pub(crate) async fn begin(self: &Arc<Self>, beginning: Beginning) -> Result<Snapshot, Refusal> {
        let hall = Arc::clone(self);
        finish(async move {
            let session = Session::begin(Arc::new(beginning))?;
            let (id, at) = (new_id()?, wall());
            let dates = Dates { created: at, updated: at };
            let write = Write::Begin {
                id: id.clone(),
                beginning: to_json(&*session.beginning)?,
                summary: to_json(&Summary::of(&session, &id, dates))?,
                at,
            };
            hall.store.write(write).await.map_err(|e| unwritten(&e))?;
            let table = Arc::new(Table::new(id.clone(), session, dates));
            hall.seat(&id, Arc::new(OnceCell::new_with(Some(Arc::clone(&table)))));
            let seat = table.seat.lock().await;
            hall.follow_up(&table, &seat.session);
            hall.snapshot(&table, &seat)
        })
        .await
    }

    /// A game as it stands.
    pub(crate) async fn game(self: &Arc<Self>, id: &str) -> Result<Snapshot, Refusal> {
        let table = self.table(id).await?;
        let seat = table.seat.lock().await;
        self.snapshot(&table, &seat)
    }

    /// The record of a game, and the ending of a file for it.
    pub(crate) async fn record(self: &Arc<Self>, id: &str) -> Result<(String, &'static str), Refusal> {
        Ok(self.table(id).await?.seat.lock().await.session.record())
    }

    /// The summaries of games, the one changed last first, each as JSON.
    pub(crate) async fn list(&self, limit: u32, before: Option<u64>) -> Result<Vec<String>, Refusal> {
        self.store.list(limit, before).await.map_err(|e| unread(&e))
    }

    /// A game as it stands, and what will be heard of it from then on.
    pub(crate) async fn follow(
        self: &Arc<Self>,
        id: &str,
    ) -> Result<(Snapshot, watch::Receiver<News>), Refusal> {
        let table = self.table(id).await?;
        let seat = table.seat.lock().await;
        let mut news = table.news.subscribe();
        news.borrow_and_update();
        Ok((self.snapshot(&table, &seat)?, news))
    }

    /// Changes a game, if it still has the version that the change was meant for.
    pub(crate) async fn change(
        self: &Arc<Self>,
        id: &str,
        version: Option<u64>,
        act: impl FnOnce(&mut Session, u64) -> Result<Entry, Refusal> + Send + 'static,
    ) -> Result<Snapshot, Refusal> {
        let (hall, id) = (Arc::clone(self), id.to_owned());
        finish(async move {
            let table = hall.table(&id).await?;
            hall.change_at(&table, version, act).await
        })
        .await
    }

    async fn change_at(
        self: &Arc<Self>,
        table: &Arc<Table>,
        version: Option<u64>,
        act: impl FnOnce(&mut Session, u64) -> Result<Entry, Refusal>,
    ) -> Result<Snapshot, Refusal> {
        let mut seat = table.seat.lock().await;
        if seat.gone {
            return Err(Refusal::no_game());
        }
        let found = seat.session.version;
        if let Some(version) = version
            && version != found
        {
            return Err(Refusal::conflict(format!("the game has version {found} by now, not {version}")));
        }
        let mut next = seat.session.clone();
        let entry = act(&mut next, self.now())?;
        let dates = Dates { updated: wall().max(seat.dates.updated + 1), ..seat.dates };
        let write = Write::Append {
            id: table.id.clone(),
            number: next.version,
            entry: to_json(&entry)?,
            summary: to_json(&Summary::of(&next, &table.id, dates))?,
            at: dates.updated,
        };
        self.store.write(write).await.map_err(|e| unwritten(&e))?;
        *seat = Seat { session: next, dates, gone: false };
        table.version.store(seat.session.version, Ordering::Release);
        let snapshot = self.snapshot(table, &seat)?;
        if table.news.receiver_count() > 0 {
            table.news.send_replace(News::Game(snapshot.message()));
        }
        self.follow_up(table, &seat.session);
        Ok(snapshot)
    }

    /// Forgets a game.
    pub(crate) async fn delete(self: &Arc<Self>, id: &str) -> Result<(), Refusal> {
        let (hall, id) = (Arc::clone(self), id.to_owned());
        finish(async move {
            let table = hall.table(&id).await?;
            let mut seat = table.seat.lock().await;
            if seat.gone {
                return Err(Refusal::no_game());
            }
            hall.store.write(Write::Delete { id: id.clone() }).await.map_err(|e| unwritten(&e))?;
            seat.gone = true;
            table.version.store(u64::MAX, Ordering::Release);
            table.news.send_replace(News::Gone);
            hall.lock().remove(&id);
            Ok(())
        })
        .await
    }

    /// Closes the file, if everybody has left.
    pub(crate) fn close(self: Arc<Self>) {
        // Whoever still holds the hall drops it soon; what was answered is on disk in any case.
        if let Some(hall) = Arc::into_inner(self) {
            hall.store.close();
        }
    }

    /// Is the server about to stop?
    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    /// Tells everybody who thinks to stop.
    pub(crate) fn begin_stopping(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    /// Milliseconds since the server began: what clocks are told.
    fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    fn snapshot(&self, table: &Table, seat: &Seat) -> Result<Snapshot, Refusal> {
        if seat.gone {
            return Err(Refusal::no_game());
        }
        let state = GameState::of(&seat.session, &table.id, seat.dates, wall(), self.now());
        Ok(Snapshot { version: seat.session.version, json: to_json(&state)? })
    }

    /// The table of a game, read from disk if nobody has looked at it lately.
    async fn table(self: &Arc<Self>, id: &str) -> Result<Arc<Table>, Refusal> {
        let cell = self.lock().get(id).cloned();
        let cell = cell.unwrap_or_else(|| self.seat(id, Arc::default()));
        let loaded = cell.get_or_try_init(|| async {
            let kept = self.store.game(id.to_owned()).await.map_err(|e| unread(&e))?;
            let table = self.load(id, &kept.ok_or_else(Refusal::no_game)?)?;
            self.follow_up(&table, &table.seat.lock().await.session);
            Ok(table)
        });
        match loaded.await {
            Ok(table) => Ok(Arc::clone(table)),
            Err(refusal) => {
                self.lock().remove(id);
                Err(refusal)
            }
        }
    }

    fn load(&self, id: &str, kept: &Kept) -> Result<Arc<Table>, Refusal> {
        let unreadable = |e: serde_json::Error| Refusal::internal("a kept game cannot be read", &e);
        let beginning: Beginning = serde_json::from_str(&kept.beginning).map_err(unreadable)?;
        let entries = kept.entries.iter().map(|entry| serde_json::from_str(entry));
        let entries = entries.collect::<Result<Vec<Entry>, _>>().map_err(unreadable)?;
        let session = Session::resume(Arc::new(beginning), &entries, self.now())
            .map_err(|refusal| Refusal::internal("a kept game cannot be resumed", &refusal.message))?;
        let dates = Dates { created: kept.created, updated: kept.updated };
        Ok(Arc::new(Table::new(id.to_owned(), session, dates)))
    }

    /// Gives a game its place, unless it has one already, and makes room where nobody sits.
    fn seat(&self, id: &str, cell: Arc<OnceCell<Arc<Table>>>) -> Arc<OnceCell<Arc<Table>>> {
        let mut live = self.lock();
        if live.len() >= LIVE {
            live.retain(|_, cell| Arc::strong_count(cell) > 1 || cell.get().is_none_or(Table::is_in_use));
        }
        Arc::clone(live.entry(id.to_owned()).or_insert(cell))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<OnceCell<Arc<Table>>>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What follows from how a game stands: an engine's move or answer, a flag that will fall.
    fn follow_up(self: &Arc<Self>, table: &Arc<Table>, session: &Session) {
        let version = session.version;
        let left = session.time_to_flag(self.now()).map(Duration::from_millis);
        if let Some(left) = left {
            let (hall, table) = (Arc::downgrade(self), Arc::downgrade(table));
            tokio::spawn(async move {
                tokio::time::sleep(left + Duration::from_millis(2)).await;
                if let (Some(hall), Some(table)) = (hall.upgrade(), table.upgrade()) {
                    // If somebody moved in time, there is nothing to do.
                    let _ = hall.change_at(&table, Some(version), Session::flag).await;
                }
            });
        }
        if let Some((player, _)) = session.engine_asked() {
            self.think(table, session, move |game, stop| {
                let act = if engine::takes_draw(game, player, stop) { Act::Accept } else { Act::Decline };
                Some(Decision::Say(player, act))
            });
        } else if let Some(level) = session.engine_to_move() {
            self.think(table, session, move |game, stop| {
                engine::choose(game, level, left, stop).map(Decision::Move)
            });
        }
    }

    /// Lets an engine decide, as soon as there is a thread for it, and does what it decides if the game still stands so.
    fn think(
        self: &Arc<Self>,
        table: &Arc<Table>,
        session: &Session,
        decide: impl FnOnce(&dyn sandtable::AnyGame, &(dyn Fn() -> bool + Sync)) -> Option<Decision>
        + Send
        + 'static,
    ) {
        let (version, game) = (session.version, session.game.clone_box());
        let (hall, table) = (Arc::clone(self), Arc::clone(table));
        tokio::spawn(async move {
            let Ok(permit) = hall.thinkers.acquire().await else { return };
            let (watched, watching) = (Arc::clone(&table), Arc::clone(&hall));
            let thought = tokio::task::spawn_blocking(move || {
                let stop = || watching.is_stopping() || watched.version.load(Ordering::Acquire) != version;
                if stop() { None } else { decide(&*game, &stop) }
            });
            let decision = thought.await;
            drop(permit);
            let done = match decision {
                Ok(Some(Decision::Move(text))) => {
                    hall.change_at(&table, Some(version), |session, now| session.move_on(&text, now)).await
                }
                Ok(Some(Decision::Say(player, act))) => {
                    hall.change_at(&table, Some(version), |session, now| session.discuss(player, act, now))
                        .await
                }
                Ok(None) => return,
                Err(e) => Err(Refusal::internal("an engine failed", &e)),
            };
            if let Err(refusal) = done {
                tracing::debug!(game = table.id, message = refusal.message, "an engine came too late");
            }
        });
    }
}

/// What an engine does.
enum Decision {
    Move(String),
    Say(Player, Act),
}

impl Table {
    fn new(id: String, session: Session, dates: Dates) -> Self {
        let version = AtomicU64::new(session.version);
        let seat = tokio::sync::Mutex::new(Seat { session, dates, gone: false });
        // Nobody sees this first value: who follows has got the game already.
        let (news, _) = watch::channel(News::Gone);
        Self { id, seat, news, version }
    }

    /// Does somebody follow, think or wait here?
    fn is_in_use(self: &Arc<Self>) -> bool {
        let busy = |seat: &Seat| seat.session.time_to_flag(0).is_some();
        Arc::strong_count(self) > 1
            || self.news.receiver_count() > 0
            || self.seat.try_lock().map_or(true, |seat| busy(&seat))
    }
}

/// Runs to the end even if the client goes away: a change is never left half done.
async fn finish<T: Send + 'static>(
    task: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(task).await.unwrap_or_else(|e| Err(Refusal::internal("a task failed", &e)))
}

fn unwritten(e: &StoreError) -> Refusal {
    Refusal::internal("a game cannot be written", e)
}

fn unread(e: &StoreError) -> Refusal {
    Refusal::internal("a game cannot be read", e)
}

fn to_json(value: &impl serde::Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|e| Refusal::internal("an answer cannot be written as JSON", &e))
}

/// A name that nobody guesses.
fn new_id() -> Result<String, Refusal> {
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut number =
        getrandom::u64().map_err(|e| Refusal::internal("the system has no random numbers", &e))?;
    let mut id = String::with_capacity(12);
    for _ in 0..12 {
        id.push(char::from(LETTERS[(number % 32) as usize]));
        number /= 32;
    }
    Ok(id)
}

/// Milliseconds since 1970.
fn wall() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
