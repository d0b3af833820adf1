// The board without a mouse: every cell can be reached and says what it is.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import type { Page } from './browser';
import { ask, cell, moves } from './player';
import { world } from './setup';

const there = world();

/** Tabs on until something with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const at = document.activeElement;
      return at?.getAttribute('aria-label') ?? at?.closest('label')?.textContent ?? at?.textContent ?? '';
    });
    if (name.test(focused)) return;
  }
  throw new Error(`${name} cannot be reached with Tab`);
}

/** Walks from the focused square of a chess board to another, and chooses it. */
async function walkTo(page: Page, to: string): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const at = await page.evaluate(() => document.activeElement?.getAttribute('data-cell') ?? '');
    if (at === to) break;
    const [dx, dy] = [to.charCodeAt(0) - at.charCodeAt(0), to.charCodeAt(1) - at.charCodeAt(1)];
    await page.keyboard.press(
      dx > 0 ? 'ArrowRight' : dx < 0 ? 'ArrowLeft' : dy > 0 ? 'ArrowUp' : 'ArrowDown',
    );
  }
  await page.keyboard.press('Enter');
}

test('a whole game by keyboard alone', async () => {
  const { page } = await there.open('');
  await page.getByText('Choose a game').waitFor();
  await tabTo(page, /Opponent/);
  await page.keyboard.press('ArrowDown');
  await tabTo(page, /^Begin$/);
  await page.keyboard.press('Enter');
  await page.getByText('White to move').waitFor();
  await tabTo(page, /^[a-h][1-8], /);
  const line = [
    ['f2', 'f3', 'Black to move'],
    ['e7', 'e5', 'White to move'],
    ['g2', 'g4', 'Black to move'],
    ['d8', 'h4', 'Black has won: checkmate'],
  ] as const;
  for (const [from, to, status] of line) {
    await walkTo(page, from);
    await walkTo(page, to);
    await page.getByTestId('status').getByText(status).waitFor();
  }
  await expect
    .poll(() => page.getByTestId('announcement').innerText())
    .toBe('Black: Qh4#. Black has won: checkmate.');
  // To walk back is heard as well.
  for (const [key, said] of [
    [',', 'White: g4'],
    ['Home', 'Before the first move'],
    ['.', 'White: f3'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => page.getByTestId('announcement').innerText()).toBe(said);
  }
});

test('who types moves against the engine keeps the focus', async () => {
  const game = await ask<Game>(there.url, 'games', {
    kind: 'chess',
    players: { first: { who: 'person' }, second: { who: 'engine', level: 0 } },
  });
  const { page } = await there.open(`#/game/${game.id}`);
  await page.getByLabel('Type a move').focus();
  for (const [i, move] of ['e4', 'Nf3'].entries()) {
    await page.keyboard.type(move);
    await page.keyboard.press('Enter');
    await moves(page)
      .nth(2 * i + 1)
      .waitFor();
  }
});

/** Presses keys on the board, and what the focused cell says after each. */
async function walk(page: Page, keys: string[]): Promise<string[]> {
  const said: string[] = [];
  for (const key of keys) {
    await page.keyboard.press(key);
    said.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''));
  }
  return said;
}

test('arrow keys walk the points of Cờ Tư Lệnh, and each says what is there', async () => {
  const position = '5c5/11/11/11/11/4i6/4(+NF)6/3(TI)7/11/11/11/6C4 r - - 0 1';
  const { page } = await there.open(`#/analysis?kind=cotulenh&position=${encodeURIComponent(position)}`);
  await cell(page, 'c6').focus();
  expect(await walk(page, ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'])).toEqual([
    'd6, river, empty',
    'e6, river, red Navy carrying Air Force, heroic',
    'e5, land, empty',
    'd5, land, red Tank carrying Infantry',
    'd6, river, empty',
  ]);
  // From the other side of the board, up is down.
  await page.getByRole('button', { name: 'Turn the board' }).click();
  await cell(page, 'e6').focus();
  expect(await walk(page, ['ArrowDown'])).toEqual(['e7, river, blue Infantry']);
  // A chosen stack says where it can go, and what it can take.
  await cell(page, 'e6').focus();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => cell(page, 'e6').getAttribute('aria-label'))
    .toBe('e6, river, red Navy carrying Air Force, heroic, chosen');
  await expect.poll(() => cell(page, 'e7').getAttribute('aria-label')).toContain('can be taken');
});

test('arrow keys walk the hexagons of Tribun, and each says what is there', async () => {
  const position = 'black:a1=1*,f6=3/2 white:k11=4*,g7=2 b -';
  const { page } = await there.open(`#/analysis?kind=tribun&position=${encodeURIComponent(position)}`);
  await cell(page, 'e5').focus();
  const said = await walk(page, ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowLeft', 'ArrowDown']);
  expect(said.slice(0, 3)).toEqual([
    expect.stringMatching(/^f6, \w+, black 3 with slave 2$/),
    expect.stringMatching(/^g7, \w+, white 2$/),
    expect.stringMatching(/^h8, \w+, empty$/),
  ]);
  // Sideways and back is where one was.
  expect(said[4]).toBe(said[2]);
  expect(said[5]).toBe(said[1]);
  await cell(page, 'b2').focus();
  expect(await walk(page, ['ArrowDown'])).toEqual([expect.stringMatching(/^a1, \w+, black 1, tribun$/)]);
});
