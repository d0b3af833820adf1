// Analysis, engine, inspector, saved games and settings.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { cell, currentMove, fetchView, moves, openLab, openMoves, request, typeMove } from './helpers';
import { expectConnectionErrors, expectErrorResponses, serverTest, setUpEnvironment } from './environment';
import { isSite } from './server';

const env = setUpEnvironment();

test('variations can be added, promoted, deleted and stepped through with keys', async () => {
  const { page, errors } = await env.open('#/analysis?kind=chess&moves=e2e4%20e7e5');
  await moves(page, 'e5').waitFor();
  await page.getByRole('button', { name: 'Previous move' }).click();
  await typeMove(page, 'c5');
  await currentMove(page, 'c5').waitFor();
  await expect.poll(() => page.getByTestId('moves').innerText()).toMatch(/e5\s*\(\s*1…\s*c5\s*\)/);
  await page.getByRole('button', { name: 'Make main line' }).click();
  await expect.poll(() => page.getByTestId('moves').innerText()).toMatch(/c5\s*\(\s*1…\s*e5\s*\)/);
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await currentMove(page, 'e4').waitFor();
  // Keys work everywhere except in text inputs.
  await moves(page, 'e4').click();
  await page.keyboard.press('ArrowRight');
  await currentMove(page, 'e5').waitFor();
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await page.keyboard.press('Home');
  await page.getByText('White to move').waitFor();
  const height = async () => (await cell(page, 'a1').boundingBox())?.y ?? 0;
  const below = await height();
  await page.keyboard.press('F');
  await expect.poll(height).toBeLessThan(below);
  // The error of an illegal move is visible, and the moves stay.
  await typeMove(page, 'Ke5');
  const alert = await page.getByRole('alert').boundingBox();
  expect((alert?.y ?? 0) + (alert?.height ?? Infinity)).toBeLessThanOrEqual(900);
  await expectErrorResponses(errors, 422, 1);
  await expect.poll(() => moves(page).count()).toBe(2);
});

serverTest(
  'the URL contains the line and the current ply, the record the whole line, and each position is analysed once',
  async () => {
    const analysed: string[][] = [];
    const { page } = await env.open('#/analysis?kind=chess&moves=e2e4%20e7e5%20g1f3', {}, (page) => {
      page.on('websocket', (socket) =>
        socket.on('framesent', ({ payload }) =>
          analysed.push((JSON.parse(String(payload)) as { position: { moves: string[] } }).position.moves),
        ),
      );
    });
    await currentMove(page, 'Nf3').waitFor();
    await expect.poll(() => analysed.length).toBe(1);
    for (const status of ['White to move', 'Black to move']) {
      await page.getByRole('button', { name: 'Previous move' }).click();
      await page.getByTestId('status').getByText(status).waitFor();
    }
    await expect.poll(() => analysed).toEqual([['e2e4', 'e7e5', 'g1f3'], ['e2e4', 'e7e5'], ['e2e4']]);
    await page.reload();
    await currentMove(page, 'e4').waitFor();
    expect(await moves(page).allTextContents()).toEqual(['e4', 'e5', 'Nf3']);
    await openLab(page);
    await page.getByText('Import and export').click();
    await expect.poll(() => page.getByLabel('Game record', { exact: true }).inputValue()).toContain('2. Nf3');
    expect(await page.getByLabel('Link', { exact: true }).inputValue()).toBe(page.url());
  },
);

test('variations survive a reload', async () => {
  const { page } = await env.open('#/analysis?kind=chess&moves=e2e4%20e7e5%20g1f3');
  await moves(page, 'Nf3').waitFor();
  await page.getByRole('button', { name: 'Previous move' }).click();
  await page.getByRole('button', { name: 'Previous move' }).click();
  await typeMove(page, 'c5');
  await currentMove(page, 'c5').waitFor();
  await typeMove(page, 'Nc3');
  await currentMove(page, 'Nc3').waitFor();
  const list = await moves(page).allTextContents();
  expect(list).toHaveLength(5);
  await page.reload();
  await currentMove(page, 'Nc3').waitFor();
  expect(await moves(page).allTextContents()).toEqual(list);
  // Also after the player has left the page and come back.
  await page.getByRole('link', { name: 'Saved games' }).click();
  await page.getByRole('heading', { name: 'Saved games' }).waitFor();
  await page.goBack();
  await currentMove(page, 'Nc3').waitFor();
  expect(await moves(page).allTextContents()).toEqual(list);
});

serverTest('the error of a lost request disappears when the server is reachable again', async () => {
  const { page, errors } = await env.open('#/analysis?kind=chess');
  await page.locator('[data-cell]').first().waitFor();
  await env.server.kill();
  await typeMove(page, 'e4');
  await page.getByRole('alert').getByText('Cannot reach the server.').waitFor();
  await env.server.restart();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await typeMove(page, 'e4');
  await currentMove(page, 'e4').waitFor();
  expectConnectionErrors(errors);
});

serverTest('ignores a late response for a game that was replaced', async () => {
  let respond = () => {};
  const late = new Promise<void>((resume) => (respond = resume));
  const { page } = await env.open('#/analysis?kind=chess&moves=e2e4%20e7e5', {}, async (page) => {
    await page.route('**/api/position', async (route) => {
      const { moves } = route.request().postDataJSON() as { moves?: string[] };
      if (moves?.join() === 'e2e4') await late;
      await route.continue();
    });
  });
  await currentMove(page, 'e5').waitFor();
  await page.getByRole('button', { name: 'Previous move' }).click();
  await openLab(page);
  await page.getByText('Import and export').click();
  await page.getByLabel('Paste a position or game record').fill('1. d4 d5 *');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await openMoves(page);
  await currentMove(page, 'd5').waitFor();
  const arrived = page.waitForResponse(
    (response) => response.request().postData()?.includes('"e2e4"') ?? false,
  );
  respond();
  await (await arrived).finished();
  await page.getByRole('button', { name: 'Previous move' }).click();
  await expect.poll(() => cell(page, 'd4').getAttribute('aria-label')).toContain('Pawn');
  await page.getByTestId('status').getByText('Black to move').waitFor();
  expect(await cell(page, 'e4').getAttribute('aria-label')).toContain('empty');
});

serverTest('shows a position as soon as the server is reachable again', async () => {
  const { page, errors } = await env.open('#/analysis?kind=chess&moves=e2e4%20e7e5%20g1f3');
  await currentMove(page, 'Nf3').waitFor();
  await env.server.kill();
  await page.getByRole('button', { name: 'Previous move' }).click();
  await page.getByRole('alert').getByText('Cannot reach the server.').waitFor();
  await env.server.restart();
  await page.getByTestId('status').getByText('White to move').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await expect.poll(() => cell(page, 'f3').getAttribute('aria-label')).toContain('empty');
  expectConnectionErrors(errors);
});

serverTest('loads pages that were opened while the server was down', async () => {
  const boards = {
    '#/': '.picture > svg >> nth=2',
    '#/analysis?kind=tribun': '[data-cell=a1]',
    '#/editor?kind=cotulenh': '[data-cell=a1]',
  };
  const tabs = await Promise.all(Object.keys(boards).map(() => env.open('#/games')));
  for (const { page } of tabs) {
    await page.getByRole('heading', { name: 'Saved games' }).waitFor();
    // All pages are loaded in advance.
    const resources = () =>
      page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    await expect
      .poll(resources)
      .toEqual(
        expect.arrayContaining([expect.stringContaining('/Analysis-'), expect.stringContaining('/Editor-')]),
      );
  }
  await env.server.kill();
  for (const [i, address] of Object.keys(boards).entries()) {
    await tabs[i]?.page.evaluate((hash) => (location.hash = hash), address);
    await expect.poll(() => tabs[i]?.errors.join()).toContain('ERR_CONNECTION');
  }
  await env.server.restart();
  for (const [i, board] of Object.values(boards).entries()) {
    await tabs[i]?.page.locator(board).waitFor();
    expectConnectionErrors(tabs[i]?.errors ?? []);
  }
});

serverTest('a page that cannot be loaded says so, and loads after a reload', async () => {
  const { page, errors } = await env.open('', {}, (page) =>
    page.route('**/Editor-*.js', (route) => route.abort()),
  );
  await page.getByRole('link', { name: 'Editor' }).click();
  await page.getByRole('alert').getByText('This page could not be loaded.').waitFor();
  await page.unroute('**/Editor-*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await cell(page, 'a1').waitFor();
  expectConnectionErrors(errors);
});

test('the engine shows lines and arrows', async () => {
  const { page } = await env.open('#/analysis?kind=tribun');
  await page.locator('[data-testid=engine] li').nth(2).waitFor();
  await expect.poll(() => page.locator('.shaft, .ring').count()).toBeGreaterThan(0);
  // The engine may change its best move before the click, so any move will do.
  await page.locator('[data-testid=engine] li').first().getByRole('button').first().click();
  await currentMove(page).waitFor();
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await page.getByText('Engine off').waitFor();
});

test('the inspector shows cell labels, planes, moves and raw data', async () => {
  const { page } = await env.open('#/analysis?kind=cotulenh');
  await openLab(page);
  await page.getByText('Inspect position').click();
  await page.getByRole('button', { name: 'Mailbox indices' }).click();
  await expect.poll(() => page.locator('.texts text').count()).toBe(132);
  const numbers = (await page.locator('.texts text').allTextContents()).map((text) => text.trim());
  expect(numbers).toContain('100');
  // Labels fit on their cells.
  await page.getByRole('button', { name: 'Terrain', exact: true }).click();
  await page.locator('.texts text', { hasText: 'upper zone' }).first().waitFor();
  const widths = await page
    .locator('.texts text')
    .evaluateAll((texts) => texts.map((text) => (text as SVGTextElement).getBBox().width));
  expect(Math.max(...widths)).toBeLessThanOrEqual(1);
  await page.locator('[data-testid=inspector] canvas').nth(3).waitFor();
  const { legal_moves } = await fetchView(env.url, 'cotulenh');
  await page.getByText(`Showing 60 of ${legal_moves.length} moves.`).waitFor();
  const plane = page.locator('.gallery button').first();
  await plane.click();
  await expect.poll(() => page.locator('.heat').count()).toBeGreaterThan(0);
  await page.getByTestId('shown-plane').getByText('On the board:').waitFor();
  await cell(page, 'g5').click();
  await expect.poll(() => page.locator('[data-testid=inspector] tbody tr').count()).toBe(8);
  await cell(page, 'g6').click();
  await page.getByText('from the perspective of Blue').waitFor();
  await expect.poll(() => page.getByTestId('inspector').innerText()).toContain('cotulenh-');
});

test('the inspector marks changed planes, fire zones and the hovered move', async () => {
  const { page } = await env.open('#/analysis?kind=cotulenh&moves=Mg5g6');
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await openLab(page);
  await page.getByText('Inspect position').click();
  const changed = page.getByRole('button', { name: 'Changed' });
  const planes = page.locator('.gallery button');
  await changed.click();
  await page.getByText('This is the first turn of Blue.').waitFor();
  await typeMove(page, 'Mg8g7');
  await page.getByTestId('status').getByText('Red to move').waitFor();
  const afterBoth = ['own Militia', 'enemy Militia', 'clock'];
  await expect.poll(() => planes.allInnerTexts()).toEqual(afterBoth);
  // The same after stepping back and forth.
  await page.getByRole('button', { name: 'Previous move' }).click();
  await page.getByText('This is the first turn of Blue.').waitFor();
  await page.getByRole('button', { name: 'Next move' }).click();
  await expect.poll(() => planes.allInnerTexts()).toEqual(afterBoth);

  const { overlays } = await fetchView(env.url, 'cotulenh', undefined, ['Mg5g6', 'Mg8g7']);
  await page.getByRole('button', { name: 'Fire zones and their pieces' }).click();
  // One area for each side.
  await expect.poll(() => page.locator('.zone').count()).toBe(2);
  await page.getByRole('button', { name: 'Fire zones', exact: true }).click();
  await expect.poll(() => page.locator('.zone').count()).toBe(2);
  const covered = overlays[0]?.cells[0];
  await page
    .locator('.texts text', { hasText: covered?.sources.join(' ') ?? 'none' })
    .first()
    .waitFor();

  const rows = page.locator('[data-testid=inspector] tbody tr');
  await rows.first().hover();
  await expect.poll(() => page.locator('.shaft.inspector, .ring.inspector').count()).toBe(1);
  // Focus highlights a move too.
  await page.mouse.move(0, 0);
  await expect.poll(() => page.locator('.shaft.inspector, .ring.inspector').count()).toBe(0);
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true);
  await expect.poll(() => page.locator('.shaft.inspector, .ring.inspector').count()).toBe(1);
});

test('loads more saved games once after a double click', async () => {
  const games = await Promise.all(
    Array.from({ length: 51 }, () => request<Game>(env.url, 'games', { kind: 'chess', moves: ['e2e4'] })),
  );
  const { page } = await env.open('#/games');
  await expect.poll(() => page.locator('li.card').count()).toBe(50);
  await page.getByRole('button', { name: 'Load more' }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
  const links = await page
    .locator('li.card a')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  expect(new Set(links).size).toBe(links.length);
  expect(links).toEqual(expect.arrayContaining(games.map(({ id }) => `#/game/${id}`)));
});

serverTest(
  'starts one game after a double click, and shows the boards once the server is reachable',
  async () => {
    let unreachable = true;
    let started = 0;
    const { page, errors } = await env.open('#/?kind=ludo', {}, async (page) => {
      await page.route(/\/api\/position$/, (route) => (unreachable ? route.abort() : route.continue()));
      page.on('request', (request) => (started += Number(request.url().endsWith('/api/games'))));
    });
    await page.getByRole('alert').getByText('Unknown game “ludo”.').waitFor();
    expect(await page.getByRole('radio', { name: 'Chess' }).isChecked()).toBe(true);
    await page.getByRole('status').getByText('Retrying').waitFor();
    unreachable = false;
    await expect.poll(() => page.locator('.picture > svg').count()).toBe(3);
    await page.getByRole('status').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Start game' }).evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    });
    await page.getByText('White to move').waitFor();
    expect(started).toBe(1);
    expectConnectionErrors(errors);
  },
);

test('page titles and links follow the current game', async () => {
  const { id } = await request<Game>(env.url, 'games', { kind: 'tribun' });
  const { page } = await env.open(`#/game/${id}`);
  await expect.poll(() => page.title()).toBe('Black to move – Tribun – Sandtable');
  await page.getByRole('link', { name: 'Analysis' }).click();
  await expect.poll(() => page.title()).toBe('Analysis – Tribun – Sandtable');
  await page.getByRole('link', { name: 'Saved games' }).click();
  await expect.poll(() => page.title()).toBe('Saved games – Sandtable');
});

test('planes are repainted when the theme changes', async () => {
  const { page } = await env.open('#/analysis?kind=chess', { colorScheme: 'light' });
  await openLab(page);
  await page.getByText('Inspect position').click();
  const plane = page.getByRole('button', { name: 'own pawns' }).locator('canvas');
  // The colour of a cell with a pawn.
  const ink = () =>
    plane.evaluate((canvas: HTMLCanvasElement) => {
      const cell = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      cell?.drawImage(canvas, 0, -6);
      return [...(cell?.getImageData(0, 0, 1, 1).data ?? [])];
    });
  await expect.poll(ink).toEqual([0xb3, 0x00, 0x8f, 0xff]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ink).toEqual([0xff, 0x7a, 0xe0, 0xff]);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Theme').selectOption('light');
  await expect.poll(ink).toEqual([0xb3, 0x00, 0x8f, 0xff]);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Settings');
});

test('works without storage', async () => {
  const { page } = await env.open('', {}, (page) =>
    page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('blocked', 'SecurityError');
      };
    }),
  );
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Language').selectOption('vi');
  await page.getByRole('button', { name: 'Bắt đầu' }).waitFor();
});

test('announces the same error twice', async () => {
  const { page, errors } = await env.open('#/analysis?kind=chess');
  await page.locator('[data-cell]').first().waitFor();
  // Screen readers announce every added node.
  const announced = await page.getByTestId('announcement').evaluateHandle((region) => {
    const texts: string[] = [];
    new MutationObserver((changes) => {
      for (const change of changes)
        for (const node of change.addedNodes) if (node.textContent) texts.push(node.textContent);
    }).observe(region, { childList: true, characterData: true, subtree: true });
    return texts;
  });
  await typeMove(page, 'Ke5');
  await expectErrorResponses(errors, 422, 1);
  await typeMove(page, 'Ke5');
  await expectErrorResponses(errors, 422, 1);
  await expect.poll(() => announced.jsonValue()).toHaveLength(2);
});

test('saved games can be deleted, and the language is stored', async () => {
  for (const moves of [['e2e4'], ['d2d4']]) await request<Game>(env.url, 'games', { kind: 'chess', moves });
  let requests = 0;
  const { page } = await env.open('#/games', {}, (page) => {
    page.on('request', (request) => (requests += Number(request.url().includes('/api/games?'))));
  });
  const games = page.locator('li.card');
  await games.first().waitFor();
  const count = await games.count();
  const resultBox = async () => {
    const box = await games.first().locator('.result').boundingBox();
    return [box?.x, box?.y, box?.width];
  };
  const before = await resultBox();
  await page.getByRole('button', { name: 'Delete' }).first().click();
  await page.getByRole('button', { name: 'Yes, delete' }).waitFor();
  expect(await resultBox(), 'the confirmation does not shift the layout').toEqual(before);
  await page.keyboard.press('Enter');
  await expect.poll(() => games.count()).toBe(count - 1);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Open');
  if (!isSite) expect(requests, 'the list is requested once').toBe(1);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Language').selectOption('vi');
  await page.getByRole('heading', { name: 'Ván đã lưu' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Ván đã lưu' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('vi');
});

serverTest('a damaged game can be exported and deleted', async () => {
  const requests: string[] = [];
  const { page } = await env.open('#/games', {}, async (page) => {
    const damaged = { id: '7q2m4x9k1c0a', created: 1, updated: 2, damaged: true };
    await page.route(/\/api\/games\?/, (route) => route.fulfill({ json: [damaged] }));
    await page.route(/\/api\/games\/7q2m4x9k1c0a/, async (route) => {
      requests.push(route.request().method());
      if (route.request().method() === 'DELETE') await route.fulfill({ status: 204 });
      else await route.fulfill({ json: { log: ['garbage'] } });
    });
  });
  await page.getByText('This game cannot be opened.').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export raw' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('sandtable-7q2m4x9k1c0a.json');
  expect(readFileSync(await file.path(), 'utf8')).toContain('garbage');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, delete' }).click();
  await page.getByText('No saved games yet.').waitFor();
  expect(requests).toEqual(['GET', 'DELETE']);
});
