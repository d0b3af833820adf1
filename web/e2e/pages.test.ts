// The other pages: editor, analysis with its engine, looking inside, saved games, settings.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { ask, cell, current, moves, type, view } from './player';
import { forgive, forgiveCut, world } from './setup';

const there = world();

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
  await page.getByRole('button', { name: '★ heroic', exact: true }).waitFor();

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

test('variations are kept, walked by keys, and cut off', async () => {
  const { page, faults } = await there.open('#/analysis?kind=chess&moves=e2e4%20e7e5');
  await moves(page, 'e5').waitFor();
  await page.getByRole('button', { name: 'One move back' }).click();
  await type(page, 'c5');
  await current(page, 'c5').waitFor();
  await expect.poll(() => page.getByTestId('moves').innerText()).toMatch(/e5\s*\(\s*1…\s*c5\s*\)/);
  await page.getByRole('button', { name: 'Make it the main line' }).click();
  await expect.poll(() => page.getByTestId('moves').innerText()).toMatch(/c5\s*\(\s*1…\s*e5\s*\)/);
  await page.getByRole('button', { name: 'Delete from here' }).click();
  await current(page, 'e4').waitFor();
  // Wherever the focus is, unless it is where something is written.
  await moves(page, 'e4').click();
  await page.keyboard.press('ArrowRight');
  await current(page, 'e5').waitFor();
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await page.keyboard.press('Home');
  await page.getByText('White to move').waitFor();
  const height = async () => (await cell(page, 'a1').boundingBox())?.y ?? 0;
  const below = await height();
  await page.keyboard.press('F');
  await expect.poll(height).toBeLessThan(below);
  // A move that is none is refused with words that are in sight, and nothing is lost.
  await type(page, 'Ke5');
  const alert = await page.getByRole('alert').boundingBox();
  expect((alert?.y ?? 0) + (alert?.height ?? Infinity)).toBeLessThanOrEqual(900);
  await forgive(faults, 422, 1);
  await expect.poll(() => moves(page).count()).toBe(2);
});

test('the address keeps the whole line and the place in it, the record the whole line; each position is analysed once', async () => {
  const analysed: string[][] = [];
  const { page } = await there.open('#/analysis?kind=chess&moves=e2e4%20e7e5%20g1f3', {}, async (page) => {
    page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) =>
        analysed.push((JSON.parse(String(payload)) as { said: { moves: string[] } }).said.moves),
      ),
    );
  });
  await current(page, 'Nf3').waitFor();
  await expect.poll(() => analysed.length).toBe(1);
  for (const status of ['White to move', 'Black to move']) {
    await page.getByRole('button', { name: 'One move back' }).click();
    await page.getByTestId('status').getByText(status).waitFor();
  }
  await expect.poll(() => analysed).toEqual([['e2e4', 'e7e5', 'g1f3'], ['e2e4', 'e7e5'], ['e2e4']]);
  await page.reload();
  await current(page, 'e4').waitFor();
  expect(await moves(page).allTextContents()).toEqual(['e4', 'e5', 'Nf3']);
  await page.getByText('Import and export').click();
  await expect.poll(() => page.getByLabel('Record', { exact: true }).inputValue()).toContain('2. Nf3');
  expect(await page.getByLabel('Link', { exact: true }).inputValue()).toBe(page.url());
});

test('the editor keeps its work in the address', async () => {
  const { page } = await there.open('#/editor?kind=chess');
  await page.getByRole('button', { name: 'Eraser' }).click();
  await cell(page, 'a2').click();
  await page.getByTestId('verdict').getByText('/1PPPPPPP/').waitFor();
  await page.reload();
  await expect.poll(() => cell(page, 'a2').getAttribute('aria-label')).toMatch(/empty$/);
});

test('a position of another game that comes late is not shown for one of this', async () => {
  let answer = () => {};
  const late = new Promise<void>((resume) => (answer = resume));
  const { page, faults } = await there.open('#/analysis?kind=chess&moves=e2e4%20e7e5', {}, async (page) => {
    await page.route('**/api/position', async (route) => {
      const { moves } = route.request().postDataJSON() as { moves?: string[] };
      if (moves?.join() === 'e2e4') await late;
      await route.continue();
    });
  });
  await current(page, 'e5').waitFor();
  await page.getByRole('button', { name: 'One move back' }).click();
  await page.getByText('Import and export').click();
  await page.getByLabel('Paste a position or a record').fill('1. d4 d5 *');
  await page.getByRole('button', { name: 'Load', exact: true }).click();
  await current(page, 'd5').waitFor();
  await forgive(faults, 422, 1);
  const arrived = page.waitForResponse(
    (response) => response.request().postData()?.includes('"e2e4"') ?? false,
  );
  answer();
  await (await arrived).finished();
  await page.getByRole('button', { name: 'One move back' }).click();
  await expect.poll(() => cell(page, 'd4').getAttribute('aria-label')).toContain('Pawn');
  await page.getByTestId('status').getByText('Black to move').waitFor();
  expect(await cell(page, 'e4').getAttribute('aria-label')).toContain('empty');
});

test('a position that could not be asked for is shown as soon as the server is back', async () => {
  const { page, faults } = await there.open('#/analysis?kind=chess&moves=e2e4%20e7e5%20g1f3');
  await current(page, 'Nf3').waitFor();
  await there.server.kill();
  await page.getByRole('button', { name: 'One move back' }).click();
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
  await there.server.restart();
  await page.getByTestId('status').getByText('White to move').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await expect.poll(() => cell(page, 'f3').getAttribute('aria-label')).toContain('empty');
  forgiveCut(faults);
});

test('a page that is opened while the server is away comes up with it', async () => {
  const boards = {
    '#/': '.picture svg >> nth=2',
    '#/analysis?kind=tribun': '[data-cell=a1]',
    '#/editor?kind=cotulenh': '[data-cell=a1]',
  };
  const tabs = await Promise.all(Object.keys(boards).map(() => there.open('#/games')));
  for (const { page } of tabs) await page.getByRole('heading', { name: 'Saved games' }).waitFor();
  await there.server.kill();
  for (const [i, address] of Object.keys(boards).entries()) {
    await tabs[i]?.page.evaluate((hash) => (location.hash = hash), address);
    await expect.poll(() => tabs[i]?.faults.join()).toContain('ERR_CONNECTION');
  }
  await there.server.restart();
  for (const [i, board] of Object.values(boards).entries()) {
    await tabs[i]?.page.locator(board).waitFor();
    forgiveCut(tabs[i]?.faults ?? []);
  }
});

test('the engine gives lines, a bar and arrows', async () => {
  const { page } = await there.open('#/analysis?kind=tribun');
  await page.locator('[data-testid=engine] li').nth(2).waitFor();
  await expect.poll(() => page.locator('.shaft, .ring').count()).toBeGreaterThan(0);
  // Which move that is may change between looking and clicking: the engine goes on.
  await page.locator('[data-testid=engine] li').first().getByRole('button').first().click();
  await current(page).waitFor();
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
  // However many words there are, they stay on their cell.
  await page.getByRole('button', { name: 'Terrain', exact: true }).click();
  await page.locator('.texts text', { hasText: 'upper zone' }).first().waitFor();
  const widths = await page
    .locator('.texts text')
    .evaluateAll((texts) => texts.map((text) => (text as SVGTextElement).getBBox().width));
  expect(Math.max(...widths)).toBeLessThanOrEqual(1);
  await page.locator('[data-testid=inside] canvas').nth(3).waitFor();
  const { actions } = await view(there.url, 'cotulenh');
  await page.getByText(`60 of ${actions.length} moves are listed.`).waitFor();
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

test('looking inside: what has changed is remembered, zones are those of the board, a move is pointed out', async () => {
  const { page } = await there.open('#/analysis?kind=cotulenh&moves=Mg5g6');
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await page.getByText('Look inside').click();
  const changed = page.getByRole('button', { name: 'Changed' });
  const planes = page.locator('.gallery button');
  await changed.click();
  await page.getByText('Blue has not been to move before.').waitFor();
  await type(page, 'Mg8g7');
  await current(page, 'Mg7').waitFor();
  const afterBoth = ['own Militia', 'enemy Militia', 'clock'];
  await expect.poll(() => planes.allInnerTexts()).toEqual(afterBoth);
  // However often one looks back.
  await page.getByRole('button', { name: 'One move back' }).click();
  await page.getByText('Blue has not been to move before.').waitFor();
  await page.getByRole('button', { name: 'One move on' }).click();
  await expect.poll(() => planes.allInnerTexts()).toEqual(afterBoth);

  const { overlays } = await view(there.url, 'cotulenh', undefined, ['Mg5g6', 'Mg8g7']);
  await page.getByRole('button', { name: 'Fire zones, with those that fire' }).click();
  const zones = overlays.flatMap((overlay) => overlay.cells).length;
  await expect.poll(() => page.locator('.zone').count()).toBe(zones);
  await page.getByRole('button', { name: 'Fire zones of Red' }).click();
  await expect.poll(() => page.locator('.zone').count()).toBe(zones);
  const covered = overlays[0]?.cells[0];
  await page
    .locator('.texts text', { hasText: covered?.by.join(' ') ?? 'nobody' })
    .first()
    .waitFor();

  const rows = page.locator('[data-testid=inside] tbody tr');
  await rows.first().hover();
  await expect.poll(() => page.locator('.shaft.inside, .ring.inside').count()).toBe(1);
  // By keys as well.
  await page.mouse.move(0, 0);
  await expect.poll(() => page.locator('.shaft.inside, .ring.inside').count()).toBe(0);
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true);
  await expect.poll(() => page.locator('.shaft.inside, .ring.inside').count()).toBe(1);
});

test('more saved games come once, however often they are asked for', async () => {
  const games = await Promise.all(
    Array.from({ length: 51 }, () => ask<Game>(there.url, 'games', { kind: 'chess' })),
  );
  const { page } = await there.open('#/games');
  await expect.poll(() => page.locator('li.card').count()).toBe(50);
  await page.getByRole('button', { name: 'More' }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await page.getByRole('button', { name: 'More' }).waitFor({ state: 'detached' });
  const links = await page
    .locator('li.card a')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  expect(new Set(links).size).toBe(links.length);
  expect(links).toEqual(expect.arrayContaining(games.map(({ id }) => `#/game/${id}`)));
});

test('a click too many begins no second game; the boards come when the server is back', async () => {
  let away = true;
  let begun = 0;
  const { page, faults } = await there.open('#/?kind=ludo', {}, async (page) => {
    await page.route(/\/api\/position$/, (route) => (away ? route.abort() : route.continue()));
    page.on('request', (request) => (begun += Number(/\/api\/games$/.test(request.url()))));
  });
  await page.getByRole('alert').getByText('There is no game called “ludo” here.').waitFor();
  expect(await page.getByRole('radio', { name: 'Chess' }).isChecked()).toBe(true);
  await page.getByRole('status').getByText('Trying again').waitFor();
  away = false;
  await expect.poll(() => page.locator('.picture svg').count()).toBe(3);
  await page.getByRole('status').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Begin' }).evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await page.getByText('White to move').waitFor();
  expect(begun).toBe(1);
  forgiveCut(faults);
});

test('every page is named, and leads on to the game that it is about', async () => {
  const { id } = await ask<Game>(there.url, 'games', { kind: 'tribun' });
  const { page } = await there.open(`#/game/${id}`);
  await expect.poll(() => page.title()).toBe('Tribun – Sandtable');
  await page.getByRole('link', { name: 'Analysis' }).click();
  await expect.poll(() => page.title()).toBe('Analysis – Tribun – Sandtable');
  await page.getByRole('link', { name: 'Saved games' }).click();
  await expect.poll(() => page.title()).toBe('Saved games – Sandtable');
});

test('planes are painted in the colours of the page', async () => {
  const { page } = await there.open('#/analysis?kind=chess', { colorScheme: 'light' });
  await page.getByText('Look inside').click();
  const plane = page.getByRole('button', { name: 'own pawns' }).locator('canvas');
  // The colour of a cell where a pawn stands.
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
  await page.getByLabel('Colours').selectOption('light');
  await expect.poll(ink).toEqual([0xb3, 0x00, 0x8f, 0xff]);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Settings');
});

test('a browser that keeps nothing shows the page', async () => {
  const { page } = await there.open('', {}, (page) =>
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

test('what is said twice is spoken twice', async () => {
  const { page, faults } = await there.open('#/analysis?kind=chess');
  await page.locator('[data-cell]').first().waitFor();
  // What a screen reader hears: every text that is added.
  const heard = await page.getByTestId('announcement').evaluateHandle((region) => {
    const texts: string[] = [];
    new MutationObserver((changes) => {
      for (const change of changes)
        for (const node of change.addedNodes) if (node.textContent) texts.push(node.textContent);
    }).observe(region, { childList: true, characterData: true, subtree: true });
    return texts;
  });
  await type(page, 'Ke5');
  await forgive(faults, 422, 1);
  await type(page, 'Ke5');
  await forgive(faults, 422, 1);
  await expect.poll(() => heard.jsonValue()).toHaveLength(2);
});

test('saved games are listed, opened and deleted; settings and language are kept', async () => {
  for (const kind of ['tribun', 'chess']) await ask<Game>(there.url, 'games', { kind });
  let asked = 0;
  const { page } = await there.open('#/games', {}, async (page) => {
    page.on('request', (request) => (asked += Number(request.url().includes('/api/games?'))));
  });
  const games = page.locator('li.card');
  await games.first().waitFor();
  const count = await games.count();
  const middle = async () => {
    const box = await games.first().locator('.how').boundingBox();
    return [box?.x, box?.y, box?.width];
  };
  const before = await middle();
  await page.getByRole('button', { name: 'Delete' }).first().click();
  await page.getByRole('button', { name: 'Really delete?' }).waitFor();
  expect(await middle(), 'nothing moves for the question').toEqual(before);
  await page.keyboard.press('Enter');
  await expect.poll(() => games.count()).toBe(count - 1);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Open');
  expect(asked, 'the list is asked for once').toBe(1);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Language').selectOption('vi');
  await page.getByRole('heading', { name: 'Ván đã lưu' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Ván đã lưu' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('vi');
});
