// Whole games against the engine, played by pointing at the board.

import { expect, test } from 'vitest';
import type { Action, Game } from '../src/lib/types';
import { ask, play, ready } from './player';
import { world } from './setup';

const there = world();

/** The same choices in every run: numbers from 0 to below 1. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Who takes whatever can be taken soon has won or lost. */
function eager(actions: Action[]): Action[] {
  const of = (kind: string) => actions.filter((action) => action.kind === kind);
  const taking = actions.filter((action) => action.takes !== null);
  return [of('attack-tribun'), of('kill'), taking, actions].find((choice) => choice.length > 0) ?? [];
}

const LONGEST = 400;

test.each(['chess', 'cotulenh', 'tribun'])('a whole game of %s against level 1', async (kind) => {
  const game = await ask<Game>(there.url, 'games', {
    kind,
    players: { first: { who: 'person' }, second: { who: 'engine', level: 1 } },
  });
  const { page } = await there.open(`#/game/${game.id}`);
  const next = chance(7);
  let now = game;
  for (let i = 0; i < LONGEST && !now.view.outcome.over; i++) {
    const wanted = eager(now.view.actions);
    const action = wanted[Math.floor(next() * wanted.length)] as Action;
    await page.waitForFunction(
      (count) => document.querySelectorAll('[data-testid=moves] .move').length === count,
      now.view.history.length,
    );
    await play(page, now.view, action);
    now = await ready(there.url, game.id, now.version);
  }
  expect(now.view.outcome.over).toBe(true);
  await page.getByRole('button', { name: 'Once more' }).waitFor();
  await expect.poll(() => page.getByTestId('status').innerText()).toMatch(/has won|Drawn/);
  await expect.poll(() => page.getByTestId('announcement').innerText()).toMatch(/has won|Drawn/);
});
