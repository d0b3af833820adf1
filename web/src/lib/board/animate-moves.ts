// Figures that glide to their new cells.

import type { Board } from '../types';
import { movedFigures, type Point } from './geometry';
import { GLIDE_TIME } from '../platform/time-limits';

/** Animates the figures that have changed their cells. `centers` are the centres of the cells. */
export function animateMoves(svg: Element, before: Board, after: Board, centers: Map<string, Point>): void {
  for (const [to, from] of movedFigures(before, after)) {
    const [a, b] = [centers.get(from), centers.get(to)];
    const figure = svg.querySelector(`[data-figure="${CSS.escape(to)}"]`);
    if (!a || !b || !figure) continue;
    const shift = `translate(${(a.x - b.x) * 100}px, ${(a.y - b.y) * 100}px)`;
    figure.animate([{ transform: shift }, { transform: 'none' }], {
      duration: GLIDE_TIME,
      easing: 'ease-out',
    });
  }
}
