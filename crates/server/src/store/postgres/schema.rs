//! The schema of the database and its migrations.

use tokio_postgres::Client;

use crate::store::{Result, StoreError};

/// The current schema version, in the table `sandtable_schema`.
pub(super) const SCHEMA_VERSION: i32 = 1;

/// Instances that start together migrate one after the other. The number has no meaning but to be ours.
const LOCK: &str = "SELECT pg_advisory_xact_lock(8241996712)";

const VERSION_TABLE: &str = "CREATE TABLE IF NOT EXISTS sandtable_schema (version INTEGER NOT NULL)";

/// Times are milliseconds since 1970 on the clock of the database.
///
/// `jobs` has the games that wait for a clock or an engine. The instance `owner` carries the job out while its lease lasts:
/// it renews the lease every second. `started` is when the clock of the side to move started.
///
/// `presence` has a row for each seat whose holder has or had a game socket on an instance.
const CREATE_TABLES: &str = r#"
    CREATE FUNCTION sandtable_now() RETURNS BIGINT LANGUAGE SQL VOLATILE PARALLEL SAFE
        RETURN (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT;
    CREATE TABLE instances (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        lease BIGINT NOT NULL
    );
    CREATE TABLE games (
        id TEXT COLLATE "C" PRIMARY KEY,
        version BIGINT NOT NULL,
        settings TEXT NOT NULL,
        summary TEXT NOT NULL,
        public BOOLEAN NOT NULL,
        lobby BOOLEAN NOT NULL,
        created BIGINT NOT NULL,
        updated BIGINT NOT NULL
    ) WITH (fillfactor = 80);
    CREATE INDEX games_by_date ON games (updated);
    CREATE INDEX public_games ON games (updated) WHERE public;
    CREATE INDEX lobby_games ON games (updated) WHERE lobby;
    CREATE TABLE entries (
        game TEXT COLLATE "C" NOT NULL REFERENCES games ON DELETE CASCADE,
        number BIGINT NOT NULL,
        at BIGINT NOT NULL,
        entry TEXT NOT NULL,
        PRIMARY KEY (game, number)
    );
    CREATE TABLE seats (
        game TEXT COLLATE "C" NOT NULL REFERENCES games ON DELETE CASCADE,
        side SMALLINT NOT NULL CHECK (side IN (0, 1)),
        holder BYTEA,
        link BYTEA,
        PRIMARY KEY (game, side)
    );
    CREATE INDEX seats_by_holder ON seats (holder) WHERE holder IS NOT NULL;
    CREATE TABLE chat (
        game TEXT COLLATE "C" NOT NULL REFERENCES games ON DELETE CASCADE,
        number BIGINT NOT NULL,
        at BIGINT NOT NULL,
        side SMALLINT NOT NULL CHECK (side IN (0, 1)),
        text TEXT NOT NULL,
        PRIMARY KEY (game, number)
    );
    CREATE TABLE jobs (
        game TEXT COLLATE "C" PRIMARY KEY REFERENCES games ON DELETE CASCADE,
        owner BIGINT NOT NULL REFERENCES instances,
        started BIGINT,
        due BIGINT NOT NULL
    ) WITH (fillfactor = 70);
    CREATE INDEX jobs_by_owner ON jobs (owner);
    CREATE TABLE presence (
        game TEXT COLLATE "C" NOT NULL REFERENCES games ON DELETE CASCADE,
        side SMALLINT NOT NULL CHECK (side IN (0, 1)),
        instance BIGINT NOT NULL REFERENCES instances ON DELETE CASCADE,
        connected BOOLEAN NOT NULL,
        since BIGINT NOT NULL,
        PRIMARY KEY (game, side, instance)
    );
    CREATE INDEX connections ON presence (instance) WHERE connected;
"#;

/// Creates the tables of an empty database, or migrates an old one.
pub(super) async fn migrate(client: &mut Client) -> Result<()> {
    let transaction = client.transaction().await?;
    transaction.batch_execute(LOCK).await?;
    transaction.batch_execute(VERSION_TABLE).await?;
    let found = transaction.query_opt("SELECT version FROM sandtable_schema", &[]).await?;
    match found.map(|row| row.get(0)) {
        None => {
            transaction.batch_execute(CREATE_TABLES).await?;
            let version = "INSERT INTO sandtable_schema VALUES ($1)";
            transaction.execute(version, &[&SCHEMA_VERSION]).await?;
        }
        Some(SCHEMA_VERSION) => {}
        Some(found) => return Err(StoreError::NewerSchema { found, supported: SCHEMA_VERSION }),
    }
    Ok(transaction.commit().await?)
}
