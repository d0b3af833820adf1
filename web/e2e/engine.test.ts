// The engine as an opponent: its answer to a draw offer, and when it replies.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import type { Page } from './browser';
import { cell, moves, request } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment();

const KINDS = ['chess', 'cotulenh', 'tribun'];
const seats = (level: number) => ({ first: { type: 'human' }, second: { type: 'engine', level } });

async function offerDraw(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Offer draw', exact: true }).click();
  await page.getByRole('button', { name: 'Yes, offer a draw' }).click();
}

test.each(KINDS)('the engine declines a draw at the start of %s, and the page says so', async (kind) => {
  const { id } = await request<Game>(env.url, 'games', { kind, seats: seats(1) });
  const { page } = await env.open(`#/game/${id}`);
  await offerDraw(page);
  await expect.poll(() => page.getByTestId('announcement').innerText()).toMatch(/ declines the draw\.$/);
  const game = await request<Game>(env.url, `games/${id}`);
  expect(game.view.outcome.over).toBe(false);
  expect(game.draw_declined).toBe('first');
});

test('the engine that is better off declines a draw before a move and again after it is taken back', async () => {
  const position = '3qk3/8/8/8/8/8/P7/K7 w - - 0 1';
  const { id } = await request<Game>(env.url, 'games', { kind: 'chess', position, seats: seats(1) });
  const { page } = await env.open(`#/game/${id}`);
  const announcement = () => page.getByTestId('announcement').innerText();
  const expectDeclined = async () => {
    await offerDraw(page);
    await expect.poll(announcement).toMatch(/ declines the draw\.$/);
    expect((await request<Game>(env.url, `games/${id}`)).view.outcome.over).toBe(false);
  };
  await expectDeclined();
  for (let i = 0; i < 2; i++) {
    await cell(page, 'a2').click();
    await cell(page, 'a3').click();
    await expect.poll(() => moves(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => moves(page).count()).toBe(0);
    await expect.poll(announcement).toMatch(/taken back/);
    await expectDeclined();
  }
});

test('a move is seen for half a second before the reply', async () => {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const { id } = await request<Game>(env.url, 'games', { kind: 'chess', seats: seats(1) });
    const { page } = await env.open(`#/game/${id}`);
    await cell(page, 'e2').click();
    const began = Date.now();
    await cell(page, 'e4').click();
    await expect.poll(() => moves(page).count(), { interval: 10 }).toBe(2);
    times.push(Date.now() - began);
  }
  // The fastest of several replies: a busy machine only makes them slower.
  expect(Math.min(...times)).toBeGreaterThanOrEqual(500);
});
