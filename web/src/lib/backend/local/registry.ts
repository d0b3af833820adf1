// The games of this tab. A change is applied to a copy of the session, written to the store, and only then published, so
// that no page shows a change that is not stored. The store is shared by all tabs: the tab that holds the lock of a game
// hosts it, which means that it runs the flag timer and the engine. The others follow its changes.
//
// Time is charged while a tab keeps the game open; while none does, it is charged to neither player.

import type { AnalysisMessage, Annotations } from '../../types';
import type { Core, Session } from './core';
import type { Engines } from './engines';
import { errorBody } from './protocol';
import { MissingGameError, StaleVersionError, StorageError, type Store, type StoredGame } from './store';
import type { Tabs } from './tabs';

export type Change =
  | { type: 'move'; text: string }
  | { type: 'undo' }
  | { type: 'resign'; player: string }
  | { type: 'draw'; player: string; action: string }
  | { type: 'advice'; player: string; kind: string }
  | { type: 'review'; annotations: Annotations }
  | { type: 'flag_fall' };

export interface Follower {
  /** The game as JSON. */
  game(json: string): void;
  deleted(): void;
}

/** How often a running clock is saved, in milliseconds. A closed tab loses at most this much thinking time. */
const CLOCK_INTERVAL = 1_000;
/** The longest delay of a timer. */
const MAX_DELAY = 2 ** 31 - 1;
/** How long to wait before an engine that failed is started again, or a game is read again, in milliseconds. */
const RETRY_DELAY = 2_000;
/** The number of games on a page of the list. */
const PAGE_SIZE = 50;

/** Waits for some milliseconds. */
function sleep(time: number): Promise<void> {
  return time > 0 ? new Promise((done) => setTimeout(done, time)) : Promise.resolve();
}

/** A game in memory. */
interface LiveGame {
  readonly id: string;
  session: Session;
  created: number;
  updated: number;
  /** When the clock of this version was started. */
  clockStarted: number;
  /** Whether this tab holds the lock of the game. */
  isHost: boolean;
  /** Gives up the lock, or the place in its queue. */
  release: () => void;
  /** False once the game has left memory. Operations that were waiting for it load it again. */
  valid: boolean;
  /** The number of waiting and running operations. */
  users: number;
  /** The last operation; they run one after the other. */
  queue: Promise<unknown>;
  flagTimer: ReturnType<typeof setTimeout> | undefined;
  clockTimer: ReturnType<typeof setInterval> | undefined;
  retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** The search of an engine, and the version it is for. */
  search: { version: number; stop: () => void } | null;
}

export class Registry {
  private readonly games = new Map<string, Promise<LiveGame>>();
  private readonly followers = new Map<string, Set<Follower>>();

  constructor(
    private readonly core: Core,
    private readonly store: Store,
    private readonly engines: Engines,
    private readonly tabs: Tabs,
    /** Milliseconds since 1970: the time that tabs share. */
    private readonly now: () => number = Date.now,
  ) {
    tabs.onchange = (id, version) => void this.refresh(id, version).catch(() => undefined);
    tabs.ondelete = (id) => void this.forget(id);
  }

  /** Creates a game from a request of the API and returns it as JSON. */
  async create(newGame: string): Promise<string> {
    const session = this.core.Session.create(newGame);
    const id = newId();
    try {
      const summary = (at: number) => session.summary(id, at, at);
      await this.store.create(id, session.settings(), session.version(), summary, this.now());
    } finally {
      session.free();
    }
    return this.game(id);
  }

  /** A game as JSON. */
  game(id: string): Promise<string> {
    return this.use(id, (live) => Promise.resolve(this.view(live)));
  }

  /** The record of a game as JSON. */
  record(id: string): Promise<string> {
    return this.use(id, (live) => Promise.resolve(live.session.record()));
  }

  /** The review of a game as JSON; `null` if it has none. */
  review(id: string): Promise<string> {
    return this.use(id, (live) => Promise.resolve(live.session.review()));
  }

  /**
   * Reviews a game that is over, unless it has a review. The request and the messages are JSON of the API. The review is
   * stored before it is passed on. Returns a function that stops the search.
   */
  async startReview(request: string, on: (message: string) => void): Promise<() => void> {
    const { type: _, ...review } = JSON.parse(request) as { type: string; id: number; game: string };
    const { id, game } = review;
    const send = (message: AnalysisMessage) => on(JSON.stringify(message));
    const { known, version, search } = await this.use(game, ({ session }) => {
      const known = session.review();
      const search = known === 'null' ? session.reviewRequest(JSON.stringify(review)) : null;
      return Promise.resolve({ known, search, version: session.version() });
    });
    if (search === null) {
      on(`{"type":"reviewed","id":${id},${known.slice(1)}`);
      send({ type: 'done', id, reason: 'complete' });
      return () => {};
    }
    let failed = false;
    let queue = Promise.resolve();
    const pass = async (message: string) => {
      if (failed) return;
      const parsed = JSON.parse(message) as AnalysisMessage;
      if (parsed.type === 'reviewed')
        try {
          await this.change(game, { type: 'review', annotations: parsed.annotations }, version);
        } catch (error) {
          // Another tab may have stored a review meanwhile.
          const isStored = await this.use(game, ({ session }) =>
            Promise.resolve(session.review() !== 'null'),
          );
          if (!isStored) throw error;
        }
      on(message);
    };
    const fail = (error: unknown) => {
      failed = true;
      send({ type: 'error', id, error: errorBody(error) });
    };
    return this.engines.analyze(`{"type":"review",${search.slice(1)}`, (message) => {
      queue = queue.then(() => pass(message)).catch(fail);
    });
  }

  /** A page of the list of games as a JSON array, most recently changed first. */
  async list(before?: number): Promise<string> {
    return `[${(await this.store.list(PAGE_SIZE, before)).join(',')}]`;
  }

  /** Changes a game and returns it as JSON. With `expected`, a game at another version is left unchanged. */
  change(id: string, change: Change, expected?: number): Promise<string> {
    return this.apply(id, JSON.stringify(change), expected);
  }

  async delete(id: string): Promise<void> {
    await this.use(id, async (live) => {
      await this.store.delete(id);
      this.evict(live);
    });
    this.tabs.announceDelete(id);
    await this.forget(id);
  }

  /** Sends the game, then every change, to a follower until the returned function is called. */
  async follow(id: string, follower: Follower): Promise<() => void> {
    const all = this.followers.get(id) ?? new Set();
    this.followers.set(id, all.add(follower));
    const leave = () => {
      all.delete(follower);
      if (all.size === 0) this.followers.delete(id);
      void this.games.get(id)?.then((live) => this.dropIfUnused(live));
    };
    try {
      await this.use(id, (live) => Promise.resolve(follower.game(this.view(live))));
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  private apply(id: string, change: string, expected?: number): Promise<string> {
    return this.use(id, async (live) => {
      for (;;) {
        try {
          await this.applyToLive(live, change, expected);
          return this.view(live);
        } catch (error) {
          if (!(error instanceof StaleVersionError)) throw error;
          // Another tab was faster: the change applies to its result, unless it expects another version.
          await this.reload(live);
        }
      }
    });
  }

  private async applyToLive(live: LiveGame, change: string, expected?: number): Promise<void> {
    const from = live.session.version();
    const now = this.now();
    const next = live.session.clone();
    try {
      const entries = JSON.parse(next.change(change, expected, now)) as unknown[];
      live.updated = await this.store.append({
        id: live.id,
        from,
        version: next.version(),
        entries: entries.map((entry) => JSON.stringify(entry)),
        summary: (created, updated) => next.summary(live.id, created, updated),
        now,
        clockRuns: next.timeToFlag(now) !== undefined,
      });
    } catch (error) {
      next.free();
      // Memory and store may differ: the game must be loaded again.
      if (error instanceof StorageError || error instanceof MissingGameError) this.evict(live);
      if (error instanceof StorageError) this.reloadLater(live.id);
      throw error;
    }
    this.replace(live, next, now);
    this.tabs.announceChange(live.id, next.version());
  }

  /** Puts the next session in place, and publishes it. */
  private replace(live: LiveGame, session: Session, clockStarted: number): void {
    live.session.free();
    live.session = session;
    live.clockStarted = clockStarted;
    this.publish(live);
    this.schedule(live);
  }

  private publish(live: LiveGame): void {
    const followers = this.followers.get(live.id);
    if (!followers) return;
    const json = this.view(live);
    for (const follower of followers) follower.game(json);
  }

  private view(live: LiveGame): string {
    const now = this.now();
    return live.session.view(live.id, live.created, live.updated, now, now);
  }

  /** Brings a game that another tab has changed up to date. */
  private async refresh(id: string, version: number): Promise<void> {
    if (!this.games.has(id) && !this.followers.has(id)) return;
    await this.use(id, async (live) => {
      if (live.session.version() < version) await this.reload(live);
      else this.publish(live);
    });
  }

  /** Loads a game that has left memory after a failed write, for its followers and its engine. */
  private reloadLater(id: string): void {
    setTimeout(() => {
      if (this.followers.has(id)) this.refresh(id, 0).catch(() => this.reloadLater(id));
    }, RETRY_DELAY);
  }

  private async reload(live: LiveGame): Promise<void> {
    let stored: StoredGame;
    let session: Session;
    try {
      stored = await this.store.game(live.id);
      session = this.restore(stored);
    } catch (error) {
      this.evict(live);
      throw error;
    }
    live.updated = stored.updated;
    // The tab that made the change has started the clock.
    const started = stored.clock?.started ?? this.now();
    session.startClock(started);
    this.replace(live, session, started);
  }

  /** Handles the deletion of a game. */
  private async forget(id: string): Promise<void> {
    if (this.games.has(id)) {
      const evict = (live: LiveGame) => Promise.resolve(this.evict(live));
      // An error means that the game was being loaded.
      await this.use(id, evict).catch(() => undefined);
    }
    for (const follower of this.followers.get(id) ?? []) follower.deleted();
  }

  /** Runs an operation on a game after all earlier ones. */
  private async use<T>(id: string, operation: (live: LiveGame) => Promise<T>): Promise<T> {
    for (;;) {
      const live = await this.live(id);
      live.users++;
      const run = live.queue.then(async () => (live.valid ? { value: await operation(live) } : null));
      live.queue = run.catch(() => undefined);
      try {
        const done = await run;
        if (done) return done.value;
      } finally {
        live.users--;
        this.dropIfUnused(live);
      }
    }
  }

  private live(id: string): Promise<LiveGame> {
    const known = this.games.get(id);
    if (known) return known;
    const loading = this.load(id).catch((error: unknown) => {
      this.games.delete(id);
      throw error;
    });
    this.games.set(id, loading);
    return loading;
  }

  private async load(id: string): Promise<LiveGame> {
    // Claim the game before reading it: the claim decides from when on its clock runs.
    const loaded: { live?: LiveGame; isHost: boolean } = { isHost: false };
    const { isHost, release } = await this.tabs.claim(id, () => {
      loaded.isHost = true;
      if (loaded.live?.valid) this.becomeHost(loaded.live);
    });
    try {
      const stored = await this.store.game(id);
      const session = this.restore(stored);
      const now = this.now();
      const { clock, created, updated } = stored;
      // A host continues the clock where the last tab left it; the others take over the host's clock.
      const charged = clock ? Math.max(0, clock.seen - clock.started) : 0;
      const started = isHost ? now - charged : (clock?.started ?? now);
      session.startClock(started);
      const live: LiveGame = {
        ...{ id, session, created, updated, clockStarted: started, isHost: isHost || loaded.isHost, release },
        ...{ valid: true, users: 0, queue: Promise.resolve(), search: null },
        ...{ flagTimer: undefined, clockTimer: undefined, retryTimer: undefined },
      };
      loaded.live = live;
      this.schedule(live);
      return live;
    } catch (error) {
      release();
      throw error;
    }
  }

  private restore({ settings, log }: StoredGame): Session {
    return this.core.Session.restore(settings, `[${log.join(',')}]`);
  }

  private becomeHost(live: LiveGame): void {
    live.isHost = true;
    this.schedule(live);
  }

  /** Starts what the state of a game requires: the flag timer, and an engine's move or answer to a draw offer. */
  private schedule(live: LiveGame): void {
    this.stopTimers(live);
    const { id, session } = live;
    const version = session.version();
    if (live.search?.version !== version) this.stopSearch(live);
    if (!live.isHost || !live.valid) return;
    const now = this.now();
    const left = session.timeToFlag(now);
    if (left !== undefined) {
      // Clocks count whole milliseconds: 2 more are enough for any rounding.
      live.flagTimer = setTimeout(() => void this.flagFall(live, version), Math.min(left + 2, MAX_DELAY));
      const save = () =>
        void this.store
          .saveClock(id, { version, started: live.clockStarted, seen: this.now() })
          // The next save, or the next move, may succeed.
          .catch(() => undefined);
      live.clockTimer = setInterval(save, CLOCK_INTERVAL);
      save();
    }
    if (live.search) return;
    const task = session.engineTask(id, now);
    if (task !== undefined) this.startSearch(live, version, task);
  }

  private async flagFall(live: LiveGame, version: number): Promise<void> {
    try {
      await this.change(live.id, { type: 'flag_fall' }, version);
    } catch {
      // A move came in time, or the timer fired early.
      if (live.valid && live.session.version() === version) this.schedule(live);
    }
  }

  private startSearch(live: LiveGame, version: number, task: string): void {
    const { decision, stop } = this.engines.decide(task);
    const { delay } = JSON.parse(task) as { delay: number };
    const earliest = this.now() + delay;
    const search = { version, stop };
    live.search = search;
    const finish = () => {
      if (live.search === search) live.search = null;
    };
    decision
      .then(
        async (decided) => {
          // The player sees the own move land before the reply.
          await sleep(earliest - this.now());
          // An error means that the game has changed meanwhile.
          if (decided !== undefined)
            await this.apply(live.id, `{"type":"engine","decision":${decided}}`, version).catch(
              () => undefined,
            );
          finish();
        },
        () => {
          finish();
          const retry = () => {
            if (live.valid && live.session.version() === version) this.schedule(live);
          };
          if (live.valid) live.retryTimer = setTimeout(retry, RETRY_DELAY);
        },
      )
      .finally(() => this.dropIfUnused(live));
  }

  private stopSearch(live: LiveGame): void {
    live.search?.stop();
    live.search = null;
  }

  private stopTimers(live: LiveGame): void {
    clearTimeout(live.flagTimer);
    clearInterval(live.clockTimer);
    clearTimeout(live.retryTimer);
    live.flagTimer = live.clockTimer = live.retryTimer = undefined;
  }

  /** Removes a game from memory unless a page, an operation, a running clock or an engine needs it. */
  private dropIfUnused(live: LiveGame): void {
    const isUsed =
      live.users > 0 ||
      this.followers.has(live.id) ||
      live.flagTimer !== undefined ||
      live.retryTimer !== undefined ||
      live.search !== null;
    if (live.valid && !isUsed) this.evict(live);
  }

  private evict(live: LiveGame): void {
    if (!live.valid) return;
    live.valid = false;
    this.stopTimers(live);
    this.stopSearch(live);
    this.games.delete(live.id);
    live.session.free();
    live.release();
  }
}

/** A random id, as a server makes them: 60 bits in Crockford's base 32. */
function newId(): string {
  const digits = '0123456789abcdefghjkmnpqrstvwxyz';
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => digits[byte % 32]).join('');
}
