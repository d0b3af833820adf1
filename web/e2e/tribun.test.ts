// Every kind of action of Tribun, by pointing: narrowed to one, shown, submitted.

import { expect, test } from 'vitest';
import type { Page } from './browser';
import { cell, moves, point, view } from './player';
import { world } from './setup';

const there = world();

/** Positions in which every kind of action is legal at least once. */
const POSITIONS: Record<string, string> = {
  move: 'black:a1=1*,f6=3 white:k11=1* b -',
  kill: 'black:a1=1*,f6=2,e5=1 white:k11=1*,g8=1 b -',
  liberate: 'black:a1=1*,f6=4 white:k11=1*,g8=2/1 b -',
  damage: 'black:a1=1*,f6=2 white:k11=1*,g8=4 b -',
  enslave: 'black:a1=1*,f6=3 white:k11=1*,g9=2 b -',
  combine: 'black:a1=1*,f6=2,g8=2 white:k11=1* b -',
  'sym-combine': 'black:a1=1*,g7=1,e6=1,f5=1 white:k11=1* b -',
  split: 'black:a1=1*,f6=4 white:k11=1* b -',
  backstab: 'black:a1=1*,f6=2/1 white:k11=1* b -',
  'attack-tribun': 'black:a1=1*,j9=2 white:k11=1* b -',
};

test.each(Object.entries(POSITIONS))('%s', async (kind, position) => {
  const before = await view(there.url, 'tribun', position);
  const action = before.actions.find((candidate) => candidate.kind === kind);
  if (!action) throw new Error(`no ${kind} here: ${before.actions.map(({ text }) => text).join(' ')}`);
  const { page } = await there.open(`#/analysis?kind=tribun&position=${encodeURIComponent(position)}`);
  await page.locator('[data-cell]').first().waitFor();

  expect(await point(page, before, action)).toBe('shown');
  const submit = page.getByTestId('submit');
  await expect.poll(() => submit.isEnabled()).toBe(true);
  // What is shown is what will be; nothing has been played yet.
  await page.locator('.board.preview').waitFor();
  await expect.poll(() => moves(page).count()).toBe(0);
  const after = await view(there.url, 'tribun', position, [action.text]);
  const figures = after.board.cells.filter((cell) => cell.figure).length;
  await expect.poll(() => page.locator('[data-figure]').count()).toBe(figures);

  await page.keyboard.press(' ');
  await moves(page, action.san).waitFor();
});

/** A board on which the tribun can go from a1 to a2 and b2, and the unit on f6 can do many things. */
const openBoard = () =>
  there.open(`#/analysis?kind=tribun&position=${encodeURIComponent(POSITIONS.move ?? '')}`);

/** Submits a move; nothing has been submitted before. */
async function submitFirst(page: Page): Promise<void> {
  await cell(page, 'a1').click();
  await cell(page, 'a2').click();
  await page.getByTestId('submit').click();
  await expect.poll(() => moves(page).allInnerTexts()).toEqual(['a1-a2']);
}

test('an action is shown first even where nothing can combine or split', async () => {
  const position = 'black:a1=1* white:k11=1* b -';
  const { page } = await there.open(`#/analysis?kind=tribun&position=${encodeURIComponent(position)}`);
  await page.locator('[data-cell=a1]').click();
  await page.locator('[data-cell=b2]').click();
  await page.locator('.board.preview').waitFor();
  expect(await moves(page).count()).toBe(0);
  await page.getByTestId('submit').click();
  await expect.poll(() => moves(page).count()).toBe(1);
});

test('what is shown can be cancelled', async () => {
  const { page } = await openBoard();
  await cell(page, 'a1').click();
  await cell(page, 'b2').click();
  await page.locator('.board.preview').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.board.preview').waitFor({ state: 'detached' });
  await page.keyboard.press(' ');
  await submitFirst(page);
});

test('nothing can be submitted while several actions are left', async () => {
  const { page } = await openBoard();
  await cell(page, 'f6').click();
  await expect.poll(() => page.getByTestId('submit').isEnabled()).toBe(false);
  await page.keyboard.press(' ');
  await submitFirst(page);
});
