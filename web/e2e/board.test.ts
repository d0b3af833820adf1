// Mouse and touch input on the board, sounds and animations.

import { expect, test } from 'vitest';
import { countEffects, effectCounts, PHONE, startTouch, storeSettings, type Page } from './browser';
import { cell, cellCenter, currentMove, INPUTS, moves, typeMove } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

test('drags a piece, draws an arrow, flips the board and steps with the wheel', async () => {
  const { page } = await env.open('#/analysis?kind=chess');
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await cell(page, 'e2').dragTo(cell(page, 'e4'));
  await moves(page, 'e4').waitFor();
  const [from, to] = await Promise.all([cell(page, 'd7').boundingBox(), cell(page, 'd5').boundingBox()]);
  if (!from || !to) throw new Error('the board is not visible');
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 3 });
  await page.mouse.up({ button: 'right' });
  await expect.poll(() => page.locator('.shaft.user').count()).toBe(1);
  await page.getByRole('button', { name: 'Flip board' }).click();
  const flipped = await cell(page, 'd7').boundingBox();
  expect(flipped?.y).toBeGreaterThan(from.y + 100);
  await page.mouse.move(from.x, from.y + 200);
  await page.mouse.wheel(0, -100);
  await page.getByText('White to move').waitFor();
});

test('a right click toggles a ring and a left click removes all', async () => {
  const { page } = await env.open('#/analysis?kind=cotulenh');
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  const rings = page.locator('.ring.user');
  await cell(page, 'f6').click({ button: 'right' });
  await cell(page, 'g7').click({ button: 'right' });
  await expect.poll(() => rings.count()).toBe(2);
  await cell(page, 'f6').click({ button: 'right' });
  await expect.poll(() => rings.count()).toBe(1);
  await cell(page, 'f6').click();
  await expect.poll(() => rings.count()).toBe(0);
});

test('plays a move by touch on a phone', async () => {
  const { page } = await env.open('#/analysis?kind=chess', PHONE);
  await cell(page, 'g1').tap();
  await cell(page, 'f3').tap();
  await moves(page, 'Nf3').waitFor();
  // Dragging a piece does not scroll the page.
  const [from, to] = await Promise.all([cellCenter(page, 'e7'), cellCenter(page, 'e5')]);
  const touch = await startTouch(page);
  await touch.down(from.x, from.y);
  await touch.moveBy(to.x - from.x, to.y - from.y);
  await touch.up();
  await moves(page, 'e5').waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});

/** Swipes upwards from a cell and waits until the page has scrolled and is at rest. */
async function swipe(page: Page, from: string): Promise<void> {
  const { x, y } = await cellCenter(page, from);
  // A tap while the page still scrolls misses its cell: Playwright then cancels it, and the browser logs a warning.
  const scroll = await page.evaluateHandle(() => {
    const state = { ended: false };
    document.addEventListener('scrollend', () => (state.ended = true), { once: true });
    return state;
  });
  const touch = await startTouch(page);
  await touch.down(x, y);
  await touch.moveBy(0, -150);
  await touch.up();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(20);
  await expect.poll(() => scroll.evaluate(({ ended }) => ended)).toBe(true);
}

test('scrolling by touch neither plays a move nor places a figure', async () => {
  const analysis = await env.open('#/analysis?kind=chess', PHONE);
  await analysis.page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await cell(analysis.page, 'e2').tap();
  await swipe(analysis.page, 'e3');
  await cell(analysis.page, 'e4').tap();
  await moves(analysis.page).first().waitFor();
  expect(await moves(analysis.page).allTextContents()).toEqual(['e4']);

  const { page } = await env.open('#/editor?kind=cotulenh', PHONE);
  await page.getByRole('button', { name: 'red Infantry', exact: true }).tap();
  await swipe(page, 'f7');
  await cell(page, 'f6').tap();
  await page.locator('[data-cell=f6][aria-label*="red Infantry"]').waitFor();
  expect(await cell(page, 'f7').getAttribute('aria-label')).toContain('empty');
});

/** Plays a move and waits until it is on the board and announced. */
async function playMove(page: Page, san: string): Promise<{ notes: number; animations: number }> {
  await typeMove(page, san);
  await currentMove(page, san).waitFor();
  await page.getByTestId('announcement').getByText(san).waitFor({ state: 'attached' });
  return effectCounts(page);
}

test('sounds and animations can be turned off, also after a reload', async () => {
  const { page } = await env.open('#/analysis?kind=chess', { reducedMotion: 'no-preference' }, countEffects);
  expect(await playMove(page, 'e4')).toEqual({ notes: 1, animations: 1 });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Sounds').uncheck();
  await page.getByLabel('Animations').uncheck();
  await page.keyboard.press('Escape');
  expect(await playMove(page, 'e5')).toEqual({ notes: 1, animations: 1 });

  await page.reload();
  await currentMove(page, 'e5').waitFor();
  expect(await playMove(page, 'Nf3')).toEqual({ notes: 0, animations: 0 });
  await page.getByRole('button', { name: 'Settings' }).click();
  expect(await page.getByLabel('Sounds').isChecked()).toBe(false);
  expect(await page.getByLabel('Animations').isChecked()).toBe(false);
});

test('does not animate with the reduced-motion setting of the system', async () => {
  const { page } = await env.open('#/analysis?kind=chess', { reducedMotion: 'reduce' }, async (page) => {
    await storeSettings(page, { sound: true, animation: true });
    await countEffects(page);
  });
  expect(await playMove(page, 'e4')).toEqual({ notes: 1, animations: 0 });
});

test('marks and describes the figure in check', async () => {
  const position = encodeURIComponent('6c4/11/11/11/11/11/11/11/11/6t4/11/6C4 r - - 0 1');
  const { page } = await env.open(`#/analysis?kind=cotulenh&position=${position}`);
  await expect
    .poll(() => cell(page, 'g1').getAttribute('aria-label'))
    .toBe('g1, land, red Commander, in check');
  // A mark below the figure would be hidden by it.
  const overFigure = () =>
    page.evaluate(() => {
      const [ring, figure] = ['.check-ring', '[data-figure=g1]'].map((what) => document.querySelector(what));
      if (!ring || !figure) return false;
      return (figure.compareDocumentPosition(ring) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    });
  await expect.poll(overFigure).toBe(true);
});

test('promotions drop from their square, queen first; on a phone they are in the bar', async () => {
  const position = encodeURIComponent('8/4P3/8/8/8/8/8/k1K5 w - - 0 1');
  const wide = await env.open(`#/analysis?kind=chess&position=${position}`);
  const options = wide.page.locator('[data-choice^="becomes "]');
  await cell(wide.page, 'e7').click();
  await cell(wide.page, 'e8').click();
  await expect.poll(() => options.count()).toBe(4);
  expect(await options.first().getAttribute('data-choice')).toBe('becomes queen');
  const [queen, square] = [await options.first().boundingBox(), await cellCenter(wide.page, 'e8')];
  expect(
    Math.hypot(queen!.x + queen!.width / 2 - square.x, queen!.y + queen!.height / 2 - square.y),
  ).toBeLessThan(8);
  await wide.page.keyboard.press('1');
  await moves(wide.page, 'e8=Q').waitFor();

  const { page } = await env.open(`#/analysis?kind=chess&position=${position}`, PHONE);
  await cell(page, 'e7').tap();
  await cell(page, 'e8').tap();
  await page.getByTestId('choices').getByRole('button', { name: 'Knight' }).tap();
  await moves(page, 'e8=N').waitFor();
});

test.each(Object.entries(INPUTS))(
  'a promotion is chosen at its square by %s',
  async (_, { options, choose }) => {
    const position = encodeURIComponent('8/4P3/8/8/8/8/8/k1K5 w - - 0 1');
    for (const [piece, san] of [
      ['queen', 'e8=Q'],
      ['knight', 'e8=N'],
    ] as const) {
      const { page } = await env.open(`#/analysis?kind=chess&position=${position}`, options);
      await choose(cell(page, 'e7'));
      await choose(cell(page, 'e8'));
      await choose(page.locator(`[data-choice="becomes ${piece}"]`));
      await moves(page, san).waitFor();
    }
  },
);
