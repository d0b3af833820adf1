import { expect, test, vi } from 'vitest';
import { isComplete, withAllMoves } from './legal-moves';
import type { LegalMove, View } from '../types';

const moves = ['a', 'b', 'c', 'd', 'e'].map((text) => ({ text }) as LegalMove);
const page = (from: number, to: number, count = moves.length) =>
  ({ legal_moves: moves.slice(from, to), legal_count: count }) as View;

test('requests the pages after the first one', async () => {
  const first = page(0, 2);
  const fetchPage = vi.fn((offset: number) => Promise.resolve(page(offset, offset + 2)));
  expect(isComplete(first)).toBe(false);
  const all = await withAllMoves(first, fetchPage);
  expect(all.legal_moves).toEqual(moves);
  expect(isComplete(all)).toBe(true);
  expect(fetchPage.mock.calls).toEqual([[2], [4]]);
});

test('requests nothing if the view is complete', async () => {
  const fetchPage = vi.fn();
  await withAllMoves(page(0, 5), fetchPage);
  expect(fetchPage).not.toHaveBeenCalled();
});

test('ends at an empty page', async () => {
  const all = await withAllMoves(page(0, 5, 9), () => Promise.resolve(page(5, 5, 9)));
  expect(all.legal_moves).toEqual(moves);
  expect(isComplete(all)).toBe(true);
});
