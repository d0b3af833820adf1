// Keyboard input: every cell is reachable and has a description.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import type { Page } from './browser';
import { cell, moves, openLab, request, selectSquare, tabTo } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

test('plays a complete game with the keyboard', async () => {
  const { page } = await env.open('');
  await page.getByText('Choose a game').waitFor();
  await tabTo(page, /Opponent/);
  await page.keyboard.press('ArrowDown');
  await tabTo(page, /^Start game$/);
  await page.keyboard.press('Enter');
  await page.getByText('White to move').waitFor();
  await tabTo(page, /^[a-h][1-8], /);
  const line = [
    ['f2', 'f3', 'Black to move'],
    ['e7', 'e5', 'White to move'],
    ['g2', 'g4', 'Black to move'],
    ['d8', 'h4', 'Black won: checkmate'],
  ] as const;
  for (const [from, to, status] of line) {
    await selectSquare(page, from);
    await selectSquare(page, to);
    await page.getByTestId('status').getByText(status).waitFor();
  }
  await expect
    .poll(() => page.getByTestId('announcement').innerText())
    .toBe('Black: Qh4#. Black won: checkmate.');
  // Stepping back is announced too.
  for (const [key, text] of [
    [',', 'White: g4'],
    ['Home', 'Start position'],
    ['.', 'White: f3'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => page.getByTestId('announcement').innerText()).toBe(text);
  }
});

test('the move input keeps the focus during the turn of the engine', async () => {
  const game = await request<Game>(env.url, 'games', {
    kind: 'chess',
    seats: { first: { type: 'human' }, second: { type: 'engine', level: 0 } },
  });
  const { page } = await env.open(`#/game/${game.id}`);
  await openLab(page);
  await page.getByLabel('Type a move').focus();
  for (const [i, move] of ['e4', 'Nf3'].entries()) {
    await page.keyboard.type(move);
    await page.keyboard.press('Enter');
    await moves(page)
      .nth(2 * i + 1)
      .waitFor({ state: 'attached' });
  }
});

/** Presses keys on the board and returns the description of the focused cell after each. */
async function pressKeys(page: Page, keys: string[]): Promise<string[]> {
  const labels: string[] = [];
  for (const key of keys) {
    await page.keyboard.press(key);
    labels.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''));
  }
  return labels;
}

test('arrow keys move between the points of Cờ Tư Lệnh', async () => {
  const position = '5c5/11/11/11/11/4i6/4(+NF)6/3(TI)7/11/11/11/6C4 r - - 0 1';
  const { page } = await env.open(`#/analysis?kind=cotulenh&position=${encodeURIComponent(position)}`);
  await cell(page, 'c6').focus();
  expect(await pressKeys(page, ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'])).toEqual([
    'd6, river, empty',
    'e6, river, red Navy carrying Air Force, heroic',
    'e5, land, empty',
    'd5, land, red Tank carrying Infantry',
    'd6, river, empty',
  ]);
  // On a flipped board, the arrow keys still follow the screen.
  await page.getByRole('button', { name: 'Flip board' }).click();
  await cell(page, 'e6').focus();
  expect(await pressKeys(page, ['ArrowDown'])).toEqual(['e7, river, blue Infantry']);
  // Selecting a stack describes its targets.
  await cell(page, 'e6').focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => cell(page, 'e6').getAttribute('aria-label'))
    .toBe('e6, river, red Navy carrying Air Force, heroic, selected');
  await expect.poll(() => cell(page, 'e7').getAttribute('aria-label')).toContain('can be captured');
});

test('arrow keys move between the hexagons of Tribun', async () => {
  const position = 'black:a1=1*,f6=3/2 white:k11=4*,g7=2 b -';
  const { page } = await env.open(`#/analysis?kind=tribun&position=${encodeURIComponent(position)}`);
  await cell(page, 'e5').focus();
  const labels = await pressKeys(page, [
    'ArrowUp',
    'ArrowUp',
    'ArrowUp',
    'ArrowRight',
    'ArrowLeft',
    'ArrowDown',
  ]);
  expect(labels.slice(0, 3)).toEqual([
    expect.stringMatching(/^f6, \w+, black 3 with slave 2$/),
    expect.stringMatching(/^g7, \w+, white 2$/),
    expect.stringMatching(/^h8, \w+, empty$/),
  ]);
  // Stepping sideways and back returns to the same cell.
  expect(labels[4]).toBe(labels[2]);
  expect(labels[5]).toBe(labels[1]);
  await cell(page, 'b2').focus();
  expect(await pressKeys(page, ['ArrowDown'])).toEqual([expect.stringMatching(/^a1, \w+, black 1, tribun$/)]);
});

test.each([
  ['the queen with a number key', 'e8=Q', async (page: Page) => page.keyboard.press('1')],
  [
    'a rook with a number key',
    'e8=R',
    async (page: Page) => {
      const options = page.locator('[data-choice^="becomes "]');
      const names = await options.evaluateAll((found) =>
        found.map((option) => option.getAttribute('data-choice')),
      );
      await page.keyboard.press(String(names.indexOf('becomes rook') + 1));
    },
  ],
  [
    'a knight with Tab and Enter',
    'e8=N',
    async (page: Page) => {
      await tabTo(page, /Knight/);
      await page.keyboard.press('Enter');
    },
  ],
])('promotes with the keyboard alone: %s', async (_, san, choose) => {
  const position = encodeURIComponent('8/4P3/8/8/8/8/8/k1K5 w - - 0 1');
  const { page } = await env.open(`#/analysis?kind=chess&position=${position}`);
  await cell(page, 'e7').waitFor();
  await tabTo(page, /^[a-h][1-8], /);
  await selectSquare(page, 'e7');
  await selectSquare(page, 'e8');
  await expect.poll(() => page.locator('[data-choice^="becomes "]').count()).toBe(4);
  await choose(page);
  await moves(page, san).waitFor();
  // The focus stays on the board, so that the next move needs no Tab.
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute('data-cell'))).toBe(true);
});
