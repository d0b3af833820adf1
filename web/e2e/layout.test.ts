// The board with its bars as one object: nothing moves while a game is stepped through, and the board fits the window.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import type { Page } from './browser';
import { cell, currentMove, moves, request } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const LINE = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 f3e5 d8d4 e5f3 d4e4';
const analysis = `#/analysis?kind=chess&moves=${encodeURIComponent(LINE)}`;
const MATE = '#/analysis?kind=chess&moves=f2f3%20e7e5%20g2g4%20d8h4';

const box = async (page: Page, selector: string) => {
  const found = await page.locator(selector).first().boundingBox();
  if (!found) throw new Error(`${selector} is not visible`);
  return found;
};

interface LayoutShift extends PerformanceEntry {
  value: number;
  sources: { node: Node | null }[];
}

/** Records all layout shifts from now on, also those right after an input, with what moved. */
const watchShifts = (page: Page) =>
  page.evaluate(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    const describe = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return `${element?.outerHTML.slice(0, 80)}`;
    };
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[])
        shifts.push(`${value}: ${sources.map(({ node }) => describe(node)).join('; ')}`);
    }).observe({ type: 'layout-shift' });
  });
const layoutShifts = async (page: Page) => {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
};

test('eight clicks on one place go back eight plies', async () => {
  const { page } = await env.open(analysis);
  await page.locator('[data-testid=engine] li').first().waitFor();
  const { x, y, width, height } = await box(page, '[aria-label="Previous move"]');
  for (let i = 0; i < 8; i++) {
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.waitForTimeout(60);
  }
  await currentMove(page, 'Nc6').waitFor();
});

test.each([
  ['a wide window', { width: 1280, height: 720 }],
  ['a phone', { width: 390, height: 664 }],
])('nothing moves while a game is stepped through in %s', async (_, viewport) => {
  const { page } = await env.open(analysis, { viewport });
  await page.locator('[data-testid=engine] li').first().waitFor();
  await page.locator('.above svg[role=img]').first().waitFor();
  await watchShifts(page);
  await page.keyboard.press('Home');
  for (let i = 0; i < 12; i++) {
    await page.getByRole('button', { name: 'Next move' }).click();
    await page.waitForTimeout(50);
  }
  await currentMove(page, 'Qxe4+').waitFor();
  for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowLeft');
  await expect.poll(() => page.locator('[data-testid=moves] [aria-current]').count()).toBe(0);
  expect(await layoutShifts(page)).toEqual([]);
});

test.each(['chess', 'cotulenh', 'tribun'])(
  'the board of %s has one size on all pages and fits the window',
  async (kind) => {
    const { id } = await request<Game>(env.url, 'games', { kind });
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 1280, height: 720 },
      { width: 844, height: 390 },
      { width: 390, height: 664 },
    ]) {
      const { page } = await env.open(`#/game/${id}`, { viewport });
      const sizes: number[] = [];
      for (const path of [`#/game/${id}`, `#/analysis?kind=${kind}`, `#/editor?kind=${kind}`]) {
        await page.goto(new URL(path, env.url).href);
        await page.getByTestId('frame').waitFor();
        const { height, width, y } = await box(page, 'svg.board');
        sizes.push(Math.round(height / 2));
        const frame = await box(page, '[data-testid=frame]');
        expect(frame.y + frame.height, `${path} at ${viewport.width}`).toBeLessThanOrEqual(viewport.height);
        expect(frame.width).toBeLessThanOrEqual(viewport.width);
        expect(y).toBeGreaterThan(0);
        if (viewport.width > 640) expect(height).toBeGreaterThan(0.75 * viewport.height);
        else expect(width).toBeGreaterThan(0.88 * viewport.width);
      }
      expect(new Set(sizes).size, `sizes at ${viewport.width}: ${sizes}`).toBe(1);
      await page.close();
    }
  },
);

test('the evaluation bar shows a result, keeps the last score between steps and is blank without the engine', async () => {
  const { page } = await env.open(MATE);
  const bar = page.getByTestId('evaluation');
  const share = () => bar.getAttribute('data-share');
  await expect.poll(share).toBe('0');
  expect(await bar.innerText()).toBe('0–1');
  await page.getByRole('button', { name: 'Go to start' }).click();
  await expect.poll(() => bar.innerText()).toMatch(/[+-]?\d/);
  await expect.poll(share).not.toBe('0');
  // Between two steps there is no moment without a score.
  const seen = await bar.evaluateHandle((element) => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(element.textContent ?? '')).observe(element, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    return texts;
  });
  await page.getByRole('button', { name: 'Next move' }).click();
  await page.locator('[data-testid=engine] li').first().waitFor();
  expect((await seen.jsonValue()).filter((text) => text.trim() === '–')).toEqual([]);
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await expect.poll(share).toBeNull();
  expect(await bar.getAttribute('aria-label')).toBe('Evaluation: unknown');
});

test('an earlier position of a game has its own heading, and a click says why nothing can be played', async () => {
  const game = await request<Game>(env.url, 'games', { kind: 'chess', moves: ['e2e4', 'e7e5', 'g1f3'] });
  const { page } = await env.open(`#/game/${game.id}`);
  const status = () => page.getByTestId('status').innerText();
  await expect.poll(status).toBe('Black to move');
  await page.getByRole('button', { name: 'Previous move' }).click();
  await expect.poll(status).toBe('After e5');
  await cell(page, 'd2').click();
  await page.getByTestId('refusal').getByText('This is an earlier position.').waitFor();
  // After a click on the board, the arrow keys still step through the game.
  await page.keyboard.press('ArrowLeft');
  await expect.poll(status).toBe('After e4');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(status).toBe('Start position');
  await page.getByRole('button', { name: 'Back to game' }).click();
  await expect.poll(status).toBe('Black to move');
});

test('a deployment of several steps is one turn in the move list', async () => {
  const position = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';
  const query = new URLSearchParams({ kind: 'cotulenh', position, moves: 'Nc4>a4 Fc4>f4 Tc4>c6 Cf12e12' });
  const { page } = await env.open(`#/analysis?${query}`);
  await moves(page).nth(3).waitFor();
  const rows = page.locator('[data-testid=moves] tbody tr');
  expect(await rows.count()).toBe(1);
  const cells = await rows
    .locator('td')
    .evaluateAll((found) =>
      found.map((cell) => [...cell.querySelectorAll('.move')].map((move) => move.textContent)),
    );
  expect(cells).toEqual([['N>a4', 'F>f4', 'T>c6'], ['Ce12']]);
});
