// The end of a game: the card over the board, the rematch and the next level; the title and the icon of a running one.

import { expect, test } from 'vitest';
import type { Game } from '../src/lib/types';
import type { Page } from './browser';
import { expectAccessible } from './axe';
import { setUpEnvironment } from './environment';
import { cell, request } from './helpers';

const env = setUpEnvironment();

/** White mates with Qh5 to f7. */
const MATE_IN_ONE = ['e2e4', 'e7e5', 'd1h5', 'b8c6', 'f1c4', 'g8f6'];
const engine = { first: { type: 'human' }, second: { type: 'engine', level: 2 } };

function newGame(options: object): Promise<Game> {
  return request<Game>(env.url, 'games', { kind: 'chess', moves: MATE_IN_ONE, ...options });
}

async function currentGame(page: Page, other: Game): Promise<Game> {
  const id = () => page.evaluate(() => location.hash.replace('#/game/', ''));
  await expect.poll(id).not.toBe(other.id);
  return request<Game>(env.url, `games/${await id()}`);
}

test('the card says who won, how and in how many moves, and offers the next level', async () => {
  const game = await newGame({ seats: engine });
  const { page } = await env.open(`#/game/${game.id}`, { colorScheme: 'light' });
  const card = page.getByTestId('end-card');
  await cell(page, 'h5').click();
  expect(await card.count()).toBe(0);
  await cell(page, 'f7').click();
  await card.getByRole('heading', { name: 'You won!' }).waitFor();
  await card.getByText('checkmate').waitFor();
  await card.getByText('Moves: 4').waitFor();
  // It lies over the board.
  const [board, box] = await Promise.all([page.locator('svg.board').boundingBox(), card.boundingBox()]);
  expect(box?.x).toBeGreaterThan(board?.x ?? Infinity);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan((board?.y ?? 0) + (board?.height ?? 0));
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Next level: Corporal' }).click();
  const next = await currentGame(page, game);
  expect(next.seats).toEqual({ first: { type: 'human' }, second: { type: 'engine', level: 3 } });
  expect(next.view.moves_played).toEqual([]);
});

test('the card can be closed, makes way for earlier positions, and opens the review', async () => {
  const game = await newGame({ moves: [...MATE_IN_ONE, 'h5f7'], seats: engine });
  const { page } = await env.open(`#/game/${game.id}`);
  const card = page.getByTestId('end-card');
  await card.waitFor();
  // One button for a rematch at a time, and none of the other buttons moves.
  const rematch = page.getByRole('button', { name: 'Rematch' });
  const flip = () => page.getByRole('button', { name: 'Flip board' }).boundingBox();
  expect(await rematch.count()).toBe(1);
  const before = await flip();
  await page.keyboard.press('ArrowLeft');
  await card.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowRight');
  await card.getByRole('link', { name: 'Review' }).click();
  await expect.poll(() => page.evaluate(() => location.hash)).toBe(`#/review/${game.id}`);
  await page.goBack();
  await card.getByRole('button', { name: 'Close' }).click();
  await card.waitFor({ state: 'detached' });
  await page.getByTestId('status').getByText('White won: checkmate.').waitFor();
  expect(await rematch.count()).toBe(1);
  expect(await flip()).toEqual(before);
});

test('a rematch has the sides swapped', async () => {
  const game = await newGame({ moves: [...MATE_IN_ONE, 'h5f7'], seats: engine });
  const { page } = await env.open(`#/game/${game.id}`);
  await page.getByTestId('end-card').getByRole('button', { name: 'Rematch' }).click();
  const next = await currentGame(page, game);
  expect(next.seats).toEqual({ first: { type: 'engine', level: 2 }, second: { type: 'human' } });
});

test('the title and the icon say whose turn it is', async () => {
  const game = await newGame({ moves: [], seats: { first: { type: 'human' }, second: { type: 'human' } } });
  const { page } = await env.open(`#/game/${game.id}`);
  const icon = () =>
    page.evaluate(() =>
      decodeURIComponent(document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? ''),
    );
  await expect.poll(() => page.title()).toBe('White to move – Chess – Sandtable');
  await expect.poll(icon).toContain('data:image/svg+xml');
  const white = await icon();
  await cell(page, 'e2').click();
  await cell(page, 'e4').click();
  await expect.poll(() => page.title()).toBe('Black to move – Chess – Sandtable');
  await expect.poll(icon).not.toBe(white);
  await page.goto(`${env.url}#/`);
  await expect.poll(icon).toContain('/icon.svg');
  const own = await newGame({ seats: engine });
  await page.goto(`${env.url}#/game/${own.id}`);
  await expect.poll(() => page.title()).toBe('Your turn – Chess – Sandtable');
});
