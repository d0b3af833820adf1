//! The SQL of the store's writes and reads.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use sandtable_contract::{Both, Side};

use crate::store::{
    ChatMessage, Flags, ListQuery, ListedGame, MAX_CHAT, Result, Scope, SeatUpdate, StoreError, StoredGame,
    StoredSeat, TokenHash, Write,
};

impl ToSql for TokenHash {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(ValueRef::Blob(&self.0)))
    }
}

impl FromSql for TokenHash {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        FromSql::column_result(value).map(Self)
    }
}

/// A side in the database: 0 or 1.
struct SideColumn(Side);

impl ToSql for SideColumn {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Side::First => 0,
            Side::Second => 1,
        }
        .into())
    }
}

impl FromSql for SideColumn {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_i64()? {
            0 => Ok(Self(Side::First)),
            1 => Ok(Self(Side::Second)),
            other => Err(FromSqlError::OutOfRange(other)),
        }
    }
}

/// An unsigned number in the database: a timestamp or a number that counts from 1. Anything else is damage, and reads as
/// 0: a list must not fail because of one row.
fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get_ref(column)?.as_i64().unwrap_or(0).cast_unsigned())
}

/// A text in the database. Damage reads as replacement characters or as an empty text.
fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    Ok(match row.get_ref(column)? {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    })
}

/// Executes a write inside a transaction.
pub(super) fn execute(connection: &Connection, write: &Write) -> Result<()> {
    match write {
        Write::Create { id, settings, summary, seats, flags, at, job: _ } => {
            let mut create = connection.prepare_cached(
                "INSERT INTO games (id, settings, summary, created, updated, version, public, lobby)
                VALUES (?1, ?2, ?3, ?4, ?4, 1, ?5, ?6)",
            )?;
            create.execute(params![id, settings, summary, at.cast_signed(), flags.public, flags.lobby])?;
            let mut seat = connection
                .prepare_cached("INSERT INTO seats (game, side, holder, link) VALUES (?1, ?2, ?3, ?4)")?;
            for (side, StoredSeat { holder, link }) in
                [(Side::First, seats.first), (Side::Second, seats.second)]
            {
                seat.execute(params![id, SideColumn(side), holder, link])?;
            }
        }
        Write::Append { id, first_number, entries, summary, seat, flags, at, job: _ } => {
            let mut update = connection.prepare_cached(
                "UPDATE games SET summary = ?2, updated = ?3, version = version + ?4, public = ?5, lobby = ?6
                WHERE id = ?1 AND version = ?7",
            )?;
            let (count, expected) = ((entries.len() as u64).cast_signed(), first_number.cast_signed() - 1);
            let update = update.execute(params![
                id,
                summary,
                at.cast_signed(),
                count,
                flags.public,
                flags.lobby,
                expected
            ])?;
            expect_row(update)?;
            let mut append = connection
                .prepare_cached("INSERT INTO entries (game, number, at, entry) VALUES (?1, ?2, ?3, ?4)")?;
            for (number, entry) in (*first_number..).zip(entries) {
                append.execute(params![id, number.cast_signed(), at.cast_signed(), entry])?;
            }
            if let Some(SeatUpdate { side, holder, link }) = seat {
                let mut take = connection.prepare_cached(
                    "UPDATE seats SET holder = ?3, link = NULL
                    WHERE game = ?1 AND side = ?2 AND (?4 IS NULL OR link = ?4)",
                )?;
                expect_row(take.execute(params![id, SideColumn(*side), holder, link])?)?;
            }
        }
        Write::Link { id, side, hash } => {
            let mut link =
                connection.prepare_cached("UPDATE seats SET link = ?3 WHERE game = ?1 AND side = ?2")?;
            expect_row(link.execute(params![id, SideColumn(*side), hash])?)?;
        }
        Write::Chat { id, side, text, at } => {
            let mut number =
                connection.prepare_cached("SELECT coalesce(max(number), 0) + 1 FROM chat WHERE game = ?1")?;
            let number: i64 = number.query_row([id], |row| row.get(0))?;
            let mut add = connection.prepare_cached(
                "INSERT INTO chat (game, number, at, side, text) SELECT id, ?2, ?3, ?4, ?5 FROM games WHERE id = ?1",
            )?;
            expect_row(add.execute(params![id, number, at.cast_signed(), SideColumn(*side), text])?)?;
            let mut trim = connection.prepare_cached("DELETE FROM chat WHERE game = ?1 AND number <= ?2")?;
            trim.execute(params![id, number - i64::from(MAX_CHAT)])?;
        }
        Write::Delete { id } => {
            connection.prepare_cached("DELETE FROM games WHERE id = ?1")?.execute([id])?;
        }
    }
    Ok(())
}

/// Fails unless a statement changed its one row.
const fn expect_row(changed: usize) -> Result<()> {
    if changed == 1 { Ok(()) } else { Err(StoreError::Stale) }
}

/// Reads a game.
pub(super) fn game(connection: &Connection, id: &str) -> Result<Option<StoredGame>> {
    let mut game = connection.prepare_cached(
        "SELECT settings, created, updated, public, lobby, version FROM games WHERE id = ?1",
    )?;
    let game = game.query_row([id], |row| {
        let flags = Flags { public: row.get(3)?, lobby: row.get(4)? };
        Ok((text(row, 0)?, unsigned(row, 1)?, unsigned(row, 2)?, flags, unsigned(row, 5)?))
    });
    let Some((settings, created, updated, flags, version)) = game.optional()? else { return Ok(None) };
    let log = entries(connection, id)?;
    let seats = seats(connection, id)?;
    Ok(Some(StoredGame { version, settings, log, seats, flags, created, updated }))
}

fn seats(connection: &Connection, id: &str) -> Result<Both<StoredSeat>> {
    let mut seats = Both::<StoredSeat>::default();
    let mut rows = connection.prepare_cached("SELECT side, holder, link FROM seats WHERE game = ?1")?;
    let mut rows = rows.query([id])?;
    while let Some(row) = rows.next()? {
        let seat = StoredSeat { holder: row.get(1)?, link: row.get(2)? };
        match row.get::<_, SideColumn>(0)?.0 {
            Side::First => seats.first = seat,
            Side::Second => seats.second = seat,
        }
    }
    Ok(seats)
}

fn entries(connection: &Connection, id: &str) -> Result<Vec<String>> {
    let mut log = connection.prepare_cached("SELECT entry FROM entries WHERE game = ?1 ORDER BY number")?;
    let log = log.query_map([id], |row| text(row, 0))?;
    Ok(log.collect::<rusqlite::Result<_>>()?)
}

/// Reads a page of games.
pub(super) fn list(connection: &Connection, query: &ListQuery) -> Result<Vec<ListedGame>> {
    let filter = match query.scope {
        Scope::All => "",
        Scope::Holder(_) => "AND id IN (SELECT game FROM seats WHERE holder = ?3)",
        Scope::Public => "AND public",
        Scope::Lobby => "AND lobby",
    };
    let games = page(
        connection,
        query,
        &format!(
            "SELECT id, updated, summary, created,
                (SELECT holder FROM seats WHERE game = id AND side = 0),
                (SELECT holder FROM seats WHERE game = id AND side = 1)
            FROM games WHERE updated < ?1 {filter} ORDER BY updated DESC, id LIMIT ?2"
        ),
        |row| {
            let holders = Both { first: row.get(4)?, second: row.get(5)? };
            Ok(ListedGame {
                id: text(row, 0)?,
                summary: text(row, 2)?,
                holders,
                created: unsigned(row, 3)?,
                updated: unsigned(row, 1)?,
            })
        },
    );
    if !matches!(games, Err(StoreError::Damaged { .. })) {
        return games;
    }
    // The index alone has the ids; then each game can fail alone.
    let ids = format!(
        "SELECT id, updated FROM games WHERE updated < ?1 {filter} ORDER BY updated DESC, id LIMIT ?2"
    );
    let ids = page(connection, query, &ids, |row| Ok((text(row, 0)?, unsigned(row, 1)?)))?;
    Ok(ids.into_iter().map(|(id, updated)| listed_alone(connection, id, updated)).collect())
}

/// A page of rows.
fn page<T>(
    connection: &Connection,
    query: &ListQuery,
    sql: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>> {
    let before = query.before.and_then(|at| i64::try_from(at).ok()).unwrap_or(i64::MAX);
    let mut rows = connection.prepare_cached(sql)?;
    let rows = match query.scope {
        Scope::Holder(holder) => rows.query_map(params![before, query.limit, holder], read)?,
        _ => rows.query_map(params![before, query.limit], read)?,
    };
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A game of a damaged database in a list; one that cannot be read has an empty summary.
fn listed_alone(connection: &Connection, id: String, updated: u64) -> ListedGame {
    let summary = || -> Result<_> {
        let mut summary = connection.prepare_cached("SELECT summary, created FROM games WHERE id = ?1")?;
        Ok(summary.query_row([&id], |row| Ok((text(row, 0)?, unsigned(row, 1)?)))?)
    };
    let (summary, created) = summary().unwrap_or_default();
    let holders = seats(connection, &id).unwrap_or_default();
    let holders = Both { first: holders.first.holder, second: holders.second.holder };
    ListedGame { id, summary, holders, created, updated }
}

/// Reads the chat messages of a game.
pub(super) fn chat(connection: &Connection, id: &str) -> Result<Vec<ChatMessage>> {
    let mut chat = connection
        .prepare_cached("SELECT number, side, text, at FROM chat WHERE game = ?1 ORDER BY number")?;
    let chat = chat.query_map([id], |row| {
        let SideColumn(side) = row.get(1)?;
        Ok(ChatMessage { number: unsigned(row, 0)?, side, text: text(row, 2)?, at: unsigned(row, 3)? })
    })?;
    Ok(chat.collect::<rusqlite::Result<_>>()?)
}
