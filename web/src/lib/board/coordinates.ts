// Coordinates on the cells at the edge of a board.

import { cellCenter, labelPosition, type Point } from './geometry';
import type { Board } from '../types';

/** The distance of a label from the edges of its square. */
const INSET = 0.12;
/** The offset of a neighbour below a hexagon, to the side and downwards. */
const [ASIDE, DOWN] = [0.75, Math.sqrt(3) / 4];
/** How far towards that neighbour a label stands: beyond the edge, where no figure covers it. */
const TOWARDS = 0.61;

/** The position of a label within the board: in a corner of its square, or next to a lower edge of its hexagon. */
export function insidePosition(board: Board, label: Point, flipped: boolean): Point {
  if (board.outline === 'hexagon') {
    // Outside the board, the label stands at the place of a neighbour.
    const side = label.x + 0.5 < board.width / 2 ? -1 : 1;
    const back = 1 - TOWARDS;
    return cellCenter(board, { x: label.x - side * ASIDE * back, y: label.y - DOWN * back }, flipped);
  }
  const { x, y } = labelPosition(board, label, flipped);
  return label.x < 0
    ? { x: INSET, y: y - 0.5 + INSET + 0.02 }
    : { x: x + 0.5 - INSET, y: board.height - INSET };
}
