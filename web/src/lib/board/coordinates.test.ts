import { expect, test } from 'vitest';
import { insidePosition } from './coordinates';
import type { Board } from '../types';

const board = (outline: Board['outline'], width: number, height: number): Board => ({
  ...{ outline, width, height, cells: [], labels: [], scenery: [] },
  inks: { first: '#000', second: '#fff' },
});

test.each([false, true])(
  'the letters and numbers of a square board are on its first row and column',
  (flipped) => {
    const squares = board('square', 8, 8);
    const letter = insidePosition(squares, { x: 0, y: 8 }, flipped);
    expect([Math.floor(letter.x), Math.floor(letter.y)]).toEqual([flipped ? 7 : 0, 7]);
    const number = insidePosition(squares, { x: -1, y: 7 }, flipped);
    expect([Math.floor(number.x), Math.floor(number.y)]).toEqual([0, flipped ? 0 : 7]);
  },
);

test('the coordinates of a hexagon are next to its lower edges, where no unit covers them, and rotate with the board', () => {
  const hexagons = board('hexagon', 4, 4.5);
  const half = Math.sqrt(3) / 4;
  // The tile at the bottom, whose labels stand to the left and right below it.
  const center = { x: 2, y: 4 };
  const left = insidePosition(hexagons, { x: 1.5 - 0.75, y: 3.5 + half }, false);
  const right = insidePosition(hexagons, { x: 1.5 + 0.75, y: 3.5 + half }, false);
  expect(left.x + right.x).toBeCloseTo(2 * center.x);
  for (const { x, y } of [left, right]) {
    const distance = Math.hypot(x - center.x, y - center.y);
    expect(distance).toBeGreaterThan(half + 0.09);
    // Within the picture of the board.
    expect(distance).toBeLessThan(half + 0.11);
    expect(y).toBeGreaterThan(center.y);
  }
  const turned = insidePosition(hexagons, { x: 1.5 - 0.75, y: 3.5 + half }, true);
  expect(turned.x + left.x).toBeCloseTo(4);
  expect(turned.y + left.y).toBeCloseTo(4.5);
});
