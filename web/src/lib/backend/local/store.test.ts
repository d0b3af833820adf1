import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { MissingGameError, StaleVersionError, Store, type Append } from './store';

const summary = (created: number, updated = created) => `${created}-${updated}`;
const append = (change: Partial<Append> = {}): Append => ({
  ...{ id: 'a', from: 1, version: 3, entries: ['x', 'y'], summary, now: 20, clockRuns: false },
  ...change,
});

test('stores the settings, the log and the clock of a game', async () => {
  const store = new Store(new IDBFactory());
  expect(await store.create('a', '{}', 1, summary, 10)).toBe(10);
  expect(await store.append(append({ clockRuns: true }))).toBe(20);
  await store.saveClock('a', { version: 3, started: 20, seen: 25 });
  // Clocks of earlier versions and of unknown games are ignored.
  await store.saveClock('a', { version: 2, started: 1, seen: 30 });
  await store.saveClock('b', { version: 1, started: 1, seen: 30 });
  expect(await store.game('a')).toEqual({
    ...{ settings: '{}', log: ['x', 'y'], version: 3, created: 10, updated: 20 },
    clock: { version: 3, started: 20, seen: 25 },
  });
  await store.append(append({ from: 3, version: 4, entries: ['z'] }));
  expect(await store.game('a')).toMatchObject({ log: ['x', 'y', 'z'], clock: null });
});

test('writes all of a change or nothing', async () => {
  const store = new Store(new IDBFactory());
  await store.create('a', '{}', 1, summary, 10);
  await expect(store.append(append({ from: 2 }))).rejects.toBeInstanceOf(StaleVersionError);
  const failing = () => {
    throw new Error('no summary');
  };
  await expect(store.append(append({ summary: failing }))).rejects.toThrow('no summary');
  expect(await store.game('a')).toMatchObject({ log: [], version: 1, updated: 10 });
  await expect(store.append(append({ id: 'b' }))).rejects.toBeInstanceOf(MissingGameError);
});

test('timestamps increase even if the time does not', async () => {
  const store = new Store(new IDBFactory());
  expect(await store.create('a', '{}', 1, summary, 10)).toBe(10);
  expect(await store.create('b', '{}', 1, summary, 5)).toBe(11);
  expect(await store.append(append({ now: 3 }))).toBe(12);
  expect(await store.list(5)).toEqual(['10-12', '11-11']);
  expect(await store.list(5, 12)).toEqual(['11-11']);
  expect(await store.list(1)).toEqual(['10-12']);
});

test('deletes a game with its log', async () => {
  const store = new Store(new IDBFactory());
  await store.create('a', '{}', 1, summary, 10);
  await store.create('ab', '{}', 1, summary, 10);
  await store.append(append());
  await store.append(append({ id: 'ab' }));
  await store.delete('a');
  await expect(store.game('a')).rejects.toBeInstanceOf(MissingGameError);
  await expect(store.delete('a')).rejects.toBeInstanceOf(MissingGameError);
  await store.create('a', '{}', 1, summary, 10);
  expect((await store.game('a')).log).toEqual([]);
  expect((await store.game('ab')).log).toEqual(['x', 'y']);
});

test('says why games cannot be stored', async () => {
  await expect(new Store(undefined).list(1)).rejects.toMatchObject({ fault: 'unavailable' });
  const blocked = {
    open: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  } as unknown as IDBFactory;
  await expect(new Store(blocked).list(1)).rejects.toMatchObject({ fault: 'unavailable' });

  // A tab with an older version of the page keeps the database open.
  const waiting = { onblocked: () => undefined };
  const held = new Store({ open: () => waiting } as unknown as IDBFactory).list(1);
  waiting.onblocked();
  await expect(held).rejects.toMatchObject({ fault: 'blocked' });

  const factory = new IDBFactory();
  await new Promise((opened) => (factory.open('sandtable', 99).onsuccess = opened));
  await expect(new Store(factory).list(1)).rejects.toMatchObject({ fault: 'outdated' });
});

test('reports a full disk, and works again afterwards', async () => {
  const store = new Store(new IDBFactory());
  await store.create('a', '{}', 1, summary, 10);
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  await expect(store.append(append())).rejects.toMatchObject({ fault: 'quota' });
  IDBObjectStore.prototype.put = put;
  expect((await store.game('a')).log).toEqual([]);
  expect(await store.append(append())).toBe(20);
});

test('opens the database again after the browser has closed it', async () => {
  const factory = new IDBFactory();
  const store = new Store(factory);
  await store.create('a', '{}', 1, summary, 10);
  // Deleting the database asks its users to close it.
  await new Promise((deleted) => (factory.deleteDatabase('sandtable').onsuccess = deleted));
  expect(await store.list(5)).toEqual([]);
});
