import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Core, Session } from './core';
import type { Engines } from './engines';
import { Registry, type Follower } from './registry';
import { MissingGameError, StorageError, Store } from './store';
import type { Claim, Tabs } from './tabs';

// A toy game: a list of moves, the players alternate, the second may be an engine. Its clock starts with the first move.
interface ToySettings {
  clock?: number;
  engine?: boolean;
  /** The shortest time before the reply of the engine. */
  delay?: number;
}
type ToyEntry = { move?: string; end?: string; undo?: true; review?: unknown; left: number[] };

class ApiFault extends Error {
  constructor(readonly body: { code: string; message: string }) {
    super(body.message);
  }
}

class ToySession implements Session {
  static alive = 0;
  private moves: string[] = [];
  private count = 1;
  private end = '';
  private stored: unknown = null;
  private left: number[];
  private clockStart: number | null = null;

  constructor(private readonly setting: ToySettings) {
    ToySession.alive++;
    this.left = [setting.clock ?? 0, setting.clock ?? 0];
  }

  private at(now: number): number[] {
    const left = [...this.left];
    if (this.clockStart !== null) left[this.moves.length % 2]! -= now - this.clockStart;
    return left.map((time) => Math.max(0, time));
  }
  apply(entry: ToyEntry): void {
    if (entry.move !== undefined) this.moves.push(entry.move);
    if (entry.undo) this.moves.pop();
    if (entry.review === undefined) this.end = entry.end ?? '';
    this.stored = entry.review ?? null;
    this.left = entry.left;
    this.clockStart = null;
    this.count++;
  }
  settings = () => JSON.stringify(this.setting);
  version = () => this.count;
  clone(): ToySession {
    const copy = new ToySession(this.setting);
    return Object.assign(
      copy,
      { moves: [...this.moves], count: this.count, end: this.end, stored: this.stored },
      {
        left: [...this.left],
        clockStart: this.clockStart,
      } as object,
    );
  }
  private freed = false;
  free(): void {
    if (this.freed) throw new Error('freed twice');
    this.freed = true;
    ToySession.alive--;
  }
  change(text: string, expected: number | undefined, now: number): string {
    const change = JSON.parse(text) as {
      type: string;
      text?: string;
      decision?: string;
      annotations?: unknown;
    };
    const conflict = (message: string) => new ApiFault({ code: 'conflict', message });
    if (expected !== undefined && expected !== this.count) throw conflict('stale version');
    const left = this.at(now);
    if (change.type === 'flag_fall' && left.every((time) => time > 0)) throw conflict('no clock has run out');
    const entry: ToyEntry =
      change.type === 'move' || change.type === 'engine'
        ? { move: change.text ?? change.decision ?? '', left }
        : change.type === 'undo'
          ? { undo: true, left }
          : change.type === 'review'
            ? { review: change.annotations, left }
            : { end: change.type, left };
    this.apply(entry);
    this.startClock(now);
    return JSON.stringify([entry]);
  }
  startClock(now: number): void {
    if (this.setting.clock && this.moves.length > 0 && !this.end) this.clockStart = now;
  }
  view(id: string, created: number, updated: number, _: number, now: number): string {
    const { count: version, moves, end } = this;
    return JSON.stringify({ id, created, updated, version, moves, end, left: this.at(now) });
  }
  summary = (id: string, created: number, updated: number) =>
    JSON.stringify({ id, created, updated, version: this.count });
  record = () => JSON.stringify({ record: this.moves.join(' ') });
  review = () => JSON.stringify(this.stored && { review: {}, annotations: this.stored });
  reviewRequest(request: string): string {
    if (!this.end) throw new ApiFault({ code: 'conflict', message: 'not over' });
    const { id } = JSON.parse(request) as { id: number };
    return JSON.stringify({ id, position: { moves: this.moves } });
  }
  timeToFlag = (now: number) => (this.clockStart === null ? undefined : this.at(now)[this.moves.length % 2]);
  engineTask = () =>
    this.setting.engine && this.moves.length % 2 === 1 && !this.end
      ? JSON.stringify({ version: this.count, delay: this.setting.delay ?? 0 })
      : undefined;
}

const core: Core = {
  respond: () => '',
  Session: {
    create: (newGame) => new ToySession(JSON.parse(newGame) as ToySettings),
    restore: (settings, log) => {
      const session = new ToySession(JSON.parse(settings) as ToySettings);
      for (const entry of JSON.parse(log) as ToyEntry[]) session.apply(entry);
      return session;
    },
  },
};

/** Tabs that share locks and messages. */
class Browser {
  readonly factory = new IDBFactory();
  readonly tabs: ToyTabs[] = [];
  readonly queues = new Map<string, (() => void)[]>();

  open(): Tab {
    const tabs = new ToyTabs(this);
    this.tabs.push(tabs);
    const store = new Store(this.factory);
    const engines = new ToyEngines();
    return { tabs, store, engines, registry: new Registry(core, store, engines, tabs) };
  }
}

interface Tab {
  tabs: ToyTabs;
  store: Store;
  engines: ToyEngines;
  registry: Registry;
}

class ToyTabs implements Tabs {
  onchange: Tabs['onchange'] = () => undefined;
  ondelete: Tabs['ondelete'] = () => undefined;
  private readonly held: (() => void)[] = [];
  constructor(private readonly browser: Browser) {}

  private others = () => this.browser.tabs.filter((tab) => tab !== this);
  announceChange = (id: string, version: number) => this.others().forEach((tab) => tab.onchange(id, version));
  announceDelete = (id: string) => this.others().forEach((tab) => tab.ondelete(id));
  claim(id: string, granted: () => void): Promise<Claim> {
    const queue = this.browser.queues.get(id) ?? [];
    this.browser.queues.set(id, queue);
    const isHost = queue.length === 0;
    queue.push(granted);
    const release = () => {
      const place = queue.indexOf(granted);
      if (place < 0) return;
      queue.splice(place, 1);
      if (place === 0) queue[0]?.();
    };
    this.held.push(release);
    return Promise.resolve({ isHost, release });
  }
  /** What happens when the tab is closed. */
  close(): void {
    this.browser.tabs.splice(this.browser.tabs.indexOf(this), 1);
    this.onchange = this.ondelete = () => undefined;
    this.held.forEach((release) => release());
  }
}

class ToyEngines implements Engines {
  readonly running: { task: string; decide: (decision: string) => void; fail: () => void }[] = [];
  decide(task: string): ReturnType<Engines['decide']> {
    let stop = () => {};
    const decision = new Promise<string | undefined>((resolve, reject) => {
      const search = { task, decide: resolve, fail: () => reject(new Error('crashed')) };
      this.running.push(search);
      stop = () => {
        const place = this.running.indexOf(search);
        if (place >= 0) this.running.splice(place, 1);
        resolve(undefined);
      };
    });
    return { decision, stop };
  }
  readonly reviews: { request: string; send: (message: object) => void }[] = [];
  analyze = (request: string, on: (message: string) => void) => {
    this.reviews.push({ request, send: (message) => on(JSON.stringify(message)) });
    return () => undefined;
  };
}

interface ToyView {
  id: string;
  updated: number;
  version: number;
  moves: string[];
  end: string;
  left: number[];
}
const parse = (json: string) => JSON.parse(json) as ToyView;

/** A follower that remembers what it received. */
function recorder(): Follower & { last(): ToyView | undefined; received: ToyView[]; isDeleted: boolean } {
  return {
    received: [],
    isDeleted: false,
    game(json) {
      this.received.push(parse(json));
    },
    deleted() {
      this.isDeleted = true;
    },
    last() {
      return this.received.at(-1);
    },
  };
}

// Not replaced by the fake timers.
declare const setImmediate: (run: (value: unknown) => void) => void;

/** Lets pending transactions finish. */
async function settle(): Promise<void> {
  for (let i = 0; i < 60; i++) await new Promise((resume) => setImmediate(resume));
}

async function wait(time: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(time);
  await settle();
}

let browser: Browser;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  browser = new Browser();
});
afterEach(() => vi.useRealTimers());

async function newGame({ registry }: Tab, settings: ToySettings = {}): Promise<string> {
  return parse(await registry.create(JSON.stringify(settings))).id;
}
const move = ({ registry }: Tab, id: string, text: string, expected?: number) =>
  registry.change(id, { type: 'move', text }, expected);

test('a game continues in a new tab', async () => {
  const tab = browser.open();
  const id = await newGame(tab);
  await move(tab, id, 'a', 1);
  await move(tab, id, 'b', 2);
  tab.tabs.close();
  expect(parse(await browser.open().registry.game(id))).toMatchObject({ version: 3, moves: ['a', 'b'] });
});

test('an unknown game is missing', async () => {
  const { registry } = browser.open();
  await expect(registry.game('nowhere')).rejects.toBeInstanceOf(MissingGameError);
  await expect(registry.follow('nowhere', recorder())).rejects.toBeInstanceOf(MissingGameError);
  await expect(registry.delete('nowhere')).rejects.toBeInstanceOf(MissingGameError);
});

test('a change that cannot be stored is not published', async () => {
  const tab = browser.open();
  const id = await newGame(tab);
  const follower = recorder();
  await tab.registry.follow(id, follower);
  const append = vi.spyOn(tab.store, 'append').mockRejectedValueOnce(new StorageError('quota'));
  await expect(move(tab, id, 'a')).rejects.toMatchObject({ fault: 'quota' });
  expect(follower.received).toHaveLength(1);
  expect(parse(await tab.registry.game(id)).moves).toEqual([]);
  append.mockRestore();
  await move(tab, id, 'a');
  expect(follower.last()?.moves).toEqual(['a']);
});

test('after a write with an unknown result, the game is read again', async () => {
  const tab = browser.open();
  const id = await newGame(tab);
  const follower = recorder();
  await tab.registry.follow(id, follower);
  const append = tab.store.append.bind(tab.store);
  vi.spyOn(tab.store, 'append').mockImplementationOnce(async (change) => {
    await append(change);
    throw new StorageError('failed');
  });
  await expect(move(tab, id, 'a')).rejects.toMatchObject({ fault: 'failed' });
  await wait(2_000);
  expect(follower.last()?.moves).toEqual(['a']);
});

test('a rejected change leaves the game as it is', async () => {
  const tab = browser.open();
  const id = await newGame(tab);
  await expect(move(tab, id, 'a', 7)).rejects.toMatchObject({ body: { code: 'conflict' } });
  expect(parse(await tab.registry.game(id))).toMatchObject({ version: 1, moves: [] });
});

test('a change appears in the other tabs', async () => {
  const [one, other] = [browser.open(), browser.open()];
  const id = await newGame(one);
  const followers = [recorder(), recorder()];
  await one.registry.follow(id, followers[0]!);
  await other.registry.follow(id, followers[1]!);
  await move(other, id, 'a');
  await settle();
  for (const follower of followers) expect(follower.last()?.moves).toEqual(['a']);
});

test('a tab that missed a change cannot overwrite it', async () => {
  const [one, other] = [browser.open(), browser.open()];
  const id = await newGame(one);
  const follower = recorder();
  await other.registry.follow(id, follower);
  other.tabs.onchange = () => undefined;
  await move(one, id, 'a', 1);
  await expect(move(other, id, 'b', 1)).rejects.toMatchObject({ body: { code: 'conflict' } });
  expect(follower.last()?.moves).toEqual(['a']);
  // A change that expects no version is applied to the latest one.
  await move(one, id, 'c', 2);
  await other.registry.change(id, { type: 'resign', player: 'first' });
  expect(follower.last()).toMatchObject({ moves: ['a', 'c'], end: 'resign', version: 4 });
});

test('simultaneous changes are applied one after the other', async () => {
  const tabs = [browser.open(), browser.open()];
  const id = await newGame(tabs[0]!);
  await Promise.all(tabs.flatMap((tab) => ['a', 'b', 'c'].map((text) => move(tab, id, text))));
  const { moves, version } = parse(await tabs[0]!.registry.game(id));
  expect([...moves].sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
  expect(version).toBe(7);
});

test('only one tab lets the engine think, and another one takes over when it is closed', async () => {
  const [one, other] = [browser.open(), browser.open()];
  const id = await newGame(one, { engine: true });
  const follower = recorder();
  await one.registry.follow(id, recorder());
  await other.registry.follow(id, follower);
  await move(other, id, 'a');
  await settle();
  expect([one.engines.running.length, other.engines.running.length]).toEqual([1, 0]);
  one.tabs.close();
  await settle();
  expect(other.engines.running).toHaveLength(1);
  other.engines.running[0]!.decide('"b"');
  await settle();
  expect(follower.last()?.moves).toEqual(['a', 'b']);
});

test('an engine continues after the tab was closed', async () => {
  const tab = browser.open();
  const id = await newGame(tab, { engine: true });
  await move(tab, id, 'a');
  expect(tab.engines.running).toHaveLength(1);
  tab.tabs.close();
  const next = browser.open();
  await next.registry.follow(id, recorder());
  next.engines.running[0]!.decide('"b"');
  await settle();
  expect(parse(await next.registry.game(id)).moves).toEqual(['a', 'b']);
});

test('a reply waits until the move of the player was shown', async () => {
  const tab = browser.open();
  const id = await newGame(tab, { engine: true, delay: 60 });
  await move(tab, id, 'a');
  tab.engines.running[0]!.decide('"b"');
  await settle();
  expect(parse(await tab.registry.game(id)).moves).toEqual(['a']);
  await wait(60);
  expect(parse(await tab.registry.game(id)).moves).toEqual(['a', 'b']);
});

test('taking back a move stops the engine', async () => {
  const tab = browser.open();
  const id = await newGame(tab, { engine: true });
  await tab.registry.follow(id, recorder());
  await move(tab, id, 'a');
  const [search] = tab.engines.running;
  await tab.registry.change(id, { type: 'undo' });
  expect(tab.engines.running).toEqual([]);
  search!.decide('"b"');
  await settle();
  expect(parse(await tab.registry.game(id)).moves).toEqual([]);
});

test('an engine that fails is started again', async () => {
  const tab = browser.open();
  const id = await newGame(tab, { engine: true });
  await move(tab, id, 'a');
  tab.engines.running.pop()!.fail();
  await wait(0);
  expect(tab.engines.running).toEqual([]);
  await wait(2_000);
  tab.engines.running[0]!.decide('"b"');
  await settle();
  expect(parse(await tab.registry.game(id)).moves).toEqual(['a', 'b']);
});

test('an engine moves again after its move could not be stored', async () => {
  const tab = browser.open();
  const id = await newGame(tab, { engine: true });
  const follower = recorder();
  await tab.registry.follow(id, follower);
  await move(tab, id, 'a');
  vi.spyOn(tab.store, 'append').mockRejectedValueOnce(new StorageError('quota'));
  tab.engines.running.pop()!.decide('"b"');
  await settle();
  expect(follower.last()?.moves).toEqual(['a']);
  // The store may fail once more.
  vi.spyOn(tab.store, 'game').mockRejectedValueOnce(new StorageError('failed'));
  await wait(4_000);
  tab.engines.running[0]!.decide('"b"');
  await settle();
  expect(follower.last()?.moves).toEqual(['a', 'b']);
});

test('the flag falls', async () => {
  const tab = browser.open();
  const id = await newGame(tab, { clock: 5_000 });
  const follower = recorder();
  await tab.registry.follow(id, follower);
  await wait(60_000);
  await move(tab, id, 'a');
  await wait(4_900);
  expect(follower.last()?.end).toBe('');
  await wait(200);
  expect(follower.last()).toMatchObject({ end: 'flag_fall', left: [5_000, 0] });
});

test('the clock runs on while the page shows something else', async () => {
  const tab = browser.open();
  const id = await newGame(tab, { clock: 5_000 });
  const leave = await tab.registry.follow(id, recorder());
  await move(tab, id, 'a');
  leave();
  await wait(6_000);
  expect(parse(await tab.registry.game(id)).end).toBe('flag_fall');
});

test('a closed tab charges nobody, and the time before is not given back', async () => {
  const tab = browser.open();
  const id = await newGame(tab, { clock: 60_000 });
  await move(tab, id, 'a');
  await wait(10_000);
  tab.tabs.close();
  vi.clearAllTimers();
  vi.setSystemTime(Date.now() + 3_600_000);
  const { registry } = browser.open();
  const follower = recorder();
  await registry.follow(id, follower);
  expect(follower.last()?.left).toEqual([60_000, 50_000]);
  await wait(10_000);
  expect(parse(await registry.game(id)).left).toEqual([60_000, 40_000]);
});

test('two tabs show the same clock', async () => {
  const one = browser.open();
  const id = await newGame(one, { clock: 60_000 });
  await move(one, id, 'a');
  await wait(7_350);
  const other = browser.open();
  const follower = recorder();
  await other.registry.follow(id, follower);
  expect(follower.last()?.left).toEqual([60_000, 52_650]);
  await move(one, id, 'b');
  await wait(2_000);
  for (const tab of [one, other]) expect(parse(await tab.registry.game(id)).left).toEqual([58_000, 52_650]);
});

test('a deleted game is gone in every tab', async () => {
  const [one, other] = [browser.open(), browser.open()];
  const id = await newGame(one);
  const followers = [recorder(), recorder()];
  await one.registry.follow(id, followers[0]!);
  await other.registry.follow(id, followers[1]!);
  await other.registry.delete(id);
  await settle();
  expect(followers.map(({ isDeleted }) => isDeleted)).toEqual([true, true]);
  for (const tab of [one, other]) await expect(move(tab, id, 'a')).rejects.toBeInstanceOf(MissingGameError);
  expect(await one.registry.list()).toBe('[]');
});

test('the list is sorted by the last change and has pages', async () => {
  const tab = browser.open();
  const ids: string[] = [];
  for (let i = 0; i < 52; i++) ids.push(await newGame(tab));
  await move(tab, ids[0]!, 'a');
  const order = [ids[0], ...ids.slice(1).reverse()];
  const page = JSON.parse(await tab.registry.list()) as ToyView[];
  expect(page.map(({ id }) => id)).toEqual(order.slice(0, 50));
  const rest = JSON.parse(await tab.registry.list(page.at(-1)!.updated)) as ToyView[];
  expect(rest.map(({ id }) => id)).toEqual(order.slice(50));
});

test('games that nothing uses leave memory and free their locks', async () => {
  ToySession.alive = 0;
  const tab = browser.open();
  for (const settings of [{}, { engine: true }, { clock: 9_000 }]) {
    const id = await newGame(tab, settings);
    const leave = await tab.registry.follow(id, recorder());
    await move(tab, id, 'a');
    leave();
    await settle();
    if ('engine' in settings) tab.engines.running[0]!.decide('"b"');
    await wait(10_000);
    expect(browser.queues.get(id)).toEqual([]);
  }
  expect(ToySession.alive).toBe(0);
});

test('a review is stored before the page gets it, and then known', async () => {
  const { registry, engines } = new Browser().open();
  const { id } = parse(await registry.create('{}'));
  await registry.change(id, { type: 'move', text: 'a' });
  const request = JSON.stringify({ type: 'review_game', id: 7, game: id });
  await expect(registry.startReview(request, () => undefined)).rejects.toThrow('not over');
  await registry.change(id, { type: 'resign', player: 'first' });
  const messages: unknown[] = [];
  const start = () => registry.startReview(request, (message) => messages.push(JSON.parse(message)));
  await start();
  const [search] = engines.reviews;
  expect(JSON.parse(search!.request)).toEqual({ type: 'review', id: 7, position: { moves: ['a'] } });
  const reviewed = { type: 'reviewed', id: 7, review: {}, annotations: 'good' };
  const done = { type: 'done', id: 7, reason: 'complete' };
  for (const message of [{ type: 'progress', id: 7 }, reviewed, done]) search!.send(message);
  expect(messages).not.toContainEqual(reviewed);
  await expect.poll(() => messages).toEqual([{ type: 'progress', id: 7 }, reviewed, done]);
  expect(JSON.parse(await registry.review(id))).toEqual({ review: {}, annotations: 'good' });
  messages.length = 0;
  await start();
  expect(messages).toEqual([reviewed, done]);
  expect(engines.reviews).toHaveLength(1);
});

test('a review of a game that was taken back meanwhile is an error, and not stored', async () => {
  const { registry, engines } = new Browser().open();
  const { id } = parse(await registry.create('{}'));
  await registry.change(id, { type: 'move', text: 'a' });
  await registry.change(id, { type: 'resign', player: 'first' });
  const messages: { type: string }[] = [];
  const request = JSON.stringify({ type: 'review_game', id: 7, game: id });
  await registry.startReview(request, (message) => messages.push(JSON.parse(message) as { type: string }));
  await registry.change(id, { type: 'undo' });
  engines.reviews[0]!.send({ type: 'reviewed', id: 7, review: {}, annotations: 'late' });
  engines.reviews[0]!.send({ type: 'done', id: 7, reason: 'complete' });
  await expect.poll(() => messages.map(({ type }) => type)).toEqual(['error']);
  expect(await registry.review(id)).toBe('null');
});
