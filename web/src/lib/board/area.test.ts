import { expect, test } from 'vitest';
import { areaOutline } from './area';

test('an empty area has no outline', () => {
  expect(areaOutline([])).toBe('');
});

test('one cell has four round corners', () => {
  expect(areaOutline([{ x: 0.5, y: 0.5 }])).toBe(
    'M0.7 0Q1 0 1 0.3L1 0.7Q1 1 0.7 1L0.3 1Q0 1 0 0.7L0 0.3Q0 0 0.3 0Z',
  );
});

const loops = (path: string) => path.split('M').length - 1;
const corners = (path: string) => path.split('Q').length - 1;

test('adjacent cells are one area without inner lines', () => {
  const row = areaOutline([1, 2, 3].map((x) => ({ x, y: 1 })));
  expect([loops(row), corners(row)]).toEqual([1, 4]);
});

test('an area may have parts, steps and holes', () => {
  const apart = areaOutline([
    { x: 1, y: 1 },
    { x: 4, y: 1 },
  ]);
  expect([loops(apart), corners(apart)]).toEqual([2, 8]);
  const steps = areaOutline([
    { x: 1, y: 1 },
    { x: 1, y: 2 },
    { x: 2, y: 2 },
  ]);
  expect([loops(steps), corners(steps)]).toEqual([1, 6]);
  const ring = [0, 1, 2]
    .flatMap((x) => [0, 1, 2].map((y) => ({ x, y })))
    .filter(({ x, y }) => x !== 1 || y !== 1);
  expect([loops(areaOutline(ring)), corners(areaOutline(ring))]).toEqual([2, 8]);
});

test('cells that touch in a corner only are two loops', () => {
  const diagonal = areaOutline([
    { x: 1, y: 1 },
    { x: 2, y: 2 },
  ]);
  expect([loops(diagonal), corners(diagonal)]).toEqual([2, 8]);
});
