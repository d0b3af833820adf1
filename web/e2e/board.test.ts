// What hands do on the board, and what is seen and heard of it.

import { expect, test } from 'vitest';
import { count, counted, finger, PHONE, prefer, type Page } from './browser';
import { cell, current, middle, moves, type } from './player';
import { world } from './setup';

const there = world();

test('a piece is dragged, an arrow is drawn, the board is turned', async () => {
  const { page } = await there.open('#/analysis?kind=chess');
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await cell(page, 'e2').dragTo(cell(page, 'e4'));
  await moves(page, 'e4').waitFor();
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

test('rings are drawn by a right click, once more wipes them, and so does a left click', async () => {
  const { page } = await there.open('#/analysis?kind=cotulenh');
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  const rings = page.locator('.ring.own');
  await cell(page, 'f6').click({ button: 'right' });
  await cell(page, 'g7').click({ button: 'right' });
  await expect.poll(() => rings.count()).toBe(2);
  await cell(page, 'f6').click({ button: 'right' });
  await expect.poll(() => rings.count()).toBe(1);
  await cell(page, 'f6').click();
  await expect.poll(() => rings.count()).toBe(0);
});

test('a move is made by touch on a phone', async () => {
  const { page } = await there.open('#/analysis?kind=chess', PHONE);
  await cell(page, 'g1').tap();
  await cell(page, 'f3').tap();
  await moves(page, 'Nf3').waitFor();
  // A finger that carries a piece does not scroll the page.
  const [from, to] = await Promise.all([middle(page, 'e7'), middle(page, 'e5')]);
  const touch = await finger(page);
  await touch.down(from.x, from.y);
  await touch.along(to.x - from.x, to.y - from.y);
  await touch.up();
  await moves(page, 'e5').waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
});

/** Swipes upwards from a cell, as far as the page scrolls. */
async function swipe(page: Page, from: string): Promise<void> {
  const { x, y } = await middle(page, from);
  const touch = await finger(page);
  await touch.down(x, y);
  await touch.along(0, -150);
  await touch.up();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(20);
}

test('a finger that scrolls the page plays nothing and puts nothing down', async () => {
  const analysis = await there.open('#/analysis?kind=chess', PHONE);
  await analysis.page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await cell(analysis.page, 'e2').tap();
  await swipe(analysis.page, 'e3');
  await cell(analysis.page, 'e4').tap();
  await moves(analysis.page).first().waitFor();
  expect(await moves(analysis.page).allTextContents()).toEqual(['e4']);

  const { page } = await there.open('#/editor?kind=cotulenh', PHONE);
  await page.getByRole('button', { name: 'red Infantry', exact: true }).tap();
  await swipe(page, 'f7');
  await cell(page, 'f6').tap();
  await page.locator('[data-cell=f6][aria-label*="red Infantry"]').waitFor();
  expect(await cell(page, 'f7').getAttribute('aria-label')).toContain('empty');
});

/** Plays a move and waits until it is on the board and said. */
async function played(page: Page, san: string): Promise<{ notes: number; glides: number }> {
  await type(page, san);
  await current(page, san).waitFor();
  await page.getByTestId('announcement').getByText(san).waitFor({ state: 'attached' });
  return counted(page);
}

test('sounds and animation are switched off, and stay off', async () => {
  const { page } = await there.open('#/analysis?kind=chess', { reducedMotion: 'no-preference' }, count);
  expect(await played(page, 'e4')).toEqual({ notes: 1, glides: 1 });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByLabel('Sounds').uncheck();
  await page.getByLabel('Animation').uncheck();
  await page.keyboard.press('Escape');
  expect(await played(page, 'e5')).toEqual({ notes: 1, glides: 1 });

  await page.reload();
  await current(page, 'e5').waitFor();
  expect(await played(page, 'Nf3')).toEqual({ notes: 0, glides: 0 });
  await page.getByRole('button', { name: 'Settings' }).click();
  expect(await page.getByLabel('Sounds').isChecked()).toBe(false);
  expect(await page.getByLabel('Animation').isChecked()).toBe(false);
});

test('who wants less motion on all pages sees none here', async () => {
  const { page } = await there.open('#/analysis?kind=chess', { reducedMotion: 'reduce' }, async (page) => {
    await prefer(page, { sound: true, animation: true });
    await count(page);
  });
  expect(await played(page, 'e4')).toEqual({ notes: 1, glides: 0 });
});

test('who is in check is marked, and spoken', async () => {
  const position = encodeURIComponent('6c4/11/11/11/11/11/11/11/11/6t4/11/6C4 r - - 0 1');
  const { page } = await there.open(`#/analysis?kind=cotulenh&position=${position}`);
  await expect
    .poll(() => cell(page, 'g1').getAttribute('aria-label'))
    .toBe('g1, land, red Commander, in check');
  await expect.poll(() => page.locator('.mark.check').count()).toBe(1);
});
