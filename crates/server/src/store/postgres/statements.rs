//! The SQL of the store, prepared once per connection.
//!
//! A write returns no row if it is stale, instead of an error: an error would end the transaction that it shares with
//! other writes. Each write notifies the other instances; the database sends notifications after the commit.

use tokio_postgres::{Client, Error, Statement};

/// The channel for notifications.
pub(super) const CHANNEL: &str = "sandtable_game";

macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident: $sql:expr;)*) => {
        /// The prepared statements of a connection.
        pub(super) struct Statements {
            $($(#[$doc])* pub(super) $name: Statement,)*
        }

        impl Statements {
            pub(super) async fn prepare(client: &Client) -> Result<Self, Error> {
                Ok(Self { $($name: client.prepare($sql).await?,)* })
            }
        }
    };
}

/// A page of games, which ends with all games of its last timestamp: two instances may have used the same one.
macro_rules! list {
    ($condition:literal) => {
        concat!(
            "SELECT games.id, summary, created, updated, first.holder, second.holder FROM games
            LEFT JOIN seats AS first ON first.game = games.id AND first.side = 0
            LEFT JOIN seats AS second ON second.game = games.id AND second.side = 1
            WHERE updated < $1 AND ",
            $condition,
            " ORDER BY updated DESC FETCH FIRST $2 ROWS WITH TIES"
        )
    };
}

statements! {
    /// Locks a game, so that the next statement sees what other writers of the game have committed.
    lock: "SELECT FROM games WHERE id = $1 FOR NO KEY UPDATE";

    create: "
        WITH game AS (
            INSERT INTO games (id, version, settings, summary, public, lobby, created, updated)
            VALUES ($1, 1, $2, $3, $4, $5, $6, $6) ON CONFLICT DO NOTHING RETURNING id
        ), seated AS (
            INSERT INTO seats (game, side, holder, link)
            SELECT id, seat.* FROM game, (VALUES (0, $7::BYTEA, $8::BYTEA), (1, $9, $10)) AS seat
        ), job AS (
            INSERT INTO jobs (game, owner, started, due)
            SELECT id, $11::BIGINT, $12::BIGINT, $13::BIGINT FROM game WHERE $13 IS NOT NULL
        )
        SELECT FROM game";

    /// A game whose job has no live lease must be claimed first: the time without one is charged to nobody. Without
    /// entries, the job stays as it is.
    append: "
        WITH game AS (
            UPDATE games SET version = version + cardinality($3::TEXT[]), summary = $4, public = $5, lobby = $6,
                updated = $7
            WHERE id = $1 AND version = $2::BIGINT
            AND ($8::SMALLINT IS NULL OR EXISTS (
                SELECT FROM seats WHERE game = $1 AND side = $8 AND ($10::BYTEA IS NULL OR link = $10)))
            AND NOT EXISTS (
                SELECT FROM jobs JOIN instances ON instances.id = owner
                WHERE game = $1 AND lease < sandtable_now())
            RETURNING id, version
        ), logged AS (
            INSERT INTO entries (game, number, at, entry)
            SELECT id, $2 + number, $7, entry FROM game, unnest($3) WITH ORDINALITY AS log (entry, number)
        ), seated AS (
            UPDATE seats SET holder = $9::BYTEA, link = NULL FROM game WHERE game = id AND side = $8
        ), job AS (
            INSERT INTO jobs (game, owner, started, due)
            SELECT id, $11::BIGINT, $12::BIGINT, $13::BIGINT FROM game WHERE $13 IS NOT NULL
            ON CONFLICT (game) DO UPDATE
            SET owner = excluded.owner, started = excluded.started, due = excluded.due
        ), no_job AS (
            DELETE FROM jobs USING game WHERE game = id AND $13 IS NULL AND cardinality($3) > 0
        )
        SELECT pg_notify('sandtable_game', concat_ws(':', $11::BIGINT,
            CASE WHEN cardinality($3) = 0 THEN 's' ELSE 'v' || version END, id)) FROM game";

    link: "
        WITH seat AS (UPDATE seats SET link = $3 WHERE game = $1 AND side = $2 RETURNING game)
        SELECT pg_notify('sandtable_game', concat_ws(':', $4::BIGINT, 's', game)) FROM seat";

    chat: "
        WITH message AS (
            INSERT INTO chat (game, number, at, side, text)
            SELECT id, coalesce((SELECT max(number) FROM chat WHERE game = $1), 0) + 1, $2, $3, $4
            FROM games WHERE id = $1 RETURNING game, number
        ), old AS (
            DELETE FROM chat USING message
            WHERE chat.game = message.game AND chat.number <= message.number - $5::BIGINT
        )
        SELECT pg_notify('sandtable_game', concat_ws(':', $6::BIGINT, 'c' || number, game)) FROM message";

    delete: "
        WITH gone AS (DELETE FROM games WHERE id = $1 RETURNING id)
        SELECT pg_notify('sandtable_game', concat_ws(':', $2::BIGINT, 'd', id)) FROM gone";

    /// One statement, so that all parts are of one moment.
    game: "
        SELECT games.version, settings, public, lobby, created, updated, first.holder, first.link, second.holder,
            second.link, started, owner, lease < sandtable_now(),
            ARRAY(SELECT entry FROM entries WHERE game = games.id AND number > $2 ORDER BY number)
        FROM games
        LEFT JOIN seats AS first ON first.game = games.id AND first.side = 0
        LEFT JOIN seats AS second ON second.game = games.id AND second.side = 1
        LEFT JOIN jobs ON jobs.game = games.id
        LEFT JOIN instances ON instances.id = owner
        WHERE games.id = $1";

    versions: "SELECT id, version FROM games WHERE id = ANY($1)";

    list_all: list!("TRUE");
    list_public: list!("public");
    list_lobby: list!("lobby");
    list_held: list!("games.id IN (SELECT game FROM seats WHERE holder = $3)");

    /// Sets whether the holder of a seat has a game socket on an instance.
    connect: "
        WITH seat AS (
            INSERT INTO presence (game, side, instance, connected, since)
            SELECT id, $2, $3, $4, sandtable_now() FROM games WHERE id = $1
            ON CONFLICT (game, side, instance) DO UPDATE SET connected = excluded.connected, since = excluded.since
            RETURNING game
        )
        SELECT pg_notify('sandtable_game', concat_ws(':', $3::BIGINT, 'p', game)) FROM seat";

    /// Whether a seat's holder has a game socket on another live instance, and since when not.
    presence: "
        SELECT side, bool_or(connected AND lease >= sandtable_now()),
            max(CASE WHEN connected THEN lease ELSE since END)
        FROM presence JOIN instances ON instances.id = instance
        WHERE game = $1 AND instance <> $2 GROUP BY side";

    /// The seats of games whose holders have a game socket on a live instance.
    connected: "
        SELECT DISTINCT game, side FROM presence JOIN instances ON instances.id = instance
        WHERE game = ANY($1) AND connected AND lease >= sandtable_now()";

    /// The players with a game socket on an instance whose lease has run out are gone.
    disconnect: "
        UPDATE presence SET connected = FALSE, since = lease FROM instances
        WHERE instances.id = instance AND connected AND lease < sandtable_now()
        RETURNING game, pg_notify('sandtable_game', concat_ws(':', $1::BIGINT, 'p', game))";

    messages: "SELECT number, at, side, text FROM chat WHERE game = $1 ORDER BY number";

    ready: "SELECT sandtable_now()";

    /// Takes over one game whose owner's lease has run out. Its clock goes on from here: the gap is charged to nobody.
    claim_game: "
        WITH orphan AS (
            SELECT game, lease FROM jobs JOIN instances ON instances.id = owner
            WHERE game = $1 AND owner <> $2 AND lease < sandtable_now()
            FOR UPDATE OF jobs FOR SHARE OF instances
        )
        UPDATE jobs SET owner = $2, started = started + sandtable_now() - lease, due = due + sandtable_now() - lease
        FROM orphan WHERE jobs.game = orphan.game
        RETURNING pg_notify('sandtable_game', concat_ws(':', $2, 't', jobs.game))";

    /// Takes over games whose owner's lease has run out, the most urgent first.
    claim: "
        WITH orphan AS (
            SELECT game, lease FROM jobs JOIN instances ON instances.id = owner
            WHERE owner <> $1 AND lease < sandtable_now() ORDER BY due LIMIT $2
            FOR UPDATE OF jobs SKIP LOCKED FOR SHARE OF instances SKIP LOCKED
        )
        UPDATE jobs SET owner = $1, started = started + sandtable_now() - lease, due = due + sandtable_now() - lease
        FROM orphan WHERE jobs.game = orphan.game
        RETURNING jobs.game, pg_notify('sandtable_game', concat_ws(':', $1, 't', jobs.game))";

    register: "INSERT INTO instances (lease) VALUES (sandtable_now() + $1::BIGINT) RETURNING id";

    /// Registers an instance again that was forgotten while it could not reach the database.
    register_again: "
        INSERT INTO instances (id, lease) OVERRIDING SYSTEM VALUE VALUES ($1, sandtable_now())
        ON CONFLICT DO NOTHING";

    /// Returns the lease before, and the time. A row locked first has the current lease.
    lease: "SELECT lease, sandtable_now() FROM instances WHERE id = $1 FOR UPDATE";

    renew: "UPDATE instances SET lease = sandtable_now() + $2::BIGINT WHERE id = $1";

    /// Charges a gap between two leases to nobody. Rows are locked in the order of the writers: no deadlock.
    shift: "
        WITH mine AS (SELECT game FROM jobs WHERE owner = $1 ORDER BY game FOR UPDATE)
        UPDATE jobs SET started = started + $2::BIGINT, due = due + $2::BIGINT FROM mine WHERE jobs.game = mine.game
        RETURNING pg_notify('sandtable_game', concat_ws(':', $1, 't', jobs.game))";

    restart_clock: "
        UPDATE jobs SET due = due + $3 - started, started = $3 WHERE game = $1 AND owner = $2 AND started < $3
        RETURNING pg_notify('sandtable_game', concat_ws(':', $2, 't', game))";

    own_jobs: "SELECT game FROM jobs WHERE owner = $1 ORDER BY due";

    /// Ends the lease now: other instances take over at once.
    release: "
        WITH gone AS (UPDATE instances SET lease = sandtable_now() - 1 WHERE id = $1 RETURNING id)
        SELECT pg_notify('sandtable_game', concat_ws(':', id, 'o', '')) FROM gone";

    /// Removes instances that ended long ago and own nothing.
    forget: "
        DELETE FROM instances WHERE lease < sandtable_now() - $1::BIGINT
        AND NOT EXISTS (SELECT FROM jobs WHERE owner = instances.id)";
}
