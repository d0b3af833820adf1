import { expect, test } from 'vitest';
import { fanPlaces, fit, TOUCH_SIZE, trayPlace, type Stage } from './placement';
import type { Point } from './geometry';

function stage(cellSize: number, outline: Stage['outline'] = 'point'): Stage {
  const size = 12 * cellSize;
  return {
    ...{ width: size, height: size, cellSize, outline },
    center: () => ({ x: 0, y: 0 }),
    cellAt: () => null,
    focusBoard: () => {},
  };
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

test('fits a box in the middle of an area', () => {
  expect(fit({ left: -1, top: 0, width: 4, height: 2 }, 400, 400)).toEqual({
    scale: 100,
    left: 100,
    top: 100,
  });
});

test.each([
  [
    'point',
    4,
    [
      [1, 0],
      [0, 1],
    ],
  ],
  [
    'hexagon',
    6,
    [
      [Math.sqrt(3) / 2, 0.5],
      [0, 1],
    ],
  ],
] as const)('counters around a cell leave its neighbours in reach: %s', (outline, count, steps) => {
  const size = outline === 'hexagon' ? 60 : 58;
  const at = { x: 5 * size, y: 5 * size };
  const places = fanPlaces(count, at, stage(size, outline));
  expect(places).toHaveLength(count);
  const reach = outline === 'hexagon' ? (size * Math.sqrt(3)) / 2 : size;
  for (const [dx, dy] of steps) {
    for (const sign of [1, -1]) {
      const neighbor = { x: at.x + sign * dx * reach, y: at.y + sign * dy * reach };
      for (const place of places) expect(distance(place, neighbor)).toBeGreaterThan(TOUCH_SIZE / 2);
    }
  }
  for (const a of places) {
    for (const b of places) if (a !== b) expect(distance(a, b)).toBeGreaterThan(30);
  }
});

test('counters at the edge of the board are on the board if possible', () => {
  const places = fanPlaces(2, { x: 29, y: 29 }, stage(58));
  expect(places.filter(({ x, y }) => x > 0 && y > 0).length).toBeGreaterThan(0);
  expect(places[0]!.x).toBeGreaterThan(29);
  expect(places[0]!.y).toBeGreaterThan(29);
});

test('a tray stays on the board and avoids targets', () => {
  const size = { width: 200, height: 44 };
  const at = { x: 290, y: 290 };
  const free = trayPlace(size, at, stage(58), []);
  expect(free.y).toBeGreaterThan(at.y);
  const below = [1, 2].flatMap((row) => [-1, 0, 1].map((i) => ({ x: at.x + i * 58, y: at.y + row * 58 })));
  expect(trayPlace(size, at, stage(58), below).y).toBeLessThan(at.y);
  const corner = trayPlace(size, { x: 10, y: 690 }, stage(58), []);
  expect(corner.x).toBeGreaterThanOrEqual(0);
  expect(corner.y + size.height).toBeLessThanOrEqual(12 * 58);
});
