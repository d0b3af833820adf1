// The other pages and ways: editor, import and export, a lost server, the keyboard, axe on every page.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { prefer, type Page } from './browser';
import { ask, cell } from './player';
import { world } from './setup';

const there = world();

/** What the server refused on purpose is reported by the browser itself: so many refusals, and no more. */
async function forgive(faults: string[], count: number): Promise<void> {
  const refused = () => faults.filter((fault) => fault.includes('status of 422'));
  await expect.poll(refused).toHaveLength(count);
  for (const fault of refused()) faults.splice(faults.indexOf(fault), 1);
}

test('the editor says why a position is none, and goes on with one that is', async () => {
  const { page } = await there.open('#/editor?kind=cotulenh');
  const verdict = page.getByTestId('verdict');
  await verdict.getByText('This is a position.').waitFor();
  await page.getByRole('button', { name: 'Empty board' }).click();
  await page.getByRole('button', { name: 'red Commander', exact: true }).click();
  await cell(page, 'g1').click();
  await cell(page, 'e1').click();
  await verdict.getByText('This is no position:').waitFor();
  await expect.poll(() => verdict.innerText()).toContain('Red has commanders on');
  await cell(page, 'e1').click();
  await verdict.getByText('This is a position.').waitFor();

  // Terrain is known: no tank on the sea.
  await page.getByRole('button', { name: 'red Tank', exact: true }).click();
  await cell(page, 'a5').click();
  await page.getByRole('alert').getByText('red Tank may not stand on a5.').waitFor();
  await expect.poll(() => cell(page, 'a5').getAttribute('aria-label')).toBe('a5, sea, empty');

  await page.getByRole('button', { name: 'Blue', exact: true }).click();
  await page.getByRole('button', { name: 'blue Commander', exact: true }).click();
  await cell(page, 'f12').click();
  await page.getByRole('button', { name: 'Red', exact: true }).click();
  await page.getByText('Stacks', { exact: true }).click();
  await page.getByRole('button', { name: 'red Tank carrying Infantry', exact: true }).click();
  await cell(page, 'e4').click();
  await verdict.getByText('This is a position.').waitFor();
  await expect
    .poll(() => cell(page, 'e4').getAttribute('aria-label'))
    .toBe('e4, land, red Tank carrying Infantry');
  await verdict.getByRole('link', { name: 'Analyse' }).click();
  await page.getByText('Red to move').waitFor();
  await expect
    .poll(() => cell(page, 'e4').getAttribute('aria-label'))
    .toBe('e4, land, red Tank carrying Infantry');
});

test('a record and a position go out and come back', async () => {
  const { page, faults } = await there.open('#/analysis?kind=chess');
  for (const square of ['e2', 'e4', 'e7', 'e5', 'g1', 'f3']) {
    await cell(page, square).click();
    if (square === 'e4' || square === 'e5')
      await page.locator(`[data-cell=${square}][aria-label*=Pawn]`).waitFor();
  }
  await page.locator('.move', { hasText: 'Nf3' }).waitFor();
  await page.getByText('Import and export').click();
  const record = page.getByLabel('Record', { exact: true });
  await expect.poll(() => record.inputValue()).toContain('1. e4 e5 2. Nf3');
  const position = await page.getByLabel('Position', { exact: true }).inputValue();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  const pgn = await record.inputValue();

  const paste = page.getByLabel('Paste a position or a record');
  await paste.fill('no position at all');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await forgive(faults, 2);
  await paste.fill(position);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.getByText('Black to move').waitFor();
  await expect.poll(() => page.locator('.move').count()).toBe(0);
  await paste.fill(pgn);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await page.locator('.move', { hasText: 'Nf3' }).waitFor();
  await forgive(faults, 1);
  await expect.poll(() => page.locator('.move').count()).toBe(3);

  const other = await there.open(link.slice(link.indexOf('#')));
  await other.page.locator('.move', { hasText: 'Nf3' }).waitFor();
  await expect.poll(() => cell(other.page, 'f3').getAttribute('aria-label')).toBe('f3, light, white Knight');
});

test('variations are kept, walked by keys, and cut off', async () => {
  const { page, faults } = await there.open('#/analysis?kind=chess&moves=e2e4%20e7e5');
  await page.locator('.move', { hasText: 'e5' }).waitFor();
  await page.getByRole('button', { name: 'One move back' }).click();
  await page.getByLabel('Type a move').fill('c5');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.locator('.move[aria-current]', { hasText: 'c5' }).waitFor();
  await expect.poll(() => page.getByTestId('moves').innerText()).toMatch(/e5\s*\(\s*1…\s*c5\s*\)/);
  await page.getByRole('button', { name: 'Make it the main line' }).click();
  await expect.poll(() => page.getByTestId('moves').innerText()).toMatch(/c5\s*\(\s*1…\s*e5\s*\)/);
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await page.locator('.move[aria-current]', { hasText: 'e4' }).waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('ArrowRight');
  await page.locator('.move[aria-current]', { hasText: 'e5' }).waitFor();
  await page.keyboard.press('Home');
  await page.getByText('White to move').waitFor();
  // A move that is none is refused with words, and nothing is lost.
  await page.getByLabel('Type a move').fill('Ke5');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await forgive(faults, 1);
  await expect.poll(() => page.locator('.move').count()).toBe(2);
});

test('the engine gives lines, a bar and arrows', async () => {
  const { page } = await there.open('#/analysis?kind=tribun');
  await page.locator('[data-testid=engine] li').nth(2).waitFor();
  await expect.poll(() => page.locator('.shaft, .ring').count()).toBeGreaterThan(0);
  // Which move that is may change between looking and clicking: the engine goes on.
  await page.locator('[data-testid=engine] li').first().getByRole('button').first().click();
  await page.locator('.move[aria-current]').waitFor();
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await page.getByText('The engine rests.').waitFor();
});

test('looking inside: numbers, planes that follow the game, indices, raw forms', async () => {
  const { page } = await there.open('#/analysis?kind=cotulenh');
  await page.getByText('Look inside').click();
  await page.getByRole('button', { name: 'Mailbox numbers' }).click();
  await expect.poll(() => page.locator('.texts text').count()).toBe(132);
  const numbers = (await page.locator('.texts text').allTextContents()).map((text) => text.trim());
  expect(numbers).toContain('100');
  await page.locator('[data-testid=inside] canvas').nth(3).waitFor();
  const plane = page.locator('.gallery button').first();
  await plane.click();
  await expect.poll(() => page.locator('.heat').count()).toBeGreaterThan(0);
  await page.getByTestId('laid').getByText('On the board:').waitFor();
  await cell(page, 'g5').click();
  await expect.poll(() => page.locator('[data-testid=inside] tbody tr').count()).toBe(8);
  await cell(page, 'g6').click();
  await page.getByText('from the view of Blue').waitFor();
  await expect.poll(() => page.getByTestId('inside').innerText()).toContain('cotulenh-');
});

test('a game goes on after the server was killed', async () => {
  const game = await ask<Game>(there.url, 'games', {
    kind: 'chess',
    players: { first: { who: 'person' }, second: { who: 'person' } },
  });
  const { page, faults } = await there.open(`#/game/${game.id}`);
  await cell(page, 'e2').click();
  await cell(page, 'e4').click();
  await page.getByText('Black to move').waitFor();
  await there.server.kill();
  await page.getByTestId('lost').waitFor();
  await there.server.restart();
  await page.getByTestId('lost').waitFor({ state: 'detached' });
  await cell(page, 'e7').click();
  await cell(page, 'e5').click();
  await page.getByText('White to move').waitFor();
  const now = await ask<Game>(there.url, `games/${game.id}`);
  expect(now.view.history.map((move) => move.text)).toEqual(['e2e4', 'e7e5']);
  // The browser itself reports the connections that were refused meanwhile; nothing else is wrong.
  const others = faults.filter((fault) => !/WebSocket|ERR_CONNECTION|socket/i.test(fault));
  expect(others).toEqual([]);
  faults.length = 0;
});

/** Tabs on until something with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const at = document.activeElement;
      return at?.getAttribute('aria-label') ?? at?.closest('label')?.textContent ?? at?.textContent ?? '';
    });
    if (name.test(focused)) return;
  }
  throw new Error(`${name} cannot be reached with Tab`);
}

/** Walks from the focused square of a chess board to another, and chooses it. */
async function walkTo(page: Page, to: string): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const at = await page.evaluate(() => document.activeElement?.getAttribute('data-cell') ?? '');
    if (at === to) break;
    const [dx, dy] = [to.charCodeAt(0) - at.charCodeAt(0), to.charCodeAt(1) - at.charCodeAt(1)];
    await page.keyboard.press(
      dx > 0 ? 'ArrowRight' : dx < 0 ? 'ArrowLeft' : dy > 0 ? 'ArrowUp' : 'ArrowDown',
    );
  }
  await page.keyboard.press('Enter');
}

test('a whole game by keyboard alone', async () => {
  const { page } = await there.open('');
  await page.getByText('Choose a game').waitFor();
  await tabTo(page, /Opponent/);
  await page.keyboard.press('ArrowDown');
  await tabTo(page, /^Begin$/);
  await page.keyboard.press('Enter');
  await page.getByText('White to move').waitFor();
  await tabTo(page, /^[a-h][1-8], /);
  const moves = [
    ['f2', 'f3', 'Black to move'],
    ['e7', 'e5', 'White to move'],
    ['g2', 'g4', 'Black to move'],
    ['d8', 'h4', 'Black has won: checkmate'],
  ] as const;
  for (const [from, to, status] of moves) {
    await walkTo(page, from);
    await walkTo(page, to);
    await page.getByTestId('status').getByText(status).waitFor();
  }
  await expect
    .poll(() => page.getByTestId('announcement').innerText())
    .toBe('Black: Qh4#. Black has won: checkmate.');
});

test('a piece is dragged, an arrow is drawn, the board is turned', async () => {
  const { page } = await there.open('#/analysis?kind=chess');
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await cell(page, 'e2').dragTo(cell(page, 'e4'));
  await page.locator('.move', { hasText: 'e4' }).waitFor();
  const [from, to] = await Promise.all([cell(page, 'd7').boundingBox(), cell(page, 'd5').boundingBox()]);
  if (!from || !to) throw new Error('the board is not there');
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 3 });
  await page.mouse.up({ button: 'right' });
  await expect.poll(() => page.locator('.shaft.own').count()).toBe(1);
  await page.getByRole('button', { name: 'Turn the board' }).click();
  const turned = await cell(page, 'd7').boundingBox();
  expect(turned?.y).toBeGreaterThan(from.y + 100);
  await page.mouse.move(from.x, from.y + 200);
  await page.mouse.wheel(0, -100);
  await page.getByText('White to move').waitFor();
});

test('a move is made by touch on a phone', async () => {
  const { page } = await there.open('#/analysis?kind=chess', {
    viewport: { width: 390, height: 780 },
    hasTouch: true,
    isMobile: true,
  });
  await cell(page, 'g1').tap();
  await cell(page, 'f3').tap();
  await page.locator('.move', { hasText: 'Nf3' }).waitFor();
  const [from, to] = await Promise.all([cell(page, 'e7').boundingBox(), cell(page, 'e5').boundingBox()]);
  if (!from || !to) throw new Error('the board is not there');
  // A finger that carries a piece does not scroll the page.
  const touch = await page.context().newCDPSession(page);
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', part: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x + 10, y: from.y + 10 + part * (to.y - from.y) }],
    });
  await finger('touchStart', 0);
  for (const part of [0.25, 0.5, 0.75, 1]) await finger('touchMove', part);
  await finger('touchEnd', 1);
  await page.locator('.move', { hasText: 'e5' }).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
});

test('saved games are listed, opened and deleted; settings and language are kept', async () => {
  await ask<Game>(there.url, 'games', { kind: 'tribun' });
  const { page } = await there.open('#/games');
  const games = page.locator('li.card');
  await games.first().waitFor();
  let asked = 0;
  page.on('request', (request) => (asked += Number(request.url().includes('/api/games'))));
  await page.waitForTimeout(300);
  expect(asked, 'the list is asked for once').toBe(0);
  const count = await games.count();
  await page.getByRole('button', { name: 'Delete' }).first().click();
  await page.getByRole('button', { name: 'Delete this game for good?' }).click();
  await expect.poll(() => games.count()).toBe(count - 1);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Language').selectOption('vi');
  await page.getByRole('heading', { name: 'Ván đã lưu' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Ván đã lưu' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('vi');
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAGES = [
  '',
  '#/games',
  '#/editor?kind=cotulenh',
  '#/editor?kind=tribun',
  '#/analysis?kind=chess',
  '#/analysis?kind=cotulenh',
  '#/analysis?kind=tribun',
];

test.each(['light', 'dark'] as const)('axe finds nothing serious in %s', async (theme) => {
  const game = await ask<Game>(there.url, 'games', {
    kind: 'cotulenh',
    players: { first: { who: 'person' }, second: { who: 'engine', level: 0 } },
    clock: { initial: 600_000, increment: 5000 },
  });
  for (const path of [...PAGES, `#/game/${game.id}`]) {
    const tab = await there.open(path, {}, (page) => prefer(page, { theme }));
    await tab.page.locator('main > *').first().waitFor();
    for (const summary of await tab.page.locator('summary').all()) await summary.click();
    await tab.page.waitForTimeout(400);
    await tab.page.evaluate(axe);
    const serious = await tab.page.evaluate(async () => {
      type Found = { id: string; impact: string | null; nodes: { html: string }[] };
      const axe = (window as unknown as { axe: { run(): Promise<{ violations: Found[] }> } }).axe;
      const { violations } = await axe.run();
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)} (${nodes.length})`);
    });
    expect(serious, `${path} in ${theme}`).toEqual([]);
    await tab.page.close();
  }
});
