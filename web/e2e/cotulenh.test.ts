// Stacks: groups, steps, what is pending, the end of a turn, taking back; the aircraft's choice; fire zones.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import { finger, PHONE, prefer } from './browser';
import { ask, cell, middle, moves, ready, view } from './player';
import { world } from './setup';

const there = world();

const STACK = '5c5/11/11/11/11/11/11/11/2(NFT)8/11/11/6C4 r - - 0 1';

test('a deployment of three pieces, with steps taken back', async () => {
  const game = await ask<Game>(there.url, 'games', { kind: 'cotulenh', position: STACK });
  const { page } = await there.open(`#/game/${game.id}`);
  const deployment = page.getByTestId('deployment');

  await cell(page, 'c4').click();
  await page.click('[data-choice="group navy"]');
  await cell(page, 'a4').click();
  await deployment.getByText('air force', { exact: false }).waitFor();
  await expect.poll(() => deployment.innerText()).toContain('Deployment from c4');
  await expect.poll(() => cell(page, 'a4').getAttribute('aria-label')).toBe('a4, sea, red Navy');

  await page.getByRole('button', { name: 'Take back a step' }).click();
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

  // Nothing is pending any more: the turn is over by itself.
  const after = await ready(there.url, game.id, game.version + 4);
  expect(after.view.pending).toBeNull();
  expect(after.view.turn).toBe('second');
  await page.getByText('Blue to move').waitFor();
  expect(after.view.history.map((move) => move.text)).toEqual(['Nc4>a4', 'Fc4>f4', 'Tc4>c6']);
});

test('to take back a step while looking back loses nothing; before the first there is nothing to take back', async () => {
  const steps = ['Nc4>a4', 'Fc4>f4'];
  const address = (position: string) => `#/analysis?kind=cotulenh&position=${encodeURIComponent(position)}`;
  const { page } = await there.open(`${address(STACK)}&moves=${encodeURIComponent(steps.join(' '))}`);
  const back = page.getByRole('button', { name: 'Take back a step' });
  const deployment = page.getByTestId('deployment');
  await moves(page).nth(1).waitFor();
  await page.getByRole('button', { name: 'One move back' }).click();
  await expect.poll(() => deployment.innerText()).toContain('Tank');
  await expect.poll(() => deployment.innerText()).toContain('Air Force');
  await back.click();
  await deployment.waitFor({ state: 'detached' });
  expect(await moves(page).count()).toBe(2);
  // At the end of the line, what is taken back is gone.
  await page.getByRole('button', { name: 'To the end' }).click();
  await deployment.waitFor();
  await back.click();
  await expect.poll(() => moves(page).count()).toBe(1);

  const { position } = await view(there.url, 'cotulenh', STACK, ['Nc4>a4']);
  const begun = await there.open(address(position));
  await expect
    .poll(() => begun.page.getByRole('button', { name: 'Take back a step' }).isDisabled())
    .toBe(true);
});

test('on a phone the choices leave the whole board in sight, and a finger where it is', async () => {
  const { page } = await there.open(
    `#/analysis?kind=cotulenh&position=${encodeURIComponent('5c5/11/11/11/4i6/11/11/4F6/2(NFT)8/11/11/6C4 r - - 0 1')}`,
    PHONE,
    (page) => prefer(page, { language: 'vi' }),
  );
  await cell(page, 'c4').waitFor();
  const { x, y } = await middle(page, 'c4');
  const touch = await finger(page);
  await touch.down(x, y);
  await page.getByTestId('choices').waitFor();
  await touch.along(0, 2);
  await touch.up();
  const covered = () =>
    page.evaluate(() => {
      const box = (what: string) => document.querySelector(what)?.getBoundingClientRect();
      return (box('[data-cell=a1]')?.bottom ?? Infinity) - (box('[data-testid=choices]')?.top ?? 0);
    });
  await expect.poll(covered).toBeLessThanOrEqual(0);
  const chosen = page.locator('[data-cell][aria-pressed=true]');
  expect(await chosen.evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-cell')))).toEqual([
    'c4',
  ]);
  // Who then scrolls back to see the rest is let be.
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.touchscreen.tap(195, 2);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test('a turn can be ended while something is pending', async () => {
  const game = await ask<Game>(there.url, 'games', { kind: 'cotulenh', position: STACK });
  const { page } = await there.open(`#/game/${game.id}`);
  await cell(page, 'c4').click();
  await page.click('[data-choice="group air force"]');
  await cell(page, 'f4').click();
  await page.getByRole('button', { name: 'End the turn' }).click();
  await page.getByText('Blue to move').waitFor();
  expect((await ask<Game>(there.url, `games/${game.id}`)).view.turn).toBe('second');
});

test('on a phone a turn can be ended while a choice is open', async () => {
  const address = `#/analysis?kind=cotulenh&position=${encodeURIComponent(STACK)}&moves=${encodeURIComponent('Nc4>a4')}`;
  const { page } = await there.open(address, PHONE);
  await cell(page, 'c4').tap();
  const choices = page.getByTestId('choices');
  await choices.getByRole('button', { name: 'End the turn' }).tap();
  await page.getByTestId('status').getByText('Blue to move').waitFor();
});

test('an aircraft takes and stays, or bombs and returns', async () => {
  const position = '5c5/11/11/11/4i6/11/11/4F6/11/11/11/6C4 r - - 0 1';
  for (const [kind, aircraft] of [
    ['capture', 'e8'],
    ['stay-capture', 'e5'],
  ] as const) {
    const { page } = await there.open(`#/analysis?kind=cotulenh&position=${encodeURIComponent(position)}`);
    await cell(page, 'e5').click();
    await cell(page, 'e8').click();
    await page.click(`[data-choice="kind ${kind}"]`);
    await page.locator(`[data-cell=${aircraft}][aria-label*="Air Force"]`).waitFor();
    await expect.poll(() => page.locator('[data-cell][aria-label*="Infantry"]').count()).toBe(0);
  }
});

test('fire zones of either side lie over the board', async () => {
  const { page } = await there.open('#/analysis?kind=cotulenh');
  await expect.poll(() => page.locator('.zone').count()).toBe(0);
  await page.getByRole('button', { name: 'Fire zones of Red' }).click();
  await expect.poll(() => page.locator('.zone').count()).toBeGreaterThan(20);
  const red = await page.locator('.zone').count();
  await page.getByRole('button', { name: 'Fire zones of Blue' }).click();
  await expect.poll(() => page.locator('.zone').count()).toBe(2 * red);
});
