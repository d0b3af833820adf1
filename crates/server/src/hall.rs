//! The games that are being played: each at a table of its own, all of them on disk.
//!
//! A change is made on a copy of the session, written to disk, and only then put in its place: what is not on disk has not
//! happened. Then whoever follows the game hears of it, and the engine and the clock do what follows from it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::extract::ws::Utf8Bytes;
use sandtable::core::Player;
use tokio::sync::{OnceCell, Semaphore, watch};
use tokio::task::AbortHandle;

use crate::engine;
use crate::refusal::{Code, Refusal};
use crate::session::{Act, Beginning, Dates, Entry, GameState, Session, Summary};
use crate::store::{Kept, Store, StoreError, Write};
use crate::wire::to_json;
use crate::work::work;

/// How many games stay in memory although nobody looks at them.
const LIVE: usize = 256;

/// All games.
pub(crate) struct Hall {
    store: Store,
    live: Mutex<HashMap<String, Arc<Place>>>,
    /// Who may think about a move at the same time.
    thinkers: Semaphore,
    began: Instant,
    /// The moment of the last change.
    latest: Mutex<u64>,
    stopping: AtomicBool,
}

/// The place of a table, which may still be on its way from the disk.
type Place = OnceCell<Arc<Table>>;

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
    standing: Standing,
    /// What lets the flag fall, if the clock runs.
    flag: Option<Flag>,
}

/// Is what stands at a table the game? Somebody may hold the table although it is not.
#[derive(Clone, Copy)]
enum Standing {
    Current,
    /// The game was deleted.
    Deleted,
    /// A change could not be written, or nobody knows whether it was: the game is read anew by whoever asks next.
    Unwritten,
}

impl Seat {
    fn check(&self) -> Result<(), Refusal> {
        match self.standing {
            Standing::Current => Ok(()),
            Standing::Deleted => Err(Refusal::no_game()),
            Standing::Unwritten => Err(Refusal::new(Code::Busy, "the game is being read anew: ask again")),
        }
    }
}

/// A flag that will fall, unless this is dropped before.
struct Flag(AbortHandle);

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What whoever follows a game hears.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// The message that carries the game.
    Game(Utf8Bytes),
    /// The game was deleted.
    Deleted,
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
            live: Mutex::default(),
            thinkers: Semaphore::new(thinkers),
            began: Instant::now(),
            latest: Mutex::new(store.latest()),
            store,
            stopping: AtomicBool::new(false),
        })
    }

    /// Begins a game.
    pub(crate) async fn begin(self: &Arc<Self>, beginning: Beginning) -> Result<Snapshot, Refusal> {
        let hall = Arc::clone(self);
        finish(async move {
            let session = work(move || Session::begin(Arc::new(beginning))).await?;
            let (id, at) = (new_id()?, hall.moment());
            let dates = Dates { created: at, updated: at };
            let write = Write::Begin {
                id: id.clone(),
                beginning: to_json(&*session.beginning)?,
                summary: to_json(&Summary::of(&session, &id, dates))?,
                at,
            };
            hall.store.write(write).await.map_err(|e| unwritten(&e))?;
            let place = hall.place(&id);
            let table = place.get_or_init(|| async move { Arc::new(Table::new(id, session, dates)) }).await;
            let mut seat = table.seat.lock().await;
            hall.follow_up(table, &mut seat);
            hall.snapshot(table, &seat)
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
        let table = self.table(id).await?;
        let seat = table.seat.lock().await;
        seat.check()?;
        Ok(seat.session.record())
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
        seat.check()?;
        let found = seat.session.version;
        if let Some(version) = version
            && version != found
        {
            return Err(Refusal::conflict(format!("the game has version {found} by now, not {version}")));
        }
        let mut next = seat.session.clone();
        let entry = act(&mut next, self.now())?;
        let dates = Dates { updated: self.moment(), ..seat.dates };
        let write = Write::Append {
            id: table.id.clone(),
            number: next.version,
            entry: to_json(&entry)?,
            summary: to_json(&Summary::of(&next, &table.id, dates))?,
            at: dates.updated,
        };
        self.write(table, &mut seat, write).await?;
        (seat.session, seat.dates) = (next, dates);
        table.version.store(seat.session.version, Ordering::Release);
        let snapshot = self.snapshot(table, &seat)?;
        if table.news.receiver_count() > 0 {
            table.news.send_replace(News::Game(snapshot.message()));
        }
        self.follow_up(table, &mut seat);
        Ok(snapshot)
    }

    /// Writes a change of a game. If that fails, only the disk knows how the game stands: it leaves memory.
    async fn write(&self, table: &Table, seat: &mut Seat, write: Write) -> Result<(), Refusal> {
        let written = self.store.write(write).await;
        if written.is_err() {
            self.clear(table, seat, Standing::Unwritten);
        }
        written.map_err(|e| unwritten(&e))
    }

    /// Takes a table away: who sits there hears that it is not the game any more.
    fn clear(&self, table: &Table, seat: &mut Seat, standing: Standing) {
        seat.standing = standing;
        seat.flag = None;
        table.version.store(u64::MAX, Ordering::Release);
        self.lock().remove(&table.id);
    }

    /// Forgets a game.
    pub(crate) async fn delete(self: &Arc<Self>, id: &str) -> Result<(), Refusal> {
        let (hall, id) = (Arc::clone(self), id.to_owned());
        finish(async move {
            let table = hall.table(&id).await?;
            let mut seat = table.seat.lock().await;
            seat.check()?;
            hall.write(&table, &mut seat, Write::Delete { id }).await?;
            hall.clear(&table, &mut seat, Standing::Deleted);
            table.news.send_replace(News::Deleted);
            Ok(())
        })
        .await
    }

    /// Closes the games. What is changed from now on is refused.
    pub(crate) async fn close(&self) {
        self.store.close().await;
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

    /// A moment for a change: the calendar's, but later than that of any other change.
    fn moment(&self) -> u64 {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        *latest = wall().max(*latest + 1);
        *latest
    }

    fn snapshot(&self, table: &Table, seat: &Seat) -> Result<Snapshot, Refusal> {
        seat.check()?;
        let state = GameState::of(&seat.session, &table.id, seat.dates, wall(), self.now());
        Ok(Snapshot { version: seat.session.version, json: to_json(&state)? })
    }

    /// The table of a game, read from disk if nobody has looked at it lately.
    async fn table(self: &Arc<Self>, id: &str) -> Result<Arc<Table>, Refusal> {
        let place = self.place(id);
        let loaded = place.get_or_try_init(|| self.load(id)).await.cloned();
        if loaded.is_err() {
            let mut live = self.lock();
            drop(place);
            // Somebody else may be trying as well.
            let is_abandoned = |place: &Arc<Place>| Arc::strong_count(place) == 1 && place.get().is_none();
            if live.get(id).is_some_and(is_abandoned) {
                live.remove(id);
            }
        }
        loaded
    }

    async fn load(self: &Arc<Self>, id: &str) -> Result<Arc<Table>, Refusal> {
        let kept = self.store.game(id.to_owned()).await.map_err(|e| unread(&e))?;
        let kept = kept.ok_or_else(Refusal::no_game)?;
        let dates = Dates { created: kept.created, updated: kept.updated };
        let mut session = work(move || resume(&kept)).await?;
        session.go_on(self.now());
        let table = Arc::new(Table::new(id.to_owned(), session, dates));
        self.follow_up(&table, &mut *table.seat.lock().await);
        Ok(table)
    }

    /// The place of a game. Where it is a new one, room is made for it among those where nobody sits.
    fn place(&self, id: &str) -> Arc<Place> {
        let mut live = self.lock();
        if let Some(place) = live.get(id) {
            return Arc::clone(place);
        }
        if live.len() >= LIVE {
            live.retain(|_, place| Arc::strong_count(place) > 1 || place.get().is_some_and(Table::is_in_use));
        }
        Arc::clone(live.entry(id.to_owned()).or_default())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Place>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What follows from how a game stands: an engine's move or answer, a flag that will fall.
    fn follow_up(self: &Arc<Self>, table: &Arc<Table>, seat: &mut Seat) {
        let session = &seat.session;
        let left = session.time_to_flag(self.now()).map(Duration::from_millis);
        seat.flag = left.map(|left| self.flag_after(left, table, session.version));
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

    /// A flag that falls after that time, if the game still has that version then.
    fn flag_after(self: &Arc<Self>, left: Duration, table: &Arc<Table>, version: u64) -> Flag {
        let (hall, table) = (Arc::downgrade(self), Arc::downgrade(table));
        let falling = tokio::spawn(async move {
            // Times are whole milliseconds; so much later the last one has passed by any rounding.
            tokio::time::sleep(left + Duration::from_millis(2)).await;
            if let (Some(hall), Some(table)) = (hall.upgrade(), table.upgrade()) {
                // If somebody moved in time, there is nothing to do.
                let _ = hall.change_at(&table, Some(version), Session::flag).await;
            }
        });
        Flag(falling.abort_handle())
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
        let seat = Seat { session, dates, standing: Standing::Current, flag: None };
        let seat = tokio::sync::Mutex::new(seat);
        // Nobody sees this first value: who follows has got the game already.
        let (news, _) = watch::channel(News::Deleted);
        Self { id, seat, news, version }
    }

    /// Does somebody follow, think or wait here?
    fn is_in_use(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) > 1
            || self.news.receiver_count() > 0
            || self.seat.try_lock().map_or(true, |seat| seat.flag.is_some())
    }
}

/// A game as it was kept.
fn resume(kept: &Kept) -> Result<Session, Refusal> {
    let unreadable = |e: serde_json::Error| Refusal::internal("a kept game cannot be read", &e);
    let beginning: Beginning = serde_json::from_str(&kept.beginning).map_err(unreadable)?;
    let entries = kept.entries.iter().map(|entry| serde_json::from_str(entry));
    let entries = entries.collect::<Result<Vec<Entry>, _>>().map_err(unreadable)?;
    Session::resume(Arc::new(beginning), &entries)
        .map_err(|refusal| Refusal::internal("a kept game cannot be resumed", &refusal.message))
}

/// Runs to the end even if the client goes away: a change is never left half done.
async fn finish<T: Send + 'static>(
    task: impl Future<Output = Result<T, Refusal>> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::spawn(task).await.unwrap_or_else(|e| Err(Refusal::internal("a task failed", &e)))
}

fn unwritten(e: &StoreError) -> Refusal {
    failed("a game cannot be written", e)
}

fn unread(e: &StoreError) -> Refusal {
    failed("a game cannot be read", e)
}

fn failed(what: &str, e: &StoreError) -> Refusal {
    match e {
        StoreError::Stopped => Refusal::new(Code::Busy, e),
        _ => Refusal::internal(what, e),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn hall() -> (Arc<Hall>, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        (Hall::new(Store::open(folder.path()).unwrap(), 1), folder)
    }

    #[tokio::test]
    async fn a_place_stays_while_somebody_waits_there() {
        let (hall, _folder) = hall();
        // Somebody is about to read the game, which may be there by then.
        let waiting = hall.place("a");
        assert!(hall.table("a").await.is_err());
        assert!(Arc::ptr_eq(&hall.place("a"), &waiting), "there would be two tables for one game");
        drop(waiting);
        assert!(hall.table("a").await.is_err());
        assert!(hall.lock().is_empty());
    }

    #[tokio::test]
    async fn places_where_nobody_came_to_sit_are_given_up() {
        let (hall, _folder) = hall();
        for number in 0..3 * LIVE {
            hall.place(&number.to_string());
        }
        assert!(hall.lock().len() <= LIVE);
    }

    #[tokio::test]
    async fn no_two_changes_have_the_same_moment() {
        let (hall, _folder) = hall();
        let moments: Vec<_> = (0..1_000).map(|_| hall.moment()).collect();
        assert!(moments.is_sorted_by(|a, b| a < b));
    }
}
