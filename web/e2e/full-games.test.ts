// Complete games against the engine, played with the mouse.

import { expect, test } from 'vitest';
import type { Game, LegalMove } from '../src/lib/types';
import { play, request, waitForTurn } from './helpers';
import { setUpEnvironment } from './environment';

const env = setUpEnvironment(['--reply-delay', '0']);

/** A seeded generator of numbers from 0 to below 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The captures among the moves, if any, so that games end soon. */
function preferCaptures(moves: LegalMove[]): LegalMove[] {
  const ofKind = (kind: string) => moves.filter((move) => move.kind === kind);
  const captures = moves.filter((move) => move.takes !== null);
  return [ofKind('attack-tribun'), ofKind('kill'), captures, moves].find((found) => found.length > 0) ?? [];
}

const MAX_MOVES = 400;

test.each(['chess', 'cotulenh', 'tribun'])('plays a complete game of %s against level 6', async (kind) => {
  const game = await request<Game>(env.url, 'games', {
    kind,
    seats: { first: { type: 'human' }, second: { type: 'engine', level: 6 } },
  });
  const { page } = await env.open(`#/game/${game.id}`);
  const next = randomNumbers(7);
  let now = game;
  for (let i = 0; i < MAX_MOVES && !now.view.outcome.over; i++) {
    const moves = preferCaptures(now.view.legal_moves);
    const move = moves[Math.floor(next() * moves.length)]!;
    await page.waitForFunction(
      (count) => document.querySelectorAll('[data-testid=moves] .move').length === count,
      now.view.moves_played.length,
    );
    await play(page, now.view, move);
    now = await waitForTurn(env.url, game.id, now.version);
  }
  expect(now.view.outcome.over).toBe(true);
  await page.getByTestId('end-card').getByRole('button', { name: 'Rematch' }).waitFor();
  await expect.poll(() => page.getByTestId('status').innerText()).toMatch(/won:|Draw:/);
  await expect.poll(() => page.getByTestId('announcement').innerText()).toMatch(/won:|Draw:/);
});
