// The games in IndexedDB. The log of a game is append-only, and every change is one transaction that checks the version
// of the game, so that tabs cannot overwrite each other's changes.

/** Why the browser cannot store games. */
export type StorageFault = 'unavailable' | 'quota' | 'blocked' | 'outdated' | 'failed';

export class StorageError extends Error {
  constructor(
    readonly fault: StorageFault,
    cause?: unknown,
  ) {
    super(`storage: ${fault}`, { cause });
  }
}

/** The game is not in the store. */
export class MissingGameError extends Error {
  constructor(readonly id: string) {
    super(`game ${id} is missing`);
  }
}

/** The game in the store is at another version than the caller expects. */
export class StaleVersionError extends Error {}

/** When the clock of a version was started, and when it was last seen to run, in milliseconds since 1970. */
export interface ClockTimes {
  version: number;
  started: number;
  seen: number;
}

export interface StoredGame {
  /** JSON objects. */
  settings: string;
  log: string[];
  version: number;
  created: number;
  updated: number;
  clock: ClockTimes | null;
}

export interface Append {
  id: string;
  /** The version before the change. */
  from: number;
  version: number;
  entries: string[];
  summary: (created: number, updated: number) => string;
  /** The time of the change. */
  now: number;
  /** Whether the clock runs after the change. */
  clockRuns: boolean;
}

interface GameRow {
  id: string;
  settings: string;
  summary: string;
  version: number;
  created: number;
  updated: number;
}

const DATABASE = 'sandtable';
const SCHEMA_VERSION = 1;

export class Store {
  private database: Promise<IDBDatabase> | null = null;

  constructor(private readonly factory: IDBFactory | undefined) {}

  /** Creates a game and returns its timestamp. */
  create(
    id: string,
    settings: string,
    version: number,
    summary: (created: number) => string,
    now: number,
  ): Promise<number> {
    return this.run(['games'], 'readwrite', 'strict', async (transaction) => {
      const games = transaction.objectStore('games');
      const created = await nextTimestamp(games, now);
      const row: GameRow = { id, settings, summary: summary(created), version, created, updated: created };
      await result(games.add(row));
      return created;
    });
  }

  /** Appends to the log of a game and returns the timestamp of the change. */
  append(change: Append): Promise<number> {
    const { id, from, version, entries, summary, now, clockRuns } = change;
    return this.run(['games', 'log', 'clocks'], 'readwrite', 'strict', async (transaction) => {
      const games = transaction.objectStore('games');
      const row = (await result(games.get(id))) as GameRow | undefined;
      if (!row) throw new MissingGameError(id);
      if (row.version !== from) throw new StaleVersionError();
      const updated = await nextTimestamp(games, now);
      const log = transaction.objectStore('log');
      for (const [i, entry] of entries.entries())
        await result(log.add({ game: id, number: from + 1 + i, entry }));
      await result(games.put({ ...row, version, updated, summary: summary(row.created, updated) }));
      const clocks = transaction.objectStore('clocks');
      if (clockRuns) await result(clocks.put({ version, started: now, seen: now } satisfies ClockTimes, id));
      else await result(clocks.delete(id));
      return updated;
    });
  }

  /** Deletes a game with its log. */
  delete(id: string): Promise<void> {
    return this.run(['games', 'log', 'clocks'], 'readwrite', 'strict', async (transaction) => {
      const games = transaction.objectStore('games');
      if ((await result(games.count(id))) === 0) throw new MissingGameError(id);
      await result(games.delete(id));
      await result(transaction.objectStore('log').delete(entriesOf(id)));
      await result(transaction.objectStore('clocks').delete(id));
    });
  }

  game(id: string): Promise<StoredGame> {
    return this.run(['games', 'log', 'clocks'], 'readonly', 'default', async (transaction) => {
      const row = (await result(transaction.objectStore('games').get(id))) as GameRow | undefined;
      if (!row) throw new MissingGameError(id);
      const entries = (await result(transaction.objectStore('log').getAll(entriesOf(id)))) as {
        entry: string;
      }[];
      const clock = (await result(transaction.objectStore('clocks').get(id))) as ClockTimes | undefined;
      const { settings, version, created, updated } = row;
      return {
        settings,
        log: entries.map(({ entry }) => entry),
        version,
        created,
        updated,
        clock: clock ?? null,
      };
    });
  }

  /** The summaries of games that last changed before a time, the latest first. Timestamps are unique, so paging skips no game. */
  list(limit: number, before = Infinity): Promise<string[]> {
    return this.run(['games'], 'readonly', 'default', async (transaction) => {
      const index = transaction.objectStore('games').index('updated');
      const summaries: string[] = [];
      const cursor = index.openCursor(IDBKeyRange.upperBound(before, true), 'prev');
      for (let at = await result(cursor); at && summaries.length < limit; at = await result(cursor)) {
        summaries.push((at.value as GameRow).summary);
        at.continue();
      }
      return summaries;
    });
  }

  /** Records when the clock of a game ran, unless the game has changed or was deleted. */
  saveClock(id: string, clock: ClockTimes): Promise<void> {
    return this.run(['games', 'clocks'], 'readwrite', 'relaxed', async (transaction) => {
      const row = (await result(transaction.objectStore('games').get(id))) as GameRow | undefined;
      if (row?.version === clock.version) await result(transaction.objectStore('clocks').put(clock, id));
    });
  }

  private async run<T>(
    stores: string[],
    mode: IDBTransactionMode,
    durability: IDBTransactionDurability,
    body: (transaction: IDBTransaction) => Promise<T>,
  ): Promise<T> {
    this.database ??= this.open();
    const database = await this.database;
    let transaction: IDBTransaction;
    try {
      transaction = database.transaction(stores, mode, { durability });
    } catch (cause) {
      // The browser closed the database, for example because the player deleted the data of the page.
      this.database = null;
      throw storageError(cause);
    }
    const completed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(storageError(transaction.error));
    });
    // Also awaited below, unless the body fails.
    completed.catch(() => undefined);
    try {
      const value = await body(transaction);
      await completed;
      return value;
    } catch (error) {
      try {
        transaction.abort();
      } catch {
        // It has already ended.
      }
      if (transaction.error) throw storageError(transaction.error);
      throw error instanceof DOMException ? storageError(error) : error;
    }
  }

  private open(): Promise<IDBDatabase> {
    const opened = new Promise<IDBDatabase>((resolve, reject) => {
      if (!this.factory) throw new StorageError('unavailable');
      // Throws a `SecurityError` if the player blocks storage.
      const request = this.factory.open(DATABASE, SCHEMA_VERSION);
      request.onupgradeneeded = () => createSchema(request.result);
      request.onblocked = () => reject(new StorageError('blocked'));
      request.onerror = () => reject(storageError(request.error, 'unavailable'));
      request.onsuccess = () => {
        const database = request.result;
        // A newer version of the page wants to change the schema.
        database.onversionchange = () => {
          database.close();
          this.database = null;
        };
        database.onclose = () => (this.database = null);
        resolve(database);
      };
    }).catch((error: unknown) => {
      // The next request tries again.
      this.database = null;
      throw storageError(error, 'unavailable');
    });
    return opened;
  }
}

function createSchema(database: IDBDatabase): void {
  database.createObjectStore('games', { keyPath: 'id' }).createIndex('updated', 'updated', { unique: true });
  database.createObjectStore('log', { keyPath: ['game', 'number'] });
  database.createObjectStore('clocks');
}

function entriesOf(game: string): IDBKeyRange {
  return IDBKeyRange.bound([game, 0], [game, Infinity]);
}

/** The time, but later than every earlier timestamp. */
async function nextTimestamp(games: IDBObjectStore, now: number): Promise<number> {
  const newest = await result(games.index('updated').openKeyCursor(null, 'prev'));
  return Math.max(now, newest ? Number(newest.key) + 1 : 0);
}

/** The result of a request. Requests with a cursor have several results, one after the other. */
function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException('failed', 'UnknownError'));
  });
}

function storageError(error: unknown, otherwise: StorageFault = 'failed'): StorageError {
  if (error instanceof StorageError) return error;
  const name = error instanceof DOMException ? error.name : '';
  const faults: Partial<Record<string, StorageFault>> = {
    QuotaExceededError: 'quota',
    SecurityError: 'unavailable',
    VersionError: 'outdated',
  };
  return new StorageError(faults[name] ?? otherwise, error);
}
