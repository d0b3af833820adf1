//! The schema of the database and its migrations.

use rusqlite::Connection;

use super::StoreError;

/// The current schema version, stored in the database as `user_version`.
pub(crate) const SCHEMA_VERSION: i32 = 4;

/// Schema 3, which is the base of all later ones.
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

/// Describes outcomes as `White wins (checkmate)` and `draw (stalemate)`, before `White has won by checkmate` and `draw by
/// stalemate`.
const MIGRATE_2_TO_3: &str = r"
    UPDATE games SET summary = json_replace(summary, '$.outcome.description',
        CASE WHEN summary ->> '$.outcome.winner' IS NULL
            THEN 'draw (' || (summary ->> '$.outcome.reason') || ')'
            ELSE replace(summary ->> '$.outcome.description', ' has won by ', ' wins (') || ')'
        END)
    WHERE summary ->> '$.outcome.over';
";

/// Adds seats, chat and the flags that decide where a game is listed. Old games have no holders.
const MIGRATE_3_TO_4: &str = "
    ALTER TABLE games ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE games ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE games ADD COLUMN lobby INTEGER NOT NULL DEFAULT 0;
    UPDATE games SET version = 1 + (SELECT count(*) FROM entries WHERE game = id);
    CREATE INDEX public_games_by_date ON games (updated DESC, id) WHERE public;
    CREATE INDEX lobby_games_by_date ON games (updated DESC, id) WHERE lobby;
    CREATE TABLE seats (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        side INTEGER NOT NULL CHECK (side IN (0, 1)),
        holder BLOB,
        link BLOB,
        PRIMARY KEY (game, side)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO seats SELECT id, side, NULL, NULL FROM games, (SELECT 0 AS side UNION SELECT 1);
    CREATE INDEX seats_by_holder ON seats (holder) WHERE holder IS NOT NULL;
    CREATE TABLE chat (
        game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        side INTEGER NOT NULL CHECK (side IN (0, 1)),
        text TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
";

/// Creates the tables of an empty database, or migrates an old one.
pub(crate) fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let found = schema_version(connection)?;
    let steps: &[&str] = match found {
        0 => &[CREATE_TABLES, MIGRATE_3_TO_4],
        1 => &[MIGRATE_1_TO_2, MIGRATE_2_TO_3, MIGRATE_3_TO_4],
        2 => &[MIGRATE_2_TO_3, MIGRATE_3_TO_4],
        3 => &[MIGRATE_3_TO_4],
        SCHEMA_VERSION => return Ok(()),
        _ => return Err(StoreError::NewerSchema { found, supported: SCHEMA_VERSION }),
    };
    steps.iter().try_for_each(|step| connection.execute_batch(step))?;
    connection.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    Ok(())
}

/// The schema version of a database; 0 if it is empty.
pub(crate) fn schema_version(connection: &Connection) -> Result<i32, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables and indices, apart from white space.
    fn schema(connection: &Connection) -> Vec<String> {
        let mut schema = connection
            .prepare("SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name")
            .unwrap();
        let schema = schema.query_map([], |row| row.get::<_, String>(0)).unwrap();
        schema.map(|sql| sql.unwrap().split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn a_migrated_schema_equals_a_new_one() {
        let new = Connection::open_in_memory().unwrap();
        migrate(&new).unwrap();
        let olds = [
            include_str!("../../tests/schema-1.sql"),
            include_str!("../../tests/schema-2.sql"),
            include_str!("../../tests/schema-3.sql"),
        ];
        for (sql, version) in olds.into_iter().zip(1..) {
            let old = Connection::open_in_memory().unwrap();
            old.execute_batch(sql).unwrap();
            assert_eq!(schema_version(&old).unwrap(), version);
            migrate(&old).unwrap();
            assert_eq!(schema(&old), schema(&new), "from version {version}");
            assert_eq!(schema_version(&old).unwrap(), SCHEMA_VERSION);
            let lengths = "SELECT count(*) FROM games
                WHERE version <> 1 + (SELECT count(*) FROM entries WHERE game = id) OR public OR lobby
                    OR (SELECT count(*) FROM seats WHERE game = id AND holder IS NULL AND link IS NULL) <> 2";
            let wrong: i64 = old.query_row(lengths, [], |row| row.get(0)).unwrap();
            assert_eq!(wrong, 0, "from version {version}");
            migrate(&old).unwrap();
        }
    }

    #[test]
    fn descriptions_of_outcomes_are_migrated() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(CREATE_TABLES).unwrap();
        connection.pragma_update(None, "user_version", 2).unwrap();
        let outcomes = [
            (
                r#"{"over":true,"winner":"first","reason":"checkmate","description":"White has won by checkmate"}"#,
                "White wins (checkmate)",
            ),
            (
                r#"{"over":true,"winner":null,"reason":"stalemate","description":"draw by stalemate"}"#,
                "draw (stalemate)",
            ),
            (
                r#"{"over":false,"winner":null,"reason":null,"description":"the game is in progress"}"#,
                "the game is in progress",
            ),
        ];
        for (id, (outcome, _)) in (0..).zip(outcomes) {
            let summary = format!(r#"{{"id":"{id}","outcome":{outcome}}}"#);
            connection
                .execute("INSERT INTO games VALUES (?1, '{}', ?2, 0, ?1)", (id.to_string(), summary))
                .unwrap();
        }
        migrate(&connection).unwrap();
        let mut found =
            connection.prepare("SELECT summary ->> '$.outcome.description' FROM games ORDER BY id").unwrap();
        let found: rusqlite::Result<Vec<String>> = found.query_map([], |row| row.get(0)).unwrap().collect();
        assert_eq!(found.unwrap(), outcomes.map(|(_, description)| description));
    }
}
