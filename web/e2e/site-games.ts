// The requests of the API for tests of the static page. Stateless requests are answered by the core in Node. Games are
// created here, and read from and written to the storage of the browser, whose layout is thereby tested too.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import type { Core, Session } from '../src/lib/backend/local/core';
import type { Page } from './browser';

export const WASM = process.env.SANDTABLE_WASM ?? resolve(import.meta.dirname, '../../target/wasm/all');

type Wasm = Core & { initSync(options: { module: BufferSource }): unknown };

async function load(): Promise<Wasm> {
  const wasm = (await import(pathToFileURL(join(WASM, 'sandtable_wasm.js')).href)) as Wasm;
  wasm.initSync({ module: readFileSync(join(WASM, 'sandtable_wasm_bg.wasm')) });
  return wasm;
}
let core: Promise<Wasm> | undefined;

interface StoredGame {
  id: string;
  settings: string;
  summary: string;
  version: number;
  created: number;
  updated: number;
  log: string[];
}

/** The games that were created by tests. */
const created = new Map<string, StoredGame>();
/** The contexts that have these games, and a page of each for access to its storage. */
const contexts = new Map<BrowserContext, Page>();

/** Opens a blank page in a context and stores the games in it. */
export async function addContext(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}blank`);
  contexts.set(context, page);
  await page.evaluate(storeGames, [...created.values()]);
}

export function removeContext(context: BrowserContext): void {
  contexts.delete(context);
}

/** Runs in the page. */
async function storeGames(games: StoredGame[]): Promise<void> {
  const open = indexedDB.open('sandtable', 1);
  open.onupgradeneeded = () => {
    const database = open.result;
    database
      .createObjectStore('games', { keyPath: 'id' })
      .createIndex('updated', 'updated', { unique: true });
    database.createObjectStore('log', { keyPath: ['game', 'number'] });
    database.createObjectStore('clocks');
  };
  const database = await new Promise<IDBDatabase>((opened) => (open.onsuccess = () => opened(open.result)));
  const transaction = database.transaction(['games', 'log'], 'readwrite');
  for (const { log, ...game } of games) {
    transaction.objectStore('games').put(game);
    for (const [i, entry] of log.entries())
      transaction.objectStore('log').put({ game: game.id, number: i + 2, entry });
  }
  await new Promise((stored, failed) => {
    transaction.oncomplete = stored;
    transaction.onabort = () => failed(new Error(String(transaction.error)));
  });
  database.close();
}

/** Runs in the page. */
async function readGame(id: string): Promise<StoredGame | null> {
  const open = indexedDB.open('sandtable');
  const database = await new Promise<IDBDatabase>((opened) => (open.onsuccess = () => opened(open.result)));
  const transaction = database.transaction(['games', 'log']);
  const game = transaction.objectStore('games').get(id);
  const log = transaction.objectStore('log').getAll(IDBKeyRange.bound([id, 0], [id, Infinity]));
  await new Promise((read) => (transaction.oncomplete = read));
  database.close();
  const entries = (log.result as { entry: string }[]).map(({ entry }) => entry);
  return game.result ? { ...(game.result as StoredGame), log: entries } : null;
}

/** The game of the last context that has it. */
async function find(id: string): Promise<StoredGame> {
  for (const page of [...contexts.values()].reverse()) {
    const found = await page.evaluate(readGame, id);
    if (found) return found;
  }
  const game = created.get(id);
  if (!game) throw new Error(`game ${id} not found`);
  return game;
}

function view(session: Session, { id, created, updated }: StoredGame): string {
  const now = Date.now();
  return session.view(id, created, updated, now, now);
}

let lastTimestamp = Date.now() - 1_000_000;

/** Responds as the API of the server does. */
export async function siteRequest(path: string, body?: unknown): Promise<string> {
  core ??= load();
  const { respond, Session } = await core;
  if (!path.startsWith('games')) return respond(path, JSON.stringify(body ?? {}));
  if (path === 'games') {
    const session = Session.create(JSON.stringify(body));
    const at = ++lastTimestamp;
    const id = `test${at.toString(32)}`;
    const game: StoredGame = {
      ...{ id, settings: session.settings(), summary: session.summary(id, at, at), log: [] },
      ...{ version: session.version(), created: at, updated: at },
    };
    created.set(id, game);
    for (const page of contexts.values()) await page.evaluate(storeGames, [game]);
    return view(session, game);
  }
  const [, id = '', part] = path.split('/');
  const game = await find(id);
  const session = Session.restore(game.settings, `[${game.log.join(',')}]`);
  return part === 'record' ? session.record() : view(session, game);
}
