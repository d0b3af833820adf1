//! The schema of the database and its migrations.

use rusqlite::Connection;

use crate::store::StoreError;

/// The current schema version, stored in the database as `user_version`.
pub(crate) const SCHEMA_VERSION: i32 = 2;

const CREATE_TABLES: &str = "
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        settings TEXT NOT NULL,
        summary TEXT NOT NULL,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX games_by_date ON games (updated DESC, id);
    CREATE TABLE entries (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        entry TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
";

/// Renames the keys of the JSON columns. Quotes inside JSON strings are escaped, so these patterns match keys only.
const MIGRATE_1_TO_2: &str = r#"
    ALTER TABLE games RENAME COLUMN beginning TO settings;
    UPDATE games SET
        settings = replace(replace(replace(replace(settings,
            '"said":', '"position":'),
            '"players":', '"seats":'),
            '"who":"person"', '"type":"human"'),
            '"who":"engine"', '"type":"engine"'),
        summary = replace(replace(replace(replace(replace(summary,
            '"players":', '"seats":'),
            '"who":"person"', '"type":"human"'),
            '"who":"engine"', '"type":"engine"'),
            '"words":', '"description":'),
            '"last":', '"last_move":');
    UPDATE entries SET
        entry = replace(replace(replace(entry,
            '"what":"retract"', '"event":"undo_end"'),
            '"what":{"flag":', '"event":{"flag_fall":'),
            '"what":', '"event":');
"#;

/// Creates the tables of an empty database, or migrates an old one.
pub(crate) fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let found: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match found {
        0 => connection.execute_batch(CREATE_TABLES)?,
        1 => connection.execute_batch(MIGRATE_1_TO_2)?,
        SCHEMA_VERSION => return Ok(()),
        _ => return Err(StoreError::NewerSchema { found }),
    }
    connection.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(connection: &Connection, table: &str) -> Vec<String> {
        let mut columns =
            connection.prepare(&format!("SELECT name FROM pragma_table_info('{table}')")).unwrap();
        columns.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap()
    }

    #[test]
    fn a_migrated_schema_equals_a_new_one() {
        let (new, old) = (Connection::open_in_memory().unwrap(), Connection::open_in_memory().unwrap());
        migrate(&new).unwrap();
        old.execute_batch(include_str!("../tests/schema-1.sql")).unwrap();
        migrate(&old).unwrap();
        for table in ["games", "entries"] {
            assert_eq!(columns(&old, table), columns(&new, table));
        }
        let version: i32 = old.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        assert_eq!(version, SCHEMA_VERSION);
    }
}
