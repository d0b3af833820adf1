// Arrows for the lines of an analysis.

import type { Shape } from '../board/layers';
import type { Line } from '../types';

/** The arrows of the first moves, from every cell that takes part; those of the best line come last, on top. */
export function lineShapes(lines: Pick<Line, 'arrows'>[]): Shape[] {
  const shapes = new Map<string, Shape>();
  for (const [i, line] of lines.entries()) {
    for (const { from, to } of line.arrows) {
      const key = `${from} ${to}`;
      if (!shapes.has(key)) shapes.set(key, { from, to, tone: i === 0 ? 'engine' : 'second' });
    }
  }
  return [...shapes.values()].reverse();
}
