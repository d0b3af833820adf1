import { expect, test } from 'vitest';
import { lineShapes } from './line-shapes';

const line = (...arrows: string[]) => ({
  arrows: arrows.map((arrow) => ({ from: arrow.slice(0, 2), to: arrow.slice(2) })),
});

test('every unit that takes part has an arrow, and the best line is on top', () => {
  expect(lineShapes([line('e5f6', 'g7f6'), line('d4d5')])).toEqual([
    { from: 'd4', to: 'd5', tone: 'second' },
    { from: 'g7', to: 'f6', tone: 'engine' },
    { from: 'e5', to: 'f6', tone: 'engine' },
  ]);
});

test('an arrow of several lines is drawn once, for the best of them', () => {
  expect(lineShapes([line('a1a2'), line('a1a2', 'b1a2')])).toEqual([
    { from: 'b1', to: 'a2', tone: 'second' },
    { from: 'a1', to: 'a2', tone: 'engine' },
  ]);
});
