// Stacks and deployments, stay captures and fire zones.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { PHONE, startTouch, type Page } from './browser';
import { cell, cellCenter, fetchView, INPUTS, moves, request, waitForTurn } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const STACK = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';

const analysis = (position: string, moves: string[] = []) =>
  `#/analysis?kind=cotulenh&position=${encodeURIComponent(position)}` +
  (moves.length > 0 ? `&moves=${encodeURIComponent(moves.join(' '))}` : '');

/** The counter of a piece in the fan of a stack. */
const counter = (page: Page, piece: string) => page.locator(`[data-choice="piece ${piece}"]`);
const endTurn = (page: Page) => page.getByRole('button', { name: 'End turn' });
const contents = (page: Page, name: string) => cell(page, name).getAttribute('aria-label');

test('deploys three pieces, taking back a step', async () => {
  const game = await request<Game>(env.url, 'games', { kind: 'cotulenh', position: STACK });
  const { page } = await env.open(`#/game/${game.id}`);

  await cell(page, 'c4').click();
  await counter(page, 'navy').click();
  await cell(page, 'a4').click();
  await expect.poll(() => contents(page, 'a4')).toBe('a4, sea, red Navy');
  // The remaining pieces stay fanned out, and a screen reader hears which they are.
  await counter(page, 'tank').waitFor();
  expect(await counter(page, 'navy').count()).toBe(0);
  await page.getByRole('status').getByText('Deployment from c4, remaining: Air Force, Tank').waitFor();

  await page.getByRole('button', { name: 'Take back step' }).click();
  await endTurn(page).waitFor({ state: 'detached' });
  await expect.poll(() => contents(page, 'c4')).toBe('c4, coast, red Navy carrying Air Force and Tank');

  await cell(page, 'c4').click();
  await counter(page, 'navy').click();
  await cell(page, 'a4').click();
  await counter(page, 'air force').click();
  await cell(page, 'f4').click();
  await page.locator('[data-cell=f4][aria-label*="red Air Force"]').waitFor();
  await cell(page, 'c4').click();
  await cell(page, 'c6').click();

  // The turn ends automatically when no piece remains.
  const after = await waitForTurn(env.url, game.id, game.version + 4);
  expect(after.view.turn_in_progress).toBeNull();
  expect(after.view.turn).toBe('second');
  await page.getByText('Blue to move').waitFor();
  expect(after.view.moves_played.map((move) => move.text)).toEqual(['Nc4>a4', 'Fc4>f4', 'Tc4>c6']);
});

test('a stack fans out as counters of at least 44 pixels; everyone goes unless chosen otherwise', async () => {
  const { page } = await env.open(analysis(STACK), { viewport: { width: 1280, height: 720 } });
  await cell(page, 'c4').click();
  for (const piece of ['navy', 'air force', 'tank']) {
    const box = await counter(page, piece).boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  await cell(page, 'c6').click();
  await moves(page, '(NFT)c6').waitFor();
});

test('several pieces of a stack go together', async () => {
  const { page } = await env.open(analysis(STACK));
  await cell(page, 'c4').click();
  await counter(page, 'navy').click();
  await counter(page, 'tank').click();
  expect(await counter(page, 'navy').getAttribute('aria-pressed')).toBe('true');
  await cell(page, 'a4').click();
  await expect.poll(() => contents(page, 'a4')).toBe('a4, sea, red Navy carrying Tank');
});

test('dragging a counter deploys its piece, by mouse and by touch', async () => {
  for (const options of [{}, { viewport: { width: 820, height: 1180 }, hasTouch: true }]) {
    const { page } = await env.open(analysis(STACK), options);
    await cell(page, 'c4').click();
    const from = await counter(page, 'air force').boundingBox();
    if (!from) throw new Error('no counter');
    const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
    const to = await cellCenter(page, 'f4');
    if ('hasTouch' in options) {
      const touch = await startTouch(page);
      await touch.down(x, y);
      await touch.moveBy(to.x - x, to.y - y);
      await touch.up();
    } else {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    }
    await expect.poll(() => contents(page, 'f4')).toBe('f4, land, red Air Force');
    await counter(page, 'tank').waitFor();
  }
});

test('deploys with the keyboard', async () => {
  const { page } = await env.open(analysis(STACK));
  await cell(page, 'c4').focus();
  await page.keyboard.press('Enter');
  await counter(page, 'navy').waitFor();
  await page.keyboard.press('2');
  await expect.poll(() => counter(page, 'air force').getAttribute('aria-pressed')).toBe('true');
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => contents(page, 'f4')).toBe('f4, land, red Air Force');
  // The focus returns to the board when the button is gone.
  await endTurn(page).focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('status').getByText('Blue to move').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-cell'))).toBe(true);
});

test('taking back a step deletes only the last move of a line and is disabled at the start', async () => {
  const { page } = await env.open(analysis(STACK, ['Nc4>a4', 'Fc4>f4']));
  const takeBack = page.getByRole('button', { name: 'Take back step' });
  await moves(page).nth(1).waitFor();
  await page.getByRole('button', { name: 'Previous move' }).click();
  await counter(page, 'tank').waitFor();
  await counter(page, 'air force').waitFor();
  await takeBack.click();
  await endTurn(page).waitFor({ state: 'detached' });
  expect(await moves(page).count()).toBe(2);
  // At the end of the line, the step is deleted.
  await page.getByRole('button', { name: 'Go to end' }).click();
  await takeBack.click();
  await expect.poll(() => moves(page).count()).toBe(1);

  const { position } = await fetchView(env.url, 'cotulenh', STACK, ['Nc4>a4']);
  const started = await env.open(analysis(position));
  await expect
    .poll(() => started.page.getByRole('button', { name: 'Take back step' }).isDisabled())
    .toBe(true);
});

test('ends a turn while pieces remain', async () => {
  const game = await request<Game>(env.url, 'games', { kind: 'cotulenh', position: STACK });
  const { page } = await env.open(`#/game/${game.id}`);
  await cell(page, 'c4').click();
  await counter(page, 'air force').click();
  await cell(page, 'f4').click();
  await endTurn(page).click();
  await page.getByText('Blue to move').waitFor();
  expect((await request<Game>(env.url, `games/${game.id}`)).view.turn).toBe('second');
});

test.each([
  ['portrait', { width: 390, height: 664 }],
  ['landscape', { width: 844, height: 390 }],
])('on a phone, the choices are in a bar that never scrolls: %s', async (_, viewport) => {
  const { page } = await env.open(analysis(STACK, ['Nc4>a4']), { ...PHONE, viewport });
  await endTurn(page).waitFor();
  const bottom = await endTurn(page).evaluate((button) => button.getBoundingClientRect().bottom);
  expect(bottom, 'the button is on the screen').toBeLessThanOrEqual(viewport.height);
  const bar = page.getByTestId('choices');
  await bar.waitFor();
  // Without scrolling, and wherever the page is scrolled to.
  for (const top of [0, 300]) {
    await page.evaluate((y) => window.scrollTo(0, y), top);
    for (const button of [endTurn(page), counter(page, 'tank'), counter(page, 'air force')]) {
      const box = await button.boundingBox();
      expect(box!.y).toBeGreaterThan(0);
      expect(box!.y + box!.height).toBeLessThanOrEqual(viewport.height);
      expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(44);
    }
  }
  expect(await bar.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await counter(page, 'air force').tap();
  await endTurn(page).tap();
  await page.getByTestId('status').getByText('Blue to move').waitFor();
});

test.each(Object.entries(INPUTS))(
  'a piece leaves its stack and the turn ends at the stack, by %s',
  async (_, { options, choose }) => {
    const { page } = await env.open(analysis(STACK), options);
    await choose(cell(page, 'c4'));
    await choose(counter(page, 'air force'));
    await expect.poll(() => counter(page, 'air force').getAttribute('aria-pressed')).toBe('true');
    await choose(cell(page, 'f4'));
    await expect.poll(() => contents(page, 'f4')).toBe('f4, land, red Air Force');
    await page.getByTestId('deployment').waitFor();
    await choose(endTurn(page));
    await page.getByTestId('status').getByText('Blue to move').waitFor();
  },
);

test.each(Object.entries(INPUTS))(
  'an air force captures, or bombs and returns, as chosen at the target by %s',
  async (_, { options, choose }) => {
    const position = '5c5/11/11/11/4i6/11/11/4F6/11/11/11/6C4 r - - 0 1';
    for (const [kind, aircraft] of [
      ['capture', 'e8'],
      ['stay-capture', 'e5'],
    ] as const) {
      const { page } = await env.open(analysis(position), options);
      await choose(cell(page, 'e5'));
      await choose(cell(page, 'e8'));
      const option = page.locator(`[data-choice="kind ${kind}"]`);
      const [box, target] = [await option.boundingBox(), await cellCenter(page, 'e8')];
      expect(Math.abs(box!.y + box!.height / 2 - target.y)).toBeLessThan(120);
      await choose(option);
      await page.locator(`[data-cell=${aircraft}][aria-label*="Air Force"]`).waitFor();
      await expect.poll(() => page.locator('[data-cell][aria-label*="Infantry"]').count()).toBe(0);
    }
  },
);

test('shows the fire zones of both sides', async () => {
  const { page } = await env.open('#/analysis?kind=cotulenh');
  await expect.poll(() => page.locator('.zone').count()).toBe(0);
  await page.getByRole('button', { name: 'Fire zones' }).click();
  await expect.poll(() => page.locator('.zone').count()).toBe(2);
  await page.getByRole('button', { name: 'Fire zones' }).click();
  await expect.poll(() => page.locator('.zone').count()).toBe(0);
});
