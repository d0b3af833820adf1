import { expect, test } from 'vitest';
import { curve, errorsOf, nearest, nextTry, numberOf, pointAt, pointsOf, suffixOf } from './review';
import type { Assessment, Judgement, Review, ReviewedTurn } from '../types';

const assessment = (expected: number): Assessment => ({
  expected,
  score: { centipawns: 0, mate: null, text: `${expected}` },
});
const better = { line: [{ text: 'e4', moves: ['e2e4'] }], after: assessment(0.5), arrows: [] };
/** A turn of `length` moves after `from` ones. */
const turn = (
  from: number,
  length: number,
  player: 'first' | 'second',
  judgement: Judgement | null = null,
): ReviewedTurn => ({
  ...{ number: 3, player, from, to: from + length, text: 'x', loss: 0, judgement },
  after: assessment(0.25),
  better: judgement && better,
});
const review: Review = {
  start: assessment(0.5),
  // The second turn is a deployment of three moves.
  turns: [
    turn(0, 1, 'first', 'blunder'),
    turn(1, 3, 'second', 'inaccuracy'),
    turn(4, 1, 'first'),
    { ...turn(5, 1, 'second', 'mistake'), better: null },
    turn(6, 1, 'first', 'mistake'),
  ],
  accuracy: { first: 50, second: null },
  errors: {
    first: { inaccuracies: 0, mistakes: 1, blunders: 1 },
    second: { inaccuracies: 1, mistakes: 1, blunders: 0 },
  },
};

test('a point of the graph is a turn, however many moves it has', () => {
  const points = pointsOf(review);
  expect(points.map(({ ply }) => ply)).toEqual([0, 1, 4, 5, 6, 7]);
  expect([0, 1, 2, 3, 4, 99].map((ply) => pointAt(points, ply))).toEqual([0, 1, 1, 1, 2, 5]);
});

test('the curve goes from edge to edge, the first player at the top', () => {
  const points = pointsOf({ ...review, turns: [turn(0, 1, 'first'), turn(1, 1, 'second')] });
  expect(curve(points, 100, 40)).toBe('M0 20L50 30L100 30');
  expect(curve(points.slice(0, 1), 100, 40)).toBe('M0 20L100 20');
  expect([-1, 0, 0.24, 0.26, 0.9, 2].map((share) => nearest(share, 3))).toEqual([0, 0, 0, 1, 2, 2]);
});

test('errors are those of a player, and the next one is tried after the last', () => {
  expect(errorsOf(review, null)).toEqual([0, 1, 3, 4]);
  expect(errorsOf(review, 'second')).toEqual([1, 3]);
  // Without a better turn there is nothing to compare with.
  expect([-1, 0, 1, 4].map((after) => nextTry(review, null, after))).toEqual([0, 1, 4, 0]);
  expect([-1, 1].map((after) => nextTry(review, 'second', after))).toEqual([1, null]);
});

test('turns are written as in a move list', () => {
  expect(review.turns.slice(0, 3).map((turn) => numberOf(turn) + suffixOf(turn))).toEqual([
    '3.??',
    '3…?!',
    '3.',
  ]);
});
