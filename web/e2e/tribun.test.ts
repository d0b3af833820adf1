// Every kind of Tribun action: selected, and previewed if heights are shared out.

import { expect, test } from 'vitest';
import type { Game, View } from '../src/lib/types';
import { PHONE, type Page } from './browser';
import { cell, fetchView, INPUTS, moves, play, request, selectMove } from './helpers';
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

  const result = await selectMove(page, before, move);
  // Only what shares out heights is previewed: nothing has been played yet.
  expect(result).toBe(move.shares.length > 0 ? 'previewed' : 'played');
  if (result === 'previewed') {
    await page.locator('.board.preview').waitFor();
    expect(await moves(page).count()).toBe(0);
  }
  const after = await fetchView(env.url, 'tribun', position, [move.text]);
  const figures = after.board.cells.filter((cell) => cell.figure).length;
  await expect.poll(() => page.locator('[data-figure]').count()).toBe(figures);
  if (result === 'previewed') await page.keyboard.press(' ');
  await moves(page, move.san).waitFor();
});

const open = (position: string, options = {}) =>
  env.open(`#/analysis?kind=tribun&position=${encodeURIComponent(position)}`, options);
const marks = (page: Page, mark: string) => page.locator(`.target.${mark}`).count();

test('a plain step takes two clicks', async () => {
  const { page } = await open('black:a1=1* white:k11=1* b -');
  await cell(page, 'a1').click();
  await cell(page, 'b2').click();
  await expect.poll(() => moves(page).allInnerTexts()).toEqual(['a1-b2']);
});

test('moves, parts and combinations have different marks', async () => {
  const { page } = await open('black:a1=1*,f6=2,g8=2 white:k11=1* b -');
  await cell(page, 'f6').click();
  await expect.poll(() => marks(page, 'move')).toBeGreaterThan(0);
  expect(await marks(page, 'split')).toBeGreaterThan(0);
  await page.click('[data-choice="kind combine"]');
  await expect.poll(() => marks(page, 'combine')).toBe(2);
});

test('the tile of a symmetric combination has the mark of combinations', async () => {
  const { page } = await open(POSITIONS['sym-combine'] ?? '');
  await cell(page, 'g7').click();
  await expect.poll(() => cell(page, 'f6').getAttribute('aria-label')).toContain('can combine here');
});

test('taps on neighbours share out heights, and a tap on the unit plays', async () => {
  const { page } = await open(POSITIONS.split ?? '', { ...PHONE, viewport: { width: 390, height: 664 } });
  const label = (name: string) => cell(page, name).getAttribute('aria-label');
  await cell(page, 'f6').tap();
  await cell(page, 'g7').tap();
  await expect.poll(() => label('g7')).toMatch(/black 1/);
  await cell(page, 'g7').tap();
  await expect.poll(() => label('g7')).toMatch(/black 2/);
  await cell(page, 'e5').tap();
  await expect.poll(() => label('e5')).toMatch(/black 1/);
  await expect.poll(() => label('f6')).toMatch(/black 1/);
  // The preview dims nothing.
  const opacity = await page.locator('.figures').evaluate((figures) => getComputedStyle(figures).opacity);
  expect(opacity).toBe('1');
  expect(await moves(page).count()).toBe(0);
  await cell(page, 'f6').tap();
  await moves(page, 'f6>2g7+1e5').waitFor();
});

test.each(Object.entries(INPUTS))(
  'heights are shared out and units combined by %s',
  async (_, { options, choose }) => {
    const split = (await open(POSITIONS.split ?? '', options)).page;
    const label = (page: Page, name: string) => cell(page, name).getAttribute('aria-label');
    await choose(cell(split, 'f6'));
    for (const height of [1, 2]) {
      await choose(cell(split, 'g7'));
      await expect.poll(() => label(split, 'g7')).toMatch(`black ${height}`);
    }
    await choose(cell(split, 'e5'));
    await expect.poll(() => label(split, 'e5')).toMatch(/black 1/);
    expect(await moves(split).count()).toBe(0);
    await choose(cell(split, 'f6'));
    await expect.poll(() => moves(split).allInnerTexts()).toEqual(['f6>2g7+1e5']);

    const { page } = await open(POSITIONS.combine ?? '', options);
    await choose(cell(page, 'f6'));
    await choose(page.locator('[data-choice="kind combine"]'));
    await choose(cell(page, 'g7'));
    await expect.poll(() => label(page, 'g7')).toMatch(/black 4/);
    expect(await moves(page).count()).toBe(0);
    await choose(cell(page, 'g7'));
    await expect.poll(() => moves(page).count()).toBe(1);
  },
);

test('a turn is one action, and the page never speaks of an action that is left', async () => {
  const game = await request<Game>(env.url, 'games', { kind: 'tribun' });
  const { page } = await env.open(`#/game/${game.id}`);
  const played: string[] = [];
  for (const player of ['Black', 'White', 'Black', 'White']) {
    await page.getByTestId('status').getByText(`${player} to move`).waitFor();
    const view = await fetchView(env.url, 'tribun', undefined, played);
    expect(view.turn_in_progress).toBeNull();
    const move = view.legal_moves.find(({ kind }) => kind === 'move')!;
    await cell(page, move.from!).click();
    for (const text of [await page.locator('body').innerText(), await page.getByTestId('status').innerText()])
      expect(text).not.toMatch(/action\w* (is|are)? ?left|actions? remain|End turn/i);
    await cell(page, move.to!).click();
    played.push(move.text);
    await expect.poll(() => moves(page).count()).toBe(played.length);
  }
  await page.getByTestId('status').getByText('Black to move').waitFor();
});

test('a part that needs others says so and cannot be played yet', async () => {
  const { page } = await open('black:a1=1*,f6=8 white:k11=1* b -');
  await cell(page, 'f6').click();
  await page.click('[data-choice="kind split"]');
  await cell(page, 'g7').click();
  // 8 − 1 = 7 is not a height.
  await page.getByRole('status').getByText('Share out more height').waitFor();
  expect(await page.getByTestId('submit').isDisabled()).toBe(true);
  await cell(page, 'e5').click();
  await page.getByRole('status').getByText('Selected: f6>').waitFor();
  await page.getByTestId('submit').click();
  await expect.poll(() => moves(page).count()).toBe(1);
});

test('a second tap on the tile where units combine plays', async () => {
  const { page } = await open(POSITIONS.combine ?? '');
  await cell(page, 'f6').click();
  await page.click('[data-choice="kind combine"]');
  await cell(page, 'g7').click();
  await expect.poll(() => cell(page, 'g7').getAttribute('aria-label')).toMatch(/black 4/);
  // A tap on a unit changes its gift.
  await cell(page, 'g8').click();
  await expect.poll(() => cell(page, 'g7').getAttribute('aria-label')).toMatch(/black 3/);
  expect(await moves(page).count()).toBe(0);
  await cell(page, 'g7').click();
  await moves(page).first().waitFor();
});

test('cancels a preview', async () => {
  const { page } = await open(POSITIONS.split ?? '');
  await cell(page, 'f6').click();
  await cell(page, 'g7').click();
  await page.locator('.board.preview').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.board.preview').waitFor({ state: 'detached' });
  await page.keyboard.press(' ');
  await cell(page, 'a1').click();
  await cell(page, 'a2').click();
  await expect.poll(() => moves(page).allInnerTexts()).toEqual(['a1-a2']);
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
  await play(page, { ...first, legal_moves }, move);
  await expect.poll(() => moves(page).allInnerTexts()).toEqual([move.san]);
});
