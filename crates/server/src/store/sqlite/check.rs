//! The check for damage when a database is opened.

use rusqlite::Connection;

use super::statements;
use crate::store::{Result, StoreError, migrations};

/// The most findings of a check that are logged.
const MAX_FINDINGS: u32 = 20;

/// Checks the structure of the database. Logs all damage and names the games that cannot be read; the others can still be
/// played. Fails if the list of games is lost.
pub(super) fn check(connection: &Connection) -> Result<()> {
    let findings = quick_check(connection)?;
    if findings.is_empty() {
        return Ok(());
    }
    for finding in &findings {
        tracing::error!(finding, "the database is damaged");
    }
    let fatal = |_| StoreError::damaged(&findings[0]);
    // A migration would make the damage worse.
    if migrations::schema_version(connection)? != migrations::SCHEMA_VERSION {
        return Err(StoreError::damaged(&findings[0]));
    }
    let ids = if let Ok(ids) = ids(connection, "games INDEXED BY games_by_date") {
        ids
    } else {
        // The index can be built again from the table.
        let ids = ids(connection, "games NOT INDEXED").map_err(fatal)?;
        connection.execute_batch("REINDEX").map_err(|e| fatal(e.into()))?;
        ids
    };
    let damaged: Vec<_> =
        ids.iter().filter(|id| statements::game(connection, id).is_err()).map(String::as_str).collect();
    tracing::error!(
        games = damaged.join(" "),
        "{} of {} games are damaged: restore a backup with `sandtable restore FILE`",
        damaged.len(),
        ids.len()
    );
    Ok(())
}

/// The findings of `quick_check`, none if the database is sound.
pub(super) fn quick_check(connection: &Connection) -> Result<Vec<String>> {
    let mut findings = connection.prepare(&format!("PRAGMA quick_check({MAX_FINDINGS})"))?;
    let findings = findings.query_map([], |row| row.get::<_, String>(0))?;
    let findings: Vec<_> = findings.collect::<rusqlite::Result<_>>()?;
    Ok(findings.into_iter().filter(|finding| finding != "ok").collect())
}

fn ids(connection: &Connection, source: &str) -> Result<Vec<String>> {
    let mut ids = connection.prepare(&format!("SELECT id FROM {source} ORDER BY updated DESC"))?;
    let ids = ids.query_map([], |row| row.get(0))?;
    Ok(ids.collect::<rusqlite::Result<_>>()?)
}
