import { expect, test } from 'vitest';
import { evaluate } from './evaluation';
import type { Outcome, Score } from '../types';

const running: Outcome = { over: false, winner: null, reason: null, description: '' };
const score = (centipawns: number | null, mate: number | null = null): Score => ({
  centipawns,
  mate,
  text: 'score',
});

test('the bar follows the score', () => {
  expect(evaluate(running, score(0))).toEqual({ share: 0.5, text: 'score' });
  expect(evaluate(running, score(300))?.share).toBeGreaterThan(0.7);
  expect(evaluate(running, score(-300))?.share).toBeLessThan(0.3);
  expect(evaluate(running, score(null, 3))?.share).toBe(1);
  expect(evaluate(running, score(null, -3))?.share).toBe(0);
});

test('without a score nothing is known', () => {
  expect(evaluate(running, null)).toBeNull();
});

test('a finished game shows its result, not the last score', () => {
  const over = (winner: Outcome['winner']) => ({ ...running, over: true, winner });
  expect(evaluate(over('first'), score(0))).toEqual({ share: 1, text: '1–0' });
  expect(evaluate(over('second'), null)).toEqual({ share: 0, text: '0–1' });
  expect(evaluate(over(null), score(500))).toEqual({ share: 0.5, text: '½–½' });
});
