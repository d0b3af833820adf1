// Stacks and deployments, stay captures and fire zones.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { PHONE, startTouch, storeSettings } from './browser';
import { cell, cellCentre, fetchView, moves, request, waitForTurn } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const STACK = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';

test('deploys three pieces, taking back a step', async () => {
  const game = await request<Game>(env.url, 'games', { kind: 'cotulenh', position: STACK });
  const { page } = await env.open(`#/game/${game.id}`);
  const deployment = page.getByTestId('deployment');

  await cell(page, 'c4').click();
  await page.click('[data-choice="group navy"]');
  await cell(page, 'a4').click();
  await deployment.getByText('air force', { exact: false }).waitFor();
  await expect.poll(() => deployment.innerText()).toContain('Deployment from c4');
  await expect.poll(() => cell(page, 'a4').getAttribute('aria-label')).toBe('a4, sea, red Navy');

  await page.getByRole('button', { name: 'Take back step' }).click();
  await deployment.waitFor({ state: 'detached' });
  await expect
    .poll(() => cell(page, 'c4').getAttribute('aria-label'))
    .toBe('c4, coast, red Navy carrying Air Force and Tank');

  await cell(page, 'c4').click();
  await page.click('[data-choice="group navy"]');
  await cell(page, 'a4').click();
  await deployment.waitFor();
  await cell(page, 'c4').click();
  await page.click('[data-choice="group air force"]');
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

test('taking back a step deletes only the last move of a line and is disabled at the start', async () => {
  const steps = ['Nc4>a4', 'Fc4>f4'];
  const address = (position: string) => `#/analysis?kind=cotulenh&position=${encodeURIComponent(position)}`;
  const { page } = await env.open(`${address(STACK)}&moves=${encodeURIComponent(steps.join(' '))}`);
  const takeBack = page.getByRole('button', { name: 'Take back step' });
  const deployment = page.getByTestId('deployment');
  await moves(page).nth(1).waitFor();
  await page.getByRole('button', { name: 'Previous move' }).click();
  await expect.poll(() => deployment.innerText()).toContain('Tank');
  await expect.poll(() => deployment.innerText()).toContain('Air Force');
  await takeBack.click();
  await deployment.waitFor({ state: 'detached' });
  expect(await moves(page).count()).toBe(2);
  // At the end of the line, the step is deleted.
  await page.getByRole('button', { name: 'Go to end' }).click();
  await deployment.waitFor();
  await takeBack.click();
  await expect.poll(() => moves(page).count()).toBe(1);

  const { position } = await fetchView(env.url, 'cotulenh', STACK, ['Nc4>a4']);
  const started = await env.open(address(position));
  await expect
    .poll(() => started.page.getByRole('button', { name: 'Take back step' }).isDisabled())
    .toBe(true);
});

test('on a phone, opening the choices scrolls the board into view after the touch', async () => {
  const { page } = await env.open(
    `#/analysis?kind=cotulenh&position=${encodeURIComponent('5c5/11/11/11/4i6/11/11/4F6/2(NFT)8/11/11/6C4 r - - 0 1')}`,
    PHONE,
    (page) => storeSettings(page, { language: 'vi' }),
  );
  await cell(page, 'c4').waitFor();
  const { x, y } = await cellCentre(page, 'c4');
  const touch = await startTouch(page);
  await touch.down(x, y);
  await page.getByTestId('choices').waitFor();
  await touch.moveBy(0, 2);
  await touch.up();
  const covered = () =>
    page.evaluate(() => {
      const box = (what: string) => document.querySelector(what)?.getBoundingClientRect();
      return (box('[data-cell=a1]')?.bottom ?? Infinity) - (box('[data-testid=choices]')?.top ?? 0);
    });
  await expect.poll(covered).toBeLessThanOrEqual(0);
  const selected = page.locator('[data-cell][aria-pressed=true]');
  expect(await selected.evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-cell')))).toEqual([
    'c4',
  ]);
  // Scrolling back is not undone.
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.touchscreen.tap(195, 2);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test('ends a turn while pieces remain', async () => {
  const game = await request<Game>(env.url, 'games', { kind: 'cotulenh', position: STACK });
  const { page } = await env.open(`#/game/${game.id}`);
  await cell(page, 'c4').click();
  await page.click('[data-choice="group air force"]');
  await cell(page, 'f4').click();
  await page.getByRole('button', { name: 'End turn' }).click();
  await page.getByText('Blue to move').waitFor();
  expect((await request<Game>(env.url, `games/${game.id}`)).view.turn).toBe('second');
});

test('on a phone, ends a turn while choices are open', async () => {
  const address = `#/analysis?kind=cotulenh&position=${encodeURIComponent(STACK)}&moves=${encodeURIComponent('Nc4>a4')}`;
  const { page } = await env.open(address, PHONE);
  await cell(page, 'c4').tap();
  const choices = page.getByTestId('choices');
  await choices.getByRole('button', { name: 'End turn' }).tap();
  await page.getByTestId('status').getByText('Blue to move').waitFor();
});

test('an air force captures, or bombs and returns', async () => {
  const position = '5c5/11/11/11/4i6/11/11/4F6/11/11/11/6C4 r - - 0 1';
  for (const [kind, aircraft] of [
    ['capture', 'e8'],
    ['stay-capture', 'e5'],
  ] as const) {
    const { page } = await env.open(`#/analysis?kind=cotulenh&position=${encodeURIComponent(position)}`);
    await cell(page, 'e5').click();
    await cell(page, 'e8').click();
    await page.click(`[data-choice="kind ${kind}"]`);
    await page.locator(`[data-cell=${aircraft}][aria-label*="Air Force"]`).waitFor();
    await expect.poll(() => page.locator('[data-cell][aria-label*="Infantry"]').count()).toBe(0);
  }
});

test('shows the fire zones of either side', async () => {
  const { page } = await env.open('#/analysis?kind=cotulenh');
  await expect.poll(() => page.locator('.zone').count()).toBe(0);
  await page.getByRole('button', { name: 'Red fire zones' }).click();
  await expect.poll(() => page.locator('.zone').count()).toBe(1);
  await page.getByRole('button', { name: 'Blue fire zones' }).click();
  await expect.poll(() => page.locator('.zone').count()).toBe(2);
});
