// The board with its bars as one object: nothing moves while a game is stepped through, and the board fits the window.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { storeSettings, type Page } from './browser';
import { cases } from './coverage';
import { cell, fetchView, moves, request } from './helpers';
import { setUpEnvironment } from './environment';
import { layoutShifts, watchShifts } from './shifts';

const env = setUpEnvironment();

const KINDS = ['chess', 'cotulenh', 'tribun'];
const PLIES = 12;

/** The first moves of a game with captures, which change the bars of the players. */
async function sampleLine(kind: string): Promise<string[]> {
  const line: string[] = [];
  while (line.length < PLIES) {
    const { legal_moves } = await fetchView(env.url, kind, undefined, line);
    const capture = legal_moves.find(({ takes }) => takes !== null);
    const move = capture ?? legal_moves[(31 * line.length + 11) % legal_moves.length];
    if (!move) throw new Error(`the game is over after ${line.join(' ')}`);
    line.push(move.text);
  }
  return line;
}
const analysisOf = (kind: string, line: string[]) =>
  `#/analysis?${new URLSearchParams({ kind, moves: line.join(' ') })}`;
const MATE = '#/analysis?kind=chess&moves=f2f3%20e7e5%20g2g4%20d8h4';

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  if (!found) throw new Error(`${selector} is not visible`);
  return found;
};

test.each(KINDS)('eight clicks on one place go back eight plies in %s', async (kind) => {
  const { page } = await env.open(analysisOf(kind, await sampleLine(kind)));
  await page.locator('[data-testid=engine] li').first().waitFor();
  await expect.poll(() => moves(page).count()).toBe(PLIES);
  const { x, y, width, height } = await box(page, '[aria-label="Previous move"]');
  for (let i = 0; i < 8; i++) {
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForTimeout(60);
  }
  await expect.poll(() => currentIndex(page)).toBe(PLIES - 8);
});

/** The number of moves up to the current one. */
const currentIndex = (page: Page) =>
  moves(page).evaluateAll((list) => list.findIndex((move) => move.hasAttribute('aria-current')) + 1);

const WINDOWS = { wide: { width: 1280, height: 720 }, phone: { width: 390, height: 664 } };

const WALKS = KINDS.flatMap((kind) =>
  (['wide', 'phone'] as const).flatMap((window) =>
    (['analysis', 'game'] as const).map((where) => ({ kind, window, where })),
  ),
);

// The selection has every kind, window and page.
test.each(cases(WALKS, (_, index) => index % 5 === 0))(
  'nothing moves while $kind is stepped through: $where, $window',
  async ({ kind, window, where }) => {
    const line = await sampleLine(kind);
    const path =
      where === 'analysis'
        ? analysisOf(kind, line)
        : `#/game/${(await request<Game>(env.url, 'games', { kind, moves: line })).id}`;
    const { page } = await env.open(path, { viewport: WINDOWS[window] });
    if (where === 'analysis') await page.locator('[data-testid=engine] li').first().waitFor();
    // What was captured is known.
    await page.locator(':is(.above, .below) :is(svg[role=img], .height)').first().waitFor();
    await watchShifts(page);
    await page.keyboard.press('Home');
    await expect.poll(() => currentIndex(page)).toBe(0);
    for (let ply = 1; ply <= PLIES; ply++) {
      await page.getByRole('button', { name: 'Next move' }).click();
      await expect.poll(() => currentIndex(page)).toBe(ply);
    }
    for (let ply = 0; ply < PLIES; ply++) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => currentIndex(page)).toBe(0);
    expect(await layoutShifts(page)).toEqual([]);
  },
);

const BOARDS = KINDS.flatMap((kind) =>
  [
    { width: 1440, height: 900 },
    { width: 1280, height: 720 },
    { width: 844, height: 390 },
    { width: 390, height: 664 },
  ].map((viewport) => ({ kind, viewport, ...viewport })),
);

// The selection has every kind and window.
test.each(cases(BOARDS, (_, index) => index % 5 === 0 || index === 11))(
  'the board of $kind has one size on all pages and fits a window of $width × $height',
  async ({ kind, viewport }) => {
    const { id } = await request<Game>(env.url, 'games', { kind });
    const { page } = await env.open(`#/game/${id}`, { viewport });
    const sizes: number[] = [];
    for (const path of [`#/game/${id}`, `#/analysis?kind=${kind}`, `#/editor?kind=${kind}`]) {
      await page.goto(new URL(path, env.url).href);
      await page.getByTestId('frame').waitFor();
      const { height, width, y } = await box(page, 'svg.board');
      sizes.push(Math.round(height / 2));
      const frame = await box(page, '[data-testid=frame]');
      expect(frame.y + frame.height, path).toBeLessThanOrEqual(viewport.height);
      expect(frame.width).toBeLessThanOrEqual(viewport.width);
      expect(y).toBeGreaterThan(0);
      if (viewport.width > 640) expect(height).toBeGreaterThan(0.75 * viewport.height);
      else expect(width).toBeGreaterThan(0.88 * viewport.width);
    }
    expect(new Set(sizes).size, `sizes: ${sizes.join(', ')}`).toBe(1);
  },
);

test.each(['en', 'vi'])('the actions of a game are one row at 1280 × 720 (%s)', async (language) => {
  for (const kind of ['chess', 'cotulenh', 'tribun']) {
    const { id } = await request<Game>(env.url, 'games', {
      kind,
      seats: { first: { type: 'human' }, second: { type: 'engine', level: 1 } },
    });
    const { page } = await env.open(`#/game/${id}`, { viewport: { width: 1280, height: 720 } }, (page) =>
      storeSettings(page, { language }),
    );
    await page.locator('.actions').waitFor();
    const buttons = await page.locator('.actions .action:visible').evaluateAll((found) =>
      found.map((button) => {
        const isCut = button.scrollWidth > button.clientWidth;
        return { y: button.getBoundingClientRect().y, cut: isCut ? button.textContent : null };
      }),
    );
    expect(buttons.length, kind).toBeGreaterThan(6);
    expect(new Set(buttons.map(({ y }) => y)).size, kind).toBe(1);
    expect(buttons.map(({ cut }) => cut).filter(Boolean)).toEqual([]);
    await page.close();
  }
});

const evaluation = (page: Page) => page.getByTestId('evaluation');
/** The part of the bar that belongs to the first player; null if it shows no evaluation. */
const share = (page: Page) => evaluation(page).getAttribute('data-share');

test('the evaluation bar belongs to the winner after checkmate', async () => {
  const { page } = await env.open(MATE);
  await expect.poll(() => share(page)).toBe('0');
  expect(await evaluation(page).innerText()).toBe('0–1');
});

test('the evaluation bar keeps the last score between steps', async () => {
  const { page } = await env.open(analysisOf('chess', await sampleLine('chess')));
  await page.locator('[data-testid=engine] li').first().waitFor();
  await expect.poll(() => evaluation(page).innerText()).toMatch(/\d/);
  const seen = await evaluation(page).evaluateHandle((bar) => {
    const found: { text: string; share: string | null }[] = [];
    const note = () =>
      found.push({ text: bar.textContent?.trim() ?? '', share: bar.getAttribute('data-share') });
    new MutationObserver(note).observe(bar, {
      attributes: true,
      characterData: true,
      childList: true,
      subtree: true,
    });
    return found;
  });
  for (let i = 0; i < 3; i++) {
    await page.getByRole('button', { name: 'Previous move' }).click();
    await page.locator('[data-testid=engine] li').first().waitFor();
  }
  const states = await seen.jsonValue();
  expect(states.filter(({ text, share }) => !/\d/.test(text) || share === null)).toEqual([]);
});

test('the evaluation bar is blank without the engine', async () => {
  const { page } = await env.open('#/analysis?kind=chess');
  await expect.poll(() => share(page)).not.toBeNull();
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await expect.poll(() => share(page)).toBeNull();
  expect(await evaluation(page).getAttribute('aria-label')).toBe('Evaluation: unknown');
});

/** A game of three moves in which the player looks back at the second one. */
async function openEarlierPosition(): Promise<Page> {
  const game = await request<Game>(env.url, 'games', { kind: 'chess', moves: ['e2e4', 'e7e5', 'g1f3'] });
  const { page } = await env.open(`#/game/${game.id}`);
  await expect.poll(() => page.getByTestId('status').innerText()).toBe('Black to move');
  await page.getByRole('button', { name: 'Previous move' }).click();
  await expect.poll(() => currentIndex(page)).toBe(2);
  return page;
}

test('an earlier position of a game has its own heading', async () => {
  const page = await openEarlierPosition();
  const status = () => page.getByTestId('status').innerText();
  await expect.poll(status).toBe('After e5');
  await page.getByRole('button', { name: 'Go to start' }).click();
  await expect.poll(status).toBe('Start position');
  await page.getByRole('button', { name: 'Back to game' }).click();
  await expect.poll(status).toBe('Black to move');
});

test('a click in an earlier position says why nothing can be played', async () => {
  const page = await openEarlierPosition();
  await cell(page, 'd2').click();
  await page.getByTestId('refusal').getByText('This is an earlier position.').waitFor();
});

test('after a click on the board, the arrow keys still step through the game', async () => {
  const page = await openEarlierPosition();
  await cell(page, 'd2').click();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => currentIndex(page)).toBe(1);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => currentIndex(page)).toBe(2);
});

/** The moves in the rows of the move list: a list for each of the two columns. */
async function moveTable(page: Page): Promise<(string | null)[][][]> {
  return page
    .locator('[data-testid=moves] tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')].map((cell) =>
          [...cell.querySelectorAll('.move')].map((move) => move.textContent),
        ),
      ),
    );
}

test('a deployment of several steps is one turn in the move list', async () => {
  const position = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';
  const query = new URLSearchParams({ kind: 'cotulenh', position, moves: 'Nc4>a4 Fc4>f4 Tc4>c6 Cf12e12' });
  const { page } = await env.open(`#/analysis?${query}`);
  await moves(page).nth(3).waitFor();
  expect(await moveTable(page)).toEqual([[['N>a4', 'F>f4', 'T>c6'], ['Ce12']]]);
});

test.each(KINDS)('on the page of a game, a turn is a row with a column for each side: %s', async (kind) => {
  const played: string[] = [];
  while (played.length < 5) {
    // No deployment, so that every move is a turn.
    const { legal_moves } = await fetchView(env.url, kind, undefined, played);
    played.push(legal_moves.find(({ text }) => !text.includes('>'))!.text);
  }
  const game = await request<Game>(env.url, 'games', { kind, moves: played });
  const sans = game.view.moves_played.map(({ san }) => san);
  const { page } = await env.open(`#/game/${game.id}`);
  await moves(page).nth(4).waitFor();
  expect(await moveTable(page)).toEqual([
    [[sans[0]], [sans[1]]],
    [[sans[2]], [sans[3]]],
    [[sans[4]], []],
  ]);
  const { first, second } = game.view.players;
  const heads = page.locator('[data-testid=moves] thead th');
  expect((await heads.allInnerTexts()).slice(1)).toEqual([first, second]);
});
