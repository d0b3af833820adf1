// examples/boards.html with the built package: three games against the engine.

import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright-core';
import type { SandtableBoard } from '../src/element/board';
import { emptySelection, selectedMove } from '../src/lib/moves/selection';
import { openTab, startBrowser } from './browser';

const repository = resolve(import.meta.dirname, '../..');
const isBuilt = ['index.js', 'board.js'].every((name) => existsSync(join(repository, 'npm/dist', name)));
if (!isBuilt)
  console.warn('SKIPPED: examples/boards.html needs the package; build it with `cargo xtask npm`');

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

let server: Server;
let browser: Browser;
beforeAll(async () => {
  if (!isBuilt) return;
  server = createServer(({ url = '/' }, response) => {
    const path = join(repository, new URL(url, 'http://localhost').pathname);
    if (!existsSync(path)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(readFileSync(path));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

test.skipIf(!isBuilt)('plays three games against the engine', async () => {
  const { page, errors, close } = await openTab(browser);
  const { port } = server.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/examples/boards.html`);
  for (const game of ['chess', 'cotulenh', 'tribun']) {
    const board = page.locator(`sandtable-board[game=${game}]`);
    await board.locator('[data-cell]').first().waitFor();
    const moves = await board.evaluate(({ view }: SandtableBoard) => view?.legal_moves ?? []);
    const move = moves.find(({ text, from, to }) => {
      if (from === null || to === null) return false;
      return selectedMove(moves, { ...emptySelection, cells: [from, to] })?.text === text;
    });
    if (!move) throw new Error(`no move of ${game} is selected by two cells`);
    await board.locator(`[data-cell="${move.from}"]`).click();
    await board.locator(`[data-cell="${move.to}"]`).click();
    const state = () =>
      board.evaluate(({ view }: SandtableBoard) => {
        const players = view?.moves_played.map(({ player }) => player) ?? [];
        return { answered: players.includes('second'), turn: view?.turn };
      });
    await expect.poll(state, { timeout: 20_000 }).toEqual({ answered: true, turn: 'first' });
  }
  expect(errors).toEqual([]);
  await close();
});
