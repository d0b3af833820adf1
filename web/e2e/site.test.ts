// The static page: games in the browser, several tabs, closed tabs, no network, and new versions.

import { expect, test } from 'vitest';
import type { Game, GameRecord } from '../src/lib/types';
import { expectAccessible } from './axe';
import type { Page } from './browser';
import { expectConnectionErrors, setUpEnvironment } from './environment';
import { cell, moves, request, typeMove } from './helpers';
import type { StaticServer } from './static-server';

const env = setUpEnvironment();
const server = () => env.server as StaticServer;

const newGame = (options: object) => request<Game>(env.url, 'games', options);
const currentGame = (id: string) => request<Game>(env.url, `games/${id}`);
const HUMAN = { type: 'human' };
const engine = (level: number) => ({ type: 'engine', level });
const expectStatus = (page: Page, text: string) => page.getByTestId('status').getByText(text).waitFor();

/** Waits until the service worker has stored all files and controls the page. */
async function waitForServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Opens an address in the same tab, as if it was closed and opened again. */
async function reopen(page: Page): Promise<void> {
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
}

const clock = (page: Page, player: string) => page.getByRole('timer', { name: `${player} clock` });
async function seconds(page: Page, player: string): Promise<number> {
  const [minutes = '', rest = ''] = (await clock(page, player).innerText()).split(':');
  return 60 * Number(minutes) + Number(rest);
}

const STACK = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';

test('a deployment survives a reload and a closed tab', async () => {
  const game = await newGame({ kind: 'cotulenh', position: STACK });
  const { page } = await env.open(`#/game/${game.id}`);
  const deployment = page.getByTestId('deployment');
  await cell(page, 'c4').click();
  await page.click('[data-choice="piece navy"]');
  await cell(page, 'a4').click();
  await deployment.waitFor();
  await page.reload();
  await page.getByRole('status').getByText('Deployment from c4').waitFor();
  await cell(page, 'c4').click();
  await page.click('[data-choice="piece air force"]');
  await cell(page, 'f4').click();
  await page.locator('[data-cell=f4][aria-label*="red Air Force"]').waitFor();
  await reopen(page);
  await deployment.waitFor();
  await cell(page, 'c4').click();
  await cell(page, 'c6').click();
  await page.getByText('Blue to move').waitFor();
  const after = await currentGame(game.id);
  expect(after.view.moves_played.map(({ text }) => text)).toEqual(['Nc4>a4', 'Fc4>f4', 'Tc4>c6']);
});

test('the engine moves after its tab was closed in the middle of its search', async () => {
  const game = await newGame({ kind: 'chess', seats: { first: HUMAN, second: engine(9) } });
  const { page } = await env.open(`#/game/${game.id}`);
  await typeMove(page, 'e4');
  await expectStatus(page, 'Black is thinking…');
  await reopen(page);
  await expectStatus(page, 'Black is thinking…');
  await expectStatus(page, 'White to move');
  expect((await currentGame(game.id)).view.moves_played).toHaveLength(2);
});

test('taking back a move stops the engine, which then answers the next one', async () => {
  const game = await newGame({ kind: 'tribun', seats: { first: HUMAN, second: engine(9) } });
  const [first, second] = game.view.legal_moves.filter(({ kind }) => kind === 'move');
  const { page } = await env.open(`#/game/${game.id}`);
  await typeMove(page, first?.text ?? '');
  await expectStatus(page, 'is thinking…');
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect.poll(() => moves(page).count()).toBe(0);
  await typeMove(page, second?.text ?? '');
  await expect.poll(() => moves(page).count()).toBe(2);
  await moves(page, second?.san).first().waitFor();
});

test('two tabs show the same game and the same clock, and the engine moves once', async () => {
  const game = await newGame({
    ...{ kind: 'chess', seats: { first: HUMAN, second: engine(0) } },
    clock: { initial: 60_000, increment: 0 },
  });
  const one = await env.open(`#/game/${game.id}`);
  await typeMove(one.page, 'e4');
  await expect.poll(() => moves(one.page).count()).toBe(2);
  await expect.poll(() => seconds(one.page, 'White')).toBeLessThan(59);
  const other = await env.open(`#/game/${game.id}`);
  await expect.poll(() => moves(other.page).count()).toBe(2);
  expect(Math.abs((await seconds(one.page, 'White')) - (await seconds(other.page, 'White')))).toBeLessThan(
    1.5,
  );
  await typeMove(other.page, 'd4');
  for (const { page } of [one, other]) await expect.poll(() => moves(page).count()).toBe(4);

  // The other tab lets the engine think once the first one is closed.
  await one.page.close();
  await typeMove(other.page, 'Nc3');
  await expect.poll(() => moves(other.page).count()).toBe(6);
  const texts = (await currentGame(game.id)).view.moves_played.map(({ text }) => text);
  expect(texts.filter((_, i) => i % 2 === 0)).toEqual(['e2e4', 'd2d4', 'b1c3']);
});

test('a page that the browser keeps after it was left does not hold up other tabs', async () => {
  const game = await newGame({ kind: 'chess', seats: { first: HUMAN, second: engine(0) } });
  const one = await env.open(`#/game/${game.id}`);
  await one.page.getByText('White to move').waitFor();
  const leave = (type: string) =>
    one.page.evaluate((type) => dispatchEvent(new PageTransitionEvent(type, { persisted: true })), type);
  await leave('pagehide');
  const other = await env.open(`#/game/${game.id}`);
  await typeMove(other.page, 'e4');
  await expect.poll(() => moves(other.page).count()).toBe(2);
  await leave('pageshow');
  await expect.poll(() => moves(one.page).count()).toBe(2);
  await typeMove(one.page, 'd4');
  for (const { page } of [one, other]) await expect.poll(() => moves(page).count()).toBe(4);
});

test('a closed tab charges nobody, and a flag falls', async () => {
  const game = await newGame({ kind: 'chess', clock: { initial: 6_000, increment: 0 } });
  const { page } = await env.open(`#/game/${game.id}`);
  await typeMove(page, 'e4');
  await expect.poll(() => seconds(page, 'Black')).toBeLessThan(4.5);
  const before = await seconds(page, 'Black');
  const address = page.url();
  await page.goto('about:blank');
  await new Promise((resume) => setTimeout(resume, 2_500));
  await page.goto(address);
  await clock(page, 'Black').waitFor();
  const after = await seconds(page, 'Black');
  // Neither is the time before given back, except for the last second.
  expect(after).toBeGreaterThan(before - 2);
  expect(after).toBeLessThan(before + 1.2);
  await expectStatus(page, 'White won: time out.');
});

test('a game deleted in another tab is reported', async () => {
  const game = await newGame({ kind: 'chess', moves: ['e2e4'] });
  const one = await env.open(`#/game/${game.id}`);
  await one.page.getByText('Black to move').waitFor();
  const other = await env.open('#/games');
  const row = other.page.locator('li.card', { has: other.page.locator(`a[href="#/game/${game.id}"]`) });
  await row.getByRole('button', { name: 'Delete' }).click();
  await row.getByRole('button', { name: 'Yes, delete' }).click();
  await one.page.getByText('This game no longer exists.').waitFor();
  await row.waitFor({ state: 'detached' });
});

test('plays, analyses and teaches without a network after the first visit', async () => {
  const { page, errors } = await env.open('');
  await waitForServiceWorker(page);
  await page.context().setOffline(true);
  await server().kill();
  try {
    await page.reload();
    await page.locator('label.game', { hasText: 'Cờ Tư Lệnh' }).click();
    await page.getByRole('button', { name: 'Start game' }).click();
    await page.getByText('Red to move').waitFor();
    await typeMove(page, 'Mg5g6');
    await expect.poll(() => moves(page).count()).toBeGreaterThanOrEqual(2);
    await page.getByRole('link', { name: 'Saved games' }).click();
    await page.getByRole('link', { name: 'Open' }).first().click();
    await expect.poll(() => moves(page).count()).toBeGreaterThanOrEqual(2);
    await page.getByRole('link', { name: 'Analysis' }).click();
    await page.locator('[data-testid=engine] li').nth(2).waitFor();
    await page.getByRole('link', { name: 'Learn', exact: true }).click();
    await page.getByRole('link', { name: 'Castling' }).click();
    await cell(page, 'e1').click();
    await cell(page, 'g1').click();
    await page.getByTestId('feedback').getByText('Solved!').waitFor();
    // A new tab opens as well.
    const other = await env.open('#/editor?kind=tribun');
    await other.page.getByTestId('validation').getByText('Valid position', { exact: true }).waitFor();
    expectConnectionErrors(errors);
    expectConnectionErrors(other.errors);
  } finally {
    await server().restart();
  }
});

test('offers a new version, and changes over when the player reloads', async () => {
  const { page } = await env.open('#/games');
  await waitForServiceWorker(page);
  const other = await env.open('#/analysis?kind=chess&moves=e2e4');
  const notice = (at: Page) => at.getByRole('status').getByText('A new version is available.');
  server().deploy((path, text) =>
    path === 'index.html'
      ? text.replace('<body>', '<body data-version="next">')
      : path === 'service-worker.js'
        ? `${text}\n// next version`.replace(/\b[0-9a-f]{16}\b/, 'next')
        : text,
  );
  try {
    const version = (at: Page) => at.evaluate(() => document.body.dataset.version);
    await page.reload();
    await notice(page).waitFor();
    expect(await version(page)).toBeUndefined();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => version(page).catch(() => null)).toBe('next');
    await page.getByRole('heading', { name: 'Saved games' }).waitFor();
    expect(await notice(page).count()).toBe(0);
    // The other tab keeps its version until it is reloaded.
    await notice(other.page).waitFor();
    expect(await version(other.page)).toBeUndefined();
    await other.page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => version(other.page).catch(() => null)).toBe('next');
    await moves(other.page, 'e4').waitFor();
  } finally {
    server().deploy((_, text) => text);
  }
});

test('can be installed', async () => {
  const { page } = await env.open('');
  await waitForServiceWorker(page);
  const session = await page.context().newCDPSession(page);
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { icons } = JSON.parse(data ?? '') as { icons: { src: string; sizes: string }[] };
  for (const { src } of icons)
    expect((await page.request.get(new URL(src, env.url).href)).status()).toBe(200);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Pages of a context without a profile cannot be installed.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});

test('the first view appears before the core is loaded, which is repeated until it succeeds', async () => {
  let isReachable = false;
  let attempts = 0;
  const { page, errors } = await env.open('', {}, (page) =>
    page.context().route('**/*.wasm', (route) => {
      attempts++;
      return isReachable ? route.continue() : route.abort();
    }),
  );
  await expect.poll(() => page.locator('.picture > svg').count()).toBe(3);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start game' }).click();
  await page.getByRole('alert').getByText('Cannot reach the server.').waitFor();
  await page.getByRole('link', { name: 'Analysis' }).click();
  await page.getByRole('alert').getByText('Cannot reach the server.').waitFor();
  expect(attempts).toBeGreaterThan(0);
  isReachable = true;
  // The list of the engine also shows its errors.
  await page.locator('[data-testid=engine] li .score').first().waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  expectConnectionErrors(errors);
});

test('a review is stored with its game, and not searched again', async () => {
  const game = await newGame({ kind: 'chess', moves: ['f2f3', 'e7e5', 'g2g4', 'd8h4'] });
  const { page } = await env.open(`#/review/${game.id}?nodes=500`);
  const blunder = () => page.getByTestId('errors').getByText('g4??').waitFor();
  await blunder();
  const { record } = await request<GameRecord>(env.url, `games/${game.id}/record`);
  expect(record).toContain('[%loss');
  await page.goto(`${env.url}#/review/${game.id}`);
  await blunder();
  // Only one review was stored.
  expect((await currentGame(game.id)).version).toBe(2);
});

test('says why games cannot be stored', async () => {
  const { page } = await env.open('#/analysis?kind=chess', { colorScheme: 'light' });
  await page.locator('[data-cell]').first().waitFor();
  // As a newer version of the page would.
  await page.evaluate(async () => {
    const open = indexedDB.open('sandtable', 99);
    await new Promise((opened) => (open.onsuccess = opened));
    open.result.close();
  });
  await page.goto(`${env.url}#/`);
  await page.getByRole('button', { name: 'Start game' }).click();
  await page.getByRole('alert').getByText('belong to a newer version of this page').waitFor();
  await page.goto(`${env.url}#/games`);
  await page.getByRole('alert').getByText('belong to a newer version of this page').waitFor();
  // The rest of the page works.
  await page.goto(`${env.url}#/editor?kind=chess`);
  await page.getByTestId('validation').getByText('Valid position', { exact: true }).waitFor();
});
