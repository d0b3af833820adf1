// Every kind of Tribun action: selected, previewed and confirmed.

import { expect, test } from 'vitest';
import type { View } from '../src/lib/types';
import type { Page } from './browser';
import { cell, fetchView, moves, request, selectMove } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

/** For every kind of move, a position in which it is legal. */
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
  const before = await fetchView(env.url, 'tribun', position);
  const move = before.legal_moves.find((candidate) => candidate.kind === kind);
  if (!move)
    throw new Error(`no ${kind} in this position: ${before.legal_moves.map(({ text }) => text).join(' ')}`);
  const { page } = await env.open(`#/analysis?kind=tribun&position=${encodeURIComponent(position)}`);
  await page.locator('[data-cell]').first().waitFor();

  expect(await selectMove(page, before, move)).toBe('previewed');
  const submit = page.getByTestId('submit');
  await expect.poll(() => submit.isEnabled()).toBe(true);
  // The preview shows the result; nothing has been played yet.
  await page.locator('.board.preview').waitFor();
  await expect.poll(() => moves(page).count()).toBe(0);
  const after = await fetchView(env.url, 'tribun', position, [move.text]);
  const figures = after.board.cells.filter((cell) => cell.figure).length;
  await expect.poll(() => page.locator('[data-figure]').count()).toBe(figures);

  await page.keyboard.press(' ');
  await moves(page, move.san).waitFor();
});

/** Opens a board on which the tribun on a1 has few moves and the unit on f6 has many. */
const openBoard = () =>
  env.open(`#/analysis?kind=tribun&position=${encodeURIComponent(POSITIONS.move ?? '')}`);

/** Plays a move and expects it to be the first of the game. */
async function playFirstMove(page: Page): Promise<void> {
  await cell(page, 'a1').click();
  await cell(page, 'a2').click();
  await page.getByTestId('submit').click();
  await expect.poll(() => moves(page).allInnerTexts()).toEqual(['a1-a2']);
}

test('previews a move even if no unit can combine or split', async () => {
  const position = 'black:a1=1* white:k11=1* b -';
  const { page } = await env.open(`#/analysis?kind=tribun&position=${encodeURIComponent(position)}`);
  await page.locator('[data-cell=a1]').click();
  await page.locator('[data-cell=b2]').click();
  await page.locator('.board.preview').waitFor();
  expect(await moves(page).count()).toBe(0);
  await page.getByTestId('submit').click();
  await expect.poll(() => moves(page).count()).toBe(1);
});

test('cancels a preview', async () => {
  const { page } = await openBoard();
  await cell(page, 'a1').click();
  await cell(page, 'b2').click();
  await page.locator('.board.preview').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.board.preview').waitFor({ state: 'detached' });
  await page.keyboard.press(' ');
  await playFirstMove(page);
});

test('plays nothing while several moves match the selection', async () => {
  const { page } = await openBoard();
  await cell(page, 'f6').click();
  await expect.poll(() => page.getByTestId('submit').isEnabled()).toBe(false);
  await page.keyboard.press(' ');
  await playFirstMove(page);
});

test('selects a move that the first 4,096 do not include', async () => {
  const position =
    'black:a1=1*,a3=8,a5=8,b2=8,b7=8,c1=8,c4=8,c6=8,d3=8,d8=8,e2=8,e7=8,e10=8,f4=8,f6=8,f9=8,g3=8,g8=8,g11=6,h5=8,' +
    'h7=8,h11=8,i4=8,i10=8,j6=8,j8=8,k10=3 white:k11=1* b -';
  const first = await fetchView(env.url, 'tribun', position);
  expect(first.legal_moves.length).toBeLessThan(first.legal_count);
  const legal_moves = [...first.legal_moves];
  while (legal_moves.length < first.legal_count) {
    const page = { kind: 'tribun', position, legal_offset: legal_moves.length };
    legal_moves.push(...(await request<View>(env.url, 'position', page)).legal_moves);
  }
  const move = legal_moves.at(-1)!;
  const { page } = await env.open(`#/analysis?kind=tribun&position=${encodeURIComponent(position)}`);
  await page.getByRole('checkbox', { name: 'Engine' }).uncheck();
  await selectMove(page, { ...first, legal_moves }, move);
  await page.getByTestId('submit').click();
  await expect.poll(() => moves(page).allInnerTexts()).toEqual([move.san]);
});
