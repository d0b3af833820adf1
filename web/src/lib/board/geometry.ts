// Board geometry in units of one cell, for every cell shape.

import type { Board, Cell, Outline } from '../types';

export interface Point {
  x: number;
  y: number;
}
export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}
export type Direction = 'up' | 'down' | 'left' | 'right';

/** Half the height of a flat-topped hexagon as wide as its cell. */
const HALF_HEXAGON = Math.sqrt(3) / 4;
/** How far labels beside a board with straight edges move towards it. */
const LABEL_INSET = 0.2;
const MARGIN = 0.1;

/** The centre of the cell whose upper left corner is `at`. */
export function cellCenter(board: Board, at: Point, flipped: boolean): Point {
  const center = { x: at.x + 0.5, y: at.y + 0.5 };
  return flipped ? { x: board.width - center.x, y: board.height - center.y } : center;
}

/** The position of a label. When the board is flipped, labels stay on their side of a straight edge but rotate with a hexagon. */
export function labelPosition(board: Board, at: Point, flipped: boolean): Point {
  if (board.outline === 'hexagon') return cellCenter(board, at, flipped);
  const place = (value: number, size: number) => {
    if (value < 0) return value + 0.5 + LABEL_INSET;
    if (value > size - 1) return value + 0.5 - LABEL_INSET;
    return flipped ? size - value - 0.5 : value + 0.5;
  };
  return { x: place(at.x, board.width), y: place(at.y, board.height) };
}

/** The SVG view box of the board with its labels. */
export function viewBox(board: Board, flipped: boolean): Rectangle {
  let [left, top, right, bottom] = [-MARGIN, -MARGIN, board.width + MARGIN, board.height + MARGIN];
  if (board.outline === 'hexagon') {
    top += 0.5 - HALF_HEXAGON;
    bottom -= 0.5 - HALF_HEXAGON;
  }
  for (const label of board.labels) {
    const { x, y } = labelPosition(board, label, flipped);
    left = Math.min(left, x - 0.22);
    right = Math.max(right, x + 0.22);
    top = Math.min(top, y - 0.22);
    bottom = Math.max(bottom, y + 0.22);
  }
  return { left, top, width: right - left, height: bottom - top };
}

/** The corners of a cell around its centre, as the `points` of an SVG polygon. */
export function corners(outline: Outline, { x, y }: Point): string {
  const around: [number, number][] =
    outline === 'hexagon'
      ? [
          [-0.5, 0],
          [-0.25, -HALF_HEXAGON],
          [0.25, -HALF_HEXAGON],
          [0.5, 0],
          [0.25, HALF_HEXAGON],
          [-0.25, HALF_HEXAGON],
        ]
      : [
          [-0.5, -0.5],
          [0.5, -0.5],
          [0.5, 0.5],
          [-0.5, 0.5],
        ];
  return around.map(([dx, dy]) => `${round(x + dx)},${round(y + dy)}`).join(' ');
}

/** The grid lines through the centres of the cells, as SVG path data. */
export function gridLines(board: Board): string {
  const parts: string[] = [];
  for (let x = 0.5; x < board.width; x++) parts.push(`M${x} 0.5V${board.height - 0.5}`);
  for (let y = 0.5; y < board.height; y++) parts.push(`M0.5 ${y}H${board.width - 0.5}`);
  return parts.join('');
}

/** The cell at a point, or null. */
export function cellAt(board: Board, at: Point, flipped: boolean): Cell | null {
  let best: Cell | null = null;
  let least = 0.55;
  for (const cell of board.cells) {
    const { x, y } = cellCenter(board, cell, flipped);
    const [dx, dy] = [Math.abs(at.x - x), Math.abs(at.y - y)];
    // The maximum norm, so that the corners of a square belong to it.
    const distance = board.outline === 'hexagon' ? Math.hypot(dx, dy) : Math.max(dx, dy);
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}

/** The cell that an arrow key leads to: the nearest one within 60° of its direction. */
export function neighbor(board: Board, from: string, direction: Direction, flipped: boolean): string {
  const here = board.cells.find((cell) => cell.name === from);
  if (!here) return board.cells[0]?.name ?? from;
  const start = cellCenter(board, here, flipped);
  const [ux, uy] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[direction] as [number, number];
  let best = from;
  let least = Infinity;
  for (const cell of board.cells) {
    const { x, y } = cellCenter(board, cell, flipped);
    const [dx, dy] = [x - start.x, y - start.y];
    const along = dx * ux + dy * uy;
    const distance = Math.hypot(dx, dy);
    if (along < 1e-6 || along < distance * 0.5) continue;
    // Sideways on hexagons, two neighbours are equally near: odd and even columns prefer different ones, so that
    // repeated steps stay on a row.
    const column = Math.round(start.x / 0.75);
    const bias = board.outline === 'hexagon' && dy * (column % 2 === 0 ? 1 : -1) > 0 ? 0.01 : 0;
    const cost = distance + (distance - along) + bias;
    if (cost < least - 1e-9) [best, least] = [cell.name, cost];
  }
  return best;
}

/** An arrow between two cell centres, at a small distance from both, as SVG path data. */
export function arrowPath(from: Point, to: Point): { shaft: string; head: string } {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [ux, uy] = length === 0 ? [0, 0] : [(to.x - from.x) / length, (to.y - from.y) / length];
  const at = (along: number, across: number) =>
    `${round(from.x + ux * along - uy * across)} ${round(from.y + uy * along + ux * across)}`;
  const tip = length - 0.1;
  return {
    shaft: `M${at(0.28, 0)}L${at(tip - 0.24, 0)}`,
    head: `M${at(tip, 0)}L${at(tip - 0.32, 0.2)}L${at(tip - 0.32, -0.2)}Z`,
  };
}

/** The cells whose figures differ. */
export function changedCells(before: Board, after: Board): string[] {
  const letters = new Map(before.cells.map((cell) => [cell.name, figureKey(cell)]));
  return after.cells.filter((cell) => letters.get(cell.name) !== figureKey(cell)).map((cell) => cell.name);
}

function figureKey({ figure }: Cell): string {
  return figure ? `${figure.owner} ${figure.letters}` : '';
}

/** The origin of every figure that changed its cell, by its new cell: what to animate. */
export function movedFigures(before: Board, after: Board): Map<string, string> {
  const oldCells = new Map(before.cells.map((cell) => [cell.name, cell]));
  const newCells = new Map(after.cells.map((cell) => [cell.name, cell]));
  const letters = (cell: Cell | undefined) => cell?.figure?.letters ?? '';
  const departed = before.cells.filter(
    (cell) => cell.figure && letters(newCells.get(cell.name)) !== letters(cell),
  );
  const moves = new Map<string, string>();
  for (const cell of after.cells) {
    if (!cell.figure || letters(oldCells.get(cell.name)) === letters(cell)) continue;
    const distance = (from: Cell) => Math.hypot(from.x - cell.x, from.y - cell.y);
    const same = departed.filter(
      (from) => letters(from) === letters(cell) && !letters(newCells.get(from.name)),
    );
    // A figure that changed on the way (promoted, carried, split off) comes from the only cell its owner vacated.
    const vacated = departed.filter(
      (from) => from.figure?.owner === cell.figure?.owner && !letters(newCells.get(from.name)),
    );
    const from =
      same.sort((a, b) => distance(a) - distance(b))[0] ?? (vacated.length === 1 ? vacated[0] : undefined);
    if (from) moves.set(cell.name, from.name);
  }
  return moves;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
